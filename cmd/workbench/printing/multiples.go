package printing

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// multiplesAcross is how many small tables stand side by side: three fit a terminal of 100 columns.
const multiplesAcross = 3

// Multiples prints the bubble table of every configuration of a sweep side by side, all on one scale: trust down from 5 to 1,
// correctness across from 1 to 5, a dot where no answer is.
func (p RunPrinter) Multiples(w *app.Workbench, runs []experiments.Run) error {
	p.Say("answers by trust (down, 5 to 1) and correctness (across, 1 to 5):")
	for start := 0; start < len(runs); start += multiplesAcross {
		row := runs[start:min(start+multiplesAcross, len(runs))]
		lines := make([]string, 7)
		for _, r := range row {
			results, err := experiments.PooledResults(p.Context, w.Store, r.ID)
			if err != nil {
				return err
			}
			table, _ := app.BubbleTable(results, r.Setup.LowScore)
			for i, line := range multiple(r, table) {
				lines[i] += line
			}
		}
		p.Say("")
		for _, line := range lines {
			p.Say("%s", strings.TrimRight(line, " "))
		}
	}
	return nil
}

// multiple is one small table of seven lines with a margin at its right.
func multiple(r experiments.Run, table [5][5]int) []string {
	const width = 34
	lines := []string{r.ID, program.OneLine(experiments.Describe(r.Params), width-2)}
	for trust := 4; trust >= 0; trust-- {
		var line strings.Builder
		fmt.Fprintf(&line, "%d ", trust+1)
		for _, n := range table[trust] {
			if n == 0 {
				line.WriteString("    ·")
			} else {
				fmt.Fprintf(&line, "%5d", n)
			}
		}
		lines = append(lines, line.String())
	}
	for i, line := range lines {
		lines[i] = line + strings.Repeat(" ", max(1, width-len([]rune(line))))
	}
	return lines
}
