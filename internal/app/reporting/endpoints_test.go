package reporting

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// production is a RAG system behind HTTP: it answers with the rule that belongs to the question, and shows it as its context.
type production struct {
	url   string
	calls atomic.Int64
	serve atomic.Pointer[http.HandlerFunc] // what it does instead, when set
	ks    atomic.Int64                     // the sum of the k it was told
}

const productionKey = "prod-key-0123456789abcdef"

func newProduction(t *testing.T) *production {
	t.Helper()
	p := &production{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.calls.Add(1)
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer "+productionKey {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if instead := p.serve.Load(); instead != nil {
			(*instead)(w, r)
			return
		}
		var ask struct {
			Query string
			K     int64
		}
		if err := json.Unmarshal(body, &ask); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p.ks.Add(ask.K)
		reply := map[string]any{"answer": "Please call us.", "sources": []any{}, "version": "7"}
		for i, q := range apptest.AskedQuestions {
			if q == ask.Query {
				reply["answer"], reply["sources"] = apptest.Rules[i],
					[]map[string]string{{"text": apptest.Rules[i], "doc": fmt.Sprintf("rule-%d", i)}}
			}
		}
		_ = json.NewEncoder(w).Encode(reply)
	}))
	t.Cleanup(s.Close)
	p.url = s.URL + "/ask"
	return p
}

func (p *production) instead(serve http.HandlerFunc) {
	if serve == nil {
		p.serve.Store(nil)
		return
	}
	p.serve.Store(&serve)
}

// endpoint registers the system and an experiment over it.
func endpoint(w *apptest.World, t *testing.T, p *production, change func(*rag.Endpoint), extra string) experiments.Experiment {
	t.Helper()
	w.Env["PROD_KEY"] = productionKey
	e := rag.Endpoint{
		Name: "prod", URL: p.url, Template: `{"query": "{{question}}", "k": {{k}}}`, Answer: "answer", Contexts: "sources",
		ContextID:   "doc",
		VersionPath: "version", Headers: map[string]string{"Authorization": "Bearer ${PROD_KEY}"}, TimeoutMS: 1000,
	}
	if change != nil {
		change(&e)
	}
	if _, _, _, err := w.AddEndpoint(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	w.Write(t, "prod.yaml", "name: prod\nendpoint: prod\ndataset: asked\n"+extra)
	x, _, err := w.Experiment(t.Context(), w.Dir+"/prod.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func jobOf(w *apptest.World, t *testing.T, x experiments.Experiment) app.Job {
	t.Helper()
	j, err := w.Job(t.Context(), x, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestAnEndpointIsAnExperiment(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), newProduction(t)
	x := endpoint(w, t, p, nil, "corpus: rules\n")
	plan, err := w.Plan(t.Context(), []app.Job{jobOf(w, t, x)})
	if err != nil || p.calls.Load() != 0 {
		t.Fatalf("a plan made %d calls: %v", p.calls.Load(), err)
	}
	if i := slices.IndexFunc(plan.Stages, func(s app.StagePlan) bool { return s.Stage == "endpoint" }); i < 0 ||
		plan.Stages[i].Buy != len(apptest.AskedQuestions) || plan.Buy != len(apptest.AskedQuestions) {
		t.Errorf("plan %+v", plan)
	}
	run, err := w.Run(t.Context(), jobOf(w, t, x))
	if err != nil {
		t.Fatal(err)
	}
	if n := p.calls.Load(); n != int64(len(apptest.AskedQuestions))+1 {
		t.Errorf("%d calls for %d questions and the preflight", n, len(apptest.AskedQuestions))
	}
	if got := run.Totals.Scores["span_coverage"]; got.N != len(apptest.AskedQuestions) || got.Mean != 1 {
		t.Errorf("evidence was not found in the located contexts: %+v", run.Totals)
	}
	if got := run.Totals.Coverage; got.Scored != got.Applicable {
		t.Errorf("coverage %+v, errors %v", got, run.Totals.Errors)
	}
	if c := run.Setup.Config; c.Endpoint == nil || c.Endpoint.URL != p.url || c.Retrieve.K != 3 || c.Chunk.Size != 0 || run.Setup.Settled {
		t.Errorf("setup %+v", run.Setup)
	}
	calls, err := w.Store.Calls(t.Context(), run.ID)
	if err != nil || len(calls) != len(apptest.AskedQuestions) || calls[0].ModelSeen != "7" || calls[0].Stage != "endpoint" {
		t.Errorf("%d calls, %v", len(calls), err)
	}
	again, err := w.Run(t.Context(), jobOf(w, t, x))
	if err != nil || p.calls.Load() != 2*int64(len(apptest.AskedQuestions)+1) {
		t.Fatalf("the second run asked %d times in all: %v", p.calls.Load(), err)
	}
	comparison, _, err := w.Compare(t.Context(), run.ID, again.ID)
	if err != nil || len(comparison.Questions) != 0 && comparison.Questions[0].Baseline != comparison.Questions[0].Candidate {
		t.Errorf("%+v, %v", comparison, err)
	}
	if _, err := Report(t.Context(), w.Workbench, run.ID, again.ID, "en", "test"); err != nil {
		t.Error(err)
	}
	body, err := json.Marshal(run)
	if err != nil || strings.Contains(string(body), productionKey) {
		t.Errorf("the run holds the key: %s", body)
	}
}
