package rag

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// memoryStages keeps stage outputs for one test and counts them by kind.
type memoryStages struct {
	mu    sync.Mutex
	items map[string]Stage
}

func newMemoryStages() *memoryStages { return &memoryStages{items: map[string]Stage{}} }

func (m *memoryStages) Stage(_ context.Context, key string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.items[key]
	return s.Body, ok, nil
}

func (m *memoryStages) PutStage(_ context.Context, s Stage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.items[s.Key]; !ok {
		m.items[s.Key] = s
	}
	return nil
}

// count is how many outputs of a kind are stored.
func (m *memoryStages) count(kind string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, s := range m.items {
		if s.Kind == kind {
			n++
		}
	}
	return n
}

// namedProviders finds providers by name.
type namedProviders map[string]llm.Provider

func (p namedProviders) Provider(name string) (llm.Provider, error) {
	if provider, ok := p[name]; ok {
		return provider, nil
	}
	return nil, problem.New(problem.Invalid, "provider_unknown", "there is no provider %q", name).
		WithHint("add it to the configuration file")
}

// elsewhere is a provider that is reached at another origin and counts what it is asked.
type elsewhere struct {
	llm.Provider
	origin string
	mu     sync.Mutex
	asked  map[string]int // by purpose
}

func (e *elsewhere) Info() llm.Info {
	info := e.Provider.Info()
	info.Origin = e.origin
	return info
}

func (e *elsewhere) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	e.mu.Lock()
	if e.asked == nil {
		e.asked = map[string]int{}
	}
	e.asked[req.Purpose]++
	e.mu.Unlock()
	return e.Provider.Complete(ctx, req)
}

func offlineProvider() llm.Provider { return llm.NewOffline(offline.Handlers(), offline.Embedders()) }

func offlineOnly() namedProviders { return namedProviders{"offline": offlineProvider()} }

// rig is everything a system needs besides its configuration.
type rig struct {
	corpus    *Corpus
	providers namedProviders
	indexes   *Indexes
	stages    *memoryStages
}

func newRig(docs ...Document) *rig {
	return &rig{corpus: NewCorpus("test", docs), providers: offlineOnly(), indexes: NewIndexes(4), stages: newMemoryStages()}
}

// open returns the system of the default configuration with changes.
func (r *rig) open(t *testing.T, change func(*Config)) *System {
	t.Helper()
	c := DefaultConfig()
	c.Embedding.Name = "ngram"
	if change != nil {
		change(&c)
	}
	s, err := Open(t.Context(), c, r.corpus, r.providers, r.indexes, r.stages)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func (r *rig) answer(t *testing.T, question string, change func(*Config)) Answer {
	t.Helper()
	a, err := r.open(t, change).Answer(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// manual is a small corpus in both languages, made up for these tests.
func manual() []Document {
	return []Document{
		{ID: "ja-medical", Lang: "ja", Text: "医療費控除は、1年間に支払った医療費が10万円を超える場合に受けられます。領収書は5年間保存してください。"},
		{ID: "ja-housing", Lang: "ja", Text: "住宅ローン控除を受けるには、居住を始めた年の翌年に確定申告が必要です。借入金の残高証明書を添付します。"},
		{ID: "ja-donation", Lang: "ja", Text: "ふるさと納税の寄附金控除では、寄附金から2,000円を除いた金額が控除されます。"},
		{ID: "ja-dependant", Lang: "ja", Text: "扶養控除の対象となる親族は、合計所得金額が48万円以下で、16歳以上の人です。"},
		{ID: "ja-office", Lang: "ja", Text: "税務署の窓口は平日の午前8時30分から午後5時まで開いています。"},
		{ID: "en-refund", Lang: "en",
			Text: "A refund is paid within 14 days after the returned goods arrive. Shipping costs are not refunded."},
		{ID: "en-warranty", Lang: "en", Text: "The warranty covers defects in material for two years. Damage caused by water is excluded."},
		{ID: "en-delivery", Lang: "en",
			Text: "Delivery takes three to five working days. Express delivery arrives on the next working day."},
		{ID: "en-account", Lang: "en",
			Text: "To delete your account, open the settings and choose Close account. Invoices are kept for ten years."},
		{ID: "en-payment", Lang: "en", Text: "We accept credit cards, bank transfer and vouchers. Vouchers cannot be combined."},
	}
}

// taxQA is the Japanese data set of official answers, which is not part of the project.
func taxQA(t *testing.T) (*Corpus, []taxQuestion) {
	t.Helper()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	folder := filepath.Join(shared, "data", "nta_tax_qa")
	raw, err := os.ReadFile(filepath.Join(folder, "questions.jsonl"))
	if err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatalf("the real data sets are required: %v", err)
		}
		t.Skipf("the real data sets are not here: %v", err)
	}
	documents, err := os.ReadFile(filepath.Join(folder, "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var docs []Document
	for _, d := range linesOf[taxDocument](t, documents) {
		docs = append(docs, Document{ID: d.ID, Title: d.Title, Text: norm.NFC.String(d.Text), Lang: "ja"})
	}
	questions := linesOf[taxQuestion](t, raw)
	if len(questions) == 0 || len(docs) == 0 {
		t.Fatal("the data set is empty")
	}
	return NewCorpus("nta_tax_qa", docs), questions
}

func linesOf[T any](t *testing.T, body []byte) (all []T) {
	t.Helper()
	for line := range strings.Lines(string(body)) {
		var one T
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

type taxDocument struct {
	ID    string `json:"doc_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

type taxQuestion struct {
	Question string `json:"question"`
	Evidence []Span `json:"evidence"`
}
