// Command faults evaluates questions against a provider of which 30% of the replies go wrong in fourteen ways, and against
// one that allows a fixed number of requests in a window, and prints what became of them as Markdown tables.
//
//	go run ./bench/faults [-questions 300] [-share 0.3] [-seed 1]
//
// A reference run without faults says which scores are right. An infrastructure fault counted as a quality failure is a scored
// cell whose value differs from the reference; there must be none.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
)

func main() {
	questions := flag.Int("questions", 300, "questions of the run")
	share := flag.Float64("share", 0.3, "share of requests that go wrong")
	seed := flag.Uint64("seed", 1, "seed of the faults")
	flag.Parse()
	ctx := context.Background()
	if err := errors.Join(faults(ctx, *questions, *share, *seed), limits(ctx)); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

// faults compares a run under faults with the same run without.
func faults(ctx context.Context, questions int, share float64, seed uint64) error {
	sound, err := evaluate(ctx, fakeprovider.Options{Answer: fakeprovider.Offline()}, questions)
	if err != nil {
		return err
	}
	hit, err := evaluate(ctx, fakeprovider.Options{
		Answer: fakeprovider.Offline(), Mix: fakeprovider.Mix{Share: share, Seed: seed},
	}, questions)
	if err != nil {
		return err
	}
	wrong, declined := 0, 0
	causes := map[string]int{}
	states := map[metrics.State]int{}
	cells := 0
	for i, result := range hit.results {
		// What the model itself declined or cut short is its answer, and is scored as that.
		own := result.Answer != nil && result.Answer.FinishReason != "stop"
		if own {
			declined++
		}
		for k, score := range result.Scores {
			cells++
			states[score.State]++
			switch want := sound.results[i].Scores[k]; {
			case score.State == metrics.Errored:
				causes[score.Reason]++
			case !own && (score.State != want.State || score.Value != want.Value):
				wrong++
			}
		}
	}
	fmt.Printf("| %d questions, %.0f%% mixed faults | |\n|---|---|\n", questions, 100*share)
	row := func(what string, format string, args ...any) {
		fmt.Printf("| %s | %s |\n", what, fmt.Sprintf(format, args...))
	}
	percent := func(n int) string { return fmt.Sprintf("%d of %d (%.1f%%)", n, cells, 100*float64(n)/float64(cells)) }
	row("run", "%s in %s (%s without faults)", hit.run.State, hit.wall.Round(time.Second), sound.wall.Round(time.Second))
	row("cells scored or not applicable", "%s", percent(states[metrics.Scored]+states[metrics.NotApplicable]))
	row("cells with a named cause", "%s", percent(states[metrics.Errored]))
	row("cells without either", "%d", cells-states[metrics.Scored]-states[metrics.NotApplicable]-states[metrics.Errored])
	row("answers that the model refused or cut short, scored as answers", "%d of %d", declined, questions)
	row("infrastructure faults counted as quality failures", "%d", wrong)
	row("requests, of which went wrong", "%d, %d", len(hit.bill), hit.broken())
	least, most := hit.bounds()
	row("provider's bill within what usage confirms and estimates add", "%d ≤ %d ≤ %d: %t", least, hit.charged(), most,
		least <= hit.charged() && hit.charged() <= most)
	row("errors without faults", "%d", sound.errored())
	for _, cause := range slices.Sorted(maps.Keys(causes)) {
		row("cause "+cause, "%d", causes[cause])
	}
	return nil
}

// limits evaluates against windows that allow few requests, without telling the client.
func limits(ctx context.Context) error {
	const allowed, per, questions = 50, time.Second, 100
	got, err := evaluate(ctx, fakeprovider.Options{
		Answer: fakeprovider.Offline(), Limits: fakeprovider.Limits{Requests: allowed, Per: per}, Now: time.Now,
	}, questions)
	if err != nil {
		return err
	}
	refused := 0
	for _, e := range got.bill {
		if e.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	served := len(got.bill) - refused
	ideal := time.Duration(served/allowed) * per // the first window is full at once
	fmt.Printf("\n| rate limit of %d requests in %s, not configured | |\n|---|---|\n", allowed, per)
	fmt.Printf("| run | %s |\n| sent ÷ allowed | %d ÷ %d = %.3f |\n| wall ÷ ideal | %s ÷ %s = %.2f |\n", got.run.State,
		len(got.bill), served,
		float64(len(got.bill))/float64(served), got.wall.Round(10*time.Millisecond), ideal, got.wall.Seconds()/ideal.Seconds())
	return nil
}

// outcome is a run and what the provider says of it.
type outcome struct {
	run     experiments.Run
	results []experiments.Result
	calls   []llm.Call
	wall    time.Duration
	bill    []fakeprovider.Entry
}

func (o outcome) broken() int {
	n := 0
	for _, e := range o.bill {
		if e.Fault != fakeprovider.None {
			n++
		}
	}
	return n
}

// errored counts the cells without a score.
func (o outcome) errored() int {
	n := 0
	for _, result := range o.results {
		for _, score := range result.Scores {
			if score.State == metrics.Errored {
				n++
			}
		}
	}
	return n
}

// bounds are what the ledger knows to be spent, from the usage that replies reported, and what may be spent at most.
func (o outcome) bounds() (least, most int64) {
	for _, c := range o.calls {
		switch {
		case c.CostKind == "reported":
			least += c.CostMicros
			most += c.CostMicros
		case c.State != llm.CallFailed:
			most += c.EstimateMicros
		}
	}
	return least, most
}

// charged is the provider's bill at the prices of the run.
func (o outcome) charged() int64 {
	var sum int64
	for _, e := range o.bill {
		if e.Charged {
			cost, _ := llm.Prices(prices).Cost(e.Model, llm.Usage{PromptTokens: e.PromptTokens, CompletionTokens: e.CompletionTokens})
			sum += cost
		}
	}
	return sum
}
