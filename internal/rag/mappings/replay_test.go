package mappings

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/rag"
)

var record = flag.Bool("record", false, "write down the exchanges of the live tests")

// exchange is one request with its reply.
type exchange struct {
	Method string          `json:"method"`
	Path   string          `json:"path"` // with its query
	Body   json.RawMessage `json:"body,omitempty"`
	Status int             `json:"status"`
	Reply  json.RawMessage `json:"reply"`
}

// contract is a file of exchanges with one engine, and what is read out of them.
type contract struct {
	// Origin says where the exchanges are from: "recorded from …" with the server's version, or "written after the vendor's documentation,
	// not recorded".
	Origin    string           `json:"origin"`
	Mapping   rag.IndexMapping `json:"mapping"`
	Vector    []float32        `json:"vector"`
	Query     string           `json:"query,omitempty"` // of a search by words; "" where the engine has none
	Params    map[string]any   `json:"params,omitempty"`
	N         int              `json:"n"`
	Want      reading          `json:"want"`
	Exchanges []exchange       `json:"exchanges"`
}

// reading is everything that a reader says of an index.
type reading struct {
	Facts   rag.MappedFacts `json:"facts"`
	Rows    []rag.MappedRow `json:"rows"`
	Nearest []rag.MappedRow `json:"nearest"`
	Words   []rag.MappedRow `json:"words,omitempty"`
}

// read asks a reader for everything.
func (c contract) read(t *testing.T, engine rag.MappedIndex) reading {
	t.Helper()
	var out reading
	var err error
	if out.Facts, err = engine.Facts(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := engine.Scan(t.Context(), func(r rag.MappedRow) error { out.Rows = append(out.Rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(out.Rows, func(a, b rag.MappedRow) int { return strings.Compare(a.ID, b.ID) })
	if out.Nearest, err = engine.Nearest(t.Context(), c.Vector, c.N, c.Params); err != nil {
		t.Fatal(err)
	}
	if c.Query != "" {
		if out.Words, err = engine.Words(t.Context(), c.Query, c.N, c.Params); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// open opens a reader of a server.
func (c contract) open(t *testing.T, address string) rag.MappedIndex {
	t.Helper()
	engine, err := Open(c.Mapping, address, map[string]string{"X-Token": "secret-0123456789"}, http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// readingPaths are the only requests that may be sent to an engine: method and the path's beginning and end.
var readingPaths = map[string][][3]string{
	"chroma": {
		{http.MethodGet, "/api/v2/version", ""}, {http.MethodGet, "/api/v2/tenants/", ""},
		{http.MethodPost, "/api/v2/tenants/", "/get"}, {http.MethodPost, "/api/v2/tenants/", "/query"},
	},
	"weaviate": {
		{http.MethodGet, "/v1/meta", ""}, {http.MethodGet, "/v1/schema/", ""}, {http.MethodGet, "/v1/objects", ""},
		{http.MethodPost, "/v1/graphql", ""}, // Weaviate's GraphQL has no mutations
	},
	"qdrant": {
		{http.MethodGet, "/", ""}, {http.MethodPost, "/collections/", "/points/count"},
		{http.MethodPost, "/collections/", "/points/scroll"},
		{http.MethodPost, "/collections/", "/points/query"},
	},
	"opensearch":    luceneReads,
	"elasticsearch": luceneReads,
}

var luceneReads = [][3]string{
	{http.MethodGet, "/", ""}, {http.MethodPost, "/", "/_search"}, {http.MethodPost, "/_search/scroll", ""},
}

// onlyReads fails where a request could change something.
func onlyReads(t *testing.T, engine string, asked []exchange) {
	t.Helper()
	for _, e := range asked {
		path, _, _ := strings.Cut(e.Path, "?")
		if !slices.ContainsFunc(readingPaths[engine], func(r [3]string) bool {
			return e.Method == r[0] && strings.HasPrefix(path, r[1]) && strings.HasSuffix(path, r[2])
		}) {
			t.Errorf("%s is asked %s %s, which is not known to read only", engine, e.Method, path)
		}
	}
}

// TestContracts replays each file of exchanges: the requests are exactly those, and what is read is what the file says.
func TestContracts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < len(readingPaths) {
		t.Fatalf("%d files for %d engines, %v", len(files), len(readingPaths), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var c contract
			if err := json.Unmarshal(raw, &c); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(c.Origin, "recorded from ") && c.Origin != "written after the vendor's documentation, not recorded" {
				t.Errorf("the origin %q says neither", c.Origin)
			}
			onlyReads(t, c.Mapping.Engine, c.Exchanges)
			next := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if next == len(c.Exchanges) {
					t.Errorf("one request too many: %s %s %s", r.Method, r.URL.RequestURI(), body)
					http.Error(w, "enough", http.StatusTeapot)
					return
				}
				e := c.Exchanges[next]
				next++
				if r.Method != e.Method || r.URL.RequestURI() != e.Path || !sameJSON(body, e.Body) {
					t.Errorf("request %d is %s %s %s\nwant %s %s %s", next, r.Method, r.URL.RequestURI(), body, e.Method, e.Path, e.Body)
				}
				if r.Header.Get("X-Token") == "" {
					t.Error("a request without its header")
				}
				w.WriteHeader(e.Status)
				_, _ = w.Write(e.Reply)
			}))
			defer server.Close()
			if d := cmp.Diff(c.Want, c.read(t, c.open(t, server.URL))); d != "" {
				t.Errorf("(-file +read) %s", d)
			}
			if next != len(c.Exchanges) {
				t.Errorf("%d of %d requests were sent", next, len(c.Exchanges))
			}
		})
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
}

// listener passes requests on to a live server and writes them down.
type listener struct {
	mu    sync.Mutex
	heard []exchange
}

// listen stands between a reader and a live server.
func listen(t *testing.T, live string) (*listener, string) {
	t.Helper()
	l := &listener{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		req, err := http.NewRequestWithContext(r.Context(), r.Method, live+r.URL.RequestURI(), bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header = r.Header.Clone()
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = resp.Body.Close() }()
		reply, _ := io.ReadAll(resp.Body)
		l.mu.Lock()
		l.heard = append(l.heard, exchange{Method: r.Method, Path: r.URL.RequestURI(), Body: body, Status: resp.StatusCode, Reply: reply})
		l.mu.Unlock()
		w.WriteHeader(resp.StatusCode)
		_, _ = w.Write(reply)
	}))
	t.Cleanup(server.Close)
	return l, server.URL
}

// keep writes the contract of a live server where -record asks for it.
func (c contract) keep(t *testing.T, l *listener, name string) {
	t.Helper()
	onlyReads(t, c.Mapping.Engine, l.heard)
	if !*record {
		return
	}
	for _, e := range l.heard {
		if len(e.Body) == 0 {
			e.Body = nil
		}
		c.Exchanges = append(c.Exchanges, e)
	}
	raw, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", name+".json"), append(raw, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
