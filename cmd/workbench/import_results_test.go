package main

import (
	"encoding/json"
	"html"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
)

// foreign is a file that another tool wrote.
func foreign(name string) string {
	return filepath.Join("..", "..", "internal", "experiments", "foreign", "testdata", "foreign", name)
}

// TestAnswersWithoutScoresAreSaidToHaveNone: where a file held no score and our own checker scored its answers, every door says that no
// score is the file's.
func TestAnswersWithoutScoresAreSaidToHaveNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, b.path("old.csv"), "question,answer,ground_truth\nHow long?,Two weeks.,Two weeks.\nPets?,No pets.,No pets.\n")
	write(t, b.path("new.csv"), "question,answer,ground_truth\nHow long?,Two weeks.,Two weeks.\nPets?,All pets.,No pets.\n")
	write(t, b.path("scored.csv"), "question,answer,ground_truth,score\nHow long?,Two weeks.,Two weeks.,1\nPets?,All.,No pets.,0\n")
	b.must("import-results", "{}/old.csv", "--name", "old")
	b.must("import-results", "{}/new.csv", "--name", "new")
	b.must("import-results", "{}/scored.csv", "--name", "scored")
	said := func(o outcome) string { return o.stdout + o.stderr }
	for lang, says := range map[string]string{
		"en": "None of the scores came with the imported answers: all of them were given here.",
		"ja": "取り込んだ回答にスコアは付いていませんでした。すべてのスコアは、ここで付けたものです。",
	} {
		told := func(door, text string, want bool) {
			t.Helper()
			if strings.Contains(text, says) != want {
				t.Errorf("%s, %s: %t expected of\n%s", door, lang, want, text)
			}
		}
		o := b.run("gate", "old", "new", "--lang", lang, "--junit", "{}/gate.xml", "--markdown", "{}/gate.md")
		told("gate", o.stdout, true)
		told("JUnit", file(t, b, "gate.xml"), true)
		told("comment", html.UnescapeString(file(t, b, "gate.md")), true)
		told("JSON", b.run("gate", "old", "new", "--lang", lang, "--json").stdout, true)
		told("runs show", said(b.must("runs", "show", "new", "--lang", lang)), true)
		told("compare", said(b.must("compare", "old", "new", "--lang", lang)), true)
		b.must("report", "new", "--baseline", "old", "-o", "{}/new-"+lang+".md", "--lang", lang)
		told("report", file(t, b, "new-"+lang+".md"), true)
		told("runs show of a scored file", said(b.must("runs", "show", "scored", "--lang", lang)), false)
		b.must("report", "scored", "-o", "{}/scored-"+lang+".md", "--lang", lang)
		told("report of a scored file", file(t, b, "scored-"+lang+".md"), false)
	}
}

// TestGateWritesToStandardOutput: - is standard output, where only one thing is written, and no file of that name.
func TestGateWritesToStandardOutput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, b.path("a.csv"), "id,score\nq1,1\nq2,0.5\nq3,0.7\n")
	for flag, begins := range map[string]string{"--markdown": "### ", "--junit": "<?xml"} {
		o := b.run("gate", "{}/a.csv", "{}/a.csv", flag, "-")
		if !strings.HasPrefix(o.stdout, begins) || strings.Contains(o.stdout, "\nINCONCLUSIVE") {
			t.Errorf("%s -: exit %d\n%s\n%s", flag, o.code, o.stdout, o.stderr)
		}
		if o := b.run("gate", "{}/a.csv", "{}/a.csv", flag, "-", "--json"); o.code != program.ExitUsage ||
			!strings.Contains(o.stderr, flag+" -") {
			t.Errorf("%s - --json: exit %d\n%s", flag, o.code, o.stderr)
		}
		if _, err := os.Stat("-"); err == nil {
			t.Errorf("%s wrote a file called -", flag)
		}
	}
	if o := b.run("gate", "{}/a.csv", "{}/a.csv", "--junit", "-", "--markdown", "-"); o.code != program.ExitUsage {
		t.Errorf("two: exit %d", o.code)
	}
}

