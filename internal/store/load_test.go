package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestResultsInShort: without the keys of stages everything else is the same, and where something may be asked of the stages, because it is
// not kept or the run is not over, the keys are there.
func TestResultsInShort(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		run, err := s.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: setup("short"), CreatedAt: at(0)},
			[]string{"q1"})
		ok(t, err)
		res, stages := refusal("q1")
		ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{res}, stages, at(2)))
		both := func() (whole, short experiments.Result) {
			t.Helper()
			return must[[]experiments.Result](t)(s.Results(t.Context(), run.ID))[0],
				must[[]experiments.Result](t)(s.ResultsInShort(t.Context(), run.ID))[0]
		}
		whole, short := both()
		diff(t, whole, short)
		over(t, s, run.ID)

		whole, short = both()
		if short.Grounds == nil || whole.Answer.GenerationKey == "" || len(whole.Scores[0].Stages) == 0 {
			t.Fatal("there is nothing to leave out")
		}
		if short.Answer.GenerationKey+short.Answer.RetrievalKey != "" || short.Scores[0].Stages != nil {
			t.Error("keys are read")
		}
		if whole.Scores[0].Reason == "" || short.Scores[0].Reason != "" || short.Reason(0) != whole.Scores[0].Reason {
			t.Errorf("of the words %q in short %q stand in the score, and it is told %q", whole.Scores[0].Reason, short.Scores[0].Reason,
				short.Reason(0))
		}
		alike(t, whole, short)

		ok(t, s.Read(t.Context()).Exec("DELETE FROM grounds").Error)
		whole, short = both()
		diff(t, whole, short)
		ok(t, s.Read(t.Context()).Exec("UPDATE results SET stages = ?", []byte{}).Error)
		whole, short = both()
		if diff(t, whole, short); len(short.Scores[0].Stages) == 0 {
			t.Error("keys that are damaged are taken for none")
		}
	})
}

// TestARunAskedAgainInShort: a run that was asked again is read in short as it is read whole, whether one vote settles it or not: what
// children scored stands in the place of errors, and further votes follow, of whichever of them what they rest on is kept. Generated:
// children and theirs with votes, errors, failures, stages that say something of the answer or none, and one that is not over.
func TestARunAskedAgainInShort(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		var kept, filled int
		for seed := range uint64(12) {
			draw := rand.New(rand.NewPCG(seed, 1))
			first := askedAgain(t, s, draw, fmt.Sprint("again-", seed))
			stocked(t, s)
			whole, short := must[experiments.Evaluation](t)(experiments.LoadEvaluation(t.Context(), s, first)),
				must[experiments.Evaluation](t)(experiments.LoadInShort(t.Context(), s, s, first))
			diff(t, whole.Run, short.Run)
			diff(t, whole.Questions, short.Questions)
			if len(whole.Results) != len(short.Results) {
				t.Fatalf("seed %d: %d results, in short %d", seed, len(whole.Results), len(short.Results))
			}
			for i := range whole.Results {
				alike(t, whole.Results[i], short.Results[i])
				if short.Results[i].Prints != nil {
					kept++
				}
				if s, ok := whole.Results[i].Score("correctness"); ok && strings.HasPrefix(s.Reason, "filled") {
					filled++
				}
			}
		}
		if kept == 0 || filled == 0 {
			t.Errorf("%d results without keys, %d filled: nothing was tried", kept, filled)
		}
	})
}

// askedAgain makes a finished run with children that were drawn, and returns its id.
func askedAgain(t *testing.T, s *Store, draw *rand.Rand, name string) string {
	t.Helper()
	of := setup(name)
	of.Settled = draw.IntN(2) == 0
	create := func(parent string, replicate int, child, finish bool) string {
		of.Replicate = replicate
		questions := []string{"q1", "q2", "q3"}
		run, err := s.CreateRun(t.Context(),
			experiments.Run{Kind: experiments.KindEvaluate, ParentID: parent, Setup: of, CreatedAt: at(0)}, questions)
		ok(t, err)
		for _, q := range questions {
			res, stages := drawn(draw, q, child)
			ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{res}, stages, at(2)))
		}
		if finish {
			over(t, s, run.ID)
		}
		return run.ID
	}
	first := create("", 0, false, true)
	for range 1 + draw.IntN(3) {
		replicate := draw.IntN(3)
		child := create(first, replicate, true, draw.IntN(4) > 0)
		if draw.IntN(2) == 0 {
			create(child, replicate, true, true)
		}
	}
	return first
}

