package causes

import (
	"math"
	"testing"
)

// TestAChangeCostsTheSameWhateverItWasTriedWith: contexts that two changes brought together are as long as both make them, and the overlap
// that was tried beside k 6 does not make three passages as long as six.
func TestAChangeCostsTheSameWhateverItWasTriedWith(t *testing.T) {
	t.Parallel()
	k := func(to int, cost float64) Repair {
		return Repair{Component: Retriever, Param: "retrieve.k", From: 1, To: to, ContextCost: cost}
	}
	other := func(param string, cost float64) Repair {
		return Repair{Component: Retriever, Param: param, To: "x", ContextCost: cost}
	}
	prompt := Repair{Component: SystemPrompt, Param: "generate.prompt", To: ReferencePart, ContextCost: 1}
	for name, c := range map[string]struct {
		tried []Repair
		costs []float64
	}{
		"k and overlap":        {[]Repair{k(6, 6.2), other("chunk.overlap", 6.2)}, []float64{6, 6.2 / 6}},
		"the other way round":  {[]Repair{other("chunk.overlap", 6.2), k(6, 6.2)}, []float64{6.2 / 6, 6}},
		"shorter than k says":  {[]Repair{k(6, 4), other("chunk.size", 4)}, []float64{4, 1}},
		"without k":            {[]Repair{other("chunk.size", 3), other("retrieve.mode", 3)}, []float64{3, 1}},
		"one change":           {[]Repair{k(3, 2.8)}, []float64{2.8}},
		"a prompt besides":     {[]Repair{k(3, 2.8), prompt}, []float64{2.8, 1}},
		"a prompt beside both": {[]Repair{k(6, 6.2), other("chunk.overlap", 6.2), prompt}, []float64{6, 6.2 / 6, 1}},
	} {
		got, whole, most := shared(c.tried), 1.0, 0.0
		for i, r := range got {
			whole, most = whole*r.ContextCost, max(most, c.tried[i].ContextCost)
			if math.Abs(r.ContextCost-c.costs[i]) > 1e-9 {
				t.Errorf("%s: %s costs %g, want %g", name, r.Param, r.ContextCost, c.costs[i])
			}
		}
		if math.Abs(whole-most) > 1e-9 || math.Abs(joint(got).cost()-most) > 1e-9 {
			t.Errorf("%s: together they cost %g, and %g were measured", name, joint(got).cost(), most)
		}
	}
	if got := (joint{k(3, 2.8), shared([]Repair{k(6, 6.2), other("chunk.overlap", 6.2)})[1]}).cost(); got > 3 {
		t.Errorf("k 3 with an overlap costs %g", got)
	}
}
