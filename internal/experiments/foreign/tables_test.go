package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

// TestReadForeignTables reads the evaluation tables of MLflow and the exports of Langfuse.
func TestReadForeignTables(t *testing.T) {
	t.Parallel()
	genai := []string{
		"mlflow.correctness=1|mlflow.relevance_to_query=1", "mlflow.correctness=0|mlflow.relevance_to_query=1",
		"mlflow.correctness=1|mlflow.relevance_to_query=1", "mlflow.correctness=import_error|mlflow.relevance_to_query=0",
	}
	table := []string{
		"mlflow.toxicity=0.01|mlflow.answer_correctness=5|mlflow.faithfulness=5",
		"mlflow.toxicity=0.02|mlflow.answer_correctness=1|mlflow.faithfulness=2",
		"mlflow.toxicity=0|mlflow.answer_correctness=5|mlflow.faithfulness=4",
		"mlflow.toxicity=0.9|mlflow.answer_correctness=import_nan|mlflow.faithfulness=1",
	}
	fuse := []string{
		"langfuse.hallucination=0|langfuse.correctness=0.9", "langfuse.hallucination=1|langfuse.correctness=0.1",
		"langfuse.hallucination=0|langfuse.correctness=1", "langfuse.correctness=import_absent|langfuse.hallucination=0.5",
	}
	for _, c := range []struct {
		file, tool, lower string // lower: the metrics of which less is better
		rows              []string
	}{
		{"mlflow.records.json", ToolMLflow, "", genai},
		{"mlflow.csv", ToolMLflow, "", genai},
		{"mlflow.eval_results_table.json", ToolMLflow, "mlflow.toxicity", table},
		{"langfuse.items.json", ToolLangfuse, "langfuse.hallucination", fuse},
		{"langfuse.runner.json", ToolLangfuse, "langfuse.hallucination", fuse},
		{"langfuse.traces.json", ToolLangfuse, "langfuse.hallucination", fuse},
		{"langfuse.traces.csv", ToolLangfuse, "langfuse.hallucination", fuse},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			f, err := ReadForeign(filepath.Join("testdata", "foreign", c.file), ForeignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if f.Tool != c.tool || len(f.Items) != len(c.rows) {
				t.Fatalf("%d items of %s", len(f.Items), f.Tool)
			}
			for i, item := range f.Items {
				if got := sortedParts(strings.SplitN(shown(item), "|", 6)[5]); got != sortedParts(c.rows[i]) {
					t.Errorf("row %d: %s, want %s", i+1, got, c.rows[i])
				}
			}
			for _, m := range f.Metrics {
				if m.Lower != (m.ID == c.lower) {
					t.Errorf("%s: less is better: %t", m.ID, m.Lower)
				}
			}
			if !strings.Contains(c.file, "traces") { // they hold no right answers
				wantWorld(t, f)
			} else if f.Items[1].Question != "What does a lost key card cost?" {
				t.Errorf("asked %q", f.Items[1].Question)
			}
		})
	}
}

// TestWhoseATableIs: a table of questions and answers is that of Ragas only where a column is called as Ragas calls one; else its scores
// are called as in the file.
func TestWhoseATableIs(t *testing.T) {
	t.Parallel()
	for head, tool := range map[string]string{
		"question,answer,score":                               ToolTable,
		"id,question,answer,ground_truth,contexts,正確性":        ToolTable,
		"question,answer,response,rubric,quality":             ToolTable,
		"question,answer,faithfulness_of_ours":                ToolTable,
		"question,answer,Faithfulness":                        ToolRagas,
		"question,answer,factual_correctness(mode=f1)":        ToolRagas,
		"question,answer,retrieved_contexts,score":            ToolRagas,
		"question,answer,ground_truths,score":                 ToolRagas,
		"user_input,response,score":                           ToolRagas,
		"question,answer,context_relevancy":                   ToolRagas,
		"question,answer,score,semantic similarity,own score": ToolRagas,
	} {
		names := strings.Split(head, ",")
		line, object := make([]string, len(names)), map[string]any{}
		for i, name := range names {
			line[i], object[name] = "0.5", 0.5
			switch name {
			case "contexts", "retrieved_contexts":
				object[name] = []string{"0.5"}
			case "id", "question", "answer", "user_input", "response", "ground_truth", "ground_truths", "rubric":
				object[name] = "0.5"
			}
		}
		records, err := json.Marshal([]any{object})
		if err != nil {
			t.Fatal(err)
		}
		columns := map[string]any{}
		for name, v := range object {
			columns[name] = map[string]any{"0": v}
		}
		byColumn, err := json.Marshal(columns)
		if err != nil {
			t.Fatal(err)
		}
		for file, body := range map[string]string{
			"a.csv": head + "\n" + strings.Join(line, ",") + "\n", "a.json": string(records), "columns.json": string(byColumn),
			"a.jsonl": strings.Trim(string(records), "[]"),
		} {
			f := readText(t, file, body)
			last := names[len(names)-1]
			if f.Tool != tool || !slices.ContainsFunc(f.Metrics, func(m ForeignMetric) bool {
				return m.Source == last && m.ID == tool+"."+metricKey(last)
			}) {
				t.Errorf("%s of %s: %s, %+v", head, file, f.Tool, f.Metrics)
			}
		}
	}
}

