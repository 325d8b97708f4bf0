package compare

import (
	"strings"
	"testing"
)

// TestHalfLevelsAreLevels: scores in half steps from 1 to 5 lie on that scale, as they do once they are imported; others on none that is
// known.
func TestHalfLevelsAreLevels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after float64
		says          string
		low, high     float64
	}{
		{3.5, 5, "whole or half numbers from 1 to 5", 1, 5},
		{2, 4, "all scores are whole numbers from 1 to 5", 1, 5},
		{1.3, 4, "fit no known scale", 1.3, 4},
		{0.5, 4, "fit no known scale", 0.5, 4},
	} {
		s := guessed(spreadOf([]cell{{before: []float64{c.before}, after: []float64{c.after}}}))
		if !strings.Contains(s.note, c.says) || s.spec.Min != c.low || s.spec.Max != c.high {
			t.Errorf("%g and %g: %s, %g to %g", c.before, c.after, s.note, s.spec.Min, s.spec.Max)
		}
	}
}
