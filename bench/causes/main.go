// Command causes puts known faults into systems and prints which causes are found, as tables 2 and 3 of the founding paper: on the
// synthetic corpus with a scripted judge, and on real text with a scripted and with the offline judge. It is `workbench validate
// causes`, in a data folder of its own, with a summary against the paper's figures.
//
//	go run ./bench/causes [-batches 10] [-sets wikieval,clapnq,hotpotqa_100] [SHARED]
//
// SHARED is the folder that holds data/; the default is $WORKBENCH_SHARED, else ../shared. Without it real text is skipped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
)

func main() {
	batches := flag.Int("batches", 10, "synthetic corpora for each fault, of 50 answers each")
	draws := flag.Int("draws", 2, "draws of the scripted judge and generator on real text")
	items := flag.Int("items", 50, "answers for each fault on real text, at most")
	sets := flag.String("sets", "wikieval,clapnq,hotpotqa_100", "folders of real text, \"\" for none")
	judges := flag.String("judges", ",offline", "judges of real text: \"\" is the scripted one; others as provider/model")
	seed := flag.Uint64("seed", 1, "of all chance")
	whole := flag.Bool("worlds", false, "whole systems instead: pipeline, diagnosis, recommendation and its outcome, with scripted models")
	faults := flag.String("faults", "", "with -worlds: only these, by comma")
	other := flag.Bool("other", false, "with -worlds: texts and faults that the procedure was not made on")
	misses := flag.Bool("misses", false, "with -worlds: print what was tried where a cause was missed")
	flag.Parse()
	shared := "../shared"
	if v := os.Getenv("WORKBENCH_SHARED"); v != "" {
		shared = v
	}
	if flag.NArg() > 0 {
		shared = flag.Arg(0)
	}
	b := bench{batches: *batches, draws: *draws, items: *items, seed: *seed, data: filepath.Join(shared, "data"),
		judges: strings.Split(*judges, ","), other: *other}
	if *whole && !isSet("sets") {
		*sets = "" // all of them
	}
	if *sets != "" {
		b.sets = strings.Split(*sets, ",")
	}
	work := b.run
	if *whole {
		work = func(ctx context.Context) error { return b.wholeSystems(ctx, *faults, *misses) }
	}
	if err := work(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "causes:", err)
		os.Exit(1)
	}
}

