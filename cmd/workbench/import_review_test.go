package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
)

// reviewForm writes a sheet with the review columns of an experiment's newest run, filled in with what fill says of each question.
func (b *bench) reviewForm(name, experiment, lang string, fill func(question string) map[string]any) {
	b.t.Helper()
	w, err := app.Open(b.t.Context(), app.Options{DataDir: b.path("data"), Getenv: os.Getenv, Now: time.Now})
	if err != nil {
		b.t.Fatal(err)
	}
	e, err := w.Evaluation(b.t.Context(), experiment)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	f := excelize.NewFile()
	columns := reviewform.Columns()
	for c, column := range columns {
		b.set(f, c+1, 1, column.Heading(lang))
	}
	for i, r := range e.Results {
		cells := fill(r.QuestionID)
		hidden := reviewform.HiddenCells(e.Run.ID, e.Questions[i], r)
		for c, column := range columns {
			if column.Hidden {
				b.set(f, c+1, i+2, hidden[column.Key])
			} else if v, ok := cells[column.Key]; ok {
				b.set(f, c+1, i+2, v)
			}
		}
	}
	if err := f.SaveAs(b.path(name)); err != nil {
		b.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) set(f *excelize.File, column, row int, value any) {
	b.t.Helper()
	cell, err := excelize.CoordinatesToCellName(column, row)
	if err == nil {
		err = f.SetCellValue("Sheet1", cell, value)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func (o outcome) says(t *testing.T, code int, parts ...string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit %d, want %d\n%s%s", o.code, code, o.stdout, o.stderr)
	}
	for _, part := range parts {
		if !strings.Contains(o.stdout+o.stderr, part) {
			t.Errorf("it does not say %q:\n%s%s", part, o.stdout, o.stderr)
		}
	}
}

// TestImportReview takes a filled-in sheet from trial to stored reviews and a corrected dataset.
func TestImportReview(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("experiment", "add", "{}/sweep.yaml")
	b.must("run", "faq")
	b.reviewForm("good.xlsx", "faq", "ja", func(q string) map[string]any {
		if q == "q1" {
			return map[string]any{reviewform.Verdict: "誤り", reviewform.Reference: "A better reference.", reviewform.Priority: "高"}
		}
		return map[string]any{reviewform.Verdict: "正しい", reviewform.Correctness: 5, reviewform.Trust: 4}
	})
	b.reviewForm("bad.xlsx", "faq", "en", func(q string) map[string]any {
		return map[string]any{reviewform.Verdict: map[bool]string{true: "maybe", false: "incorrect"}[q == "q2"],
			reviewform.Reviewer: "IT"}
	})

	b.run("import-review", "{}/good.xlsx", "--reviewer", "CS").
		says(t, program.ExitDone, "would store", "nothing was stored; add --apply", "A better reference.")
	b.run("import-review", "{}/good.xlsx").says(t, program.ExitIncomplete, "it does not say who reviewed it")
	b.run("import-review", "{}/good.xlsx", "--reviewer", "CS", "--apply-references").says(t, program.ExitUsage, "add --apply")
	b.run("import-review", "{}/good.xlsx", "--reviewer", "CS", "--apply", "--dry-run").says(t, program.ExitUsage)
	b.run("import-review", "{}/good.xlsx", "--reviewer", "CS", "--apply").
		says(t, program.ExitDone, "stored", "0 rows are left out", "answers are reviewed by CS", "people and judge",
			"--apply --apply-references makes its next version")
	b.run("import-review", "{}/bad.xlsx", "--apply").
		says(t, program.ExitIncomplete, `sheet "Sheet1", row 3, column A (Review: verdict), question q2: "maybe" is not one of the choices`,
			"verdict: CS correct, IT incorrect", "could not be taken")
	b.run("import-review", "{}/good.xlsx", "--reviewer", "CS", "--apply", "--apply-references").
		says(t, program.ExitDone, "0 new and 0 changed", "made faq@2")
	b.run("import-review", "{}/questions.csv").says(t, program.ExitUsage, "cannot be read as an Excel workbook")

	o := b.must("import-review", "{}/good.xlsx", "--reviewer", "CS", "--apply", "--json")
	var got struct {
		Import  reviews.ImportedReviews
		Figures []struct{ Reviewers []string }
	}
	if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || got.Import.Known == 0 || got.Import.New != 0 || len(got.Figures) != 1 ||
		len(got.Figures[0].Reviewers) != 2 {
		t.Errorf("%v: %+v", err, got)
	}
	var set experiments.Dataset
	if err := json.Unmarshal([]byte(b.must("dataset", "show", "faq", "--json").stdout), &set); err != nil || set.Version != 2 ||
		set.Questions[0].Reference != "A better reference." {
		t.Errorf("%v: version %d, %+v", err, set.Version, set.Questions[0])
	}
}

// TestReviewRoundTrip fills in the workbook that the report command writes, in every language it speaks, and reads it back.
func TestReviewRoundTrip(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("experiment", "add", "{}/sweep.yaml")
	b.must("run", "faq")
	for lang, word := range map[string]string{"en": "incorrect", "ja": "誤り"} {
		b.must("report", "faq", "-o", "{}/"+lang+".xlsx", "--lang", lang)
		filled := b.fillIn(lang+".xlsx", map[string]any{reviewform.Verdict: word, reviewform.Correctness: 2,
			reviewform.Comment: "read in " + lang})
		if filled == 0 {
			t.Fatalf("%s: the workbook has no rows to fill in", lang)
		}
		b.run("import-review", "{}/"+lang+".xlsx", "--reviewer", lang, "--apply").
			says(t, program.ExitDone, "stored 6 new and 0 changed", "0 rows are left out", "6 of 6 answers are reviewed by")
		b.run("import-review", "{}/"+lang+".xlsx", "--reviewer", lang, "--apply").
			says(t, program.ExitDone, "stored 0 new and 0 changed reviews; 6 were known")
	}
}

// fillIn writes the same into every row of every sheet with review columns, and returns how many rows that were.
func (b *bench) fillIn(name string, cells map[string]any) int {
	b.t.Helper()
	f, err := excelize.OpenFile(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	filled := 0
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil {
			b.t.Fatal(err)
		}
		columns, head := map[string]int{}, 0
		for r, row := range rows[:min(4, len(rows))] {
			for c, heading := range row {
				for _, column := range reviewform.Columns() {
					if heading == column.EN || heading == column.JA {
						columns[column.Key], head = c+1, r+1
					}
				}
			}
		}
		for r := head + 1; head > 0 && r <= len(rows); r++ {
			if columns[reviewform.QuestionID] > len(rows[r-1]) {
				continue // a sentence in the place of rows
			}
			filled++
			for key, value := range cells {
				cell, err := excelize.CoordinatesToCellName(columns[key], r)
				if err == nil {
					err = f.SetCellValue(sheet, cell, value)
				}
				if err != nil {
					b.t.Fatal(err)
				}
			}
		}
	}
	if err := f.Save(); err != nil {
		b.t.Fatal(err)
	}
	return filled
}

// TestAgreementCommands records an agreement, changes it by flags and sets a run beside it.
func TestAgreementCommands(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("experiment", "add", "{}/sweep.yaml")
	b.run("agreement", "show", "faq").says(t, program.ExitUsage, "nothing was agreed", "agreement set faq --help")
	b.run("agreement", "history").says(t, program.ExitDone, "nothing was agreed yet")
	file := "low_score: 2\ntargets: [{metric: low_score_share, target: 0, due: 2026-11-19}]\nitems: [{questions: [q1], action: read it, owner: 顧客窓口}]\nagreed_by: [顧客窓口 (CS)]\n"
	if err := os.WriteFile(b.path("agreed.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run("agreement", "set", "faq", "{}/agreed.yaml").
		says(t, program.ExitDone, "recorded agreement 1 on faq, agreed on 2026-11-20 by 顧客窓口 (CS)", "correctness or trust of 2 or less",
			"no run was named")
	b.run("agreement", "show", "faq").says(t, program.ExitDone, "no run on faq has finished yet")
	b.must("run", "faq")
	b.run("agreement", "set", "faq", "{}/agreed.yaml", "--run", "faq").says(t, program.ExitDone, "recorded agreement 2")
	b.run("agreement", "set", "faq", "{}/agreed.yaml", "--run", "faq").says(t, program.ExitDone, "unchanged: agreement 2")
	b.run("agreement", "show", "faq").says(t, program.ExitDone, "agreed on the results of run", "low_score_share  ≤ 0%",
		"question q1  read it")
	b.run("agreement", "set", "faq", "--by", "IT", "--by", "CS, Ltd.", "--low-score", "4.9", "--target", "{metric: trust, target: 4}",
		"--item", "{questions: [q2], out_of_scope: true, why: 'no, never'}").
		says(t, program.ExitDone, "recorded agreement 3 on faq, agreed on 2026-11-20 by IT, CS, Ltd.")
	b.run("agreement", "show", "faq").says(t, program.ExitDone, "≤ 4.9", "out of scope: no, never", "not met, overdue",
		"the agreed 4.9 counts")
	b.run("agreement", "history", "faq").says(t, program.ExitDone, "顧客窓口 (CS)", "IT, CS, Ltd.")
	b.run("agreement", "set", "faq", "--by", "me", "--target", "{metric: trust, aim: 4}").
		says(t, program.ExitUsage, "--target: ", `there is no field "aim"`)
	b.run("agreement", "set", "faq", "--by", "me", "--item", "{theme: x}").says(t, program.ExitUsage, "items (entry 3).action is missing")
	b.run("agreement", "set", "faq").says(t, program.ExitUsage, "agreed_by is missing")

	var list []experiments.Agreement
	if err := json.Unmarshal([]byte(b.must("agreement", "history", "faq", "--json").stdout), &list); err != nil || len(list) != 3 ||
		list[0].LowScore != 4.9 || list[1].RunID == "" {
		t.Errorf("%v: %+v", err, list)
	}
}

// TestReviewsOfAnIdenticalAnswerCarryOver: what people said of an answer counts in the next run that gives the very same answer, and
// only there.
func TestReviewsOfAnIdenticalAnswerCarryOver(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	for _, name := range []string{"first", "again"} {
		b.save(name+".yaml", "name: "+name+"\ncorpus: faq\ndataset: faq\nbase:\n  retrieve: {mode: bm25, k: 2}\n")
		b.must("run", "{}/"+name+".yaml")
	}
	b.must("run", "{}/closed.yaml")
	b.must("report", "first", "-o", "{}/first.xlsx")
	b.fillIn("first.xlsx", map[string]any{reviewform.Verdict: "correct"})
	b.must("import-review", "{}/first.xlsx", "--reviewer", "CS", "--apply")
	for candidate, says := range map[string]string{"again": "People checked 6 answers", "closed": "No person has checked"} {
		o := b.must("compare", "first", candidate, "--json")
		people := jsonOf[struct {
			Findings findings.Findings `json:"findings"`
		}](t, o).Findings.People.Text.EN
		if !strings.HasPrefix(people, says) {
			t.Errorf("%s: %q, want %q", candidate, people, says)
		}
	}
	b.must("report", "again", "--baseline", "first", "-o", "{}/again.md", "--format", "md")
	if page, err := os.ReadFile(b.path("again.md")); err != nil || !strings.Contains(string(page), "People checked 6 answers") {
		t.Errorf("the summary of the next run does not count them: %v\n%s", err, page)
	}
}
