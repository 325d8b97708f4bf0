package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// imported is a bench with two imports of one table, whose scores are quality and latency_s; n questions, of which the second import
// answers those that worse says by 0.
func imported(t *testing.T, n int, worse func(i int) bool) *bench {
	t.Helper()
	b := newBench(t)
	var old, now strings.Builder
	for _, s := range []*strings.Builder{&old, &now} {
		s.WriteString("question,answer,reference,quality,latency_s\n")
	}
	for i := range n {
		fmt.Fprintf(&old, "What does card %d cost?,It costs %d euros.,It costs %d euros.,0.9,1.%d\n", i, i, i, i%10)
		if worse(i) {
			fmt.Fprintf(&now, "What does card %d cost?,It is free.,It costs %d euros.,0.1,1.%d\n", i, i, i%10)
		} else {
			fmt.Fprintf(&now, "What does card %d cost?,It costs %d euros.,It costs %d euros.,0.9,1.%d\n", i, i, i, i%10)
		}
	}
	write(t, b.path("old.csv"), old.String())
	write(t, b.path("new.csv"), now.String())
	b.must("import-results", "{}/old.csv", "--name", "old")
	b.must("import-results", "{}/new.csv", "--name", "new")
	return b
}

// TestAnExperimentOfImportedScoresNamesTheirTool: nobody of ours judged, so the experiment says whose the scores are.
func TestAnExperimentOfImportedScoresNamesTheirTool(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must("import-results", foreign("ragas.csv"), "--name", "april")
	o := b.must("experiment", "show", "april")
	var got struct{ Tools []string }
	if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || strings.Join(got.Tools, " ") != "Ragas" {
		t.Errorf("%v: %s", err, o.stdout)
	}
	if !strings.Contains(o.stderr, "The scores are those of Ragas.") {
		t.Error(o.stderr)
	}
}

// TestReportsOfImportedScoresAdviseNothingImpossible: no causes can be looked for and no price registered where neither correctness nor
// trust was measured of answers that were given elsewhere; the plan of a diagnosis says so as the diagnosis does.
func TestReportsOfImportedScoresAdviseNothingImpossible(t *testing.T) {
	t.Parallel()
	b := imported(t, 12, func(i int) bool { return i < 3 })
	for lang, says := range map[string][2]string{
		"en": {"the answers were given elsewhere and taken over", "Not looked for: causes are those of low scores"},
		"ja": {"回答はほかの場所で作られたもの", "原因は低スコア回答について調べるもの"},
	} {
		for _, kind := range []string{"html", "md", "xlsx"} {
			name := "r-" + lang + "." + kind
			b.must("report", "new", "--baseline", "old", "-o", "{}/"+name, "--lang", lang)
			text := file(t, b, name)
			if kind == "xlsx" {
				text = sheetTexts(t, b.path(name))
			}
			for _, want := range says {
				if !strings.Contains(text, want) {
					t.Errorf("%s does not say %q", name, want)
				}
			}
			for _, not := range []string{"workbench diagnose", "Ask the administrator to register it", "単価が未登録"} {
				if strings.Contains(text, not) {
					t.Errorf("%s says %q", name, not)
				}
			}
		}
	}
	for _, args := range [][]string{{"diagnose", "new", "--plan"}, {"diagnose", "new"}} {
		if o := b.run(args...); o.code != program.ExitUsage || !strings.Contains(o.stderr, "cannot be told") ||
			!strings.Contains(o.stderr, "--model PROVIDER/MODEL") {
			t.Errorf("%v: exit %d: %s%s", args, o.code, o.stdout, o.stderr)
		}
	}
}

// sheetTexts are all texts of a workbook.
func sheetTexts(t *testing.T, path string) string {
	t.Helper()
	f, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	var out strings.Builder
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			out.WriteString(strings.Join(row, "\n") + "\n")
		}
	}
	return out.String()
}

// TestFilesSayWhichWayAndWhatConfirms: of the questions that need a check it is said which way they moved, by a count of their rows, and
// comparison and gate say the same of what would confirm them; with --deterministic nothing needs confirming.
func TestFilesSayWhichWayAndWhatConfirms(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var old, now strings.Builder
	old.WriteString("id,quality\n")
	now.WriteString("id,quality\n")
	for i := range 30 {
		fmt.Fprintf(&old, "q%d,0.5\n", i)
		score := "0.5"
		switch {
		case i < 7:
			score = "0.1"
		case i < 9:
			score = "0.9"
		}
		fmt.Fprintf(&now, "q%d,%s\n", i, score)
	}
	write(t, b.path("old.csv"), old.String())
	write(t, b.path("new.csv"), now.String())
	for lang, says := range map[string][2]string{
		"en": {"(7 scored worse, 2 scored better)", "say --deterministic instead"},
		"ja": {"（スコアが悪くなった 7、良くなった 2）", "代わりに--deterministicを指定できます"},
	} {
		if o := b.must("compare", "{}/old.csv", "{}/new.csv", "--lang", lang); !strings.Contains(o.stdout, says[0]) ||
			!strings.Contains(o.stdout, says[1]) {
			t.Error(o.stdout)
		}
		if o := b.run("gate", "{}/old.csv", "{}/new.csv", "--lang", lang); !strings.Contains(o.stdout, says[1]) {
			t.Error(o.stdout)
		}
		if o := b.run("gate", "{}/old.csv", "{}/new.csv", "--lang", lang, "--deterministic"); strings.Contains(o.stdout, says[1]) {
			t.Error(o.stdout)
		}
	}
}

