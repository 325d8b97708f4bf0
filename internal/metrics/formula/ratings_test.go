package formula

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

func playRating(words, number string, within RatingRange) func(*casePlay) Reduction {
	return func(r *casePlay) Reduction {
		score, err := r.judge.askInt(number, words)
		if err != nil {
			return reducedFailed(err.Error())
		}
		return Rating(r.profile, within, score)
	}
}

func playInstanceRubric(r *casePlay) Reduction {
	var rubrics map[string]string
	_ = json.Unmarshal(r.Inputs["rubrics"], &rubrics)
	if len(rubrics) == 0 && (r.profile != textual.ProfileLegacy || rubrics == nil) {
		return reduceInstanceRubric(textual.ProfileCollections, RubricRange, 0, 0)
	}
	score, err := r.judge.askInt("score", "feedback")
	if err != nil {
		return reducedFailed(err.Error())
	}
	return reduceInstanceRubric(r.profile, RatingRange{Min: 1, Max: len(rubrics)}, len(rubrics), score)
}

// playTwoRatings asks each prompt up to five times, until a rating can be read; the ratings are the multiples of step.
func playTwoRatings(metric string, best, step int) func(*casePlay) Reduction {
	return func(r *casePlay) Reduction {
		if got, ok := reduceInputs(r.profile, metric, r.rowInputs()); ok {
			return got
		}
		ratings := twoRatings{Best: float64(best)}
		for _, rating := range []*float64{&ratings.First, &ratings.Second} {
			*rating = math.NaN()
			for range 5 {
				raw, err := r.judge.take()
				if err != nil && r.profile == textual.ProfileLegacy { // an exception loses the row its number
					return reducedNA("no_rating")
				}
				if n, ok := readRating(r.profile, raw, best, step); ok {
					*rating = n
					break
				}
			}
		}
		return reduceTwoRatings(r.profile, ratings)
	}
}

var firstNumber = regexp.MustCompile(`[-+]?\d+(?:\.\d+)?`)

// readRating: the legacy metrics look for digits anywhere, for accuracy upwards from 0 and else downwards from 2; the
// collections want an object with a rating on the scale; fixed reads either, and of a text the first number.
func readRating(p textual.Profile, raw string, best, step int) (float64, bool) {
	if p == textual.ProfileLegacy {
		digits := "210"
		if best == 4 {
			digits = "01234"
		}
		for _, d := range digits {
			if strings.ContainsRune(raw, d) {
				return float64(d - '0'), true
			}
		}
		return 0, false
	}
	n, ok := 0.0, false
	if v, decoded := decodeReply(firstJSON(raw)); decoded {
		var whole int
		whole, ok = laxInt(fieldOf(v, "rating"))
		n = float64(whole)
	}
	if number := firstNumber.FindString(raw); !ok && p == textual.ProfileFixed && number != "" {
		n, _ = strconv.ParseFloat(number, 64)
		ok = true
	}
	return n, ok && n >= 0 && n <= float64(best) && math.Mod(n, float64(step)) == 0
}

func playSummary(r *casePlay) Reduction {
	s := summaryParts{
		Source: strings.Join(r.texts("reference_contexts"), "\n"), Summary: r.text("response"),
		NoPenalty: !caseParam(r, "length_penalty", true), Concise: caseParam(r, "coeff", 0.5),
	}
	if r.profile == textual.ProfileCollections && (textual.NoText(s.Source) || textual.NoText(s.Summary)) {
		return reduceSummary(r.profile, s)
	}
	if _, err := r.judge.askTexts("keyphrases"); err != nil {
		return reducedFailed(err.Error())
	}
	questions, err := r.judge.askTexts("questions")
	if err != nil {
		return reducedFailed(err.Error())
	}
	answers, err := r.judge.askTexts("answers")
	if err != nil {
		return reducedFailed(err.Error())
	}
	s.Questions, s.Answered = len(questions), len(answers)
	for _, a := range answers {
		if a == "1" {
			s.Yes++
		}
	}
	return reduceSummary(r.profile, s)
}

func playFBeta(r *casePlay) Reduction {
	return reducedTo(fBetaOfCounts(int(r.number("tp", 0)), int(r.number("fp", 0)), int(r.number("fn", 0)), r.number("beta", 1)))
}

// playAveragePrecision takes the one list of verdicts among the inputs, whatever its name.
func playAveragePrecision(r *casePlay) Reduction {
	for _, raw := range r.Inputs {
		var verdicts []int
		if json.Unmarshal(raw, &verdicts) == nil && raw[0] == '[' {
			return reducedTo(averagePrecision(r.profile, verdicts))
		}
	}
	return reducedFailed("no_verdicts")
}

// TestPartsFormula takes the ends of the scale and what lies between: a thin answer is below a full one, and so is one with a
// sentence beside the point.
func TestPartsFormula(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		given          []float64
		sentences, off int
		want           Reduction
	}{
		"all and nothing else":         {[]float64{1, 1}, 2, 0, reducedTo(1)},
		"one of two":                   {[]float64{1, 0}, 1, 0, reducedTo(2.0 / 3)},
		"half of one":                  {[]float64{0.5}, 1, 0, reducedTo(2.0 / 3)},
		"all, and a sentence too many": {[]float64{1}, 2, 1, reducedTo(2.0 / 3)},
		"nothing that was asked for":   {[]float64{0, 0}, 3, 0, reducedTo(0)},
		"nothing but other things":     {[]float64{1}, 2, 2, reducedTo(0)},
		"no part":                      {nil, 2, 0, reducedFailed("no_parts")},
		"no sentence":                  {[]float64{1}, 0, 0, reducedNA("no_answer")},
	} {
		near(t, what, Parts(c.given, c.sentences, c.off), c.want)
	}
}
