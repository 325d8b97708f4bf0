// Command story tells the demo's recorded story: a large language model writes and judges the answers, by a recording. docs/evidence.md
// is the protocol. What was not answered yet waits in the recording; run it again when replies were taken in.
//
//	go run ./bench/story -recording FOLDER
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/demo"
	"github.com/rag-workbench/workbench/internal/llm"
)

func main() {
	folder := flag.String("recording", "", "folder in which requests wait, and replies lie; default the replies of the program")
	flag.Parse()
	if err := run(context.Background(), *folder); err != nil {
		fmt.Fprintln(os.Stderr, "story:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder string) error {
	dir, err := os.MkdirTemp("", "workbench-story")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if folder != "" {
		if folder, err = filepath.Abs(folder); err != nil {
			return err
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.Symlink(folder, filepath.Join(dir, "recording")); err != nil {
			return err
		}
	}
	w, err := app.Open(ctx, app.Options{DataDir: dir, Getenv: os.Getenv, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	if folder == "" {
		if err := demo.Lay(w); err != nil {
			return err
		}
	}
	for _, lang := range []string{"en", "ja"} {
		files := filepath.Join(dir, "demo", lang)
		if err := demo.Import(ctx, w, lang, files); err != nil {
			return err
		}
		s, err := demo.Recorded(ctx, w, lang, files)
		if err != nil {
			fmt.Printf("%s: %v\n", lang, err)
			continue
		}
		fmt.Printf("%s: low scores %d → %d → %d; better %d, worse %d; repair %s: better %d, worse %d\n", lang,
			s.Before.Totals.LowScoreCount, s.After.Totals.LowScoreCount, s.Repaired.Totals.LowScoreCount,
			len(s.Comparison.With(compare.Better)), len(s.Comparison.With(compare.Worse)), s.Change.Words("en"),
			len(s.Repair.With(compare.Better)), len(s.Repair.With(compare.Worse)))
	}
	recording, err := llm.OpenRecording(filepath.Join(dir, "recording"))
	if err != nil {
		return err
	}
	open, err := recording.Open()
	fmt.Printf("%d requests wait\n", len(open))
	return err
}
