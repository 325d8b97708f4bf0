package formula

import (
	"math"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// Outcome says what became of a formula.
type Outcome int

// What a formula may come to.
const (
	Valued        Outcome = iota + 1 // it has a value
	NotApplicable                    // it says nothing of this sample
	Failed                           // a verdict that it needs is missing or wrong
)

// Reduction is what a formula makes of its verdicts: a value, not applicable, or failed.
type Reduction struct {
	Outcome Outcome
	Value   float64 // meaningful only when Outcome is Valued
	Why     string  // not applicable or failed: a code such as "no_claims"; "" when Valued
}

// reducedTo is a value. What is not a number, which only the Ragas profiles let happen, is not applicable.
func reducedTo(value float64) Reduction {
	if math.IsNaN(value) {
		return reducedNA("not_a_number")
	}
	return Reduction{Outcome: Valued, Value: value}
}

func reducedNA(why string) Reduction     { return Reduction{Outcome: NotApplicable, Why: why} }
func reducedFailed(why string) Reduction { return Reduction{Outcome: Failed, Why: why} }

// Terms that Ragas adds to denominators.
const (
	ragasRankTerm   = 1e-10 // average precision, conciseness
	ragasFactTerm   = 1e-8  // factual correctness
	ragasEntityTerm = 1e-8  // context entity recall
)

// VerdictList holds what a judge said of a list of statements, 1 for yes and 0 for no. A judge of a lax schema may say other
// integers; all but 0 count as yes, except where the collections of Ragas add the integers up.
type VerdictList struct {
	Sent     int // statements the judge was given; -1 when it made the list itself
	Verdicts []int
}

// VerdictsOf are the verdicts of a judge that was held to yes and no, one for each statement.
func VerdictsOf(yes []bool) VerdictList {
	l := VerdictList{Sent: len(yes), Verdicts: make([]int, len(yes))}
	for i, y := range yes {
		if y {
			l.Verdicts[i] = 1
		}
	}
	return l
}

// complete reports whether every statement has its verdict.
func (l VerdictList) complete() bool { return l.Sent < 0 || l.Sent == len(l.Verdicts) }

// Yes is how many statements were confirmed.
func (l VerdictList) Yes() int {
	n := 0
	for _, v := range l.Verdicts {
		if v != 0 {
			n++
		}
	}
	return n
}

func (l VerdictList) sum() int {
	n := 0
	for _, v := range l.Verdicts {
		n += v
	}
	return n
}

// fBetaOfCounts is [textual.FBeta] of true positives, false positives and false negatives; an empty denominator gives 0.
func fBetaOfCounts(tp, fp, fn int, beta float64) float64 {
	return textual.FBeta(textual.RatioOrZero(tp, tp+fp), textual.RatioOrZero(tp, tp+fn), beta)
}

// toCents rounds to two decimals as numpy does: halves go to the even neighbour.
func toCents(x float64) float64 { return math.RoundToEven(x*100) / 100 }

func toShare(x float64) float64 { return max(0, min(1, x)) }
