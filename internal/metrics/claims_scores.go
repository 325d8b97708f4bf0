package metrics

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// faithfulness is the share of the answer's claims that some context supports (science.md 5.1).
func (b *evaluation) faithfulness(context.Context) (Score, error) {
	f, code, err := b.facts(answerByContexts)
	if err != nil || code != "" {
		return notApplicable(code), err
	}
	held := f.rr.held()
	return reduced(formula.Faithfulness(textual.ProfileFixed, formula.VerdictsOf(held)), counts(held), f.stages...), nil
}

// grounding splits the answer's claims by where they come from. Where the documents do not hold the answer, the reference
// makes no claim right.
func (b *evaluation) grounding() (formula.GroundingShares, facts, string, error) {
	blocks := []block{answerByContexts, answerByReference}
	if !b.sample.Answerable {
		blocks = blocks[:1]
	}
	f, code, err := b.facts(blocks...)
	if err != nil || code != "" {
		return formula.GroundingShares{}, f, code, err
	}
	claims := make([]formula.AnswerClaim, len(f.rr.claims))
	for j := range claims {
		claims[j].InContexts = f.rr.some(j, supported)
		if f.ar != nil {
			claims[j].InReference = f.ar.some(j, supported)
			claims[j].Contradicted = f.ar.some(j, contradicted)
		}
	}
	return formula.Grounding(claims, true), f, "", nil
}

// hallucination is the share of the answer's claims that neither the contexts nor the reference support.
func (b *evaluation) hallucination(context.Context) (Score, error) {
	g, f, code, err := b.grounding()
	if err != nil || code != "" {
		return notApplicable(code), err
	}
	return reduced(g.Hallucination, f.share(g.Hallucination), f.stages...), nil
}

// selfKnowledge is the share of the answer's claims that the reference supports and the contexts do not.
func (b *evaluation) selfKnowledge(context.Context) (Score, error) {
	g, f, code, err := b.grounding()
	if err != nil || code != "" {
		return notApplicable(code), err
	}
	return reduced(g.SelfKnowledge, f.share(g.SelfKnowledge), f.stages...), nil
}

// share writes a share of the answer's claims as a count.
func (f *facts) share(r formula.Reduction) string {
	n := len(f.rr.claims)
	return fmt.Sprintf("%.0f/%d", r.Value*float64(n), n)
}

// contextRecall is the share of the reference's claims that some context supports; 0 without contexts (science.md 5.1).
func (b *evaluation) contextRecall(context.Context) (Score, error) {
	return b.ofReference(func(f facts) Score {
		held := f.ra.held()
		return reduced(formula.ContextRecall(textual.ProfileFixed, formula.VerdictsOf(held)), counts(held), f.stages...)
	})
}

// contextPrecision says how high the contexts stand that support some claim of the reference; 0 when none does.
func (b *evaluation) contextPrecision(context.Context) (Score, error) {
	return b.ofReference(func(f facts) Score {
		useful := f.ra.useful()
		return reduced(formula.ContextPrecision(textual.ProfileFixed, formula.VerdictsOf(useful)), counts(useful), f.stages...)
	})
}

// contextPrecisionShare is the share of the contexts that support some claim of the reference.
func (b *evaluation) contextPrecisionShare(context.Context) (Score, error) {
	return b.ofReference(func(f facts) Score {
		useful := f.ra.useful()
		return reduced(formula.ContextShare(useful), counts(useful), f.stages...)
	})
}

// contextUtilization is the share of the reference's claims in the contexts that the answer holds too.
func (b *evaluation) contextUtilization(context.Context) (Score, error) {
	return b.ofReference(func(f facts) Score {
		there, used := f.ra.held(), f.rs.held()
		found, both := 0, 0
		for i := range there {
			if there[i] {
				found++
				if used[i] {
					both++
				}
			}
		}
		return reduced(formula.ClaimUtilization(there, used), fmt.Sprintf("%d/%d", both, found), f.stages...)
	}, referenceByAnswer)
}

