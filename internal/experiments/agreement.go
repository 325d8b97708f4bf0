package experiments

import (
	"context"
	"time"
)

// Priority says how soon an agreed action is wanted.
type Priority string

// The priorities.
const (
	HighPriority   Priority = "high"
	MediumPriority Priority = "medium"
	LowPriority    Priority = "low"
)

// Priorities lists the priorities, the most urgent first.
func Priorities() []Priority { return []Priority{HighPriority, MediumPriority, LowPriority} }

// Agreement 合意 is what stakeholders agreed about a dataset: where a score counts as low, where to aim, what is done about each
// group of low-score answers, and what is left alone on purpose. A version never changes; agreeing anew makes the next one. The
// newest version decides the threshold of new runs on the dataset.
type Agreement struct {
	Dataset  string          `json:"dataset"`           // name, any version
	Version  int             `json:"version"`           // 1, 2, …; 0 before it is stored, and of the zero Agreement, which agrees nothing
	LowScore float64         `json:"low_score"`         // correctness or trust ≤ this is a low score; from 1 to below 5
	Targets  []Target        `json:"targets,omitempty"` //
	Items    []AgreementItem `json:"items,omitempty"`   //
	AgreedBy []string        `json:"agreed_by"`         // names as people typed them
	AgreedOn string          `json:"agreed_on"`         // YYYY-MM-DD
	Note     string          `json:"note,omitempty"`    //
	RunID    string          `json:"run_id,omitempty"`  // the finished run on whose results it was agreed; "" when on none
	// what that run says of low in its own terms: what its items counted is set beside no other definition
	OwnLow   []LowLine `json:"own_low,omitempty"`
	RunChain string    `json:"run_chain,omitempty"` // chain of that run: the results that were signed, to the byte
	At       time.Time `json:"at"`                  // when it was recorded
}

// Target is a [Goal] of an agreement. It may be narrower than a theme and has a date.
type Target struct {
	Goal     `yaml:",inline"`
	Category string   `json:"category,omitempty" yaml:"category"` // "multi_hop_specific", …; "" is all categories
	Due      string   `json:"due,omitempty" yaml:"due"`           // YYYY-MM-DD
	Was      *float64 `json:"was,omitempty" yaml:"-"`             // measured in the agreement's run when it was recorded
}

// TargetsOf are the goals of an experiment file as targets: one concept, measured in one place.
func TargetsOf(goals []Goal) []Target {
	out := make([]Target, len(goals))
	for i, g := range goals {
		out[i] = Target{Goal: g}
	}
	return out
}

// Same reports whether two targets aim at the same thing, whatever the value.
func (t Target) Same(other Target) bool {
	return t.Theme == other.Theme && t.Metric == other.Metric && t.Category == other.Category
}

// CauseGroup names the low-score answers that an item is about. Every field that is given must fit; at least one is given.
type CauseGroup struct {
	Data      string   `json:"data,omitempty" yaml:"data"`           // data-level cause: "retrieval", "generation", "question", "reference"
	Component string   `json:"component,omitempty" yaml:"component"` // component-level cause: "retriever", "system_prompt", …
	Param     string   `json:"param,omitempty" yaml:"param"`         // parameter of the cause: "retrieve.k"
	Theme     string   `json:"theme,omitempty" yaml:"theme"`         //
	Category  string   `json:"category,omitempty" yaml:"category"`   //
	Questions []string `json:"questions,omitempty" yaml:"questions"` // question ids
}

// ByCause reports whether belonging to the group depends on a diagnosis. Otherwise the questions alone decide it.
func (g CauseGroup) ByCause() bool { return g.Data != "" || g.Component != "" || g.Param != "" }

// AgreementItem is what was agreed about one group of low-score answers. Out of scope means that they stay as they are by
// decision, with the reason in Why. Questions of an out-of-scope group that no diagnosis decides count for no target.
type AgreementItem struct {
	CauseGroup `yaml:",inline"`
	Action     string   `json:"action,omitempty" yaml:"action"`     // what is done; not of what is out of scope
	Priority   Priority `json:"priority,omitempty" yaml:"priority"` //
	Owner      string   `json:"owner,omitempty" yaml:"owner"`       // who does it, as people typed it
	Due        string   `json:"due,omitempty" yaml:"due"`           // YYYY-MM-DD
	OutOfScope bool     `json:"out_of_scope,omitempty" yaml:"out_of_scope"`
	Why        string   `json:"why,omitempty" yaml:"why"` // required where out of scope
	Was        *int     `json:"was,omitempty" yaml:"-"`   // low-score answers of the group in the agreement's run; nil where not known
}

// AgreementStore keeps agreements.
type AgreementStore interface {
	// PutAgreement stores an agreement as the next version of its dataset's, or not at all when the newest says the same; the time
	// of recording does not count. created says which.
	PutAgreement(ctx context.Context, a Agreement) (stored Agreement, created bool, err error)
	// Agreement returns the newest version for a dataset; NotFound when nothing was agreed.
	Agreement(ctx context.Context, dataset string) (Agreement, error)
	// Agreements returns every version for a dataset, or for all when it is "": by dataset, the newest first.
	Agreements(ctx context.Context, dataset string) ([]Agreement, error)
}
