package reviewform

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/stats"
)

// reviewForm is a sheet of a workbook as a reviewer gets it back: two columns of ours, the review columns, rows by column key.
type reviewForm struct {
	sheet string
	lang  string
	note  bool // a note stands above the heading
	rows  []map[string]any
}

// savedForms writes the forms as a workbook and returns its path.
func savedForms(t testing.TB, forms ...reviewForm) string {
	t.Helper()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	for i, form := range forms {
		if i == 0 {
			mustReview(t, f.SetSheetName("Sheet1", form.sheet))
		} else if _, err := f.NewSheet(form.sheet); err != nil {
			t.Fatal(err)
		}
		head := 1
		if form.note {
			mustReview(t, f.SetCellStr(form.sheet, "A1", "what these rows are"))
			head = 2
		}
		columns := Columns()
		mustReview(t, f.SetSheetRow(form.sheet, spreadsheet.CellName(1, head), &[]any{"ID", "Question"}))
		for c, column := range columns {
			mustReview(t, f.SetCellStr(form.sheet, spreadsheet.CellName(c+3, head), column.Heading(form.lang)))
		}
		for r, row := range form.rows {
			for c, column := range columns {
				if v, there := row[column.Key]; there {
					mustReview(t, f.SetCellValue(form.sheet, spreadsheet.CellName(c+3, head+1+r), v))
				}
			}
		}
	}
	path := filepath.Join(t.TempDir(), "reviewed.xlsx")
	mustReview(t, f.SaveAs(path))
	return path
}

func mustReview(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func reviewIDs(question string, more map[string]any) map[string]any {
	row := map[string]any{RunID: "0123456789ab", QuestionID: question, Shown: "feedfacefeedface"}
	for k, v := range more {
		row[k] = v
	}
	return row
}

func readForm(t *testing.T, path string) File {
	t.Helper()
	f, err := Read(path)
	mustReview(t, err)
	return f
}

// TestRead reads every column back, whatever the language of the sheet.
func TestRead(t *testing.T) {
	t.Parallel()
	four, one := 4, 1
	want := experiments.Review{
		RunID: "0123456789ab", QuestionID: "q1", Shown: "feedfacefeedface", Reviewer: "顧客窓口", Verdict: experiments.IncorrectAnswer,
		Correctness: &one, Trust: &four,
		Cause: "search_query", CorrectedReference: "=2,000 yen\nfor each", Action: "@fix", Priority: experiments.HighPriority,
		Comment: "+1 'quoted'",
	}
	for _, lang := range []string{"en", "ja", "both"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			word := func(key, value string) string {
				for _, c := range Columns() {
					for _, v := range c.Values {
						if c.Key == key && v.Key == value {
							return v.Word(lang)
						}
					}
				}
				t.Fatalf("%s has no choice %s", key, value)
				return ""
			}
			filled := reviewIDs("q1", map[string]any{
				Reviewer: " 顧客窓口 ", Verdict: word(Verdict, "incorrect"), Correctness: 1, Trust: "４",
				Cause:     word(Cause, "search_query"),
				Reference: "=2,000 yen\r\nfor each", Action: "@fix",
				Priority: strings.ToUpper(word(Priority, "high")), Comment: "+1 'quoted'",
			})
			f := readForm(t, savedForms(t, reviewForm{sheet: "低スコア回答", lang: lang, note: true,
				rows: []map[string]any{reviewIDs("q0", nil), filled, {}}}))
			if diff := cmp.Diff([]Row{{Sheet: "低スコア回答", Row: 4, Review: want}}, f.Rows); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(f.Faults) != 0 || f.Blank != 1 {
				t.Errorf("faults %v, %d blank rows", f.Faults, f.Blank)
			}
		})
	}
}

