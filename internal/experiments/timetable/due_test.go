package timetable

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestOutages is the table of outages × ways to catch up × ways out of an overlap for a schedule that fires every hour, or every five
// minutes in the last rows. Expected are slots in the order of time: missed, (summarised) slots, due, skipped.
func TestOutages(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	hourly := []struct {
		down              time.Duration
		latest, skip, all [2]int // missed and due
	}{
		{time.Minute, [2]int{0, 1}, [2]int{0, 1}, [2]int{0, 1}},
		{30 * time.Minute, [2]int{0, 1}, [2]int{1, 0}, [2]int{0, 1}},
		{time.Hour, [2]int{1, 1}, [2]int{1, 1}, [2]int{0, 2}}, // the second slot comes just as it is up again
		{5*time.Hour + time.Minute, [2]int{5, 1}, [2]int{5, 1}, [2]int{0, 6}},
		{9*time.Hour + 30*time.Minute, [2]int{9, 1}, [2]int{10, 0}, [2]int{0, 10}},
		{24*time.Hour + 30*time.Minute, [2]int{24, 1}, [2]int{25, 0}, [2]int{15, 10}},
		{7 * 24 * time.Hour, [2]int{168, 1}, [2]int{168, 1}, [2]int{159, 10}},
		{40 * 24 * time.Hour, [2]int{960, 1}, [2]int{960, 1}, [2]int{951, 10}},
	}
	running := NewFire("s", start.Add(-time.Hour), experiments.FireRunning)
	waiting := NewFire("s", start.Add(-time.Minute), experiments.FireDue)
	for _, row := range hourly {
		for policy, want := range map[experiments.CatchUp][2]int{experiments.CatchUpLatest: row.latest, experiments.CatchUpSkip: row.skip,
			experiments.CatchUpAll: row.all} {
			for _, overlap := range []experiments.Overlap{experiments.OverlapSkip, experiments.OverlapQueue, experiments.OverlapCancel,
				experiments.OverlapAllow} {
				for n, open := range [][]experiments.Fire{nil, {running}, {running, waiting}} {
					// The first slot comes at the hour at which it goes down.
					missed, due := want[0], want[1]
					skipped, cancelled := 0, 0
					if n > 0 {
						switch overlap {
						case experiments.OverlapSkip:
							due, skipped = 0, due
						case experiments.OverlapQueue:
							most := 1
							if n == 2 {
								most = 0
							}
							skipped = max(0, due-most)
							due -= skipped
						case experiments.OverlapCancel:
							if due > 0 {
								cancelled = n
							}
						case experiments.OverlapAllow:
						}
					}
					name := fmt.Sprintf("%s %s %s %d open", row.down, policy, overlap, n)
					s := experiments.Schedule{Name: "s", Cron: "0 * * * *", CatchUp: policy, Overlap: overlap, Window: 24 * time.Hour,
						NextAt: start}
					got := claimed(t, s, start.Add(row.down), start.Add(-10*time.Second), open)
					if want := fmt.Sprintf("%d missed, %d due, %d skipped, %d cancelled", missed, due, skipped, cancelled); got != want {
						t.Errorf("%s: %s, want %s", name, got, want)
					}
				}
			}
		}
	}
}

