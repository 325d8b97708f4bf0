package formula

import (
	"math"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// plays are the metrics of the shared cases: each asks its judge in the order of Ragas and reduces the verdicts.
var plays = map[string]func(*casePlay) Reduction{
	"faithfulness":                             playFaithfulness,
	"answer_relevancy":                         playRelevancy,
	"response_relevancy":                       playRelevancy,
	"context_precision":                        playContextPrecision("context_precision"),
	"llm_context_precision_with_reference":     playContextPrecision("context_precision"),
	"context_precision_with_reference":         playContextPrecision("context_precision"),
	"context_utilization":                      playContextPrecision("context_utilization"),
	"llm_context_precision_without_reference":  playContextPrecision("context_utilization"),
	"context_precision_without_reference":      playContextPrecision("context_utilization"),
	"context_recall":                           playContextRecall,
	"context_entity_recall":                    playEntityRecall,
	"noise_sensitivity":                        playNoise,
	"factual_correctness":                      playFactual,
	"answer_correctness":                       playAnswerCorrectness,
	"semantic_similarity":                      playSimilarity,
	"answer_similarity":                        playSimilarity,
	"rubrics_score":                            playRating("feedback", "score", RubricRange),
	"domain_specific_rubrics":                  playRating("feedback", "score", RubricRange),
	"instance_rubrics":                         playInstanceRubric,
	"instance_specific_rubrics":                playInstanceRubric,
	"aspect_critic":                            playRating("reason", "verdict", criticRange),
	"simple_criteria":                          playRating("reason", "score", RatingRange{Min: math.MinInt, Max: math.MaxInt}),
	"nv_accuracy":                              playTwoRatings("nv_accuracy", 4, 2),
	"answer_accuracy":                          playTwoRatings("nv_accuracy", 4, 2),
	"nv_context_relevance":                     playTwoRatings("nv_context_relevance", 2, 1),
	"context_relevance":                        playTwoRatings("nv_context_relevance", 2, 1),
	"nv_response_groundedness":                 playTwoRatings("nv_response_groundedness", 2, 1),
	"response_groundedness":                    playTwoRatings("nv_response_groundedness", 2, 1),
	"summary_score":                            playSummary,
	"fbeta":                                    playFBeta,
	"fbeta_score":                              playFBeta,
	"average_precision":                        playAveragePrecision,
	"non_llm_context_precision":                playTextPrecision,
	"non_llm_context_precision_with_reference": playTextPrecision,
	"non_llm_context_recall":                   playTextRecall,
	"id_based_context_precision": func(r *casePlay) Reduction {
		return ContextPrecisionByID(r.ids("retrieved_context_ids"), r.ids("reference_context_ids"))
	},
	"id_based_context_recall": func(r *casePlay) Reduction {
		return ContextRecallByID(r.ids("retrieved_context_ids"), r.ids("reference_context_ids"))
	},
	"exact_match":               playText(textual.ExactMatch),
	"string_presence":           playText(textual.StringPresence),
	"string_present":            playText(textual.StringPresence),
	"non_llm_string_similarity": playLikeness,
	"rouge_score":               playRouge,
	"bleu_score":                playBLEU,
	"chrf_score":                playChrF,
	"quoted_spans":              playQuotes,
	"quoted_spans_alignment":    playQuotes,
}

func playFaithfulness(r *casePlay) Reduction {
	if got, ok := reduceInputs(r.profile, "faithfulness", r.rowInputs()); ok {
		return got
	}
	statements, err := r.judge.askTexts("statements")
	if err != nil {
		return reducedFailed(err.Error())
	}
	var verdicts VerdictList
	if len(statements) > 0 {
		if verdicts, err = r.judge.askVerdicts("statements", "verdict", len(statements)); err != nil {
			return reducedFailed(err.Error())
		}
	}
	return Faithfulness(r.profile, verdicts)
}

// playRelevancy: the legacy metric makes do with fewer completions than it asked for.
func playRelevancy(r *casePlay) Reduction {
	if got, ok := reduceInputs(r.profile, "answer_relevancy", r.rowInputs()); ok {
		return got
	}
	strictness := caseParam(r, "strictness", 3)
	var questions []AskedBack
	for i := range strictness {
		if r.profile == textual.ProfileLegacy && i > 0 && r.judge.next == len(r.Replies) {
			break
		}
		var q AskedBack
		err := r.judge.ask(func(v any) bool {
			question, ok := laxText(fieldOf(v, "question"))
			flag, okFlag := laxInt(fieldOf(v, "noncommittal"))
			q.Question, q.Noncommittal = question, flag != 0
			return ok && okFlag
		})
		if err != nil {
			return reducedFailed(err.Error())
		}
		questions = append(questions, q)
	}
	if !anyQuestion(questions) {
		return AnswerRelevancy(r.profile, questions)
	}
	r.embedded++
	for i := range questions {
		if questions[i].Question == "" && r.profile != textual.ProfileLegacy {
			continue
		}
		cosine, ok := r.cosine(r.text("user_input"), questions[i].Question)
		if !ok {
			return reducedFailed("no_embedding")
		}
		questions[i].CosineToAsked = cosine
		r.embedded++
	}
	return AnswerRelevancy(r.profile, questions)
}

func playContextPrecision(metric string) func(*casePlay) Reduction {
	return func(r *casePlay) Reduction {
		if got, ok := reduceInputs(r.profile, metric, r.rowInputs()); ok {
			return got
		}
		contexts := r.texts("retrieved_contexts")
		l := VerdictList{Sent: len(contexts)}
		for range contexts {
			verdict, err := r.judge.askInt("verdict", "reason")
			if err != nil {
				return reducedFailed(err.Error())
			}
			l.Verdicts = append(l.Verdicts, verdict)
		}
		return ContextPrecision(r.profile, l)
	}
}

func playContextRecall(r *casePlay) Reduction {
	if got, ok := reduceInputs(r.profile, "context_recall", r.rowInputs()); ok {
		return got
	}
	verdicts, err := r.judge.askVerdicts("classifications", "attributed", -1)
	if err != nil {
		return reducedFailed(err.Error())
	}
	return ContextRecall(r.profile, verdicts)
}

func playEntityRecall(r *casePlay) Reduction {
	reference, err := r.judge.askTexts("entities")
	if err != nil {
		return reducedFailed(err.Error())
	}
	contexts, err := r.judge.askTexts("entities")
	if err != nil {
		return reducedFailed(err.Error())
	}
	return EntityRecall(r.profile, reference, contexts)
}

func playNoise(r *casePlay) Reduction {
	mode := caseParam(r, "mode", NoiseRelevant)
	if got, ok := reduceInputs(r.profile, "noise_sensitivity", r.rowInputs()); ok {
		return got
	}
	for range 2 { // the statements of reference and answer; the verdicts' lengths say how many there are
		if _, err := r.judge.askTexts("statements"); err != nil {
			return reducedFailed(err.Error())
		}
	}
	var m NoiseMatrix
	yes := func() ([]bool, error) {
		l, err := r.judge.askVerdicts("statements", "verdict", -1)
		list := make([]bool, len(l.Verdicts))
		for i, v := range l.Verdicts {
			list[i] = v != 0
		}
		return list, err
	}
	for range r.texts("retrieved_contexts") {
		reference, err := yes()
		if err != nil {
			return reducedFailed(err.Error())
		}
		answer, err := yes()
		if err != nil {
			return reducedFailed(err.Error())
		}
		m.ReferenceByChunk, m.AnswerByChunk = append(m.ReferenceByChunk, reference), append(m.AnswerByChunk, answer)
	}
	var err error
	if m.AnswerByReference, err = yes(); err != nil {
		return reducedFailed(err.Error())
	}
	return NoiseSensitivity(r.profile, mode, m)
}

func playFactual(r *casePlay) Reduction {
	mode, beta := caseParam(r, "mode", FactualF1), caseParam(r, "beta", 1.0)
	if r.profile == textual.ProfileLegacy && r.wholeNumber("beta") {
		return reducedFailed("beta_not_real")
	}
	if got, ok := reduceInputs(r.profile, "factual_correctness", r.rowInputs()); ok {
		return got
	}
	direction := func() (VerdictList, error) {
		claims, err := r.judge.askTexts("claims")
		if err != nil || len(claims) == 0 && r.profile != textual.ProfileLegacy {
			return VerdictList{}, err
		}
		return r.judge.askVerdicts("statements", "verdict", len(claims))
	}
	var v FactualVerdicts
	var err error
	if v.AnswerClaims, err = direction(); err != nil {
		return reducedFailed(err.Error())
	}
	if mode != FactualPrecision {
		if v.ReferenceClaims, err = direction(); err != nil {
			return reducedFailed(err.Error())
		}
	}
	return FactualCorrectness(r.profile, mode, beta, v)
}

func playAnswerCorrectness(r *casePlay) Reduction {
	weights, beta := caseParam(r, "weights", []float64{0.75, 0.25}), caseParam(r, "beta", 1.0)
	if len(weights) != 2 || r.profile != textual.ProfileFixed && r.wholeNumber("beta") {
		return reducedFailed("parameters_invalid")
	}
	w := CorrectnessWeights{Facts: weights[0], Similarity: weights[1]}
	if !w.valid() {
		return AnswerCorrectness(r.profile, w, beta, CorrectnessCounts{}, Reduction{})
	}
	answer, err := r.judge.askTexts("statements")
	if err != nil {
		return reducedFailed(err.Error())
	}
	reference, err := r.judge.askTexts("statements")
	if err != nil {
		return reducedFailed(err.Error())
	}
	counts := CorrectnessCounts{AnswerClaims: len(answer), ReferenceClaims: len(reference)}
	if counts.asksClassifier(r.profile) {
		if err := r.judge.ask(counts.readClasses); err != nil {
			return reducedFailed(err.Error())
		}
	}
	similarity := Reduction{}
	if w.Similarity != 0 {
		r.embedded += 2
		cosine, ok := r.cosine(embeddable(r.text("reference")), embeddable(r.text("response")))
		if !ok {
			return reducedFailed("no_embedding")
		}
		similarity = SimilarityPart(r.profile, cosine)
	}
	return AnswerCorrectness(r.profile, w, beta, counts, similarity)
}

func (c *CorrectnessCounts) readClasses(v any) bool {
	for name, n := range map[string]*int{"TP": &c.TP, "FP": &c.FP, "FN": &c.FN} {
		list, ok := laxList(fieldOf(v, name), func(e any) (string, bool) {
			_, reasoned := laxText(fieldOf(e, "reason"))
			s, ok := laxText(fieldOf(e, "statement"))
			return s, ok && reasoned
		})
		if !ok {
			return false
		}
		*n = len(list)
	}
	return true
}

// embeddable: an empty text is embedded as one space.
func embeddable(s string) string {
	if s == "" {
		return " "
	}
	return s
}

func playSimilarity(r *casePlay) Reduction {
	threshold := caseParam[*float64](r, "threshold", nil)
	r.embedded += 2
	cosine, ok := r.cosine(embeddable(r.text("reference")), embeddable(r.text("response")))
	if !ok {
		return reducedFailed("no_embedding")
	}
	return Similarity(r.profile, cosine, threshold)
}
