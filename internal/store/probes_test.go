package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// TestTheNewestProbeCounts keeps one probe for each provider, model and purpose.
func TestTheNewestProbeCounts(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		probe := llm.Probe{Provider: "gate", Origin: "http://gate/v1", Model: "m", Purpose: llm.ProbeJudge, At: at(1), OK: true,
			Form: "object", Tried: []llm.FormTried{{Form: "schema", Problem: llm.CauseRequest}, {Form: "object"}}, LatencyMS: 12}
		ok(t, s.PutProbe(ctx, probe))
		other := probe
		other.Purpose, other.Dimensions = llm.ProbeEmbed, 64
		ok(t, s.PutProbe(ctx, other))
		probe.At, probe.Form = at(2), "prompt"
		ok(t, s.PutProbe(ctx, probe))
		got, err := s.Probes(ctx)
		ok(t, err)
		diff(t, []llm.Probe{other, probe}, got)
	})
}
