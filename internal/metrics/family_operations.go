package metrics

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// operationMetrics say how the system runs and not what it answers.
var operationMetrics = []metric{
	{
		Spec: Spec{
			ID: "latency", Version: "1", Group: "operations", Max: 60, Delta: 1, LowerIsBetter: true, TitleEN: "Latency", TitleJA: "応答時間",
			MeaningEN: "Seconds from question to answer.", MeaningJA: "質問から回答までの秒数。",
		},
		Doc: Doc{
			Formula: "seconds of wall time", Inputs: "measurement", Source: "ours",
			DropEN: "A slower model, more or longer contexts, or a busy provider.", DropJA: "遅いモデル、参照箇所の増加、プロバイダーの混雑。",
		},
		score: (*evaluation).latency,
	},
	{
		Spec: Spec{
			ID: "tokens", Version: "1", Group: "operations", Max: 100_000, Delta: 200, LowerIsBetter: true, TitleEN: "Tokens",
			TitleJA:   "トークン数",
			MeaningEN: "Tokens that answering sent and received.", MeaningJA: "回答のために送受信したトークン数。",
		},
		Doc: Doc{
			Formula: "tokens sent + tokens received", Inputs: "measurement", Source: "ours",
			DropEN: "Larger chunks, a larger k, a longer prompt or longer answers.", DropJA: "チャンクやkの増加、長いプロンプトや回答。",
		},
		score: (*evaluation).tokens,
	},
	{
		Spec: Spec{
			ID: "cost", Version: "1", Group: "operations", Max: 1, Delta: 0.001, LowerIsBetter: true, TitleEN: "Cost", TitleJA: "費用",
			MeaningEN: "Price of the answer in the currency of the price list.", MeaningJA: "回答一件の費用（料金表の通貨）。",
		},
		Doc: Doc{
			Formula: "Σ price of each call", Inputs: "measurement", Source: "ours",
			DropEN: "More tokens, or a dearer model.", DropJA: "トークンの増加、または高価なモデル。",
		},
		score: (*evaluation).cost,
	},
	{
		Spec: lower(ruled("truncated", "operations", 0.5, [4]string{
			"Truncated", "途中切れ",
			"1 when the generator stopped at its length limit, else 0.",
			"生成が文字数の上限で打ち切られていれば1、そうでなければ0。",
		})),
		Doc: Doc{
			Formula: "1 when the generator's finish reason is its length limit", Inputs: "answer", Source: "ours",
			DropEN: "max_tokens is too small for these answers.", DropJA: "max_tokens が回答に対して小さすぎる。",
		},
		score: (*evaluation).truncated,
	},
}

// latency is the wall time of the answer in seconds. It depends on the machine and the hour, so it belongs to no suite whose
// runs must be equal.
func (b *evaluation) latency(context.Context) (Score, error) {
	if b.sample.LatencyMS <= 0 {
		return notApplicable("not_measured"), nil
	}
	return scored(float64(b.sample.LatencyMS)/1000, ""), nil
}

// tokens is how many tokens the answer's calls sent and received.
func (b *evaluation) tokens(context.Context) (Score, error) {
	in, out := b.sample.TokensIn, b.sample.TokensOut
	if in+out <= 0 {
		return notApplicable("not_measured"), nil
	}
	return scored(float64(in+out), fmt.Sprintf("%d + %d", in, out)), nil
}

// cost is what the answer's calls cost, in the price file's currency.
func (b *evaluation) cost(context.Context) (Score, error) {
	if !b.sample.CostKnown {
		return notApplicable("no_price"), nil
	}
	return scored(float64(b.sample.CostMicros)/1e6, ""), nil
}

// truncated is 1 when the generator stopped at its limit and the answer may lack its end.
func (b *evaluation) truncated(context.Context) (Score, error) {
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	if len(b.sample.Logged) > 0 && !b.sample.Truncated { // another tool's file does not say how an answer ended
		return notApplicable("not_measured"), nil
	}
	return scored(textual.Truth(b.sample.Truncated), ""), nil
}
