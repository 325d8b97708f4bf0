package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

const deskSheet = "Question list of the front desk,,,\n,,,\nNr,What people ask,What we should say,Comes from\n" +
	"1,When are you open?,From 8 am to 8 pm.,hours.txt\n2,What does a badge cost?,15 euros.,fees.txt\n3,Is there parking?,not in the manual,\n"

func desk(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	for name, content := range map[string]string{
		"manual/hours.txt": "The workshop is open from 8 am to 8 pm.", "manual/fees.txt": "A lost badge costs 15 euros.",
		"manual/empty.txt": "",
		"manual/scan.pdf":  "no pdf at all", "sheet.csv": deskSheet,
	} {
		if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(b.path(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestInitTakesWhatPeopleHave starts with a folder that has damaged files and a sheet with a title above its header.
func TestInitTakesWhatPeopleHave(t *testing.T) {
	b := desk(t)
	t.Chdir(b.path("."))
	o := b.must("init", "manual", "sheet.csv")
	for _, says := range []string{
		"2 documents", "3 questions", "right answer", "left out: empty.txt: the document", "left out: scan.pdf is not a PDF",
		"wrote experiments/1-baseline.yaml",
		"none in 1 row", `"Question list of the front desk"`, "2 of 2 name a document",
	} {
		if !strings.Contains(o.stdout+o.stderr, says) {
			t.Errorf("init does not say %q:\n%s%s", says, o.stdout, o.stderr)
		}
	}
	again := b.must("init", "manual", "sheet.csv")
	if !strings.Contains(again.stdout, "2 documents, as before") || !strings.Contains(again.stdout, "kept experiments/1-baseline.yaml") {
		t.Errorf("the second time:\n%s", again.stdout)
	}
	if o := b.run("init", "manual", "sheet.csv", "--strict"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "empty.txt") {
		t.Errorf("strict: exit %d\n%s", o.code, o.stderr)
	}
}

// TestInitOfThisFolder leaves out of the documents what is no document of theirs: the sheet, the experiments, the data.
func TestInitOfThisFolder(t *testing.T) {
	b := desk(t)
	t.Chdir(b.path("manual"))
	if err := os.WriteFile("questions.jsonl", []byte(`{"question":"When are you open?","reference":"From 8 am to 8 pm."}`+"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if o := b.must("init", ".", "questions.jsonl"); !strings.Contains(o.stdout, "corpus manual@1: 2 documents") ||
		!strings.Contains(o.stdout, "manual@1: 1 question\n") {
		t.Errorf("init . says:\n%s", o.stdout)
	}
}

// TestColumnsAreConfirmedOnATerminal changes a column with the arrow keys before anything is stored.
func TestColumnsAreConfirmedOnATerminal(t *testing.T) {
	b := desk(t)
	t.Chdir(b.path("."))
	const down, left = "\x1b[B", "\x1b[D"
	b.interactive, b.stdin = true, down+down+down+left+"\r\r" // the fourth column: kept beside → tag
	o := b.must("init", "manual", "sheet.csv")
	if !strings.Contains(o.stdout, "> Comes from") || !strings.Contains(o.stdout, "< tag >") ||
		!strings.Contains(o.stdout, "Enter takes this") {
		t.Errorf("init asks:\n%s", o.stdout)
	}
	b.interactive = false
	if o := b.must("dataset", "show", "manual"); !strings.Contains(o.stdout, "Comes from:hours.txt") {
		t.Errorf("the change is not in the dataset:\n%s", o.stdout)
	}
	b.interactive, b.stdin = true, "q"
	if o := b.run("init", "manual", "sheet.csv"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "nothing was imported") {
		t.Errorf("stopped: exit %d\n%s", o.code, o.stderr)
	}
}

// TestInitWritesForWhoReads: comments of the experiment files are in the language of the person; what the files set is the same.
func TestInitWritesForWhoReads(t *testing.T) {
	set := map[string]string{}
	inLang := func(t *testing.T, lang string) {
		b := desk(t)
		t.Chdir(b.path("."))
		b.must("init", "manual", "sheet.csv", "--lang", lang)
		for _, file := range []string{"experiments/1-baseline.yaml", "experiments/2-candidate.yaml"} {
			raw, err := os.ReadFile(b.path(file))
			if err != nil {
				t.Fatal(err)
			}
			said := 0
			for line := range strings.Lines(string(raw)) {
				values, comment, _ := strings.Cut(line, "#")
				set[lang] += strings.TrimSpace(values) + "\n"
				if found := sentence.FindString(notWords.ReplaceAllString(comment, "")); lang == "ja" && found != "" {
					t.Errorf("%s is English under Japanese (%q):\n%s", file, found, line)
				}
				if strings.ContainsFunc(comment, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }) {
					said++
				}
			}
			if lang == "ja" != (said > 6) {
				t.Errorf("%s in %s has %d Japanese comments:\n%s", file, lang, said, raw)
			}
		}
	}
	for _, lang := range []string{"en", "ja"} {
		t.Run(lang, func(t *testing.T) { inLang(t, lang) })
	}
	if en := set["en"]; en != set["ja"] || !strings.Contains(en, "retrieve: {mode: hybrid, k: 4}") {
		t.Errorf("in English the files set\n%s\nin Japanese\n%s", en, set["ja"])
	}
}
