package archive

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// configured are ways to search and to write, each with keys of its own.
var configured = map[string]string{
	"plain":         "retrieve: {mode: bm25, k: 2}",
	"hybrid":        "embedding: {provider: offline, model: ngram}, retrieve: {mode: hybrid, k: 2, neighbours: 1}, chunk: {size: 60, overlap: 10}",
	"expanded":      "rewrite: {mode: expand}, retrieve: {mode: bm25, k: 3}, rerank: {mode: lexical}",
	"rewritten":     "rewrite: {mode: llm, provider: offline, model: rewriter}, rerank: {mode: llm, provider: offline, model: reranker}",
	"several":       "rewrite: {mode: multi_query, provider: offline, model: rewriter, n: 2}, retrieve: {mode: bm25, k: 2}",
	"decomposed":    "rewrite: {mode: decompose, provider: offline, model: rewriter}, rerank: {mode: lexical}",
	"hyde":          "rewrite: {mode: hyde, provider: offline, model: rewriter}",
	"prompted":      "generate: {provider: offline, model: terse, prompt: answer.md, temperature: 0.5, max_tokens: 50}, post_process: [strip_citations]",
	"bought":        "embedding: {provider: openai, model: embed-1}, retrieve: {mode: dense, k: 2}, generate: {provider: openai, model: writer-1}",
	"bought search": "rerank: {mode: llm, provider: openai, model: writer-2}, rewrite: {mode: llm, provider: openai, model: writer-1}",
}

// TestKeysOfHonestWork: whatever searches, writes and judges, and however often it is asked, the doctor computes the keys that it used.
func TestKeysOfHonestWork(t *testing.T) {
	t.Parallel()
	for name, base := range configured {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			w := apptest.NewPriced(t)
			w.Write(t, "answer.md", "Answer in one short sentence.")
			for i, judge := range []string{"", "judge: {provider: openai, model: judge-1}\n"} {
				run := works(w, t, fmt.Sprintf("name: n%d\nsuite: standard\n%sbase: {%s}\n", i, judge, base), asking)
				if _, err := w.Replicates(t.Context(), run.ID, 1, "q0"); err != nil {
					t.Fatal(err)
				}
			}
			r := unaccusedIn(w, t)
			if len(r.Notes) > 0 {
				t.Errorf("notes: %+v", r.Notes)
			}
			// the same work with a server that was moved
			w.Env["OPENAI_BASE_URL"] = strings.Replace(w.Address, "127.0.0.1", "localhost", 1)
			w.Address = w.Env["OPENAI_BASE_URL"]
			w.OpenAgain(t, "")
			w.Price()
			if run := works(w, t, fmt.Sprintf("name: moved\nsuite: compact\njudge: {provider: openai, model: judge-1}\nbase: {%s}\n", base),
				asking); run.Totals.Errors != nil && len(run.Totals.Errors) > 0 {
				t.Fatalf("%+v", run.Totals)
			}
			if r := unaccusedIn(w, t); len(r.Notes) > 0 {
				t.Errorf("after the move: %+v", r.Notes)
			}
		})
	}
}

// unaccusedIn is what the doctor says of an honest place.
func unaccusedIn(w *apptest.World, t *testing.T) checkup.Report {
	t.Helper()
	r, err := checkup.Check(t.Context(), checkup.Of(w.Workbench, "test"))
	if err != nil || len(r.Findings) > 0 {
		t.Fatalf("%v, %+v", err, r.Findings)
	}
	return r
}

