package jobs

import (
	"context"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/queue"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// Vitals are the numbers by which somebody watches this installation from outside.
func Vitals(ctx context.Context, w *app.Workbench) (records.Vitals, error) {
	return w.Whole.Vitals(ctx)
}

// Ready says why this installation cannot be served, or nil.
func Ready(ctx context.Context, w *app.Workbench) error { return w.Whole.Ready(ctx) }

// Drain puts down what this process works, so that nothing that was paid for is broken off, and returns when all is at rest or ctx
// ends. On SQLite the runs are asked to pause, and the questions in flight come to their end. On PostgreSQL the runs go on: other
// workers have them, or this server when it is back. What is still under way in the end is broken off by [Background.Close].
func (b *Background) Drain(ctx context.Context) error {
	rest := make(chan struct{})
	go func() {
		b.wait.Wait()
		close(rest)
	}()
	if b.W.Engine == store.PostgreSQL {
		b.end(&queue.LeftError{Hurry: ctx.Done()})
		<-rest // at the latest when ctx ends
		return nil
	}
	ids, err := b.W.Whole.OwnedRuns(ctx, b.W.Owner)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := b.W.Store.RequestState(ctx, id, experiments.Paused, b.W.Options.Now()); err != nil && ctx.Err() == nil {
			b.log("pause run "+id, "error", err) // it may have come to its end just now
		}
	}
	select {
	case <-rest:
	case <-ctx.Done():
	}
	return nil
}
