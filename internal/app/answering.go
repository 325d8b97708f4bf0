package app

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Answering is what the answers of a run cost without its judge; nil where nothing was bought and nobody knows.
func Answering(ctx context.Context, w *Workbench, e experiments.Evaluation) (*findings.Spending, error) {
	again, err := Retries(ctx, w, e.Run)
	if err != nil {
		return nil, err
	}
	lines, err := BillLines(ctx, w, "stage", append([]string{e.Run.ID}, again...))
	if err != nil {
		return nil, err
	}
	out := findings.Spending{Known: true}
	calls := 0
	for _, l := range lines {
		if l.Value == "judge" || l.Value == "embed" {
			continue
		}
		calls += l.Calls + l.SavedCalls
		out.Micros += l.ConfirmedMicros + l.SavedMicros
		out.Known = out.Known && l.UnknownPrice == 0
	}
	for _, r := range e.Results {
		if r.Replicate == e.Run.Setup.Replicate && r.Answer != nil {
			out.Answers++
		}
	}
	if calls == 0 {
		return nil, nil //nolint:nilnil // nothing was bought
	}
	return &out, nil
}
