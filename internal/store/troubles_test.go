package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
)

// TestTroublesAreToldInTheWordsOfOthers groups failed calls by model and cause, with the words of the newest.
func TestTroublesAreToldInTheWordsOfOthers(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		run := budgeted(t, s, 1000)
		failed := func(id string, status int, body string, o llm.Outcome) {
			t.Helper()
			c := call(id, run, 1)
			c.Provider, c.Model, c.Purpose = "gate", "judge-1", "judge.trust"
			ok(t, s.Begin(ctx, c))
			if body != "" {
				ok(t, s.Bank(ctx, id, llm.Raw{Status: status, Body: []byte(body), At: at(2)}))
			}
			ok(t, s.Settle(ctx, id, o))
		}
		unusable := llm.Outcome{State: llm.CallUnusable, Cause: llm.CauseSchema, CostKind: "reported"}
		failed("a", 200, `{"choices":[{"message":{"content":"first"}}]}`, unusable)
		failed("b", 200, `{"choices":[{"message":{"content":"second"}}]}`, unusable)
		failed("c", 400, `{"error":{"message":"no such model"}}`, llm.Outcome{State: llm.CallFailed, Cause: llm.CauseRequest})
		failed("d", 0, "", llm.Outcome{State: llm.CallUnknown, Cause: "cancelled"})
		failed("e", 200, `{"choices":[{"message":{"content":"{}"}}]}`, llm.Outcome{State: llm.CallUsable, CostKind: "reported"})
		got, err := s.Troubles(ctx, run)
		ok(t, err)
		diff(t, []experiments.Trouble{
			{Provider: "gate", Model: "judge-1", Purpose: "judge.trust", Cause: llm.CauseSchema, HTTPStatus: 200, Calls: 2, Reply: "second",
				CallID: "b"},
			{Provider: "gate", Model: "judge-1", Purpose: "judge.trust", Cause: llm.CauseRequest, HTTPStatus: 400, Calls: 1,
				Server: "no such model", CallID: "c"},
		}, got)
	})
}
