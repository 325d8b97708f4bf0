package main

import (
	"os"
	"strings"
	"testing"
)

// TestAPinnedBaselineStays: a run without names pins its first run where the dataset has no baseline; what people pinned stays, and both
// are said.
func TestAPinnedBaselineStays(t *testing.T) {
	b := desk(t)
	t.Chdir(b.path("."))
	b.must("init", "manual", "sheet.csv")
	first := b.must("run")
	if !strings.Contains(first.stdout, "is the baseline of dataset manual, which had none") {
		t.Errorf("the first run says:\n%s", first.stdout)
	}
	b.must("baseline", "set", "manual-candidate")
	pinned := b.must("baseline", "show").stdout
	again := b.must("run")
	if now := b.must("baseline", "show").stdout; now != pinned {
		t.Errorf("the baseline was\n%s and is\n%s", pinned, now)
	}
	if !strings.Contains(again.stdout, "the baseline of dataset manual stays run ") {
		t.Errorf("the second run says:\n%s", again.stdout)
	}
	if o := b.must("run", "--lang", "ja"); !strings.Contains(o.stdout, "比較の基準は実行 ") {
		t.Errorf("in Japanese:\n%s", o.stdout)
	}
}

// TestWhatWasNotMeasuredIsSaid: without right answers no answer can be wrong, and a run does not read as if all were good.
func TestWhatWasNotMeasuredIsSaid(t *testing.T) {
	b := desk(t)
	t.Chdir(b.path("."))
	if err := os.WriteFile("open.csv", []byte("question\nWhen are you open?\nWhat does a badge cost?\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if o := b.must("init", "manual", "open.csv"); !strings.Contains(o.stdout+o.stderr,
		"no right answer for 2 of 2 questions: correctness is not measured for them") {
		t.Errorf("init says:\n%s%s", o.stdout, o.stderr)
	}
	o := b.must("run", "experiments/1-baseline.yaml")
	if !strings.Contains(o.stdout, "correctness was measured for 0 of 2 answers, trust for 2: what was not measured is not counted as low") {
		t.Errorf("run says:\n%s", o.stdout)
	}
	if o := b.must("run", "experiments/1-baseline.yaml", "--lang", "ja"); !strings.Contains(o.stdout, "正確性は回答2件中0件、信頼性は2件で測定") {
		t.Errorf("in Japanese:\n%s", o.stdout)
	}
}

// TestWhatAFileReplacesIsSaid: a file with the name of an experiment makes its next revision, a schedule of a used name replaces it; both
// say so, and what changed.
func TestWhatAFileReplacesIsSaid(t *testing.T) {
	b := newBench(t)
	b.must("corpus", "import", "{}/docs", "--name", "faq")
	b.must("dataset", "import", "{}/questions.csv", "--name", "faq", "--corpus", "faq")
	b.must("experiment", "add", "{}/closed.yaml")
	if o := b.must("experiment", "add", "{}/closed.yaml"); strings.Contains(o.stderr, "revision") {
		t.Errorf("the same file again says:\n%s", o.stderr)
	}
	body, err := os.ReadFile(b.path("closed.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.path("closed.yaml"), append(body, "low_score: 3\nnotes: stricter\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if o := b.must("run", "{}/closed.yaml"); !strings.Contains(o.stderr, "revision 2 of closed (changed: low_score, notes)") {
		t.Errorf("another file of the name says:\n%s", o.stderr)
	}
	b.must("schedule", "add", "monday", "--experiment", "closed", "--cron", "0 6 * * 1")
	if o := b.must("schedule", "add", "monday", "--experiment", "closed", "--cron", "0 6 * * 1"); !strings.Contains(o.stderr, "just so") {
		t.Errorf("the same schedule again says:\n%s", o.stderr)
	}
	o := b.must("schedule", "add", "monday", "--experiment", "closed", "--cron", "0 7 * * 1", "--budget", "5calls")
	if !strings.Contains(o.stderr, "schedule monday was there already and is replaced (changed: budget.calls, cron)") {
		t.Errorf("another schedule of the name says:\n%s", o.stderr)
	}
	o = b.must("schedule", "add", "monday", "--experiment", "closed", "--cron", "0 8 * * 1", "--lang", "ja")
	if !strings.Contains(o.stderr, "登録済みのスケジュール monday を置き換えました") {
		t.Errorf("in Japanese:\n%s", o.stderr)
	}
}

// TestWhatInitAdvisesCanBeDone: the command that looks for evidence runs as init prints it, before anything was run.
func TestWhatInitAdvisesCanBeDone(t *testing.T) {
	b := desk(t)
	t.Chdir(b.path("."))
	_, advice, _ := strings.Cut(b.must("init", "manual", "sheet.csv").stdout, "how much of it search finds: workbench ")
	advice, _, found := strings.Cut(advice, " looks for the places.")
	if !found {
		t.Fatal("init gives no advice")
	}
	b.must(strings.Fields(advice)...)
}
