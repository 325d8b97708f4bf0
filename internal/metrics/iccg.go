package metrics

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/text"
)

// includedAt is the share of the reference's key claims that an answer must hold to include it (science.md 5.1).
const includedAt = 0.8

// inclusion is 1 when the answer holds the main facts of the reference (framework.md 3).
func (b *evaluation) inclusion(context.Context) (Score, error) {
	if !b.sample.Answerable {
		return b.unanswerable(1, 0)
	}
	if textual.NoText(b.sample.Answer) && b.lacks(referenceByContexts) == "" {
		return scored(0, b.say("the answer is empty", "回答が空である")), nil
	}
	f, code, err := b.facts(referenceByAnswer)
	if err != nil || code != "" {
		return notApplicable(code), err
	}
	held, total, missing := 0, 0, ""
	for i, yes := range f.rs.held() {
		switch {
		case !f.key[i]:
			continue
		case yes:
			held++
		case missing == "":
			missing = f.rs.claims[i]
		}
		total++
	}
	if total == 0 {
		return notApplicable("no_claims"), nil
	}
	why := fmt.Sprintf(b.say("The answer holds %d of the %d main facts of the reference.", "回答は正解の主要な事実%[2]d件のうち%[1]d件を含んでいる。"), held,
		total)
	if missing != "" {
		why += fmt.Sprintf(b.say(" Missing: %s", "不足：%s"), missing)
	}
	return scored(textual.Truth(float64(held) >= includedAt*float64(total)-1e-9), text.Cut(why, mostReason), f.stages...), nil
}

// contradiction is 1 when the answer says something that the reference denies, or the other way round (framework.md 3).
func (b *evaluation) contradiction(context.Context) (Score, error) {
	if !b.sample.Answerable {
		return b.unanswerable(0, 1)
	}
	f, code, err := b.facts(answerByReference)
	if err != nil || code != "" {
		return notApplicable(code), err
	}
	for j, claim := range f.ar.claims {
		if f.ar.some(j, contradicted) {
			quote := f.ar.at[j][0].Quote
			why := fmt.Sprintf(b.say("The answer says: %s – the reference says: %s", "回答：%s。正解：%s"),
				text.Cut(claim, mostQuoted), text.Cut(quote, mostQuoted))
			return scored(1, text.Cut(why, mostReason), f.stages...), nil
		}
	}
	n := len(f.ar.claims)
	why := fmt.Sprintf(b.say("None of the %d claims of the answer contradicts the reference.", "回答の主張%d件に、正解と矛盾するものはない。"), n)
	return scored(0, why, f.stages...), nil
}

// consistency is 1 when the answer keeps to the topic and the intent of the question (framework.md 3).
func (b *evaluation) consistency(context.Context) (Score, error) {
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	a := b.answer()
	if a.err != nil {
		return Score{}, a.err
	}
	return scored(textual.Truth(a.onTopic), text.Cut(a.reason, mostReason), a.stage), nil
}

// mostReason are the characters that the framework allows a reason.
const mostReason = 120

var address = text.Lazy(`https?://[^\s<>"'（）「」、。\]|]+`)

// guidance is 1 when the answer gives the address of a source that it should point to (framework.md 3): a rule, no model.
func (b *evaluation) guidance(context.Context) (Score, error) {
	switch {
	case len(b.sample.ExpectedURLs) == 0:
		return notApplicable("no_expected_urls"), nil
	case textual.NoText(b.sample.Answer):
		return notApplicable("no_answer"), nil
	}
	given := map[string]bool{}
	for _, found := range address.FindAllString(b.sample.Answer, -1) {
		given[sameAddress(found)] = true
	}
	for _, want := range b.sample.ExpectedURLs {
		if given[sameAddress(want)] {
			return scored(1, want), nil
		}
	}
	return scored(0, b.say("missing: ", "不足：")+strings.Join(b.sample.ExpectedURLs, ", ")), nil
}

// sameAddress brings spellings of one address together: scheme, case of the host, "www.", fragment, a slash at the end, and the
// punctuation of the sentence around it.
func sameAddress(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), ".,;:!?)")
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return strings.TrimRight(s, "/")
	}
	path := strings.TrimPrefix(strings.ToLower(u.Host), "www.") + strings.TrimRight(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}
