package archive

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/rag"
)

// A graph is not in a study, so what it found is taken as it is stored, which is said; answers and scores are computed again from it. The
// graph of this test finds the documents in an order of its own.
func TestAStudyThatSearchedApproximatelyIsRecomputed(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline()})
	corpus, err := w.Store.Corpus(t.Context(), "rules")
	if err != nil {
		t.Fatal(err)
	}
	last := corpus.Documents[len(corpus.Documents)-1]
	w.Indexes.Databases = nil
	w.Indexes.Found = func(question string) (rag.Retrieved, bool) {
		hit := rag.Hit{Span: rag.Span{DocID: last.ID, End: 20}, Score: 0.5}
		near := &rag.Approximation{Depth: 2, Recall: 0.5, Missed: []rag.Span{{DocID: last.ID, Start: 20, End: 40}}}
		found := rag.Retrieval{Query: question, Hits: []rag.Hit{hit}, Approximate: near}
		return rag.Retrieved{Retrieval: found, RetrievalKey: "graph " + question}, true
	}
	run := w.Worked(t, strings.Replace(apptest.Bought, "k: 2}", "k: 2, engine: pgvector, pgvector: {index: hnsw}}", 1))
	path := filepath.Join(w.Dir, "study.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(v.Runs, func(r RunVerified) bool { return r.ID == run.ID })
	if i < 0 || !v.Equal || !v.Complete || v.Runs[i].Taken != v.Runs[i].Questions || v.Runs[i].Verified != v.Runs[i].Questions ||
		v.Runs[i].Recomputed == 0 {
		t.Errorf("verified: %+v", v)
	}
}
