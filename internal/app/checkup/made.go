package checkup

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// strange is what of a result does not follow from the setup of its run.
type strange struct {
	question string
	answer   string          // the key of an answer that was made with something else; "" where it was not
	cells    []metrics.Score // that were computed from something else
	values   []metrics.Score // that do not follow from answer and verdicts
	unasked  []string        // "answer" and metrics that rest on replies for which nobody asked
	hidden   []string        // the same, of those that ended in an error although replies give them
}

func (s strange) some() bool {
	return s.answer != "" || len(s.cells)+len(s.values)+len(s.unasked)+len(s.hidden) > 0
}

// made computes of every finished run the keys that its answers and scores must have by its setup, and its scores from the stored
// verdicts of the judge: they tell of whoever gives a run the results of another one, or raises a score, and seals all anew. It
// searches nothing, asks nobody and computes no vectors.
func made(ctx context.Context, p Place) (r Report, err error) {
	runs, err := p.Store.Runs(ctx, experiments.RunFilter{State: experiments.Finished})
	if err != nil {
		return r, ctx.Err() // told of elsewhere
	}
	all, odd := &recipes{Place: p}, map[string][]strange{}
	for _, run := range slices.Backward(runs) {
		one, err := all.of(ctx, run)
		if err != nil {
			return r, err
		}
		if one == nil || len(one.ways) == 0 {
			continue
		}
		found, err := one.strange(ctx, p)
		if err != nil {
			return r, err
		}
		if len(found) > 0 {
			odd[run.ID] = found
		}
	}
	return tellStrange(ctx, p, runs, odd)
}

// mostAtOnce is how many results are looked at together.
const mostAtOnce = 256

// strange looks at all results of the run.
func (r *recipe) strange(ctx context.Context, p Place) (found []strange, err error) {
	results, err := p.Store.Results(ctx, r.run.ID)
	if err != nil {
		return nil, ctx.Err() // told of elsewhere
	}
	for some := range slices.Chunk(results, mostAtOnce) {
		bodies, err := r.bodies(ctx, p, some)
		if err != nil {
			return nil, err
		}
		out := make([]strange, len(some))
		sideBySide(len(some), func(i int) { out[i] = r.result(ctx, p, some[i], bodies) })
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found = append(found, slices.DeleteFunc(out, func(s strange) bool { return !s.some() })...)
	}
	return found, nil
}

// sideBySide does n things with all processors.
func sideBySide(n int, do func(int)) {
	workers := runtime.GOMAXPROCS(0)
	llm.SideBySide(workers, func(first int) {
		for i := first; i < n; i += workers {
			do(i)
		}
	})
}

// bodies reads the outputs that scores name.
func (r *recipe) bodies(ctx context.Context, p Place, results []experiments.Result) (map[string][]byte, error) {
	var keys []string
	if r.judged {
		for _, one := range results {
			for _, s := range one.Scores {
				keys = append(keys, s.Stages...)
			}
		}
	}
	slices.Sort(keys)
	return p.Store.StageBodies(ctx, slices.Compact(keys))
}

// result looks at one result. It is as it should be when any of the ways gives it.
func (r *recipe) result(ctx context.Context, p Place, result experiments.Result, bodies map[string][]byte) (found strange) {
	q, known := r.questions[result.QuestionID]
	if !known || result.Answer == nil && result.Failure == nil {
		return strange{}
	}
	scope := r.run.Scope()
	scope.QuestionID = q.ID
	ctx = llm.WithScope(ctx, scope)
	answer := r.answer(result)
	sample := q.Sample(r.corpus, answer)
	for i, w := range r.ways {
		now := strange{question: q.ID}
		sample.Logged = w.system.LoggedScores(q.ID, scope.Replicate)
		if result.Answer != nil && w.other(ctx, q, answer) {
			now.answer = answer.GenerationKey
		}
		if r.judged && len(result.Scores) == len(r.run.Setup.Suite) {
			r.scores(ctx, w, sample, result, bodies, &now)
		}
		if i == 0 || !now.some() {
			found = now
		}
		if !now.some() {
			break
		}
	}
	found.unasked, found.hidden = r.nobodyAsked(result), r.hidden(ctx, p, q, sample, result)
	return found
}

