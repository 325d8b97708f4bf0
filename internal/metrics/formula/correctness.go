package formula

import (
	"math"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// FactualMode says which figure factual correctness is.
type FactualMode string

// The figures of factual correctness: the F measure of precision and recall, or one of them.
const (
	FactualF1        FactualMode = "f1"
	FactualPrecision FactualMode = "precision"
	FactualRecall    FactualMode = "recall"
)

// FactualVerdicts are the claims of the answer verified against the reference and the other way round.
type FactualVerdicts struct {
	AnswerClaims    VerdictList // by the reference
	ReferenceClaims VerdictList // by the answer; not looked at by precision
}

// FactualCorrectness is the share of the answer's claims that the reference supports (precision), the share of the
// reference's claims that the answer holds (recall), or their F measure.
//
// Ragas divides the supported answer claims by themselves plus the missed reference claims and calls that recall, adds 1e-8 to
// denominators and rounds to two decimals. Fixed does none of this. An answer without claims has no precision, but a recall and
// F measure of 0; a reference without claims has neither.
func FactualCorrectness(p textual.Profile, mode FactualMode, beta float64, v FactualVerdicts) Reduction {
	if p != textual.ProfileFixed {
		return reducedTo(toCents(ragasFactual(mode, beta, v)))
	}
	if beta <= 0 {
		return reducedFailed("beta_not_positive")
	}
	if !v.AnswerClaims.complete() || mode != FactualPrecision && !v.ReferenceClaims.complete() {
		return reducedFailed("verdicts_missing")
	}
	answer, reference := len(v.AnswerClaims.Verdicts), len(v.ReferenceClaims.Verdicts)
	precision := textual.RatioOrZero(v.AnswerClaims.Yes(), answer)
	recall := textual.RatioOrZero(v.ReferenceClaims.Yes(), reference)
	switch {
	case mode == FactualPrecision && answer == 0:
		return reducedNA("no_claims")
	case mode == FactualPrecision:
		return reducedTo(precision)
	case reference == 0:
		return reducedNA("no_reference_claims")
	case mode == FactualRecall:
		return reducedTo(recall)
	default:
		return reducedTo(textual.FBeta(precision, recall, beta))
	}
}

func ragasFactual(mode FactualMode, beta float64, v FactualVerdicts) float64 {
	tp := v.AnswerClaims.Yes()
	fp := len(v.AnswerClaims.Verdicts) - tp
	fn := 0
	if mode != FactualPrecision {
		fn = len(v.ReferenceClaims.Verdicts) - v.ReferenceClaims.Yes()
	}
	switch mode {
	case FactualPrecision:
		return float64(tp) / (float64(tp+fp) + ragasFactTerm)
	case FactualRecall:
		return float64(tp) / (float64(tp+fn) + ragasFactTerm)
	default:
		return fBetaOfCounts(tp, fp, fn, beta)
	}
}

// CorrectnessWeights weigh facts and similarity in answer correctness; they are divided by their sum.
type CorrectnessWeights struct{ Facts, Similarity float64 }

// DefaultCorrectnessWeights are those of Ragas: facts count three times as much.
var DefaultCorrectnessWeights = CorrectnessWeights{Facts: 0.75, Similarity: 0.25}

func (w CorrectnessWeights) valid() bool {
	return w.Facts >= 0 && w.Similarity >= 0 && w.Facts+w.Similarity > 0
}

// CorrectnessCounts are the statements of answer and reference and what a judge made of them.
type CorrectnessCounts struct {
	AnswerClaims    int
	ReferenceClaims int
	TP              int // in the answer and supported by the reference
	FP              int // in the answer only
	FN              int // in the reference only
}

// asksClassifier reports whether a profile has the statements classified at all: the collections of Ragas want statements on
// both sides, the legacy metric and fixed on either.
func (c CorrectnessCounts) asksClassifier(p textual.Profile) bool {
	if p == textual.ProfileLegacy {
		return c.AnswerClaims > 0 || c.ReferenceClaims > 0
	}
	return c.AnswerClaims > 0 && c.ReferenceClaims > 0
}

// AnswerCorrectness is the weighted mean of the F measure over statements and the similarity of answer and reference.
// The similarity is not looked at when its weight is 0.
//
// Fixed: an answer without statements has an F measure of 0, a reference without them makes the metric not applicable. Ragas
// takes two empty lists as perfect, its collections also one; the legacy metric does not clip a negative similarity.
func AnswerCorrectness(p textual.Profile, w CorrectnessWeights, beta float64, c CorrectnessCounts, similarity Reduction) Reduction {
	if !w.valid() {
		return reducedFailed("weights_invalid")
	}
	if p == textual.ProfileFixed && beta <= 0 {
		return reducedFailed("beta_not_positive")
	}
	var facts float64
	switch {
	case p == textual.ProfileFixed && c.ReferenceClaims == 0:
		return reducedNA("no_reference_claims")
	case p == textual.ProfileFixed && c.AnswerClaims > 0 && c.TP+c.FP+c.FN == 0:
		return reducedFailed("verdicts_missing")
	case p == textual.ProfileFixed:
		facts = fBetaOfCounts(c.TP, c.FP, c.FN, beta)
	case !c.asksClassifier(p):
		facts = 1
	case p == textual.ProfileLegacy:
		facts = fBetaOfCounts(c.TP, c.FP, c.FN, beta)
	default:
		facts = collectionsFacts(c, beta)
	}
	if w.Similarity == 0 {
		return reducedTo(facts)
	}
	if similarity.Outcome != Valued {
		return similarity
	}
	return reducedTo((w.Facts*facts + w.Similarity*similarity.Value) / (w.Facts + w.Similarity))
}

// collectionsFacts takes an empty denominator as perfect when the other side has no error either.
func collectionsFacts(c CorrectnessCounts, beta float64) float64 {
	share := func(whole, errors int) float64 {
		if c.TP+whole > 0 {
			return float64(c.TP) / float64(c.TP+whole)
		}
		return textual.Truth(errors == 0)
	}
	return textual.FBeta(share(c.FP, c.FN), share(c.FN, c.FP), beta)
}

// Similarity makes a value of the cosine of answer and reference, NaN when one of the vectors has no length. With a
// threshold it is 1 at or above it and 0 below; Ragas takes a threshold of 0 as none. Fixed clips to [0, 1].
func Similarity(p textual.Profile, cosine float64, threshold *float64) Reduction {
	if math.IsNaN(cosine) {
		if p == textual.ProfileFixed {
			return reducedFailed("embedding_empty")
		}
		return reducedTo(cosine)
	}
	if threshold != nil && (p == textual.ProfileFixed || *threshold != 0) {
		return reducedTo(textual.Truth(cosine >= *threshold))
	}
	if p == textual.ProfileFixed {
		cosine = toShare(cosine)
	}
	return reducedTo(cosine)
}

// SimilarityPart is the similarity inside answer correctness: there the collections of Ragas count a vector without
// length as 0.
func SimilarityPart(p textual.Profile, cosine float64) Reduction {
	if p == textual.ProfileCollections && math.IsNaN(cosine) {
		return reducedTo(0)
	}
	return Similarity(p, cosine, nil)
}
