package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// CompareWith sets a candidate beside a baseline. Questions are matched by id, or by text where ids changed, and must have
// an equal right answer; metrics must have an equal version and, where a judge takes part, an equal judge that was prompted
// alike. What is not comparable is left out and named. A Problem of kind NotComparable says that nothing is left.
//
// Further replicates of a question, as [experiments.LoadEvaluation] pools them, are further votes on it. A change of a gate
// metric is worse or better
//
//   - when one vote settles it, because generator and judge of both runs are deterministic and it is at least the metric's
//     delta, or
//   - when the regression guard confirms it from replicates (at least three in each arm).
//
// Where the judge saw the same in both runs there is no change, whatever it said. Everything else that could be a change
// needs a check.
func CompareWith(baseline, candidate experiments.Evaluation, o Options) (Comparison, error) {
	s, err := open(baseline, candidate, o)
	if err != nil {
		return s.Comparison, err
	}
	c := &s.Comparison
	for _, spec := range s.specs {
		s.compareMetric(spec)
	}
	if len(c.Metrics) == 0 {
		return *c, problem.New(problem.NotComparable, "no_common_scores",
			"no question has a score of the same metric in both runs %s and %s", baseline.Run.ID, candidate.Run.ID).
			With("excluded", c.Excluded).WithHint("`workbench runs show RUN` says why scores are missing")
	}
	s.countLow()
	c.Questions = worstFirst(s.changes)
	s.verdicts()
	c.Replaced = s.replaced()
	c.Triage = s.triage()
	s.warn(baseline, candidate)
	c.Method = s.method()
	return *c, nil
}

// countLow counts the low-score answers of both runs. Where the runs do not mean the same by low, and one says so in its own terms, none
// is counted: the counts could not be set beside each other.
func (s *session) countLow() {
	if s.LowApart {
		return
	}
	for i := range s.pairs {
		p := &s.pairs[i]
		if !p.before[0].Rated(s.rules[0]) || !p.after[0].Rated(s.rules[1]) {
			continue // a question that failed in one run says nothing of how the other changed
		}
		s.RatedBefore, s.RatedAfter = s.RatedBefore+1, s.RatedAfter+1
		if p.low[0] {
			s.LowBefore++
		}
		if p.low[1] {
			s.LowAfter++
		}
	}
}

// session is a comparison in the making.
type session struct {
	Comparison
	options     Options
	pairs       []pair
	at          map[string]int // place in pairs, by the candidate's id
	specs       []metrics.Spec
	changes     []change   // not sorted yet
	spare       []cell     // room for those of the next metric
	decided     []Deciding // see decidedOn
	gates       map[string]bool
	q           float64                // false discovery rate of each gate
	rules       [2]experiments.LowRule // which answers are low in the baseline and in the candidate
	settled     bool                   // one vote settles
	found       bool                   // a search made again finds the same, in both runs
	lacks       [2]bool                // the baseline or the candidate was not scored by what tells answers of one grade apart
	tiedByVotes int                    // of ByGradeAlone: decided by repeated votes, whatever else were known
	clusters    grouping
	themes      *grouping // where documents are the clusters, and some questions have a theme
	themed      bool      // themes stand in for source documents in clusters
}

