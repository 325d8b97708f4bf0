package metrics

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

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
	return scored(textual.Truth(b.sample.Truncated), ""), nil
}
