package store

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
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
		whole.Answer.GenerationKey, whole.Answer.RetrievalKey = "", ""
		for i := range whole.Scores {
			whole.Scores[i].Stages = nil
		}
		diff(t, whole, worded(short))

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

// TestARunAskedAgainInShort: a run whose errors were asked again is read in short as it is read whole: the child's score stands in the
// place of the error, whichever of both has its grounds kept.
func TestARunAskedAgainInShort(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		of := setup("again")
		of.Settled = true
		run := func(parent, state string) string {
			t.Helper()
			made, err := s.CreateRun(t.Context(),
				experiments.Run{Kind: experiments.KindEvaluate, ParentID: parent, Setup: of, CreatedAt: at(0)}, []string{"q1"})
			ok(t, err)
			res, stages := refusal("q1")
			if state == "scored" {
				res.Scores[1].State, res.Scores[1].Value, res.Scores[1].Reason = metrics.Scored, 4, ""
			}
			ok(t, s.SaveResults(t.Context(), made.ID, []experiments.Result{res}, stages, at(2)))
			over(t, s, made.ID)
			return made.ID
		}
		first := run("", "with an error")
		run(first, "scored")
		stocked(t, s)
		both := func() (whole, short experiments.Evaluation) {
			t.Helper()
			return must[experiments.Evaluation](t)(experiments.LoadEvaluation(t.Context(), s, first)),
				must[experiments.Evaluation](t)(experiments.LoadInShort(t.Context(), s, s, first))
		}
		whole, short := both()
		diff(t, whole, short)
		if v, scored := short.Results[0].Value("correctness"); !scored || v != 4 {
			t.Errorf("the child's score is not pooled: %v %v", v, scored)
		}
		ok(t, s.Read(t.Context()).Exec("DELETE FROM grounds WHERE run_id = ?", first).Error)
		whole, short = both()
		diff(t, whole, short)
	})
}

// worded is a result with the judge's words in its scores.
func worded(r experiments.Result) experiments.Result {
	out := r
	out.Scores, out.Reasons = slices.Clone(r.Scores), ""
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
			whole[i].Answer.GenerationKey, whole[i].Answer.RetrievalKey = "", ""
			for k := range whole[i].Scores {
				whole[i].Scores[k].Stages = nil
			}
			short[i] = worded(short[i])
		}
		diff(t, whole, short)
	})
}
