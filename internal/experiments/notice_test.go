package experiments

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReasonsOf(t *testing.T) {
	t.Parallel()
	ran := func(gate, drift string, newly ...string) Fire {
		return Fire{State: FireRan, Gate: gate, Drift: drift, Worse: newly, NewlyWorse: newly}
	}
	is := func(s FireState) Fire { return Fire{State: s, Gate: "", Reason: "because"} }
	spentOut := Fire{State: FireSkipped, Reason: MonthSpent + ": 30 of 30 calls"}
	byHand := Schedule{Name: "weekly", Paused: true, PausedWhy: "paused by hand"}
	active, paused := Schedule{Name: "weekly"}, Schedule{Name: "weekly", Paused: true,
		PausedWhy: "it failed 3 times in a row; the last time: because"}
	for name, test := range map[string]struct {
		schedule Schedule
		fire     Fire
		before   []Fire // newest first
		want     []NoticeReason
	}{
		"nothing changed":            {active, ran("PASS", ""), []Fire{ran("PASS", "")}, nil},
		"the first fire, all well":   {active, ran("PASS", ""), nil, nil},
		"inconclusive is no failure": {active, ran("INCONCLUSIVE", ""), []Fire{ran("PASS", "")}, nil},
		"without a baseline":         {active, ran("", ""), nil, nil},
		"newly worse":                {active, ran("PASS", "", "q1"), []Fire{ran("PASS", "")}, []NoticeReason{ReasonWorse}},
		"newly worse and the gate": {active, ran("FAIL", "", "q1"), []Fire{ran("PASS", "")},
			[]NoticeReason{ReasonWorse, ReasonGate}},
		"worse as before": {active, Fire{State: FireRan, Gate: "FAIL", Worse: []string{"q1"}},
			[]Fire{ran("FAIL", "", "q1")}, nil},
		"another one is worse, gate as before": {active, ran("FAIL", "", "q2"), []Fire{ran("FAIL", "", "q1")}, []NoticeReason{ReasonWorse}},
		"the gate fails at the first fire":     {active, ran("FAIL", ""), nil, []NoticeReason{ReasonGate}},
		"the gate fails again after a pass": {active, ran("FAIL", ""), []Fire{ran("PASS", ""), ran("FAIL", "")},
			[]NoticeReason{ReasonGate}},
		"the gate fails still, after a gap": {active, ran("FAIL", ""), []Fire{is(FireMissed), is(FireFailed), ran("FAIL", "")}, nil},
		"the gate is well again":            {active, ran("PASS", ""), []Fire{ran("FAIL", "", "q1")}, nil},
		"the judge changed":                 {active, ran("PASS", "judge −0.12"), []Fire{ran("PASS", "")}, []NoticeReason{ReasonDrift}},
		"the judge is changed still":        {active, ran("PASS", "judge −0.15"), []Fire{ran("PASS", "judge −0.12")}, nil},
		"the first failure":                 {active, is(FireFailed), []Fire{ran("PASS", "")}, []NoticeReason{ReasonFailed}},
		"the first fire fails":              {active, is(FireFailed), nil, []NoticeReason{ReasonFailed}},
		"failed again":                      {active, is(FireFailed), []Fire{is(FireFailed), ran("PASS", "")}, nil},
		"failed again after a skipped one":  {active, is(FireFailed), []Fire{is(FireSkipped), is(FireFailed)}, nil},
		"failed again and stopped": {paused, is(FireFailed), []Fire{is(FireFailed), is(FireFailed)},
			[]NoticeReason{ReasonPaused}},
		"failed at once and stopped": {paused, is(FireFailed), []Fire{ran("PASS", "")},
			[]NoticeReason{ReasonFailed, ReasonPaused}},
		"well, and paused by hand": {paused, ran("PASS", ""), []Fire{ran("PASS", "")}, nil},
		"missed":                   {active, is(FireMissed), []Fire{ran("PASS", "")}, []NoticeReason{ReasonMissed}},
		"missed and stopped": {paused, is(FireMissed), []Fire{ran("PASS", "")},
			[]NoticeReason{ReasonMissed, ReasonPaused}},
		"skipped":                          {active, is(FireSkipped), []Fire{ran("PASS", "")}, nil},
		"the month is spent":               {active, spentOut, []Fire{ran("PASS", "")}, []NoticeReason{ReasonBudget}},
		"the month is spent still":         {active, spentOut, []Fire{is(FireMissed), is(FireSkipped), spentOut, ran("PASS", "")}, nil},
		"the month after is spent too":     {active, spentOut, []Fire{ran("PASS", ""), spentOut}, []NoticeReason{ReasonBudget}},
		"failed again, and paused by hand": {byHand, is(FireFailed), []Fire{is(FireFailed)}, nil},
		"missed, and paused by hand":       {byHand, is(FireMissed), []Fire{ran("PASS", "")}, []NoticeReason{ReasonMissed}},
		"not over":                         {active, is(FireRunning), nil, nil},
		"not begun":                        {paused, is(FireDue), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(test.want, ReasonsOf(test.schedule, test.fire, test.before)); d != "" {
				t.Errorf("reasons (-want +got):\n%s", d)
			}
		})
	}
}

func TestOutageOf(t *testing.T) {
	t.Parallel()
	at := func(hour int) time.Time { return time.Date(2026, 11, 2, hour, 0, 0, 0, time.UTC) }
	var fires []Fire // newest first
	for hour, state := range []FireState{FireMissed, FireRan, FireMissed, FireMissed, FireMissed, FireRan, FireMissed, FireSkipped} {
		f := Fire{ID: strconv.Itoa(hour), NominalAt: at(hour), State: state, Slots: 1}
		if hour == 3 {
			f.Slots = 40
		}
		fires = append([]Fire{f}, fires...)
	}
	for asked, want := range map[string]struct {
		first  string
		missed int
		last   time.Time
	}{
		"0": {"0", 1, at(0)}, "2": {"2", 42, at(4)}, "3": {"2", 42, at(4)}, "4": {"2", 42, at(4)}, "6": {"6", 1, at(6)},
		"1": {"1", 1, at(1)},
	} {
		i := slices.IndexFunc(fires, func(f Fire) bool { return f.ID == asked })
		first, missed, last := OutageOf(fires[i], fires)
		if first.ID != want.first || missed != want.missed || !last.Equal(want.last) {
			t.Errorf("outage of %s: first %s, %d missed, last %s; want %+v", asked, first.ID, missed, last, want)
		}
	}
	if first, missed, _ := OutageOf(Fire{ID: "unknown", State: FireMissed}, fires); first.ID != "unknown" || missed != 1 {
		t.Errorf("outage of a fire that is not stored: %s, %d", first.ID, missed)
	}
}

func TestNoticeIDs(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, about := range []string{"fire-1", "fire-2", ""} {
		for _, channel := range []string{"ops", "mail", "1"} {
			for _, kind := range []NoticeKind{NoticeAlert, NoticePing} {
				id := NoticeID(about, channel, kind)
				if len(id) != 24 || seen[id] || id != NoticeID(about, channel, kind) {
					t.Errorf("id of %q, %q, %q is %q: not 24 digits, not its own, or not the same twice", about, channel, kind, id)
				}
				seen[id] = true
			}
		}
	}
}
