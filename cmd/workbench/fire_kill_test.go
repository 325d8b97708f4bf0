package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// TestAServerKilledDuringAFire with SIGKILL at several moments of the same fire: after each the doctor finds nothing, the fire is told as
// one that runs or is due, and the next server goes on with it and ends it, without buying anew what was bought.
func TestAServerKilledDuringAFire(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("processes that are killed at a number of calls need their pace")
	}
	s := newServing(t, fakeprovider.Options{Latency: 25 * time.Millisecond})
	paid := func() int { return len(s.provider.Ledger()) }
	s.until("the end of the first run", func() bool { return paid() >= 180 })
	s.kill()
	s.must("runs", "resume", s.run)
	s.must("baseline", "set", s.run)
	// The server's clock is today's: a slot that has just passed would be caught up, and stand in the way of the fire that is asked for.
	yearly := fmt.Sprintf("0 6 2 %d *", (time.Now().UTC().Month()+5)%12+1)
	s.must("schedule", "add", "weekly", "--cron", yearly, "--experiment", "many")
	s.launch("")
	first := paid()
	if status, body := sent(t, s.url+"/api/v1/schedules/weekly/run-now", `{}`); status >= http.StatusMultipleChoices {
		t.Fatalf("run-now: %d %s", status, body)
	}
	for _, calls := range []int{1, 20, 45} { // while answers are asked for; verdicts of equal answers are known
		s.until("calls of the fire", func() bool { return paid() >= first+calls || s.fire().State == experiments.FireRan })
		s.kill()
		s.must("doctor")
		if f := s.fire(); f.State != experiments.FireRunning && f.State != experiments.FireDue {
			t.Fatalf("killed at %d calls, the fire is %+v", calls, f)
		}
		s.launch("")
	}
	s.until("the end of the fire", func() bool { return !s.fire().FinishedAt.IsZero() })
	f := s.fire()
	// 60 answers, 20 anchors with their rubrics, and for each kill what was in flight and is asked again
	if bought := paid() - first; f.State != experiments.FireRan || bought < 60 || bought > 60+20*together+3*inFlight*together {
		t.Errorf("%d calls were bought by %+v", bought, f)
	}
	s.kill()
	s.must("doctor")
}

// kill ends the server as a power failure does.
func (s *serving) kill() {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	_ = s.cmd.Wait() // it was killed
}

// fire is the fire that somebody asked for.
func (s *serving) fire() experiments.Fire {
	s.t.Helper()
	var list struct{ Items []experiments.Fire }
	o := s.must("schedule", "fires", "weekly", "--json")
	if err := json.Unmarshal([]byte(o.stdout), &list); err != nil {
		if err := json.Unmarshal([]byte(o.stdout), &list.Items); err != nil {
			s.t.Fatalf("%v: %s", err, o.stdout)
		}
	}
	i := slices.IndexFunc(list.Items, func(f experiments.Fire) bool { return f.RunNow })
	if i < 0 {
		s.t.Fatalf("no fire that was asked for: %s", o.stdout)
	}
	return list.Items[i]
}
