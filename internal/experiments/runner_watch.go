package experiments

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// beat is the time between two heartbeats of a run, and so how long a wish to pause or cancel it can stay unheard.
const beat = time.Second

// drainBeats is how many heartbeats the questions in flight get to come to their end after somebody asked the run to stop.
// No new call is sent meanwhile when it was cancelled: the ledger refuses it.
const drainBeats = 90

// Watch keeps a run alive and listens for the wish that it stop.
type Watch struct {
	runner   *Runner
	id       string
	stop     chan struct{}
	asked    RunState // set before stop closes
	cause    string
	lost     error // set before stop closes or the context ends
	over     chan struct{}
	returned chan struct{}
	halt     func()
}

// Watch starts to watch a run of this owner: a heartbeat each second. The context it returns ends when another owner has the
// run, and when the run is not at rest long after it was asked to stop. The closing of also, which may be nil, is a wish to
// pause too. End the watch when done.
func (r *Runner) Watch(ctx context.Context, id string, also <-chan struct{}) (context.Context, *Watch) {
	ctx, cancel := context.WithCancel(ctx)
	ticks, stopTicks := r.every(beat)
	w := &Watch{runner: r, id: id, stop: make(chan struct{}), over: make(chan struct{}), returned: make(chan struct{})}
	w.halt = func() { stopTicks(); cancel() }
	go w.serve(ctx, ticks, also, cancel)
	return ctx, w
}

func (w *Watch) serve(ctx context.Context, ticks <-chan time.Time, also <-chan struct{}, cancel func()) {
	defer close(w.returned)
	for stopping := 0; ; {
		select {
		case <-w.over:
			return
		case <-ctx.Done():
			return
		case <-also:
			also = nil
			w.wish(Paused, causeInterrupted)
			continue
		case <-ticks:
		}
		if w.asked != "" || w.lost != nil {
			if stopping++; stopping >= drainBeats {
				cancel()
				return
			}
		}
		if w.lost == nil && !w.look(ctx) {
			cancel()
			return
		}
	}
}

// look sends one heartbeat; false when another owner has the run. A store that cannot be reached for a moment does not end a
// run; saving its results would.
func (w *Watch) look(ctx context.Context) bool {
	r := w.runner
	state, err := r.Store.Heartbeat(ctx, w.id, r.Owner, r.Now())
	switch {
	case problem.Is(err, problem.NotFound):
		w.lost = err
		return false
	case problem.Is(err, problem.Conflict):
		run, readErr := r.Store.Run(ctx, w.id)
		already := w.asked != ""
		w.lost = err
		if readErr != nil || run.State == Running || run.State == Queued {
			return false
		}
		if !already {
			close(w.stop) // it was put down: what is in flight may come to its end
		}
	case err != nil:
		if ctx.Err() == nil {
			r.log("heartbeat of run "+w.id, "error", err)
		}
	case state != Running:
		w.wish(state, causeUser)
	}
	return true
}

func (w *Watch) wish(to RunState, cause string) {
	if w.asked == "" && w.lost == nil {
		w.asked, w.cause = to, cause
		close(w.stop)
	}
}

// Stop is closed when no further question of the run may be begun.
func (w *Watch) Stop() <-chan struct{} { return w.stop }

// End ends the watch. It returns the wish that the run stop, as an error for [Runner.Stop], or why the run does not belong to
// this owner any more, or nil.
func (w *Watch) End() error {
	close(w.over)
	<-w.returned
	w.halt()
	switch {
	case w.lost != nil:
		return w.lost
	case w.asked != "":
		return &stopped{to: w.asked, cause: w.cause}
	}
	return nil
}

// every returns ticks, and what ends them.
func (r *Runner) every(d time.Duration) (ticks <-chan time.Time, stop func()) {
	if r.Every != nil {
		return r.Every(d)
	}
	t := time.NewTicker(d)
	return t.C, t.Stop
}

// event adds to the history of a run. The history explains a run and decides nothing, so what goes wrong is only logged.
func (r *Runner) event(ctx context.Context, id string, kind EventKind, body any) {
	raw, err := json.Marshal(body)
	if err == nil {
		_, err = r.Store.AppendEvent(context.WithoutCancel(ctx), Event{RunID: id, Kind: kind, At: r.Now(), Body: raw})
	}
	if err != nil {
		r.log("event "+string(kind)+" of run "+id+" is not stored", "error", err)
	}
}
