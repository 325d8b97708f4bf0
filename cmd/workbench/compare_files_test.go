package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// newScores is a folder with score files, and no data directory.
func newScores(t *testing.T) *bench {
	t.Helper()
	b := bareBench(t)
	if err := os.CopyFS(b.dir, os.DirFS(filepath.Join("testdata", "scores"))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := os.Stat(b.path("data")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("comparing files touched the data directory (%v)", err)
		}
	})
	return b
}

func TestScoreFileTranscripts(t *testing.T) {
	t.Parallel()
	b := newScores(t)
	steps := []struct {
		name string
		code int
		args []string
	}{
		{"scores-compare", program.ExitDone, []string{"compare", "{}/old.csv", "{}/new.csv"}},
		{"scores-same", program.ExitDone, []string{"compare", "{}/old.csv", "{}/same.csv"}},
		{"scores-once", program.ExitDone, []string{"compare", "{}/old.csv", "{}/once.csv", "--worst", "3"}},
		{"scores-only", program.ExitDone, []string{"compare", "{}/old.csv", "{}/new.csv", "--only", "worse", "--json", "--metric",
			"correctness"}},
		{"scores-gate-fail", program.ExitGateFail, []string{"gate", "{}/old.csv", "{}/new.csv", "--min", "faithfulness >= 0.7"}},
		{"scores-gate-pass", program.ExitDone, []string{"gate", "{}/old.csv", "{}/same.csv", "--min", "faithfulness >= 0.7"}},
		{"scores-gate-one", program.ExitGateFail, []string{"gate", "{}/new.csv", "--min", "correctness >= 4.5"}},
		{"scores-help", program.ExitDone, []string{"compare", "--help"}},
		{"gate-help", program.ExitDone, []string{"gate", "--help"}},
	}
	for _, s := range steps {
		o := b.run(s.args...)
		if o.code != s.code {
			t.Errorf("%s: exit %d, want %d\n%s%s", s.name, o.code, s.code, o.stdout, o.stderr)
		}
		golden(t, s.name+".txt", o.stdout+"-- stderr --\n"+o.stderr)
	}
}

