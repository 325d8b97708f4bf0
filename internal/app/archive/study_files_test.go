package archive

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestEveryFileOfAStudyIsComputedOrRefused puts files into a study that nothing in it gives, takes reports away and changes each, every
// time with a manifest that fits: none is confirmed.
func TestEveryFileOfAStudyIsComputedOrRefused(t *testing.T) {
	t.Parallel()
	_, path, m := studiedFile(t)
	if v, err := VerifyStudy(t.Context(), path,
		Verifier{Version: "test", Now: apptest.SteadyClock()}); err != nil || !v.Equal || v.Replies == 0 || len(v.Taken) == 0 {
		t.Fatalf("as it was written: %v %+v", err, v)
	}
	forged, add := 0, map[string]string{"README.txt": "x", "tables/more.jsonl": "", "notebook/en.html": "x",
		"reports/zz_extra.en.md": "# good"}
	for _, run := range m.Runs {
		for _, file := range []string{"reports/%s.fr.md", "reports/%s.en.html", "reports/x/%s.en.md", "reports/%s.en.md",
			"reports/%s.ja.xlsx"} {
			if name := fmt.Sprintf(file, run.ID); m.Files[name] == "" {
				add[name] = "# 40 of 40 are good"
			}
		}
	}
	all := map[string][]byte{} // one study with every file that could be added: each must be named
	for name, body := range add {
		all[name] = []byte(body)
	}
	v := verifiedWith(t, path, all)
	for name := range add {
		found := false
		for _, f := range v.Findings {
			found = found || f.Invariant == "file" && f.Subject == name
		}
		if forged++; !found {
			t.Errorf("%s is not named: %+v", name, v.Findings)
		}
	}
	if v.Equal || forged < 10 {
		t.Errorf("%d files more are confirmed", forged)
	}
	changed := map[string][]byte{}
	for name := range m.Files {
		if strings.HasPrefix(name, "reports/") {
			changed[name] = nil
			if strings.HasSuffix(name, ".md") {
				changed[name] = []byte("# all good")
			}
		}
	}
	v = verifiedWith(t, path, changed)
	said := ""
	for _, r := range v.Runs {
		said += strings.Join(r.Different, "\n") + "\n"
	}
	for name := range changed {
		if !strings.Contains(said, name) {
			t.Errorf("%s was changed or taken away, and is not named: %s", name, said)
		}
	}
	v = verifiedWith(t, path, map[string][]byte{"manifest.json": []byte("rows")})
	if v.Equal || len(v.Findings) == 0 || v.Findings[len(v.Findings)-1].Invariant != "manifest" {
		t.Errorf("a manifest that counts other rows is confirmed: %+v", v.Findings)
	}
}

// verifiedWith verifies a study that was changed.
func verifiedWith(t *testing.T, from string, change map[string][]byte) Verification {
	t.Helper()
	v, err := VerifyStudy(t.Context(), changedStudy(t, from, change), Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// changedStudy writes a study with other files and a manifest that fits; nil takes a file away. "manifest.json" makes it count wrongly.
func changedStudy(t *testing.T, from string, change map[string][]byte) string {
	t.Helper()
	z, err := zip.OpenReader(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	write := func(name string, body []byte) {
		one, err := w.Create(name)
		if err == nil {
			_, err = one.Write(body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var m map[string]any
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == "manifest.json" {
			if err := json.Unmarshal(body, &m); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if _, other := change[f.Name]; !other {
			write(f.Name, body)
		}
	}
	digests := m["files"].(map[string]any)
	for name, body := range change {
		switch {
		case name == "manifest.json":
			m["rows"].(map[string]any)["cells"] = 7
		case body == nil:
			delete(digests, name)
		default:
			write(name, body)
			digests[name] = fmt.Sprintf("%x", sha256.Sum256(body))
		}
	}
	body, _ := json.Marshal(m)
	write("manifest.json", body)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "forged.zip")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAStudyWithoutARunIsRefused takes the row of every run away, with a manifest that fits, and leaves what belongs to it: the study was
// changed, and nothing breaks.
func TestAStudyWithoutARunIsRefused(t *testing.T) {
	t.Parallel()
	_, path, m := studiedFile(t)
	s, err := openStudy(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Read("tables/runs.jsonl", 1<<30)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	for _, run := range m.Runs {
		var left []string
		for line := range strings.Lines(string(rows)) {
			if !strings.Contains(line, `"id":"`+run.ID+`"`) {
				left = append(left, line)
			}
		}
		_, err := VerifyStudy(t.Context(), changedStudy(t, path, map[string][]byte{"tables/runs.jsonl": []byte(strings.Join(left, ""))}),
			Verifier{Version: "test", Now: apptest.SteadyClock()})
		if problem.CodeOf(err) != "study_file" {
			t.Errorf("without run %s: %v", run.ID, err)
		}
	}
}
