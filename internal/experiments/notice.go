package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// Notice is one message to one channel. It is stored before it is sent, and there is one for each thing it can be about, channel
// and kind, whatever the number of servers.
type Notice struct {
	ID        string         `json:"id"` // follows from About, Channel and Kind
	About     string         `json:"about"`
	Channel   string         `json:"channel"`
	Kind      NoticeKind     `json:"kind"`
	Reasons   []NoticeReason `json:"reasons"` // of an alert, the gravest first
	Schedule  string         `json:"schedule"`
	Facts     NoticeFacts    `json:"facts"`
	State     NoticeState    `json:"state"`
	NextAt    time.Time      `json:"next_at"` // while it waits: of the next attempt, UTC
	CreatedAt time.Time      `json:"created_at"`
	Attempts  []Attempt      `json:"attempts"` // in order
}

// NoticeKind says what a message is for.
type NoticeKind string

// The kinds of messages.
const (
	NoticeAlert  NoticeKind = "alert"  // something changed; Reasons say what
	NoticeDigest NoticeKind = "digest" // what happened in a month
	NoticePing   NoticeKind = "ping"   // a fire went well: silence afterwards is a sign
	NoticeTest   NoticeKind = "test"   // somebody wants to see whether the channel works
	// NoticeMention tells a person that a comment names them.
	NoticeMention NoticeKind = "mention"
)

// NoticeReason is why a fire is worth an alert.
type NoticeReason string

// The reasons, the gravest first.
const (
	ReasonWorse  NoticeReason = "worse"       // answers are newly confirmed worse than the baseline's
	ReasonGate   NoticeReason = "gate_failed" // the gate failed, and had not at the fire before
	ReasonFailed NoticeReason = "failed"      // a fire failed, and the one before had not
	ReasonPaused NoticeReason = "paused"      // the schedule has stopped itself
	ReasonMissed NoticeReason = "missed"      // slots passed while nothing was running
	ReasonDrift  NoticeReason = "judge_drift" // the judge changed, and had not at the fire before
	ReasonBudget NoticeReason = "month_spent" // nothing is evaluated any more: the budget of the month is spent
)

// NoticeState is how a message stands.
type NoticeState string

// The states of a message.
const (
	NoticeWaiting   NoticeState = "waiting"
	NoticeSending   NoticeState = "sending" // some server has it; NextAt is when another may take it over
	NoticeDelivered NoticeState = "delivered"
	NoticeGivenUp   NoticeState = "given_up"
)

// Attempt is one try to deliver a message. It is stored before anything is sent.
type Attempt struct {
	At time.Time `json:"at"`
	// "delivered", a cause such as "http_500" or "timeout", "sending", or "interrupted" where nobody knows
	Outcome string `json:"outcome"`
	TookMS  int64  `json:"took_ms"`
}

// The outcomes of attempts that are no causes.
const (
	AttemptDelivered   = "delivered"
	AttemptSending     = "sending"
	AttemptInterrupted = "interrupted"
)

// NoticeFacts are what a message says, before it is put into words. The texts in it are data: questions and names as their
// authors wrote them.
type NoticeFacts struct {
	Schedule   string           `json:"schedule"`
	Experiment string           `json:"experiment,omitempty"`
	Notebook   string           `json:"notebook,omitempty"`
	Currency   string           `json:"currency,omitempty"`
	Zone       string           `json:"zone,omitempty"`    // that times are told in, IANA name
	Lang       string           `json:"lang,omitempty"`    // of the schedule, for channels that choose none
	Offline    bool             `json:"offline,omitempty"` // the judge is the offline one: for wiring and trial, not belief
	Fire       *Fire            `json:"fire,omitempty"`
	Missed     int              `json:"missed,omitempty"`     // slots missed in a row
	MissedTo   time.Time        `json:"missed_to,omitzero"`   // nominal time of the last of them
	PausedWhy  string           `json:"paused_why,omitempty"` // why the schedule is paused
	Questions  []NoticeQuestion `json:"questions,omitempty"`  // the newly worse ones, at most ten
	// what came of the comparison with the baseline, in sentences: those of the findings
	Said     []NoticeWords  `json:"said,omitempty"`
	Check    *NoticeWords   `json:"check,omitempty"`    // what the release check says, with its reason
	Finished bool           `json:"finished,omitempty"` // the run of the fire has ended, however the fire did
	Stopped  string         `json:"stopped,omitempty"`  // cause code of why the run of the fire stands still
	Troubles []NoticeWords  `json:"troubles,omitempty"` // what went wrong with its calls then, in the words of servers and models
	Link     string         `json:"link,omitempty"`     // address of the comparison, where the server knows its own
	Causes   []NoticeCount  `json:"causes,omitempty"`   // of the newly worse ones, where a diagnosis names them
	Changes  []NoticeCount  `json:"changes,omitempty"`  // answers by verdict against the baseline, the worse ones first
	Worst    []NoticeAnswer `json:"worst,omitempty"`    // the clearest of the worse answers, at most three
	Overdue  []NoticeWords  `json:"overdue,omitempty"`  // targets and actions of the agreement whose day has passed
	Next     *NoticeWords   `json:"next,omitempty"`     // the change that promises most, where causes are known
	Month    *NoticeMonth   `json:"month,omitempty"`    // of a digest
	At       time.Time      `json:"at,omitzero"`        // of a test
	Mention  *NoticeRemark  `json:"mention,omitempty"`  // of a comment that names somebody
}

