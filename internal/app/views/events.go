package views

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Watch follows the stored events of a run. One goroutine uses it at a time.
type Watch struct {
	RunID string
	store experiments.Store
	after int64
	overs int // how often in a row the run was found to be over
}

// Watch begins behind event number after; 0 is the beginning.
func (v *runViews) Watch(ctx context.Context, name string, after int64) (*Watch, error) {
	run, err := v.w.FindRun(ctx, name)
	if err != nil {
		return nil, err
	}
	return &Watch{RunID: run.ID, store: v.w.Store, after: after}, nil
}

// Next returns the events that came since, at most limit of them. ended says that there will be no more: a paused run is not over,
// because somebody may resume it.
func (w *Watch) Next(ctx context.Context, limit int) (events []experiments.Event, ended bool, err error) {
	run, err := w.store.Run(ctx, w.RunID) // before the events: those of the end are there when it is over
	if err != nil {
		return nil, false, err
	}
	if events, err = w.store.Events(ctx, w.RunID, w.after, limit); err != nil {
		return nil, false, err
	}
	if len(events) > 0 {
		w.after = events[len(events)-1].Seq
	}
	if w.overs++; !app.Over(run.State) || len(events) == limit {
		w.overs = 0
	}
	return events, w.overs > 1, nil // once more: the last event follows the last state
}
