package studies

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/views"
)

// BenchmarkRestore takes back what was lost of a notebook of 20 KB and 60 cells with 500 versions: a version, and a cell that was removed.
// What somebody waits for is reported: from the request to the text on the disk, and to all cells evaluated again.
func BenchmarkRestore(b *testing.B) {
	clock := time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)
	w, err := app.Open(b.Context(), app.Options{DataDir: b.TempDir(), Now: func() time.Time { return clock },
		Getenv: func(string) string { return "" }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = w.Close() })
	background := jobs.NewBackground(w, func(string, ...any) {})
	b.Cleanup(background.Close)
	s, ctx := NewNotebooks(w, views.NewViews(w), background, "", "test"), b.Context()
	text := func(version int) string {
		var out strings.Builder
		out.WriteString("---\nragnb: 1\ntitle: Large\n---\n")
		for cell := range 60 {
			at := 0
			if cell == version%60 {
				at = version
			}
			fmt.Fprintf(&out, "\n```rag note n%d\nen: |\n  Version %d. %s\n```\n", cell, at, strings.Repeat(fmt.Sprintf("words of cell %d ", cell), 18))
		}
		return out.String()
	}
	saved, err := s.Create(ctx, NewNotebook{Name: "large", Text: text(0)})
	save := func(text string) {
		clock = clock.Add(11 * time.Minute)
		if err == nil {
			saved, err = s.Save(ctx, "large", text, saved.Digest, "Ann")
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	for version := range 500 {
		save(text(version + 1))
	}
	cell := text(0)[strings.Index(text(0), "```rag note n30"):strings.Index(text(0), "\n```rag note n31")]
	var version, put, shown time.Duration
	n := 0
	for b.Loop() {
		n++
		began := time.Now()
		if saved, err = s.Revert(ctx, "large", 1+n%400, saved.Digest, "Ann"); err != nil {
			b.Fatal(err)
		}
		version += time.Since(began)
		save(text(0))
		save(strings.Replace(text(0), cell, "", 1))
		began = time.Now()
		list, err := s.Removed(ctx, "large")
		if err != nil || len(list) != 1 {
			b.Fatal(err, len(list))
		}
		back, err := s.PutBack(ctx, "large", list[0].ID, saved.Digest, "Ann")
		if err != nil {
			b.Fatal(err)
		}
		put += time.Since(began)
		if d, err := s.Get(ctx, "large", nil); err != nil || len(d.Cells) != 60 {
			b.Fatal(err)
		}
		shown += time.Since(began)
		saved = back.NotebookSaved
	}
	b.ReportMetric(float64(len(text(1)))/1000, "KB")
	b.ReportMetric(version.Seconds()*1000/float64(n), "version-ms")
	b.ReportMetric(put.Seconds()*1000/float64(n), "cell-ms")
	b.ReportMetric(shown.Seconds()*1000/float64(n), "cell-shown-ms")
}
