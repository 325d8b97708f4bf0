package findings

import (
	"maps"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// Direction says which way the mean of a metric went, in words of better and worse.
type Direction string

// The directions.
const (
	Fell  Direction = "fell"  // worse, by more than chance explains
	Rose  Direction = "rose"  // better, by more than chance explains
	Level Direction = "level" // what there is may be chance
	Few   Direction = "few"   // too few questions to tell
	Same  Direction = "same"  // every answer is the same: there is nothing to tell
)

// Word is the direction as people read it.
func (d Direction) Word(lang string) string { return Word(lang, "direction."+string(d)) }

// Word is what became of the mean as people read it: a clear change has a size that matters.
func (f Figure) Word(lang string) string {
	if f.Small {
		return Word(lang, "direction."+string(f.Direction)+"_small")
	}
	return f.Direction.Word(lang)
}

// Figure is the mean of one metric that decides, before and after. Without a baseline Before is nil.
type Figure struct {
	Metric        string      `json:"metric"`
	Title         Text        `json:"title"`
	Min           float64     `json:"min"`
	Max           float64     `json:"max"`
	LowerIsBetter bool        `json:"lower_is_better,omitempty"`
	Before        *float64    `json:"before,omitempty"`
	After         float64     `json:"after"`
	N             int         `json:"n"`              // questions
	CI95          *[2]float64 `json:"ci95,omitempty"` // of the difference, candidate minus baseline
	Visible       *float64    `json:"visible,omitempty"`
	Direction     Direction   `json:"direction,omitempty"`
	Small         bool        `json:"small,omitempty"` // it moved by more than chance explains, and by less than a twentieth of its scale

	Groups, Otherwise compare.Grouping `json:"-"` // of questions, where they decide whether it may be chance; "" elsewhere
}

// figures are the means of the metrics that decide.
func (b *builder) figures() {
	suite := b.in.Candidate.Run.Setup.Suite
	if c := b.in.Comparison; c != nil {
		for _, id := range c.DecideBy {
			m, ok := c.Metrics[id]
			if !ok {
				continue
			}
			f := FigureOf(suite, id, m)
			if f.Direction == Few && b.same() {
				f.Direction = Same
			}
			b.Figures = append(b.Figures, f)
		}
	} else {
		for _, id := range b.in.Candidate.Run.Setup.Deciding() {
			if f, ok := b.alone(suite, id); ok {
				b.Figures = append(b.Figures, f)
			}
		}
	}
	b.Retrieval = len(b.Figures) > 0
	for _, f := range b.Figures {
		group := groupOf(suite, f.Metric)
		b.Imported = b.Imported || group == metrics.GroupImported
		b.Retrieval = b.Retrieval && group == "retrieval"
	}
}

// FigureOf is what became of the mean of a metric of a suite.
func FigureOf(suite []metrics.Spec, id string, m compare.MetricChange) Figure {
	f := newFigure(suite, id)
	f.Before, f.After, f.N, f.CI95, f.Visible = &m.Baseline, m.Candidate, m.N, m.CI95, m.Visible
	f.Direction = directionOf(m.CI95, f.LowerIsBetter)
	f.Groups, f.Otherwise = m.Grouped, m.Otherwise
	f.Small = f.moved() && math.Abs(f.After-m.Baseline) < compare.UsualMargin*(f.Max-f.Min)
	return f
}

// moved reports whether the mean moved by more than chance explains.
func (f Figure) moved() bool { return f.Direction == Rose || f.Direction == Fell }

// Clear reports whether the mean moved by more than chance explains, and by enough to matter.
func (f Figure) Clear() bool { return f.moved() && !f.Small }

// alone is the mean of a metric of a run by itself.
func (b *builder) alone(suite []metrics.Spec, id string) (Figure, bool) {
	f, sum := newFigure(suite, id), 0.0
	for _, question := range slices.Sorted(maps.Keys(b.after)) { // sums of fractions depend on their order
		if v, ok := b.after[question].Value(id); ok {
			sum += v
			f.N++
		}
	}
	if f.N == 0 {
		return f, false
	}
	f.After = sum / float64(f.N)
	return f, true
}

func newFigure(suite []metrics.Spec, id string) Figure {
	f := Figure{Metric: id, Title: titleOf(suite, id)}
	if i := slices.IndexFunc(suite, func(s metrics.Spec) bool { return s.ID == id }); i >= 0 {
		f.Min, f.Max, f.LowerIsBetter = suite[i].Min, suite[i].Max, suite[i].LowerIsBetter
	}
	return f
}

func groupOf(suite []metrics.Spec, id string) string {
	for _, s := range suite {
		if s.ID == id {
			return s.Group
		}
	}
	return ""
}

// titleOf is a metric's name for people; its id where the suite has no better one.
func titleOf(suite []metrics.Spec, id string) Text {
	t := plain(id)
	for _, s := range suite {
		if s.ID != id {
			continue
		}
		if en := s.Title("en"); en != "" {
			t.EN, t.JA = en, en
		}
		if ja := s.Title("ja"); ja != "" {
			t.JA = ja
		}
	}
	return t
}

// directionOf reads a 95% interval of a difference, candidate minus baseline; nil is too few questions.
func directionOf(ci *[2]float64, lowerIsBetter bool) Direction {
	if ci == nil {
		return Few
	}
	low, high := ci[0], ci[1]
	if lowerIsBetter {
		low, high = -high, -low
	}
	switch {
	case low > 0:
		return Rose
	case high < 0:
		return Fell
	}
	return Level
}
