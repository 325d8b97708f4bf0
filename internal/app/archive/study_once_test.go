package archive

import (
	"archive/zip"
	"bytes"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/apptest"
)

// TestAStudyIsReadOnce: its rows are overwritten in the file as soon as the first run is computed again, and every run is found equal.
func TestAStudyIsReadOnce(t *testing.T) {
	t.Parallel()
	_, path, _ := studiedFile(t)
	whole, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	var at, size int64
	for _, f := range whole.File {
		if f.Name == "tables/calls.jsonl" || f.Name == "tables/stages.jsonl" {
			if at, err = f.DataOffset(); err != nil {
				t.Fatal(err)
			}
			size = int64(f.CompressedSize64) //nolint:gosec // a small file
		}
	}
	if err := whole.Close(); err != nil || size == 0 {
		t.Fatalf("no rows to overwrite: %v", err)
	}
	clock, once := apptest.SteadyClock(), sync.Once{}
	overwrite := func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := f.WriteAt(bytes.Repeat([]byte{0xff}, int(size)), at); err != nil {
			t.Error(err)
		}
		_ = f.Close()
	}
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: func() time.Time { once.Do(overwrite); return clock() }})
	if err != nil || !v.Equal || len(v.Runs) < 2 {
		t.Errorf("%d runs, %+v %v", len(v.Runs), v, err)
	}
}