// NoticeRemark is a comment on a notebook that names a person.
type NoticeRemark struct {
	Person   string `json:"person"` // name of the account
	By       string `json:"by"`     // who says it
	Cell     string `json:"cell"`
	Run      string `json:"run,omitempty"`      // of the row that it is about
	Question string `json:"question,omitempty"` // of the row that it is about
	Text     string `json:"text"`               // Markdown, cut to what a message holds
}

// NoticeWords is a sentence in both languages.
type NoticeWords struct {
	EN string `json:"en"`
	JA string `json:"ja"`
}

// In returns the sentence in a language: "ja", or else English.
func (w NoticeWords) In(lang string) string {
	if lang == "ja" {
		return w.JA
	}
	return w.EN
}

// NoticeAnswer is an answer that is worse, before and now. Its texts are those of the data, cut to what a message holds.
type NoticeAnswer struct {
	ID       string      `json:"id"`
	Question string      `json:"question"`
	Before   string      `json:"before"`
	After    string      `json:"after"`
	Why      NoticeWords `json:"why,omitzero"`   // what the verdict rests on
	Link     string      `json:"link,omitempty"` // address of both answers beside each other, where the server knows its own
}

// NoticeQuestion is a question whose answers are worse.
type NoticeQuestion struct {
	ID    string `json:"id"`
	Text  string `json:"text,omitempty"`
	Cause string `json:"cause,omitempty"` // component-level
	// what the cause rests on: tested, searched, observed or unknown; "" in messages that were stored without it
	Stands string `json:"stands,omitempty"`
}

// NoticeCount counts something named by a code.
type NoticeCount struct {
	Code string `json:"code"`
	N    int    `json:"n"`
}

// NoticeMonth is what the schedules did in a calendar month.
type NoticeMonth struct {
	Month     string           `json:"month"` // YYYY-MM
	Zone      string           `json:"zone"`
	Schedules []ScheduleDigest `json:"schedules"`
}

// ScheduleDigest is what one schedule did in a month.
type ScheduleDigest struct {
	Schedule string `json:"schedule"`
	Ran      int    `json:"ran"`
	Skipped  int    `json:"skipped"`
	Missed   int    `json:"missed"`
	Failed   int    `json:"failed"`
	Alerts   int    `json:"alerts"` // fires that were worth a message
	Paused   bool   `json:"paused"`

	LowFirst    int    `json:"low_first"`    // low scores of the first fire that ran
	ScoredFirst int    `json:"scored_first"` // of so many
	LowLast     int    `json:"low_last"`
	ScoredLast  int    `json:"scored_last"`
	Worse       int    `json:"worse"` // questions worse than the baseline at the last fire that ran
	Gate        string `json:"gate,omitempty"`
	Spent       int64  `json:"spent_micros"`
	Calls       int    `json:"calls"`

	Overdue []NoticeWords `json:"overdue,omitempty"` // targets and actions of the agreement whose day has passed
	Link    string        `json:"link,omitempty"`    // address of the last comparison with the baseline, where the server knows its own
}

// NoticeID is the id of the message about something to a channel: the first 24 hexadecimal digits of a SHA-256.
func NoticeID(about, channel string, kind NoticeKind) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{about, channel, string(kind)}, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// NoticeFilter narrows Notices. Zero fields do not filter.
type NoticeFilter struct {
	Channel  string
	Schedule string
	State    NoticeState
}

