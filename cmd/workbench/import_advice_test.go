package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// TestScoringAgainElsewhereIsAdvisedWhereItMayHelp: of imported scores, one for each answer, a check that cannot be decided says to score
// again there; one that fails does not, because that would not change it.
func TestScoringAgainElsewhereIsAdvisedWhereItMayHelp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, all := range map[string]float64{"was": 0, "open": 0, "fallen": -.3} {
		rows := "id,question,answer,correctness\n"
		for i := range 60 {
			score := .8 + all + float64(i%5)*.02
			if name == "open" && i < 4 {
				score -= .4
			}
			rows += fmt.Sprintf("q%d,What is %d?,%s %d.,%.2f\n", i, i, name, i, score)
		}
		if err := os.WriteFile(b.path(name+".csv"), []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"was", "open", "fallen"} {
		b.must("import-results", b.path(name+".csv"), "--name", name)
	}
	for name, code := range map[string]int{"open": program.ExitDone, "fallen": program.ExitGateFail} {
		o := b.run("gate", "was", name)
		if advised := strings.Contains(o.stdout, "have each answer scored several times and import that"); o.code != code || advised != (name == "open") {
			t.Errorf("%s ends with %d, advised %t:\n%s%s", name, o.code, advised, o.stdout, o.stderr)
		}
	}
}
