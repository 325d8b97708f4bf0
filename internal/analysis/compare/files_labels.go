package compare

import (
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// fileMetric compares one metric of two files.
type fileMetric struct {
	name              string
	pairs             []filePair
	places            [2]int // of the metric in the items of both files
	rules             FileRules
	out               FileMetric
	left              []filePair // those without
	scored            []filePair // those with a score on both sides; by their order:
	cells             []cell
	before, candidate []float64 // means over replicates
	scale             fileScale
}

// collect gathers the questions that both files score; false when there are none.
func (m *fileMetric) collect() bool {
	for _, p := range m.pairs {
		b, a := p.before.Scores[m.places[0]], p.after.Scores[m.places[1]]
		if len(b) == 0 || len(a) == 0 {
			m.out.Unscored++
			m.left = append(m.left, p)
			continue
		}
		m.cells = append(m.cells, cell{pair: len(m.scored), before: b, after: a})
		m.scored = append(m.scored, p)
		m.before, m.candidate = append(m.before, mean(b)), append(m.candidate, mean(a))
	}
	return len(m.scored) > 0
}

// compare labels every question as a comparison of two runs would that had this metric as their only gate.
func (m *fileMetric) compare() []FileChange {
	m.scale = scaleFor(m.name, spreadOf(m.cells), m.rules)
	m.describe()
	s := m.session()
	var verdicts []verdict
	if m.scale.kind != "other" && m.replicated() {
		var figures *GuardFigures
		if verdicts, figures = s.guard(m.scale.spec, m.cells); verdicts != nil {
			m.out.ExpectedFalse, m.out.ExpectedMiss = figures.ExpectedFalse, figures.ExpectedMiss
		}
	}
	changes := make([]FileChange, len(m.cells))
	tests := m.tests()
	for i, cell := range m.cells {
		row, open := s.row(m.scale.spec, cell), 0.0
		p := m.scored[i]
		switch {
		case s.settled:
			row.ByOneVote(m.scale.spec)
			m.out.Method = "deterministic"
		case p.before.Answer != "" && p.before.Answer == p.after.Answer: // as of two runs
			row.Label, row.Detail, row.SettledBy = NoChange, UnchangedIdentical, ByIdentity
		case verdicts != nil:
			row.byReplicates(verdicts[i], m.scale.spec, true)
			open = row.open()
			m.out.Method = "replicates"
		case tests != nil:
			tests[i].label(&row, m.scale.spec)
			open = row.open()
			m.out.Method = "paired_tests"
			if row.Label == Worse {
				m.out.ExpectedFalse += testedFDR
			}
		default:
			row.byDoubt(m.scale.spec)
			open = 1
			m.out.Method = "one_score"
		}
		if m.scale.undirected {
			row.undirected()
		}
		m.out.Counts.add(row.Label)
		changes[i] = m.change(row)
		changes[i].open = open
		if m.scale.undirected {
			continue
		}
		if row.Label == NeedsCheck {
			m.leans(changes[i].loss)
		}
		if tests != nil && !s.settled && row.SettledBy != ByIdentity {
			changes[i].P = &tests[i].fall
		}
	}
	if m.scale.undirected {
		m.out.ExpectedFalse, m.out.ExpectedMiss = 0, 0 // nothing is called worse, and nothing can be missed
	}
	return changes
}

// undirected takes back what way a score went where nobody knows which way is better: people have to say it.
func (q *QuestionChange) undirected() {
	q.PRegression, q.PImprovement = nil, nil
	if q.Label == Worse || q.Label == Better {
		q.Label, q.Detail, q.SettledBy = NeedsCheck, Unresolved, ""
	}
}

// leans counts a question that needs a check by which way its score moved.
func (m *fileMetric) leans(loss float64) {
	switch {
	case loss > 0:
		m.out.CheckWorse++
	case loss < 0:
		m.out.CheckBetter++
	}
}

// replicated reports whether both files score questions more than once. From one score of the candidate a guard cannot tell
// a fall from an outlier, and would call it no change.
func (m *fileMetric) replicated() bool {
	return slices.ContainsFunc(m.cells, func(c cell) bool { return len(c.before) > 1 }) &&
		slices.ContainsFunc(m.cells, func(c cell) bool { return len(c.after) > 1 })
}

// session stands for two runs of which nothing is known but scores.
func (m *fileMetric) session() *session {
	s := &session{settled: m.rules.Deterministic, gates: map[string]bool{m.name: true}, q: usualFDR, pairs: make([]pair, len(m.scored))}
	s.rules = [2]experiments.LowRule{experiments.UsualLow(experiments.DefaultLowScore), experiments.UsualLow(experiments.DefaultLowScore)}
	for i, p := range m.scored {
		q := &experiments.Question{ID: p.before.ID, Critical: p.before.Critical || p.after.Critical}
		s.pairs[i] = pair{question: q, baseline: q}
	}
	return s
}

// usualFDR is the bound of the expected share of false flags among the questions called worse.
const usualFDR = 0.05

func (m *fileMetric) change(row QuestionChange) FileChange {
	c := FileChange{
		ID: row.QuestionID, Metric: row.Metric, Baseline: row.Baseline, Candidate: row.Candidate, Label: row.Label, Detail: row.Detail,
		PRegression: row.PRegression, PImprovement: row.PImprovement, Replicates: row.Replicates, Flaky: row.Flaky, Critical: row.Critical,
	}
	c.settledBy, c.moved = row.SettledBy, row.gain(m.scale.spec) != 0
	c.loss = c.Baseline - c.Candidate
	if m.scale.spec.LowerIsBetter {
		c.loss = -c.loss
	}
	if width := m.scale.spec.Max - m.scale.spec.Min; width > 0 {
		c.loss /= width
	}
	return c
}

// describe fills in the figures of the whole metric.
func (m *fileMetric) describe() {
	floor := noiseOf(m.cells)
	diffs := make([]float64, len(m.before))
	for i := range diffs {
		diffs[i] = m.candidate[i] - m.before[i]
	}
	if m.scale.spec.Delta == 0 {
		delta, why := leastChange(floor, m.before)
		m.scale.spec.Delta = delta
		m.scale.note += "; " + why
	}
	s := m.scale.spec
	m.out.ID, m.out.Scale, m.out.Note = m.name, m.scale.kind, m.scale.note
	m.out.Min, m.out.Max, m.out.LowerIsBetter, m.out.Delta = s.Min, s.Max, s.LowerIsBetter, s.Delta
	m.out.Undirected = m.scale.undirected
	m.out.N, m.out.Baseline, m.out.Candidate = len(diffs), stats.Mean(m.before), stats.Mean(m.candidate)
	m.out.Diff = m.out.Candidate - m.out.Baseline
	if floor.DF > 0 {
		m.out.NoiseFloor = &floor.Smallest
	}
	if len(diffs) < Fewest {
		return
	}
	if t, err := stats.PairedT(m.before, m.candidate); err == nil {
		m.out.CI95 = &[2]float64{t.CILow, t.CIHigh}
	}
	if visible, err := (stats.Plan{Alpha: 0.05, Power: gatePower}).
		Detectable(math.Sqrt(stats.Variance(diffs, 1)), len(diffs)); err == nil && visible > 0 {
		m.out.Visible = &visible
	}
}

// The bounds of paired tests for scores of an unknown scale: a change counts with three scores in both files, at a share
// of false discoveries of 0.05 over the questions.
const (
	testedVotes = 3
	testedFDR   = 0.05
)

// tested is the outcome of the paired tests on one question: p values against "not worse" and "not better", and the same
// corrected for the number of questions.
type tested struct{ fall, rise, fallen, risen float64 }

// label is worse or better where a change of delta passes the test; such a change that does not pass needs a check.
func (t tested) label(row *QuestionChange, spec metrics.Spec) {
	row.byDoubt(spec)
	switch gain := row.gain(spec); {
	case gain < 0 && t.fallen <= testedFDR:
		row.Label, row.Detail = Worse, Confirmed
	case gain > 0 && t.risen <= testedFDR:
		row.Label, row.Detail = Better, Improved
	}
}

// tests compares the replicates of scores whose scale the guard does not know: question by question a t test of the two
// means against the noise of its own replicates, never below the noise that all questions share (moderated with 6 degrees
// of freedom), corrected for the number of questions by Benjamini and Hochberg. It is nil without replicates in both files.
func (m *fileMetric) tests() []tested {
	if m.scale.kind != "other" || !m.replicated() {
		return nil
	}
	floor := noiseOf(m.cells)
	fall, rise := make([]float64, len(m.cells)), make([]float64, len(m.cells))
	for i, c := range m.cells {
		fall[i], rise[i] = m.oneSided(c, floor)
	}
	fallen, err := stats.BenjaminiHochberg(fall)
	if err != nil {
		return nil // a p value outside 0 to 1 proves nothing
	}
	risen, err := stats.BenjaminiHochberg(rise)
	if err != nil {
		return nil
	}
	out := make([]tested, len(m.cells))
	for i := range out {
		out[i] = tested{fall[i], rise[i], fallen[i], risen[i]}
	}
	return out
}

// oneSided returns the p values of one question against "not worse" and "not better"; 1 with too few scores.
func (m *fileMetric) oneSided(c cell, floor stats.NoiseFloor) (fall, rise float64) {
	b, a := c.before, c.after
	if min(len(b), len(a)) < testedVotes {
		return 1, 1
	}
	const priorDF = 6
	df := float64(len(b) + len(a) - 2)
	own := (stats.Variance(b, 1)*float64(len(b)-1) + stats.Variance(a, 1)*float64(len(a)-1)) / df
	variance := max(own, stats.ModeratedVariance(floor.Within, priorDF, own, df))
	diff := stats.Mean(a) - stats.Mean(b)
	if m.scale.spec.LowerIsBetter {
		diff = -diff
	}
	se := math.Sqrt(variance * (1/float64(len(b)) + 1/float64(len(a))))
	switch {
	case se > 0:
		return stats.StudentCDF(diff/se, df), stats.StudentCDF(-diff/se, df)
	case diff < 0:
		return 0, 1
	case diff > 0:
		return 1, 0
	}
	return 1, 1
}
