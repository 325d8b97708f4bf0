// Package mappingstest stands in for a server that holds an index, for tests.
package mappingstest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// Model is the offline embedder that made the vectors.
const Model = "ngram"

// Token is what every request has to carry in the header X-Chroma-Token.
const Token = "chroma-token-0123456789"

// Row is a row with its vector.
type Row struct {
	rag.MappedRow
	Vector []float32
}

// Rows are the chunks of a corpus with their vectors, as a team would have them in its index.
func Rows(t *testing.T, corpus *rag.Corpus, chunking rag.Chunking) []Row {
	t.Helper()
	spans := chunking.Cut(corpus)
	texts := make([]string, len(spans))
	for i, s := range spans {
		texts[i] = corpus.Text(s)
	}
	vectors, err := llm.NewOffline(offline.Handlers(), offline.Embedders()).Embed(t.Context(), llm.Embedding{Model: Model}, texts)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]Row, len(spans))
	seen := map[string]int{}
	for i, s := range spans {
		seen[s.DocID]++
		id := s.DocID + "#" + strings.Repeat("0", 3-len(digits(seen[s.DocID]))) + digits(seen[s.DocID])
		out[i] = Row{rag.MappedRow{ID: id, DocID: s.DocID, Text: texts[i], Start: s.Start, End: s.End}, vectors[i]}
	}
	return out
}

func digits(n int) string {
	raw, _ := json.Marshal(n) // a number
	return string(raw)
}

// Chroma is a server that answers as Chroma does, from rows in memory and by exact search; what it is asked is counted.
type Chroma struct {
	URL string

	mu    sync.Mutex
	rows  []Row
	asked map[string]int // by method and last part of the path
}

// Serve starts a server with one collection, named handbook.
func Serve(t *testing.T, rows []Row) *Chroma {
	t.Helper()
	c := &Chroma{rows: rows, asked: map[string]int{}}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// Change changes the rows.
func (c *Chroma) Change(change func([]Row) []Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows = change(slices.Clone(c.rows))
}

// Asked is how often something was asked, such as "POST query".
func (c *Chroma) Asked(what string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked[what]
}

// ServeHTTP answers.
func (c *Chroma) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	const collections = "/api/v2/tenants/default_tenant/databases/default_database/collections/"
	last := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	c.asked[r.Method+" "+last]++
	if r.Header.Get("X-Chroma-Token") != Token {
		http.Error(w, `{"error":"AuthError","message":"Forbidden"}`, http.StatusForbidden)
		return
	}
	var ask struct {
		Limit   int         `json:"limit"`
		Offset  int         `json:"offset"`
		Vectors [][]float32 `json:"query_embeddings"`
		N       int         `json:"n_results"`
	}
	_ = json.NewDecoder(r.Body).Decode(&ask) // GET has none
	var reply any
	switch r.Method + " " + r.URL.Path {
	case "GET /api/v2/version":
		reply = "1.0.0"
	case "GET " + collections + "handbook":
		reply = map[string]any{"id": "c0", "dimension": len(c.rows[0].Vector),
			"configuration_json": map[string]any{"hnsw": map[string]any{"space": "cosine"}, "spann": nil}}
	case "GET " + collections + "c0/count":
		reply = len(c.rows)
	case "POST " + collections + "c0/get":
		ids, texts, about := columns(c.rows[min(ask.Offset, len(c.rows)):min(ask.Offset+ask.Limit, len(c.rows))])
		reply = map[string]any{"ids": ids, "documents": texts, "metadatas": about}
	case "POST " + collections + "c0/query":
		rows, distances := c.nearest(ask.Vectors[0], ask.N)
		ids, texts, about := columns(rows)
		reply = map[string]any{"ids": [][]string{ids}, "documents": [][]string{texts}, "metadatas": [][]map[string]any{about},
			"distances": [][]float64{distances}}
	default:
		http.Error(w, `{"error":"NotFoundError"}`, http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(reply)
}

func columns(rows []Row) (ids, texts []string, about []map[string]any) {
	for _, r := range rows {
		ids, texts = append(ids, r.ID), append(texts, r.Text)
		about = append(about, map[string]any{"source": r.DocID, "from": r.Start, "to": r.End})
	}
	return ids, texts, about
}

func (c *Chroma) nearest(vector []float32, n int) (rows []Row, distances []float64) {
	distance := func(r Row) float64 {
		sum := 1.0
		for i, f := range r.Vector {
			sum -= float64(f) * float64(vector[i])
		}
		return sum
	}
	all := slices.Clone(c.rows)
	slices.SortStableFunc(all, func(a, b Row) int {
		switch x, y := distance(a), distance(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	rows = all[:min(n, len(all))]
	for _, r := range rows {
		distances = append(distances, distance(r))
	}
	return rows, distances
}

// File describes the server's collection as `workbench corpus add --index` reads it. CHROMA_TOKEN must hold [Token].
func (c *Chroma) File(offsets string) string {
	return "index:\n  engine: chroma\n  connection: " + c.URL + "\n  headers: {X-Chroma-Token: '${CHROMA_TOKEN}'}\n  table: handbook\n" +
		"  fields: {doc_id: source, start: from, end: to}\n  offsets: " + offsets + "\n"
}
