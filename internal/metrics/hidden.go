package metrics

import "github.com/rag-workbench/workbench/internal/rag"

// judgesContexts are the metrics outside the retrieval group that look at the retrieved texts.
var judgesContexts = map[string]bool{
	"trust": true, "faithfulness": true, "context_recall": true, "context_precision": true, "context_utilization": true,
	"context_relevance": true, "noise_sensitivity": true,
}

// hidden is the reason why a metric does not apply to this sample although it would to others: the system under test runs
// elsewhere and does not show what the metric looks at. "" when it shows enough. What is not shown is never scored as missing.
func (s Sample) hidden(spec Spec) string {
	switch {
	case s.Hidden == "":
		return ""
	case spec.Group == "retrieval", s.Hidden == rag.NoContexts && judgesContexts[spec.ID]:
		return s.Hidden
	}
	return ""
}