// TestEndpointsAndLogsHaveTheirKeys: what systems elsewhere answered stands under keys of its own too.
func TestEndpointsAndLogsHaveTheirKeys(t *testing.T) {
	t.Parallel()
	w := apptest.NewPriced(t)
	x := w.Endpoint(t, apptest.NewProduction(t), nil, "corpus: rules\nsuite: standard\n")
	live, err := w.Run(t.Context(), w.JobOf(t, x))
	if err != nil {
		t.Fatal(err)
	}
	path := w.Write(t, "log.jsonl", apptest.Lines(asking, func(i int) any {
		return map[string]any{"question": apptest.AskedQuestions[i], "answer": apptest.RightAnswers[i],
			"contexts": []string{apptest.Rules[i]}}
	}))
	got, err := w.ImportAnswers(t.Context(), path, app.AnswersOptions{Name: "bot", Dataset: "asked", Corpus: "rules"})
	if err != nil {
		t.Fatal(err)
	}
	x, _, err = w.Experiment(t.Context(), got.Experiment)
	if err != nil {
		t.Fatal(err)
	}
	logged, err := w.Run(t.Context(), w.JobOf(t, x))
	if err != nil {
		t.Fatal(err)
	}
	if r := unaccusedIn(w, t); len(r.Notes) > 0 {
		t.Errorf("notes: %+v", r.Notes)
	}
	for run, other := range map[string]string{live.ID: logged.ID, logged.ID: live.ID} {
		swapped := func() {
			w.Tamper(t, fmt.Sprintf(`UPDATE answers SET (retrieval_key, generation_key) = (SELECT b.retrieval_key, b.generation_key FROM answers b
				WHERE b.run_id = '%s' AND b.question_id = 'q1') WHERE run_id = '%s' AND question_id = 'q0'`, other, run))
		}
		before := savedKeys(w, t, run)
		swapped()
		rechained(w, t, run)
		if r := foundIn(w, t); !tells(r.Findings, "run "+run, "1 of its answers") {
			t.Errorf("an answer of another system: %+v", r)
		}
		w.Tamper(t, fmt.Sprintf("UPDATE answers SET retrieval_key = '%s', generation_key = '%s' WHERE run_id = '%s' AND question_id = 'q0'",
			before[0], before[1], run))
		rechained(w, t, run)
	}
	if _, err := w.Replicates(t.Context(), live.ID, 1, "q0", "q1"); err != nil {
		t.Fatal(err)
	}
	unaccusedIn(w, t)
}

func savedKeys(w *apptest.World, t *testing.T, run string) (keys [2]string) {
	t.Helper()
	row := w.Whole.Pool.QueryRowContext(t.Context(), "SELECT retrieval_key, generation_key FROM answers WHERE question_id = 'q0' AND run_id = ?",
		run)
	if err := row.Scan(&keys[0], &keys[1]); err != nil {
		t.Fatal(err)
	}
	return keys
}

