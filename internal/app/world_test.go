package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// world is a data directory with a small corpus and dataset on disk, and perhaps a provider that costs money.
type world struct {
	*Workbench
	dir      string
	provider *fakeprovider.Server // replaced to change its behaviour; its address stays
	address  string
	host     *world // whose provider answers at the address
	progress func(experiments.Progress)
	env      map[string]string
}

var rules = []string{
	"Flex tickets can be refunded until departure. The fee is 2,000 yen for each segment. Taxes are always returned.",
	"Saver tickets cannot be refunded after purchase. Only the airport tax of 440 yen is returned on request within 30 days.",
	"Children under 2 travel on the lap of an adult free of charge on domestic flights. One infant is allowed for each adult.",
	"Bassinets can be reserved up to 48 hours before departure. They carry infants of up to 10 kg. There are four on each aircraft.",
	"Pets travel in the hold. The cage must not exceed 32 kg with the animal. The charge is 6,000 yen for each cage and segment.",
	"When a flight is cancelled because of a typhoon, every ticket can be changed without charge for the next 30 days.",
	"払い戻しの手数料は、フレックス運賃では1区間につき2,000円です。出発時刻までに手続きをしてください。",
	"バシネットは出発の48時間前までに予約できます。体重10kgまでのお子様が利用できます。",
}

var asked = []string{
	"How much does it cost to refund a Flex ticket?", "Can a Saver ticket be refunded?", "Do infants pay on domestic flights?",
	"Until when can I reserve a bassinet?", "What is the charge for a pet cage?", "What happens when a typhoon cancels my flight?",
	"フレックス運賃の払い戻し手数料はいくらですか。", "バシネットはいつまでに予約できますか。",
}

var answers = []string{
	"2,000 yen for each segment", "Saver tickets cannot be refunded after purchase", "free of charge on domestic flights",
	"up to 48 hours before departure", "6,000 yen for each cage and segment", "every ticket can be changed without charge for the next 30 days",
	"1区間につき2,000円です", "出発の48時間前までに予約できます",
}

