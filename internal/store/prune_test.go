package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// over finishes a run.
func over(t *testing.T, s *Store, run string) {
	t.Helper()
	_, err := s.ClaimRun(t.Context(), run, "me", at(3), at(0))
	ok(t, err)
	results := must[[]experiments.Result](t)(s.Results(t.Context(), run))
	ok(t, s.FinishRun(t.Context(), run, "me", experiments.Total(results, experiments.LowRule{}), experiments.Chain(results), at(4)))
}

func TestPrune(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		first, second := twoRuns(t, s)
		over(t, s, first)
		ok(t, s.Begin(ctx, call("open", first, 1))) // never settled
		alone := call("alone", "", 1)
		ok(t, s.Begin(ctx, alone))
		ok(t, s.Settle(ctx, "alone", llm.Outcome{State: llm.CallFailed})) // no reply: its request is dropped
		young := call("young", first, 1)
		young.SentAt = at(1000)
		bought(t, s, young, 1)

		// The second run is not over: what it uses and what it bought stays, and only judge2 and the loose call can go.
		report := must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), true))
		diff(t, records.PruneReport{Replies: 2, Bytes: 3 + 3 + 15, CacheEntries: 1, Runs: []string{first}, Kept: 4}, report)
		if c := must[llm.Call](t)(s.Call(ctx, "judge2")); c.Reply == nil {
			t.Error("a dry prune has dropped a reply")
		}
		over(t, s, second)
		ok(t, s.SetBaseline(ctx, experiments.Baseline{Dataset: "d", RunID: second, SetAt: at(5)}))
		diff(t, report, must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), true))) // a baseline keeps as much
		ok(t, s.ClearBaseline(ctx, "d"))
		ok(t, s.PinRun(ctx, second, true))
		diff(t, report, must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), true))) // so does a pin
		bill := must[experiments.Spending](t)(s.Spent(ctx, first))
		diff(t, report, must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), false)))

		c := must[llm.Call](t)(s.Call(ctx, "judge2"))
		if c.Reply != nil || c.Request != nil || c.ReplySHA256 == "" || c.CostMicros != 4000 || c.State != llm.CallUsable {
			t.Errorf("the pruned call is %+v", c)
		}
		if got := must[*llm.Call](t)(s.Lookup(ctx, "key of judge2")); got != nil {
			t.Error("a call without a reply is served")
		}
		if got := must[*llm.Call](t)(s.Lookup(ctx, "key of judge1")); got == nil || got.Reply == nil {
			t.Error("a kept call is not served")
		}
		diff(t, bill, must[experiments.Spending](t)(s.Spent(ctx, first)))
		diff(t, records.PruneReport{Runs: []string{}, Kept: 4},
			must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), false))) // nothing is lost twice

		ok(t, s.PinRun(ctx, second, false))
		ok(t, s.Read(ctx).Exec("UPDATE cache SET pinned = TRUE WHERE call_id = 'embed'").Error)
		report = must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), false))
		if report.Replies != 3 || report.Kept != 1 || len(report.Runs) != 2 {
			t.Errorf("without the pin the report is %+v", report)
		}
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(stocked(t, s).Check(ctx)))
		wantProblem(t, s.PinRun(ctx, "nobody", true), problem.NotFound, "run_unknown")
	})
}

// TestPruneKeepsFamilies keeps the replies of a baseline's child run and of a finished run whose sweep goes on.
func TestPruneKeepsFamilies(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		parent := created(t, s, experiments.Run{}, "parent")
		child := created(t, s, experiments.Run{ParentID: parent}, "child")
		sweep := created(t, s, experiments.Run{Kind: experiments.KindSweep}, "sweep")
		member := created(t, s, experiments.Run{SweepID: sweep}, "member")
		for _, run := range []string{parent, child, member} {
			bought(t, s, call("of "+run, run, 1), 1)
			over(t, s, run)
		}
		ok(t, s.SetBaseline(ctx, experiments.Baseline{Dataset: "d", RunID: parent, SetAt: at(5)}))
		if report := must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), true)); report.Replies != 0 || report.Kept != 3 {
			t.Errorf("the report is %+v", report)
		}
		ok(t, s.ClearBaseline(ctx, "d"))
		ok(t, s.RequestState(ctx, sweep, experiments.Cancelled, at(6)))
		if report := must[records.PruneReport](t)(s.PruneReplies(ctx, at(100), true)); report.Replies != 3 || report.Kept != 0 {
			t.Errorf("the report is %+v", report)
		}
	})
}
