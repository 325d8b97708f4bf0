package timetable

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
)

const (
	// OnTime is how late a slot may be and still count as noticed in time.
	OnTime = 2 * time.Minute
	// MostMissed bounds the rows of slots that one outage left out; older ones share one row.
	MostMissed = 1000
	// mostCaughtUp bounds the slots that are caught up at a time.
	mostCaughtUp = 10
)

// FireID follows from schedule and nominal time, so every server makes the same.
func FireID(schedule string, nominal time.Time) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "fire %q %s", schedule, nominal.UTC().Format(time.RFC3339)))
	return hex.EncodeToString(sum[:6])
}

// NewFire is a fire of a schedule at a nominal time.
func NewFire(schedule string, nominal time.Time, state experiments.FireState) experiments.Fire {
	return experiments.Fire{
		ID: FireID(schedule, nominal), Schedule: schedule, NominalAt: nominal.UTC(), State: state, Slots: 1,
		Worse: []string{}, NewlyWorse: []string{}, Since: []string{},
	}
}

// Claim is what is to be stored of a schedule at a moment: the slots whose time has come and when the next one comes.
type Claim struct {
	Slots  []experiments.Fire // in the order of time; due, skipped or missed
	Next   time.Time
	Cancel []experiments.Fire // open fires that make way
}

// ClaimSlot decides about the slots from NextAt to now. seen is when a scheduler was last alive, and open are the fires of the
// schedule that
// are due or running, the oldest first. It is a pure function: servers that decide about the same come to the same.
func ClaimSlot(s experiments.Schedule, table Timetable, now, seen time.Time, open []experiments.Fire) Claim {
	var c Claim
	var recent []time.Time // the newest, at most MostMissed and what may be caught up
	first, older, last := s.NextAt, 0, time.Time{}
	at := s.NextAt
	for ; !at.IsZero() && !at.After(now); at = table.Next(at) {
		recent = append(recent, at)
		if len(recent) > MostMissed+mostCaughtUp {
			last = recent[0]
			recent = recent[1:]
			older++
		}
	}
	c.Next = at
	if len(recent) == 0 {
		return c
	}
	from := due(s, recent, now)
	missed := recent[:from]
	if len(missed) > MostMissed {
		over := len(missed) - MostMissed
		older, last, missed = older+over, missed[over-1], missed[over:]
	}
	down := downtime(seen, now)
	if older > 0 {
		f := NewFire(s.Name, first, experiments.FireMissed)
		f.Slots = older
		f.Reason = fmt.Sprintf("%d slots from %s to %s: %s", older, clock(first), clock(last), down)
		c.Slots = append(c.Slots, f)
	}
	for _, at := range missed {
		f := NewFire(s.Name, at, experiments.FireMissed)
		f.Reason = down
		if s.CatchUp != experiments.CatchUpSkip && now.Sub(at) <= s.Window {
			f.Reason += "; a newer slot is caught up"
		}
		c.Slots = append(c.Slots, f)
	}
	for _, at := range recent[from:] {
		c.Slots = append(c.Slots, NewFire(s.Name, at, experiments.FireDue))
	}
	for i := range c.Slots {
		if c.Slots[i].State == experiments.FireMissed {
			c.Slots[i].FinishedAt = now.UTC()
		}
	}
	overlap(s, &c, open, now)
	return c
}

// due is where in a list of slots those begin that are to be run.
func due(s experiments.Schedule, slots []time.Time, now time.Time) int {
	most, window := 1, s.Window
	switch s.CatchUp {
	case experiments.CatchUpAll:
		most = mostCaughtUp
	case experiments.CatchUpSkip:
		window = 0
	case experiments.CatchUpLatest:
	}
	from := len(slots)
	for from > 0 && len(slots)-from < most && now.Sub(slots[from-1]) <= max(window, OnTime) {
		from--
	}
	return from
}

// overlap decides about the due slots of a claim while other fires are open. Slots that are caught up together are not in each
// other's way: they run one after the other, or together where overlaps are allowed.
func overlap(s experiments.Schedule, c *Claim, open []experiments.Fire, now time.Time) {
	if len(open) == 0 || s.Overlap == experiments.OverlapAllow {
		return
	}
	due := slices.IndexFunc(c.Slots, func(f experiments.Fire) bool { return f.State == experiments.FireDue })
	if due < 0 {
		return
	}
	switch s.Overlap {
	case experiments.OverlapCancel:
		c.Cancel = open
		return
	case experiments.OverlapQueue:
		if !slices.ContainsFunc(open, func(f experiments.Fire) bool { return f.State == experiments.FireDue }) {
			due++ // the first one waits
		}
	case experiments.OverlapSkip, experiments.OverlapAllow:
	}
	for i := due; i < len(c.Slots); i++ {
		f := &c.Slots[i]
		f.State, f.Blocker, f.FinishedAt = experiments.FireSkipped, open[0].ID, now.UTC()
		f.Reason = fmt.Sprintf("the fire of %s was still %s", clock(open[0].NominalAt), open[0].State)
	}
}

// downtime says why slots were missed. Where a scheduler was alive in the minute in which it saw that they were, or later by a clock that
// was set back, no outage can be told: that they were too late then is all that is sure.
func downtime(seen, now time.Time) string {
	switch from, to := clock(seen), clock(now); {
	case seen.IsZero():
		return "nothing was running until " + to
	case from == to || now.Before(seen):
		return "noticed too late, at " + to
	default:
		return fmt.Sprintf("down from %s to %s", from, to)
	}
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
