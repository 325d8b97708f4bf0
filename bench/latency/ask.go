package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
)

// depth is the longest row of calls of a question in the standard suite: the answer is written, its claims are listed, the verdicts on
// them are given. All others are beside these.
const depth = 3

// purposes are what the calls of a question are for.
var purposes = []string{
	prompts.PurposeGenerate, metrics.PurposeAnswer, metrics.PurposeClaims, metrics.PurposeCorrectness, metrics.PurposeTrust,
	metrics.PurposeRelevancy, metrics.PurposeVerify, "embed",
}

// measureAsking measures single questions.
func measureAsking(ctx context.Context, binary string) error {
	s := setting{500 * time.Millisecond, 64}
	address, stop, err := startFake(ctx, binary, s.latency)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Printf("| what | latency | calls | wall | depth × latency | wall ÷ depth |\n|---|---|---|---|---|---|\n")
	f, err := s.ask(ctx, address, 9)
	if err != nil {
		return err
	}
	s.printDepth("ask, the middle of 9", f)
	w, err := s.open(ctx, address, "[standard]", 5)
	if err != nil {
		return err
	}
	defer w.close()
	if f, err = w.evaluated(ctx); err == nil {
		s.printDepth("run of 5 questions, 64 in flight", f)
	}
	return err
}

func (s setting) printDepth(what string, f figures) {
	ideal := depth * s.latency
	fmt.Printf("| %s | %s | %d | %s | %s | %.3f |\n", what, s.latency, f.calls, f.wall.Round(time.Millisecond), ideal,
		float64(f.wall)/float64(ideal))
}

// ask asks so many different questions, one after the other, and returns the one of middle length. The first, which makes the
// connections, is left out.
func (s setting) ask(ctx context.Context, address string, questions int) (figures, error) {
	w, err := s.open(ctx, address, "[standard]", questions+1)
	if err != nil {
		return figures{}, err
	}
	defer w.close()
	var all []figures
	for i := range questions + 1 {
		f, err := timed(func() (int, error) {
			_, err := w.Ask(ctx, w.experiment, fmt.Sprintf("What is the fee of tariff %d?", i))
			return 0, err
		})
		if err != nil {
			return figures{}, err
		}
		all = append(all, f)
	}
	slices.SortFunc(all[1:], func(a, b figures) int { return int(a.wall - b.wall) })
	middle := all[1:][questions/2]
	for _, purpose := range purposes {
		calls, err := w.Whole.CallsFor(ctx, purpose)
		if err != nil {
			return figures{}, err
		}
		middle.calls += len(calls)
	}
	middle.calls /= len(all)
	return middle, nil
}
