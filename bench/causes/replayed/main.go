// Command replayed puts faults into systems whose generator and judge are a large language model that answers by a recording, and counts
// which causes the diagnosis and the founding paper's single question name. docs/evidence.md is the protocol. What was not answered waits
// in the folder of a recording; run it again when replies were taken in.
//
//	go run ./bench/causes/replayed [-recording FOLDER] [-shared ../shared]
package main

import (
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/stats"
)

// replies are what the model said, a JSON object on each line.
//
//go:embed replies.jsonl
var replies []byte

// Sizes that were settled before anything was answered.
const (
	wanted     = 6 // low answers of a fault and a language that are diagnosed
	candidates = 8 // questions that are answered to find them
)

// texts are the real texts, and how long a reference may be, in code points.
var texts = []struct {
	set, lang string
	reference int
}{{"clapnq", "en", 350}, {"nta_tax_qa", "ja", 250}}

// faults are those of whole systems, see [validation.WorldFault], with the paper's right answers of 50.
var faults = []struct {
	name  string
	paper int
}{{"poor_embedder", 48}, {"database", 40}, {"lost_in_the_middle", 35}, {"keyword_prompt", 37}}

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder that holds data/")
	folder := flag.String("recording", "", "folder in which requests wait, and replies lie; default the recorded replies alone")
	flag.Parse()
	if err := run(context.Background(), filepath.Join(*shared, "data"), *folder); err != nil {
		fmt.Fprintln(os.Stderr, "replayed:", err)
		os.Exit(1)
	}
}

// row is what was found of one fault in one text.
type row struct {
	asked, low, diagnosed, right, paper, paperRight int
	high, highRight                                 int
	alone                                           map[string]int // by question: 1 right by intervention alone, -1 by the paper's alone
}

func run(ctx context.Context, data, folder string) error {
	rows, waiting, err := study(ctx, data, folder)
	if err != nil {
		return err
	}
	table(rows)
	if waiting > 0 {
		fmt.Printf("\n%d requests wait: the table is not complete.\n", waiting)
		return nil
	}
	return total(rows)
}

// study asks everything, and says how many requests wait for their reply.
func study(ctx context.Context, data, folder string) (rows []row, waiting int, err error) {
	err = recorded.In(ctx, folder, replies, func(w *app.Workbench) error {
		for _, t := range texts {
			world, err := open(ctx, w, filepath.Join(data, t.set), t.lang, t.reference)
			if err != nil {
				return fmt.Errorf("%s: %w", t.set, err)
			}
			for i, f := range faults {
				r, err := world.fault(ctx, f.name, world.dealt[i])
				if err != nil {
					return fmt.Errorf("%s, %s: %w", t.set, f.name, err)
				}
				rows = append(rows, r)
			}
		}
		recording, err := llm.OpenRecording(cmp.Or(folder, filepath.Join(w.Options.DataDir, "recording")))
		if err != nil {
			return err
		}
		open, err := recording.Open()
		waiting = len(open)
		return err
	})
	return rows, waiting, err
}

// table prints what was found, by text and fault.
func table(rows []row) {
	fmt.Println("| text | fault | asked | low | right by intervention, 95 % | high certainty: right of said | " +
		"right by the paper's method, 95 % | published |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for i, r := range rows {
		f := faults[i%len(faults)]
		fmt.Printf("| %s | %s | %d | %d | %s | %d of %d | %s | %d of 50 |\n", texts[i/len(faults)].set, f.name, r.asked, r.low,
			share(r.right, r.diagnosed), r.highRight, r.high, share(r.paperRight, r.paper), f.paper)
	}
}

// total prints both methods over all faults, and whether they can be told apart.
func total(rows []row) error {
	all, better, worse := sums(rows)
	test, err := stats.McNemar(worse, better, all.diagnosed)
	if err != nil {
		return err
	}
	fmt.Printf("\nall: %s by intervention, %s by the paper's method; right by the first alone %d, by the second alone %d, p = %.3f (exact)\n",
		share(all.right, all.diagnosed), share(all.paperRight, all.paper), better, worse, test.Exact)
	return nil
}

// sums adds the rows up, and counts answers that one method alone named rightly.
func sums(rows []row) (all row, better, worse int) {
	for _, r := range rows {
		all.diagnosed, all.right, all.paper, all.paperRight = all.diagnosed+r.diagnosed, all.right+r.right, all.paper+r.paper,
			all.paperRight+r.paperRight
		all.high, all.highRight = all.high+r.high, all.highRight+r.highRight
		for _, alone := range r.alone {
			better, worse = better+max(alone, 0), worse+max(-alone, 0)
		}
	}
	return all, better, worse
}

// share is a proportion with its interval.
func share(n, of int) string {
	in, err := stats.Wilson(n, of, .95)
	if err != nil {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%.2f–%.2f)", n, of, in.Low, in.High)
}

// count adds a diagnosis of either method.
func (r *row) count(id string, d causes.Diagnosis, expected causes.Component) {
	right := 0
	if d.Component == expected {
		right = 1
	}
	if r.alone == nil {
		r.alone = map[string]int{}
	}
	if d.Method == causes.PaperWay {
		r.alone[id] -= right
		r.paper, r.paperRight = r.paper+1, r.paperRight+right
		return
	}
	r.alone[id] += right
	r.diagnosed, r.right = r.diagnosed+1, r.right+right
	if d.Certainty == causes.HighCertainty {
		r.high, r.highRight = r.high+1, r.highRight+right
	}
}
