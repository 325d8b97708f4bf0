package store

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

func TestSaveResults(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := running(t, s, "a")
		res, stages := result("q3", "yes", 4)
		failure := pendingResult("q1")
		failure.Failure = &experiments.Failure{Cause: "provider_quota", Message: "no credit"}
		for i := range failure.Scores {
			failure.Scores[i].State, failure.Scores[i].Reason = metrics.Errored, "provider_quota"
		}
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{res, failure}, stages, at(2)))
		diff(t, []experiments.Result{pendingResult("q2"), res, failure}, must[[]experiments.Result](t)(s.Results(ctx, run.ID)))
		diff(t, []string{"q2"}, must[[]string](t)(s.Missing(ctx, run.ID)))
		body, found, err := s.Stage(ctx, stages[1].Key)
		if err != nil || !found || string(body) != string(stages[1].Body) {
			t.Errorf("the saved stage is %s (%v, %v)", body, found, err)
		}
	})
}

// TestSaveResultsInSteps saves an answer before its scores, and some scores before the others.
func TestSaveResultsInSteps(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := running(t, s, "a")
		whole, stages := result("q2", "yes", 4)
		answer := whole
		answer.Scores = nil
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{answer}, stages, at(2)))
		part := whole
		part.Answer = nil
		part.Scores = []metrics.Score{whole.Scores[1], {Metric: "trust", State: metrics.Pending}}
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{part}, nil, at(3)))
		got := must[[]experiments.Result](t)(s.Results(ctx, run.ID))[0]
		if got.Answer == nil || got.Scores[0].State != metrics.Pending || got.Scores[1].State != metrics.Errored {
			t.Errorf("after two steps: %+v", got)
		}
		diff(t, []string{"q2", "q3", "q1"}, must[[]string](t)(s.Missing(ctx, run.ID)))
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{whole}, nil, at(4)))
		diff(t, whole, must[[]experiments.Result](t)(s.Results(ctx, run.ID))[0])
	})
}

func TestFirstWriterWins(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := running(t, s, "a")
		first, stages := result("q2", "first", 4)
		second, more := result("q2", "second", 1)
		// Both in one call, then again: errors and "not applicable" are final too.
		second.Scores[1] = metrics.Score{Metric: "correctness", Version: "v2", State: metrics.Scored, Value: 5}
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{first, second}, append(stages, more...), at(2)))
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{second}, more, at(3)))
		diff(t, first, must[[]experiments.Result](t)(s.Results(ctx, run.ID))[0])
		var writes []int
		ok(t, s.Read(ctx).Raw("SELECT writes FROM cells WHERE run_id = ? AND question_id = 'q2'", run.ID).Scan(&writes).Error)
		diff(t, []int{1, 1, 1}, writes)
	})
}

// TestConcurrentSaveResults lets two stores save different results for the same questions, in different orders: each
// question ends with the answer and the scores of one of them, never a mixture.
func TestConcurrentSaveResults(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		stores := []*Store{d.open(t), d.open(t)}
		run := running(t, stores[0], "a")
		orders := [][]string{{"q1", "q2", "q3"}, {"q3", "q1", "q2"}, {"q2", "q3", "q1"}, {"q3", "q2", "q1"}}
		var wg sync.WaitGroup
		for i, order := range orders {
			wg.Go(func() {
				var results []experiments.Result
				var all []rag.Stage
				for _, q := range order {
					r, stages := result(q, fmt.Sprint("writer ", i), float64(i))
					results, all = append(results, r), append(all, stages...)
				}
				if err := stores[i%2].SaveResults(t.Context(), run.ID, results, all, at(2)); err != nil {
					t.Errorf("writer %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		for _, r := range must[[]experiments.Result](t)(stores[0].Results(t.Context(), run.ID)) {
			if v, _ := r.Value("trust"); r.Answer.Text != fmt.Sprint("writer ", int(v)) {
				t.Errorf("question %s has the answer of %q and the score of writer %v", r.QuestionID, r.Answer.Text, v)
			}
		}
	})
}

func TestSaveResultsRefusals(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := running(t, s, "a")
		save := func(change func(*experiments.Result)) error {
			r, stages := result("q1", "yes", 4)
			change(&r)
			return s.SaveResults(ctx, run.ID, []experiments.Result{r}, stages, at(2))
		}
		for name, change := range map[string]func(*experiments.Result){
			"unknown question":       func(r *experiments.Result) { r.QuestionID = "q9" },
			"negative replicate":     func(r *experiments.Result) { r.Replicate = -1 },
			"unknown metric":         func(r *experiments.Result) { r.Scores[0].Metric = "luck" },
			"not a number":           func(r *experiments.Result) { r.Scores[0].Value = math.NaN() },
			"answer without key":     func(r *experiments.Result) { r.Answer.GenerationKey = "" },
			"contexts without a key": func(r *experiments.Result) { r.Answer.RetrievalKey = "" },
		} {
			if err := save(change); problem.From(err) == nil || problem.From(err).Kind != problem.Internal {
				t.Errorf("%s: error is %v; want an internal one", name, err)
			}
		}
		// Nothing of a refused call stays, not even its stages.
		if _, found, err := s.Stage(ctx, rag.StageKey("generate", "1", "q1", "yes")); found || err != nil {
			t.Errorf("a stage of a refused call was stored (%v)", err)
		}
		diff(t, []experiments.Result{pendingResult("q2"), pendingResult("q3"), pendingResult("q1")},
			must[[]experiments.Result](t)(s.Results(ctx, run.ID)))
		ok(t, s.FinishRun(ctx, run.ID, "me", experiments.Totals{}, "", at(3)))
		wantProblem(t, save(func(*experiments.Result) {}), problem.Conflict, "run_state")
	})
}

