package archive

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// claude answers in the dialect of Anthropic as [apptest.Respond] does.
func claude(out http.ResponseWriter, r *http.Request) {
	var asked struct {
		System   string
		Messages []struct{ Content string }
		Output   struct {
			Format struct{ Schema json.RawMessage }
		} `json:"output_config"`
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	text, err := apptest.Respond("", asked.System, asked.Messages[0].Content, asked.Output.Format.Schema)
	if err != nil {
		out.WriteHeader(http.StatusInternalServerError)
	}
	_ = json.NewEncoder(out).Encode(map[string]any{
		"type": "message", "model": "claude", "content": []any{map[string]string{"type": "text", "text": text}}, "stop_reason": "end_turn",
		"usage": map[string]int{"input_tokens": len(asked.System), "output_tokens": len(text)},
	})
}

// gemini does so in the dialect of Gemini, and embeds.
func gemini(out http.ResponseWriter, r *http.Request) {
	type content struct{ Parts []struct{ Text string } }
	var asked struct {
		SystemInstruction content
		Contents          []content
		GenerationConfig  struct{ ResponseJSONSchema json.RawMessage }
		Requests          []struct {
			Content content
			Task    string `json:"taskType"`
		}
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	if strings.HasSuffix(r.URL.Path, ":batchEmbedContents") {
		vectors := []any{}
		for _, q := range asked.Requests {
			vectors = append(vectors, map[string]any{"values": fakeprovider.Vector(q.Content.Parts[0].Text+q.Task, 16)})
		}
		_ = json.NewEncoder(out).Encode(map[string]any{"embeddings": vectors})
		return
	}
	text, _ := apptest.Respond("", asked.SystemInstruction.Parts[0].Text, asked.Contents[0].Parts[0].Text,
		asked.GenerationConfig.ResponseJSONSchema)
	_ = json.NewEncoder(out).Encode(map[string]any{
		"candidates": []any{map[string]any{
			"content": map[string]any{"parts": []any{map[string]string{"text": text}}}, "finishReason": "STOP",
		}},
		"usageMetadata": map[string]int{"promptTokenCount": len(text), "candidatesTokenCount": len(text)}, "modelVersion": "gemini",
	})
}

// TestStudyInOtherDialectsIsRecomputed: an answer and vectors bought in Gemini's dialect, judged in Anthropic's, are read again from what
// was banked, by a program that knows no more of them than the study says.
func TestStudyInOtherDialectsIsRecomputed(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for kind, answer := range map[string]http.HandlerFunc{"anthropic": claude, "gemini": gemini} {
		at := httptest.NewServer(answer)
		t.Cleanup(at.Close)
		w.Providers.Config.Providers[kind] = app.ProviderConfig{Kind: kind, BaseURL: at.URL + "/v1", APIKeyEnv: "OPENAI_API_KEY"}
	}
	run := w.Worked(t, `
name: dialects
suite: [correctness, faithfulness, context_recall]
judge: {provider: anthropic, model: claude}
base:
  embedding: {provider: gemini, model: gemini-embedding-001, input_type: auto, dimensions: 8}
  retrieve: {mode: dense, k: 2}
  generate: {provider: gemini, model: gemini}
`)
	if run.Totals == nil || len(run.Totals.Errors) > 0 {
		t.Fatalf("worked: %+v", run.Totals)
	}
	path := filepath.Join(w.Dir, "study.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil {
		t.Fatal(err)
	}
	if !v.Equal || !v.Complete || v.Vectors.Stored == 0 || v.Vectors.Recomputed != v.Vectors.Stored || len(v.Findings) > 0 {
		t.Errorf("verified: %+v", v)
	}
}
