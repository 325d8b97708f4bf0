package foreign

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// The ways of [ForeignOptions.VoteColumns] beside "", which folds columns whose names leave no doubt.
const (
	VotesFold  = "fold"  // columns that differ by a number alone are votes of one metric also where that is in doubt
	VotesApart = "apart" // each is a metric of its own
)

// voteColumns are columns whose names differ by a number alone.
type voteColumns struct {
	metric  string // what is left of their names; "" where nothing is
	columns []string
	numbers []int
	certain bool // the names say that they are votes of one metric
}

// votesAmong finds the columns among the metrics of a table that may be votes of one, in the order of the table. Where numbers are left out
// or stand twice, or a column is called as the metric itself, that is in doubt whatever their names say.
func votesAmong(names []string) (groups []voteColumns) {
	at := map[string]int{}
	for _, name := range names {
		metric, number, certain, ok := intake.VoteColumn(name)
		if !ok || strings.Contains(strings.ToLower(metric), "rouge") {
			continue
		}
		key := intake.ColumnKey(metric)
		i, known := at[key]
		if !known {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, voteColumns{metric: metric, certain: certain})
		}
		g := &groups[i]
		g.columns, g.numbers, g.certain = append(g.columns, name), append(g.numbers, number), g.certain && certain
	}
	groups = slices.DeleteFunc(groups, func(g voteColumns) bool { return len(g.columns) < 2 || len(g.columns) > MostVotes })
	for i := range groups {
		g := &groups[i]
		first := slices.Min(g.numbers)
		for n := range g.numbers {
			g.certain = g.certain && slices.Contains(g.numbers, first+n) && first <= 1
		}
		g.certain = g.certain && !slices.ContainsFunc(names, func(name string) bool {
			return intake.ColumnKey(name) == intake.ColumnKey(g.metric)
		})
	}
	return groups
}

// folded are the metrics of a table with the columns of each, once votes in columns are put together as the options say, and what people
// are told of that. scores are the numbers of a column: shares of 1 and points are no votes of one metric.
func (o ForeignOptions) folded(names []string, scores func(string) []float64) (metrics []string, columns [][]string, said []text.Said) {
	of := map[string]voteColumns{} // by each of their columns
	for _, g := range votesAmong(names) {
		sameScale := !slices.ContainsFunc(g.columns, func(name string) bool { return apartOnScale(scores(g.columns[0]), scores(name)) })
		fold := o.VoteColumns == VotesFold || o.VoteColumns == "" && g.certain && sameScale
		if o.VoteColumns != VotesApart {
			said = append(said, g.told(fold))
		}
		if !fold {
			continue
		}
		for _, name := range g.columns {
			of[name] = g
		}
	}
	for _, name := range names {
		g, votes := of[name]
		switch {
		case !votes:
			metrics, columns = append(metrics, name), append(columns, []string{name})
		case name == g.columns[0]:
			metrics, columns = append(metrics, g.called(names)), append(columns, g.columns)
		}
	}
	return metrics, columns, said
}

// called is the name of the metric of these votes, which no other column of the table has.
func (g voteColumns) called(names []string) string {
	name := cmp.Or(g.metric, "votes")
	for slices.Contains(names, name) {
		name += " (votes)"
	}
	return name
}

// told says what the columns were taken for, and how to have them taken otherwise.
func (g voteColumns) told(fold bool) text.Said {
	list, ja := inShort(g.columns)
	if fold {
		return text.Say("%[1]s are read as %[3]d votes of one metric, %[4]s; where each is a metric of its own, say so: --vote-columns apart",
			"%[2]sは、1つの指標「%[4]s」の%[3]d回分の採点として読みました。"+
				"それぞれが別の指標であれば --vote-columns apart と指定してください", list, ja, len(g.columns), cmp.Or(g.metric, "votes"))
	}
	return text.Say("%[1]s are read as %[3]d metrics, each for itself; where they are votes of one metric, say so: --vote-columns fold",
		"%[2]sは別々の指標%[3]d個として読みました。"+
			"1つの指標の複数回の採点であれば --vote-columns fold と指定してください", list, ja, len(g.columns))
}

