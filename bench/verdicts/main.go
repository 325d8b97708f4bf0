// Command verdicts sets what a large language model says of pairs of answers against careful readers: it plays the recorded
// replies of bench/verdicts/replies.jsonl through `workbench validate verdicts`, on the 100 pairs that were chosen before
// anything was answered. docs/evidence.md is the protocol.
//
//	go run ./bench/verdicts [-shared ../shared]
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

//go:embed replies.jsonl
var replies []byte

// pairs is how many pairs were chosen, and rounds how often replies follow from replies at most.
const pairs, rounds = 100, 12

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder that holds cases/")
	flag.Parse()
	if err := run(context.Background(), filepath.Join(*shared, "cases", "verdict_pairs.jsonl")); err != nil {
		fmt.Fprintln(os.Stderr, "verdicts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file string) (err error) {
	dir, err := os.MkdirTemp("", "workbench-verdicts")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	config, folder := filepath.Join(dir, "workbench.yaml"), filepath.Join(dir, "recording")
	if err := os.WriteFile(config, fmt.Appendf(nil, "providers:\n  reader: {kind: recorded, folder: %q}\n", folder), 0o600); err != nil {
		return err
	}
	w, err := app.Open(ctx, app.Options{DataDir: dir, ConfigPath: config, Getenv: os.Getenv, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	some, source, err := validations.ReadPairs(file)
	if err != nil {
		return err
	}
	recording, err := llm.OpenRecording(folder)
	if err != nil {
		return err
	}
	for range rounds {
		report, err := validations.ValidateVerdicts(ctx, w,
			validations.VerdictValidation{Judge: "reader/llm", Pairs: chosen(some), Source: source})
		if err == nil {
			fmt.Print(report.VerdictScore.Markdown("en"))
			return nil
		}
		if problem.CodeOf(err) != llm.CauseNotRecorded {
			return err
		}
		if err := take(recording); err != nil {
			return err
		}
	}
	return fmt.Errorf("replies are missing after %d rounds", rounds)
}

// take hands in the recorded replies to what waits.
func take(recording *llm.Recording) error {
	open, err := recording.Open()
	if err != nil {
		return err
	}
	waiting := map[string]bool{}
	for _, o := range open {
		waiting[string(o.Key)] = true
	}
	var fitting bytes.Buffer
	for in := bufio.NewScanner(bytes.NewReader(replies)); in.Scan(); {
		line := in.Bytes()
		if key := bytes.TrimPrefix(line, []byte(`{"key":"`)); len(key) > sha256.Size*2 && waiting[string(key[:sha256.Size*2])] {
			fitting.Write(append(line, '\n'))
		}
	}
	taken, err := recording.Take(&fitting, "a large language model, read in sittings of at most 40 requests", time.Now())
	if err == nil && (taken.Taken == 0 || len(taken.Refused) > 0) {
		err = fmt.Errorf("%d requests wait, and the recorded replies do not answer them: a prompt has changed", len(open))
	}
	return err
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
