package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// judged is an answered and scored question whose three stage outputs were computed from these calls.
func judged(question string, retrieval, generation, verdict rag.Stage) (experiments.Result, []rag.Stage) {
	res, _ := result(question, "yes", 4)
	res.Answer.RetrievalKey, res.Answer.GenerationKey = retrieval.Key, generation.Key
	res.Scores[0].Stages = []string{verdict.Key}
	return res, []rag.Stage{retrieval, generation, verdict}
}

func stage(key, kind string, calls ...string) rag.Stage {
	body := map[string]string{"retrieve": `{"query":"q","hits":[]}`, "generate": `{"text":"yes"}`}[kind]
	if body == "" {
		body = "{}"
	}
	return rag.Stage{Key: key, Kind: kind, Body: []byte(body), Calls: calls}
}

func named(id, run, question, stage, purpose, model string) llm.Call {
	c := call(id, run, 100)
	c.QuestionID, c.Stage, c.Purpose, c.Model = question, stage, purpose, model
	return c
}

// twoRuns are a first run that bought four calls, and a second one that uses three of them and bought one of its own.
func twoRuns(t *testing.T, s *Store) (first, second string) {
	t.Helper()
	ctx := t.Context()
	first, second = created(t, s, experiments.Run{}, "first"), created(t, s, experiments.Run{}, "second")
	stocked(t, s)
	bought(t, s, named("embed", first, "q1", "embed", "embed", "e"), 1)
	bought(t, s, named("answer", first, "q1", "generate", "generate", "g"), 20)
	bought(t, s, named("judge1", first, "q1", "judge", "judge.claims", "j"), 300)
	bought(t, s, named("judge2", first, "q1", "judge", "judge.rubric", "j"), 4000)
	bought(t, s, named("judge3", second, "q1", "judge", "judge.claims", "j"), 50000)
	retrieval, generation := stage("r", "retrieve", "embed"), stage("g", "generate", "answer")
	res, stages := judged("q1", retrieval, generation, stage("v", "claims", "judge1", "judge2"))
	ok(t, s.SaveResults(ctx, first, []experiments.Result{res}, stages, at(2)))
	// The second run's q1 and q2 share an answer; its verdicts are its own, except that one reply came from the ledger.
	res, stages = judged("q1", retrieval, generation, stage("w", "claims", "judge1", "judge3"))
	again, more := judged("q2", retrieval, generation, stage("offline", "claims"))
	ok(t, s.SaveResults(ctx, second, []experiments.Result{again, res}, append(stages, more...), at(3)))
	return first, second
}

func TestSaved(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		first, second := twoRuns(t, s)
		diff(t, experiments.Spending{Calls: 4, ConfirmedMicros: 4321, PromptTokens: 12, OutputTokens: 8, Replies: 4},
			must[experiments.Spending](t)(s.Spent(ctx, first)))
		diff(t, experiments.Spending{Calls: 1, ConfirmedMicros: 50000, PromptTokens: 3, OutputTokens: 2, SavedCalls: 3, SavedMicros: 321,
			Replies: 1},
			must[experiments.Spending](t)(s.Spent(ctx, second)))

		line := func(value string, calls int, micros int64, saved int, savedMicros int64) experiments.BillLine {
			return experiments.BillLine{Value: value, Spending: experiments.Spending{
				Calls: calls, ConfirmedMicros: micros, SavedCalls: saved, SavedMicros: savedMicros,
				PromptTokens: int64(3 * calls), OutputTokens: int64(2 * calls), Replies: calls,
			}}
		}
		for field, want := range map[string][]experiments.BillLine{
			"stage":    {line("embed", 0, 0, 1, 1), line("generate", 0, 0, 1, 20), line("judge", 1, 50000, 1, 300)},
			"purpose":  {line("embed", 0, 0, 1, 1), line("generate", 0, 0, 1, 20), line("judge.claims", 1, 50000, 1, 300)},
			"model":    {line("e", 0, 0, 1, 1), line("g", 0, 0, 1, 20), line("j", 1, 50000, 1, 300)},
			"question": {line("q1", 1, 50000, 3, 321)}, // not q2, which asks later
		} {
			diff(t, want, must[[]experiments.BillLine](t)(s.BillLines(ctx, second, field)))
		}
		_, err := s.BillLines(ctx, second, "owner")
		wantProblem(t, err, problem.Invalid, "bill_field")
		_, err = s.BillLines(ctx, "nobody", "stage")
		wantProblem(t, err, problem.NotFound, "run_unknown")
		_, err = s.Spent(ctx, "nobody")
		wantProblem(t, err, problem.NotFound, "run_unknown")

		// The bill of a deleted run stays, and what it bought is still saved by the others.
		ok(t, s.DeleteRun(ctx, first))
		if got := must[experiments.Spending](t)(s.Spent(ctx, first)); got.ConfirmedMicros != 4321 {
			t.Errorf("the bill of the deleted run is %+v", got)
		}
		if got := must[[]experiments.BillLine](t)(s.BillLines(ctx, first, "model")); len(got) != 3 {
			t.Errorf("the bill of the deleted run has the lines %+v", got)
		}
		if got := must[experiments.Spending](t)(s.Spent(ctx, second)); got.SavedMicros != 321 {
			t.Errorf("saved are %d; want 321", got.SavedMicros)
		}
	})
}

