// Command judge measures a judge against people's labels in the shared data sets and prints the card as Markdown. It is
// `workbench validate judge --items` on each of them, in a data folder of its own.
//
//	go run ./bench/judge [SHARED]
//
// SHARED is the folder that holds data/; the default is $WORKBENCH_SHARED, else ../shared.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

// sets are the labelled data sets; wikieval brings the protocols.
var sets = []string{"judge_begin", "judge_halueval_qa", "judge_mtrag", "judge_ragchecker", "nli_en", "nli_ja", "wikieval"}

func main() {
	shared := "../shared"
	if v := os.Getenv("WORKBENCH_SHARED"); v != "" {
		shared = v
	}
	if len(os.Args) > 1 {
		shared = os.Args[1]
	}
	if err := run(filepath.Join(shared, "data")); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(data string) (err error) {
	dir, err := os.MkdirTemp("", "workbench-judge")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx := context.Background()
	w, err := app.Open(ctx, app.Options{DataDir: dir, Getenv: os.Getenv, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	var card validation.JudgeCard
	for _, name := range sets {
		one, err := validations.ValidateJudge(ctx, w, validations.Validation{Items: filepath.Join(data, name)})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		card = one.After(card)
	}
	fmt.Print(card.Markdown("en", findings.CauseIn))
	return nil
}
