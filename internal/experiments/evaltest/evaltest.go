// Package evaltest builds evaluations for tests, from the scores that a test writes down.
package evaltest

import (
	"fmt"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Table is an evaluation as a test writes it: by question, by metric. A metric that a row lacks was not scored.
type Table map[string]map[string]float64

// Evaluation builds a finished, settled run over the questions q1, q2, … of a table, in their order.
func Evaluation(t testing.TB, id string, rows Table, ids ...string) experiments.Evaluation {
	t.Helper()
	if ids == nil {
		for i := range len(rows) {
			ids = append(ids, fmt.Sprint("q", i+1))
		}
	}
	suite, err := metrics.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	e := experiments.Evaluation{Run: experiments.Run{ID: id, Setup: experiments.Setup{
		Dataset: experiments.Ref{Name: "faq", Version: 1, Digest: "d1"},
		Suite:   suite, Judge: metrics.DefaultJudge(), LowScore: experiments.DefaultLowScore, Settled: true,
	}}}
	for _, q := range ids {
		row, ok := rows[q]
		if !ok {
			t.Fatalf("the table has no question %s", q)
		}
		e.Questions = append(e.Questions, experiments.Question{
			ID: q, Text: "text of " + q, Lang: "en", Reference: "reference of " + q, Answerable: true,
			Evidence: []experiments.Evidence{{Span: rag.Span{DocID: "d", End: 9}}},
		})
		result := experiments.Result{QuestionID: q}
		for _, s := range suite {
			score := metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.NotApplicable, Reason: "no_reference"}
			if v, scored := row[s.ID]; scored {
				score = metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Scored, Value: v}
			}
			result.Scores = append(result.Scores, score)
		}
		e.Results = append(e.Results, result)
	}
	totals := experiments.Total(e.Results, e.Run.Setup.LowRule())
	e.Run.Totals = &totals
	return e
}

// One is a run of a single question with one metric.
func One(t testing.TB, id, metric string, value float64) experiments.Evaluation {
	t.Helper()
	return Evaluation(t, id, Table{"q1": {metric: value}})
}