func foundIn(w *apptest.World, t *testing.T) checkup.Report {
	t.Helper()
	r, err := checkup.Check(t.Context(), checkup.Of(w.Workbench, "test"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tells(all []doctor.Finding, subject, part string) bool {
	return slices.ContainsFunc(all, func(f doctor.Finding) bool {
		return f.Invariant == "made" && f.Subject == subject && strings.Contains(f.Message, part)
	})
}

// rechained closes a run over its rows as they are now, with totals and copies, and seals everything anew.
func rechained(w *apptest.World, t *testing.T, run string) {
	t.Helper()
	w.Tamper(t, "DELETE FROM results WHERE run_id = '"+run+"'", "DELETE FROM grounds WHERE run_id = '"+run+"'")
	results, err := w.Whole.Results(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	is, err := w.Whole.Run(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	totals, err := json.Marshal(experiments.Total(results, is.Setup.LowRule()))
	if err != nil {
		t.Fatal(err)
	}
	w.Forge(t, fmt.Sprintf("UPDATE runs SET chain = '%s', totals = '%s', pooled = '' WHERE id = '%s'", experiments.Chain(results),
		strings.ReplaceAll(string(totals), "'", "''"), run))
}

// TestForgedResultsAreFound forges one thing of a run in as many ways as a seed gives, closes the run over it and seals everything anew.
func TestForgedResultsAreFound(t *testing.T) {
	t.Parallel()
	type forgery struct {
		says string
		sql  func(run, a, b string, random *rand.Rand) string
	}
	forgeries := map[string]forgery{
		"a grade is raised": {"1 of its scores do not follow", func(run, a, _ string, random *rand.Rand) string {
			return fmt.Sprintf("UPDATE cells SET value = CASE WHEN value >= 4 THEN value - %[3]d ELSE value + %[3]d END "+
				"WHERE metric = 'correctness' AND run_id = '%[1]s' AND question_id = '%[2]s'", run, a, 1+random.IntN(2))
		}},
		"a share is raised": {"1 of its scores do not follow", func(run, a, _ string, _ *rand.Rand) string {
			return fmt.Sprintf("UPDATE cells SET value = CASE WHEN value > 0.9 THEN 0.5 ELSE 1 END "+
				"WHERE metric = 'context_recall' AND run_id = '%s' AND question_id = '%s'", run, a)
		}},
		"a score is called not applicable": {"1 of its scores", func(run, a, _ string, _ *rand.Rand) string {
			return fmt.Sprintf("UPDATE cells SET value = NULL, state = 'not_applicable', reason = 'no_reference', stages = 'null' "+
				"WHERE metric = 'context_recall' AND run_id = '%s' AND question_id = '%s'", run, a)
		}},
		"a grade without a reply": {"1 of its scores", func(run, a, _ string, _ *rand.Rand) string {
			return fmt.Sprintf("UPDATE cells SET value = 5, stages = 'null' WHERE metric = 'correctness' AND run_id = '%s' AND question_id = '%s'",
				run, a)
		}},
		"words of the judge": {"1 of its scores do not follow", func(run, a, _ string, _ *rand.Rand) string {
			return fmt.Sprintf("UPDATE cells SET reason = 'perfect' WHERE metric = 'correctness' AND run_id = '%s' AND question_id = '%s'", run, a)
		}},
		"a score of another question": {"1 of its scores were computed from something else", func(run, a, b string, _ *rand.Rand) string {
			return fmt.Sprintf(`UPDATE cells SET (value, reason, stages) = (SELECT c.value, c.reason, c.stages FROM cells c
				WHERE c.run_id = cells.run_id AND c.metric = cells.metric AND c.question_id = '%s')
				WHERE metric = 'trust' AND run_id = '%s' AND question_id = '%s'`, b, run, a)
		}},
		"an answer of another question": {"1 of its answers were made with something else", func(run, a, b string, _ *rand.Rand) string {
			return fmt.Sprintf(`UPDATE answers SET (retrieval_key, generation_key) = (SELECT c.retrieval_key, c.generation_key FROM answers c
				WHERE c.run_id = answers.run_id AND c.question_id = '%s') WHERE run_id = '%s' AND question_id = '%s'`, b, run, a)
		}},
	}
	for name, f := range forgeries {
		for i, yaml := range []string{stateStudy, "name: offline\nsuite: compact\n"} {
			t.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "_"), i), func(t *testing.T) {
				t.Parallel()
				w := apptest.NewPriced(t)
				run := works(w, t, yaml, asking).ID
				random := rand.New(rand.NewPCG(uint64(len(name)), uint64(i))) //nolint:gosec // a choice, no secret
				two := random.Perm(asking)
				rechained(w, t, run)
				unaccusedIn(w, t)
				w.Tamper(t, f.sql(run, fmt.Sprintf("q%d", two[0]), fmt.Sprintf("q%d", two[1]), random))
				rechained(w, t, run)
				if r := foundIn(w, t); !tells(r.Findings, "run "+run, f.says) {
					t.Errorf("%+v", r)
				}
			})
		}
	}
}

// TestErrorsThatAreHiddenOrMadeUp: an error that is called not applicable is a finding, and so is a verdict without a call; an error where
// the run's own replies give a score is noted, as two workers at one question can leave that too.
func TestErrorsThatAreHiddenOrMadeUp(t *testing.T) {
	t.Parallel()
	w := apptest.NewPriced(t)
	run := inTrouble(w, t).ID
	if r := unaccusedIn(w, t); len(r.Notes) > 0 {
		t.Fatalf("%+v", r.Notes)
	}
	base := savedOf(t, w)
	const made = "UPDATE cells SET state = 'error', reason = 'timeout', value = NULL, stages = 'null' WHERE "
	for statement, says := range map[string]string{
		"UPDATE cells SET state = 'not_applicable', reason = 'no_claims' WHERE state = 'error'": "do not follow",
		"UPDATE stages SET calls = 'null' WHERE kind = 'rubric'":                                "no call stands behind",
		made + "question_id = 'q0'":     "ended in an error",
		made + "metric = 'correctness'": "ended in an error",
	} {
		w.Tamper(t, "ATTACH '"+base+"' AS honest", "DELETE FROM cells", "INSERT INTO cells SELECT * FROM honest.cells",
			"DELETE FROM stages", "INSERT INTO stages SELECT * FROM honest.stages", statement)
		rechained(w, t, run)
		r := foundIn(w, t)
		if !tells(append(r.Findings, r.Notes...), "run "+run, says) {
			t.Errorf("%s: %+v", statement, r)
		}
		if says == "ended in an error" && len(r.Findings) > 0 {
			t.Errorf("%s is no more than noted: %+v", statement, r.Findings)
		}
	}
}