// isSet reports whether a flag was given.
func isSet(name string) (given bool) {
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

type bench struct {
	batches, draws, items int
	other                 bool
	seed                  uint64
	data                  string
	sets, judges          []string
}

func (b bench) run(ctx context.Context) error {
	rows, err := b.synthetic(ctx)
	if err != nil {
		return err
	}
	onData, err := b.real(ctx)
	if err != nil {
		return err
	}
	fmt.Println("# Summary")
	fmt.Println()
	summarise(append(rows, onData...))
	return nil
}

// synthetic plays the scripted harness: votes that err independently, and half of the errors in every vote alike.
func (b bench) synthetic(ctx context.Context) (all []validation.CauseRow, err error) {
	for _, lasting := range []float64{0, .5} {
		if b.batches < 1 {
			break
		}
		h := validation.CauseHarness{Batches: b.batches, Seed: b.seed, Lasting: lasting}
		if lasting > 0 {
			h.Noise = []float64{.05, .10}
		}
		rows, err := h.Run(ctx, tell)
		if err != nil {
			return nil, err
		}
		fmt.Println(validation.CauseTables(rows, "en"))
		all = append(all, rows...)
	}
	return all, nil
}

// within works in a data folder of its own.
func within(ctx context.Context, work func(w *app.Workbench) error) (err error) {
	dir, err := os.MkdirTemp("", "workbench-causes")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w, err := app.Open(ctx, app.Options{DataDir: dir, Getenv: os.Getenv, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	return work(w)
}

// wholeSystems prints the table of whole systems with faults.
func (b bench) wholeSystems(ctx context.Context, faults string, misses bool) error {
	var conditions []string
	if faults != "" {
		conditions = strings.Split(faults, ",")
	}
	return within(ctx, func(w *app.Workbench) error { return b.worlds(ctx, w, conditions, misses) })
}

// real puts the faults into the data sets.
func (b bench) real(ctx context.Context) (all []validation.CauseRow, err error) {
	err = within(ctx, func(w *app.Workbench) error { all, err = b.realIn(ctx, w); return err })
	return all, err
}

func (b bench) realIn(ctx context.Context, w *app.Workbench) (all []validation.CauseRow, err error) {
	for _, set := range b.sets {
		path := filepath.Join(b.data, set)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && os.Getenv("WORKBENCH_REQUIRE_SHARED") != "1" {
			fmt.Printf("skipped: there is no %s; name the folder that holds data/, or set WORKBENCH_SHARED\n\n", path)
			continue
		}
		for _, judge := range b.judges {
			for _, unlabelled := range []bool{false, true} {
				if judge == "" && unlabelled {
					continue // the scripted judge never sees labels
				}
				v := validations.CauseValidation{Items: path, Judge: judge, N: b.items, Batches: b.draws, Seed: b.seed,
					Unlabelled: unlabelled, Tell: tell}
				if judge != "" {
					v.Batches = 1
				}
				rows, err := validations.ValidateCauses(ctx, w, v)
				if err != nil {
					return all, fmt.Errorf("%s: %w", set, err)
				}
				for i := range rows {
					if unlabelled {
						rows[i].Material += " without labels"
					}
				}
				fmt.Println(validation.CauseTables(rows, "en"))
				all = append(all, rows...)
			}
		}
	}
	return all, nil
}

func tell(done, of int, what string) error {
	if done < of {
		fmt.Fprintf(os.Stderr, "%d/%d %s\n", done+1, of, what)
	}
	return nil
}

// published are the paper's figures, right of 50.
var published = []struct {
	name       string
	conditions []string
	right      int
}{
	{"database", []string{"database_deleted"}, 40},
	{"retriever", []string{"retriever_k", "retriever_chunk", "retriever_embedding"}, 48},
	{"generation model", []string{"generation_model"}, 35},
	{"system prompt", []string{"system_prompt"}, 37},
}

// summarise prints the figures of the founding paper beside ours, one line for each text, judge and noise.
func summarise(rows []validation.CauseRow) {
	fmt.Print("| text | judge | noise |")
	for _, p := range published {
		fmt.Printf(" %s, of 50 (paper %d) | of really wrong |", p.name, p.right)
	}
	fmt.Println(" database as retriever (paper 8) | prompt as model (paper 10) | repairs that restore the answer | calls per low answer |")
	fmt.Println("|" + strings.Repeat("---|", 3+2*len(published)+4))
	var order []string
	groups := map[string][]validation.CauseRow{}
	for _, r := range rows {
		noise := "-"
		if r.Judge == "scripted" {
			noise = fmt.Sprintf("%g%%", 100*r.Noise)
			if r.Lasting > 0 {
				noise += fmt.Sprintf(", %g%% of it lasting", 100*r.Lasting)
			}
		}
		key := fmt.Sprintf("| %s | %s | %s |", r.Material, r.Judge, noise)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], r)
	}
	for _, key := range order {
		fmt.Println(key + figures(groups[key]))
	}
}

// figures is one line of the summary.
func figures(rows []validation.CauseRow) string {
	var b strings.Builder
	cell := func(n, of int, scale float64, format string) {
		if of == 0 {
			b.WriteString(" - |")
			return
		}
		fmt.Fprintf(&b, " "+format+" |", scale*float64(n)/float64(of))
	}
	var named, restored, low int
	var calls float64
	confused := map[string][2]int{}
	for _, r := range rows {
		named, restored = named+r.Repairs.Named, restored+r.Repairs.Restored
		low, calls = low+r.ReallyWrong.N, calls+r.LowCalls*float64(r.ReallyWrong.N)
		switch r.Condition {
		case "database_deleted":
			confused["database"] = [2]int{r.ComponentLevel[causes.Retriever], r.N}
		case "system_prompt":
			confused["prompt"] = [2]int{r.ComponentLevel[causes.GenerationModel], r.N}
		}
	}
	for _, p := range published {
		var n, right, wrong, wrongRight int
		for _, r := range rows {
			for _, c := range p.conditions {
				if r.Condition == c {
					n, right, wrong, wrongRight = n+r.N, right+r.Right, wrong+r.ReallyWrong.N, wrongRight+r.ReallyWrong.Right
				}
			}
		}
		cell(right, n, 50, "%.1f")
		cell(wrongRight, wrong, 1, "%.2f")
	}
	cell(confused["database"][0], confused["database"][1], 50, "%.1f")
	cell(confused["prompt"][0], confused["prompt"][1], 50, "%.1f")
	cell(restored, named, 1, "%.2f")
	if low > 0 {
		fmt.Fprintf(&b, " %.1f |", calls/float64(low))
	} else {
		b.WriteString(" - |")
	}
	return b.String()
}
