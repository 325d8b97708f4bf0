package apptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// Offline is the file of an experiment that buys nothing.
const Offline = `
name: offline
base: {chunk: {size: 80, overlap: 20}, embedding: {provider: offline, model: ngram}, retrieve: {mode: hybrid, k: 2}}
sweep: {retrieve.k: [1, 2], chunk.size: [60, 80]}
`

// Postgres returns the address of a database of its own, without anything in its tables.
func Postgres(t *testing.T) string {
	t.Helper()
	return pgtest.Migrated(t, func(address string) error {
		s, err := store.Open(context.Background(), address)
		if err != nil {
			return err
		}
		return s.Close()
	})
}

// World is a data directory with a small corpus and dataset on disk, and perhaps a provider that costs money.
type World struct {
	*app.Workbench
	Dir        string
	Provider   *fakeprovider.Server // replaced to change its behaviour; its address stays
	Address    string
	Host       *World // whose provider answers at the address
	OnProgress func(experiments.Progress)
	Env        map[string]string

	server *httptest.Server // at the address; nil where another world's is
}

// Rules are the documents of the corpus.
var Rules = []string{
	"Flex tickets can be refunded until departure. The fee is 2,000 yen for each segment. Taxes are always returned.",
	"Saver tickets cannot be refunded after purchase. Only the airport tax of 440 yen is returned on request within 30 days.",
	"Children under 2 travel on the lap of an adult free of charge on domestic flights. One infant is allowed for each adult.",
	"Bassinets can be reserved up to 48 hours before departure. They carry infants of up to 10 kg. There are four on each aircraft.",
	"Pets travel in the hold. The cage must not exceed 32 kg with the animal. The charge is 6,000 yen for each cage and segment.",
	"When a flight is cancelled because of a typhoon, every ticket can be changed without charge for the next 30 days.",
	"払い戻しの手数料は、フレックス運賃では1区間につき2,000円です。出発時刻までに手続きをしてください。",
	"バシネットは出発の48時間前までに予約できます。体重10kgまでのお子様が利用できます。",
}

// AskedQuestions are the questions of the dataset.
var AskedQuestions = []string{
	"How much does it cost to refund a Flex ticket?", "Can a Saver ticket be refunded?", "Do infants pay on domestic flights?",
	"Until when can I reserve a bassinet?", "What is the charge for a pet cage?", "What happens when a typhoon cancels my flight?",
	"フレックス運賃の払い戻し手数料はいくらですか。", "バシネットはいつまでに予約できますか。",
}

// RightAnswers are the references of the questions, in their order.
var RightAnswers = []string{
	"2,000 yen for each segment", "Saver tickets cannot be refunded after purchase", "free of charge on domestic flights",
	"up to 48 hours before departure", "6,000 yen for each cage and segment",
	"every ticket can be changed without charge for the next 30 days",
	"1区間につき2,000円です", "出発の48時間前までに予約できます",
}

// NewWorld makes a data folder with the corpus and the dataset. database is the address of a PostgreSQL database, "" for SQLite in
// the folder.
func NewWorld(t *testing.T, database string) *World {
	t.Helper()
	w := &World{Dir: t.TempDir(), Env: map[string]string{"OPENAI_API_KEY": "test-key-0123456789abcdef"}}
	w.Write(t, "docs/corpus.jsonl", Lines(len(Rules), func(i int) any {
		return map[string]any{"doc_id": fmt.Sprintf("rule-%d", i), "text": Rules[i]}
	}))
	w.Write(t, "questions.jsonl", Lines(len(AskedQuestions), func(i int) any {
		return map[string]any{
			"question_id": fmt.Sprintf("q%d", i), "question": AskedQuestions[i], "reference": RightAnswers[i],
			"tags":     []string{"theme:" + []string{"money", "people"}[i%2]},
			"critical": i == 0, "evidence": []map[string]any{{"doc_id": fmt.Sprintf("rule-%d", i), "quote": RightAnswers[i]}},
		}
	}))
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Responder: Respond})
	w.OpenAgain(t, database)
	if _, err := w.ImportCorpus(t.Context(), filepath.Join(w.Dir, "docs"), "rules", false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.ImportDataset(t.Context(), filepath.Join(w.Dir, "questions.jsonl"), "asked", "rules", nil); err != nil {
		t.Fatal(err)
	}
	return w
}

// serve has the world's provider answer at an address.
func (w *World) serve(t *testing.T, address string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	w.server = &httptest.Server{Listener: listener, Config: &http.Server{ //nolint:gosec // of a test
		Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.Provider.ServeHTTP(rw, r) })}}
	w.server.Start()
	t.Cleanup(w.server.Close)
}

// Replace puts another provider in the place of the present one, at the same address. What was sent to the present one and not read yet
// reaches neither: a call of a run that was broken off may still be under way when the run has returned.
func (w *World) Replace(t *testing.T, p *fakeprovider.Server) {
	t.Helper()
	address := w.server.Listener.Addr().String()
	w.server.Close()
	w.Provider = p
	w.serve(t, address)
}

