package sealed

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

var at = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func complain(format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "bad_file", format, args...)
}

// stored writes a file with a manifest and others as they are given.
func stored(t *testing.T, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f.zip")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatIsSealedIsRead(t *testing.T) {
	t.Parallel()
	write := func() string {
		path := filepath.Join(t.TempDir(), "f.zip")
		var out bytes.Buffer
		type manifest struct {
			Head
			More int `json:"more"`
		}
		m := manifest{NewHead(Study, "v1", at), 7}
		w := NewWriter(&out, &m.Head, flate.BestSpeed)
		if err := errors.Join(w.Put("a", []byte("one")), w.Put("tables/b", []byte("two")), w.Close(&m)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first, second := write(), write()
	if a, b := read(t, first), read(t, second); a != b {
		t.Error("the same files give other bytes")
	}
	f, err := Open(first, 1<<20, complain, Study)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var more struct {
		More int `json:"more"`
	}
	if err := errors.Join(f.Verify(), f.Decode(&more)); err != nil || more.More != 7 || f.Head.Version != "v1" || len(f.Head.Files) != 2 {
		t.Errorf("%v: %+v %+v", err, f.Head, more)
	}
	if b, err := f.Read("tables/b", 3); err != nil || string(b) != "two" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := f.Read("tables/b", 2); problem.CodeOf(err) != "bad_file" {
		t.Errorf("a file that is too large is read: %v", err)
	}
	var copied bytes.Buffer
	head := NewHead(Notebook, "v1", at)
	w := NewWriter(&copied, &head, flate.BestSpeed)
	if err := errors.Join(w.Put("c", nil), w.Copy(f), w.Close(&head)); err != nil ||
		head.Files["a"] != f.Head.Files["a"] || len(head.Files) != 3 {
		t.Errorf("%v: %v", err, head.Files)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestOnlyWhatTheManifestNamesIsRead opens files that are wrong in one thing each.
func TestOnlyWhatTheManifestNamesIsRead(t *testing.T) {
	t.Parallel()
	const one = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed" // of "one"
	named := func(format, kind, digest string) string {
		return `{"format":` + format + `,"kind":"` + kind + `","files":{"a":` + digest + `}}`
	}
	for name, test := range map[string]struct {
		files  []string
		opens  bool
		verify string
	}{
		"good":                {[]string{"a", "one", ManifestName, named("3", "study", `"`+one+`"`)}, true, ""},
		"older, with a size":  {[]string{"a", "one", ManifestName, named("1", "", `{"sha256":"`+one+`","bytes":3}`)}, true, ""},
		"a file more":         {[]string{"a", "one", "b", "two", ManifestName, named("3", "study", `"`+one+`"`)}, false, "does not list"},
		"another text":        {[]string{"a", "two", ManifestName, named("3", "study", `"`+one+`"`)}, true, "digest differs"},
		"a file less":         {[]string{ManifestName, named("3", "study", `"`+one+`"`)}, false, "is missing"},
		"no manifest":         {[]string{"a", "one"}, false, "broken off"},
		"not a manifest":      {[]string{ManifestName, `[]`}, false, "not readable"},
		"a later format":      {[]string{ManifestName, named("4", "study", `""`)}, false, "reads 1 to 3"},
		"no format":           {[]string{ManifestName, `{"kind":"study"}`}, false, "reads 1 to 3"},
		"another kind":        {[]string{ManifestName, named("3", "backup", `""`)}, false, "another kind: backup"},
		"a kind of its own":   {[]string{ManifestName, named("3", "x", `""`)}, false, "another kind: x"},
		"an older backup":     {[]string{ManifestName, `{"format":1,"engine":"sqlite"}`}, false, "another kind: backup"},
		"older: everything":   {[]string{ManifestName, `{"format":2}`}, false, "another kind: everything"},
		"larger than allowed": {[]string{"a", strings.Repeat("x", 2000), ManifestName, named("3", "study", `""`)}, false, "unpack"},
	} {
		f, err := Open(stored(t, test.files...), 1000, complain, Study)
		if (err == nil) != test.opens {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err == nil {
			err = f.Verify()
			if _, missing := f.Open("b"); !errors.Is(missing, fs.ErrNotExist) {
				t.Errorf("%s: a file that is not named is read: %v", name, missing)
			}
			_ = f.Close()
		}
		if (err == nil) != (test.verify == "") || err != nil && !strings.Contains(err.Error(), test.verify) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var d Digest
	if err := json.Unmarshal([]byte(`5`), &d); err == nil {
		t.Error("a number is a digest")
	}
}
