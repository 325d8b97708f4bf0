package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// experimentOf writes an experiment of LangSmith; a score "" leaves the column out.
func experimentOf(t *testing.T, path, model, score string) {
	t.Helper()
	header, end := "inputs,reference_outputs,outputs,run,status,error,latency,tokens,session_rank_id", ""
	if score != "" {
		header, end = header+",correctness", ","+score
	}
	lines := []string{header}
	for i := range 60 {
		lines = append(lines, fmt.Sprintf(`"{""question"": ""How long is way %d?""}","{""answer"": ""%d km""}","{""output"": ""%s: %d km""}",`+
			"%s%d,success,,1.2,100,%d%s", i, i, model, i, model, i, i, end))
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestScoresOfAnExperimentDecide: a fall of the scores of an experiment of LangSmith fails the gate of two files, and whatever numbers of
// theirs are no scores is named by each command. A run without the file's scores is not said to hold them.
func TestScoresOfAnExperimentDecide(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	experimentOf(t, b.path("old.csv"), "one", "0.9")
	experimentOf(t, b.path("new.csv"), "two", "0.1")
	experimentOf(t, b.path("bare.csv"), "three", "")
	for lang, want := range map[string][2]string{
		"en": {"not read as scores, and decide nothing: session_rank_id", "figures of operation, which are no scores"},
		"ja": {"採点として読まないため、判定に使いません：session_rank_id", "運用の数値で"},
	} {
		for _, command := range []string{"gate", "compare"} {
			o := b.run(command, "--lang", lang, "{}/old.csv", "{}/new.csv")
			all := o.stdout + o.stderr
			if !strings.Contains(all, want[0]) || !strings.Contains(all, want[1]) || !strings.Contains(all, "LangSmith: correctness") ||
				command == "gate" && o.code != program.ExitGateFail {
				t.Errorf("%s, %s: exit %d\n%s", command, lang, o.code, all)
			}
		}
	}
	if o := b.run("gate", "{}/old.csv", "{}/bare.csv"); o.code != program.ExitNotComparable ||
		!strings.Contains(o.stderr, "no column of scores was read in") || !strings.Contains(o.stderr, "session_rank_id") {
		t.Errorf("without scores: exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	o := b.must("import-results", "{}/new.csv", "--name", "new")
	if !strings.Contains(o.stderr, "columns of numbers that were not read as scores: session_rank_id") ||
		!strings.Contains(o.stdout, "holds the scores") || !strings.Contains(o.stdout, "langsmith.correctness") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
	o = b.must("import-results", "{}/bare.csv", "--name", "bare")
	if strings.Contains(o.stdout, "holds the scores") || !strings.Contains(o.stdout, "no scores were read from the file") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
}
