package notify

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Notifier delivers the messages that schedules have for people. [Notify] decides what is told, and stores it before
// anything is sent; a Notifier sends what is stored, again until it arrives or is given up, one message for each fire and channel
// whatever the number of servers.
type Notifier struct {
	w    *app.Workbench
	wait func(ctx context.Context, d time.Duration) error
}

// The rhythm of a Notifier. A claim lasts longer than any attempt can take, so that no two servers send at the same time.
const (
	noticeEvery  = 5 * time.Second
	noticeChores = time.Hour
	noticeClaim  = 10 * time.Minute
	noticeSend   = 2 * time.Minute
	healFor      = 48 * time.Hour
)

// noticeDelays are the waits after attempts that failed: after the last one a message is given up, a day after the first.
var noticeDelays = []time.Duration{
	time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
}

// noticeFires is how many fires back a message looks: more than the longest outage has rows.
const noticeFires = 1200

// pingDelays are those of a ping, which is worth nothing once the next one is due.
var pingDelays = noticeDelays[:2]

// NewNotifier returns what delivers messages; it starts nothing.
func NewNotifier(w *app.Workbench) *Notifier { return &Notifier{w: w, wait: pauseFor} }

func pauseFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Serve delivers messages until ctx ends. Once an hour it looks for fires whose message was lost between their end and its being
// stored, and for the monthly digest. What goes wrong is logged and tried again: a database that is away for a while ends nothing.
func (n *Notifier) Serve(ctx context.Context) error {
	var chores time.Time
	for ctx.Err() == nil {
		now := n.w.Options.Now()
		if now.Sub(chores) >= noticeChores || now.Before(chores) {
			chores = now
			n.tried(ctx, errors.Join(n.Heal(ctx), n.Digest(ctx)))
		}
		_, err := n.Deliver(ctx)
		n.tried(ctx, err)
		_ = n.wait(ctx, noticeEvery) // it ends early with ctx alone
	}
	return nil
}

// tried logs what went wrong, unless it did because the program ends.
func (n *Notifier) tried(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		n.w.Log("messages of schedules could not be sent", "error", err)
	}
}

// Deliver sends every message that is due and returns how many attempts it made. A process whose configuration has no channels leaves
// them to others.
func (n *Notifier) Deliver(ctx context.Context) (int, error) {
	if len(n.w.Config.Notifications.Channels) == 0 {
		return 0, nil
	}
	for made := 0; ; made++ {
		if ctx.Err() != nil {
			return made, nil //nolint:nilerr // being asked to end is no failure
		}
		now := n.w.Options.Now()
		notice, found, err := n.w.Whole.ClaimNotice(ctx, "", n.w.Owner, now, now.Add(noticeClaim))
		if err != nil || !found {
			return made, err
		}
		if err := n.attempt(ctx, &notice); err != nil {
			return made, err
		}
	}
}

// attempt sends a message that was claimed and stores what came of it.
func (n *Notifier) attempt(ctx context.Context, notice *experiments.Notice) error {
	began := n.w.Options.Now()
	sending, stop := context.WithTimeout(ctx, noticeSend)
	defer stop()
	out := send(sending, n.w, *notice)
	now := n.w.Options.Now()
	last := &notice.Attempts[len(notice.Attempts)-1]
	last.Outcome, last.TookMS = out.code, now.Sub(began).Milliseconds()
	notice.State, notice.NextAt = experiments.NoticeGivenUp, now
	delay, again := nextDelay(notice.Kind, len(notice.Attempts))
	switch {
	case out.code == experiments.AttemptDelivered:
		notice.State = experiments.NoticeDelivered
	case ctx.Err() != nil: // the server is ending: nobody knows what arrived
		last.Outcome, notice.State = experiments.AttemptInterrupted, experiments.NoticeWaiting
	case !out.final && again:
		notice.State, notice.NextAt = experiments.NoticeWaiting, now.Add(max(delay, min(out.after, noticeDelays[3])))
	}
	return n.w.Whole.SettleNotice(context.WithoutCancel(ctx), notice.ID, n.w.Owner, *last, notice.State, notice.NextAt)
}

// nextDelay is the wait after the nth attempt; false after the last one.
func nextDelay(kind experiments.NoticeKind, attempts int) (time.Duration, bool) {
	delays := noticeDelays
	switch kind {
	case experiments.NoticePing:
		delays = pingDelays
	case experiments.NoticeTest: // somebody is looking on
		delays = nil
	case experiments.NoticeAlert, experiments.NoticeDigest, experiments.NoticeMention:
	}
	if attempts > len(delays) {
		return 0, false
	}
	return delays[attempts-1], true
}

