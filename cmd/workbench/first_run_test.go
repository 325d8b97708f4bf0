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
