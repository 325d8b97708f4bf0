package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/stats"
)

// gatedFiles is the gate of two tables of Ragas with these rows after the question and the answer.
func gatedFiles(t *testing.T, head, before, after string, answers [2]string) (FileComparison, GateResult) {
	t.Helper()
	var tables [2]*foreign.ScoreTable
	for side, row := range []string{before, after} {
		text := "user_input,response," + head + "\n"
		for i := range 40 {
			cells := row
			if i%2 == 0 { // the other half is as before
				cells = before
			}
			text += fmt.Sprintf("Question %d?,%s,%s\n", i, answers[side], cells)
		}
		tables[side] = scoresOf(t, text)
	}
	c, err := CompareScores(tables[0], tables[1], FileRules{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := Gate(FileGate(c), DefaultGateRules())
	if err != nil {
		t.Fatal(err)
	}
	return c, g
}

func TestAGateOfFilesSaysWhatItRestsOn(t *testing.T) {
	t.Parallel()
	_, g := gatedFiles(t, "latency", "1.5", "1.5", [2]string{"a", "b"})
	if g.Decision != stats.Inconclusive || g.Checks[0].Name != "quality" {
		t.Errorf("latency alone: %+v", g)
	}
	_, g = gatedFiles(t, "answer_correctness", "0.9", "", [2]string{"a", "b"})
	if c := g.Checks[0]; g.Decision != stats.Fail || c.Lacking != 20 || strings.Contains(c.Message, "is not worse") ||
		!strings.Contains(c.Message, "That is more than the limit") || !strings.Contains(c.MessageJA, "既定値）を超えています") {
		t.Errorf("half is missing: %+v", g)
	}
	c, _ := gatedFiles(t, "answer_correctness", "0.9", "0.1", [2]string{"a", "a"})
	if c.VerdictCounts.NoChange != 40 || !strings.Contains(strings.Join(c.Warnings, " "), "20 questions have the same answer") {
		t.Errorf("the same answers: %+v %v", c.VerdictCounts, c.Warnings)
	}
	if c, _ = gatedFiles(t, "answer_correctness", "0.9", "0.1", [2]string{"a", "b"}); c.VerdictCounts.NeedsCheck != 20 {
		t.Errorf("other answers: %+v", c.VerdictCounts)
	}
	c, _ = gatedFiles(t, "answer_correctness,row_no", "0.9,1", "0.9,1", [2]string{"a", "b"})
	if !strings.Contains(strings.Join(c.Warnings, " "), "row_no") {
		t.Errorf("what is not read is not named: %v", c.Warnings)
	}
}

// scoresOf reads a text as a file of scores.
func scoresOf(t *testing.T, text string) *foreign.ScoreTable {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := foreign.ReadScores(path, foreign.ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestScoringAgainIsAdvisedWhereItMayHelp: three scores of each question are asked for where single answers are in doubt, but not where the
// check fails already, which they would not change.
func TestScoringAgainIsAdvisedWhereItMayHelp(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for _, all := range []float64{0, -.01, -.1, -.2} { // every answer
		for _, far := range []int{0, 1, 9} { // and so many more of 60
			var sides [2][]scoreRow
			for i := range 60 {
				before := .7 + float64(i%5)*.02
				after := before + all
				if i < far {
					after -= .4
				}
				id := fmt.Sprint("q", i)
				sides[0], sides[1] = append(sides[0], row(id, one1(before))), append(sides[1], row(id, one1(after)))
			}
			c := comparedFiles(t, scores("old.csv", []string{"correctness"}, sides[0]...), scores("new.csv", []string{"correctness"},
				sides[1]...), FileRules{})
			g := gated(t, FileGate(c), DefaultGateRules())
			advised := strings.Contains(strings.Join(g.Said, " "), "scored three times")
			if want := g.Decision != stats.Fail && g.InDoubt(); advised != want {
				t.Errorf("all by %g, %d far: %s, advised %t: %v", all, far, g.Decision, advised, g.Said)
			}
			seen[fmt.Sprint(g.Decision, " ", advised)]++
			exact := comparedFiles(t, scores("old.csv", []string{"correctness"}, sides[0]...), scores("new.csv", []string{"correctness"},
				sides[1]...), FileRules{Deterministic: true})
			g = gated(t, FileGate(exact), DefaultGateRules())
			small := strings.Contains(checkOf(t, g, "share_worse").Message, "changed enough to count as worse, though")
			if want := g.Counts.Worse == 0 && checkOf(t, g, "not_worse").Decision == stats.Fail; small != want {
				t.Errorf("all by %g, %d far: %+v, small changes %t", all, far, g.Checks, small)
			}
			seen[fmt.Sprint("small ", small)]++
		}
	}
	for _, must := range []string{"FAIL false", "INCONCLUSIVE true", "PASS false", "small true", "small false"} {
		if seen[must] == 0 {
			t.Errorf("%q is not among %v", must, seen)
		}
	}
}
