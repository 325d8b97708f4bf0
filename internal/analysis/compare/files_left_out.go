package compare

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/problem"
)

// FileLeftOut is a question in both files by which a metric is not compared, and why: where it stands and what is there in place of a
// score.
type FileLeftOut struct {
	ID    string `json:"id"`
	Why   string `json:"why"`
	WhyJA string `json:"why_ja"` // the same, in Japanese
}

// leftOut names the questions that a metric leaves out.
func (c *FileComparison) leftOut(m *fileMetric) {
	for _, p := range m.left {
		var whys []Note
		for arm, item := range [2]*foreign.ScoredItem{p.before, p.after} {
			if len(item.Scores[m.places[arm]]) == 0 {
				whys = append(whys, lackNote(c.sides[arm], item, m.places[arm]))
			}
		}
		why := whys[0]
		if len(whys) > 1 {
			why = newNote("left.both", "first", whys[0], "second", whys[1])
		}
		m.out.LeftOut = append(m.out.LeftOut, FileLeftOut{ID: p.before.ID, Why: why.Text("en"), WhyJA: why.Text("ja")})
	}
}

// lackNote says where an item has no score, and what stands there.
func lackNote(t *foreign.ScoreTable, item *foreign.ScoredItem, metric int) Note {
	lack, there := item.Lacks[metric]
	why := newNote("left.empty")
	switch {
	case item.Unanswered:
		why, lack.Row = newNote("left.unanswered"), item.Row
	case !there: // as where the rows of a question name other metrics
		return newNote("left.nowhere", "file", t.File, "why", why)
	case lack.Cell != "":
		why = newNote("left.cell", "cell", lack.Cell)
	}
	code := "left.row"
	if t.Unit == "line" || t.Unit == "item" {
		code = "left." + t.Unit
	}
	return newNote(code, "file", t.File, "row", lack.Row, "why", why)
}

// leftOutNotes are the questions for people.
func leftOutNotes(list []FileLeftOut) listed {
	notes := make(listed, len(list))
	for i, l := range list {
		notes[i] = newNote("left.question", "id", l.ID, "why", inBoth{l.Why, l.WhyJA})
	}
	return notes
}

// inBoth are words in English and Japanese.
type inBoth [2]string

// Text is the words in "ja" or else English.
func (s inBoth) Text(lang string) string {
	if lang == "ja" {
		return s[1]
	}
	return s[0]
}

// fewestForScales is how many questions both files must score before their scores can be said to lie on two scales.
const fewestForScales = 5

// scalesDiffer tells whether the scores of one file are shares of 1 and those of the other points or percentages: 0.85 and 85 are no
// difference of answers. Of what less is better, such as errors and seconds, numbers may well grow like that; and whoever says which
// difference counts knows what the numbers are.
func (m *fileMetric) scalesDiffer(before, after string) (Note, bool) {
	_, said := m.rules.Deltas[m.name]
	if said || len(m.scored) < fewestForScales || m.rules.directionOf(m.name, spreadOf(m.cells)) != foreign.MoreIsBetter {
		return Note{}, false
	}
	if !shares(m.before) && !shares(m.candidate) || !(sharesAgainst(m.before, m.candidate) || sharesAgainst(m.candidate, m.before)) {
		return Note{}, false
	}
	return newNote("scales.differ", "file", before, "low", slices.Min(m.before), "high", slices.Max(m.before),
		"other", after, "other_low", slices.Min(m.candidate), "other_high", slices.Max(m.candidate)), true
}

// shares reports whether scores lie between 0 and 1.
func shares(scores []float64) bool { return slices.Min(scores) >= 0 && slices.Max(scores) <= 1 }

// sharesAgainst reports whether the first are shares and most of the second are no such numbers, and none of these lies between 0 and 1: or
// the first are 0 and 1 and the second levels from 1 on.
func sharesAgainst(first, second []float64) bool {
	above, within := 0, 0
	for _, v := range second {
		if v > 1 {
			above++
		}
		if v > 0 && v < 1 {
			within++
		}
	}
	levels := slices.Min(second) >= 1 && slices.Contains(first, 0) && slices.Contains(first, 1)
	parts := slices.ContainsFunc(first, func(v float64) bool { return v != math.Trunc(v) })
	return shares(first) && (parts || levels) && within == 0 && 2*above > len(second)
}

// scalesProblem refuses files of which no metric is left to compare, because they write it on two scales.
func scalesProblem(name string, why Note) *problem.Problem {
	return problem.New(problem.NotComparable, "scales_differ", "%s cannot be compared: %s", name,
		problem.Both(why.Text("en"), why.Text("ja"))).With("metric", name).
		WithHint("write both files on one scale, or say with --delta %s=X which difference counts", name)
}
