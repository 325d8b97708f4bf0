package studies

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

const questioned = "---\nragnb: 1\ntitle: Rules\n---\n```rag corpus docs\nsource: rules\n```\n```rag dataset qa\nsource: asked\nlimit: 5\n```\n" +
	"```rag config base\ncorpus: docs\nretrieve: {mode: bm25, k: 2}\n```\n```rag run r\nconfigs: base\ndataset: qa\n```\n" +
	"```rag query scored\nsql: SELECT question, value FROM scores WHERE metric = 'correctness' ORDER BY question\n```\n" +
	"```rag query wide\nsql: SELECT question, correctness, low FROM results ORDER BY question\n```\n" +
	"```rag query said\nsql: SELECT question, text FROM answers ORDER BY question\n```\n" +
	"```rag query shown\nsql: SELECT question, count(*), min(document) FROM contexts GROUP BY 1 ORDER BY 1\n```\n" +
	"```rag query limited\nsql: SELECT count(*), max(position) FROM questions\n```\n" +
	"```rag query asked\nsql: |\n  SELECT q.text, q.theme, r.k, r.retrieve_mode, s.number FROM questions q, runs r JOIN settings s USING (run)\n" +
	"  WHERE s.name = 'retrieve.k' ORDER BY q.position LIMIT 1\n```\n"

// TestAQueryReadsWhatWasStored holds the rows of queries against the results of the run.
func TestAQueryReadsWhatWasStored(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	n := notebook(w, t, questioned)
	v, err := n.Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil {
		t.Fatal(err)
	}
	rows := func(cell string) [][]any {
		got, ok := v.Cell(cell).Value.(document.Rows)
		if !ok {
			t.Fatalf("%s is %+v", cell, v.Cell(cell))
		}
		return got.Rows
	}
	runs := v.Cell("r").Value.(document.RunSet).Runs
	e, err := w.Evaluation(t.Context(), runs[0].ID)
	if err != nil || len(e.Results) != 5 {
		t.Fatal(len(e.Results), err)
	}
	stored := map[string]experiments.Result{}
	for _, r := range e.Results {
		stored[r.QuestionID] = r
	}
	scored, wide, said, shown := rows("scored"), rows("wide"), rows("said"), rows("shown")
	if len(scored) != 5 || len(wide) != 5 || len(said) != 5 || len(shown) != 5 {
		t.Fatalf("%d, %d, %d and %d rows of 5 answers", len(scored), len(wide), len(said), len(shown))
	}
	for i, row := range scored {
		id := row[0].(string)
		r := stored[id]
		value, _ := r.Value("correctness")
		low := int64(0)
		if r.Low(e.Run.Setup.LowRule()) {
			low = 1
		}
		if row[1] != value || wide[i][1] != value || wide[i][2] != low || said[i][1] != r.Answer.Text ||
			shown[i][1] != int64(len(r.Answer.Hits)) {
			t.Errorf("%s: %v, %v, %v, %v; stored is %+v", id, row, wide[i], said[i], shown[i], r)
		}
	}
	if limited := rows("limited")[0]; limited[0] != int64(5) || limited[1] != int64(5) {
		t.Errorf("%v: of a dataset cell that is limited to 5 questions, 5 are to be seen, with their places", limited)
	}
	want := []any{apptest.AskedQuestions[0], "money", int64(2), "bm25", 2.0}
	if asked := rows("asked")[0]; !slices.Equal(asked, want) {
		t.Errorf("the first question is %v, expected %v", asked, want)
	}
}

// TestNotebookTablesAreTheSameOnBothEngines runs one notebook over SQLite and over PostgreSQL and compares the digests of all its tables.
func TestNotebookTablesAreTheSameOnBothEngines(t *testing.T) {
	t.Parallel()
	other := apptest.Postgres(t)
	digests := func(database string) map[string]string {
		w := apptest.NewWorld(t, database)
		n := notebook(w, t, freeNotebook)
		v, err := n.Run(t.Context(), notebooks.Options{Approve: yes})
		if err != nil {
			t.Fatal(err)
		}
		low, run := 2, v.Cell("r0").Value.(document.RunSet).First.ID
		_, err = w.Whole.PutReviews(t.Context(), []experiments.Review{{RunID: run, QuestionID: "q1", Reviewer: "Aoi", Shown: "x",
			Verdict: experiments.IncorrectAnswer, Correctness: &low, Comment: "手数料が違う", At: w.Options.Now()}})
		if err != nil {
			t.Fatal(err)
		}
		note := "before the change"
		if _, _, err := w.Whole.ChangeNotes(t.Context(), run, experiments.NoteChange{Note: &note, Add: []string{"kept"}}, "Aoi",
			w.Options.Now()); err != nil {
			t.Fatal(err)
		}
		configs := map[string]string{} // ids of runs are made of chance
		for _, cell := range []string{"r0", "r1"} {
			for _, r := range v.Cell(cell).Value.(document.RunSet).Runs {
				configs[r.ID] = r.Label
			}
		}
		out := map[string]string{}
		for _, table := range n.Tables() {
			got, err := n.Ask(t.Context(), v, notebooks.Question{SQL: `SELECT * FROM "` + table.Name + `"`, Rows: document.MostRows,
				Time: time.Hour})
			if err != nil {
				t.Fatal(table.Name, err)
			}
			rows := map[string]int{}
			for _, row := range got.Rows {
				for i, c := range got.Columns {
					switch c.Name {
					case "run":
						row[i] = configs[row[i].(string)]
					case "created", "at", "latency_ms", "latency", "ms": // what a clock says
						row[i] = nil
					}
				}
				rows[fmt.Sprint(row)]++
			}
			out[table.Name] = fmt.Sprint(len(got.Rows), " rows ", shortHash(fmt.Sprint(rows, got.Columns)))
		}
		return out
	}
	want := digests("")
	for name, digest := range want {
		if filled := map[string]bool{"calls": true, "low": true, "why": true}; strings.HasPrefix(digest, "0 ") && !filled[name] {
			t.Errorf("%s is empty: nothing is compared", name)
		}
	}
	if diff := cmp.Diff(want, digests(other)); diff != "" {
		t.Errorf("-SQLite +PostgreSQL:\n%s", diff)
	}
}

