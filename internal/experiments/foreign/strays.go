package foreign

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

// A slip of the hand, such as 55 among grades from 1 to 5, widens the scale of its metric, and every limit with it: so it is a fault of its
// row. It is called one where these many scores, or this share of all, lie further out than twice the scale on which all others are.
const (
	fewestBeside = 20
	mostStrays   = 3
	strayShare   = 0.05
)

// usualScales are the scales on which scores are told from strays, the narrowest first.
var usualScales = [][2]float64{{0, 1}, {1, 5}, {0, 10}}

// strays are the places of such scores, with the scale of the others; none where the scores are few or spread.
func strays(scores []float64) (places []int, scale [2]float64) {
	if len(scores) < fewestBeside {
		return nil, scale
	}
	for _, scale = range usualScales {
		places = places[:0]
		far := true
		for i, v := range scores {
			if v < scale[0] || v > scale[1] {
				places = append(places, i)
				far = far && v > 2*scale[1]
			}
		}
		switch n := len(places); {
		case n == 0:
			return nil, scale
		case far && n <= mostStrays && float64(n) <= strayShare*float64(len(scores)):
			return places, scale
		}
	}
	return nil, scale
}

// strayScore says what is wrong with one.
func strayScore(score float64, scale [2]float64) string {
	return fmt.Sprintf("%g lies far outside of %g to %g, where all other scores of the column are; correct it, or leave the cell empty", score,
		scale[0], scale[1])
}

// seekStrays faults the rows of a table of scores that hold one.
func (b *scoreBuilder) seekStrays() {
	if b.long != nil {
		return
	}
	for m, columns := range b.columns {
		if DirectionOf(b.out.Metrics[m]) != MoreIsBetter {
			continue
		}
		for _, column := range columns {
			var scores []float64
			var rows []intake.TableRow
			for _, row := range b.source.Rows {
				if score, state := cellScore(b.forms[column].plain(row.Figure(column))); state == scoreThere {
					scores, rows = append(scores, score), append(rows, row)
				}
			}
			places, scale := strays(scores)
			for _, i := range places {
				b.faults.Add(intake.RowProblem{Row: rows[i].Number, Field: b.source.Columns[column], Message: strayScore(scores[i], scale)})
			}
		}
	}
}

// seekStrays faults the rows of a table of results that hold one. A tool's own file is believed.
func (r *foreignReader) seekStrays() {
	if r.table == nil {
		return
	}
	for _, m := range r.order {
		if DirectionOf(m.Source) != MoreIsBetter {
			continue
		}
		var scores []float64
		var items []*ForeignItem
		for i := range r.out.Items {
			for _, s := range r.out.Items[i].Scores {
				if s.Metric == m.ID && s.Value != nil {
					scores, items = append(scores, *s.Value), append(items, &r.out.Items[i])
				}
			}
		}
		places, scale := strays(scores)
		for _, at := range places {
			r.fault(items[at], m.Source, "%s", strayScore(scores[at], scale))
		}
	}
}