// ofReference reduces the verdicts on the reference's claims, and settles without a call where there is nothing to ask.
func (b *evaluation) ofReference(reduce func(facts) Score, more ...block) (Score, error) {
	for _, k := range append([]block{referenceByContexts}, more...) {
		if code := b.lacks(k); code != "" {
			return notApplicable(code), nil
		}
	}
	if len(b.sample.Contexts) == 0 {
		return scored(0, "0/0"), nil
	}
	f, code, err := b.facts(append([]block{referenceByContexts}, more...)...)
	switch {
	case err != nil || code != "":
		return notApplicable(code), err
	case len(f.ra.claims) == 0:
		return notApplicable("no_claims"), nil
	}
	return reduce(f), nil
}

// contextUtilizationRanked says how high the contexts stand that support some claim of the answer: what Ragas calls context
// utilization.
func (b *evaluation) contextUtilizationRanked(context.Context) (Score, error) {
	if code := b.lacks(answerByContexts); code != "" {
		return notApplicable(code), nil
	}
	if len(b.sample.Contexts) == 0 {
		return scored(0, "0/0"), nil
	}
	f, code, err := b.facts(answerByContexts)
	switch {
	case err != nil || code != "":
		return notApplicable(code), err
	case len(f.rr.claims) == 0:
		return notApplicable("no_claims"), nil
	}
	useful := f.rr.useful()
	return reduced(formula.ContextPrecision(textual.ProfileFixed, formula.VerdictsOf(useful)), counts(useful), f.stages...), nil
}

// noiseRelevant is the share of the answer's claims that the reference contradicts and that come from contexts that hold part of
// the right answer.
func (b *evaluation) noiseRelevant(context.Context) (Score, error) {
	return b.noise(formula.NoiseRelevant)
}

// noiseIrrelevant is the share of the answer's claims that the reference contradicts and that come only from contexts that hold none of it.
func (b *evaluation) noiseIrrelevant(context.Context) (Score, error) {
	return b.noise(formula.NoiseIrrelevant)
}

func (b *evaluation) noise(mode formula.NoiseMode) (Score, error) {
	if b.sample.Answerable && len(b.sample.Contexts) == 0 && b.lacks(answerByReference) == "" {
		return notApplicable("no_contexts"), nil
	}
	f, code, err := b.facts(referenceByContexts, answerByContexts, answerByReference)
	if err != nil || code != "" {
		return notApplicable(code), err
	}
	r := formula.NoiseSensitivity(textual.ProfileFixed, mode, formula.NoiseMatrix{
		ReferenceByChunk: f.ra.byPassage(), AnswerByChunk: f.rr.byPassage(), AnswerByReference: f.ar.notContradicted(),
	})
	n, unmentioned := len(f.rr.claims), 0
	for j := range f.ar.claims {
		if f.rr.some(j, supported) && !f.ar.some(j, supported) && !f.ar.some(j, contradicted) {
			unmentioned++
		}
	}
	reason := fmt.Sprintf("%.0f/%d", r.Value*float64(n), n)
	if unmentioned > 0 {
		reason += fmt.Sprintf(b.say("; not in the right answer: %d", "。正解が触れていない主張：%d"), unmentioned)
	}
	return reduced(r, reason, f.stages...), nil
}

// factual are the verdicts between the claims of answer and reference, with those settled already: ok is false when the score
// is final. An empty answer holds nothing of the reference; where the documents do not hold the answer, saying so is all
// that is right.
func (b *evaluation) factual(blocks ...block) (formula.FactualVerdicts, facts, Score, bool, error) {
	switch {
	case !b.sample.Answerable:
		s, err := b.unanswerable(1, 0)
		return formula.FactualVerdicts{}, facts{}, s, false, err
	case textual.NoText(b.sample.Reference):
		return formula.FactualVerdicts{}, facts{}, notApplicable("no_reference"), false, nil
	case textual.NoText(b.sample.Answer):
		return formula.FactualVerdicts{}, facts{}, scored(0, b.say("the answer is empty", "回答が空である")), false, nil
	}
	f, code, err := b.facts(blocks...)
	if err != nil || code != "" {
		return formula.FactualVerdicts{}, f, notApplicable(code), false, err
	}
	var v formula.FactualVerdicts
	if f.ar != nil {
		v.AnswerClaims = formula.VerdictsOf(f.ar.held())
	}
	if f.rs != nil {
		v.ReferenceClaims = formula.VerdictsOf(f.rs.held())
	}
	return v, f, Score{}, true, nil
}

