package compare

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

func compared(t testing.TB, baseline, candidate experiments.Evaluation) Comparison {
	t.Helper()
	c, err := CompareWith(baseline, candidate, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// withSuite changes the specs of a run's suite.
func withSuite(e experiments.Evaluation, change func(*metrics.Spec)) experiments.Evaluation {
	suite := make([]metrics.Spec, len(e.Run.Setup.Suite))
	for i, s := range e.Run.Setup.Suite {
		change(&s)
		suite[i] = s
	}
	e.Run.Setup.Suite = suite
	return e
}
