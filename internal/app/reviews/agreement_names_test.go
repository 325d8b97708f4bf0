package reviews

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// TestTargetsMayCallAMetricAsReportsDo: the names of tables and reports become ids, those of the dataset's own runs first; what is an
// id, or known to nobody, stays.
func TestTargetsMayCallAMetricAsReportsDo(t *testing.T) {
	t.Parallel()
	own := []metrics.Spec{{ID: "table.正確性"}, {ID: "ragas.answer_correctness"}}
	for name, want := range map[string]string{
		"正確性": "table.正確性", "ファイルの正確性": "table.正確性", "Ragas: answer correctness": "ragas.answer_correctness",
		"総合一致度": "ragas.answer_correctness", "信頼性": "trust", "correctness": "correctness", "answer_correctness": "answer_correctness",
		experiments.LowScoreShare: experiments.LowScoreShare, "nobody": "nobody",
	} {
		list := []experiments.Target{{Goal: experiments.Goal{Metric: name}}}
		got := AgreementChange{Targets: list, File: experiments.AgreementFile{Targets: &list}}.called(own)
		if got.Targets[0].Metric != want || (*got.File.Targets)[0].Metric != want || list[0].Metric != name {
			t.Errorf("%q: %q and %q, want %q", name, got.Targets[0].Metric, (*got.File.Targets)[0].Metric, want)
		}
	}
}
