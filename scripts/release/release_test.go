package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var then = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// TestArchivesAreTheSameEveryTime: files that were written at other times give the same archive, and the program can be run.
func TestArchivesAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	pack := func(touched time.Time, pack func(io.Writer, string, []string, time.Time) error) []byte {
		dir := t.TempDir()
		files := []string{filepath.Join(dir, "workbench"), filepath.Join(dir, "LICENSE")}
		for _, f := range files {
			if err := errors.Join(os.WriteFile(f, []byte("content of "+filepath.Base(f)), 0o600),
				os.Chtimes(f, touched, touched)); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := pack(&b, "workbench_1", files, then); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	first := pack(then.Add(time.Hour), tarball)
	if !bytes.Equal(first, pack(then.Add(-time.Hour), tarball)) || !bytes.Equal(pack(then, zipped), pack(then.Add(time.Hour), zipped)) {
		t.Error("the archive depends on when its files were written")
	}
	z, err := gzip.NewReader(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	header, err := tar.NewReader(z).Next()
	if err != nil || header.Name != "workbench_1/workbench" || header.Mode != 0o755 || !header.ModTime.Equal(then) {
		t.Errorf("the program is %+v, %v", header, err)
	}
	second := pack(then, zipped)
	r, err := zip.NewReader(bytes.NewReader(second), int64(len(second)))
	if err != nil || len(r.File) != 2 || r.File[0].Name != "workbench_1/workbench" || r.File[0].Mode() != 0o755 {
		t.Errorf("the zip file: %v", err)
	}
}

// TestBillNamesWhatIsLinked reads the list of this very test program.
func TestBillNamesWhatIsLinked(t *testing.T) {
	t.Chdir("../..")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := errors.Join(bill(&first, program, "v1.2.3", then), bill(&second, program, "v1.2.3", then)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the list is not the same twice")
	}
	var list struct {
		BOMFormat   string `json:"bomFormat"`   //nolint:tagliatelle // CycloneDX spells it so
		SpecVersion string `json:"specVersion"` //nolint:tagliatelle // as above
		Metadata    struct {
			Component component `json:"component"`
		} `json:"metadata"`
		Components []component `json:"components"`
	}
	if err := json.Unmarshal(first.Bytes(), &list); err != nil || list.BOMFormat != "CycloneDX" || list.SpecVersion != "1.6" ||
		list.Metadata.Component.Version != "v1.2.3" {
		t.Fatalf("%v %+v", err, list.Metadata)
	}
	names := map[string]bool{}
	for _, c := range list.Components {
		if c.Version == "" || names[c.BOMRef] || !strings.HasPrefix(c.PURL, "pkg:") {
			t.Errorf("component %+v, twice: %v", c, names[c.BOMRef])
		}
		names[c.BOMRef] = true
	}
	for _, part := range []string{"react", "stdlib"} {
		found := false
		for _, c := range list.Components {
			found = found || c.Name == part
		}
		if !found {
			t.Errorf("%s is not in the list", part)
		}
	}
}

func TestMomentOfARelease(t *testing.T) {
	t.Parallel()
	at, err := moment(t.Context(), "1700000000")
	if err != nil || at.Unix() != 1700000000 {
		t.Errorf("%v %v", at, err)
	}
	if _, err := moment(t.Context(), "yesterday"); err == nil {
		t.Error("yesterday is a number of seconds")
	}
}

func TestVersionsOfThePythonClient(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"v1.2.3": "1.2.3", "v1.2.3-rc.1": "1.2.3rc1", "v1.2.3-rc1": "1.2.3rc1", "v1.2.3-5-g0fbfac6": "1.2.3+5.g0fbfac6",
		"v1.2.3-5-g0fbfac6-dirty": "1.2.3+5.g0fbfac6.dirty", "0fbfac6": "0.0.0+0fbfac6", "dev": "0.0.0+dev",
	} {
		if got := pythonVersion(version); got != want {
			t.Errorf("%s is %s in Python, want %s", version, got, want)
		}
	}
	body, err := os.ReadFile(filepath.Join("../..", pythonFolder, "pyproject.toml"))
	if err != nil || !unreleased.Match(body) {
		t.Errorf("the version in pyproject.toml is not the one that a release writes anew: %v", err)
	}
}
