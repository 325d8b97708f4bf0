package notebooks

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// TestWhatARunIsRefusedForStandsWhereItIsSaid: a run cell is told at its own field, and of a configuration at the cell that says it, also
// where another one extends that.
func TestWhatARunIsRefusedForStandsWhereItIsSaid(t *testing.T) {
	t.Parallel()
	n := opened(t, newBench(), "---\nragnb: 1\n---\n```rag dataset qa\nsource: a\n```\n```rag corpus d\nsource: b\n```\n"+
		"```rag config base\ncorpus: d\nchunk: {size: 5}\nretrieve:\n  mode: dense\n  k: 3\n```\n```rag config change\nextends: base\n"+
		"chunk: {size: 7}\n```\n```rag run r\nconfigs: [base, change]\ndataset: qa\nmetrics:\n  - trust\n  - hit\n```\n"+
		"```rag compare c\nbaseline: run:deadbeef\ncandidate: run:b\n```\n")
	wrong := func(field, name, config string) *problem.Problem {
		return problem.New(problem.Invalid, "experiment_field", "%s is %v; it must be %s", field, 0, "more").With("field", field).
			With("name", name).With("config", config)
	}
	for _, c := range []struct {
		p    *problem.Problem
		cell string
		want string
	}{
		{wrong("base.retrieve.k", "", "base"), "r", "study.rag.md:15: cell base: retrieve.k is 0"},
		{wrong("base.retrieve.k", "", "change"), "r", "study.rag.md:15: cell base: retrieve.k is 0"},
		{wrong("base.chunk.size", "", "change"), "r", "study.rag.md:19: cell change: chunk.size is 0"},
		{wrong("suite", "hit", "base"), "r", "study.rag.md:26: cell r: metrics (entry 2) is 0"},
		{wrong("dataset", "a", "base"), "r", "study.rag.md:5: cell qa: source is 0"},
		{problem.New(problem.NotFound, "run_unknown", "there is no run %q", "deadbeef").With("name", "deadbeef"), "c",
			`study.rag.md:29: cell c: baseline: there is no run "deadbeef"`},
	} {
		got := n.refreshing().located(n.Document.Cell(c.cell), c.p)
		if !strings.Contains(got.Message, c.want) {
			t.Errorf("%s, want %s", got.Message, c.want)
		}
	}
}
