package archive

import (
	"context"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// earlierEmbedder is the offline provider of an earlier version, whose vectors found other passages.
type earlierEmbedder struct{ offlineAs }

// Embed turns every second vector round.
func (e earlierEmbedder) Embed(ctx context.Context, want llm.Embedding, texts []string) ([][]float32, error) {
	vectors, err := e.offlineAs.Embed(ctx, want, texts)
	for i := range vectors {
		if len(texts[i])%2 == 0 {
			vectors[i] = append([]float32(nil), vectors[i]...)
			for j := range vectors[i] {
				vectors[i][j] *= -1
			}
		}
	}
	return vectors, err
}

// searchedOffline searches with the built-in embedder; another provider writes and judges.
const searchedOffline = `
name: searched-offline
judge: {provider: openai, model: judge-1, embedding: {provider: openai, model: embed-1}}
base:
  chunk: {size: 80}
  embedding: {provider: offline, model: ngram}
  retrieve: {mode: dense, k: 1}
  generate: {provider: openai, model: writer-1}
`

// TestAnotherOfflineEmbedderIsNotAccused: a run keeps the version of the offline provider wherever that provider is asked, and what an
// earlier one found is taken as it is stored.
func TestAnotherOfflineEmbedderIsNotAccused(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline()})
	if job := w.JobFile(t, apptest.Bought); job.Setup.AsksOffline() != (job.Setup.OfflineVersion != "") {
		t.Errorf("a run that %t asks the offline provider is of its version %q", job.Setup.AsksOffline(), job.Setup.OfflineVersion)
	}
	job := w.JobFile(t, searchedOffline)
	if job.Setup.OfflineVersion != llm.OfflineVersion || job.Setup.Offline {
		t.Errorf("offline embedder: version %q, offline judge %t", job.Setup.OfflineVersion, job.Setup.Offline)
	}
	today, err := w.Providers.Provider("offline")
	if err != nil {
		t.Fatal(err)
	}
	w.Providers.Open["offline"] = earlierEmbedder{offlineAs{today, "11"}}
	job.Setup.OfflineVersion = "11"
	if _, err := w.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	v := verifiedAs(t, w, "test")
	if r := v.Runs[0]; !v.Equal || v.Complete || r.OfflineVersion != "11" || r.Kept+len(r.OtherVersion) == 0 {
		t.Errorf("%+v", v)
	}
}