// claimed claims what has come and counts what it is, after checking what holds in every case.
func claimed(t *testing.T, s experiments.Schedule, now, seen time.Time, open []experiments.Fire) string {
	t.Helper()
	table, err := ParseTimetable(s.Cron, "UTC", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	c := ClaimSlot(s, table, now, seen, open)
	counts := map[experiments.FireState]int{}
	last, slots := time.Time{}, 0
	for _, f := range c.Slots {
		counts[f.State]++
		slots += f.Slots
		if !f.NominalAt.After(last) {
			t.Errorf("slots are not in order: %s after %s", f.NominalAt, last)
		}
		last = f.NominalAt
		if f.State != experiments.FireDue && (f.Reason == "" || f.FinishedAt.IsZero()) {
			t.Errorf("%s has no reason or end: %+v", f.State, f)
		}
		if f.State == experiments.FireMissed && !strings.Contains(f.Reason,
			"down from 2026-03-01 23:59 UTC to "+now.Format("2006-01-02 15:04 UTC")) {
			t.Errorf("missed for %q", f.Reason)
		}
		if f.State == experiments.FireSkipped && f.Blocker != open[0].ID {
			t.Errorf("skipped because of %q", f.Blocker)
		}
	}
	want := 0
	for at := s.NextAt; !at.After(now); at = table.Next(at) {
		want++
	}
	if slots != want {
		t.Errorf("%d slots have a row, and %d have come", slots, want)
	}
	if !c.Next.After(now) || c.Next != table.Next(now) {
		t.Errorf("the next slot after %s is %s", now, c.Next)
	}
	return fmt.Sprintf("%d missed, %d due, %d skipped, %d cancelled", counts[experiments.FireMissed], counts[experiments.FireDue],
		counts[experiments.FireSkipped], len(c.Cancel))
}

// TestLongOutagesShareARow: 40 days of a schedule that fires every five minutes.
func TestLongOutagesShareARow(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	s := experiments.Schedule{Name: "s", Cron: "*/5 * * * *", CatchUp: experiments.CatchUpAll, Overlap: experiments.OverlapSkip,
		Window: 24 * time.Hour, NextAt: start}
	now := start.Add(40*24*time.Hour + 3*time.Minute)
	if got, want := claimed(t, s, now, start.Add(-10*time.Second), nil), "1001 missed, 10 due, 0 skipped, 0 cancelled"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	table, err := ParseTimetable(s.Cron, "UTC", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	first := ClaimSlot(s, table, now, start, nil).Slots[0]
	if first.Slots != 40*288+1-1010 || !strings.HasPrefix(first.Reason,
		"10511 slots from 2026-03-02 00:00 UTC to 2026-04-07 11:50 UTC: down from") {
		t.Errorf("the row of the older slots: %d, %q", first.Slots, first.Reason)
	}
}

func TestFireIDFollowsFromScheduleAndTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 5, 0, 0, 0, time.UTC)
	zone, err := ParseZone("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	id := FireID("weekly", at)
	if id != FireID("weekly", at.In(zone)) || id == FireID("weekly2", at) || id == FireID("weekly", at.Add(time.Second)) || len(id) != 12 {
		t.Errorf("ids: %s", id)
	}
}

// A missed slot that is as old as the window says that a newer one is caught up; an older one does not.
func TestTheWindowIncludesItsEnd(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	table, err := ParseTimetable("0 * * * *", "UTC", start)
	if err != nil {
		t.Fatal(err)
	}
	s := experiments.Schedule{Name: "s", Cron: "0 * * * *", CatchUp: experiments.CatchUpLatest, Overlap: experiments.OverlapSkip,
		Window: 2 * time.Hour, NextAt: start}
	var told []bool
	for _, f := range ClaimSlot(s, table, start.Add(3*time.Hour), start, nil).Slots {
		told = append(told, strings.HasSuffix(f.Reason, "a newer slot is caught up"))
	}
	if want := []bool{false, true, true, false}; !slices.Equal(want, told) {
		t.Errorf("slots of 3, 2, 1 and 0 hours ago, told of a newer one: %v, want %v", told, want)
	}
}

// TestMissedSlotsNameNoEmptyOutage lets a scheduler be alive at any second around the one in which it sees missed slots: no reason names an
// outage from a minute to the same minute, or to an earlier one.
func TestMissedSlotsNameNoEmptyOutage(t *testing.T) {
	t.Parallel()
	table, err := ParseTimetable("*/5 * * * *", "UTC", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 3, 2, 0, 50, 0, 0, time.UTC)
	s := experiments.Schedule{Name: "s", Cron: "*/5 * * * *", CatchUp: experiments.CatchUpLatest, Window: time.Hour, NextAt: start}
	now := start.Add(25*time.Minute + 40*time.Second)
	for seconds := -200; seconds <= 200; seconds++ {
		seen := now.Add(time.Duration(seconds) * time.Second)
		want := "noticed too late, at 2026-03-02 01:15 UTC"
		if before := seen.Truncate(time.Minute); before.Before(now.Truncate(time.Minute)) {
			want = "down from " + before.Format("2006-01-02 15:04 UTC") + " to 2026-03-02 01:15 UTC"
		}
		missed := 0
		for _, f := range ClaimSlot(s, table, now, seen, nil).Slots {
			if f.State != experiments.FireMissed {
				continue
			}
			missed++
			if f.Reason != want+"; a newer slot is caught up" {
				t.Fatalf("alive %d s after: %q, want %q", seconds, f.Reason, want)
			}
		}
		if missed != 5 {
			t.Fatalf("%d slots are missed", missed)
		}
	}
}
