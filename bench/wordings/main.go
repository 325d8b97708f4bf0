// Command wordings measures judge prompts in two wordings against people's labels, on replies that were recorded by hand. The items
// are chosen by a seeded rule before anything is answered; docs/evidence.md is the protocol.
//
//	go run ./bench/wordings [-shared ../shared] [-folder FOLDER]
//
// Without FOLDER the replies of bench/wordings/replies.jsonl are played. With one, requests without a reply are left in it
// (`workbench record --help`), and the figures are printed for what is there.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder that holds data/ and cases/")
	folder := flag.String("folder", "", "folder of a recording; none plays what was recorded")
	flag.Parse()
	if err := run(*shared, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "wordings:", err)
		os.Exit(1)
	}
}

// item is one text to judge.
type item struct {
	id     string // of what it is about: no two requests about it are read in one sitting
	side   int    // 0 or 1, where two answers to one question are judged
	sample metrics.Sample
	label  float64 // what people say: 1 or 0, or a grade
}

// graded is an item with the grade that a wording gave it.
type graded struct {
	item
	value float64
}

func run(shared, folder string) error {
	ctx := context.Background()
	played := replies
	if folder != "" {
		played = nil
	}
	return recorded.In(ctx, folder, played, func(w *app.Workbench) error { return table(ctx, w, shared) })
}

//go:embed replies.jsonl
var replies []byte

// table prints what each wording is worth.
func table(ctx context.Context, w *app.Workbench, shared string) error {
	for _, p := range parts {
		items, err := p.items(shared)
		if err != nil {
			return fmt.Errorf("%s: %w", p.metric, err)
		}
		fmt.Printf("## %s: %d items\n\n| wording | judged | waiting | %s |\n|---|---|---|---|\n", p.metric, len(items), p.figure)
		for _, wording := range []string{"shipped before", "tried"} {
			var got []graded
			waiting := 0
			switch {
			case wording == "tried":
				got, waiting, err = judge(ctx, w, p.metric, p.tried, items)
			case p.known != nil:
				got, err = p.known(shared, items)
			default:
				got, waiting, err = judge(ctx, w, p.metric, p.before, items)
			}
			if err != nil {
				return err
			}
			fmt.Printf("| %s | %d | %d | %s |\n", wording, len(got), waiting, p.measure(got))
		}
		fmt.Println()
	}
	return nil
}

// judge asks for a metric of all items in one wording and returns what is there.
func judge(ctx context.Context, w *app.Workbench, metric string, prompts map[string]string, items []item) (got []graded,
	waiting int, err error) {
	specs, err := metrics.Resolve([]string{metric})
	if err != nil {
		return nil, 0, err
	}
	config := metrics.DefaultJudge()
	config.Model = rag.Model{Provider: "reader", Name: "llm"}
	config.Prompts = prompts
	suite, err := metrics.NewSuite(specs, config, w.Providers, w.Store)
	if err != nil {
		return nil, 0, err
	}
	for _, one := range items {
		scoped, unheard := llm.WithUnheard(llm.WithScope(ctx, llm.Scope{QuestionID: one.id, Stage: "judge"}))
		scores, err := suite.Score(scoped, one.sample)
		if err != nil {
			return nil, 0, err
		}
		switch {
		case unheard() > 0:
			waiting++
		case scores[0].State == metrics.Scored:
			got = append(got, graded{one, scores[0].Value})
		default:
			return nil, 0, fmt.Errorf("%s of %s: %s", metric, one.id, scores[0].Reason)
		}
	}
	return got, waiting, nil
}