func newWorld(t *testing.T, database string) *world {
	t.Helper()
	w := &world{dir: t.TempDir(), env: map[string]string{"OPENAI_API_KEY": "test-key-0123456789abcdef"}}
	w.write(t, "docs/corpus.jsonl", lines(len(rules), func(i int) any {
		return map[string]any{"doc_id": fmt.Sprintf("rule-%d", i), "text": rules[i]}
	}))
	w.write(t, "questions.jsonl", lines(len(asked), func(i int) any {
		return map[string]any{
			"question_id": fmt.Sprintf("q%d", i), "question": asked[i], "reference": answers[i], "tags": []string{"theme:" + []string{"money", "people"}[i%2]},
			"critical": i == 0, "evidence": []map[string]any{{"doc_id": fmt.Sprintf("rule-%d", i), "quote": answers[i]}},
		}
	}))
	w.provider = fakeprovider.New(fakeprovider.Options{Key: w.env["OPENAI_API_KEY"], Responder: respond})
	w.open(t, database)
	if _, err := w.ImportCorpus(t.Context(), filepath.Join(w.dir, "docs"), "rules", false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.ImportDataset(t.Context(), filepath.Join(w.dir, "questions.jsonl"), "asked", "rules", nil); err != nil {
		t.Fatal(err)
	}
	return w
}

// open opens the data directory, a second time too: as another process would after a crash.
func (w *world) open(t *testing.T, database string) {
	t.Helper()
	if w.address == "" {
		server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.provider.ServeHTTP(rw, r) }))
		t.Cleanup(server.Close)
		w.address, w.host = server.URL+"/v1", w
	}
	w.env["OPENAI_BASE_URL"] = w.address
	var err error
	w.Workbench, err = Open(t.Context(), Options{
		DataDir: filepath.Join(w.dir, "data"), DatabaseURL: database, Concurrency: 2,
		Getenv: func(name string) string { return w.env[name] }, Now: steadyClock(),
		Sleep:    func(context.Context, time.Duration) error { return nil },
		Progress: func(p experiments.Progress) { w.tell(p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	opened := w.Workbench
	t.Cleanup(func() { _ = opened.Close() })
}

func (w *world) tell(p experiments.Progress) {
	if w.progress != nil {
		w.progress(p)
	}
}

// steadyClock moves a second at every look, so that orders by time are decided and equal in every test.
func steadyClock() func() time.Time {
	ticks := make(chan int, 1)
	ticks <- 0
	return func() time.Time {
		n := <-ticks
		ticks <- n + 1
		return time.Date(2026, 11, 20, 6, 0, n, 0, time.UTC)
	}
}

func lines(n int, row func(int) any) string {
	var b strings.Builder
	for i := range n {
		body, err := json.Marshal(row(i))
		if err != nil {
			panic(err)
		}
		b.Write(body)
		b.WriteByte('\n')
	}
	return b.String()
}

func (w *world) write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// experiment registers an experiment whose file has these further lines.
func (w *world) experiment(t *testing.T, yaml string) experiments.Experiment {
	t.Helper()
	path := w.write(t, "experiment.yaml", "corpus: rules\ndataset: asked\n"+yaml)
	e, _, err := w.Experiment(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (w *world) job(t *testing.T, yaml string) Job {
	t.Helper()
	j, err := w.Job(t.Context(), w.experiment(t, yaml), Select{})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func (w *world) run(t *testing.T, yaml string) experiments.Run {
	t.Helper()
	run, err := w.Run(t.Context(), w.job(t, yaml))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// billed counts the calls that the provider charged, by path.
func (w *world) billed(path string) int {
	n := 0
	for _, e := range w.provider.Ledger() {
		if e.Charged && strings.HasSuffix(e.Path, path) {
			n++
		}
	}
	return n
}

// respond answers the judge's prompts as a judge would that likes everything, and others with a sentence.
func respond(_, _, user string, schema []byte) (string, error) {
	switch s := string(schema); {
	case strings.Contains(s, `"score"`):
		return `{"reason":"agrees","score":4}`, nil
	case strings.Contains(s, `"on_topic"`):
		return fmt.Sprintf(`{"claims":["One claim of %d bytes."],"refuses":false,"reason":"","on_topic":true}`, len(user)), nil
	case strings.Contains(s, `"verdicts"`):
		return silentVerdicts(user)
	case strings.Contains(s, `"claims"`):
		return fmt.Sprintf(`{"claims":["One reference claim of %d bytes."],"key":[]}`, len(user)), nil
	case strings.Contains(s, `"noncommittal"`):
		return `{"noncommittal":false,"questions":["One?","Two?","Three?"]}`, nil
	}
	return fmt.Sprintf("An answer of %d bytes of prompt. [1]", len(user)), nil
}

// evaluation returns a run with its results as JSON, without what differs by nature: times and the provider's port.
func (w *world) evaluation(t *testing.T, id string) string {
	t.Helper()
	e, err := experiments.LoadEvaluation(t.Context(), w.Store, id)
	if err != nil {
		t.Fatal(err)
	}
	e.Run.CreatedAt, e.Run.StartedAt, e.Run.FinishedAt = time.Time{}, nil, nil
	body, err := json.MarshalIndent(e, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(body), w.address, "ADDRESS")
}

// silentVerdicts finds nothing decided: every pair that is asked about stands under neither.
func silentVerdicts(user string) (string, error) {
	_, rest, _ := strings.Cut(user, ">>>\n")
	data, _, _ := strings.Cut(rest, "\n<<<END")
	reply, ok := metrics.StandIn(llm.Request{Purpose: metrics.PurposeVerify, Data: []byte(data)}, false)
	if !ok {
		return "", errors.New("no verdicts")
	}
	return reply, nil
}