// TestChannel sends a test message at once and returns it with its attempt. NotFound for a channel that the configuration has not.
func TestChannel(ctx context.Context, w *app.Workbench, channel string) (experiments.Notice, error) {
	if _, err := w.Config.Channel(channel); err != nil {
		return experiments.Notice{}, err
	}
	now := w.Options.Now()
	n := newNotice(w, "test "+now.UTC().Format(time.RFC3339Nano)+" "+w.Owner, channel, experiments.NoticeTest, now)
	n.Facts.At = now
	if _, err := w.Whole.AddNotices(ctx, []experiments.Notice{n}); err != nil {
		return n, err
	}
	claimed, found, err := w.Whole.ClaimNotice(ctx, n.ID, w.Owner, now, now.Add(noticeClaim))
	if err != nil {
		return n, err
	}
	if !found { // a server that looked at the same moment has it
		return n, nil
	}
	err = (&Notifier{w: w}).attempt(ctx, &claimed)
	return claimed, err
}

func newNotice(w *app.Workbench, about, channel string, kind experiments.NoticeKind, now time.Time) experiments.Notice {
	return experiments.Notice{
		ID: experiments.NoticeID(about, channel, kind), About: about, Channel: channel, Kind: kind, Reasons: []experiments.NoticeReason{},
		State: experiments.NoticeWaiting, NextAt: now, CreatedAt: now, Attempts: []experiments.Attempt{},
	}
}

// Notify stores what a slot that has ended has to tell: to the channels of its schedule an alert when something changed, and a ping
// where it went well. It sends nothing, and the same slot twice makes nothing new.
func Notify(ctx context.Context, w *app.Workbench, s experiments.Schedule, f experiments.Fire) error {
	if len(s.Notify) == 0 && s.Ping == "" {
		return nil
	}
	alerts, err := alerts(ctx, w, s, f)
	if err != nil {
		return err
	}
	if f.State == experiments.FireRan && s.Ping != "" {
		n := newNotice(w, f.ID, s.Ping, experiments.NoticePing, w.Options.Now())
		n.Schedule, n.Facts = s.Name, FactsOf(w, s)
		n.Facts.Fire = &f
		alerts = append(alerts, n)
	}
	_, err = w.Whole.AddNotices(ctx, alerts)
	return err
}

// alerts are the messages about a fire that are not stored yet.
func alerts(ctx context.Context, w *app.Workbench, s experiments.Schedule, f experiments.Fire) ([]experiments.Notice, error) {
	if len(s.Notify) == 0 {
		return nil, nil
	}
	fires, err := w.Whole.Fires(ctx, experiments.FireList{Schedule: s.Name, Limit: noticeFires})
	if err != nil {
		return nil, err
	}
	facts := FactsOf(w, s)
	about, stopped := f, experiments.StoppedBy(s, f)
	if f.State == experiments.FireMissed {
		if about, facts.Missed, facts.MissedTo = experiments.OutageOf(f, fires); stopped {
			about = f // not a part of the outage before it, which may have been told
		}
	}
	reasons := experiments.ReasonsOf(s, about, earlier(fires, about))
	if len(reasons) == 0 {
		return nil, nil
	}
	if stopped {
		facts.PausedWhy = s.PausedWhy
	}
	facts.Fire = &about
	var out []experiments.Notice
	var ids []string
	for _, channel := range slices.Compact(slices.Sorted(slices.Values(s.Notify))) {
		n := newNotice(w, about.ID, channel, experiments.NoticeAlert, w.Options.Now())
		n.Reasons, n.Schedule = reasons, s.Name
		out, ids = append(out, n), append(ids, n.ID)
	}
	known, err := w.Whole.HasNotices(ctx, ids)
	if err != nil || len(known) == len(ids) {
		return nil, err
	}
	ExplainWorse(ctx, w, &facts)
	for i := range out {
		out[i].Facts = facts
	}
	return out, nil
}

// earlier are the fires before one, newest first.
func earlier(fires []experiments.Fire, f experiments.Fire) []experiments.Fire {
	i := slices.IndexFunc(fires, func(o experiments.Fire) bool { return o.NominalAt.Before(f.NominalAt) })
	if i < 0 {
		return nil
	}
	return fires[i:]
}

// Heal stores what fires of the last two days have to tell where that was not stored, as after a kill at the wrong moment.
func (n *Notifier) Heal(ctx context.Context) error {
	schedules, err := n.w.Whole.Schedules(ctx)
	if err != nil {
		return err
	}
	now := n.w.Options.Now()
	for _, s := range schedules {
		if len(s.Notify) == 0 && s.Ping == "" {
			continue
		}
		fires, err := n.w.Whole.Fires(ctx, experiments.FireList{Schedule: s.Name, Limit: 50})
		if err != nil {
			return err
		}
		for _, f := range slices.Backward(fires) {
			ended := f.FinishedAt
			if ended.Before(f.NominalAt) {
				ended = f.NominalAt
			}
			if !f.State.Ended() || now.Sub(ended) > healFor {
				continue
			}
			if err := Notify(ctx, n.w, s, f); err != nil {
				return err
			}
		}
	}
	return nil
}