// factualF1 is the F measure of factualPrecision and factualRecall.
func (b *evaluation) factualF1(context.Context) (Score, error) {
	v, f, s, ok, err := b.factual(answerByReference, referenceByAnswer)
	if err != nil || !ok {
		return s, err
	}
	r := formula.FactualCorrectness(textual.ProfileFixed, formula.FactualF1, 1, v)
	return reduced(r, counts(f.ar.held())+", "+counts(f.rs.held()), f.stages...), nil
}

// factualPrecision is the share of the answer's claims that the reference supports.
func (b *evaluation) factualPrecision(context.Context) (Score, error) {
	if !b.sample.Answerable {
		return notApplicable("unanswerable"), nil
	}
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	v, f, s, ok, err := b.factual(answerByReference)
	if err != nil || !ok {
		return s, err
	}
	return reduced(formula.FactualCorrectness(textual.ProfileFixed, formula.FactualPrecision, 1, v), counts(f.ar.held()), f.stages...), nil
}

// factualRecall is the share of the reference's claims that the answer holds.
func (b *evaluation) factualRecall(context.Context) (Score, error) {
	if !b.sample.Answerable {
		return notApplicable("unanswerable"), nil
	}
	v, f, s, ok, err := b.factual(referenceByAnswer)
	if err != nil || !ok {
		return s, err
	}
	return reduced(formula.FactualCorrectness(textual.ProfileFixed, formula.FactualRecall, 1, v), counts(f.rs.held()), f.stages...), nil
}

// answerCorrectness weighs the F measure over the claims of both, three quarters, with the similarity of the texts.
func (b *evaluation) answerCorrectness(context.Context) (Score, error) {
	v, f, s, ok, err := b.factual(answerByReference, referenceByAnswer)
	if err != nil || !ok {
		return s, err
	}
	like := b.closeness()
	if like.err != nil {
		return Score{}, like.err
	}
	n := formula.CorrectnessCounts{AnswerClaims: len(f.ar.claims), ReferenceClaims: len(f.rs.claims), TP: v.AnswerClaims.Yes()}
	n.FP, n.FN = n.AnswerClaims-n.TP, n.ReferenceClaims-v.ReferenceClaims.Yes()
	alike := formula.SimilarityPart(textual.ProfileFixed, like.cosine)
	r := formula.AnswerCorrectness(textual.ProfileFixed, formula.DefaultCorrectnessWeights, 1, n, alike)
	return reduced(r, fmt.Sprintf("TP %d, FP %d, FN %d, %.2f", n.TP, n.FP, n.FN, like.cosine), f.stages...), nil
}

// unanswerable scores an answer to a question that the documents do not answer: right when it says so.
func (b *evaluation) unanswerable(right, wrong float64) (Score, error) {
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	a := b.answer()
	switch {
	case a.err != nil:
		return Score{}, a.err
	case a.refuses:
		return scored(right, b.say("rightly says that the documents do not hold the answer", "文書に答えがないことを正しく述べている"), a.stage), nil
	}
	return scored(wrong, b.say("answers although the documents do not hold the answer", "文書に答えがないのに回答している"), a.stage), nil
}

// refusalHandling is 1 when the answer refuses exactly where the documents do not hold the answer.
func (b *evaluation) refusalHandling(context.Context) (Score, error) {
	if !b.sample.Answerable {
		return b.unanswerable(1, 0)
	}
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	a := b.answer()
	switch {
	case a.err != nil:
		return Score{}, a.err
	case a.refuses:
		return scored(0, b.say("says that the documents do not hold the answer, but they do", "文書に答えがあるのに、記載がないと述べている"), a.stage), nil
	}
	return scored(1, b.say("answers a question that has an answer", "答えのある質問に答えている"), a.stage), nil
}

// say picks the words in the language of explanations.
func (b *evaluation) say(en, ja string) string { return say(b.explainLang(b.sample.Lang), en, ja) }