func TestResultsNameAMissingStage(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := running(t, s, "a")
		res, stages := result("q1", "yes", 4)
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{res}, stages[:1], at(2)))
		_, err := s.Results(ctx, run.ID)
		wantProblem(t, err, problem.Internal, "stage_missing")
		if !strings.Contains(err.Error(), res.Answer.GenerationKey) {
			t.Errorf("%q does not name the stage", err)
		}
		ok(t, s.PutStage(ctx, stages[1]))
		diff(t, res, must[[]experiments.Result](t)(s.Results(ctx, run.ID))[2])
	})
}

// TestAnswerWithoutRetrieval is an answer from a log that shows no contexts.
func TestAnswerWithoutRetrieval(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := running(t, s, "a")
		res, stages := result("q2", "yes", 4)
		res.Answer.Retrieval, res.Answer.RetrievalKey = rag.Retrieval{}, ""
		ok(t, s.SaveResults(ctx, run.ID, []experiments.Result{res}, stages[1:], at(2)))
		diff(t, res, must[[]experiments.Result](t)(s.Results(ctx, run.ID))[0])
	})
}

// TestManyResults crosses every batch border of creating, saving and loading.
func TestManyResults(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		var questions []string
		var want []experiments.Result
		var all []rag.Stage
		for i := range 2*sqldb.BatchRows + 1 {
			q := fmt.Sprint("q", i)
			r, stages := result(q, "yes", float64(i))
			questions, want, all = append(questions, q), append(want, r), append(all, stages...)
		}
		run, err := s.CreateRun(ctx, experiments.Run{Kind: experiments.KindEvaluate, Setup: setup("a"), CreatedAt: at(0)}, questions)
		ok(t, err)
		ok(t, s.SaveResults(ctx, run.ID, want, all, at(1)))
		diff(t, want, must[[]experiments.Result](t)(s.Results(ctx, run.ID)))
		diff(t, []string{}, must[[]string](t)(s.Missing(ctx, run.ID)))
	})
}

func TestStages(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		if _, found, err := s.Stage(ctx, "k"); found || err != nil {
			t.Errorf("an unknown stage was found (%v)", err)
		}
		// Bodies are kept byte for byte, a NUL included.
		ok(t, s.PutStage(ctx, rag.Stage{Key: "k", Kind: "claims", Body: []byte("\"a\x00\xff\\u0000\"")}))
		ok(t, s.PutStage(ctx, rag.Stage{Key: "k", Kind: "claims", Body: []byte("later")}))
		body, found, err := s.Stage(ctx, "k")
		if err != nil || !found || string(body) != "\"a\x00\xff\\u0000\"" {
			t.Errorf("the stage is %q (%v, %v)", body, found, err)
		}
		if err := s.PutStage(ctx, rag.Stage{Kind: "claims"}); err == nil {
			t.Error("a stage without a key was stored")
		}
		calls := 0
		for range 2 {
			v, err := rag.Remember(ctx, s, "claims", "r", func(context.Context) (int, error) { calls++; return 42, nil })
			if v != 42 || err != nil {
				t.Errorf("remembered %d (%v)", v, err)
			}
		}
		if calls != 1 {
			t.Errorf("computed %d times; want once", calls)
		}
	})
}

func TestVectors(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		want := map[string][]float32{}
		var digests []string
		for i := range sqldb.BatchRows + 7 {
			digests = append(digests, fmt.Sprint("d", i))
			want[digests[i]] = []float32{float32(i), -0.1, math.MaxFloat32, math.SmallestNonzeroFloat32}
		}
		ok(t, s.PutVectors(ctx, "space", want))
		ok(t, s.PutVectors(ctx, "space", map[string][]float32{"d1": {9, 9, 9, 9}}))
		ok(t, s.PutVectors(ctx, "other", map[string][]float32{"d1": {1}}))
		ok(t, s.PutVectors(ctx, "space", nil))
		diff(t, want, must[map[string][]float32](t)(s.Vectors(ctx, "space", append(digests, "absent"))))
		diff(t, map[string][]float32{"d1": {1}}, must[map[string][]float32](t)(s.Vectors(ctx, "other", []string{"d1", "d2"})))
		diff(t, map[string][]float32{}, must[map[string][]float32](t)(s.Vectors(ctx, "space", nil)))

		ok(t, s.Read(ctx).Exec("UPDATE vectors SET dim = 3 WHERE space = 'other'").Error)
		if _, err := s.Vectors(ctx, "other", []string{"d1"}); err == nil {
			t.Error("a vector of the wrong length was read")
		}
	})
}
