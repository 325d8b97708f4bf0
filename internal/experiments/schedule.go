package experiments

import (
	"context"
	"slices"
	"time"
)

// Schedule evaluates an experiment, or executes a notebook, again and again.
type Schedule struct {
	Name       string        `json:"name"`             // unique
	Experiment string        `json:"experiment"`       // registered name; empty for a notebook
	Notebook   string        `json:"notebook"`         // name of a notebook in the notebook folder; empty for an experiment
	Params     []string      `json:"params"`           // of a notebook: name=value, in the place of its defaults
	Recent     *Recent       `json:"recent,omitempty"` // of an experiment: what users asked, in the place of its dataset
	Cron       string        `json:"cron"`             // five fields, or @every DURATION, @hourly, @daily, @weekly, @monthly
	Zone       string        `json:"zone"`             // IANA name
	CatchUp    CatchUp       `json:"catch_up"`
	Overlap    Overlap       `json:"overlap"`
	Window     time.Duration `json:"window"`           // how late a slot may still be caught up; default 24 h
	Budget     Budget        `json:"budget"`           // of one fire
	Monthly    Budget        `json:"monthly"`          // of all fires of a calendar month in Zone
	PauseAfter int           `json:"pause_after"`      // failures in a row; 0: never
	Notify     []string      `json:"notify"`           // names of channels of the configuration
	Ping       string        `json:"ping"`             // name of the channel that hears of every fire that went well; empty: none
	Lang       string        `json:"lang"`             // of the workbook: en or ja
	Limits     *Limits       `json:"limits,omitempty"` // of the release check, in the place of the usual ones
	Paused     bool          `json:"paused"`
	PausedWhy  string        `json:"paused_why"`
	NextAt     time.Time     `json:"next_at"` // nominal time of the next slot, UTC
	CreatedAt  time.Time     `json:"created_at"`
}

// Recent are questions that users asked, as their traces say.
type Recent struct {
	Last int    `json:"last" doc:"so many questions at most, drawn by their wording"`
	Days int    `json:"days" doc:"that arrived in so many days before the slot"`
	Seed string `json:"seed,omitempty" doc:"of the draw"`
}

// Limits are those of a release check that somebody set in the place of the usual ones.
type Limits struct {
	Min       []string `json:"min,omitempty" doc:"thresholds of the candidate's means, such as faithfulness >= 0.85"`
	Margin    *float64 `json:"margin,omitempty" doc:"share of a metric's scale that its mean may fall; absent: by the number of questions"`
	Allowance *float64 `json:"allowance,omitempty" doc:"largest share of answers allowed to be worse; absent: the usual one"`
}

// CatchUp says what becomes of slots that passed while nothing was running.
type CatchUp string

// The ways to catch up. Slots that are not run end as missed.
const (
	CatchUpLatest CatchUp = "latest" // the newest within the window
	CatchUpSkip   CatchUp = "skip"   // none
	CatchUpAll    CatchUp = "all"    // the newest ten within the window, oldest first
)

// Overlap says what becomes of a slot whose predecessor is still under way.
type Overlap string

// The ways out of an overlap.
const (
	OverlapSkip   Overlap = "skip"   // the slot ends as skipped, naming the fire in its way
	OverlapQueue  Overlap = "queue"  // one slot waits, further ones are skipped
	OverlapCancel Overlap = "cancel" // the predecessor is cancelled
	OverlapAllow  Overlap = "allow"  // both run
)

// Fire is what became of one slot of a schedule. There is one for each nominal time, whatever the number of servers.
type Fire struct {
	ID        string    `json:"id"` // follows from schedule and nominal time
	Schedule  string    `json:"schedule"`
	NominalAt time.Time `json:"nominal_at"` // UTC
	State     FireState `json:"state"`
	Reason    string    `json:"reason"`  // why it was skipped, missed or failed, for people
	Blocker   string    `json:"blocker"` // the fire that was in its way
	RunNow    bool      `json:"run_now"` // asked for by a person, at NominalAt
	RunID     string    `json:"run_id"`
	Baseline  string    `json:"baseline"` // run it was compared with
	Previous  string    `json:"previous"` // run of the fire before it

	Worse      []string `json:"worse"`       // questions worse than the baseline, severest first
	NewlyWorse []string `json:"newly_worse"` // of these, the ones that were not so at the fire before
	Mixed      int      `json:"mixed"`       // questions better in one way and worse in another
	NeedsCheck int      `json:"needs_check"`
	Better     int      `json:"better"`
	LowBefore  int      `json:"low_before"` // low scores of the baseline
	Low        int      `json:"low"`
	Scored     int      `json:"scored"`
	Gate       string   `json:"gate"`                 // PASS, FAIL or INCONCLUSIVE; empty without a baseline
	Limits     *Limits  `json:"limits,omitempty"`     // of the schedule, by which the gate was decided
	Drift      string   `json:"drift"`                // how the judge changed on the anchors; empty: no sign of it
	Anchors    string   `json:"anchors"`              // run in which the judge judged the baseline's answers again
	Since      []string `json:"worse_since_previous"` // questions confirmed worse than at the fire before
	Workbook   string   `json:"workbook"`             // file in the data directory, below fires/
	Spent      int64    `json:"spent_micros"`         // millionths of the price file's currency, the bill of all its runs
	Calls      int      `json:"calls"`
	Version    string   `json:"version,omitempty"` // of the program that told of it; empty: one that did not keep it
	Slots      int      `json:"slots"`             // nominal times that the row stands for: 1, or more where an outage had too many to list

	StartedAt  time.Time `json:"started_at,omitzero"`
	FinishedAt time.Time `json:"finished_at,omitzero"`

	Worker string    `json:"-"` // that took it; empty while due
	SeenAt time.Time `json:"-"` // when the worker last said that it is alive
	Cancel bool      `json:"-"` // somebody wants it to end
}

