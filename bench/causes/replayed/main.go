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
	"maps"
	"os"
	"path/filepath"
	"slices"

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

// text is a real text.
type text struct {
	set, lang string
	reference int // code points of a reference at most
	longer    int // code points of a reference at most where the further questions need more than the shorter ones
	keyword   int // further questions for the fault keyword_prompt
}

var texts = []text{{"clapnq", "en", 350, 350, 32}, {"nta_tax_qa", "ja", 250, 600, 48}}

// fault is one of whole systems, see [validation.WorldFault], with the paper's right answers of 50.
type fault struct {
	name  string
	paper int
}

var faults = []fault{{"poor_embedder", 48}, {"database", 40}, {"lost_in_the_middle", 35}, keyword}

// keyword and vague are the faults of the system prompt. One keyword often is a good answer: docs/evidence.md says what was added for that,
// and when.
var keyword, vague = fault{"keyword_prompt", 37}, fault{"vague_prompt", 37}

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
	set                                             string
	fault                                           fault
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
			some, err := t.study(ctx, w, filepath.Join(data, t.set))
			if err != nil {
				return fmt.Errorf("%s: %w", t.set, err)
			}
			rows = append(rows, some...)
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

// study asks what there is to ask of one text.
func (t text) study(ctx context.Context, w *app.Workbench, dir string) ([]row, error) {
	first, err := open(ctx, w, dir, t)
	if err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(faults)+1)
	for i, f := range faults {
		r, err := first.fault(ctx, f, first.dealt[i], wanted)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		rows = append(rows, r)
	}
	more, err := first.further(ctx, w, dir, t)
	if err != nil {
		return nil, err
	}
	last := &rows[len(rows)-1]
	again, err := more.fault(ctx, keyword, more.dealt[0], wanted-last.diagnosable())
	if err != nil {
		return nil, fmt.Errorf("%s, further questions: %w", keyword.name, err)
	}
	last.add(again)
	r, err := more.fault(ctx, vague, more.dealt[1], wanted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", vague.name, err)
	}
	rows = append(rows, r)
	for i := range rows {
		rows[i].set = t.set
	}
	return rows, nil
}

// table prints what was found, by text and fault.
func table(rows []row) {
	fmt.Println("| text | fault | asked | low | right by intervention, 95% | high certainty: right of said | " +
		"right by the paper's method, 95% | published |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		fmt.Printf("| %s | %s | %d | %d | %s | %d of %d | %s | %d of 50 |\n", r.set, r.fault.name, r.asked, r.low,
			share(r.right, r.diagnosed), r.highRight, r.high, share(r.paperRight, r.paper), r.fault.paper)
	}
}

// total prints both methods over the faults that were settled first, and with the one added to them, and whether they can be told apart.
func total(rows []row) error {
	for _, some := range []struct {
		name string
		rows []row
	}{{"without " + vague.name, firstFaults(rows)}, {"all", rows}} {
		all, better, worse := sums(some.rows)
		test, err := stats.McNemar(worse, better, all.diagnosed)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s: %s by intervention, %s by the paper's method; right by the first alone %d, by the second alone %d, p = %.3f (exact)\n",
			some.name, share(all.right, all.diagnosed), share(all.paperRight, all.paper), better, worse, test.Exact)
	}
	return nil
}

// firstFaults are the rows without the fault that was added in a row of its own.
func firstFaults(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.fault == vague })
}

// sums adds the rows up, and counts answers that one method alone named rightly.
func sums(rows []row) (all row, better, worse int) {
	for _, r := range rows {
		all.add(r)
		for _, alone := range r.alone {
			better, worse = better+max(alone, 0), worse+max(-alone, 0)
		}
	}
	return all, better, worse
}

// add counts what another row counted.
func (r *row) add(other row) {
	r.asked, r.low, r.diagnosed, r.right = r.asked+other.asked, r.low+other.low, r.diagnosed+other.diagnosed, r.right+other.right
	r.paper, r.paperRight = r.paper+other.paper, r.paperRight+other.paperRight
	r.high, r.highRight = r.high+other.high, r.highRight+other.highRight
	if r.alone == nil {
		r.alone = map[string]int{}
	}
	maps.Copy(r.alone, other.alone)
}

// diagnosable is how many low answers of a row are diagnosed.
func (r row) diagnosable() int { return min(r.low, wanted) }

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
