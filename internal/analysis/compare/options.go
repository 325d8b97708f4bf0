package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Options are the choices of a comparison. The zero value is the recommended one.
type Options struct {
	// Gates are the metrics that decide and may confirm, in their order; at most two, because each further one raises the number of
	// false alarms. Nil takes what the candidate's setup froze ([experiments.Setup.Deciding]): the first two of them that some
	// question was scored by. The others are exploratory: their probabilities are shown and they confirm nothing.
	Gates []string
	// Facts reads what the judge found in an answer beyond its grades; nil where nothing can be read. It buys nothing.
	Facts FactsReader
	// Preferences say which way the first metric moved, by comparisons of two answers in both orders; nil where answers are never set
	// beside each other. It is [Level] where the orders disagree, and known is false where the two were not compared.
	Preferences func(q experiments.Question, before, after *experiments.Result) (moved Movement, known bool)
	// Holds reports whether the candidate's documents hold a text, where they are others than the baseline's; nil where nobody can look.
	Holds func(quote string) (holds, known bool)
	// FDR bounds the expected share of false flags among the questions called worse, over all gates; 0 is 0.05. Each of two
	// gates gets half of it.
	FDR float64
	// Seed chooses the questions for calibration and the sign patterns of permutation tests. Runs with equal votes and equal
	// seeds give equal comparisons.
	Seed uint64
	// Anchors are fixed answers that were judged when the baseline was and are judged again now; see [Drift].
	Anchors *Anchors
}

// Anchors hold the results of the same fixed answers, judged at two times. They are matched by question id.
type Anchors struct {
	Before []experiments.Result
	Now    []experiments.Result
}

// most is the largest number of gate metrics.
const mostGates = 2

// gates returns the deciding metrics in their order, among specs, which some question was scored by, and the false discovery rate of
// each.
func (o Options) gates(specs []metrics.Spec, setup experiments.Setup) ([]string, float64, error) {
	if len(o.Gates) > mostGates {
		return nil, 0, problem.New(problem.Invalid, "gates", "%d metrics were asked for to decide; at most %d may confirm",
			len(o.Gates), mostGates).
			With("gates", o.Gates).WithHint("name the metrics that decide; the others stay visible")
	}
	wanted := o.Gates
	if wanted == nil {
		wanted = setup.Deciding()
	}
	gates := []string{}
	for _, id := range wanted {
		if len(gates) < mostGates && slices.ContainsFunc(specs, func(s metrics.Spec) bool { return s.ID == id }) {
			gates = append(gates, id)
		}
	}
	if len(gates) == 0 && o.Gates == nil { // what decides in this suite has no score: what there is decides
		gates = experiments.UsualDecideBy(specs)
		gates = gates[:min(len(gates), mostGates)]
	}
	q := o.FDR
	if q == 0 {
		q = 0.05
	}
	return gates, q / float64(max(1, len(gates))), nil
}

// rules are the guard's rules for n changed questions.
func (o Options) rules(n int, drop, q float64) stats.GuardRules {
	r := stats.DefaultGuardRules(n)
	r.Drop, r.FDR, r.Calibration = drop, q, 0
	return r
}
