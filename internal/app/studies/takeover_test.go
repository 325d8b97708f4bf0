package studies

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

const sweptOverK = "name: swept\nsuite: [correctness]\n" +
	"base: {retrieve: {mode: bm25, k: 1}}\nsweep: {retrieve.k: [1, 3]}\n"

// sentStudy are the cells that stand for the same work as the experiment, in their order.
var sentStudy = []NotebookCellSent{
	{Type: "corpus", Body: "source: rules@1\n"}, {Type: "dataset", Body: "source: asked@1\n"},
	{Type: "config", Body: "corpus: corpus\nretrieve: {mode: bm25, k: 1}\n"},
	{Type: "sweep", Body: "base: config\naxes: {retrieve.k: [1, 3]}\n"},
	{Type: "run", Body: "configs: [sweep]\ndataset: dataset\nmetrics: [correctness]\n"},
}

// sendAll adds cells to a new notebook, and returns how they stand.
func (s *Notebooks) sendAll(t *testing.T, name string, cells ...NotebookCellSent) map[string]NotebookCell {
	t.Helper()
	if _, err := s.Create(t.Context(), NewNotebook{Name: name}); err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		if _, err := s.AddCell(t.Context(), name, c); err != nil {
			t.Fatal(err)
		}
	}
	return s.state(t, name)
}

// TestWhatIsSentOfAFinishedSweepArrivesWithItsResult and nothing is computed again, also where something was agreed since.
func TestWhatIsSentOfAFinishedSweepArrivesWithItsResult(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	s := books(w, t)
	if run := s.sendAll(t, "before", sentStudy...)["run"]; run.State != notebooks.Stale || len(run.Runs) != 0 {
		t.Errorf("nothing was run, and the cell is %s with %d runs", run.State, len(run.Runs))
	}
	e, jobs := w.Swept(t, sweptOverK)
	sweep, runs, err := w.Sweep(t.Context(), e, jobs)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Whole.PutAgreement(t.Context(), experiments.Agreement{Dataset: "asked", LowScore: experiments.DefaultLowScore,
		AgreedBy: []string{"CS"}, AgreedOn: "2026-11-20", At: w.Options.Now()}); err != nil {
		t.Fatal(err)
	}
	before, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	run := s.sendAll(t, "after", sentStudy...)["run"]
	if run.State != notebooks.Fresh || len(run.Runs) != len(runs) {
		t.Fatalf("the cell is %s (%s) with %d of %d runs", run.State, strings.Join(run.Why, "; "), len(run.Runs), len(runs))
	}
	for i, r := range run.Runs {
		if r.ID != runs[i].ID {
			t.Errorf("run %d of the cell is %s, that of the sweep %s", i, r.ID, runs[i].ID)
		}
	}
	after, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil || len(after) != len(before) {
		t.Errorf("%d runs before the cell was sent, %d after it (%v)", len(before), len(after), err)
	}
	if sweep.Kind != experiments.KindSweep {
		t.Errorf("%s is a run of kind %s", sweep.ID, sweep.Kind)
	}
}

