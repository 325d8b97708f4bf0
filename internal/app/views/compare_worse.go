package views

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app/reporting"
)

// Regressions are the answers that got worse, small enough for a chat message or a check.
type Regressions struct {
	Baseline  string             `json:"baseline"`
	Candidate string             `json:"candidate"`
	Sentences findings.Sentences `json:"sentences"`
	Worse     []Regression       `json:"worse"` // worst first
}

// Regression is one answer that got worse.
type Regression struct {
	QuestionID string        `json:"question_id"`
	Question   string        `json:"question"`
	Critical   bool          `json:"critical,omitempty"`
	Metric     string        `json:"metric"`
	Before     float64       `json:"before"`
	After      float64       `json:"after"`
	Class      compare.Class `json:"class,omitempty"`
}

// Regressions lists the answers that got worse.
func (v *compareViews) Regressions(ctx context.Context, baseline, candidate string) (Regressions, error) {
	c, err := v.comparison(ctx, baseline, candidate)
	if err != nil {
		return Regressions{}, err
	}
	out := Regressions{Baseline: c.both[0].Run.ID, Candidate: c.both[1].Run.ID,
		Sentences: reporting.Said(ctx, v.w, c.Comparison, c.evaluations()).Said(), Worse: []Regression{}}
	for _, r := range c.rows {
		if r.Label == compare.Worse {
			d := r.Verdict.Decider()
			out.Worse = append(out.Worse, Regression{r.QuestionID, r.Question, r.Critical, d.Metric, d.Baseline, d.Candidate, r.Class})
		}
	}
	return out, nil
}