// open matches questions and metrics.
func open(baseline, candidate experiments.Evaluation, o Options) (*session, error) {
	s := &session{options: o, Comparison: Comparison{
		Baseline: baseline.Run, Candidate: candidate.Run,
		Metrics: map[string]MetricChange{}, Counts: map[string]LabelCounts{}, Questions: []QuestionChange{}, Triage: []Triage{},
		Added: []string{}, Removed: []string{}, Reworded: []string{}, ReferenceChanged: []string{}, Excluded: []Exclusion{},
	}}
	s.pairs = s.match(NewRunArm(baseline), NewRunArm(candidate))
	if len(s.pairs) == 0 {
		return s, problem.New(problem.NotComparable, "no_common_questions",
			"runs %s (%s) and %s (%s) share no question", baseline.Run.ID, baseline.Run.Setup.Dataset, candidate.Run.ID,
			candidate.Run.Setup.Dataset).
			WithHint("compare runs over the same dataset; `workbench runs list` shows which dataset each run used")
	}
	s.rules = [2]experiments.LowRule{baseline.Run.Setup.LowRule(), candidate.Run.Setup.LowRule()}
	s.LowApart = s.rules[0] != s.rules[1] && (s.rules[0].Own || s.rules[1].Own)
	for i := range s.pairs {
		p := &s.pairs[i]
		p.low = [2]bool{low(p.before, s.rules[0]), low(p.after, s.rules[1])}
	}
	s.specs = s.comparable()
	if len(s.specs) == 0 {
		return s, problem.New(problem.NotComparable, "no_common_metrics",
			"runs %s and %s share no metric measured the same way", baseline.Run.ID, candidate.Run.ID).
			With("excluded", s.Excluded).WithHint("run both with the same suite and judge")
	}
	s.at = make(map[string]int, len(s.pairs))
	for i, p := range s.pairs {
		s.at[p.question.ID] = i
	}
	s.settled = baseline.Run.Setup.Settled && candidate.Run.Setup.Settled
	s.found = findsTheSame(baseline.Run.Setup) && findsTheSame(candidate.Run.Setup)
	s.lacks = [2]bool{lacksStatements(baseline.Run.Setup.Suite), lacksStatements(candidate.Run.Setup.Suite)}
	s.findClusters()
	var err error
	s.DecideBy, s.q, err = o.gates(slices.DeleteFunc(slices.Clone(s.specs), func(spec metrics.Spec) bool { return !s.scored(spec) }),
		candidate.Run.Setup)
	s.gates = make(map[string]bool, len(s.DecideBy))
	for _, id := range s.DecideBy {
		s.gates[id] = true
	}
	s.decided = make([]Deciding, len(s.pairs)*len(s.DecideBy))
	return s, err
}

// findsTheSame reports whether a search would find the same if it were made again: it is ours, and no model writes the query or orders
// what was found.
func findsTheSame(s experiments.Setup) bool {
	c := s.Config
	return len(s.Tools()) == 0 && !c.IsOutside() && c.Index == nil && !c.Rewrite.Asks() && !c.Rerank.Asks()
}

// settles reports whether one vote settles a metric: all models are deterministic, or it measures what a search found and that stays.
func (s *session) settles(spec metrics.Spec) bool {
	return s.settled || s.found && spec.Group == "retrieval" && !spec.NeedsJudge && !spec.NeedsEmbedding
}

// compareMetric adds the figures of one metric, its labels, and the questions that differ.
func (s *session) compareMetric(spec metrics.Spec) {
	cells := s.cells(spec, s.spare)
	s.spare = cells
	if len(cells) == 0 && spec.Group == operations && s.unmeasured(spec.ID) {
		return
	}
	if len(cells) == 0 {
		s.exclude(spec.ID, s.unscoredNote(spec))
		return
	}
	change := s.runLevel(spec, cells)
	if spec.Group == operations {
		s.Metrics[spec.ID] = change
		return
	}
	verdicts, figures := s.guard(spec, cells)
	change.Guard = figures
	s.Metrics[spec.ID], s.Counts[spec.ID] = change, s.label(spec, cells, verdicts)
}

// unmeasured reports whether neither run has a figure of a metric. Of one of operation, such as the cost of answers from elsewhere, that is
// nothing that anybody lacks.
func (s *session) unmeasured(metric string) bool {
	return !slices.ContainsFunc(s.pairs, func(p pair) bool {
		return slices.ContainsFunc(slices.Concat(p.before, p.after), func(r experiments.Result) bool {
			_, has := r.Value(metric)
			return has
		})
	})
}

// unscoredNote says why a metric has no question that was scored in both runs.
func (s *session) unscoredNote(spec metrics.Spec) Note {
	labelled := slices.ContainsFunc(s.pairs, func(p pair) bool { return len(p.question.Evidence)+len(p.baseline.Evidence) > 0 })
	if spec.Group == "retrieval" && !labelled {
		return newNote("excluded.no_evidence")
	}
	return newNote("excluded.no_scores")
}

// rowsAtOnce is how many rows are made room for: mostly few questions differ.
const rowsAtOnce = 256

