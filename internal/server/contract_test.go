package server

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"github.com/rag-workbench/workbench/internal/server/requests"
)

var update = flag.Bool("update", false, "write docs/openapi.json and docs/routes.md")

// kept compares with a file of the repository, or writes it.
func keptFile(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s is out of date: go test ./internal/server -run %s -update", path, t.Name())
	}
}

// written is the contract as indented JSON.
func written(t *testing.T, s *Server) []byte {
	t.Helper()
	contract, err := s.contract()
	if err != nil {
		t.Fatal(err)
	}
	out, err := requests.Indented(contract)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestContractIsKept(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: fresh(t)})
	got := written(t, c.server)
	if again := written(t, serve(t, Options{Workbench: fresh(t)}).server); !bytes.Equal(got, again) {
		t.Fatal("the contract differs from itself")
	}
	keptFile(t, "../../docs/openapi.json", got)
	if *update { // its types in Python come from it; that they do is asked by the client's own tests
		if said, err := exec.CommandContext(t.Context(), "python3", "../../clients/python/generate.py").CombinedOutput(); err != nil {
			t.Fatalf("the Python types were not written: %v\n%s", err, said)
		}
	}
}

// A server that works keeps of its contract what requests are checked against: four fifths of it are about replies.
func TestServerKeepsNoContractOfReplies(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: fresh(t)})
	r := requests.NewRouter(chi.NewRouter(), c.server.access, c.server.bodyTime, nil)
	r.Register(c.server.resources.Register)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	kept, whole := r.Api.OpenAPI(), c.contract(t)
	schemas := kept.Components.Schemas.Map()
	if all := whole.Components.Schemas.Map(); kept.Paths != nil || 5*len(schemas) > len(all) {
		t.Errorf("%d of %d schemas and %d paths are kept", len(schemas), len(all), len(kept.Paths))
	}
	if schemas["SweepBody"] == nil || schemas["RunDetail"] != nil {
		t.Error("what is kept is not what requests are checked against")
	}
}

// readPaths are all routes that read, with the demo's names filled in.
func readPaths(w world) []string {
	run, question := w.after().ID, w.Question
	pair := "baseline=" + w.before().ID + "&candidate=" + run
	doc := w.Document
	return []string{
		"/me", "/me?lang=ja", "/catalogue", "/parameters", "/beside?baseline=" + w.before().ID + "&run=" + run,
		"/beside/questions?baseline=" + w.before().ID + "&run=" + run,
		"/runs", "/runs?sort=-correctness&limit=2&q=airline", "/runs/" + run, "/runs/" + run + "/bill",
		"/runs/" + run + "/points",
		"/runs/" + run + "/points?baseline=" + w.before().ID, "/runs/" + run + "/questions?low=true&sort=correctness", "/runs/" + run +
			"/questions/" + question,
		"/runs/" + run + "/questions/" + question + "?baseline=" + w.before().
			ID, "/runs/" + run + "/questions/" + question + "/history", "/comparisons?" + pair,
		"/comparisons/questions?" + pair, "/comparisons/questions?label=worse,better&" + pair, "/comparisons/regressions?" + pair,
		"/comparisons/questions/" + question + "?" + pair, "/sweeps/" + w.after().SweepID, "/experiments", "/experiments/airline-en",
		"/datasets", "/datasets/airline-en", "/datasets/airline-en/questions", "/datasets/airline-en@1/questions/" + question, "/corpora",
		"/corpora/airline-en",
		"/corpora/airline-en/documents", "/corpora/airline-en/documents/" + url.PathEscape(doc) + "?dataset=airline-en",
		"/corpora/airline-en/chunks?doc=" + url.QueryEscape(doc) + "&size=300&overlap=30&dataset=airline-en", "/baselines", "/endpoints",
		"/judge-cards", "/settings",
		"/agreements", "/datasets/airline-en/agreement", "/datasets/airline-en/agreement/progress", "/runs/" + run + "/reviews",
		"/runs/" + run + "/review-queue",
		"/notices", "/notices/channels", "/experiments/airline-en/trend",
		"/notebooks", "/notebooks/gallery", "/notebooks/schemas", "/notebooks/snapshots", "/notebooks/airline-study",
		"/notebooks/airline-study?param=p.k%3D7", "/notebooks/airline-study/versions",
		"/notebooks/airline-study/diff?from=0&results=true", "/notebooks/airline-study/removed",
		"/notebooks/weekly", "/notebooks/airline-study/read?lang=ja",
	}
}

// contract is the whole of it.
func (c *client) contract(t *testing.T) *huma.OpenAPI {
	t.Helper()
	whole, err := c.server.contract()
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// Every reply is what the contract says, and none holds a secret.
func TestRepliesKeepTheContract(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c := serve(t, Options{Workbench: w.workbench})
	contract := c.contract(t)
	registry := contract.Components.Schemas
	for _, path := range readPaths(w) {
		status, header, body := c.do("GET", requests.Prefix+path, "")
		if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "application/json") ||
			header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s = %d %s\n%.500s", path, status, header.Get("Content-Type"), body)
			continue
		}
		if strings.Contains(body, canary) {
			t.Errorf("%s shows a secret", path)
		}
		schema := schemaOf(t, contract, path)
		var value any
		if err := json.Unmarshal([]byte(body), &value); err != nil {
			t.Fatal(err)
		}
		var result huma.ValidateResult
		huma.Validate(registry, schema, huma.NewPathBuffer([]byte{}, 0), huma.ModeReadFromServer, value, &result)
		for i, err := range result.Errors {
			if i < 5 {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// schemaOf finds what the contract says a path answers with.
func schemaOf(t *testing.T, contract *huma.OpenAPI, path string) *huma.Schema {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	best, bestScore := "", -1
	for template := range contract.Paths {
		names := strings.Split(template, "/")
		score := 0
		for i := range names {
			switch {
			case len(names) != len(parts):
				score = -1
			case score < 0 || names[i] == parts[i]:
				score += 2 * min(1, score+1)
			case !strings.HasPrefix(names[i], "{"):
				score = -1
			}
		}
		if score > bestScore {
			best, bestScore = template, score
		}
	}
	if best == "" {
		t.Fatalf("no route fits %s", path)
	}
	op := contract.Paths[best].Get
	if op == nil || op.Responses["200"] == nil || op.Responses["200"].Content["application/json"] == nil {
		t.Fatalf("%s has no JSON reply in the contract", best)
	}
	return op.Responses["200"].Content["application/json"].Schema
}

// requestNames are the names of everything that an operation takes.
func requestNames(op *huma.Operation, schemas huma.Registry) []string {
	if op == nil {
		return nil
	}
	var names []string
	for _, p := range op.Parameters {
		names = append(names, p.Name)
	}
	if op.RequestBody == nil {
		return names
	}
	for _, content := range op.RequestBody.Content {
		schema := content.Schema
		if schema.Ref != "" {
			schema = schemas.SchemaFromRef(schema.Ref)
		}
		for name := range schema.Properties {
			names = append(names, name)
		}
	}
	return names
}
