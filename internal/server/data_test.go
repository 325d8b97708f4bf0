package server

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/sealed"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// forged is a study whose runs were rewritten, with digests that fit.
func forged(t *testing.T, study string, rewrite func(run map[string]any)) string {
	t.Helper()
	return forgedWith(t, study, rewrite, nil)
}

// forgedWith also adds files, and says in the manifest what change says.
func forgedWith(t *testing.T, study string, rewrite func(run map[string]any), more map[string]string,
	change ...func(*archive.Manifest)) string {
	t.Helper()
	names, files := unzipped(t, study)
	const runs = "tables/runs.jsonl"
	var lines bytes.Buffer
	for line := range bytes.Lines(files[runs]) {
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		rewrite(row)
		if err := json.NewEncoder(&lines).Encode(row); err != nil {
			t.Fatal(err)
		}
	}
	files[runs] = lines.Bytes()
	var m archive.Manifest
	if err := json.Unmarshal(files["manifest.json"], &m); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(files[runs])
	m.Files[runs] = sealed.Digest(hex.EncodeToString(sum[:]))
	for name, content := range more {
		names, files[name] = append(names, name), []byte(content)
		sum := sha256.Sum256(files[name])
		m.Files[name] = sealed.Digest(hex.EncodeToString(sum[:]))
	}
	for _, f := range change {
		f(&m)
	}
	body, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"] = body
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range names {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// unzipped are the files of an archive, and their names in its order.
func unzipped(t *testing.T, archive string) (names []string, files map[string][]byte) {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		names = append(names, f.Name)
	}
	return names, files
}

// asking makes the setup of a run ask a system elsewhere.
func asking(t *testing.T, e remote.Endpoint) func(map[string]any) {
	return func(row map[string]any) {
		text, _ := row["setup"].(string)
		var setup map[string]any
		if err := json.Unmarshal([]byte(text), &setup); err != nil {
			t.Fatal(err)
		}
		config, _ := setup["config"].(map[string]any)
		config["endpoint"] = e
		body, err := json.Marshal(setup)
		if err != nil {
			t.Fatal(err)
		}
		row["setup"] = string(body)
	}
}

// exported is a run and the study of it.
func exported(t *testing.T) (run, study string) {
	t.Helper()
	c := serve(t, Options{Workbench: small(t)})
	run = c.finished("k1").RunID
	status, _, study := c.do("GET", requests.Prefix+"/runs/"+run+"/study.zip", "")
	if status != 200 {
		t.Fatalf("export: %d", status)
	}
	return run, study
}

func TestAStudyMovesOverHTTP(t *testing.T) {
	t.Parallel()
	run, study := exported(t)
	dir := t.TempDir()
	empty := fresh(t)
	c := serve(t, Options{Workbench: empty, TempDir: dir})
	m := sent[archive.Manifest](c, api.StudiesPath, 200, part{"file", "study.zip", study})
	var detail views.RunDetail
	c.get("/runs/"+run, &detail)
	if len(m.Runs) != 1 || m.Runs[0].ID != run || detail.Row.Totals == nil || detail.Row.Totals.Questions != 12 {
		t.Errorf("%+v, then %+v", m.Runs, detail.Row)
	}
	if findings, err := empty.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("after import: %v %v", findings, err)
	}
	sent[archive.Manifest](c, api.StudiesPath, 200, part{"file", "again.zip", study})
	for name, parts := range map[string][]part{"no file": {{field: "name", content: "x"}},
		"two": {{"file", "a.zip", study}, {"file", "b.zip", study}}, "nothing": {}} {
		if status, body := c.upload(api.StudiesPath, parts...); status != 422 && status != 400 {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestStudiesThatAreRefused(t *testing.T) {
	t.Parallel()
	_, study := exported(t)
	dir := t.TempDir()
	empty := fresh(t)
	c := serve(t, Options{Workbench: empty, TempDir: dir})
	sent[archive.Manifest](c, api.StudiesPath, 200, part{"file", "study.zip", study})
	evil := remote.Endpoint{Name: "bot", URL: "https://evil.example/ask", Method: "POST", Answer: "answer",
		Headers: map[string]string{"X": "${OPENAI_API_KEY}"}}
	here := evil
	here.URL, here.Headers = "https://bot.example/ask", nil
	if _, _, err := empty.Store.PutEndpoint(t.Context(), here, testNow); err != nil {
		t.Fatal(err)
	}
	keys := here
	keys.Headers = map[string]string{"X": "${HOUSE_KEY}"}
	same := func(map[string]any) {}
	for name, test := range map[string]struct {
		file   string
		status int
		code   string
	}{
		"no zip":          {"text", 422, "study_file"},
		"no manifest":     {zipped(t, "x", "y"), 422, "study_file"},
		"a huge manifest": {zipped(t, "manifest.json", strings.Repeat(" ", (64<<20)+1)), 422, "study_size"},
		"another address": {forged(t, study, asking(t, evil)), 409, "study_endpoint"},
		"other keys":      {forged(t, study, asking(t, keys)), 409, "study_endpoint"},
		"a run under way": {forged(t, study, func(r map[string]any) { r["state"] = "queued" }), 422, "study_run_open"},
		"no setup":        {forged(t, study, func(r map[string]any) { r["setup"] = "" }), 422, "study_row"},
		"other results":   {forged(t, study, func(r map[string]any) { r["chain"] = "x" }), 409, "study_conflict"},
		"everything": {forgedWith(t, study, same, nil, func(m *archive.Manifest) { m.Kind = sealed.Everything }), 422,
			"study_everything"},
	} {
		p := sent[requests.Problem](c, api.StudiesPath, test.status, part{"file", "study.zip", test.file})
		if p.Code != test.code || strings.Contains(p.Detail, dir) || strings.Contains(p.Detail, "evil.example") {
			t.Errorf("%s: %+v", name, p)
		}
	}
	known := forged(t, study, func(r map[string]any) { asking(t, here)(r); r["id"] = "0123456789ab" })
	sent[archive.Manifest](c, api.StudiesPath, 200, part{"file", "study.zip", known}) // a system that is registered here
	const endpoint = `{"name":"planted","body":"{\"name\":\"planted\",\"url\":\"https://evil.example/\"}","created_at":"2026-11-20T09:00:00Z","changed_at":"2026-11-20T09:00:00Z"}` + "\n"
	sent[archive.Manifest](c, api.StudiesPath, 200, part{"file", "study.zip",
		forgedWith(t, study, same, map[string]string{"tables/endpoints.jsonl": endpoint})})
	if _, err := empty.Store.Endpoint(t.Context(), "planted"); err == nil {
		t.Error("a study registered an endpoint")
	}
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

func zipped(t *testing.T, name, content string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOldRepliesArePruned(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	w := shop.open()
	c := serve(t, Options{Workbench: w})
	run, _ := shop.both(c)
	var r records.PruneReport
	if c.send("POST", "/prune", `{"older_than":"2d"}`, 200, &r); r.Replies != 0 {
		t.Errorf("nothing is that old: %+v", r)
	}
	shop.now = testNow.AddDate(0, 0, 3)
	var dry, done records.PruneReport
	c.send("POST", "/prune", `{"older_than":"2d","dry":true}`, 200, &dry)
	if dry.Replies != shop.bought() || len(dry.Runs) != 2 || dry.CacheEntries == 0 {
		t.Errorf("%d calls were bought, dry: %+v", shop.bought(), dry)
	}
	c.send("PATCH", "/runs/"+run, `{"pinned":true}`, 200, nil)
	c.send("POST", "/prune", `{"older_than":"2d"}`, 200, &done)
	if done.Replies != dry.Replies/2 || len(done.Runs) != 1 || done.Runs[0] == run || done.Kept == 0 {
		t.Errorf("dry %+v, done %+v", dry, done)
	}
	if c.send("POST", "/prune", `{"older_than":"2d","dry":true}`, 200, &r); r.Replies != 0 {
		t.Errorf("after: %+v", r)
	}
	for body, field := range map[string]string{
		`{}`: "older_than", `{"older_than":"soon"}`: "older_than", `{"older_than":"-1d"}`: "older_than",
		`{"older_than":"999999d"}`: "older_than", `{"older_than":"1d","run":"x"}`: "run",
	} {
		if p := c.refused("POST", "/prune", body, 422); p.Field != field && p.Field != "" {
			t.Errorf("%s blames %q: %s", body, p.Field, p.Detail)
		}
	}
}
