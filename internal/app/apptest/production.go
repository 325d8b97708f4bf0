package apptest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// Production is a RAG system behind HTTP: it answers with the rule that belongs to the question, and shows it as its context.
type Production struct {
	URL   string
	Calls atomic.Int64
	Ks    atomic.Int64                     // the sum of the k it was told
	serve atomic.Pointer[http.HandlerFunc] // what it does instead, when set
}

// ProductionKey is what such a system asks for.
const ProductionKey = "prod-key-0123456789abcdef"

// NewProduction starts such a system.
func NewProduction(t *testing.T) *Production {
	t.Helper()
	p := &Production{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.Calls.Add(1)
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer "+ProductionKey {
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
		p.Ks.Add(ask.K)
		reply := map[string]any{"answer": "Please call us.", "sources": []any{}, "version": "7"}
		for i, q := range AskedQuestions {
			if q == ask.Query {
				reply["answer"], reply["sources"] = Rules[i],
					[]map[string]string{{"text": Rules[i], "doc": fmt.Sprintf("rule-%d", i)}}
			}
		}
		_ = json.NewEncoder(w).Encode(reply)
	}))
	t.Cleanup(s.Close)
	p.URL = s.URL + "/ask"
	return p
}

// Instead makes the system serve this; nil is what it did at first.
func (p *Production) Instead(serve http.HandlerFunc) {
	if serve == nil {
		p.serve.Store(nil)
		return
	}
	p.serve.Store(&serve)
}

// Endpoint registers the system and an experiment over it; change may be nil, extra are further lines of the experiment's file.
func (w *World) Endpoint(t *testing.T, p *Production, change func(*remote.Endpoint), extra string) experiments.Experiment {
	t.Helper()
	w.Env["PROD_KEY"] = ProductionKey
	e := remote.Endpoint{
		Name: "prod", URL: p.URL, Template: `{"query": "{{question}}", "k": {{k}}}`, Answer: "answer", Contexts: "sources",
		ContextID:   "doc",
		VersionPath: "version", Headers: map[string]string{"Authorization": "Bearer ${PROD_KEY}"}, TimeoutMS: 1000,
	}
	if change != nil {
		change(&e)
	}
	if _, _, _, err := app.AddEndpoint(t.Context(), w.Workbench, e); err != nil {
		t.Fatal(err)
	}
	w.Write(t, "prod.yaml", "name: prod\nendpoint: prod\ndataset: asked\n"+extra)
	x, _, err := w.Experiment(t.Context(), w.Dir+"/prod.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// JobOf is the job of an experiment.
func (w *World) JobOf(t *testing.T, x experiments.Experiment) app.Job {
	t.Helper()
	j, err := w.Job(t.Context(), x, app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	return j
}
