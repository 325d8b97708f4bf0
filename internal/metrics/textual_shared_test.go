package metrics

import (
	"encoding/json"
	"fmt"
)

func playTextPrecision(r *casePlay) Reduction {
	return reduceContextPrecisionByText(r.profile, r.texts("retrieved_contexts"), r.texts("reference_contexts"), caseLikeness(r))
}

func playTextRecall(r *casePlay) Reduction {
	return reduceContextRecallByText(r.profile, r.texts("retrieved_contexts"), r.texts("reference_contexts"), caseLikeness(r))
}

func caseLikeness(r *casePlay) likeness {
	name := caseParam(r, "distance_measure", "levenshtein")
	like := likenesses[name]
	if like == nil {
		panic(fmt.Sprintf("%s: there is no string similarity %q", r.ID, name))
	}
	return like
}

func playText(f func(answer, reference string) float64) func(*casePlay) Reduction {
	return func(r *casePlay) Reduction { return reducedTo(f(r.text("response"), r.text("reference"))) }
}

func playLikeness(r *casePlay) Reduction {
	return reducedTo(caseLikeness(r)(r.text("reference"), r.text("response")))
}

func playRouge(r *casePlay) Reduction {
	score := rougeL
	switch kind := caseParam(r, "rouge_type", "rougeL"); kind {
	case "rougeL":
	case "rouge1":
		score = rouge1
	default:
		return reducedFailed("there is no " + kind)
	}
	return reducedTo(score(r.profile, caseParam(r, "mode", rougeFMeasure), r.text("response"), r.text("reference")))
}

func playBLEU(r *casePlay) Reduction {
	return reducedTo(bleu(r.profile, r.text("response"), r.text("reference")))
}

func playChrF(r *casePlay) Reduction {
	o, withoutSpaces := chrfDefaults, true
	for name, raw := range caseParam(r, "kwargs", map[string]json.RawMessage{}) {
		target, ok := map[string]any{
			"char_order": &o.CharOrder, "word_order": &o.WordOrder, "beta": &o.Beta,
			"remove_whitespace": &withoutSpaces, "eps_smoothing": &o.Smooth,
		}[name]
		if !ok || json.Unmarshal(raw, target) != nil {
			return reducedFailed("there is no setting " + name + " of " + string(raw))
		}
	}
	o.Spaces = !withoutSpaces
	return reducedTo(chrFWith(o, r.text("response"), r.text("reference")))
}

// playQuotes: the legacy metric takes a whole data set as one row.
func playQuotes(r *casePlay) Reduction {
	rules := quoteRules{MinWords: caseParam(r, "min_span_words", caseParam(r, "min_len", 3)), KeepCase: !caseParam(r, "casefold", true)}
	var sources [][]string
	answers := r.texts("answers")
	if json.Unmarshal(r.Inputs["sources"], &sources) != nil || len(answers) != len(sources) {
		return reduceQuotedSpans(r.profile, countQuotes(r.profile, rules, r.text("response"), r.texts("retrieved_contexts")))
	}
	var all quoteCount
	for i, answer := range answers {
		n := countQuotes(r.profile, rules, answer, sources[i])
		all.Found, all.Total = all.Found+n.Found, all.Total+n.Total
	}
	return reduceQuotedSpans(r.profile, all)
}