// TestAQueryOfASweepReadsItsRunsAndTheirQuestions: it needs no cell for the runs, and none for their dataset.
func TestAQueryOfASweepReadsItsRunsAndTheirQuestions(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	s := books(w, t)
	e, jobs := w.Swept(t, sweptOverK)
	sweep, runs, err := w.Sweep(t.Context(), e, jobs)
	if err != nil {
		t.Fatal(err)
	}
	const sql = "sql: |\n  SELECT q.theme, r.k, avg(s.value) AS mean, count(*) AS n FROM scores s JOIN runs r USING (run)\n" +
		"  JOIN questions q USING (dataset, question) WHERE s.metric = 'correctness' GROUP BY 1, 2 ORDER BY 1, 2\n"
	cells := s.sendAll(t, "themes", NotebookCellSent{Type: "query", Name: "whole", Body: "of: run:" + sweep.ID + "\n" + sql},
		NotebookCellSent{Type: "query", Name: "each", Body: "of: [run:" + runs[0].ID + ", run:" + runs[1].ID + "]\n" + sql},
		NotebookCellSent{Type: "query", Name: "one", Body: "of: run:" + runs[0].ID + "\nsql: SELECT count(*) FROM questions\n"},
		NotebookCellSent{Type: "chart", Name: "map", Body: "of: whole\nmark: heat\nx: k\ny: theme\ncolour: mean\n"})
	for name, c := range cells {
		if c.State != notebooks.Fresh {
			t.Errorf("%s is %s: %+v", name, c.State, c.Error)
		}
	}
	whole, _ := cells["whole"].Value.(document.Rows)
	if each, _ := cells["each"].Value.(document.Rows); len(whole.Rows) != 4 || cmp.Diff(each.Rows, whole.Rows) != "" {
		t.Errorf("the sweep gives %v, its runs %v", whole.Rows, each.Rows)
	}
	if one, _ := cells["one"].Value.(document.Rows); len(one.Rows) != 1 || one.Rows[0][0] != int64(len(apptest.AskedQuestions)) {
		t.Errorf("the questions of one run are %v, of %d", one.Rows, len(apptest.AskedQuestions))
	}
	named := experiments.Taxonomy{ID: experiments.ThemeTaxonomy, EN: "Theme", JA: "テーマ", Labels: []experiments.TaxonomyLabel{
		{ID: "money", EN: "Money", JA: "お金", Include: "fees"}, {ID: "people", EN: "People", JA: "人", Include: "children"}}}
	if _, err := w.Whole.PutTaxonomy(t.Context(), "asked", named, w.Options.Now()); err != nil {
		t.Fatal(err)
	}
	called, _ := s.state(t, "themes")["map"].Value.(document.Chart)
	if first := called.Plan.Y.Ticks[0].Text; first.EN != "Money" || first.JA != "お金" {
		t.Errorf("the first theme is called %+v", first)
	}
	read, err := s.Reading(t.Context(), "themes", "ja", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(read.Blocks, func(b notebooks.ReadingBlock) bool {
		return b.Table != nil && slices.ContainsFunc(b.Table.Rows, func(row []string) bool { return slices.Contains(row, "お金") })
	}) {
		t.Error("readers see the themes of a table by another name than those of its chart")
	}
	if chart, _ := cells["map"].Value.(document.Chart); chart.Plan == nil || len(chart.Plan.Marks) != 4 {
		t.Errorf("the heat map is %+v", cells["map"].Value)
	}
}

// TestAQueryWithoutARunSaysSo and one that reads no run, or has one in sight, does not.
func TestAQueryWithoutARunSaysSo(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, "name: one\nsuite: [correctness]\nbase: {retrieve: {mode: bm25, k: 1}}\n")
	const none = "sql: SELECT run FROM scores WHERE metric = 'x'\n"
	for name, want := range map[string]bool{none: true, "of: run:" + run.ID + "\n" + none: false,
		"sql: SELECT question FROM questions\n": false} {
		s := books(w, t)
		_ = s.Delete("asks")
		cells := s.sendAll(t, "asks", NotebookCellSent{Type: "query", Body: name},
			NotebookCellSent{Type: "chart", Body: "of: query\nmark: bar\nx: run\ny: {aggregate: count}\n"})
		rows, ok := cells["query"].Value.(document.Rows)
		if said := rows.NoRun.EN != "" && rows.NoRun.JA != ""; !ok || rows.Count != 0 || said != want {
			t.Errorf("%s: %+v, expected it to say that there is no run: %v", name, rows, want)
		}
		drawn := cells["chart"]
		if waits := drawn.State == notebooks.Blocked && drawn.Error == nil; waits != want {
			t.Errorf("%s: its chart is %s, %v", name, drawn.State, drawn.Error)
		}
		read, err := s.Reading(t.Context(), "asks", "ja", nil)
		if err != nil {
			t.Fatal(err)
		}
		if text := read.Blocks[len(read.Blocks)-2].Text; strings.Contains(text, "まだ実行がありません") != want {
			t.Errorf("%s: readers see %q", name, text)
		}
	}
}
