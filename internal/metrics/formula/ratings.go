package formula

import (
	"math"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/text"
)

// RatingRange is the range that a rating is held to.
type RatingRange struct{ Min, Max int }

var (
	RubricRange = RatingRange{Min: 1, Max: 5} // the five levels of a rubric
)

// Rating passes a judge's integer on: the level of a rubric, the yes or no of a critic, the points of a criterion. Fixed
// fails on one outside the range; Ragas lets every integer through.
func Rating(p textual.Profile, r RatingRange, score int) Reduction {
	if p == textual.ProfileFixed && (score < r.Min || score > r.Max) {
		return reducedFailed("score_out_of_range")
	}
	return reducedTo(float64(score))
}

// AskedBack is a question that a judge made from the answer alone.
type AskedBack struct {
	Question      string
	Noncommittal  bool    // the answer evades
	CosineToAsked float64 // cosine with the question that was asked; NaN when a vector has no length
}

// Parts is the harmonic mean of what an answer gives of the question's parts and of the share of its sentences that serve
// one (decision record 0035): 1 gives all and nothing else, 0 gives nothing that was asked for.
func Parts(given []float64, sentences, off int) Reduction {
	switch {
	case len(given) == 0:
		return reducedFailed("no_parts")
	case sentences == 0:
		return reducedNA("no_answer")
	}
	sum := 0.0
	for _, g := range given {
		sum += g
	}
	return reducedTo(textual.FBeta(1-float64(off)/float64(sentences), sum/float64(len(given)), 1))
}

// AnswerRelevancy is the mean likeness of the questions made from the answer to the question asked; 0 when all of them
// are marked noncommittal.
//
// Fixed drops empty and repeated questions, clips each likeness to [0, 1] and fails when no question is left. Of Ragas, the
// legacy metric keeps empty ones unless all are, and gives no number then; the collections drop them and give 0.
func AnswerRelevancy(p textual.Profile, questions []AskedBack) Reduction {
	kept := make([]AskedBack, 0, len(questions))
	seen := map[string]bool{}
	for _, q := range questions {
		folded := text.Fold(q.Question)
		if p == textual.ProfileFixed && (folded == "" || seen[folded]) || p == textual.ProfileCollections && q.Question == "" {
			continue
		}
		seen[folded] = true
		kept = append(kept, q)
	}
	switch {
	case p == textual.ProfileFixed && len(kept) == 0:
		return reducedFailed("no_questions")
	case p == textual.ProfileCollections && len(kept) == 0:
		return reducedTo(0)
	case p == textual.ProfileLegacy && !anyQuestion(kept):
		return reducedNA("no_questions")
	}
	sum, committed := 0.0, false
	for _, q := range kept {
		committed = committed || !q.Noncommittal
		if p == textual.ProfileFixed {
			q.CosineToAsked = toShare(q.CosineToAsked)
		}
		sum += q.CosineToAsked
	}
	if p == textual.ProfileFixed && math.IsNaN(sum) {
		return reducedFailed("embedding_empty")
	}
	return reducedTo(sum / float64(len(kept)) * textual.Truth(committed))
}

func anyQuestion(list []AskedBack) bool {
	for _, q := range list {
		if q.Question != "" {
			return true
		}
	}
	return false
}