// NoticeStore keeps messages until they are delivered, and what was tried.
type NoticeStore interface {
	// AddNotices stores the messages whose ids are new, as waiting, and returns how many that were.
	AddNotices(ctx context.Context, notices []Notice) (int, error)
	// HasNotices returns the ids that are stored already.
	HasNotices(ctx context.Context, ids []string) ([]string, error)
	// ClaimNotice gives one message whose time has come to a worker and keeps others away from it until the given time. It stores an
	// attempt in the same transaction, and marks an earlier one that was never settled as interrupted. id may be empty: then the one
	// that waits the longest. false where nothing is due.
	ClaimNotice(ctx context.Context, id, worker string, now, until time.Time) (Notice, bool, error)
	// SettleNotice stores what became of the attempt that a worker claimed. Conflict where another worker has taken it over.
	SettleNotice(ctx context.Context, id, worker string, a Attempt, state NoticeState, next time.Time) error
	// Notices returns a part of the messages with their attempts, and how many there are in all parts. They can be sorted by
	// created_at, channel and state.
	Notices(ctx context.Context, f NoticeFilter, p Part) (notices []Notice, total int, err error)
	// NextNotice is when the next attempt is due; false where nothing waits.
	NextNotice(ctx context.Context) (time.Time, bool, error)
}

// OutageOf gathers the missed slots around a missed one with nothing between them: the first of them, which stands for the outage, how
// many nominal times they are, and the last of those. fires are those of the schedule, newest nominal time first.
func OutageOf(f Fire, fires []Fire) (first Fire, missed int, last time.Time) {
	at := slices.IndexFunc(fires, func(o Fire) bool { return o.ID == f.ID })
	if at < 0 || f.State != FireMissed {
		return f, max(1, f.Slots), f.NominalAt
	}
	newest, oldest := at, at
	for newest > 0 && fires[newest-1].State == FireMissed {
		newest--
	}
	for oldest+1 < len(fires) && fires[oldest+1].State == FireMissed {
		oldest++
	}
	for _, o := range fires[newest : oldest+1] {
		missed += max(1, o.Slots)
	}
	return fires[oldest], missed, fires[newest].NominalAt
}

// ReasonsOf says why a slot that has ended is worth an alert; without a reason it is silent. before are the fires of the schedule with
// earlier nominal times, newest first. What stays as it was is said once: a gate that fails again, a judge that differs still and a
// system that cannot be reached still are silent.
func ReasonsOf(s Schedule, f Fire, before []Fire) []NoticeReason {
	var out []NoticeReason
	add := func(r NoticeReason, when bool) {
		if when {
			out = append(out, r)
		}
	}
	last := func(states ...FireState) Fire {
		i := slices.IndexFunc(before, func(b Fire) bool { return slices.Contains(states, b.State) })
		if i < 0 {
			return Fire{}
		}
		return before[i]
	}
	switch f.State {
	case FireRan:
		ran := last(FireRan)
		add(ReasonWorse, len(f.NewlyWorse) > 0)
		add(ReasonGate, f.Gate == gateFail && ran.Gate != gateFail)
		add(ReasonDrift, f.Drift != "" && ran.Drift == "")
	case FireFailed:
		add(ReasonFailed, last(FireRan, FireFailed).State != FireFailed)
		add(ReasonPaused, StoppedBy(s, f))
	case FireMissed:
		add(ReasonMissed, true)
		add(ReasonPaused, StoppedBy(s, f))
	case FireSkipped:
		i := slices.IndexFunc(before, func(b Fire) bool { return b.State == FireRan || b.State == FireFailed || b.monthSpent() })
		add(ReasonBudget, f.monthSpent() && (i < 0 || !before[i].monthSpent()))
	case FireDue, FireRunning:
	}
	return out
}

// MonthSpent is how the reason of a slot begins that was skipped because its schedule may spend no more in this month.
const MonthSpent = "the budget of the month is spent"

func (f Fire) monthSpent() bool {
	return f.State == FireSkipped && strings.HasPrefix(f.Reason, MonthSpent)
}

// StoppedBy reports whether a schedule has stopped itself because of a fire: the reason of the one names that of the other. A schedule
// that a person paused is not.
func StoppedBy(s Schedule, f Fire) bool {
	return s.Paused && f.Reason != "" && strings.Contains(s.PausedWhy, f.Reason)
}

// gateFail is the decision of a gate that blocks, as a Fire holds it.
const gateFail = "FAIL"
