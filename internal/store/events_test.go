package store

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

func TestEvents(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run, other := queued(t, s, "a").ID, queued(t, s, "b").ID
		diff(t, []experiments.Event{}, must[[]experiments.Event](t)(s.Events(ctx, run, 0, 0)))
		var want []experiments.Event
		for i, body := range []string{`{"questions": 3}`, `{"message":"値"}`, `{}`} {
			e := experiments.Event{RunID: run, Kind: experiments.EventProgress, At: at(i).
				Add(123456 * time.Microsecond), Body: json.RawMessage(body)}
			got := must[experiments.Event](t)(s.AppendEvent(ctx, e))
			e.Seq = int64(i + 1)
			diff(t, e, got)
			want = append(want, e)
		}
		if e := must[experiments.Event](t)(s.AppendEvent(ctx,
			experiments.Event{RunID: other, Kind: experiments.EventStarted, At: at(0)})); e.Seq != 1 || string(e.Body) != "{}" {
			t.Errorf("another run's first event is %+v", e)
		}
		diff(t, want, must[[]experiments.Event](t)(s.Events(ctx, run, 0, 0)))
		diff(t, want[1:2], must[[]experiments.Event](t)(s.Events(ctx, run, 1, 1)))
		diff(t, []experiments.Event{}, must[[]experiments.Event](t)(s.Events(ctx, run, 3, 5)))

		_, err := s.Events(ctx, "nobody", 0, 0)
		wantProblem(t, err, problem.NotFound, "run_unknown")
		_, err = s.AppendEvent(ctx, experiments.Event{RunID: "nobody"})
		wantProblem(t, err, problem.NotFound, "run_unknown")
		for _, body := range []string{"[]", "{", "null"} {
			_, err = s.AppendEvent(ctx, experiments.Event{RunID: run, Body: json.RawMessage(body)})
			wantProblem(t, err, problem.Internal, "event_body")
		}
		// A NUL is stored as its sign, as in every text.
		e := must[experiments.Event](t)(s.AppendEvent(ctx,
			experiments.Event{RunID: run, At: at(9), Body: json.RawMessage(`{"m":"a\u0000b"}`)}))
		if e.Seq != 4 || string(e.Body) != `{"m":"a␀b"}` {
			t.Errorf("stored is %d %s", e.Seq, e.Body)
		}
		ok(t, s.DeleteRun(ctx, run))
	})
}

// TestEventsAreGapless lets two stores append to the same runs at the same time.
func TestEventsAreGapless(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		stores := []*Store{d.open(t), d.open(t)}
		runs := []string{queued(t, stores[0], "a").ID, queued(t, stores[0], "b").ID}
		var mu sync.Mutex
		given := map[string]map[int64]string{runs[0]: {}, runs[1]: {}}
		var wg sync.WaitGroup
		for i := range 80 {
			wg.Go(func() {
				body := fmt.Sprintf(`{"i":%d}`, i)
				e, err := stores[i%2].AppendEvent(t.Context(),
					experiments.Event{RunID: runs[i/2%2], Kind: experiments.EventProgress, At: at(i), Body: json.RawMessage(body)})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				given[e.RunID][e.Seq] = string(e.Body)
			})
		}
		wg.Wait()
		for _, run := range runs {
			events := must[[]experiments.Event](t)(stores[0].Events(t.Context(), run, 0, 0))
			if len(events) != 40 {
				t.Errorf("run %s has %d events; want 40", run, len(events))
			}
			for i, e := range events {
				if e.Seq != int64(i+1) || given[run][e.Seq] != string(e.Body) {
					t.Errorf("event %d of run %s is number %d, %s; its writer was told %s", i, run, e.Seq, e.Body, given[run][e.Seq])
				}
			}
		}
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(stocked(t, stores[0]).Check(t.Context())))
	})
}
