package progress

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// TargetState says where a target stands.
type TargetState string

// The states of a target.
const (
	TargetMet         TargetState = "met"
	TargetMissed      TargetState = "missed"
	TargetNotMeasured TargetState = "not_measured" // no question in its reach has the score
)

// ItemState says where an item of an agreement stands.
type ItemState string

// The states of an item.
const (
	ItemDone       ItemState = "done"           // no low-score answer of the group is left
	ItemFewer      ItemState = "fewer"          // fewer than when it was agreed
	ItemSame       ItemState = "same"           // as many
	ItemMore       ItemState = "more"           // more than when it was agreed
	ItemOutOfScope ItemState = "out_of_scope"   // left alone by decision
	ItemOpen       ItemState = "not_comparable" // some are left, and nobody knows how many there were when it was agreed
	ItemUntold     ItemState = "untold"         // whether its answers are low cannot be told: scores lack
	ItemUnknown    ItemState = "unknown"        // the group rests on causes or labels that this run has not been analysed for
)

// TargetProgress is one target with what a run measured.
type TargetProgress struct {
	Target     experiments.Target `json:"target"`
	FromFile   bool               `json:"from_file,omitempty"`                    // a goal of the experiment file, not of the agreement
	AtMost     bool               `json:"at_most"`                                // the target is an upper limit
	Share      bool               `json:"share"`                                  // both are shares in [0, 1], printed as per cent
	Now        *float64           `json:"now,omitempty"`                          // nil where not measured
	N          int                `json:"n"`                                      // questions it was measured on
	OutOfScope int                `json:"out_of_scope"`                           // questions in its reach that were left out by decision
	By         string             `json:"by,omitempty" enum:"tags,analysis,both"` // what says its theme
	Tag        string             `json:"tag,omitempty"`                          // of the dataset that says it
	State      TargetState        `json:"state"`
}

// ItemProgress is one item with what a run shows.
type ItemProgress struct {
	Item      experiments.AgreementItem `json:"item"` // Item.Was is the count when it was agreed
	Now       *int                      `json:"now,omitempty"`
	Questions []string                  `json:"questions,omitempty"` // the low-score answers of the group
	Untold    int                       `json:"untold,omitempty"`    // answers of the group of which nobody can tell whether they are low
	State     ItemState                 `json:"state"`
	By        string                    `json:"by,omitempty" enum:"tags,analysis,both"` // as of a target
	Tag       string                    `json:"tag,omitempty"`
	Needs     string                    `json:"needs,omitempty"` // of ItemUnknown: the analysis that is missing, "causes" or "questions"
}

// AgreementProgress sets a run beside an agreement.
type AgreementProgress struct {
	Agreement experiments.Agreement `json:"agreement"`     // zero when nothing was agreed and only the file's goals count
	RunID     string                `json:"run_id"`        // the run that was measured
	LowScore  float64               `json:"low_score"`     // the threshold low answers were counted with: the agreement's, else the run's
	RunLow    float64               `json:"run_low_score"` // the threshold frozen in the run
	// what the run says of low in its own terms, with which answers were counted then: no agreed threshold applies to them
	OwnLow  []experiments.LowLine `json:"own_low,omitempty"`
	Unsaid  bool                  `json:"low_unsaid,omitempty"` // nobody said what is low in the run's imported scores
	Low     int                   `json:"low"`                  // low-score answers
	Rated   int                   `json:"rated"`                // answers of which it can be told whether they are low
	Untold  int                   `json:"untold"`               // answers of which it cannot: no score was given by which they could be
	Covered int                   `json:"covered"`              // low-score answers that an item is about, those out of scope included
	Open    []string              `json:"open"`                 // low-score answers that no item is about
	Targets []TargetProgress      `json:"targets"`              // of the agreement, then the file's that it does not replace
	Items   []ItemProgress        `json:"items"`
}

// Met counts targets: met, not met, not measured.
func (p AgreementProgress) Met() (met, missed, unmeasured int) {
	for _, t := range p.Targets {
		switch t.State {
		case TargetMet:
			met++
		case TargetMissed:
			missed++
		default:
			unmeasured++
		}
	}
	return met, missed, unmeasured
}

// Agreed reports whether anybody agreed on a target: one of the agreement, or one whose file says when it was agreed.
func (p AgreementProgress) Agreed() bool {
	return slices.ContainsFunc(p.Targets, func(t TargetProgress) bool { return !t.FromFile || t.Target.AgreedOn != "" })
}

// LineAgreed reports whether the threshold of a low score is the agreement's own.
func (p AgreementProgress) LineAgreed() bool { return p.Agreement.LowScore > 0 && len(p.OwnLow) == 0 }

// Rule is with what answers were counted as low.
func (p AgreementProgress) Rule() experiments.LowRule {
	return experiments.Setup{LowScore: p.LowScore, Low: p.OwnLow}.LowRule()
}

// Decimals is with how many decimals the target and what is measured are written beside each other, as per cent where both are shares: what
// misses a target never looks like it.
func (t TargetProgress) Decimals() int {
	least, times := 2, 1.0
	if t.Share {
		least, times = 1, 100
	}
	if t.Now == nil {
		return least
	}
	return stats.DecimalsApart(times*t.Target.Target, times**t.Now, least)
}

// Overdue reports whether a target is not met after its date; today is YYYY-MM-DD.
func (t TargetProgress) Overdue(today string) bool {
	return t.State != TargetMet && t.Target.Due != "" && t.Target.Due < today
}

// Overdue reports whether an item is not done after its date; today is YYYY-MM-DD.
func (i ItemProgress) Overdue(today string) bool {
	return i.State != ItemDone && i.State != ItemOutOfScope && i.Item.Due != "" && i.Item.Due < today
}
