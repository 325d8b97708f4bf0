package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

func call(id, run string, estimate int64) llm.Call {
	return llm.Call{ID: id, RunID: run, Key: llm.Key("key of " + id), Owner: "me", SentAt: at(1), EstimateMicros: estimate,
		CostKind: "estimated", Request: []byte("{\x00}")}
}

// budgeted is a running run with a budget.
func budgeted(t testing.TB, s *Store, budget int64) string {
	t.Helper()
	of := setup("budget")
	of.Questions = []string{"q"}
	run, err := s.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: of,
		Budget: experiments.Budget{Micros: budget}, CreatedAt: at(0)}, []string{"q"})
	ok(t, err)
	_, err = s.ClaimRun(t.Context(), run.ID, "me", at(1), at(0))
	ok(t, err)
	return run.ID
}

func wantGuard(t testing.TB, s *Store, run string, spent, reserved int64) {
	t.Helper()
	row := must[records.RunRow](t)(records.FindRun(s.Read(t.Context()), run))
	if row.Spent != spent || row.Reserved != reserved {
		t.Errorf("the guard is %d spent, %d reserved; want %d, %d", row.Spent, row.Reserved, spent, reserved)
	}
	// The kept numbers and their recomputation must never differ.
	kept := records.GuardNumbers{Spent: row.Spent, Reserved: row.Reserved, Calls: row.Attempts}
	if summed := must[records.GuardNumbers](t)(records.SumGuard(s.Read(t.Context()), run)); summed != kept {
		t.Errorf("summed from the calls the guard is %+v; kept is %+v", summed, kept)
	}
}

func TestCallLife(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 1000)
		c := call("c1", run, 30)
		ok(t, s.Begin(ctx, c))
		wantGuard(t, s, run, 0, 30)
		wantProblem(t, s.Begin(ctx, c), problem.Conflict, "call_known")
		wantGuard(t, s, run, 0, 30)
		wantProblem(t, s.Settle(ctx, "c1", llm.Outcome{State: llm.CallUsable}), problem.Conflict, "call_state")
		ok(t, s.Bank(ctx, "c1", llm.Raw{Status: 200, Body: []byte("reply\x00\xff"), At: at(2)}))
		wantGuard(t, s, run, 0, 30)
		wantProblem(t, s.Bank(ctx, "c1", llm.Raw{Status: 500, At: at(3)}), problem.Conflict, "call_state")
		if got := must[*llm.Call](t)(s.Lookup(ctx, c.Key)); got != nil {
			t.Errorf("a call that is not settled is served: %+v", got)
		}
		ok(t, s.Settle(ctx, "c1", llm.Outcome{State: llm.CallUsable, CostMicros: 20, CostKind: "reported", PromptTokens: 3,
			CompletionTokens: 4, ModelSeen: "m"}))
		wantGuard(t, s, run, 20, 0)
		wantProblem(t, s.Settle(ctx, "c1", llm.Outcome{State: llm.CallFailed}), problem.Conflict, "call_state")

		want, done := c, at(2)
		want.State, want.DoneAt, want.HTTPStatus, want.Reply = llm.CallUsable, &done, 200, []byte("reply\x00\xff")
		want.ReplySHA256 = "40818ab5d1f67ff3c893be2ac6fa28680527eb74fa0b1c008e7d3ba5bae20833"
		want.CostMicros, want.CostKind, want.PromptTokens, want.CompletionTokens, want.ModelSeen = 20, "reported", 3, 4, "m"
		diff(t, &want, must[*llm.Call](t)(s.Lookup(ctx, c.Key)))
		wantProblem(t, s.Bank(ctx, "nobody", llm.Raw{}), problem.NotFound, "call_unknown")
		wantProblem(t, s.Settle(ctx, "nobody", llm.Outcome{State: llm.CallFailed}), problem.NotFound, "call_unknown")
		wantProblem(t, s.Settle(ctx, "c1", llm.Outcome{State: llm.CallSent}), problem.Internal, "call_outcome")
		wantProblem(t, s.Begin(ctx, llm.Call{}), problem.Internal, "call_incomplete")
		wantProblem(t, s.Begin(ctx, call("minus", "", -1)), problem.Internal, "call_incomplete")
	})
}

