//go:build unix

package store

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// bigRun is the run that the benchmarks share: 10,000 questions × 12 metrics with answers, contexts and reasons.
func bigRun() (suite []metrics.Spec, questions []string, results []experiments.Result, stages []rag.Stage) {
	const n, width = 10_000, 12
	for m := range width {
		suite = append(suite, metrics.Spec{ID: fmt.Sprint("metric_", m), Version: "v1"})
	}
	for i := range n {
		q := fmt.Sprintf("q%05d", i)
		r, st := result(q, strings.Repeat("answer ", 20), 0)
		r.Scores = nil
		for m := range width {
			r.Scores = append(r.Scores, metrics.Score{
				Metric: suite[m].ID, Version: "v1", State: metrics.Scored, Value: float64(i%5) + 0.5,
				Reason: "The answer says what the second passage says.", Stages: []string{st[0].Key},
			})
		}
		questions, results, stages = append(questions, q), append(results, r), append(stages, st...)
	}
	return suite, questions, results, stages
}

// cpu is the processor time spent so far, in seconds.
func cpu() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

func BenchmarkSQLite(b *testing.B) {
	s := newSQLite(b).open(b)
	suite, questions, results, stages := bigRun()
	seed := 0
	create := func() experiments.Run {
		seed++
		run, err := s.CreateRun(b.Context(), experiments.Run{Kind: experiments.KindEvaluate, CreatedAt: at(seed),
			Setup: experiments.Setup{Suite: suite, Revision: seed}}, questions)
		ok(b, err)
		_, err = s.ClaimRun(b.Context(), run.ID, "me", at(seed), at(0))
		ok(b, err)
		return run
	}
	b.Run("CreateRun", func(b *testing.B) {
		for b.Loop() {
			create()
		}
	})
	b.Run("SaveResults", func(b *testing.B) { // of 20 questions, as a batch of a run saves them
		run, i := create(), 0
		for b.Loop() {
			if i+20 > len(results) {
				b.StopTimer()
				run, i = create(), 0
				b.StartTimer()
			}
			ok(b, s.SaveResults(b.Context(), run.ID, results[i:i+20], stages[2*i:2*i+40], at(2)))
			i += 20
		}
	})
	run := create()
	ok(b, s.SaveResults(b.Context(), run.ID, results, stages, at(2)))
	open, before := create(), cpu()
	ok(b, s.SaveResults(b.Context(), open.ID, results, stages, at(2)))
	b.Run("CloseRun", func(b *testing.B) { // without totals and chain
		before = cpu()
		for b.Loop() {
			ok(b, s.Write(b.Context(), "close", func(tx *gorm.DB) error { return records.CompactRun(tx, run) }))
		}
		b.ReportMetric((cpu()-before)/float64(b.N), "cpu-s")
	})
	ok(b, s.FinishRun(b.Context(), run.ID, "me", experiments.Totals{}, "chain", at(3)))
	b.Run("OpenResults", func(b *testing.B) {
		for b.Loop() {
			if got, err := s.Results(b.Context(), open.ID); err != nil || len(got) != len(questions) {
				b.Fatalf("%d results, %v", len(got), err)
			}
		}
	})
	b.Run("Results", func(b *testing.B) { // of a finished run
		before = cpu()
		defer func() { b.ReportMetric((cpu()-before)/float64(b.N), "cpu-s") }()
		b.ReportAllocs()
		for b.Loop() {
			if got, err := s.Results(b.Context(), run.ID); err != nil || len(got) != len(questions) {
				b.Fatalf("%d results, %v", len(got), err)
			}
		}
	})
	b.Run("Spent", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Spent(b.Context(), run.ID); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Check", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Check(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Missing", func(b *testing.B) {
		for b.Loop() {
			if got, err := s.Missing(b.Context(), run.ID); err != nil || len(got) != 0 {
				b.Fatalf("%d missing, %v", len(got), err)
			}
		}
	})
}