// BenchmarkQuery asks about one run of 10,000 questions with 12 metrics: the first query fills the box, the second finds it filled.
func BenchmarkQuery(b *testing.B) {
	w, err := app.Open(b.Context(), app.Options{DataDir: b.TempDir(), Now: time.Now, Getenv: func(string) string { return "" }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = w.Close() })
	d := &experiments.Dataset{Name: "large", Digest: "x"}
	suite := metrics.Catalogue()[:12]
	var results []experiments.Result
	var ids []string
	for i := range 10_000 {
		id := fmt.Sprintf("q%05d", i)
		d.Questions = append(d.Questions, experiments.Question{ID: id, Text: id, Tags: []string{fmt.Sprint("theme:t", i%17)}})
		r := experiments.Result{QuestionID: id, Failure: &experiments.Failure{Cause: "none", Message: "none"}}
		for m, s := range suite {
			r.Scores = append(r.Scores, metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Scored,
				Value: float64((i*m)%5) + 0.5, Reason: "The answer says what the second passage says."})
		}
		results, ids = append(results, r), append(ids, id)
	}
	ref, _, err := w.Store.PutDataset(b.Context(), d, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	run, err := w.Store.CreateRun(b.Context(), experiments.Run{Kind: experiments.KindEvaluate, CreatedAt: time.Now(),
		Setup: experiments.Setup{Suite: suite, Revision: 1, Dataset: ref, LowScore: 2}}, ids)
	if err != nil {
		b.Fatal(err)
	}
	_, claimed := w.Store.ClaimRun(b.Context(), run.ID, "me", time.Now(), time.Now().Add(-time.Hour))
	for _, err := range []error{claimed, w.Store.SaveResults(b.Context(), run.ID, results, nil, time.Now()),
		w.Store.FinishRun(b.Context(), run.ID, "me", experiments.Total(results, experiments.UsualLow(2)), "chain", time.Now())} {
		if err != nil {
			b.Fatal(err)
		}
	}
	engine, dir, opened := EngineOf(w, b.TempDir(), "test"), b.TempDir(), 0
	open := func() func(sql string) { // a notebook with a cell of its own name: no box that is there serves it
		opened++
		text := fmt.Sprintf("---\nragnb: 1\ntitle: L\n---\n```rag dataset qa\nsource: large\n```\n"+
			"```rag query x%d\nsql: SELECT 1 AS a\n```\n", opened)
		n := notebooks.Draft(filepath.Join(dir, "l.rag.md"), "l", []byte(text), notebooks.Lock{}, engine, time.Now)
		v, err := n.Evaluate(b.Context(), false)
		if err != nil {
			b.Fatal(err)
		}
		return func(sql string) {
			if _, err := n.Ask(b.Context(), v, notebooks.Question{SQL: sql, Of: []string{"run:" + run.ID}, Time: time.Minute}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, q := range []struct{ name, sql string }{
		{"mean", "SELECT metric, avg(value) FROM scores GROUP BY 1"},
		{"theme", "SELECT q.theme, s.metric, avg(s.value) FROM scores s JOIN questions q " +
			"USING (question) GROUP BY 1, 2"},
	} {
		b.Run(q.name, func(b *testing.B) {
			first, next := time.Duration(0), time.Duration(0)
			for b.Loop() {
				ask := open()
				began := time.Now()
				ask(q.sql)
				first += time.Since(began)
				began = time.Now()
				ask(q.sql + " LIMIT 5")
				next += time.Since(began)
			}
			b.ReportMetric(first.Seconds()/float64(b.N), "first-s")
			b.ReportMetric(next.Seconds()/float64(b.N), "next-s")
		})
	}
}