// TestASettledCallIsSealedAsItIsStored ends calls in every way, with a reply that is banked and without one: the seal is that of the row.
func TestASettledCallIsSealedAsItIsStored(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 0)
		for i, state := range []llm.CallState{llm.CallUsable, llm.CallUnusable, llm.CallFailed, llm.CallUnknown} {
			for _, banked := range []bool{true, false} {
				if state == llm.CallUsable && !banked {
					continue
				}
				id := fmt.Sprint("c", i, banked)
				ok(t, s.Begin(ctx, call(id, run, 30)))
				if banked {
					ok(t, s.Bank(ctx, id, llm.Raw{Status: 200, Body: []byte("reply\x00\xff"), At: at(2)}))
				}
				ok(t, s.Settle(ctx, id, llm.Outcome{State: state, Cause: "cause", CostMicros: 20, CostKind: "reported", PromptTokens: 3,
					ModelSeen: "m", CachedTokens: 1}))
				var row records.CallRow
				ok(t, s.Read(ctx).First(&row, "id = ?", id).Error)
				digest := func() (seal seals.Row) {
					ok(t, s.Read(ctx).First(&seal, "kind = 'calls' AND key = ?", id).Error)
					return seal
				}
				got := digest()
				ok(t, s.Write(ctx, "seal again", func(tx *gorm.DB) error { return seals.Write(tx, "calls", &row) }))
				diff(t, digest(), got)
			}
		}
		wantGuard(t, s, run, 5*20+2*30, 0)
	})
}

// TestTheSealOfACallIsOfItsRow: a call is sealed from memory, and its row is read back through the border of the database, where bytes
// that are no text, times of other places and empty bodies become others.
func TestTheSealOfACallIsOfItsRow(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 9*3600)
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 0)
		for name, reply := range map[string][]byte{"none": nil, "empty": {}, "bytes": []byte("a\x00\xff\u2400"), "text": []byte("{}")} {
			id := name + "\x00\xff"
			c := call(id, run, 30)
			c.SentAt, c.QuestionID, c.Stage, c.Purpose, c.Model = at(1).Add(1234567).In(east), "q\x00", "s\xfe", "judge.\x00", "m\xff"
			c.Provider, c.Origin, c.Request, c.Replicate, c.Attempt = "p\x00", "o\x00", reply, 3, 2
			ok(t, s.Begin(ctx, c))
			ok(t, s.Bank(ctx, id, llm.Raw{Status: 200, Body: reply, At: at(2).Add(7654321).In(east)}))
			ok(t, s.Settle(ctx, id, llm.Outcome{State: llm.CallUnusable, Cause: "c\x00\xff", ModelSeen: "m\x00", CostMicros: 20,
				CostKind: "reported", PromptTokens: 1, CompletionTokens: 2, CachedTokens: 1}))
			var got, want seals.Row
			var row records.CallRow
			key := sqldb.CleanText(id)
			ok(t, s.Read(ctx).First(&got, "kind = 'calls' AND key = ?", key).Error)
			ok(t, s.Read(ctx).First(&row, "id = ?", key).Error)
			ok(t, s.Write(ctx, "seal again", func(tx *gorm.DB) error { return seals.Write(tx, "calls", &row) }))
			ok(t, s.Read(ctx).First(&want, "kind = 'calls' AND key = ?", key).Error)
			diff(t, want, got)
		}
	})
}

// TestACallThatOthersChangedIsSettledAsItStands: a process remembers what it wrote of a call, but what stands in the database counts.
func TestACallThatOthersChangedIsSettledAsItStands(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 0)
		for id, change := range map[string]string{
			"reply":   "UPDATE calls SET reply = 'other', reply_sha256 = 'other' WHERE id = 'reply'",
			"settled": "UPDATE calls SET state = 'failed' WHERE id = 'settled'",
		} {
			ok(t, s.Begin(ctx, call(id, run, 30)))
			ok(t, s.Bank(ctx, id, llm.Raw{Status: 200, Body: []byte("mine"), At: at(2)}))
			ok(t, s.Write(ctx, "change a call", func(tx *gorm.DB) error { return tx.Exec(change).Error }))
		}
		wantProblem(t, s.Settle(ctx, "settled", llm.Outcome{State: llm.CallUsable, CostKind: "reported"}), problem.Conflict, "call_state")
		ok(t, s.Settle(ctx, "reply", llm.Outcome{State: llm.CallUsable, CostMicros: 20, CostKind: "reported"}))
		var row records.CallRow
		var got, want seals.Row
		ok(t, s.Read(ctx).First(&row, "id = 'reply'").Error)
		ok(t, s.Read(ctx).First(&got, "kind = 'calls' AND key = 'reply'").Error)
		ok(t, s.Write(ctx, "seal again", func(tx *gorm.DB) error { return seals.Write(tx, "calls", &row) }))
		ok(t, s.Read(ctx).First(&want, "kind = 'calls' AND key = 'reply'").Error)
		if diff(t, want, got); string(row.Reply) != "other" || row.CostMicros != 20 {
			t.Errorf("settled is %q at %d", row.Reply, row.CostMicros)
		}
	})
}

// TestWhoeverHasGoneAsksNothing: a stage and a call are not looked up for a context that has ended.
func TestWhoeverHasGoneAsksNothing(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := s.Stage(ctx, "key")
		_, other := s.Lookup(ctx, "key")
		if !errors.Is(err, context.Canceled) || !errors.Is(other, context.Canceled) {
			t.Errorf("after the end: %v, %v", err, other)
		}
	})
}