// OpenAgain opens the data directory, a second time too: as another process would after a crash.
func (w *World) OpenAgain(t *testing.T, database string) {
	t.Helper()
	if w.Address == "" {
		w.serve(t, "127.0.0.1:0")
		w.Address, w.Host = w.server.URL+"/v1", w
	}
	w.Env["OPENAI_BASE_URL"] = w.Address
	var err error
	if database == "" {
		err = LayEmpty(filepath.Join(w.Dir, "data"))
	}
	if err != nil {
		t.Fatal(err)
	}
	w.Workbench, err = app.Open(t.Context(), app.Options{
		DataDir: filepath.Join(w.Dir, "data"), DatabaseURL: database, Concurrency: 2, SaveAtOnce: true,
		Getenv: func(name string) string { return w.Env[name] }, Now: SteadyClock(),
		Sleep:    func(context.Context, time.Duration) error { return nil },
		Progress: func(p experiments.Progress) { w.tell(p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	opened := w.Workbench
	t.Cleanup(func() { _ = opened.Close() })
}

// empty is a SQLite file with all tables and nothing in them. To make them takes longer than most tests do.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "workbench-empty-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, app.DatabaseFile)
	s, err := store.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// LayEmpty puts an empty database into a data directory that has none.
func LayEmpty(dir string) error {
	path := filepath.Join(dir, app.DatabaseFile)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	tables, err := empty()
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(path, tables, 0o600))
}

func (w *World) tell(p experiments.Progress) {
	if w.OnProgress != nil {
		w.OnProgress(p)
	}
}

// SteadyClock moves a second at every look, so that orders by time are decided and equal in every test.
func SteadyClock() func() time.Time {
	ticks := make(chan int, 1)
	ticks <- 0
	return func() time.Time {
		n := <-ticks
		ticks <- n + 1
		return time.Date(2026, 11, 20, 6, 0, n, 0, time.UTC)
	}
}

// Lines writes n rows as JSON, one a line.
func Lines(n int, row func(int) any) string {
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

// Write writes a file below the folder and returns its path.
func (w *World) Write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(w.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Read is the content of a file below the folder.
func (w *World) Read(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(w.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Registered registers an experiment whose file has these further lines.
func (w *World) Registered(t *testing.T, yaml string) experiments.Experiment {
	t.Helper()
	return w.registered(t, "corpus: rules\ndataset: asked\n"+yaml)
}

func (w *World) registered(t *testing.T, file string) experiments.Experiment {
	t.Helper()
	e, _, err := w.Experiment(t.Context(), w.Write(t, "experiment.yaml", file))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// JobFile returns the job of an experiment whose file has these further lines.
func (w *World) JobFile(t *testing.T, yaml string) app.Job {
	t.Helper()
	return w.JobOf(t, w.Registered(t, yaml))
}

// Worked works the job of an experiment whose file has these further lines.
func (w *World) Worked(t *testing.T, yaml string) experiments.Run {
	t.Helper()
	return w.worked(t, w.JobFile(t, yaml))
}

// WorkedWhole works the job of an experiment whose file names its corpus and dataset itself.
func (w *World) WorkedWhole(t *testing.T, file string) experiments.Run {
	t.Helper()
	return w.worked(t, w.JobOf(t, w.registered(t, file)))
}

func (w *World) worked(t *testing.T, job app.Job) experiments.Run {
	t.Helper()
	run, err := w.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Billed counts the calls that the provider charged, by path.
func (w *World) Billed(path string) int {
	n := 0
	for _, e := range w.Provider.Ledger() {
		if e.Charged && strings.HasSuffix(e.Path, path) {
			n++
		}
	}
	return n
}

// Respond answers the judge's prompts as a judge would that likes everything, and others with a sentence.
func Respond(_, _, user string, schema []byte) (string, error) {
	switch s := string(schema); {
	case strings.Contains(s, `"score"`):
		return `{"reason":"agrees","score":4}`, nil
	case strings.Contains(s, `"on_topic"`):
		return fmt.Sprintf(`{"claims":["One claim of %d bytes."],"refuses":false,"reason":"","on_topic":true}`, len(user)), nil
	case strings.Contains(s, `"verdicts"`):
		return silentVerdicts(user)
	case strings.Contains(s, `"claims"`):
		return fmt.Sprintf(`{"claims":["One reference claim of %d bytes."],"key":[]}`, len(user)), nil
	case strings.Contains(s, `"given"`):
		return `{"parts":[{"part":"the fee","given":"yes"}],"off":[]}`, nil
	}
	return fmt.Sprintf("An answer of %d bytes of prompt. [1]", len(user)), nil
}

// EvaluationFile returns a run with its results as JSON, without what differs by nature: times and the provider's port.
func (w *World) EvaluationFile(t *testing.T, id string) string {
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
	return strings.ReplaceAll(string(body), w.Address, "ADDRESS")
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