// TestTheSameQuestionsMakeNoSecondDataset: whatever name was asked for and whatever ids the registered questions have; other right answers
// make another dataset.
func TestTheSameQuestionsMakeNoSecondDataset(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, b.path("sheet.csv"), "id,question,reference\nk1,How long?,Two weeks.\nk2,Pets?,No pets.\n")
	const head = "question,answer,reference,quality\n"
	write(t, b.path("scored.csv"), head+"Pets?,All.,No pets.,0.1\nHow  long?,Two weeks.,Two weeks.,1\n")
	write(t, b.path("other.csv"), head+"Pets?,All.,All pets.,0.9\nHow long?,Two weeks.,Two weeks.,1\n")
	b.must("dataset", "import", "{}/sheet.csv", "--name", "faq")
	o := b.must("import-results", "{}/scored.csv", "--name", "may", "--dataset", "mine")
	if !strings.Contains(o.stdout, "dataset faq@1 (that was there already)") ||
		!strings.Contains(o.stderr, "the questions are those of the dataset faq@1, so no dataset mine was made") {
		t.Error(o.stdout, o.stderr)
	}
	for says, args := range map[string][]string{
		"dataset faq@1 (that was there already)": {"{}/scored.csv", "--name", "june"},
		"dataset mine@1 (made of the file)":      {"{}/other.csv", "--name", "else", "--dataset", "mine"},
	} {
		if o := b.must(append([]string{"import-results"}, args...)...); !strings.Contains(o.stdout, says) {
			t.Error(o.stdout)
		}
	}
	b.must("compare", "may", "june")
}

// TestAnEmptyAnswerCountsAtNoDoor: whatever score stands beside it, in a table of MLflow and in one of somebody's own; two files, their
// runs and the imports count the same answers.
func TestAnEmptyAnswerCountsAtNoDoor(t *testing.T) {
	t.Parallel()
	const n, empty = 20, 3
	mlflow, own := map[string]string{}, map[string]string{}
	for _, side := range []string{"old", "new"} {
		var rows []string
		var table strings.Builder
		table.WriteString("id,question,answer,quality\n")
		for i := range n {
			answer := fmt.Sprintf("It costs %d euros.", i)
			if side == "new" && i < empty {
				answer = ""
			}
			rows = append(rows, fmt.Sprintf(`{"inputs":{"question":"What does card %d cost?"},"outputs":%q,"expectations":{},`+
				`"quality/value":0.5}`, i, answer))
			fmt.Fprintf(&table, "q%d,What does card %d cost?,%s,0.5\n", i, i, answer)
		}
		mlflow[side], own[side] = "["+strings.Join(rows, ",")+"]", table.String()
	}
	for ext, texts := range map[string]map[string]string{"json": mlflow, "csv": own} {
		b := newBench(t)
		for side, text := range texts {
			write(t, b.path(side+"."+ext), text)
		}
		note := fmt.Sprintf("%d rows without an answer: no score there counts", empty)
		b.must("import-results", "{}/old."+ext, "--name", "old")
		o := b.must("import-results", "{}/new."+ext, "--name", "new", "--json")
		var got struct{ Metrics []struct{ Scored int } }
		if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || len(got.Metrics) != 1 || got.Metrics[0].Scored != n-empty ||
			!strings.Contains(o.stderr, note) {
			t.Errorf("%s: %v: %s%s", ext, err, o.stdout, o.stderr)
		}
		for _, args := range [][]string{{"{}/old." + ext, "{}/new." + ext}, {"old", "new"}} {
			o := b.run(append([]string{"gate", "--json"}, args...)...)
			var gate struct{ Scored, Questions int }
			if err := json.Unmarshal([]byte(o.stdout), &gate); err != nil || gate.Scored != n-empty || gate.Questions != n {
				t.Errorf("%v: %v: %s%s", args, err, o.stdout, o.stderr)
			}
		}
	}
}

// TestImportedDoubtsSayWhichWayAndWhatConfirms: a gate of imported runs says what would confirm, as their comparison does; the counts
// beside the verdicts say which way; what neither run measured is not said to lack.
func TestImportedDoubtsSayWhichWayAndWhatConfirms(t *testing.T) {
	t.Parallel()
	b := imported(t, 12, func(i int) bool { return i < 3 })
	for lang, says := range map[string][2]string{
		"en": {"3 need a check (3 scored worse, 0 scored better)", "have each answer scored several times and import that"},
		"ja": {"要確認 3（スコアが悪くなった 3、良くなった 0）", "各回答を複数回採点したファイルを取り込む"},
	} {
		o := b.must("compare", "old", "new", "--lang", lang)
		if !strings.Contains(o.stdout, says[0]) || !strings.Contains(o.stdout, says[1]) || strings.Contains(o.stderr, "tokens") ||
			strings.Contains(o.stderr, "トークン") {
			t.Error(o.stdout, o.stderr)
		}
		if o := b.run("gate", "old", "new", "--lang", lang); !strings.Contains(o.stdout, says[1]) {
			t.Error(o.stdout)
		}
		if o := b.run("gate", "old", "old", "--lang", lang); strings.Contains(o.stdout, says[1]) {
			t.Error("nothing is in doubt:", o.stdout)
		}
	}
}
