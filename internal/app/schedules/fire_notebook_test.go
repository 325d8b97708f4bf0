package schedules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/apptest/weekly"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

// twoWays is a notebook that compares two systems in both directions: what got worse in one comparison got better in the other.
const twoWays = "---\nragnb: 1\n---\n```rag dataset asked\nsource: asked\n```\n\n```rag corpus rules\nsource: rules\n```\n\n" +
	"```rag config good\ncorpus: rules\nretrieve: {mode: bm25, k: 2}\ngenerate: {provider: offline, model: extractive}\n```\n\n" +
	"```rag config bad\nextends: good\ngenerate: {provider: offline, model: closed-book}\nretrieve: {mode: dense, k: 1}\n" +
	"embedding: {provider: offline, model: hash}\n```\n\n" +
	"```rag run r\nconfigs: [good, bad]\ndataset: asked\n```\n\n```rag compare down\nbaseline: r.good\ncandidate: r.bad\n```\n\n" +
	"```rag compare up\nbaseline: r.bad\ncandidate: r.good\n```\n\n"

// TestAFireTellsOfOneComparison: whatever gates and reports a notebook of two comparisons has, run, baseline, counts, decision, limits and
// workbook are those of one of them, which the fire names: the one about which a gate decided worst, else the last.
func TestAFireTellsOfOneComparison(t *testing.T) {
	t.Parallel()
	gate := func(name, of string) string {
		return "```rag gate " + name + "\nof: " + of + "\nallowance: 0.01\nmargin: 0.5\n```\n\n"
	}
	for name, c := range map[string]struct{ cells, told string }{
		"no gate":           {"", "up"},
		"a gate above":      {gate("g", "down"), "down"},
		"both, worse first": {gate("g", "down") + gate("h", "up"), "down"},
		"both, worse last":  {gate("h", "up") + gate("g", "down"), "down"},
		"another report":    {gate("g", "down") + "```rag report book\nof: r.good\nbaseline: r.bad\n```\n", "down"},
		"its report":        {gate("g", "down") + "```rag report book\nof: r.bad\nbaseline: r.good\n```\n", "down"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.NewWorld(t, "")
			w.Write(t, "data/notebooks/both.rag.md", twoWays+c.cells)
			f := weekly.New(t, w.Workbench, schedules.ScheduleOrder{Notebook: "both"}).Fire(t)
			if f.State != experiments.FireRan || !strings.Contains(f.Reason, "this tells of "+c.told+", one of the 2 comparisons") {
				t.Fatalf("%+v", f)
			}
			pair, both, err := w.Compare(t.Context(), f.Baseline, f.RunID)
			if err != nil {
				t.Fatal(err)
			}
			counts := pair.VerdictCounts
			if !slices.Equal(f.Worse, pair.WorseIDs()) || f.Better != counts.Better || f.Mixed != counts.Mixed ||
				f.LowBefore != pair.LowBefore ||
				f.Low != pair.LowAfter || counts.Worse == counts.Better {
				t.Errorf("%+v, of %+v", f, counts)
			}
			if down := both[1].Run.Setup.Config.Retrieve.K == 1; down != (c.told == "down") || down != (counts.Worse > 0) {
				t.Errorf("it tells of run %s, and names %s: %+v", f.RunID, c.told, counts)
			}
			if gated := strings.Contains(c.cells, "gate"); gated != (f.Limits != nil) || gated != (f.Gate != "") {
				t.Errorf("gate %q by %+v", f.Gate, f.Limits)
			}
			if text := bookText(t, schedules.FireWorkbook(w.Workbench, f)); !strings.Contains(text, f.RunID) ||
				!strings.Contains(text, f.Baseline) {
				t.Errorf("the workbook is about other runs than %s and %s", f.Baseline, f.RunID)
			}
		})
	}
}

// bookText is all that the cells of a workbook say.
func bookText(t *testing.T, path string) string {
	t.Helper()
	sheets, err := intake.ReadSheets(path, func([]string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, sheet := range sheets {
		for _, row := range sheet.Rows {
			out.WriteString(strings.Join(row, "\n") + "\n")
		}
	}
	return out.String()
}
