// Command verdicts sets what a large language model says of pairs of answers against careful readers: it plays the recorded
// replies of bench/recorded/verdicts.jsonl through `workbench validate verdicts`, on the 100 pairs that were chosen before
// anything was answered. docs/evidence.md is the protocol.
//
//	go run ./bench/verdicts [-shared ../shared]
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder that holds cases/")
	flag.Parse()
	if err := run(context.Background(), *shared); err != nil {
		fmt.Fprintln(os.Stderr, "verdicts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, shared string) error {
	some, source, err := recorded.Pairs(shared)
	if err != nil {
		return err
	}
	return recorded.In(ctx, "", recorded.Verdicts, func(w *app.Workbench) error {
		report, err := validations.ValidateVerdicts(ctx, w,
			validations.VerdictValidation{Judge: recorded.Judge, Pairs: some, Source: source})
		if err == nil {
			fmt.Print(report.VerdictScore.Markdown("en", findings.CauseIn))
		}
		return err
	})
}
