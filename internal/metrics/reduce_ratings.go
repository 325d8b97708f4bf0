package metrics

import (
	"math"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// ratingRange is the range that a rating is held to.
type ratingRange struct{ Min, Max int }

var (
	rubricRange = ratingRange{Min: 1, Max: 5} // the five levels of a rubric
	criticRange = ratingRange{Min: 0, Max: 1} // no and yes
)

// reduceRating passes a judge's integer on: the level of a rubric, the yes or no of a critic, the points of a criterion. Fixed
// fails on one outside the range; Ragas lets every integer through.
func reduceRating(p Profile, r ratingRange, score int) Reduction {
	if p == ProfileFixed && (score < r.Min || score > r.Max) {
		return reducedFailed("score_out_of_range")
	}
	return reducedTo(float64(score))
}

// reduceInstanceRubric is [reduceRating] with a rubric of the question's own, of as many levels as it has. Without any level
// fixed is not applicable, and the collections of Ragas fail.
func reduceInstanceRubric(p Profile, r ratingRange, levels, score int) Reduction {
	switch {
	case levels == 0 && p == ProfileFixed:
		return reducedNA("no_rubric")
	case levels == 0 && p == ProfileCollections:
		return reducedFailed("no_rubric")
	default:
		return reduceRating(p, r, score)
	}
}

// askedBack is a question that a judge made from the answer alone.
type askedBack struct {
	Question      string
	Noncommittal  bool    // the answer evades
	CosineToAsked float64 // cosine with the question that was asked; NaN when a vector has no length
}

// reduceAnswerRelevancy is the mean likeness of the questions made from the answer to the question asked; 0 when all of them
// are marked noncommittal.
//
// Fixed drops empty and repeated questions, clips each likeness to [0, 1] and fails when no question is left. Of Ragas, the
// legacy metric keeps empty ones unless all are, and gives no number then; the collections drop them and give 0.
func reduceAnswerRelevancy(p Profile, questions []askedBack) Reduction {
	kept := make([]askedBack, 0, len(questions))
	seen := map[string]bool{}
	for _, q := range questions {
		folded := text.Fold(q.Question)
		if p == ProfileFixed && (folded == "" || seen[folded]) || p == ProfileCollections && q.Question == "" {
			continue
		}
		seen[folded] = true
		kept = append(kept, q)
	}
	switch {
	case p == ProfileFixed && len(kept) == 0:
		return reducedFailed("no_questions")
	case p == ProfileCollections && len(kept) == 0:
		return reducedTo(0)
	case p == ProfileLegacy && !anyQuestion(kept):
		return reducedNA("no_questions")
	}
	sum, committed := 0.0, false
	for _, q := range kept {
		committed = committed || !q.Noncommittal
		if p == ProfileFixed {
			q.CosineToAsked = toShare(q.CosineToAsked)
		}
		sum += q.CosineToAsked
	}
	if p == ProfileFixed && math.IsNaN(sum) {
		return reducedFailed("embedding_empty")
	}
	return reducedTo(sum / float64(len(kept)) * truth(committed))
}

func anyQuestion(list []askedBack) bool {
	for _, q := range list {
		if q.Question != "" {
			return true
		}
	}
	return false
}

// twoRatings are what two prompts of the same question rated, NaN for none, and the best rating there is.
type twoRatings struct {
	First, Second float64
	Best          float64 // 4 for accuracy, 2 for relevance and groundedness
}

// reduceTwoRatings is the mean of two ratings over the best one. When one is missing the other counts alone, except that the
// legacy metric of Ragas loses a second rating whose first is missing. When both are, fixed fails and Ragas gives no number.
func reduceTwoRatings(p Profile, r twoRatings) Reduction {
	no1, no2 := math.IsNaN(r.First), math.IsNaN(r.Second)
	switch {
	case no1 && no2 && p == ProfileFixed:
		return reducedFailed("no_rating")
	case no1 && (no2 || p == ProfileLegacy):
		return reducedNA("no_rating")
	case no1:
		return reducedTo(r.Second / r.Best)
	case no2:
		return reducedTo(r.First / r.Best)
	default:
		return reducedTo((r.First + r.Second) / 2 / r.Best)
	}
}

// summaryParts is what a summary is scored by.
type summaryParts struct {
	Source    string // what was summarised
	Summary   string
	Questions int     // yes-or-no questions made from the source
	Answered  int     // how many replies there are
	Yes       int     // how many of them say that the summary answers
	NoPenalty bool    // do not count length
	Concise   float64 // weight of conciseness in [0, 1], usually 0.5
}

// reduceSummary is the share of questions that the summary answers, weighed against 1 − its length over the source's.
//
// Without the length penalty the legacy metric of Ragas still multiplies by the weight that is left. Without questions fixed is
// not applicable and Ragas fails.
func reduceSummary(p Profile, s summaryParts) Reduction {
	source, summary := utf8.RuneCountInString(s.Source), utf8.RuneCountInString(s.Summary)
	switch {
	case s.Concise < 0 || s.Concise > 1:
		return reducedFailed("weights_invalid")
	case p == ProfileFixed && (source == 0 || noText(s.Summary)):
		return reducedNA("no_answer")
	case p == ProfileCollections && (noText(s.Source) || noText(s.Summary)):
		return reducedFailed("no_answer")
	case p == ProfileFixed && s.Questions == 0:
		return reducedNA("no_questions")
	case p == ProfileFixed && s.Questions != s.Answered:
		return reducedFailed("verdicts_missing")
	case s.Answered == 0:
		return reducedFailed("no_questions")
	}
	answered := float64(s.Yes) / float64(s.Answered)
	if s.NoPenalty {
		if p == ProfileLegacy {
			answered *= 1 - s.Concise
		}
		return reducedTo(answered)
	}
	length := float64(source)
	if p != ProfileFixed {
		length += ragasRankTerm
	}
	conciseness := 1 - float64(min(summary, source))/length
	return reducedTo(answered*(1-s.Concise) + conciseness*s.Concise)
}