// apartOnScale reports whether the numbers of one column are shares of 1 and those of the other are not.
func apartOnScale(first, second []float64) bool {
	parts := func(v float64) bool { return v > 0 && v < 1 }
	over := func(v float64) bool { return v > 1 }
	shares := func(list []float64) bool { return slices.ContainsFunc(list, parts) && !slices.ContainsFunc(list, over) }
	points := func(list []float64) bool { return slices.ContainsFunc(list, over) && !slices.ContainsFunc(list, parts) }
	return shares(first) && points(second) || points(first) && shares(second)
}

// checkVoteColumns refuses a way to read columns of votes that there is not.
func (o ForeignOptions) checkVoteColumns() error {
	if slices.Contains([]string{"", VotesFold, VotesApart}, o.VoteColumns) {
		return nil
	}
	return problem.New(problem.Invalid, "results_vote_columns", "columns of votes are read in no way called %q", o.VoteColumns).
		WithHint("the ways are %s and %s; without one, columns are votes where their names leave no doubt", VotesFold, VotesApart)
}

// scoredColumns is a metric with the columns that hold its votes.
type scoredColumns struct {
	metric  string
	columns []string
}

// foldVotes puts columns of a table together that hold votes of one metric, and says so.
func (r *foreignReader) foldVotes(names []string) []scoredColumns {
	metrics, columns, said := r.options.folded(names, func(name string) (scores []float64) {
		for v := range r.column(name) {
			if score, state := cellScore(v); state == scoreThere {
				scores = append(scores, score)
			}
		}
		return scores
	})
	for _, told := range said {
		r.out.Notes, r.out.Sheet = append(r.out.Notes, told.EN), append(r.out.Sheet, told)
	}
	out := make([]scoredColumns, len(metrics))
	for i := range metrics {
		if out[i] = (scoredColumns{metrics[i], columns[i]}); len(columns[i]) > 1 {
			r.out.folded = append(r.out.folded, metrics[i])
		}
	}
	return out
}

// OneVote is a column of a file that holds one vote of a metric of which the other file has several.
type OneVote struct{ File, Column, Metric string }

// SameVotes gives a column such as score_1 the name of the metric, score, whose votes score_1 to score_3 the other file holds, where it
// is the only one that may be such a vote; so that the two are compared.
func SameVotes(before, after *ScoreTable) (b, a *ScoreTable, renamed []OneVote) {
	b, one := before.votesOf(after)
	a, other := after.votesOf(before)
	return b, a, slices.Concat(one, other)
}

// votesOf is the table with the names that its single votes have among the metrics of another.
func (t *ScoreTable) votesOf(other *ScoreTable) (*ScoreTable, []OneVote) {
	clone := *t
	var renamed []OneVote
	for _, metric := range other.Folded {
		var single []int
		for i, name := range t.Metrics {
			of, _, _, ok := intake.VoteColumn(name)
			if ok && intake.ColumnKey(of) == intake.ColumnKey(metric) && !slices.Contains(other.Metrics, name) {
				single = append(single, i)
			}
		}
		if len(single) != 1 || slices.Contains(t.Metrics, metric) {
			continue
		}
		i, name := single[0], t.Metrics[single[0]]
		clone.Metrics = slices.Clone(clone.Metrics)
		clone.Metrics[i] = metric
		if lower, known := t.Lower[name]; known {
			clone.Lower = maps.Clone(clone.Lower)
			clone.Lower[metric] = lower
		}
		renamed = append(renamed, OneVote{t.File, name, metric})
	}
	return &clone, renamed
}

// addVotes adds an item with its scores, and one more for each further vote: the same answer, scored again.
func (r *foreignReader) addVotes(item ForeignItem, row map[string]any, scores []scoredColumns) {
	most := 1
	for _, s := range scores {
		most = max(most, len(s.columns))
	}
	first := len(r.out.Items)
	for vote := range most {
		if vote > 0 {
			item = r.out.Items[first] // where personal data is hidden already
			item.Scores, item.Again = nil, true
		}
		for _, s := range scores {
			if vote < len(s.columns) {
				r.score(&item, s.metric, row[s.columns[vote]], "", "")
			}
		}
		if vote > 0 {
			r.out.Items = append(r.out.Items, item)
			continue
		}
		if r.add(item); len(r.out.Items) == first {
			return // the row is wrong, which is said once
		}
	}
}
