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

// tableOf is a file of this text, read as `workbench compare` and `gate` read it.
func tableOf(t *testing.T, name, header string, n int, row func(i int) string) *foreign.ScoreTable {
	t.Helper()
	lines := []string{header}
	for i := range n {
		lines = append(lines, row(i))
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := foreign.ReadScores(path, foreign.ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestFiguresOfOperationPassNoGate: that latency did not change says nothing of the answers. Nor does a table whose scores are there have
// it decide.
func TestFiguresOfOperationPassNoGate(t *testing.T) {
	t.Parallel()
	file := func(name, header, more string) *foreign.ScoreTable {
		return tableOf(t, name, header, 60, func(i int) string { return fmt.Sprintf("q%d,1.%d%s", i, i%7, more) })
	}
	got := gated(t, FileGate(comparedFiles(t, file("a.csv", "id,latency", ""), file("b.csv", "id,latency", ""),
		FileRules{Lower: []string{"latency"}})), DefaultGateRules())
	if c := checkOf(t, got, "quality"); got.Decision != stats.Inconclusive || c.Decision != stats.Inconclusive ||
		!strings.Contains(c.Message, "nothing that says how good the answers are was compared") ||
		!strings.Contains(c.MessageJA, "運用の数値") {
		t.Errorf("%s %q", got.Decision, got.Reasons)
	}
	rules := DefaultGateRules()
	rules.Thresholds = []Threshold{{"latency", "<=", 2}}
	got = gated(t, FileGate(comparedFiles(t, file("a.csv", "id,latency", ""), file("b.csv", "id,latency", ""),
		FileRules{Lower: []string{"latency"}})), rules)
	for _, c := range got.Checks {
		if c.Name == "quality" {
			t.Errorf("somebody set a limit for it: %s", c.Message)
		}
	}
	both := comparedFiles(t, file("a.csv", "id,latency,mark", ",1"), file("b.csv", "id,latency,mark", ",1"),
		FileRules{Lower: []string{"latency"}, Higher: []string{"mark"}})
	if len(both.DecideBy) != 1 || both.DecideBy[0] != "mark" {
		t.Errorf("decided by %q", both.DecideBy)
	}
	if got := gated(t, FileGate(both), DefaultGateRules()); got.Decision != stats.Pass {
		t.Errorf("%s %q", got.Decision, got.Reasons)
	}
}

// TestMissingScoresAreTheReason: where the scores that are there would pass, the sentence names those that lack, in both languages.
func TestMissingScoresAreTheReason(t *testing.T) {
	t.Parallel()
	for lacking, want := range map[int][2]string{
		60: {"That is more than the limit of 0.2", "許容幅0.2（尺度1〜5の5%、RAG Workbenchの既定値）を超えています"},
		12: {"Whether a fall stays below the limit of 0.2", "以上の低下の可能性を排除できないため、判定できません"},
	} {
		r := gated(t, gateArms(missing(repeat(200, 0), lacking), nil), DefaultGateRules())
		c := checkOf(t, r, "not_worse")
		if !c.Missing || c.Lacking != lacking || c.WorstCase == nil || !strings.Contains(c.Message, want[0]) ||
			!strings.Contains(c.MessageJA, want[1]) ||
			!strings.HasPrefix(c.Message, fmt.Sprintf("With the worst value for %d missing scores of the candidate, "+
				"the mean of correctness fell by ", lacking)) ||
			!strings.HasPrefix(c.MessageJA, fmt.Sprintf("候補だけに採点のない%d件を最も悪い値とすると、正確性の平均は", lacking)) ||
			!strings.Contains(c.Message, fmt.Sprintf("Without the missing scores: The mean of correctness did not change (%d questions)", 200-lacking)) {
			t.Errorf("%d: %s %+v\n%s\n%s", lacking, c.Decision, c, c.Message, c.MessageJA)
		}
	}
	whole := checkOf(t, gated(t, gateArms(repeat(200, 0), nil), DefaultGateRules()), "not_worse")
	if whole.Missing || whole.Lacking != 0 || whole.WorstCase != nil || strings.Contains(whole.Message, "missing") {
		t.Errorf("nothing is missing: %s", whole.Message)
	}
}

// TestFilesSayWhatWasNotRead: numbers that are no scores are named with their files, once for both.
func TestFilesSayWhatWasNotRead(t *testing.T) {
	t.Parallel()
	file := func(name string) *foreign.ScoreTable {
		return tableOf(t, name, "inputs,reference_outputs,outputs,status,latency,session_rank_id,correctness", 30, func(i int) string {
			return fmt.Sprintf("How long is %d?,Two,Two %s,success,1.5,%d,0.9", i, name, i)
		})
	}
	c := comparedFiles(t, file("a.csv"), file("b.csv"), FileRules{})
	en, ja := strings.Join(c.Warnings, "\n"), strings.Join(c.WarningsJA, "\n")
	for _, want := range []string{"decide nothing: session_rank_id (", "decide nothing: latency (", "a.csv", "b.csv"} {
		if strings.Count(en, want) == 0 {
			t.Errorf("%q is not said: %s", want, en)
		}
	}
	if strings.Count(en, "latency") != 1 || !strings.Contains(ja, "採点として読まないため、判定に使いません：session_rank_id") ||
		!strings.Contains(ja, "運用の数値で") {
		t.Errorf("%s\n%s", en, ja)
	}
	if len(c.DecideBy) != 1 || c.DecideBy[0] != "langsmith.correctness" {
		t.Errorf("decided by %q", c.DecideBy)
	}
}

// TestTheSameAnswerIsUnchangedInFiles as it is in two runs, and is said where the scores moved. Who says that scores are settled is taken
// at their word.
func TestTheSameAnswerIsUnchangedInFiles(t *testing.T) {
	t.Parallel()
	file := func(name, score string) *foreign.ScoreTable {
		return tableOf(t, name, "user_input,response,reference,answer_correctness", 20, func(i int) string {
			answer, given := "Two", "0.9"
			if i < 5 {
				given = score
			}
			if i == 0 {
				answer += " in " + name
			}
			return fmt.Sprintf("How long is %d?,%s,Two,%s", i, answer, given)
		})
	}
	before, after := file("a.csv", "0.9"), file("b.csv", "0.1")
	c := comparedFiles(t, before, after, FileRules{})
	en, ja := strings.Join(c.Warnings, "\n"), strings.Join(c.WarningsJA, "\n")
	if c.VerdictCounts.NeedsCheck != 1 || c.VerdictCounts.NoChange != 19 ||
		!strings.Contains(en, "4 questions have the same answer in both files, though other scores") ||
		!strings.Contains(ja, "4問は両方のファイルで回答が同じで、採点だけが違う") {
		t.Errorf("%+v: %s\n%s", c.VerdictCounts, en, ja)
	}
	if c := comparedFiles(t, before, after, FileRules{Deterministic: true}); c.VerdictCounts.Worse != 5 ||
		strings.Contains(strings.Join(c.Warnings, "\n"), "same answer") {
		t.Errorf("%+v: %q", c.VerdictCounts, c.Warnings)
	}
}