// drawn is a result of a question: its answer is the same in a run and in its child, or another one, or none.
func drawn(draw *rand.Rand, question string, child bool) (experiments.Result, []rag.Stage) {
	res, stages := refusal(question)
	for i := range res.Scores {
		res.Scores[i].Reason += fmt.Sprint(" ", draw.IntN(3))
	}
	correctness := &res.Scores[1]
	correctness.State, correctness.Value, correctness.Reason = metrics.Errored, 0, "timeout"
	if child && draw.IntN(3) > 0 || draw.IntN(3) == 0 {
		correctness.State, correctness.Value = metrics.Scored, float64(draw.IntN(3))
		correctness.Reason = fmt.Sprint("filled ", draw.IntN(9))
		key := rag.StageKey("judge", "1", fmt.Sprint(question, draw.IntN(4)))
		correctness.Stages = []string{key}
		stages = append(stages, rag.Stage{Key: key, Kind: "judge", Body: stages[len(stages)-1].Body})
	}
	if draw.IntN(2) == 0 { // nothing says what the answer rests on
		res.Scores[0].Stages = nil
	}
	switch draw.IntN(5) {
	case 0:
		res.Answer, res.Failure = nil, &experiments.Failure{Cause: "timeout", Message: "it took too long"}
		for i := range res.Scores {
			s := &res.Scores[i]
			*s = metrics.Score{Metric: s.Metric, Version: s.Version, State: metrics.Errored, Reason: "timeout"}
		}
	case 1:
		other, more := result(question, "Another answer.", 1)
		res.Answer, stages = other.Answer, append(stages, more...)
	}
	return res, stages
}

// alike compares a result that was read whole with the same in short.
func alike(t *testing.T, whole, short experiments.Result) {
	t.Helper()
	for i := range whole.Scores {
		if whole.Replies(i) != short.Replies(i) {
			t.Errorf("score %d of %s is told from others by %x, whole by %x", i, short.QuestionID, short.Replies(i), whole.Replies(i))
		}
	}
	if short.Prints != nil {
		if whole.Answer != nil {
			whole.Answer.GenerationKey, whole.Answer.RetrievalKey = "", ""
		}
		short = worded(short)
		for i := range whole.Scores {
			if short.Scores[i].Stages == nil {
				whole.Scores[i].Stages = nil
			}
		}
	}
	diff(t, whole, short)
}

// worded is a result with the judge's words in its scores.
func worded(r experiments.Result) experiments.Result {
	out := r
	out.Scores, out.Reasons, out.Prints = slices.Clone(r.Scores), "", nil
	for i := range out.Scores {
		out.Scores[i].Reason = r.Reason(i)
	}
	return out
}

// TestResultsInShortShareEqualScores: of a run by itself each list of scores that is the same without its keys and the judge's words is
// held once, and so is each name; with keys every result has its own.
func TestResultsInShortShareEqualScores(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		run, err := s.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: setup("shared"), CreatedAt: at(0)},
			[]string{"q1", "q2", "q3"})
		ok(t, err)
		for _, question := range []string{"q1", "q2", "q3"} {
			res, stages := refusal(question)
			res.Scores[0].Reason = "of " + question
			if question == "q3" {
				res.Scores[0].Value = 0.5
			}
			ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{res}, stages, at(2)))
		}
		over(t, s, run.ID)
		whole, short := must[[]experiments.Result](t)(s.Results(t.Context(), run.ID)),
			must[[]experiments.Result](t)(s.ResultsInShort(t.Context(), run.ID))
		first := func(of []experiments.Result, i int) *metrics.Score { return &of[i].Scores[0] }
		if first(short, 0) != first(short, 1) || first(short, 0) == first(short, 2) || first(whole, 0) == first(whole, 1) {
			t.Errorf("of equal, different and whole scores others are shared: %+v", short)
		}
		document := func(i int) *byte { return unsafe.StringData(short[i].Answer.Hits[0].DocID) }
		if document(0) != document(2) {
			t.Error("the name of a document is held for each hit")
		}
		for i := range whole {
			alike(t, whole[i], short[i])
		}
	})
}
