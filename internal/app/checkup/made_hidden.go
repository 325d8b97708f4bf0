package checkup

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// internal is the cause of what failed in the program itself, after replies had come.
const internal = "internal"

// looked gives stored outputs, and none where there is none.
type looked struct{ rag.Stages }

// PutStage stores nothing.
func (looked) PutStage(context.Context, rag.Stage) error { return nil }

// hidden are the metrics of a result that ended in an error although replies that its run bought for its question give a score, or
// "answer": whoever makes an error of a low score has it left out of the means. Two workers that were at one question at the same time can
// leave that too.
func (r *recipe) hidden(ctx context.Context, p Place, q experiments.Question, sample metrics.Sample,
	result experiments.Result) (out []string) {
	w := r.ways[0]
	if result.Answer == nil {
		if result.Failure.Cause != internal && r.answered(ctx, p, w, q) {
			return []string{"answer"}
		}
		return nil
	}
	wanted := map[string]bool{}
	for _, s := range result.Scores {
		wanted[s.Metric] = s.State == metrics.Errored && s.Reason != internal
	}
	if !r.judged || !slices.ContainsFunc(result.Scores, func(s metrics.Score) bool { return wanted[s.Metric] }) {
		return nil
	}
	suite, err := metrics.NewSuite(r.run.Setup.Suite, r.run.Setup.Judge, w.providers, looked{p.Store})
	if err != nil {
		return nil
	}
	again, err := suite.ScoreSome(ctx, sample, "", func(metric string) bool { return wanted[metric] })
	if err != nil {
		return nil
	}
	for _, s := range again {
		if wanted[s.Metric] && s.State != metrics.Errored && r.own(ctx, p, q, s.Stages) {
			out = append(out, s.Metric)
		}
	}
	return out
}

// answered reports whether the run bought an answer to a question.
func (r *recipe) answered(ctx context.Context, p Place, w way, q experiments.Question) bool {
	key, _, err := w.system.Keys(ctx, q.Text, nil)
	if err != nil {
		return false
	}
	body, there, err := p.Store.Stage(ctx, key)
	var found rag.Retrieval
	if err != nil || !there || json.Unmarshal(body, &found) != nil {
		return false
	}
	if r.corpus != nil {
		found = rag.FillTexts(r.corpus, found)
	}
	_, key, err = w.system.Keys(ctx, q.Text, found.Hits)
	return err == nil && r.own(ctx, p, q, []string{key})
}

// own reports whether outputs rest on calls of this run for this question alone, and on any.
func (r *recipe) own(ctx context.Context, p Place, q experiments.Question, stages []string) bool {
	behind, err := p.Store.CallsBehind(ctx, stages)
	return err == nil && len(behind) > 0 && !slices.ContainsFunc(behind, func(b records.Behind) bool {
		return b.Run != r.run.ID || b.Question != q.ID
	})
}