// FireState is how a slot stands.
type FireState string

// The states of a slot. All but due and running are final.
const (
	FireDue     FireState = "due"
	FireRunning FireState = "running"
	FireRan     FireState = "ran"
	FireSkipped FireState = "skipped"
	FireMissed  FireState = "missed"
	FireFailed  FireState = "failed"
)

// FireEnds are the states in which nothing more happens to a slot.
var FireEnds = []FireState{FireRan, FireSkipped, FireMissed, FireFailed}

// Ended reports whether nothing more happens to a slot.
func (s FireState) Ended() bool { return s != FireDue && s != FireRunning }

// ScheduleStore keeps schedules and what became of their slots.
type ScheduleStore interface {
	// PutSchedule stores a schedule in the place of one of the same name.
	PutSchedule(ctx context.Context, s Schedule) error
	// Schedule returns one; NotFound otherwise.
	Schedule(ctx context.Context, name string) (Schedule, error)
	// Schedules returns all, by name.
	Schedules(ctx context.Context) ([]Schedule, error)
	// RemoveSchedule removes one; its fires stay.
	RemoveSchedule(ctx context.Context, name string) error
	// PauseSchedule pauses a schedule for a reason, or, with an empty one, lets it go on from next; false where nothing changed.
	PauseSchedule(ctx context.Context, name, why string, next time.Time) (bool, error)
	// ClaimSlots stores the slots that are new and moves the schedule's NextAt on, in one transaction, provided that NextAt still is
	// expected. It reports false, and stores nothing, where another server was first.
	ClaimSlots(ctx context.Context, schedule string, expected, next time.Time, slots []Fire) (bool, error)
	// AddFire stores a fire that no slot made; false where one of this nominal time exists.
	AddFire(ctx context.Context, f Fire) (bool, error)
	// TakeFire moves a due fire, or a running one whose worker has not been seen since staleBefore, to running for one worker; false
	// where another was first. A fire that was taken before keeps its StartedAt.
	TakeFire(ctx context.Context, id, worker string, at, staleBefore time.Time) (bool, error)
	// BeatFire says that the worker of a fire is alive. held is false when the fire is not its any more, cancel true when it is to end.
	BeatFire(ctx context.Context, id, worker string, at time.Time) (held, cancel bool, err error)
	// CancelFire asks the worker of a running fire to end it; a due fire ends as skipped at once, for this reason.
	CancelFire(ctx context.Context, id, reason, blocker string, at time.Time) error
	// PutFire stores what became of a fire that f.Worker holds; false, and nothing stored, where another has taken it since.
	PutFire(ctx context.Context, f Fire) (bool, error)
	// EndFire ends a due fire that nobody took as skipped or missed; false where somebody has taken it.
	EndFire(ctx context.Context, id string, to FireState, reason, blocker string, at time.Time) (bool, error)
	// Fire returns one; NotFound otherwise.
	Fire(ctx context.Context, id string) (Fire, error)
	// OpenFires returns the fires that are due or running, oldest nominal time first; schedule may be empty.
	OpenFires(ctx context.Context, schedule string) ([]Fire, error)
	// SeenAt returns when a scheduler last said that it was alive, and SetSeenAt says so; the zero time before the first.
	SeenAt(ctx context.Context) (time.Time, error)
	SetSeenAt(ctx context.Context, at time.Time) error
	// Fires returns fires, newest nominal time first.
	Fires(ctx context.Context, l FireList) ([]Fire, error)
	// CountFires counts them, whatever the limit of the list.
	CountFires(ctx context.Context, l FireList) (int, error)
}

// TellScores writes into a fire what the scores of its run give. The doctor computes it again by the same rule.
func (f *Fire) TellScores(run Run) {
	f.Low, f.Scored = run.Totals.LowScoreCount, run.Totals.RatedCount()
}

// TellNew writes into a fire which of its worse questions are new since the fire before; false where what is stored does not say, as
// the other fire had another yardstick. The doctor computes it again by the same rule.
func (f *Fire) TellNew(before *Fire) bool {
	switch {
	case before == nil || before.RunID == f.Baseline:
		f.NewlyWorse = slices.Clone(f.Worse)
	case before.Baseline == f.Baseline:
		f.NewlyWorse = Without(f.Worse, before.Worse)
	default:
		return false
	}
	return true
}

// Without are the questions that are not known.
func Without(ids, known []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(known, id) })
}