// TestReadReviewFaults names sheet, row, column and the choices of what it cannot take.
func TestReadReviewFaults(t *testing.T) {
	t.Parallel()
	f := readForm(t, savedForms(t,
		reviewForm{sheet: "One", lang: "en", rows: []map[string]any{
			reviewIDs("q1", map[string]any{Verdict: "maybe", Comment: "kept out with its row"}),
			reviewIDs("q2", map[string]any{Verdict: "correct", Correctness: 6, Priority: "urgent"}),
			{QuestionID: "q3", Comment: "no run"},
			reviewIDs("q4", map[string]any{Verdict: "correct"}),
		}},
		reviewForm{sheet: "Two", lang: "ja", rows: []map[string]any{reviewIDs("q5", map[string]any{Correctness: 3.5})}},
	))
	var got []string
	for _, fault := range f.Faults {
		got = append(got, fault.String())
	}
	want := []string{
		`sheet "One", row 2, question q1, column C (Review: verdict): "maybe" is not one of the choices; they are correct / 正しい, incorrect / 誤り, unsure / 判断できない`,
		`sheet "One", row 3, question q2, column D (Review: correctness (1–5)): "6" is not one of the choices; they are 1, 2, 3, 4, 5`,
		`sheet "One", row 3, question q2, column I (Review: priority): "urgent" is not one of the choices; they are high / 高, medium / 中, low / 低`,
		`sheet "One", row 4, question q3: it is filled in, but its hidden cells run_id, question_id and shown are not, so nobody can tell which answer it is about`,
		`sheet "Two", row 2, question q5, column D (レビュー：正確性（1–5）): "3.5" is not one of the choices; they are 1, 2, 3, 4, 5`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(f.Rows) != 1 || f.Rows[0].Review.QuestionID != "q4" || fmt.Sprint(f.Sheets) != "[One Two]" {
		t.Errorf("rows %v of sheets %v", f.Rows, f.Sheets)
	}
}

// TestReadMoved finds the columns when people have moved and removed some, and reads no other sheet.
func TestReadMoved(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	mustReview(t, f.SetSheetRow("Sheet1", "A1", &[]any{"shown", "Mine", "レビュー: 判定", "", "Question_ID", "Answer", "run_id"}))
	mustReview(t, f.SetSheetRow("Sheet1", "A2", &[]any{"s", "notes", " 正しい", "", "q1", "answer", "r"}))
	_, err := f.NewSheet("Other")
	mustReview(t, err)
	for i := range 30 {
		mustReview(t, f.SetSheetRow("Other", spreadsheet.CellName(1, i+1), &[]any{"anything", i}))
	}
	mustReview(t, f.SetSheetRow("Other", "A20", &[]any{"run_id", "question_id", "Review: verdict"}))
	path := filepath.Join(t.TempDir(), "moved.xlsx")
	mustReview(t, f.SaveAs(path))
	got := readForm(t, path)
	want := []Row{{Sheet: "Sheet1", Row: 2, Review: experiments.Review{RunID: "r", QuestionID: "q1", Shown: "s",
		Verdict: experiments.CorrectAnswer}}}
	if diff := cmp.Diff(want, got.Rows); diff != "" || fmt.Sprint(got.Sheets) != "[Sheet1]" {
		t.Errorf("sheets %v, -want +got:\n%s", got.Sheets, diff)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	twice := excelize.NewFile()
	mustReview(t, twice.SetSheetRow("Sheet1", "A1", &[]any{"question_id", "Review: verdict", "レビュー：判定"}))
	plainBook := excelize.NewFile()
	mustReview(t, plainBook.SetSheetRow("Sheet1", "A1", &[]any{"question_id", "Verdict"}))
	dir := t.TempDir()
	book := func(name string, f *excelize.File) string {
		path := filepath.Join(dir, name)
		mustReview(t, f.SaveAs(path))
		mustReview(t, f.Close())
		return path
	}
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		mustReview(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	whole, err := os.ReadFile(savedForms(t, reviewForm{sheet: "One", lang: "en"}))
	mustReview(t, err)
	for _, c := range []struct{ name, path, code string }{
		{"two columns of a kind", book("twice.xlsx", twice), "review_columns"},
		{"no review columns", book("plain.xlsx", plainBook), "review_columns"},
		{"text", file("text.xlsx", "verdict,correct"), "review_workbook_broken"},
		{"locked", file("locked.xlsx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "review_workbook_locked"},
		{"cut", file("cut.xlsx", string(whole[:len(whole)/2])), "review_workbook_broken"},
		{"empty", file("empty.xlsx", ""), "review_workbook_broken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := Read(c.path); problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid) {
				t.Errorf("got %v (%s), want %s", err, problem.CodeOf(err), c.code)
			}
		})
	}
	if _, err := Read(filepath.Join(dir, "none.xlsx")); err == nil || problem.CodeOf(err) == "internal" {
		t.Errorf("a missing file gives %v", err)
	}
}

// TestColumns keeps headings and choices apart in every language, and the causes complete.
func TestColumns(t *testing.T) {
	t.Parallel()
	headings, keys := map[string]string{}, map[string]bool{}
	for _, c := range Columns() {
		if keys[c.Key] {
			t.Errorf("the key %s is there twice", c.Key)
		}
		keys[c.Key] = true
		for _, lang := range []string{"en", "ja", "both"} {
			h := plainWord(c.Heading(lang))
			if owner, taken := headings[h]; taken && owner != c.Key || h == "" {
				t.Errorf("%s and %s have the heading %q", c.Key, owner, h)
			}
			headings[h] = c.Key
			if found := columnOf(c.Heading(lang)); found == nil || found.Key != c.Key {
				t.Errorf("the heading %q is not found again", c.Heading(lang))
			}
		}
		words := map[string]string{}
		for _, v := range c.Values {
			for _, word := range []string{v.Key, v.Word("en"), v.Word("ja"), v.Word("both")} {
				if owner, taken := words[plainWord(word)]; word == "" || taken && owner != v.Key {
					t.Errorf("%s: %s and %s have the word %q", c.Key, v.Key, owner, word)
				}
				words[plainWord(word)] = v.Key
				if key, found := c.keyOf(word); !found || key != v.Key {
					t.Errorf("%s: %q is read as %q", c.Key, word, key)
				}
			}
		}
	}
	for _, c := range causes.Components() {
		if _, named := causeWords()[c]; !named {
			t.Errorf("the cause %s has no words", c)
		}
	}
}

// TestReadDamaged changes bytes of a workbook: reading never panics, and gives no review that a form could not say.
func TestReadDamaged(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(savedForms(t, reviewForm{sheet: "One", lang: "both",
		rows: []map[string]any{reviewIDs("q1", map[string]any{Verdict: "correct"})}}))
	mustReview(t, err)
	random := stats.NewSplitMix64(1)
	path, refused, taken := filepath.Join(t.TempDir(), "damaged.xlsx"), 0, 0
	for range 300 {
		raw := bytes.Clone(whole)
		for range 1 + random.Below(6) {
			raw[random.Below(len(raw))] = byte(random.Below(256))
		}
		mustReview(t, os.WriteFile(path, raw, 0o600))
		file, err := Read(path)
		if err != nil {
			refused++
			if !problem.Is(err, problem.Invalid) {
				t.Fatalf("no problem for people: %v", err)
			}
			continue
		}
		for _, row := range file.Rows {
			taken++
			if row.Review.QuestionID == "" || row.Review.RunID == "" || row.Review.Empty() {
				t.Errorf("%+v", row)
			}
		}
	}
	if refused == 0 || taken == 0 {
		t.Errorf("%d refused, %d rows taken: the damage is of one kind", refused, taken)
	}
}
