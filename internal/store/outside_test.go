package store

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

func TestEndpointsAreReplacedByName(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		want := filled1[remote.Endpoint]()
		created, changed, err := s.PutEndpoint(t.Context(), want, at(1))
		ok(t, err)
		if !created || !changed {
			t.Errorf("created %v, changed %v", created, changed)
		}
		diff(t, want, must[remote.Endpoint](t)(s.Endpoint(t.Context(), want.Name)))
		if created, changed, err := s.PutEndpoint(t.Context(), want, at(2)); err != nil || created || changed {
			t.Errorf("the same again: created %v, changed %v, %v", created, changed, err)
		}
		want.URL = "https://other.example"
		if created, changed, err := s.PutEndpoint(t.Context(), want, at(3)); err != nil || created || !changed {
			t.Errorf("another address: created %v, changed %v, %v", created, changed, err)
		}
		diff(t, []remote.Endpoint{want}, must[[]remote.Endpoint](t)(s.Endpoints(t.Context())))
		ok(t, s.DeleteEndpoint(t.Context(), want.Name))
		_, err = s.Endpoint(t.Context(), want.Name)
		wantProblem(t, err, problem.NotFound, "endpoint_unknown")
		wantProblem(t, s.DeleteEndpoint(t.Context(), want.Name), problem.NotFound, "endpoint_unknown")
	})
}

func TestLogsAreImmutableVersions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		first := rag.NewLog("bot", "faq@1", append(filled1[[]rag.LoggedAnswer](), rag.LoggedAnswer{QuestionID: "bare"},
			rag.LoggedAnswer{QuestionID: "none", Contexts: []rag.LoggedContext{}}))
		ref, created, err := s.PutLog(t.Context(), first, at(1))
		ok(t, err)
		if !created {
			t.Error("a new log was not created")
		}
		diff(t, experiments.Ref{Name: "bot", Version: 1, Digest: first.Digest}, ref)
		first.Version = 1
		diff(t, first, must[*rag.Log](t)(s.Log(t.Context(), "bot")))
		if _, created, err := s.PutLog(t.Context(), first, at(2)); err != nil || created {
			t.Errorf("the same again: %v, %v", created, err)
		}
		second := rag.NewLog("bot", "faq@1", []rag.LoggedAnswer{{QuestionID: "q1", Answer: "NUL\x00"}})
		if ref, _, err := s.PutLog(t.Context(), second, at(3)); err != nil || ref.Version != 2 {
			t.Errorf("%v, %v", ref, err)
		}
		diff(t, first, must[*rag.Log](t)(s.Log(t.Context(), "bot@1")))
		if l := must[*rag.Log](t)(s.Log(t.Context(), "bot")); l.Version != 2 || l.Answers[0].Answer != "NUL␀" {
			t.Errorf("%+v", l)
		}
		if list := must[[]experiments.Listing](t)(s.Logs(t.Context())); len(list) != 2 || list[0].Items != 4 || list[1].Version != 2 {
			t.Errorf("%+v", list)
		}
		if other := rag.NewLog("bot", "faq@2", second.Answers); other.Digest == second.Digest {
			t.Error("the same answers to another dataset have the same digest")
		}
		_, err = s.Log(t.Context(), "nope")
		wantProblem(t, err, problem.NotFound, "log_unknown")
		_, _, err = s.PutLog(t.Context(), rag.NewLog("twice", "faq@1", []rag.LoggedAnswer{{QuestionID: "q"}, {QuestionID: "q"}}), at(4))
		wantProblem(t, err, problem.Invalid, "answer_twice")
	})
}

func TestInterruptedCalls(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		call := func(id string, second int) llm.Call {
			return llm.Call{ID: id, Key: "k", Owner: "here:1", SentAt: at(second), CostKind: "unknown"}
		}
		none := must[*llm.Call](t)(s.Interrupted(t.Context(), "k"))
		if none != nil {
			t.Errorf("%+v", none)
		}
		ok(t, s.Begin(t.Context(), call("a", 1)))
		if c := must[*llm.Call](t)(s.Interrupted(t.Context(), "k")); c == nil || c.ID != "a" {
			t.Errorf("a call in flight: %+v", c)
		}
		ok(t, s.Settle(t.Context(), "a", llm.Outcome{State: llm.CallFailed}))
		if c := must[*llm.Call](t)(s.Interrupted(t.Context(), "k")); c != nil {
			t.Errorf("a call that failed is no interrupted one: %+v", c)
		}
		ok(t, s.Begin(t.Context(), call("b", 2)))
		if _, err := s.RecoverCalls(t.Context(), func(string) bool { return false }); err != nil {
			t.Fatal(err)
		}
		if c := must[*llm.Call](t)(s.Interrupted(t.Context(), "k")); c == nil || c.ID != "b" || c.State != llm.CallUnknown {
			t.Errorf("a call of a dead owner: %+v", c)
		}
	})
}
