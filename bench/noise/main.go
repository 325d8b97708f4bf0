// Command noise tries the regression guard on people's disagreement instead of made-up noise and prints Markdown tables.
//
//	go run ./bench/noise [-runs 200] [SHARED]
//
// SHARED is the folder that holds data/; the default is $WORKBENCH_SHARED, else ../shared. In the data set judge_mtrag up to
// three people rated each answer from 1 to 4. Their ratings are taken as replicates of one judge.
//
// The first table asks whether the guard's model of noise fits: learned from the ratings of one half of the answers, how often
// should two people disagree about an answer of the other half, and by how much? The second table plays comparisons in which
// every vote is one of the ratings that the answer really got, drawn anew each time: once with nothing changed, once with ten
// answers rated one or two points lower. Three ratings drawn with replacement vary less than people do, by a third of the
// variance at most; the last column of the first table is the disagreement of such draws.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	runs := flag.Int("runs", 200, "comparisons for each row of the second table")
	seed := flag.Uint64("seed", 1, "of all chance")
	flag.Parse()
	shared := "../shared"
	if v := os.Getenv("WORKBENCH_SHARED"); v != "" {
		shared = v
	}
	if flag.NArg() > 0 {
		shared = flag.Arg(0)
	}
	path := filepath.Join(shared, "data", "judge_mtrag", "items.jsonl")
	items, err := read(path)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("WORKBENCH_REQUIRE_SHARED") != "1" {
		fmt.Printf("skipped: there is no %s; name the folder that holds data/, or set WORKBENCH_SHARED\n", path)
		return
	}
	if err == nil {
		err = tables(items, *runs, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "noise:", err)
		os.Exit(1)
	}
}

// item is one answer with its ratings by dimension.
type item struct {
	Human map[string][]float64 `json:"human"`
}

func read(path string) ([]item, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	var items []item
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var i item
		if err := json.Unmarshal(lines.Bytes(), &i); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, len(items)+1, err)
		}
		items = append(items, i)
	}
	return items, lines.Err()
}

var dimensions = []string{"faithfulness", "appropriateness", "completeness", "naturalness"}

func tables(items []item, runs int, seed uint64) error {
	fmt.Println("| ratings | answers with 2 or more | SD of a rating | ICC(1) | two people disagree: observed | predicted | differ by 0 / 1 / 2 / 3: observed | predicted | chi-square p | drawn votes disagree |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, name := range dimensions {
		f, err := fitKernel(ratingsOf(items, name), seed)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("| %s | %d | %.2f | %.2f | %.3f | %.3f | %s | %s | %.2f | %.3f |\n",
			name, f.items, f.sd, f.icc, 1-f.observed[0], 1-f.predicted[0], shares(f.observed), shares(f.predicted), f.p, f.drawn)
	}
	fmt.Println("\n| ratings | answers | called worse by | found of 10 planted | false | precision | false if nothing changed | further votes | if nothing changed |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, name := range dimensions {
		rows, n, err := play(ratingsOf(items, name), runs, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, r := range rows {
			fmt.Printf("| %s | %d | %s | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f |\n", name, n, r.name, r.found[0]/float64(planted*runs),
				r.wrong[0]/float64(runs),
				r.found[0]/(r.found[0]+r.wrong[0]), r.wrong[1]/float64(runs), r.extra[0]/float64(runs), r.extra[1]/float64(runs))
		}
	}
	return nil
}

func shares(v [levels]float64) string {
	return fmt.Sprintf("%.3f / %.3f / %.3f / %.3f", v[0], v[1], v[2], v[3])
}

// ratingsOf are the ratings of the answers that at least two people rated.
func ratingsOf(items []item, name string) [][]float64 {
	var out [][]float64
	for _, i := range items {
		if len(i.Human[name]) > 1 {
			out = append(out, i.Human[name])
		}
	}
	return out
}
