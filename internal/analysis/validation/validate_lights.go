package validation

import (
	"fmt"
	"maps"
	"slices"
)

// WrongLight is a light of a card that is better than its figures allow.
type WrongLight struct {
	Of        string // "status", a protocol, "protocol check", or a dataset
	Told, Due Light
}

// String is "J1 ideal GREEN → RED".
func (w WrongLight) String() string { return fmt.Sprintf("%s %s → %s", w.Of, w.Told, w.Due) }

// WrongLights are the lights of a card that are better than its own figures, with the goals that were kept beside them. One that is worse
// than that has a reason which the figures do not tell, such as lost items; verdicts are left out, because older programs did not
// count them.
func (c JudgeCard) WrongLights() (wrong []WrongLight) {
	hold := func(of string, told, due Light) {
		if told != due && due.worse(told) == due {
			wrong = append(wrong, WrongLight{of, told, due})
		}
	}
	status := Unmeasured
	for _, id := range slices.Sorted(maps.Keys(c.Protocols)) {
		p, light := c.Protocols[id], Unmeasured
		for _, check := range p.Checks {
			due := aim{check.Goal, check.Floor, check.AtMost}.check(check.ID, check.value(), check.N).Light
			hold(id+" "+check.ID, check.Light, due)
			light = light.worse(due)
		}
		hold(id, p.Light, light)
		status = status.worse(light)
	}
	for _, d := range c.Datasets {
		if due := d.light(); due != Unmeasured { // else an older program measured it otherwise
			hold(d.Name, d.Light, due)
			status = status.worse(due)
		}
	}
	hold("status", c.Status, status)
	return wrong
}

// value is the figure of a check: of a share, what its count gives.
func (c Check) value() float64 {
	if c.Count != nil && c.N > 0 {
		return float64(*c.Count) / float64(c.N)
	}
	return c.Value
}
