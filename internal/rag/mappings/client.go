package mappings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// Open returns the reader of an index. The client decides about time-outs, sizes and addresses; headers carry keys already. It asks
// nothing.
func Open(m rag.IndexMapping, address string, headers map[string]string, client *http.Client) (rag.MappedIndex, error) {
	c := &caller{mapping: m, address: strings.TrimRight(address, "/"), headers: headers, client: client}
	switch m.Engine {
	case "chroma":
		return &chroma{caller: c}, nil
	case "weaviate":
		return &weaviate{caller: c}, nil
	case "qdrant":
		return &qdrant{caller: c}, nil
	case "opensearch", "elasticsearch":
		return &opensearch{caller: c}, nil
	case "pgvector":
		return &postgres{mapping: m, address: address}, nil
	}
	return nil, problem.New(problem.Invalid, "index_field", "index.engine is %s; it must be one of %s", m.Engine,
		strings.Join(rag.MappedEngines(), ", ")).With("field", "index.engine").With("value", m.Engine).
		With("want", strings.Join(rag.MappedEngines(), ", "))
}

// page is how many rows are read at once.
const page = 1000

// caller sends JSON to one server and reads JSON from it.
type caller struct {
	mapping rag.IndexMapping
	address string
	headers map[string]string
	client  *http.Client
}

// statusError is a reply that is none.
type statusError struct {
	status int
	said   string
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d: %s", e.status, e.said) }

func (c *caller) get(ctx context.Context, path string, out any) error {
	return c.send(ctx, http.MethodGet, path, nil, out)
}

func (c *caller) post(ctx context.Context, path string, body, out any) error {
	return c.send(ctx, http.MethodPost, path, body, out)
}

func (c *caller) send(ctx context.Context, method, path string, body, out any) error {
	var payload io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.address+path, payload)
	if err != nil {
		return c.unreachable(errors.New("the address cannot be used")) // err repeats it
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.headers {
		req.Header.Set(name, value)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return c.unreachable(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return c.unreachable(err)
	}
	if resp.StatusCode/100 != 2 {
		return c.refused(&statusError{status: resp.StatusCode, said: c.quoted(raw)})
	}
	return c.decode(raw, out)
}

// decode reads JSON, in which a number stays as it is written: ids may be larger than a float holds.
func (c *caller) decode(raw []byte, out any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(out); err != nil {
		return c.odd("a reply is not the JSON that was expected")
	}
	return nil
}

// quoted is the beginning of what a server said, without the keys it was sent.
func (c *caller) quoted(raw []byte) string {
	said := strings.Join(strings.Fields(string(raw)), " ")
	for _, value := range c.headers {
		for _, part := range append(strings.Fields(value), value) {
			if len(part) > 6 {
				said = strings.ReplaceAll(said, part, "…")
			}
		}
	}
	return text.Cut(said, 200)
}

func (c *caller) unreachable(err error) error {
	return problem.New(problem.Unavailable, "index_unreachable", "index %s of %s cannot be reached", c.mapping.Table, c.mapping.Engine).
		With("name", c.mapping.Table).With("engine", c.mapping.Engine).Because(err).
		WithHint("check that the server runs and that connection is its address")
}

func (c *caller) refused(err *statusError) error {
	return problem.New(problem.Unavailable, "index_refused", "%s refused to read index %s (status %d): %s", c.mapping.Engine,
		c.mapping.Table, err.status, err.said).With("name", c.mapping.Table).With("engine", c.mapping.Engine).With("status", err.status).
		Because(err).WithHint("check table, space and fields, and the keys that the headers refer to")
}

func (c *caller) odd(what string) error {
	return problem.New(problem.Unavailable, "index_reply", "%s of index %s: %s", c.mapping.Engine, c.mapping.Table, what).
		With("name", c.mapping.Table).With("engine", c.mapping.Engine).With("what", what).
		WithHint("check that connection is the address of %s, and its version", c.mapping.Engine)
}

// wordless is what engines answer that do not rank by words.
func (c *caller) wordless() ([]rag.MappedRow, error) {
	return nil, c.odd("it does not rank by words")
}

// row reads the fields of the mapping out of a row's properties, which may be nested.
func (c *caller) row(id string, properties map[string]any) rag.MappedRow {
	f := c.mapping.Fields
	return rag.MappedRow{
		ID: id, Text: textOf(at(properties, f.Text)), DocID: textOf(at(properties, f.DocID)), Title: textOf(at(properties, f.Title)),
		Start: numberOf(at(properties, f.Start)), End: numberOf(at(properties, f.End)),
	}
}

// at is the value of a field: as it is named, or below the parts of its name.
func at(properties map[string]any, field string) any {
	if v, ok := properties[field]; ok || field == "" {
		return v
	}
	head, rest, nested := strings.Cut(field, ".")
	below, ok := properties[head].(map[string]any)
	if !nested || !ok {
		return nil
	}
	return at(below, rest)
}

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// numberOf is a whole number of 0 or more, or -1.
func numberOf(v any) int {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Float64(); err == nil && n >= 0 && n == float64(int(n)) {
			return int(n)
		}
	case string:
		var n int
		if _, err := fmt.Sscanf(v, "%d", &n); err == nil && fmt.Sprint(n) == v && n >= 0 {
			return n
		}
	}
	return -1
}

// score turns a distance into a score, where higher is better.
func score(kind string, distance float64) float64 {
	if kind == rag.DistanceL2 {
		return -distance
	}
	return 1 - distance // cosine, and the inner product as Chroma gives it
}
