package validations

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// VerdictValidation says on which pairs of answers a judge's "worse" and "better" are set against readers'.
type VerdictValidation struct {
	Judge  string // provider/model; default the offline judge
	Pairs  []validation.ReadersPair
	Source string // the name of the file of pairs
	Budget experiments.Budget
	Tell   func(stage string, done, total int) // how far it is; may be nil
}

// VerdictReport is what came of it, and whose judge it is.
type VerdictReport struct {
	Judge         string `json:"judge"` // provider/model
	PromptVersion string `json:"prompt_version"`
	RunID         string `json:"run_id"` // that it was booked to
	Calls         int    `json:"calls"`  // bought for this measurement
	CostMicros    int64  `json:"cost_micros"`
	validation.VerdictScore

	// Judged is what the judge made of each pair, in the order of the pairs: too much for the card, and for whoever wants the counts.
	Judged []validation.JudgedPair `json:"-"`
}

// ReadPairs reads the pairs of a file, with its name as their source. Bad rows are named by line and field.
func ReadPairs(path string) (pairs []validation.ReadersPair, source string, err error) {
	source = filepath.Base(path)
	body, err := os.ReadFile(path) //nolint:gosec // the user's own file
	if err != nil {
		return nil, source, problem.New(problem.NotFound, "pairs_file", "cannot read %s", path).With("path", path).Because(err).
			WithHint("docs/verdicts.md describes the file")
	}
	if pairs, err = validation.ReadPairs(body); err != nil {
		p := problem.From(err)
		p.Message = fmt.Sprintf("%s: %s", path, p.Message)
		return nil, source, p
	}
	return pairs, source, nil
}

// ValidateVerdicts sets a judge's verdicts against readers' and keeps the figures on its card. What it buys is booked like every
// validation: to a run, under the budget, and no reply twice.
func ValidateVerdicts(ctx context.Context, w *app.Workbench, v VerdictValidation) (VerdictReport, error) {
	e, err := verdictExaminer(w, v)
	if err != nil {
		return VerdictReport{}, err
	}
	card := validation.JudgeCard{
		Judge: e.judge.String(), PromptVersion: e.judge.PromptVersion(), MeasuredAt: w.Options.Now().UTC(), Offline: e.setup.Offline,
		Deterministic: e.info.Deterministic, Source: v.Source, Protocols: map[string]validation.Protocol{},
		Datasets: []validation.DatasetScore{},
	}
	var judged []validation.JudgedPair
	err = measured(ctx, w, e, v.Budget, &card, func(ctx context.Context) (err error) {
		if judged, err = e.judgePairs(ctx, v.Pairs); err != nil {
			return err
		}
		score := validation.ScoreVerdicts(v.Pairs, judged)
		score.Source, score.MeasuredAt = v.Source, card.MeasuredAt
		card.Verdicts = &score
		card.Settle()
		return nil
	})
	if err != nil {
		return VerdictReport{}, err
	}
	return VerdictReport{card.Judge, card.PromptVersion, card.RunID, card.Calls, card.CostMicros, *card.Verdicts, judged}, nil
}

// PlanVerdicts says what it would ask for and what is known already, and buys nothing.
func PlanVerdicts(ctx context.Context, w *app.Workbench, v VerdictValidation) (app.Plan, error) {
	plan, err := w.Planned(ctx, "", func(t *app.Tally) error {
		e, err := verdictExaminer(w, v)
		if err != nil {
			return err
		}
		e.providers, e.guess = t, true
		_, err = e.judgePairs(ctx, v.Pairs)
		return err
	})
	plan.Questions = len(v.Pairs)
	return plan, err
}

func verdictExaminer(w *app.Workbench, v VerdictValidation) (*examination, error) {
	judge, err := app.JudgeConfigOf(v.Judge)
	if err != nil {
		return nil, err
	}
	return examiner(w, judge, v.Tell, validation.PairMetrics()...)
}

// judgePairs asks for grade and claims of both answers of every pair.
func (e *examination) judgePairs(ctx context.Context, pairs []validation.ReadersPair) ([]validation.JudgedPair, error) {
	suite, err := e.suite(validation.PairMetrics()...)
	if err != nil {
		return nil, err
	}
	out := make([]validation.JudgedPair, len(pairs))
	err = e.each(ctx, "pairs", len(pairs), func(ctx context.Context, i int) error {
		for side, sample := range pairs[i].PairSamples() {
			scores, err := suite.Score(e.scoped(ctx, sample.QuestionID, 0), sample)
			if err != nil {
				return err
			}
			if scores[0].State != metrics.Scored {
				out[i].Lost = scores[0].Reason
				continue // the other answer is judged all the same, so that it is known when the pair is asked about again
			}
			out[i].Grades[side] = scores[0].Value
			explained, err := metrics.Explain(ctx, e.stages, scores)
			if err != nil {
				return err
			}
			if facts, ok := compare.FactsOf(explained.Grounds()); ok {
				facts = facts.With(scores[0].Reason)
				out[i].Facts[side] = &facts
			}
		}
		if out[i].Lost != "" || !pairs[i].Tied(out[i]) && !e.guess {
			return nil
		}
		sample := pairs[i].PairSamples()[0]
		var err error
		out[i].Prefer, err = suite.Prefer(e.scoped(ctx, sample.QuestionID, 0), sample, pairs[i].Before, pairs[i].After)
		if llm.CauseOf(err) == llm.CauseNotRecorded {
			out[i].Lost = llm.CauseNotRecorded // the others are asked all the same
			return nil
		}
		return err
	})
	return out, err
}
