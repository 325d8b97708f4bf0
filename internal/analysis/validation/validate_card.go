package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Protocols are the names of the protocols that can be asked for, in order. J3 (agreement with people) is measured on
// labelled datasets, see [DatasetScore].
func Protocols() []string { return []string{"J1", "J2", "J4", "J6", "J7"} }

// JudgeCard is what is known of one judge with one version of the prompts.
type JudgeCard struct {
	Judge         string              `json:"judge"` // provider/model
	PromptVersion string              `json:"prompt_version"`
	MeasuredAt    time.Time           `json:"measured_at"`
	Offline       bool                `json:"offline,omitempty"` // the built-in judge
	Deterministic bool                `json:"deterministic,omitempty"`
	Source        string              `json:"source"` // where the items came from
	Items         int                 `json:"items"`
	Replicates    int                 `json:"replicates"`
	RunID         string              `json:"run_id,omitempty"`
	Protocols     map[string]Protocol `json:"protocols"`
	Datasets      []DatasetScore      `json:"datasets"`
	Verdicts      *VerdictScore       `json:"verdicts,omitempty"`   // its "worse" and "better" against readers'; nil where not measured
	Alignments    []Alignment         `json:"alignments,omitempty"` // tests of examples for its prompt, the newest last
	Status        Light               `json:"status"`
	Reasons       []string            `json:"reasons"` // what keeps the status from being green, worst first
	Calls         int                 `json:"calls"`   // bought for this measurement
	CostMicros    int64               `json:"cost_micros"`
	Seconds       float64             `json:"seconds"`
}

// Settle decides the status: the worst light of everything that was measured, and not better than amber while a protocol has
// not been measured.
func (c *JudgeCard) Settle() {
	c.Status, c.Reasons = Unmeasured, []string{}
	var red, amber []string
	note := func(light Light, reason string) {
		c.Status = c.Status.worse(light)
		switch light {
		case Red:
			red = append(red, reason)
		case Amber:
			amber = append(amber, reason)
		case Green, Unmeasured:
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.Protocols)) {
		for _, check := range c.Protocols[id].Checks {
			note(check.Light, id+" "+check.String())
		}
	}
	for _, d := range c.Datasets {
		note(d.Light, d.String())
	}
	if right, called, doubts := c.Verdicts.DoubtsWorse(); doubts {
		note(Amber, fmt.Sprintf("worse was right %d of %d times; the target is to be sure of at least %g", right, called, TrustedWorse))
	} else if c.Verdicts != nil {
		note(Green, "")
	}
	if c.Status != Unmeasured {
		for _, id := range Protocols() {
			if p, ok := c.Protocols[id]; !ok || p.Light == Unmeasured {
				note(Amber, id+" was not measured")
			}
		}
	}
	c.Reasons = append(append(c.Reasons, red...), amber...)
}

// String is the figure beside its goal: "missing 0.72 (36/50), target at least 0.86".
func (c Check) String() string {
	if c.N == 0 {
		return c.ID + " not measured"
	}
	counts := ""
	if c.Count != nil {
		counts = fmt.Sprintf(" (%d/%d)", *c.Count, c.N)
	}
	bound := "at least"
	if c.AtMost {
		bound = "at most"
	}
	return fmt.Sprintf("%s %.3f%s, target %s %.3g", c.ID, c.Value, counts, bound, c.Goal)
}

// After adds to a new card what an older one of the same judge and prompts measured and the new one did not: a protocol that
// was not asked for again keeps its figures and their date. Cards of other judges or prompts change nothing.
func (c JudgeCard) After(older JudgeCard) JudgeCard {
	if older.Judge != c.Judge || older.PromptVersion != c.PromptVersion {
		return c
	}
	if len(c.Protocols) == 0 && len(older.Protocols) > 0 {
		c.Source, c.Items, c.Replicates = older.Source, older.Items, older.Replicates
	}
	protocols := maps.Clone(older.Protocols)
	if protocols == nil {
		protocols = map[string]Protocol{}
	}
	maps.Copy(protocols, c.Protocols)
	c.Protocols = protocols
	if c.Verdicts == nil {
		c.Verdicts = older.Verdicts
	}
	c.Alignments = alignedAfter(older.Alignments, c.Alignments)
	c.Datasets = slices.Clone(c.Datasets)
	for _, d := range older.Datasets {
		if !slices.ContainsFunc(c.Datasets, func(n DatasetScore) bool { return n.Name == d.Name }) {
			c.Datasets = append(c.Datasets, d)
		}
	}
	slices.SortStableFunc(c.Datasets, func(a, b DatasetScore) int { return strings.Compare(a.Name, b.Name) })
	c.Settle()
	return c
}