// TestCacheKeepsTheFirst settles two calls of one key, the second because the first is of no use to its caller: the first usable one is
// served from then on, as what rests on it must find it again.
func TestCacheKeepsTheFirst(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		for _, c := range []struct {
			id    string
			state llm.CallState
		}{{"bad", llm.CallUnusable}, {"first", llm.CallUsable}, {"second", llm.CallUsable}} {
			booked := call(c.id, "", 5) // no run: an `ask` has no budget
			booked.Key = "k"
			if c.id == "second" {
				if _, held := errors.AsType[*llm.Held](s.Begin(ctx, booked)); !held {
					t.Error("an equal call was booked although the first is answered")
				}
				booked.Despite = "first"
			}
			ok(t, s.Begin(ctx, booked))
			ok(t, s.Bank(ctx, c.id, llm.Raw{Body: []byte(c.id), At: at(2)}))
			ok(t, s.Settle(ctx, c.id, llm.Outcome{State: c.state}))
		}
		if got := must[*llm.Call](t)(s.Lookup(ctx, "k")); got == nil || got.ID != "first" || string(got.Reply) != "first" {
			t.Errorf("served is %+v; want the call \"first\"", got)
		}
	})
}

func TestBudget(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 100)
		ok(t, s.Begin(ctx, call("a", run, 60)))
		wantProblem(t, s.Begin(ctx, call("b", run, 41)), problem.Incomplete, "budget_spent")
		ok(t, s.Begin(ctx, call("c", run, 40))) // exactly the budget
		wantProblem(t, s.Begin(ctx, call("d", run, 1)), problem.Incomplete, "budget_spent")
		ok(t, s.Bank(ctx, "a", llm.Raw{At: at(2)}))
		ok(t, s.Settle(ctx, "a", llm.Outcome{State: llm.CallUnusable, CostMicros: 10, CostKind: "reported"}))
		ok(t, s.Settle(ctx, "c", llm.Outcome{State: llm.CallFailed, Cause: llm.CauseAuth})) // refused before anything was banked
		wantGuard(t, s, run, 10, 0)
		ok(t, s.Begin(ctx, call("e", run, 90)))
		ok(t, s.Settle(ctx, "e", llm.Outcome{State: llm.CallUnknown})) // no reply: its estimate may be gone
		wantGuard(t, s, run, 100, 0)
		ok(t, s.Begin(ctx, call("free", run, 0)))

		free := queued(t, s, "free")
		ok(t, s.Begin(ctx, call("f", free.ID, 1<<50))) // no budget, no bound
		diff(t, experiments.Spending{Calls: 4, ConfirmedMicros: 10, PossibleMicros: 90, PossibleCalls: 2, Unusable: 1, Replies: 1},
			must[experiments.Spending](t)(s.Spent(ctx, run)))

		ok(t, s.RequestState(ctx, run, experiments.Cancelled, at(3)))
		wantProblem(t, s.Begin(ctx, call("g", run, 0)), problem.Conflict, "run_cancelled")
		ok(t, s.RequestState(ctx, free.ID, experiments.Cancelled, at(3)))
		wantProblem(t, s.Begin(ctx, call("h", free.ID, 0)), problem.Conflict, "run_cancelled")
	})
}

func TestSpentWithoutPrice(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 0)
		diff(t, experiments.Spending{}, must[experiments.Spending](t)(s.Spent(ctx, run)))
		for i, kind := range []string{"unknown", "reported", "estimated"} {
			id := fmt.Sprint("c", i)
			ok(t, s.Begin(ctx, call(id, run, 7)))
			ok(t, s.Bank(ctx, id, llm.Raw{At: at(2)}))
			cost := int64(3)
			if kind == "unknown" {
				cost = 0
			}
			ok(t, s.Settle(ctx, id, llm.Outcome{State: llm.CallUsable, CostKind: kind, CostMicros: cost}))
		}
		ok(t, s.Begin(ctx, call("open", run, 5)))
		diff(t, experiments.Spending{Calls: 4, ConfirmedMicros: 3, PossibleMicros: 8, PossibleCalls: 2, UnknownPrice: 1, Replies: 3},
			must[experiments.Spending](t)(s.Spent(ctx, run)))
		wantGuard(t, s, run, 13, 5)
	})
}

// TestBudgetRace lets many calls compete for a budget that is enough for five.
func TestBudgetRace(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		stores := []*Store{d.open(t), d.open(t)}
		run := budgeted(t, stores[0], 50)
		var sent atomic.Int64
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				s, id := stores[i%2], fmt.Sprint("c", i)
				paid10(t, s, call(id, run, 10), func() error { sent.Add(1); return nil })
			})
		}
		wg.Wait()
		if sent.Load() != 5 {
			t.Errorf("%d calls were sent; the budget is for 5", sent.Load())
		}
		wantGuard(t, stores[0], run, 50, 0)
	})
}

