package archive

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
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

// TestAStudyOfAnEndpointIsRecomputed asks nothing again: neither the system that runs elsewhere nor its key is at hand.
func TestAStudyOfAnEndpointIsRecomputed(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), newProduction(t)
	if _, err := w.Run(t.Context(), jobOf(w, t, endpoint(w, t, p, nil, "corpus: rules\nsuite: standard\n"))); err != nil {
		t.Fatal(err)
	}
	asked := p.calls.Load()
	path := filepath.Join(w.Dir, "study.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	v, err := VerifyStudy(t.Context(), path, apptest.SteadyClock())
	if err != nil || !v.Equal || len(v.Runs) != 1 || v.Runs[0].Verified != len(apptest.Rules) {
		t.Errorf("%v %+v", err, v)
	}
	if p.calls.Load() != asked {
		t.Error("the endpoint was asked again")
	}
}
