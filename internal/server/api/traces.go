package api

import (
	"context"
	"errors"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/traces"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

func (s *tracesAPI) tracesStatus(ctx context.Context, _ *requests.Nothing) (traces.Status, error) {
	return traces.StatusOf(ctx, s.workbench)
}

type takeTracesInput struct {
	Body struct {
		Name    string `json:"name" minLength:"1" maxLength:"200" doc:"of the log and of its experiment"`
		Last    int    `json:"last,omitempty" minimum:"1" maximum:"5000" default:"200" doc:"so many questions at most, drawn by their wording"`
		Days    int    `json:"days,omitempty" minimum:"1" maximum:"366" default:"7" doc:"that arrived in the last so many days"`
		Seed    string `json:"seed,omitempty" maxLength:"200" doc:"another one draws other questions"`
		Dataset string `json:"dataset,omitempty" maxLength:"200" doc:"of the questions; default one with the same, else a new one"`
		Corpus  string `json:"corpus,omitempty" maxLength:"200" doc:"in which the contexts are looked for"`
		Suite   string `json:"suite,omitempty" maxLength:"200" doc:"default standard"`
		Model   string `json:"model,omitempty" maxLength:"200" doc:"that judges, as provider/model; default the offline judge"`
	}
}

func (s *tracesAPI) takeTraces(ctx context.Context, in *takeTracesInput) (app.ImportedResults, error) {
	b := in.Body
	got, err := traces.Take(ctx, s.workbench, traces.Window{Last: b.Last, Days: b.Days, Seed: b.Seed, Now: s.now()},
		app.ResultsOptions{Name: b.Name, Dataset: b.Dataset, Corpus: b.Corpus, Suite: b.Suite, Model: b.Model})
	if err != nil {
		return got, err
	}
	requests.Noted(ctx, "as "+b.Name)
	got.RunID, err = views.StartResults(ctx, s.work, got.Experiment)
	return got, err
}

// settle reads traces that are complete and forgets old ones.
func (s *tracesAPI) settle(ctx context.Context) {
	_, err := traces.Settle(ctx, s.workbench)
	if err = errors.Join(err, traces.Prune(ctx, s.workbench)); err != nil && ctx.Err() == nil {
		s.log("traces were not read", "error", err)
	}
}