// paid10 begins a call for 10, does what is done while it is under way, and settles it; a budget that is spent refuses it.
func paid10(t *testing.T, s *Store, c llm.Call, underWay func() error) {
	t.Helper()
	err := s.Begin(t.Context(), c)
	if problem.CodeOf(err) == "budget_spent" {
		return
	}
	if err == nil {
		err = underWay()
	}
	if err == nil {
		err = s.Bank(t.Context(), c.ID, llm.Raw{At: at(2)})
	}
	if err == nil {
		err = s.Settle(t.Context(), c.ID, llm.Outcome{State: llm.CallUsable, CostMicros: 10, CostKind: "reported"})
	}
	if err != nil {
		t.Errorf("call %s: %v", c.ID, err)
	}
}

func TestRecoverCalls(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 100)
		for id, owner := range map[string]string{"d1": "dead", "d2": "dead", "l": "alive"} {
			c := call(id, run, 10)
			c.Owner = owner
			ok(t, s.Begin(ctx, c))
		}
		loose := call("loose", "", 10)
		loose.Owner = "dead"
		ok(t, s.Begin(ctx, loose))
		ok(t, s.Bank(ctx, "d2", llm.Raw{Body: []byte("x"), At: at(2)}))
		wantGuard(t, s, run, 0, 30)

		asked := map[string]int{}
		alive := func(owner string) bool { asked[owner]++; return owner == "alive" }
		if got := must[*llm.Call](t)(s.Lookup(ctx, "key of d2")); got != nil {
			t.Error("a banked call is served while its owner may still parse it")
		}
		if n := must[int](t)(s.RecoverCalls(ctx, alive)); n != 3 {
			t.Errorf("%d calls recovered; want 3", n)
		}
		if got := must[*llm.Call](t)(s.Lookup(ctx, "key of d2")); got == nil || got.State != llm.CallBanked {
			t.Errorf("what a dead owner banked is paid; it is served for parsing: %+v", got)
		}
		diff(t, map[string]int{"dead": 1, "alive": 1}, asked)
		wantGuard(t, s, run, 10, 20)
		if n := must[int](t)(s.RecoverCalls(ctx, alive)); n != 0 {
			t.Errorf("%d calls recovered again", n)
		}
		// The owner was only asleep: a late reply is banked and used.
		ok(t, s.Bank(ctx, "d1", llm.Raw{Body: []byte("late"), At: at(3)}))
		wantGuard(t, s, run, 0, 30)
		ok(t, s.Settle(ctx, "d1", llm.Outcome{State: llm.CallUsable, CostMicros: 4, CostKind: "reported"}))
		wantGuard(t, s, run, 4, 20)
		if got := must[*llm.Call](t)(s.Lookup(ctx, "key of d1")); got == nil {
			t.Error("the late reply is not served")
		}
	})
}

// TestClaimRebuildsTheGuard claims a run whose guard is wrong, as after a restored backup.
func TestClaimRebuildsTheGuard(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 100)
		ok(t, s.Begin(ctx, call("a", run, 10)))
		ok(t, s.StopRun(ctx, run, "me", experiments.Paused, "user", at(2)))
		ok(t, s.Read(ctx).Exec("UPDATE runs SET guard_spent = 77, guard_reserved = 88").Error)
		_, err := s.ClaimRun(ctx, run, "me", at(3), at(0))
		ok(t, err)
		wantGuard(t, s, run, 0, 10)
	})
}

// A call that nobody could add up is not booked.
func TestACallNeedsAnEstimate(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	for _, c := range []llm.Call{call("c", "", -1), call("", "", 0)} {
		if err := s.Begin(t.Context(), c); problem.CodeOf(err) != "call_incomplete" {
			t.Errorf("id %q, estimate %d: %v", c.ID, c.EstimateMicros, err)
		}
	}
	ok(t, s.Begin(t.Context(), call("c", "", 0)))
}

// TestACallIsWrittenWithoutATable: SQLite decides whether a row belongs into an index by comparing, and makes no table for that, which
// takes longer than to write the row.
func TestACallIsWrittenWithoutATable(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	for _, change := range []string{"UPDATE calls SET state = 'usable' WHERE id = 'a'", "DELETE FROM calls WHERE id = 'a'"} {
		var steps []struct{ Opcode string }
		ok(t, s.Read(t.Context()).Raw("EXPLAIN "+change).Scan(&steps).Error)
		for _, step := range steps {
			if step.Opcode == "OpenEphemeral" {
				t.Errorf("a table is made by %s", change)
			}
		}
		if len(steps) == 0 {
			t.Errorf("nothing is told of %s", change)
		}
	}
}