// TestSweepBill adds up the runs of a sweep: what one bought and another used is not saved, it was paid by the sweep.
func TestSweepBill(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		before := created(t, s, experiments.Run{}, "before")
		bought(t, s, named("old", before, "q1", "embed", "embed", "e"), 7)
		sweep := created(t, s, experiments.Run{Kind: experiments.KindSweep}, "sweep")
		a, b := created(t, s, experiments.Run{SweepID: sweep}, "a"), created(t, s, experiments.Run{SweepID: sweep}, "b")
		bought(t, s, named("answer", a, "q1", "generate", "generate", "g"), 20)
		bought(t, s, named("judge", b, "q1", "judge", "judge.claims", "j"), 300)
		for _, run := range []string{a, b} {
			res, stages := judged("q1", stage("r", "retrieve", "old"), stage("g", "generate", "answer"), stage("v", "claims", "judge"))
			ok(t, s.SaveResults(ctx, run, []experiments.Result{res}, stages, at(3)))
		}
		want := func(id string, calls int, micros int64, saved int, savedMicros int64) {
			t.Helper()
			got := must[experiments.Spending](t)(s.Spent(ctx, id))
			if got.Calls != calls || got.ConfirmedMicros != micros || got.SavedCalls != saved || got.SavedMicros != savedMicros {
				t.Errorf("the bill is %+v", got)
			}
		}
		want(sweep, 2, 320, 1, 7)
		want(a, 1, 20, 2, 307)
		want(b, 1, 300, 2, 27)
		diff(t, []string{"answer", "judge"}, callIDs(must[[]llm.Call](t)(s.Calls(ctx, sweep))))
	})
}

func callIDs(calls []llm.Call) (out []string) {
	for _, c := range calls {
		out = append(out, c.ID)
	}
	return out
}

func TestCalls(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := created(t, s, experiments.Run{}, "calls")
		diff(t, []llm.Call{}, must[[]llm.Call](t)(s.Calls(ctx, run)))
		want := filled1[llm.Call]()
		want.RunID, want.State, want.Despite = run, llm.CallUsable, ""
		row := toCallRow(want)
		ok(t, s.Read(ctx).Create(&row).Error)
		diff(t, want, must[llm.Call](t)(s.Call(ctx, want.ID)))
		for id, sent := range map[string]int{"late": 1 << 20, "b": -5, "a": -5} {
			c := call(id, run, 1)
			c.SentAt = at(sent)
			ok(t, s.Begin(ctx, c))
		}
		calls := must[[]llm.Call](t)(s.Calls(ctx, run))
		diff(t, []string{"a", "b", want.ID, "late"}, callIDs(calls))
		want.Request, want.Reply = nil, nil
		diff(t, want, calls[2])
		_, err := s.Call(ctx, "nobody")
		wantProblem(t, err, problem.NotFound, "call_unknown")
		_, err = s.Calls(ctx, "nobody")
		wantProblem(t, err, problem.NotFound, "run_unknown")
	})
}

// TestStageCalls keeps the calls of a stage output, in both ways of storing one.
func TestStageCalls(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := created(t, s, experiments.Run{}, "stages")
		ok(t, s.PutStage(ctx, stage("alone", "claims", "c1", `odd "id"`)))
		ok(t, s.PutStage(ctx, rag.Stage{Key: "none", Kind: "claims", Calls: []string{}}))
		res, stages := judged("q1", stage("r", "retrieve", "c2"), stage("g", "generate"), stage("v", "claims", "c3", "c4"))
		ok(t, s.SaveResults(ctx, run, []experiments.Result{res}, stages, at(1)))
		got := map[string][]string{}
		ok(t, records.EachStageCall(s.Read(ctx), []string{"alone", "none", "r", "g", "v", "absent"}, func(stage, call string) {
			got[stage] = append(got[stage], call)
		}))
		diff(t, map[string][]string{"alone": {"c1", `odd "id"`}, "r": {"c2"}, "v": {"c3", "c4"}}, got)
	})
}
