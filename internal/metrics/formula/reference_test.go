// This file has formulas that no program uses. They are here because the reference vectors are checked with them.

package formula

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/problem"
)

// criticRange is no and yes.
var criticRange = RatingRange{Min: 0, Max: 1}

// twoRatings are what two prompts of the same question rated, NaN for none, and the best rating there is.
type twoRatings struct {
	First, Second float64
	Best          float64 // 4 for accuracy, 2 for relevance and groundedness
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

// relevanceWithoutJudge: blank texts, and contexts that only repeat the question, are irrelevant.
func relevanceWithoutJudge(in reduceInput) (Reduction, bool) {
	joined := strings.TrimSpace(strings.Join(in.Contexts, "\n"))
	question := strings.TrimSpace(in.Question)
	if question == "" || strings.Contains(question, joined) { // holds the blank and the equal
		return reducedTo(0), true
	}
	return Reduction{}, false
}

// groundednessWithoutJudge: blank texts are not grounded; the legacy metric takes a copy out of the contexts as grounded.
func groundednessWithoutJudge(p textual.Profile, in reduceInput) (Reduction, bool) {
	joined := strings.TrimSpace(strings.Join(in.Contexts, "\n"))
	answer := strings.TrimSpace(in.Answer)
	switch {
	case answer == "" || joined == "":
		return reducedTo(0), true
	case p == textual.ProfileLegacy && strings.Contains(joined, answer):
		return reducedTo(1), true
	}
	return Reduction{}, false
}

// reduceInputs decides a metric that needs no judge because something is missing: fixed makes it not applicable (no contexts:
// a ranking or recall of 0), Ragas raises. The two context metrics of NVIDIA also have values of their own for blank and for
// contained texts. ok is false when a judge is to be asked.
func reduceInputs(p textual.Profile, metric string, in reduceInput) (r Reduction, ok bool) {
	if p == textual.ProfileFixed {
		return fixedInputs(metric, in)
	}
	need := inputNeeds[metric].all
	if p == textual.ProfileCollections {
		need = inputNeeds[metric].collections
	}
	if code := in.lacks(need, func(s string) bool { return s == "" }); code != "" {
		return reducedFailed(code), true
	}
	switch {
	case p == textual.ProfileLegacy && (metric == "context_precision" || metric == "context_utilization") && len(in.Contexts) == 0:
		return reducedTo(0), true
	case metric == "nv_context_relevance":
		return relevanceWithoutJudge(in)
	case metric == "nv_response_groundedness":
		return groundednessWithoutJudge(p, in)
	}
	return Reduction{}, false
}

func fixedInputs(metric string, in reduceInput) (Reduction, bool) {
	code := in.lacks(inputWants[metric], textual.NoText)
	switch {
	case code == "no_contexts" && inputNeeds[metric].zeroNoCtx:
		return reducedTo(0), true
	case code != "":
		return reducedNA(code), true
	case metric == "nv_context_relevance":
		return relevanceWithoutJudge(in)
	}
	return Reduction{}, false
}

// lacks returns the code of the first of these inputs that is missing, "" when none is. A list of contexts that are all
// blank is missing where blank texts are.
func (in reduceInput) lacks(letters string, missing func(string) bool) string {
	for _, letter := range letters {
		gone := false
		switch letter {
		case 'q':
			gone = missing(in.Question)
		case 'a':
			gone = missing(in.Answer)
		case 'r':
			gone = missing(in.Reference)
		case 'c':
			gone = len(in.Contexts) == 0 || missing(" ") && !slices.ContainsFunc(in.Contexts, func(c string) bool { return !missing(c) })
		}
		if gone {
			return inputCodes[letter]
		}
	}
	return ""
}

// ParseProfile returns the profile of this name; "" is [textual.ProfileFixed]. An unknown name is a Problem that lists them.
func ParseProfile(name string) (textual.Profile, error) {
	switch p := textual.Profile(name); p {
	case "":
		return textual.ProfileFixed, nil
	case textual.ProfileFixed, textual.ProfileLegacy, textual.ProfileCollections:
		return p, nil
	default:
		return "", problem.New(problem.Invalid, "metric_profile_unknown", "there is no formula profile %q", name).
			With("name", name).
			WithHint("profiles: %s (the default), %s, %s", textual.ProfileFixed, textual.ProfileLegacy, textual.ProfileCollections)
	}
}

// reduceTwoRatings is the mean of two ratings over the best one. When one is missing the other counts alone, except that the
// legacy metric of Ragas loses a second rating whose first is missing. When both are, fixed fails and Ragas gives no number.
func reduceTwoRatings(p textual.Profile, r twoRatings) Reduction {
	no1, no2 := math.IsNaN(r.First), math.IsNaN(r.Second)
	switch {
	case no1 && no2 && p == textual.ProfileFixed:
		return reducedFailed("no_rating")
	case no1 && (no2 || p == textual.ProfileLegacy):
		return reducedNA("no_rating")
	case no1:
		return reducedTo(r.Second / r.Best)
	case no2:
		return reducedTo(r.First / r.Best)
	default:
		return reducedTo((r.First + r.Second) / 2 / r.Best)
	}
}

// reduceSummary is the share of questions that the summary answers, weighed against 1 − its length over the source's.
//
// Without the length penalty the legacy metric of Ragas still multiplies by the weight that is left. Without questions fixed is
// not applicable and Ragas fails.
func reduceSummary(p textual.Profile, s summaryParts) Reduction {
	source, summary := utf8.RuneCountInString(s.Source), utf8.RuneCountInString(s.Summary)
	switch {
	case s.Concise < 0 || s.Concise > 1:
		return reducedFailed("weights_invalid")
	case p == textual.ProfileFixed && (source == 0 || textual.NoText(s.Summary)):
		return reducedNA("no_answer")
	case p == textual.ProfileCollections && (textual.NoText(s.Source) || textual.NoText(s.Summary)):
		return reducedFailed("no_answer")
	case p == textual.ProfileFixed && s.Questions == 0:
		return reducedNA("no_questions")
	case p == textual.ProfileFixed && s.Questions != s.Answered:
		return reducedFailed("verdicts_missing")
	case s.Answered == 0:
		return reducedFailed("no_questions")
	}
	answered := float64(s.Yes) / float64(s.Answered)
	if s.NoPenalty {
		if p == textual.ProfileLegacy {
			answered *= 1 - s.Concise
		}
		return reducedTo(answered)
	}
	length := float64(source)
	if p != textual.ProfileFixed {
		length += ragasRankTerm
	}
	conciseness := 1 - float64(min(summary, source))/length
	return reducedTo(answered*(1-s.Concise) + conciseness*s.Concise)
}

// reduceInstanceRubric is [Rating] with a rubric of the question's own, of as many levels as it has. Without any level
// fixed is not applicable, and the collections of Ragas fail.
func reduceInstanceRubric(p textual.Profile, r RatingRange, levels, score int) Reduction {
	switch {
	case levels == 0 && p == textual.ProfileFixed:
		return reducedNA("no_rubric")
	case levels == 0 && p == textual.ProfileCollections:
		return reducedFailed("no_rubric")
	default:
		return Rating(p, r, score)
	}
}

// vectorCosine is the cosine of two vectors: each is brought to length 1, then multiplied, so that a threshold is met
// exactly where numpy meets it. NaN when one has no length; ok is false when they have not the same dimension.
func vectorCosine[T float32 | float64](a, b []T) (cosine float64, ok bool) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, false
	}
	var aa, bb float64
	for i := range a {
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	aa, bb = math.Sqrt(aa), math.Sqrt(bb)
	for i := range a {
		cosine += float64(a[i]) / aa * (float64(b[i]) / bb)
	}
	return cosine, true
}
