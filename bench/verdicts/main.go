// Command verdicts sets what a large language model says of pairs of answers against careful readers: it plays the recorded
// replies of bench/verdicts/replies.jsonl through `workbench validate verdicts`, on the 100 pairs that were chosen before
// anything was answered. docs/evidence.md is the protocol.
//
//	go run ./bench/verdicts [-shared ../shared]
package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

//go:embed replies.jsonl
var replies []byte

// pairs is how many pairs were chosen.
const pairs = 100

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder that holds cases/")
	flag.Parse()
	if err := run(context.Background(), filepath.Join(*shared, "cases", "verdict_pairs.jsonl")); err != nil {
		fmt.Fprintln(os.Stderr, "verdicts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file string) error {
	some, source, err := validations.ReadPairs(file)
	if err != nil {
		return err
	}
	return recorded.In(ctx, "", replies, func(w *app.Workbench) error {
		report, err := validations.ValidateVerdicts(ctx, w,
			validations.VerdictValidation{Judge: recorded.Judge, Pairs: chosen(some), Source: source})
		if err == nil {
			fmt.Print(report.VerdictScore.Markdown("en"))
		}
		return err
	})
}

// chosen are the pairs that were asked about: the first by the digest of their ids.
func chosen(all []validation.ReadersPair) []validation.ReadersPair {
	digest := func(p validation.ReadersPair) string {
		sum := sha256.Sum256([]byte("evidence 1 " + p.ID))
		return string(sum[:])
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b validation.ReadersPair) int { return cmp.Compare(digest(a), digest(b)) })
	return all[:min(pairs, len(all))]
}
