package experiments

import (
	"cmp"
	"context"
	"time"
)

// SortKey is what an item of a list is sorted by: a number, or a text. Items without one come last in either direction.
type SortKey struct {
	Number float64 `json:"n,omitempty"` // of times the microseconds since 1970
	Text   string  `json:"t,omitempty"` // compared byte by byte
	Absent bool    `json:"a,omitempty"`
}

// Compare is negative where k comes before to. down turns the order round, but not for absent keys.
func (k SortKey) Compare(to SortKey, down bool) int {
	if k.Absent != to.Absent {
		if k.Absent {
			return 1
		}
		return -1
	}
	order := cmp.Or(cmp.Compare(k.Number, to.Number), cmp.Compare(k.Text, to.Text))
	if down {
		return -order
	}
	return order
}

// Place is a place in a sorted list: behind the item with this key and id. Items with equal keys are in the order of their ids.
type Place struct {
	Key SortKey
	ID  string
}

// Part is the part of a list that somebody asks a store for.
type Part struct {
	Sort  string // a field that the list can be sorted by
	Down  bool   // the largest first
	After *Place // nil is the beginning
	Limit int    // 0 is everything

	Uncounted bool // nobody asks how many there are in all
	Bare      bool // of runs, only what their index has: id, kind, parent, sweep, state, and when they were made
}

// RunHead is a run without its setup: what lists show.
type RunHead struct {
	RunID      string     `json:"run_id"`
	Kind       Kind       `json:"kind"`
	ParentID   string     `json:"parent_id,omitempty"`
	SweepID    string     `json:"sweep_id,omitempty"`
	Params     []Param    `json:"params,omitempty"`
	Experiment string     `json:"experiment"`
	Revision   int        `json:"revision"`
	Dataset    Ref        `json:"dataset"`
	Corpus     Ref        `json:"corpus"`
	Judge      string     `json:"judge"`           // provider/model; "" where other tools scored
	Tools      []string   `json:"tools,omitempty"` // whose scores are all there are: no judge of ours scored
	Offline    bool       `json:"offline"`
	Settled    bool       `json:"settled"`
	LowScore   float64    `json:"low_score"` // the agreed threshold
	State      RunState   `json:"state"`
	Cause      string     `json:"cause,omitempty"`
	Budget     Budget     `json:"budget,omitzero"`
	CreatedAt  time.Time  `json:"created_at"`
	StartedAt  *time.Time `json:"started_at,omitempty"`
	FinishedAt *time.Time `json:"finished_at,omitempty"`
	Totals     *Totals    `json:"totals,omitempty"`
}

// Head is the run without its setup.
func (r Run) Head() RunHead {
	out := RunHead{
		RunID: r.ID, Kind: r.Kind, ParentID: r.ParentID, SweepID: r.SweepID, Params: r.Params, Experiment: r.Setup.Experiment,
		Revision: r.Setup.Revision,
		Dataset:  r.Setup.Dataset, Corpus: r.Setup.Corpus, Judge: r.Setup.Judge.Model.String(), Offline: r.Setup.ByOffline(),
		Settled:  r.Setup.Settled,
		LowScore: r.Setup.LowScore, State: r.State, Cause: r.Cause, Budget: r.Budget, CreatedAt: r.CreatedAt, StartedAt: r.StartedAt,
		FinishedAt: r.FinishedAt,
		Totals:     r.Totals,
	}
	out.ScoredBy(r.Setup.Tools())
	return out
}

// ScoredBy sets down the tools whose scores are all that a run has; without any its judge scored.
func (h *RunHead) ScoredBy(tools []string) {
	if len(tools) > 0 {
		h.Tools, h.Judge, h.Offline = tools, "", false
	}
}

// RunList narrows a list of heads. Zero fields do not narrow.
type RunList struct {
	RunFilter        // its Limit does not count: that of the part does
	Text      string // in id, experiment, parameters, corpus or dataset, without regard to case
}

// Heads lists runs without reading their setups.
type Heads interface {
	// RunHeads returns a part of the runs, and how many there are in all parts. They can be sorted by created_at, experiment, dataset,
	// state, kind, run_id, low_score_count, correctness and trust; Invalid for another field.
	RunHeads(ctx context.Context, l RunList, p Part) (heads []RunHead, total int, err error)
}

// FireList narrows a list of fires. Zero fields do not narrow.
type FireList struct {
	Schedule string
	States   []FireState
	Since    time.Time // nominal time, inclusive
	Before   time.Time // nominal time, exclusive
	HasRun   bool      // only fires that made a run
	Runs     []string  // fires of these runs
	Limit    int       // of the newest; 0 is all
}
