package mappings

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/mappings/mappingstest"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// liveServer is the address of a server that is running, or of one that start starts. It skips the test where neither is asked for.
func liveServer(t *testing.T, variable string, start func(t *testing.T) string) string {
	t.Helper()
	if address := os.Getenv(variable); address != "" {
		return address
	}
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" || start == nil {
		t.Skipf("no live server: %s names none, and WORKBENCH_SLOW_TESTS=1 does not ask for one", variable)
	}
	return start(t)
}

// startChroma installs the Python package and starts its server.
func startChroma(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{{"python3", "-m", "venv", dir},
		{filepath.Join(dir, "bin", "pip"), "install", "-q", "chromadb==1.5.9"}} {
		if out, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("Chroma cannot be installed here: %v: %s", err, out)
		}
	}
	port := freePorts(t, 1)[0]
	ctx, stop := context.WithCancel(context.Background())
	server := exec.CommandContext(ctx, filepath.Join(dir, "bin", "chroma"), "run", "--path", filepath.Join(dir, "data"), "--port", port)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = server.Wait() })
	address := "http://127.0.0.1:" + port
	answers(t, address+"/api/v2/heartbeat")
	return address
}

// freePorts are ports of 127.0.0.1 on which nothing listens, one after another.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	for range 100 {
		var ports []string
		at := 0
		for len(ports) < n {
			free, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(at)))
			if err != nil {
				break
			}
			_, port, _ := net.SplitHostPort(free.Addr().String())
			_ = free.Close()
			ports = append(ports, port)
			at, _ = strconv.Atoi(port)
			at++
		}
		if len(ports) == n {
			return ports
		}
	}
	t.Fatalf("no %d free ports in a row", n)
	return nil
}

// answers waits until a server does, with 200 OK.
func answers(t *testing.T, url string) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for range 600 {
		resp, err := http.Get(url) //nolint:gosec,noctx // a server of this test
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		<-tick.C
	}
	t.Fatalf("%s does not answer", url)
}

// tell sends a request that fills a server: the tests write, the product never does.
func tell(t *testing.T, method, url string, body, out any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	reply, _ := io.ReadAll(resp.Body)
	if resp.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, url, resp.StatusCode, reply)
	}
	if out != nil {
		if err := json.Unmarshal(reply, out); err != nil {
			t.Fatal(err)
		}
	}
}

func builtIn() llm.Provider { return llm.NewOffline(offline.Handlers(), offline.Embedders()) }

// reach are the offline provider and one index.
type reach struct{ engine rag.MappedIndex }

func (reach) Provider(name string) (llm.Provider, error) {
	if name != "offline" {
		return nil, problem.New(problem.Invalid, "provider_unknown", "there is no provider %q", name)
	}
	return builtIn(), nil
}

func (r reach) Mapped(ctx context.Context, corpus *rag.Corpus, m rag.IndexMapping) (rag.MappedIndex, *rag.MappedRows, error) {
	rows, err := rag.ScanMapped(ctx, corpus, m, r.engine)
	return r.engine, rows, err
}

// library is a corpus with questions whose evidence is known: every text is of the words of its number.
func library() (*rag.Corpus, map[string]rag.Span) {
	words := []string{"refund", "warranty", "delivery", "account", "payment", "invoice", "voucher", "password", "upload", "archive"}
	var docs []rag.Document
	questions := map[string]rag.Span{}
	for i, w := range words {
		text := ""
		for j, other := range []string{"limit", "deadline", "price", "contact"} {
			sentence := fmt.Sprintf("The %s of the %s is number %d. ", other, w, 10*i+j)
			start := len(text)
			text += sentence + "日本語の文もあります。"
			text = string([]rune(text))
			questions[fmt.Sprintf("What is the %s of the %s?", other, w)] = rag.Span{DocID: w, Start: runes(text[:start]),
				End: runes(text[:start]) + runes(sentence) - 1}
		}
		docs = append(docs, rag.Document{ID: w, Title: w, Text: text})
	}
	return rag.NewCorpus("library", docs), questions
}

func runes(s string) int { return len([]rune(s)) }