// file reads a file of the bench.
func file(t *testing.T, b *bench, name string) string {
	t.Helper()
	raw, err := os.ReadFile(b.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestImportResults takes two exports over, compares them, reports on them, and moves everything to another place.
func TestImportResults(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	o := b.must("import-results", foreign("ragas.csv"), "--name", "april")
	for _, want := range []string{"imported 4 answers from ragas as log april@1, to dataset april@1 (made of the file)",
		"ragas.factual_correctness_mode_f1", "workbench compare OTHER april"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("does not say %q:\n%s", want, o.stdout)
		}
	}
	if !strings.Contains(o.stderr, "faithfulness: no score in line 5: missing, not 0") {
		t.Errorf("what is missing is not said: %s", o.stderr)
	}
	raw, err := os.ReadFile(foreign("ragas.csv"))
	if err != nil {
		t.Fatal(err)
	}
	worse := strings.NewReplacer(",1.0,0.93", ",0.2,0.93", "It waits fourteen", "It never waits fourteen").Replace(string(raw))
	if err := os.WriteFile(b.path("may.csv"), []byte(worse), 0o600); err != nil {
		t.Fatal(err)
	}
	b.must("import-results", "{}/may.csv", "--name", "may")
	o = b.must("compare", "april", "may", "--json")
	var compared struct {
		Metrics map[string]struct{ Baseline, Candidate float64 }
	}
	if err := json.Unmarshal([]byte(o.stdout), &compared); err != nil ||
		math.Abs(compared.Metrics["ragas.faithfulness"].Candidate-0.4) > 1e-9 {
		t.Errorf("%v: %s", err, o.stdout)
	}
	if said := b.must("compare", "april", "may"); !strings.Contains(said.stdout, "Ragas: faithfulness") ||
		strings.Contains(said.stdout, "ragas.") {
		t.Errorf("a metric has two names:\n%s", said.stdout)
	}
	b.must("report", "may", "--baseline", "april", "-o", "{}/may.xlsx")

	// The list shows the imported means, and so does a series of two files under one name, which says of neither how its system was set up.
	listed := b.must("runs", "list").stdout
	if !strings.Contains(listed, "IMPORTED MEANS") || !strings.Contains(listed, "Ragas: faithfulness 0.400") {
		t.Errorf("the list hides imported means:\n%s", listed)
	}
	b.must("import-results", foreign("ragas.csv"), "--name", "series")
	b.must("import-results", b.path("may.csv"), "--name", "series")
	said := b.must("trend", "series").stdout
	for _, want := range []string{"Ragas: faithfulness", "0.40 ("} {
		if !strings.Contains(said, want) {
			t.Errorf("the series lacks %q:\n%s", want, said)
		}
	}
	for _, untrue := range []string{"other system", "0/0", "CORRECTNESS"} {
		if strings.Contains(said, untrue) {
			t.Errorf("the series says %q:\n%s", untrue, said)
		}
	}
	if o := b.run("import-results", foreign("promptfoo.two.json"), "--name", "bot"); o.code != program.ExitUsage ||
		!strings.Contains(o.stderr, "--variant") {
		t.Errorf("two variants: exit %d, %s", o.code, o.stderr)
	}
	b.must("import-results", foreign("promptfoo.two.json"), "--name", "bot", "--variant", "bot-b")

	if o := b.run("export", "{}/all.zip", "april", "--everything"); o.code != program.ExitUsage {
		t.Errorf("--everything with a run: exit %d", o.code)
	}
	b.must("export", "{}/all.zip", "--everything")
	b.must("verify", "{}/all.zip")
	b.must("import", "{}/all.zip", "--data", b.path("other"))
	there := b.must("import-results", foreign("ragas.csv"), "--name", "april", "--data", b.path("other"), "--json")
	var again app.ImportedResults
	if err := json.Unmarshal([]byte(there.stdout), &again); err != nil || again.Created || again.NewDataset {
		t.Errorf("the other place does not know it: %v %s", err, there.stdout)
	}
}

// TestImportedResultsAreSaidInJapanese: what an import of another tool's results and of traces prints has no English word in Japanese.
func TestImportedResultsAreSaidInJapanese(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, want := range map[string]string{
		"ragas.csv": "0〜1", "promptfoo.csv": "大きいほど良い", "otel.genai.jsonl": "同じ質問が複数回あるトレースが1件あり",
	} {
		for range 2 { // the second time nothing changes
			o := b.must("import-results", foreign(name), "--name", strings.Split(name, ".")[0], "--lang", "ja")
			for _, english := range englishIn(o.stdout + o.stderr) {
				t.Errorf("%s: %s", name, english)
			}
			for _, word := range []string{want, "の回答"} {
				if !strings.Contains(o.stdout+o.stderr, word) {
					t.Errorf("%s: no %q in\n%s%s", name, word, o.stdout, o.stderr)
				}
			}
			for _, word := range []string{"imported", " to ", "more", "less", "unchanged", "made of"} {
				if strings.Contains(o.stdout, word) {
					t.Errorf("%s: %q in\n%s", name, word, o.stdout)
				}
			}
		}
	}
}