func TestScoreFileMistakes(t *testing.T) {
	t.Parallel()
	b := newScores(t)
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(b.path(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("empty.csv", "")
	write("word.csv", "id,correctness\nq01,high\nq02,4\n")
	write("noid.csv", "name,correctness\nq01,4\n")
	write("twice.csv", "id,replicate,correctness\nq01,1,4\nq01,1,5\n")
	write("percent.csv", "id,accuracy\nq1,50\nq2,70\nq3,90\nq4,20\nq5,0\n")
	write("share.csv", "id,accuracy\nq1,0.5\nq2,0.7\nq3,0.9\nq4,0.2\nq5,0\n")
	write("other.csv", "id,correctness\nz1,4\n")
	write("few.csv", "id,correctness\n"+strings.Repeat("q01,\n", 0)+"q01,5\nq02,5\nq03,5\n")
	tests := []struct {
		name string
		args []string
		code int
		says string
	}{
		{"empty", []string{"compare", "{}/old.csv", "{}/empty.csv"}, program.ExitUsage, "DIR/empty.csv is empty"},
		{"one question", []string{"compare", "{}/old.csv", "{}/new.csv", "--question", "q04"}, program.ExitUsage,
			"of files of scores it shows none"},
		{"a word", []string{"compare", "{}/old.csv", "{}/word.csv"}, program.ExitUsage,
			`DIR/word.csv line 2 (q01), correctness: "high" is no number`},
		{"no id", []string{"compare", "{}/old.csv", "{}/noid.csv"}, program.ExitUsage,
			"DIR/noid.csv has neither ids nor questions; its columns are: name, correctness"},
		{"twice", []string{"compare", "{}/twice.csv", "{}/old.csv"}, program.ExitUsage, "DIR/twice.csv line 3 (q01), replicate"},
		{"other ids", []string{"compare", "{}/old.csv", "{}/other.csv"}, program.ExitNotComparable, "share no question"},
		{"other ids at a gate", []string{"gate", "{}/old.csv", "{}/other.csv"}, program.ExitNotComparable, "share no question"},
		{"missing file", []string{"compare", "{}/old.csv", "{}/nowhere.csv"}, program.ExitUsage, "nowhere.csv"},
		{"a file and a run", []string{"compare", "{}/old.csv", "faq"}, program.ExitUsage, "two files of scores"},
		{"one file", []string{"compare", "{}/old.csv"}, program.ExitUsage, "two files of scores"},
		{"verify", []string{"compare", "{}/old.csv", "{}/new.csv", "--verify"}, program.ExitUsage, "cannot be verified here"},
		{"verify at a gate", []string{"gate", "{}/old.csv", "{}/new.csv", "--verify"}, program.ExitUsage, "cannot be verified here"},
		{"plan of nothing at a gate", []string{"gate", "a", "b", "--plan"}, program.ExitUsage, "belong to --verify"},
		{"plan of nothing", []string{"compare", "a", "b", "--plan"}, program.ExitUsage, "belong to --verify"},
		{"label", []string{"compare", "{}/old.csv", "{}/new.csv", "--only", "bad"}, program.ExitUsage, `"bad" is no label`},
		{"metric", []string{"compare", "{}/old.csv", "{}/new.csv", "--metric", "bad"}, program.ExitUsage, `no metric "bad"`},
		{"threshold", []string{"gate", "{}/old.csv", "{}/new.csv", "--min", "bad"}, program.ExitUsage, `"bad" is no threshold`},
		{"threshold of an unknown metric", []string{"gate", "{}/old.csv", "{}/new.csv", "--min", "bad > 1"}, program.ExitUsage,
			`no metric "bad"`},
		{"two scales", []string{"compare", "{}/share.csv", "{}/percent.csv"}, program.ExitNotComparable, "looks like two scales"},
		{"one file twice", []string{"compare", "{}/old.csv", "{}/old.csv"}, program.ExitDone, "old.csv stands on both sides"},
		{"margin", []string{"gate", "{}/old.csv", "{}/new.csv", "--margin", "2"}, program.ExitUsage, "neither auto nor"},
		{"one file without a rule", []string{"gate", "{}/old.csv"}, program.ExitUsage, "nothing to decide by"},
		{"most is missing", []string{"gate", "{}/old.csv", "{}/few.csv"}, program.ExitIncomplete, "3 of 30 scores"},
		{"inconclusive, strictly", []string{"gate", "{}/few.csv", "{}/old.csv", "--margin", "0.01", "--strict"},
			program.ExitGateInconclusive, ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			o := b.run(c.args...)
			if o.code != c.code || !strings.Contains(o.stderr, c.says) {
				t.Errorf("exit %d, want %d; want %q in\n%s%s", o.code, c.code, c.says, o.stdout, o.stderr)
			}
			if (c.code == program.ExitUsage || c.code == program.ExitNotComparable) && !strings.Contains(o.stderr, "hint: ") {
				t.Errorf("no hint in\n%s", o.stderr)
			}
		})
	}
}

// TestWhatCannotBeDecidedSaysItsExitCode: beside the text, or apart from what a program reads; a decision has no such line, nor has a code
// of its own under --strict.
func TestWhatCannotBeDecidedSaysItsExitCode(t *testing.T) {
	t.Parallel()
	b := newScores(t)
	if err := os.WriteFile(b.path("few.csv"), []byte("id,correctness\nq01,5\nq02,5\nq03,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := []string{"gate", "{}/few.csv", "{}/old.csv", "--margin", "0.01"}
	for _, c := range []struct {
		more []string
		code int
		want [2]int // times that it is said on standard output and standard error
	}{
		{nil, program.ExitDone, [2]int{1, 0}}, {[]string{"--quiet"}, program.ExitDone, [2]int{1, 0}},
		{[]string{"--json"}, program.ExitDone, [2]int{0, 1}}, {[]string{"--junit", "-"}, program.ExitDone, [2]int{0, 1}},
		{[]string{"--markdown", "-"}, program.ExitDone, [2]int{0, 1}}, {[]string{"--strict"}, program.ExitGateInconclusive, [2]int{}},
	} {
		for lang, line := range map[string]string{"en": "exit code 0 all the same; --strict makes it 4\n",
			"ja": "判定不能ですが、終了コードは0です。--strict を付けると4になります\n"} {
			o := b.run(append(append(slices.Clone(open), "--lang", lang), c.more...)...)
			if said := [2]int{strings.Count(o.stdout, line), strings.Count(o.stderr, line)}; o.code != c.code || said != c.want {
				t.Errorf("%v in %s: exit %d, said %v times\n%s%s", c.more, lang, o.code, said, o.stdout, o.stderr)
			}
		}
	}
	for _, other := range []string{"{}/new.csv", "{}/same.csv"} {
		if o := b.run("gate", "{}/old.csv", other); strings.Contains(o.stdout+o.stderr, "exit code") {
			t.Errorf("%s is decided:\n%s%s", other, o.stdout, o.stderr)
		}
	}
}

func TestGateFiles(t *testing.T) {
	t.Parallel()
	b := newScores(t)
	if o := b.run("gate", "{}/old.csv", "{}/new.csv", "--junit", "{}/gate.xml", "--markdown", "{}/gate.md",
		"--json"); o.code != program.ExitGateFail || !json.Valid([]byte(o.stdout)) {
		t.Errorf("exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	body, err := os.ReadFile(b.path("gate.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal(body, &suite); err != nil || suite.Tests < 4 || suite.Failures < 1 {
		t.Errorf("%+v, %v\n%s", suite, err, body)
	}
	if body, err = os.ReadFile(b.path("gate.md")); err != nil || !strings.Contains(string(body), "❌ FAIL") {
		t.Errorf("%v\n%s", err, body)
	}
}

// TestTenThousandRows come to a list in well under ten seconds of a processor.
func TestTenThousandRows(t *testing.T) {
	t.Parallel()
	b := newScores(t)
	for arm, name := range []string{"a.csv", "b.csv"} {
		var s strings.Builder
		s.WriteString("id,replicate,correctness,faithfulness,passed,points\n")
		for i := range 10_000 {
			question, vote := i/2, i%2
			noise := (i*7919+arm*104729+vote*31)%97 == 0
			level, share := 3+question%3, float64(question%11)/11
			if noise {
				level--
			}
			if arm == 1 && question%500 == 0 {
				level, share = 1, 0
			}
			fmt.Fprintf(&s, "q%d,%d,%d,%.3f,%d,%d\n", question, vote, level, share, question%2, 500+question%700+(i*arm)%3)
		}
		if err := os.WriteFile(b.path(name), []byte(s.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// In a process of its own: what others do meanwhile is not counted.
	compare := []string{"compare", "--lang", "en", "a.csv", "b.csv"}
	cmd := exec.CommandContext(t.Context(), os.Args[0], compare...) //nolint:gosec // the test binary itself
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), asProgram+"=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > 10*time.Second {
		t.Errorf("a processor worked %s for two files of 10,000 rows", took)
	} else {
		t.Logf("two files of 10,000 rows, 4 metrics: %s of a processor", took)
	}
	if !strings.Contains(string(out), "5000 questions in both") {
		t.Errorf("%s", out)
	}
}

// TestVerifyOfDeterministicRuns says that one vote settled them.
func TestVerifyOfDeterministicRuns(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	b.must("run", "{}/sweep.yaml")
	o := b.must("compare", "closed", "faq", "--verify", "--plan")
	if !strings.Contains(o.stdout, "one vote settled every question, and there is nothing to buy") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
	if o = b.must("compare", "closed", "faq", "--verify"); !strings.Contains(o.stderr, "there is nothing to buy") ||
		!strings.Contains(o.stdout, "METRIC") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
	if o = b.must("baseline", "set", "closed", "--replicates", "3"); !strings.Contains(o.stderr, "nothing to buy") ||
		!strings.Contains(o.stdout, "is the baseline of dataset") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
	gate := b.run("gate", "closed", "faq", "--json")
	if gate.code != program.ExitDone && gate.code != program.ExitGateFail || !json.Valid([]byte(gate.stdout)) {
		t.Errorf("exit %d\n%s%s", gate.code, gate.stdout, gate.stderr)
	}
	var view map[string]any // as over HTTP
	if err := json.Unmarshal([]byte(gate.stdout), &view); err != nil || view["offline"] != true || view["outcome"] == nil ||
		view["caution"] == nil {
		t.Errorf("%v: %s", err, gate.stdout)
	}
	if o := b.run("gate", "faq", "closed"); o.code != program.ExitGateFail || !strings.Contains(o.stdout, "FAIL") {
		t.Errorf("closed-book answers pass: exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
}

// TestCompareToolFiles compares what other tools exported as it is: all answers of the second file are worse in every measure, also where
// less is better.
func TestCompareToolFiles(t *testing.T) {
	t.Parallel()
	b := newScores(t)
	const questions = 12
	write := func(name string, line func(i int, good bool) string, head, tail, between string) {
		t.Helper()
		for arm, good := range map[string]bool{"old-": true, "new-": false} {
			lines := make([]string, questions)
			for i := range lines {
				lines[i] = line(i, good)
			}
			if err := os.WriteFile(b.path(arm+name), []byte(head+strings.Join(lines, between)+tail), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	pick := func(good bool, yes, no string) string {
		if good {
			return yes
		}
		return no
	}
	write("ragas.csv", func(i int, good bool) string {
		return fmt.Sprintf("Question %d?,Answer.,%s,%s", i, pick(good, "0.9", "0.1"), pick(good, "0", "1"))
	}, "user_input,response,faithfulness,noise_sensitivity(mode=relevant)\n", "\n", "\n")
	write("deepeval.json", func(i int, good bool) string {
		return fmt.Sprintf(`{"input":"Question %d?","actualOutput":"Answer.","metricsData":[{"name":"Hallucination","threshold":0.5,"success":%t,"score":%s}]}`,
			i, good, pick(good, "0.0", "1.0"))
	}, `{"testCases":[`, `]}`, ",")
	write("promptfoo.json", func(i int, good bool) string {
		return fmt.Sprintf(`{"vars":{"question":"Question %d?"},"provider":{"id":"bot"},"prompt":{"label":"p"},"response":{"output":"Answer."},"success":%t,"score":%s,"namedScores":{}}`,
			i, good, pick(good, "1", "0"))
	}, `{"results":{"results":[`, `]}}`, ",")
	write("mlflow.json", func(i int, good bool) string {
		return fmt.Sprintf(`["Question %d?","Answer.",%s]`, i, pick(good, "0.01", "0.95"))
	}, `{"columns":["inputs","outputs","toxicity/v1/score"],"data":[`, `]}`, ",")
	write("langfuse.json", func(i int, good bool) string {
		return fmt.Sprintf(`{"traceId":"%s%d","experimentItemId":"i%d","input":"Question %d?","output":"Answer.","scores":[{"name":"hallucination","value":%s,"dataType":"NUMERIC"}]}`,
			pick(good, "a", "b"), i, i, i, pick(good, "0", "1"))
	}, `{"data":[`, `],"meta":{}}`, ",")
	for name, decides := range map[string]string{
		"ragas.csv": "ragas.faithfulness", "deepeval.json": "deepeval.hallucination", "promptfoo.json": "promptfoo.score",
		"mlflow.json":   "mlflow.toxicity",
		"langfuse.json": "langfuse.hallucination",
	} {
		t.Run(name, func(t *testing.T) {
			o := b.run("compare", "{}/old-"+name, "{}/new-"+name, "--deterministic", "--json")
			var got struct {
				DecideBy []string       `json:"decide_by"`
				Counts   map[string]int `json:"verdict_counts"`
			}
			if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || o.code != program.ExitDone {
				t.Fatalf("exit %d: %v\n%s", o.code, err, o.stderr)
			}
			if got.DecideBy[0] != decides || got.Counts["worse"] != questions {
				t.Errorf("by %v: %v", got.DecideBy, got.Counts)
			}
			if o := b.run("gate", "{}/old-"+name, "{}/new-"+name, "--deterministic"); o.code != program.ExitGateFail {
				t.Errorf("the gate ends with %d\n%s%s", o.code, o.stdout, o.stderr)
			}
			if o := b.run("gate", "{}/new-"+name, "{}/old-"+name, "--deterministic"); o.code != program.ExitDone {
				t.Errorf("the gate of the way back ends with %d\n%s%s", o.code, o.stdout, o.stderr)
			}
		})
	}
	write("tone.csv", func(i int, good bool) string { return fmt.Sprintf("q%d,%s", i, pick(good, "1", "0")) }, "id,tone\n", "\n", "\n")
	if o := b.run("compare", "{}/old-tone.csv", "{}/new-tone.csv"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, `in tone`) || !strings.Contains(o.stderr, `--higher "tone"; where less is, write --lower`) {
		t.Errorf("a direction nobody knows: exit %d\n%s", o.code, o.stderr)
	}
	if o := b.run("compare", "{}/old-tone.csv", "{}/new-tone.csv", "--lower", "tone", "--deterministic"); o.code != program.ExitDone ||
		!strings.Contains(o.stdout, "12 better") {
		t.Errorf("a direction that was said: exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
}

// TestTwoSheetsOfOneWorkbook: a workbook with a sheet for each run is compared with itself, sheet by sheet.
func TestTwoSheetsOfOneWorkbook(t *testing.T) {
	t.Parallel()
	b := newScores(t)
	f := excelize.NewFile()
	defer f.Close()
	for sheet, score := range map[string]float64{"October, 1": 0.25, "November": 0.75} {
		if _, err := f.NewSheet(sheet); err != nil {
			t.Fatal(err)
		}
		for i, row := range [][]any{{"id", "accuracy"}, {"q1", score}, {"q2", score}} {
			if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := f.SaveAs(b.path("runs.xlsx")); err != nil {
		t.Fatal(err)
	}
	o := b.run("compare", "{}/runs.xlsx", "{}/runs.xlsx", "--sheet", "October, 1", "--sheet", "November", "--json")
	var got struct {
		Baseline, Candidate string
		Metrics             []struct{ Baseline, Candidate float64 }
	}
	if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || len(got.Metrics) != 1 {
		t.Fatalf("%v %s%s", err, o.stdout, o.stderr)
	}
	if m := got.Metrics[0]; m.Baseline != 0.25 || m.Candidate != 0.75 || !strings.HasSuffix(got.Baseline, "runs.xlsx [October, 1]") ||
		!strings.HasSuffix(got.Candidate, "runs.xlsx [November]") || strings.Contains(o.stderr, "both sides") {
		t.Errorf("%+v\n%s", got, o.stderr)
	}
}
