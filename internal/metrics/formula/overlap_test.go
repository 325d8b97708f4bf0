package formula

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

func TestQuotations(t *testing.T) {
	t.Parallel()
	quotations := func(p textual.Profile, answer string) Reduction {
		return QuotedSpans(p, textual.CountQuotes(p, textual.QuoteDefaults, answer,
			[]string{"Refunds are paid   within thirty days.", "返金は三十日以内に行います。"}))
	}
	for answer, want := range map[string]Reduction{
		`It says "refunds are paid within thirty days".`:  reducedTo(1),
		`It says “refunds are paid within ten days”.`:     reducedTo(0),
		`規約には「返金は三十日以内に行います」とあります。`:                       reducedTo(1),
		`規約には「返金は十日以内に行います」、「返金は三十日以内」とあります。`:             reducedTo(0.5),
		`It isn't the shop's fault that it's the user's.`: reducedNA("no_quotations"),
		`The word "refund" is in it.`:                     reducedNA("no_quotations"),
		"『返金』という語があります。":                                  reducedNA("no_quotations"),
	} {
		near(t, answer, quotations(textual.ProfileFixed, answer), want)
	}
	exact := textual.QuoteRules{MinWords: 2, KeepCase: true}
	if got := textual.CountQuotes(textual.ProfileFixed, exact, `"refunds are"`,
		[]string{"Refunds are paid"}); got != (textual.QuoteCount{Found: 0, Total: 1}) {
		t.Errorf("case is kept, yet %+v", got)
	}
	near(t, "no quotation, legacy", quotations(textual.ProfileLegacy, "nothing"), reducedTo(0))
	near(t, "no quotation, collections", quotations(textual.ProfileCollections, "nothing"), reducedTo(1))
	near(t, "apostrophes quote", quotations(textual.ProfileLegacy, `He didn't say it was the shop's fault.`), reducedTo(0))
}
