package sealed

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestASealedFileHoldsWhatItsManifestLists does every move of somebody who puts something beside a file that is sealed to every file in it:
// a zip program may show what was put there, and its digest is in no manifest.
func TestASealedFileHoldsWhatItsManifestLists(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.zip")
	var out bytes.Buffer
	head := NewHead(Study, "v1", at)
	w := NewWriter(&out, &head, flate.BestSpeed)
	names := []string{"tables/a.jsonl", "reports/1.en.md", "notebook/en.html"}
	for _, name := range names {
		if err := w.Put(name, []byte(strings.Repeat(name, 40))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(&head); err != nil {
		t.Fatal(err)
	}
	whole := out.Bytes()
	opened := func(content []byte) error {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, 1<<20, complain, Study)
		if err == nil {
			err = errors.Join(f.Verify(), f.Close())
		}
		return err
	}
	if err := opened(whole); err != nil {
		t.Fatalf("the file as it was written: %v", err)
	}
	if err := opened(rezipped(t, whole, "", false, false)); err != nil {
		t.Errorf("the same files in another zip file: %v", err)
	}
	for _, name := range append(names, ManifestName) {
		folder, base := filepath.Split(name)
		for _, other := range []string{
			name, strings.ToUpper(name), folder + strings.ToUpper(base), "./" + name, "../" + name, "/" + name, folder + "../" + name,
			folder + base + "/", folder + base + ".", folder + base + " ", strings.ReplaceAll(name, "/", `\`), "x/" + name, name + ".bak",
			folder + "zz_extra.en.md",
		} {
			for _, first := range []bool{true, false} {
				err := opened(rezipped(t, whole, other, first, false))
				if err == nil || name != ManifestName && !strings.Contains(err.Error(), "it holds") {
					t.Errorf("%q beside %q (first %v): %v", other, name, first, err)
				}
			}
			if other == name || other == folder+"zz_extra.en.md" || strings.HasSuffix(other, ".bak") || strings.HasPrefix(other, "x/") {
				continue // a file of its own, which its kind looks at
			}
			if err := opened(rezipped(t, whole, other, false, true)); err == nil {
				t.Errorf("%q beside %q is taken where the manifest lists it", other, name)
			}
		}
	}
	// Bytes at every place where one part of the zip file ends and the next begins.
	for at := range len(whole) + 1 {
		if at < len(whole) && !(whole[at] == 'P' && at+1 < len(whole) && whole[at+1] == 'K') {
			continue
		}
		for _, more := range []string{"x", "PK forged ", strings.Repeat("x", 16)} {
			if err := opened(append(append(bytes.Clone(whole[:at]), more...), whole[at:]...)); err == nil {
				t.Errorf("%q at byte %d of %d is taken", more, at, len(whole))
			}
		}
	}
	for _, name := range names {
		var less bytes.Buffer
		z := zip.NewWriter(&less)
		eachEntry(t, whole, func(entry string, content []byte) {
			if entry != name {
				entered(t, z, entry, content)
			}
		})
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := opened(less.Bytes()); err == nil || !strings.Contains(err.Error(), "is missing") {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// rezipped writes the same files into another zip file, with one more before or behind them, which the manifest lists when it should.
func rezipped(t *testing.T, whole []byte, more string, first, listed bool) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	forged := []byte("# forged")
	if more != "" && first {
		entered(t, z, more, forged)
	}
	eachEntry(t, whole, func(name string, content []byte) {
		if name == ManifestName && listed {
			var m map[string]any
			if err := json.Unmarshal(content, &m); err != nil {
				t.Fatal(err)
			}
			m["files"].(map[string]any)[more] = fmt.Sprintf("%x", sha256.Sum256(forged))
			content, _ = json.Marshal(m)
		}
		entered(t, z, name, content)
	})
	if more != "" && !first {
		entered(t, z, more, forged)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func eachEntry(t *testing.T, whole []byte, do func(name string, content []byte)) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(in); err != nil {
			t.Fatal(err)
		}
		do(f.Name, content.Bytes())
	}
}

func entered(t *testing.T, z *zip.Writer, name string, content []byte) {
	t.Helper()
	w, err := z.Create(name)
	if err == nil && !strings.HasSuffix(name, "/") {
		_, err = w.Write(content)
	}
	if err != nil {
		t.Fatal(err)
	}
}