// nobodyAsked are the parts of a result that rest on replies of a model that costs money, behind which no call stands.
func (r *recipe) nobodyAsked(result experiments.Result) (out []string) {
	if result.Answer != nil && r.unasked[result.Answer.GenerationKey] {
		out = append(out, "answer")
	}
	for _, s := range result.Scores {
		if slices.ContainsFunc(s.Stages, func(key string) bool { return r.unasked[key] }) {
			out = append(out, s.Metric)
		}
	}
	return out
}

// answer is the answer of a result with the texts of its contexts; what was retrieved where there is no answer.
func (r *recipe) answer(result experiments.Result) (a rag.Answer) {
	switch {
	case result.Answer != nil:
		a = *result.Answer
	case result.Retrieved != nil:
		a.Retrieval = result.Retrieved.Retrieval
	}
	if r.corpus != nil {
		a.Retrieval = rag.FillTexts(r.corpus, a.Retrieval)
	}
	return a
}

// other reports whether an answer was certainly made with something else.
func (w way) other(ctx context.Context, q experiments.Question, a rag.Answer) bool {
	retrieval, generation, err := w.system.Keys(ctx, q.Text, a.Hits)
	return err == nil && (retrieval != a.RetrievalKey || generation != a.GenerationKey)
}

// scores computes the scores again: those that rest on replies of the judge, and in a run of this version of the offline provider those
// that rest on nothing but texts. Errors say nothing, and measurements cannot be repeated.
func (r *recipe) scores(ctx context.Context, w way, sample metrics.Sample, result experiments.Result, bodies map[string][]byte,
	found *strange) {
	own, wanted := named{}, map[string]bool{}
	for i, s := range result.Scores {
		spec := r.run.Setup.Suite[i]
		if s.State != metrics.Scored && s.State != metrics.NotApplicable || spec.Group == metrics.GroupOperations {
			continue
		}
		for _, key := range s.Stages {
			if body, there := bodies[key]; there {
				own[key] = body
			}
		}
		wanted[s.Metric] = len(s.Stages) > 0 || spec.NeedsJudge || r.run.Setup.OfflineVersion != ""
		if result.Answer == nil && result.Retrieved == nil {
			found.values = append(found.values, s) // of nothing
		}
	}
	if result.Answer == nil && result.Retrieved == nil {
		return
	}
	suite, err := metrics.NewSuite(r.run.Setup.Suite, r.run.Setup.Judge, w.providers, own)
	if err != nil {
		return
	}
	cause := ""
	if result.Failure != nil {
		cause = result.Failure.Cause
	}
	again, err := suite.ScoreSome(ctx, sample, cause, func(metric string) bool { return wanted[metric] })
	if err != nil || len(again) != len(result.Scores) {
		return // a reply that cannot be read: verify tells more
	}
	for i, was := range result.Scores {
		switch is := again[i]; {
		case !wanted[was.Metric], is.Reason == causeNotEmbedded:
		case is.State == metrics.Errored && is.Reason == causeNotStored,
			is.State != metrics.Errored && !slices.Equal(was.Stages, is.Stages):
			found.cells = append(found.cells, was)
		case is.State != was.State || math.Abs(is.Value-was.Value) > 1e-9 || reworded(was, is, own):
			found.values = append(found.values, was)
		}
	}
}

// reworded reports whether a reason is other words than those of the reply that it is taken from. A reason that this program puts together
// may have been put together otherwise.
func reworded(was, is metrics.Score, replies named) bool {
	if is.Reason == "" || strings.Contains(was.Reason, is.Reason) {
		return false
	}
	words, err := json.Marshal(is.Reason)
	return err == nil && slices.ContainsFunc(is.Stages, func(key string) bool { return bytes.Contains(replies[key], words) })
}
