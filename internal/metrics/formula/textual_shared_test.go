package formula

import (
	"encoding/json"
	"fmt"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

func playTextPrecision(r *casePlay) Reduction {
	return ContextPrecisionByText(r.profile, r.texts("retrieved_contexts"), r.texts("reference_contexts"), caseLikeness(r))
}

func playTextRecall(r *casePlay) Reduction {
	return ContextRecallByText(r.profile, r.texts("retrieved_contexts"), r.texts("reference_contexts"), caseLikeness(r))
}

func caseLikeness(r *casePlay) textual.Likeness {
	name := caseParam(r, "distance_measure", "levenshtein")
	like := textual.Likenesses[name]
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
	score := textual.RougeL
	switch kind := caseParam(r, "rouge_type", "rougeL"); kind {
	case "rougeL":
	case "rouge1":
		score = textual.Rouge1
	default:
		return reducedFailed("there is no " + kind)
	}
	return reducedTo(score(r.profile, caseParam(r, "mode", textual.RougeFMeasure), r.text("response"), r.text("reference")))
}

func playBLEU(r *casePlay) Reduction {
	return reducedTo(textual.Bleu(r.profile, r.text("response"), r.text("reference")))
}

func playChrF(r *casePlay) Reduction {
	o, withoutSpaces := textual.ChrfDefaults, true
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
	return reducedTo(textual.ChrFWith(o, r.text("response"), r.text("reference")))
}

// playQuotes: the legacy metric takes a whole data set as one row.
func playQuotes(r *casePlay) Reduction {
	rules := textual.QuoteRules{MinWords: caseParam(r, "min_span_words", caseParam(r, "min_len", 3)),
		KeepCase: !caseParam(r, "casefold", true)}
	var sources [][]string
	answers := r.texts("answers")
	if json.Unmarshal(r.Inputs["sources"], &sources) != nil || len(answers) != len(sources) {
		return QuotedSpans(r.profile, textual.CountQuotes(r.profile, rules, r.text("response"), r.texts("retrieved_contexts")))
	}
	var all textual.QuoteCount
	for i, answer := range answers {
		n := textual.CountQuotes(r.profile, rules, answer, sources[i])
		all.Found, all.Total = all.Found+n.Found, all.Total+n.Total
	}
	return QuotedSpans(r.profile, all)
}
