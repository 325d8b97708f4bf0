package studies

import (
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
)

const questioned = "---\nragnb: 1\ntitle: Rules\n---\n```rag corpus docs\nsource: rules\n```\n```rag dataset qa\nsource: asked\nlimit: 5\n```\n" +
	"```rag config base\ncorpus: docs\nretrieve: {mode: bm25, k: 2}\n```\n```rag run r\nconfigs: base\ndataset: qa\n```\n" +
	"```rag query scored\nsql: SELECT question, value FROM scores WHERE metric = 'correctness' ORDER BY question\n```\n" +
	"```rag query wide\nsql: SELECT question, correctness, low FROM results ORDER BY question\n```\n" +
	"```rag query said\nsql: SELECT question, text FROM answers ORDER BY question\n```\n" +
	"```rag query shown\nsql: SELECT question, count(*), min(document) FROM contexts GROUP BY 1 ORDER BY 1\n```\n" +
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
		got, ok := v.Cell(cell).Value.(notebooks.Rows)
		if !ok {
			t.Fatalf("%s is %+v", cell, v.Cell(cell))
		}
		return got.Rows
	}
	runs := v.Cell("r").Value.(notebooks.RunSet).Runs
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
		if r.Low(e.Run.Setup.LowScore) {
			low = 1
		}
		if row[1] != value || wide[i][1] != value || wide[i][2] != low || said[i][1] != r.Answer.Text ||
			shown[i][1] != int64(len(r.Answer.Hits)) {
			t.Errorf("%s: %v, %v, %v, %v; stored is %+v", id, row, wide[i], said[i], shown[i], r)
		}
	}
	want := []any{apptest.AskedQuestions[0], "money", int64(2), "bm25", 2.0}
	if asked := rows("asked")[0]; !slices.Equal(asked, want) {
		t.Errorf("the first question is %v, expected %v", asked, want)
	}
}
