package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/rag"
)

// shop is a data directory whose experiments buy every answer and verdict. Its judge likes every answer but those of the second writer
// to questions that say so.
type shop struct {
	t        *testing.T
	provider *fakeprovider.Server
	address  string
	dir      string
	now      time.Time
}

const shopQuestions = 8

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{t: t, dir: t.TempDir(), now: testNow}
	s.provider = fakeprovider.New(fakeprovider.Options{Key: canary, Answer: s.answer})
	web := httptest.NewServer(s.provider)
	t.Cleanup(web.Close)
	s.address = web.URL + "/v1"
	w := s.open()
	corpus := rag.NewCorpus("rules", []rag.Document{{ID: "r", Text: "Rule one is short. Rule two is long. Rule three is old.", Lang: "en"}})
	if _, _, err := w.Store.PutCorpus(t.Context(), corpus, testNow); err != nil {
		t.Fatal(err)
	}
	var questions []experiments.Question
	for i := range shopQuestions {
		word := map[bool]string{true: "hard", false: "easy"}[i < 2]
		questions = append(questions, experiments.Question{ID: fmt.Sprintf("q%d", i), Text: fmt.Sprintf("What is the %s rule %d?", word, i),
			Reference: "Rule", Lang: "en", Answerable: true})
	}
	if _, _, err := w.Store.PutDataset(t.Context(), experiments.NewDataset("asked", questions), testNow); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"writer-1", "writer-2"} {
		d, err := experiments.ParseDefinition(fmt.Appendf(nil,
			"name: %s\ncorpus: rules\ndataset: asked\nsuite: [correctness]\njudge: {provider: openai, model: judge-1}\n"+
				"base: {retrieve: {mode: bm25, k: 1}, generate: {provider: openai, model: %s}}\n", name, name), "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Store.PutExperiment(t.Context(), d, testNow); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// open opens the data directory, a second time too: as a server would that is started again.
func (s *shop) open() *app.Workbench {
	s.t.Helper()
	w, err := app.Open(context.Background(), app.Options{
		DataDir: filepath.Join(s.dir, "data"), ConfigPath: "", Concurrency: 2, Now: func() time.Time { return s.now },
		Sleep: func(context.Context, time.Duration) error { return nil },
		Getenv: func(name string) string {
			return map[string]string{"OPENAI_API_KEY": canary, "OPENAI_BASE_URL": s.address}[name]
		},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = w.Close() })
	return w
}

func (s *shop) answer(r fakeprovider.Request) (string, error) {
	var data struct {
		Question string `json:"question"`
		Answer   string `json:"answer"`
	}
	if err := json.Unmarshal(r.Data(), &data); err != nil {
		return "", err
	}
	switch {
	case len(r.Schema) == 0:
		return r.Model + " answers: " + data.Question, nil
	case !strings.Contains(string(r.Schema), `"score"`):
		return "", fmt.Errorf("nobody expects %s", r.Schema)
	case strings.Contains(data.Question, "hard") && strings.Contains(data.Answer, "writer-2"):
		return `{"reason":"wrong","score":2}`, nil
	}
	return `{"reason":"right","score":5}`, nil
}

// bought counts the calls that were charged.
func (s *shop) bought() int {
	n := 0
	for _, e := range s.provider.Ledger() {
		if e.Charged {
			n++
		}
	}
	return n
}

// both runs both experiments to their ends.
func (s *shop) both(c *client) (baseline, candidate string) {
	s.t.Helper()
	var ids [2]string
	for i := range ids {
		var run app.RunRow
		c.send("POST", "/runs", fmt.Sprintf(`{"experiment":"writer-%d"}`, i+1), 202, &run)
		c.finish(run.RunID)
		ids[i] = run.RunID
	}
	return ids[0], ids[1]
}