// sameRecall is row 17 on a live engine: the same chunks give the same evidence recall as our own index; without places there is none.
func sameRecall(t *testing.T, m rag.IndexMapping, engine rag.MappedIndex, corpus *rag.Corpus, questions map[string]rag.Span,
	chunking rag.Chunking, embed rag.Model) {
	t.Helper()
	specs, err := metrics.Resolve([]string{"retrieval", "document_recall"})
	if err != nil {
		t.Fatal(err)
	}
	stages := &rag.MemoryStages{}
	suite, err := metrics.NewSuite(specs, metrics.DefaultJudge(), reach{}, stages)
	if err != nil {
		t.Fatal(err)
	}
	scores := func(c rag.Config) map[string][]string {
		system, err := rag.Open(t.Context(), c, corpus, reach{engine}, rag.NewIndexes(0), stages)
		if err != nil {
			t.Fatal(err)
		}
		defer system.Close()
		out := map[string][]string{}
		for q, evidence := range questions {
			found, _, err := system.Retrieve(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			all, err := suite.Score(t.Context(), metrics.Sample{Question: q, Contexts: found.Hits, Hidden: found.Hidden,
				Evidence: []rag.Span{evidence}})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range all {
				out[q] = append(out[q], fmt.Sprintf("%s %s %.9f", s.Metric, s.State, s.Value))
			}
		}
		return out
	}
	c := rag.DefaultConfig()
	c.Chunk, c.Embedding.Model, c.Retrieve.K = chunking, embed, 3
	own := scores(c)
	for _, offsets := range []string{rag.OffsetsFields, rag.OffsetsLocate, rag.OffsetsNone} {
		m.Offset = offsets
		mapped, err := m.In(c)
		if err != nil {
			t.Fatal(err)
		}
		got := scores(mapped)
		if offsets != rag.OffsetsNone {
			if d := cmp.Diff(own, got); d != "" {
				t.Errorf("offsets %s (-ours +theirs): %s", offsets, d)
			}
			continue
		}
		for q, list := range got {
			for i, s := range list {
				var metric, state string
				var value float64
				if _, err := fmt.Sscan(s, &metric, &state, &value); err != nil {
					t.Fatal(err)
				}
				if metric == "document_recall" && s != own[q][i] || metric != "document_recall" && state != string(metrics.NotApplicable) {
					t.Errorf("without places, %s: %s; ours %s", q, s, own[q][i])
				}
			}
		}
	}
}

// TestChromaLive fills a server of Chroma and reads it.
func TestChromaLive(t *testing.T) {
	t.Parallel()
	address := liveServer(t, "WORKBENCH_CHROMA", startChroma)
	corpus, questions := library()
	chunking, embed := rag.Chunking{By: "chars", Size: 50}, rag.Model{Provider: "offline", Name: mappingstest.Model}
	rows := mappingstest.Rows(t, corpus, chunking)
	base := address + "/api/v2/tenants/default_tenant/databases/default_database/collections"
	fill := func(name string, rows []mappingstest.Row) {
		var made chromaCollection
		tell(t, http.MethodPost, base, map[string]any{"name": name,
			"configuration": map[string]any{"hnsw": map[string]any{"space": "cosine"}}}, &made)
		t.Cleanup(func() {
			req, _ := http.NewRequest(http.MethodDelete, base+"/"+name, nil) //nolint:noctx // after the test
			if resp, err := http.DefaultClient.Do(req); err == nil {
				_ = resp.Body.Close()
			}
		})
		var ids, texts []string
		var vectors [][]float32
		var about []map[string]any
		for _, r := range rows {
			ids, texts, vectors = append(ids, r.ID), append(texts, r.Text), append(vectors, r.Vector)
			about = append(about, map[string]any{"source": r.DocID, "from": r.Start, "to": r.End})
		}
		tell(t, http.MethodPost, base+"/"+made.ID+"/add", map[string]any{"ids": ids, "documents": texts, "embeddings": vectors,
			"metadatas": about}, nil)
	}
	m := rag.IndexMapping{Engine: "chroma", Table: "library", Offset: rag.OffsetsFields,
		Fields: rag.MappedFields{DocID: "source", Start: "from", End: "to"}}.Normalised()

	fill("library", rows)
	listened, through := listen(t, address)
	engine := contract{Mapping: m}.open(t, through)
	sameRecall(t, m, engine, corpus, questions, chunking, embed)
	onlyReads(t, "chroma", listened.heard)

	small := []mappingstest.Row{}
	for i, r := range rows[:3] {
		r.Vector = []float32{float32(i), 1, 0}
		small = append(small, r)
	}
	m.Table = "small"
	fill("small", small)
	listened, through = listen(t, address)
	c := contract{Mapping: m, Vector: []float32{1, 1, 0}, N: 2}
	c.Want = c.read(t, c.open(t, through))
	c.Origin = "recorded from Chroma 1.5.9 of PyPI, whose server calls itself " + c.Want.Facts.Server
	if c.Want.Facts.Rows != 3 || c.Want.Facts.Dimensions != 3 || c.Want.Facts.Distance != rag.DistanceCosine ||
		c.Want.Nearest[0].ID != rows[1].ID {
		t.Errorf("%+v", c.Want)
	}
	c.keep(t, listened, "chroma")
}