// label gives every question of a metric its label, counts the labels, and keeps the questions that differ.
func (s *session) label(spec metrics.Spec, cells []cell, verdicts []verdict) LabelCounts {
	var counts LabelCounts
	var rows []QuestionChange // never moved: changes point into it
	for i, cell := range cells {
		row, open := s.row(spec, cell), 0.0
		switch {
		case s.pairs[cell.pair].identical:
			row.Label, row.Detail, row.SettledBy = NoChange, UnchangedIdentical, ByIdentity
		case s.settles(spec) && spec.Group != metrics.GroupImported: // the tool's judge may say something else next time
			row.ByOneVote(spec)
		case verdicts != nil:
			row.byReplicates(verdicts[i], spec, s.gates[spec.ID])
			open = row.open()
		default:
			row.byDoubt(spec)
			open = 1
		}
		counts.add(row.Label)
		gain := (row.Candidate - row.Baseline) / (spec.Max - spec.Min)
		if spec.LowerIsBetter {
			gain = -gain
		}
		s.deciding(spec, cell, &row, gain, open)
		if row.Baseline == row.Candidate && row.Label == NoChange && !row.Flaky {
			continue
		}
		if len(rows) == cap(rows) {
			rows = make([]QuestionChange, 0, rowsAtOnce)
		}
		rows = append(rows, row)
		s.changes = append(s.changes, change{labelOrder[row.Label], gain, cell.pair, &rows[len(rows)-1]})
	}
	return counts
}

// row is a question without its label.
func (s *session) row(spec metrics.Spec, cell cell) QuestionChange {
	p := &s.pairs[cell.pair]
	row := QuestionChange{
		QuestionID: p.question.ID, Metric: spec.ID, Baseline: mean(cell.before), Candidate: mean(cell.after), Critical: p.question.Critical,
		Replicates: [2]int{len(cell.before), len(cell.after)},
	}
	row.BecameLow = row.Baseline != row.Candidate && !p.low[0] && p.low[1]
	if p.baseline.ID != p.question.ID {
		row.BaselineID = p.baseline.ID
	}
	return row
}

// gain is how far the candidate moved the good way, 0 where it moved by less than the metric's delta. Floating-point noise
// below a billionth does not count.
func (q *QuestionChange) gain(spec metrics.Spec) float64 {
	diff := q.Candidate - q.Baseline
	if spec.LowerIsBetter {
		diff = -diff
	}
	if least := max(spec.Delta, 2e-9) - 1e-9; diff > -least && diff < least {
		return 0
	}
	return diff
}

// ByOneVote labels the change by the first vote of each run, where one vote settles it.
func (q *QuestionChange) ByOneVote(spec metrics.Spec) {
	q.SettledBy = ByOneVote
	switch gain := q.gain(spec); {
	case gain < 0:
		q.Label, q.Detail = Worse, Confirmed
	case gain > 0:
		q.Label, q.Detail = Better, Improved
	default:
		q.Label, q.Detail = NoChange, NoRegression
	}
}

// confirmedFrom is how many votes on a question each arm must have before a change on it can be confirmed.
var confirmedFrom = stats.DefaultGuardRules(0).Replicates

// open is how likely the question is worse where it has too few votes for that to be confirmed, and 0 where it has enough.
func (q *QuestionChange) open() float64 {
	switch {
	case min(q.Replicates[0], q.Replicates[1]) >= confirmedFrom:
		return 0
	case q.PRegression == nil:
		return 1
	}
	return *q.PRegression
}

// byDoubt labels what too few votes say: a change that could matter is nothing but a reason to look.
func (q *QuestionChange) byDoubt(spec metrics.Spec) {
	if q.gain(spec) == 0 {
		q.Label, q.Detail = NoChange, NoRegression
		return
	}
	q.Label, q.Detail = NeedsCheck, Unresolved
}

var labelOrder = map[Label]int{Worse: 0, NeedsCheck: 1, Better: 2, NoChange: 3}

// change is a row that is not sorted yet, with what it is sorted by.
type change struct {
	label int
	gain  float64 // share of the range that the candidate moved the good way
	pair  int     // pairs stand in the order of ids
	row   *QuestionChange
}

// worstFirst orders rows by label, critical questions first, then answers that became low, then the size of the drop as a
// share of the metric's range.
func worstFirst(changes []change) []QuestionChange {
	slices.SortFunc(changes, func(a, b change) int {
		if a.label != b.label {
			return cmp.Compare(a.label, b.label)
		}
		if order := cmp.Or(first(a.row.Critical, b.row.Critical), first(a.row.BecameLow, b.row.BecameLow)); order != 0 {
			return order
		}
		if order := cmp.Compare(a.gain, b.gain); order != 0 {
			return order
		}
		if a.pair != b.pair {
			return cmp.Compare(a.pair, b.pair)
		}
		return strings.Compare(a.row.Metric, b.row.Metric)
	})
	sorted := make([]QuestionChange, len(changes))
	for i, c := range changes {
		sorted[i] = *c.row
	}
	return sorted
}

func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
