package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store"
)

// experiment is what both runs have in common.
const experiment = `name: %s
corpus: ./docs
dataset: ./questions.jsonl
suite: [correctness, trust, faithfulness, hallucination, context_recall, context_precision, context_utilization, answer_relevancy, hit, span_coverage, mrr, ndcg]
base:
  chunk: {by: chars, size: %d, overlap: 0}
  retrieve: {mode: bm25, k: %d}
`

// sizes prints the table of runs by their number of questions.
func (r *rig) sizes(all []int) error {
	if len(all) == 0 {
		return nil
	}
	fmt.Println("| two runs of … questions × 12 | load both | compare | workbook | size of it | database |\n|---|---|---|---|---|---|")
	for _, n := range all {
		dir := filepath.Join(r.folder, fmt.Sprint("questions-", n))
		if err := r.world(dir, n); err != nil {
			return err
		}
		said, err := runPart("load", filepath.Join(dir, "data", "workbench.db"))
		if err != nil {
			return err
		}
		var load loaded
		if err := json.Unmarshal([]byte(said), &load); err != nil {
			return err
		}
		compared, err := r.quickest(dir, "compare", "before", "after", "--json", "--quiet")
		if err != nil {
			return err
		}
		written, err := r.run(dir, "report", "before", "after", "--quiet", "--force", "-o", "report.xlsx")
		if err != nil {
			return err
		}
		r.noteSize(n, load, compared, written)
		fmt.Printf("| %d | %.2f s, %d MB held, %.2f s with keys | %s | %s | %s | %s |\n", n, load.Short.Seconds(), load.Held>>20,
			load.Whole.Seconds(), compared, written, size(filepath.Join(dir, "report.xlsx")),
			size(filepath.Join(dir, "data", "workbench.db")))
	}
	return nil
}

// quickest runs the program five times, and tells of the time on the clock that others on the machine disturbed least.
func (r *rig) quickest(dir string, args ...string) (best used, err error) {
	for i := range 5 {
		u, err := r.run(dir, args...)
		if err != nil {
			return used{}, err
		}
		if i == 0 || u.wall < best.wall {
			best = u
		}
	}
	return best, nil
}

// noteSize keeps what has a bar: that is for runs of 10,000 questions.
func (r *rig) noteSize(questions int, load loaded, compared, written used) {
	const barred = 10_000
	if questions != barred {
		return
	}
	r.note("two runs of 10,000 × 12: loading, as comparisons and reports do", load.Short.Seconds(), 0.2, "s")
	r.note("the same with the keys of stages, as explaining an answer does", load.Whole.Seconds(), 0, "s")
	r.note("`compare` of them, the whole program, on the clock", compared.wall.Seconds(), 0.5, "s")
	r.note("the same, memory", float64(compared.megabytes), 0, "MB")
	r.note("their workbook, the whole program, on the clock", written.wall.Seconds(), 2, "s")
	r.note("the same, memory", float64(written.megabytes), 150, "MB")
}

func size(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%.1f MB", float64(info.Size())/1e6)
}

// world makes the two runs, unless they are there.
func (r *rig) world(dir string, n int) error {
	if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o750); err != nil {
		return err
	}
	var docs, questions bytes.Buffer
	out := json.NewEncoder(&questions)
	for i := range n {
		fee := fmt.Sprintf("The fee for service %d is %d coins.", i, i*7%101)
		fmt.Fprintf(&docs, "Service %d opens at gate %d on weekdays. %s Children under %d pay half. It is closed from hour %d.\n\n", i, i%37, fee, 3+i%9, i%24)
		err := out.Encode(map[string]any{
			"question_id": fmt.Sprintf("q%05d", i), "question": fmt.Sprintf("What is the fee for service %d?", i),
			"reference": fmt.Sprintf("%d coins, and half of it for children.", i*7%101), "tags": []string{fmt.Sprint("theme:gate-", i%20)},
			"evidence": []map[string]any{{"doc_id": fmt.Sprintf("services-%03d.md", i/100), "quote": fee}},
		})
		if err != nil {
			return err
		}
		if i%100 == 99 || i == n-1 {
			if err := os.WriteFile(filepath.Join(dir, "docs", fmt.Sprintf("services-%03d.md", i/100)), docs.Bytes(), 0o600); err != nil {
				return err
			}
			docs.Reset()
		}
	}
	files := map[string]string{"questions.jsonl": questions.String(), "before.yaml": fmt.Sprintf(experiment, "before", 200, 4),
		"after.yaml": fmt.Sprintf(experiment, "after", 300, 3)}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	verbs := [][]string{{"run", "before.yaml", "--quiet"}, {"run", "after.yaml", "--quiet"}}
	if r.causes {
		verbs = append(verbs, []string{"diagnose", "after", "--quiet"})
	}
	for _, args := range verbs {
		u, err := r.run(dir, args...)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s of %d questions: %s\n", args[0], n, u)
	}
	if r.model {
		if _, err := runPart("reword", filepath.Join(dir, "data", "workbench.db")); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "made"), nil, 0o600)
}

// loaded is what it takes to load the results of two runs.
type loaded struct {
	Short, Whole time.Duration // without the keys of stages, as comparisons and reports do; with them, as explaining an answer does
	Held         int64         // bytes, of the short ones
}

// loadBoth loads the results of all runs of a database, each way three times, and tells the least processor time.
func loadBoth(path string) (l loaded, err error) {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	runs, err := s.Runs(ctx, experiments.RunFilter{Kind: experiments.KindEvaluate})
	if err != nil {
		return l, err
	}
	if l.Short, l.Held, err = loadAll(ctx, runs, s.ResultsInShort); err == nil {
		l.Whole, _, err = loadAll(ctx, runs, s.Results)
	}
	return l, err
}

func loadAll(ctx context.Context, runs []experiments.Run, load func(context.Context, string) ([]experiments.Result, error)) (
	least time.Duration, live int64, err error) {
	least = time.Hour
	before := heap()
	var held [][]experiments.Result
	for range 3 {
		held = nil
		began := cpu()
		for _, run := range runs {
			results, err := load(ctx, run.ID)
			if err != nil {
				return 0, 0, err
			}
			held = append(held, results)
		}
		least = min(least, cpu()-began)
	}
	live = heap() - before
	runtime.KeepAlive(held)
	return least, live, nil
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // no heap is that large
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