// TestAPlainTableComparesByItsOwnNames: two files of it have the names of their columns; the answers are still known.
func TestAPlainTableComparesByItsOwnNames(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("question,answer,expected,Our Score,latency\nWhy?,So.,,0.5,2\nWhen?,,,,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := ReadScores(path, ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if table.Tool != "" || table.Lower != nil || table.Metrics[0] != "Our Score" || table.Items[0].Answer == "" ||
		table.Items[0].Scores[0][0] != 0.5 || len(table.Items[1].Scores[0]) != 0 ||
		strings.Contains(strings.Join(table.Notes, " "), "ragas") {
		t.Errorf("%+v", table)
	}
	if table, err = ReadScores(path, ForeignOptions{From: ToolRagas}); err != nil || table.Metrics[0] != "ragas.our_score" {
		t.Errorf("called Ragas by the person: %v %+v", err, table)
	}
}

// TestATableThatMLflowWroteItself: a metric of one's own has no version in the name of its column.
func TestATableThatMLflowWroteItself(t *testing.T) {
	t.Parallel()
	f, err := ReadForeign(filepath.Join("testdata", "foreign", "mlflow.own_metric.json"), ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Tool != ToolMLflow || len(f.Items) != 2 {
		t.Fatalf("%d items of %s", len(f.Items), f.Tool)
	}
	for i, want := range []string{"mlflow.exact=1", "mlflow.exact=0"} {
		if got := strings.SplitN(shown(f.Items[i]), "|", 6)[5]; got != want {
			t.Errorf("row %d: %s, want %s", i+1, got, want)
		}
	}
}

// TestScoresOfTools reads what tools wrote as tables of scores: the same questions have the same names whatever the form.
func TestScoresOfTools(t *testing.T) {
	t.Parallel()
	read := func(name string) *ScoreTable {
		t.Helper()
		table, err := ReadScores(filepath.Join("testdata", "foreign", name),
			ForeignOptions{Variant: map[string]string{"promptfoo.two.json": "bot-a"}[name]})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	ids := func(table *ScoreTable) (out []string) {
		for _, item := range table.Items {
			out = append(out, item.ID)
		}
		return out
	}
	want := []string{"How long may a parcel wait at the counter?", "What does a lost key card cost?", "図書室は何時に閉まりますか。",
		"May visitors park in the yard?"}
	for _, name := range []string{"ragas.csv", "ragas.columns.json", "deepeval.testrun.json", "promptfoo.json", "promptfoo.two.json",
		"mlflow.csv", "langfuse.traces.csv"} {
		if d := cmp.Diff(want, ids(read(name))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	items := []string{"item-0", "item-1", "item-2", "item-3"}
	for _, name := range []string{"langfuse.items.json", "langfuse.scores.json", "langfuse.scores.csv"} {
		table := read(name)
		if d := cmp.Diff(items, ids(table)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := cmp.Diff(map[string]bool{"langfuse.hallucination": true, "langfuse.correctness": false}, table.Lower); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	deepeval := read("deepeval.testrun.json")
	if column, ok := deepeval.Column("Hallucination"); !ok || !deepeval.Lower[column] {
		t.Errorf("%s of %v", column, deepeval.Metrics)
	}
	_, err := ReadForeign(filepath.Join("testdata", "foreign", "langfuse.scores.csv"), ForeignOptions{})
	if p := problem.From(err); p.Code != "results_unasked" || p.Hint == "" {
		t.Errorf("scores without questions: %v", err)
	}
}

// TestDirectionFromThresholds believes what a file shows before it believes a name: DeepEval turned three metrics round with version 4.
func TestDirectionFromThresholds(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "foreign", "deepeval.testrun.json"))
	if err != nil {
		t.Fatal(err)
	}
	turned := strings.ReplaceAll(string(raw), `"name": "Hallucination", "threshold": 0.5, "success": true, "score": 0.0`,
		`"name": "Hallucination", "threshold": 0.5, "success": true, "score": 1.0`)
	turned = strings.ReplaceAll(turned, `"name": "Hallucination", "threshold": 0.5, "success": false, "score": 1.0`,
		`"name": "Hallucination", "threshold": 0.5, "success": false, "score": 0.0`)
	for lower, body := range map[bool]string{true: string(raw), false: turned} {
		f, err := readForeign([]byte(body), "run.json", ForeignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if m := f.Metrics[2]; m.ID != "deepeval.hallucination" || m.Lower != lower {
			t.Errorf("%+v, want less is better: %t", m, lower)
		}
	}
}

// TestDirections knows the columns of the tools, and says so where it does not know.
func TestDirections(t *testing.T) {
	t.Parallel()
	want := map[Direction][]string{
		LessIsBetter: {
			"hallucination", "deepeval.bias", "Toxicity", "mlflow.toxicity", "noise_sensitivity", "ragas.noise_sensitivity_mode_relevant",
			"ragchecker.self_knowledge",
			"ragchecker.noise_sensitivity_in_irrelevant", "mlflow.flesch_kincaid_grade_level", "mlflow.latency", "langfuse.hallucination",
			"HallucinationRate", "error_rate", "幻覚率", "levenshtein_distance",
		},
		MoreIsBetter: {
			"faithfulness", "ragas.answer_relevancy", "ragas.factual_correctness_mode_f1", "ragas.context_entity_recall",
			"ragas.semantic_similarity", "deepeval.g_eval_correctness",
			"deepeval.contextual_precision", "promptfoo.pass", "promptfoo.toxicity", "ragchecker.claim_recall", "mlflow.relevance_to_query",
			"mlflow.safety", "mlflow.exact_match",
			"langfuse.helpfulness", "score", "points", "AnswerRelevancy", "正確性", "回答の正解率",
		},
		DirectionUnknown: {"Levenshtein", "tone", "length", "non_toxicity", "hallucination_free", "deepeval.misuse", "x", "語調"},
	}
	for direction, names := range want {
		for _, name := range names {
			if got := DirectionOf(name); got != direction {
				t.Errorf("%s: %d, want %d", name, got, direction)
			}
		}
	}
	both := maps.Clone(lessWords)
	for word := range moreWords {
		if both[word] {
			t.Errorf("%s goes both ways", word)
		}
	}
}

// TestOnlyWhatFailedIsSaidToHaveFailed: an empty answer is none, and a failure only where the file says so.
func TestOnlyWhatFailedIsSaidToHaveFailed(t *testing.T) {
	t.Parallel()
	const row = `{"inputs":{"question":%q},"outputs":%s,"expectations":{},"error_message":%s,"correctness/value":"yes"}`
	rows := []string{
		fmt.Sprintf(row, "a", `"It is so."`, "null"), fmt.Sprintf(row, "b", `""`, "null"), fmt.Sprintf(row, "c", "null", `"nan"`),
		fmt.Sprintf(row, "d", "null", `"429 too many requests"`),
	}
	path := filepath.Join(t.TempDir(), "m.json")
	if err := os.WriteFile(path, []byte("["+strings.Join(rows, ",")+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := ReadForeign(path, ForeignOptions{From: ToolMLflow})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1 row without an answer: mlflow says it failed; no score there counts",
		"2 rows without an answer: no score there counts"}
	if d := cmp.Diff(want, f.Notes); d != "" {
		t.Error(d)
	}
}
