// Command checking measures how claims are split and checked, on replies that were recorded by hand: whether claims of answer and
// reference may be compared with contexts, reference and answer in one request, and three wordings of prompts. The items are chosen by a
// seeded rule before anything is answered; docs/evidence.md is the protocol.
//
//	go run ./bench/checking [-shared ../shared] [-folder FOLDER]
//
// Without FOLDER the replies of bench/checking/replies.jsonl are played, beside those of bench/recorded/verdicts.jsonl. With one,
// requests without a reply are left in it (`workbench record --help`), and the figures are printed for what is there.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

//go:embed replies.jsonl
var repliesByHand []byte

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder that holds data/ and cases/")
	folder := flag.String("folder", "", "folder of a recording; none plays what was recorded")
	flag.Parse()
	if err := run(context.Background(), *shared, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "checking:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, shared, folder string) error {
	played := append([]byte{}, recorded.Verdicts...)
	if folder == "" {
		played = append(played, repliesByHand...)
	}
	pairs, _, err := recorded.Pairs(shared)
	if err != nil {
		return err
	}
	return recorded.In(ctx, folder, played, func(w *app.Workbench) error {
		t := &trial{workbench: w, shared: shared, pairs: pairs}
		for _, part := range []func(context.Context) error{t.layouts, t.listing, t.references, t.answers} {
			if err := part(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// trial is what the parts of the measurement share.
type trial struct {
	workbench *app.Workbench
	shared    string
	pairs     []validation.ReadersPair // of which the shipped prompts' replies are recorded
}

// score computes metrics of a sample with stages of its own, so that nothing is taken over from another asking. waits says that a reply
// is not there yet.
func (t *trial) score(ctx context.Context, s metrics.Sample, reader *tap, prompts map[string]string, names ...string) (
	scores []metrics.Score, waits bool, err error) {
	specs, err := metrics.Resolve(names)
	if err != nil {
		return nil, false, err
	}
	if reader.Provider, err = t.workbench.Providers.Provider("reader"); err != nil {
		return nil, false, err
	}
	reader.said = map[cell]string{}
	config := metrics.DefaultJudge()
	config.Model, config.Prompts = rag.Model{Provider: "reader", Name: "llm"}, prompts
	suite, err := metrics.NewSuite(specs, config, only{reader}, &rag.MemoryStages{})
	if err != nil {
		return nil, false, err
	}
	scoped, unheard := llm.WithUnheard(llm.WithScope(ctx, llm.Scope{QuestionID: s.QuestionID, Stage: "judge"}))
	scores, err = suite.Score(scoped, s)
	return scores, unheard() > 0, err
}
