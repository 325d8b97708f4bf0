package reports

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

func write(t testing.TB, r Report) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := r.WriteXLSX(&buf); err != nil {
		t.Fatalf("WriteXLSX: %v", err)
	}
	return buf.Bytes()
}

func open(t testing.TB, r Report) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(write(t, r)))
	if err != nil {
		t.Fatalf("reopen: %v", err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func rowsOf(t testing.TB, f *excelize.File, sheet string) [][]string {
	t.Helper()
	rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatalf("rows of %q: %v", sheet, err)
	}
	return rows
}

// parts returns the files inside a workbook.
func parts(t testing.TB, book []byte) map[string]string {
	t.Helper()
	zr, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range zr.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		out[f.Name] = string(body)
	}
	return out
}

func holds(rows [][]string, text string) bool {
	return slices.ContainsFunc(rows, func(row []string) bool { return slices.Contains(row, text) })
}

func TestSheetsAreNamedInTheLanguage(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"en": {
			"Summary", "Distribution", "Low-score answers", "Worse or to check", "Causes", "Questions", "All questions", "Metrics", "Sweep",
			"Agreement", "Configuration",
			"Method and glossary", "Lists",
		},
		"ja": {"概要", "回答の分布", "低スコア回答", "悪化・要確認", "原因", "質問の分析", "全質問", "指標", "スイープ", "合意", "設定", "方法と用語", "選択肢"},
		wording.Both: {
			"Summary", "概要", "Distribution 回答の分布", "Low-score answers 低スコア回答", "Worse or to check 悪化・要確認", "Causes 原因", "Questions 質問の分析",
			"All questions 全質問",
			"Metrics 指標", "Sweep スイープ", "Agreement 合意", "Configuration 設定", "Method and glossary 方法と用語", "Lists 選択肢",
		},
	} {
		if diff := cmp.Diff(want, open(t, analysed(sample(lang))).GetSheetList()); diff != "" {
			t.Errorf("%s sheets (-want +got):\n%s", lang, diff)
		}
	}
}

func TestSummarySaysWhatTheComparisonSays(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"en": {
			"Help centre: new chunking",
			"⚠ Scored by a simple built-in checker: good for trying the tool, not for decisions.",
			"No clear change on average; single answers did change. Overall fair: 2 of 15 answers have a low score (correctness or trust of 2 or less).",
			"• Of 16 questions asked in both runs, 2 got worse and 6 got better.",
			"• 1 of the 2 worse questions is critical, marked as one that must never get worse: q-002.",
			"• Low-score answers went from 4 to 2, of 15 scored answers.",
			"Cannot be said: the scores come from a simple built-in checker, which is no ground for a decision.",
			"1. Have a language model judge the answers before you decide anything.",
			"○ Not known: nobody has looked for the causes yet. Start the cause analysis on the page of this run.",
			"✗ not met: 3.50", "✓ met: 13.3%", "not measured", "no clear change", "fewer",
		},
		"ja": {
			"ヘルプセンター：チャンク分割の変更",
			"⚠ 内蔵の簡易評価による採点です。ツールの試用には使えますが、判断には使えません。",
			"平均には明確な変化がありませんが、個々の回答には変化があります。全体の水準はおおむね良好です（回答15件中、正確性または信頼性が2以下の低スコア回答は2件）。",
			"• 悪化した2問のうち1問は、決して悪化してはならないと印を付けた重要な質問です：q-002。",
			"1. 判断の前に、言語モデルに回答を評価させてください。",
			"○ 不明です。原因はまだ調べていません。この実行のページから原因分析を開始してください。",
			"✗ 未達：3.50", "✓ 達成：13.3%", "未測定", "明確な変化なし", "減少",
		},
	} {
		f := open(t, sample(lang))
		rows := rowsOf(t, f, f.GetSheetName(0))
		for _, text := range want {
			if !holds(rows, text) {
				t.Errorf("%s summary lacks %q", lang, text)
			}
		}
	}
}

// TestLowScoresAreFewerMoreOrAsMany reads the word beside the counts of low-score answers, in the workbook and on the page.
func TestLowScoresAreFewerMoreOrAsMany(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string][3]string{"en": {"fewer", "as many", "more"}, "ja": {"減少", "同数", "増加"}} {
		for i, after := range []int{3, 4, 5} {
			r := sample(lang)
			r.Comparison.LowBefore, r.Comparison.LowAfter, r.Comparison.Metrics = 4, after, nil // other figures have words of their own
			f := open(t, r)
			rows := rowsOf(t, f, f.GetSheetName(0))
			var page bytes.Buffer
			if err := r.WriteHTML(&page); err != nil {
				t.Fatal(err)
			}
			for j, word := range words {
				if line := holds(rows, word); line != (i == j) {
					t.Errorf("%s, 4 → %d: the summary has %q: %v", lang, after, word, line)
				}
				if cell := strings.Contains(page.String(), ">"+word+"</td>"); cell != (i == j) {
					t.Errorf("%s, 4 → %d: the page has %q: %v", lang, after, word, cell)
				}
			}
		}
	}
}

// TestTheBaselineIsNotToldToLackOne: a run that is itself the pinned baseline is said to be it.
func TestTheBaselineIsNotToldToLackOne(t *testing.T) {
	t.Parallel()
	r := alone("en")
	r.Pinned = true
	file := open(t, r)
	if rows := rowsOf(t, file, "Summary"); !holds(rows, "• This run is the baseline: later runs are compared with it, and it with none.") ||
		holds(rows, "• There is no earlier run to compare with, so nobody can say whether this is better than before.") {
		t.Errorf("summary %q", rows)
	}
	if rows := rowsOf(t, file, "Worse or to check"); !strings.HasPrefix(rows[firstRow-1][0], "This run is the baseline") {
		t.Errorf("sheet of what got worse: %q", rows[firstRow-1])
	}
}

func TestSummaryOfOneRun(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t, open(t, alone("en")), "Summary")
	for _, text := range []string{
		"Evaluation report: help-centre",
		"Overall fair: 2 of 15 answers have a low score (correctness or trust of 2 or less).",
		"• Correctness is 4.11 on average; 5 is the best score.",
		"• “children” (by the dataset's tags): 1 of its 2 questions (50%) has a low score, the most by number, as many as in 1 other theme; of all " +
			"questions it is 13.3%.",
		"• There is no earlier run to compare with, so nobody can say whether this is better than before.",
	} {
		if !holds(rows, text) {
			t.Errorf("summary lacks %q", text)
		}
	}
	if holds(rows, "Before") {
		t.Error("a run without a baseline has a column before")
	}
}

func TestLowScoreAnswersLeadToTheirQuestion(t *testing.T) {
	t.Parallel()
	f := open(t, sample("en"))
	rows := rowsOf(t, f, "Low-score answers")
	var ids []string
	for i, row := range rows[firstRow-1:] {
		ids = append(ids, row[0])
		linked, target, err := f.GetCellHyperLink("Low-score answers", spreadsheet.CellName(1, firstRow+i))
		if err != nil || !linked {
			t.Fatalf("%s has no link (%v)", row[0], err)
		}
		cell := strings.TrimPrefix(target, "'All questions'!")
		if got, _ := f.GetCellValue("All questions", cell); got != row[0] {
			t.Errorf("link of %s leads to %q", row[0], got)
		}
	}
	if diff := cmp.Diff([]string{"q-002", "q-006"}, ids); diff != "" {
		t.Errorf("ids, critical first (-want +got):\n%s", diff)
	}
	first := rows[firstRow-1]
	if first[4] != "2" || first[5] != "2" || first[12] != "0.3" || first[17] != "yes" {
		t.Errorf("correctness, trust, evidence, critical = %q, %q, %q, %q", first[4], first[5], first[12], first[17])
	}
	if !strings.Contains(first[11], "Correctness: The answer contradicts") ||
		!strings.Contains(first[13], "[1] handbook-refunds[1200:2000]\nPromotional fares") {
		t.Errorf("reasons %q, contexts %q", first[11], first[13])
	}
}

func TestMissingScoresAreWords(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t, open(t, sample("en")), "All questions")
	got := map[string][]string{}
	for _, row := range rows[firstRow-1:] {
		got[row[0]] = append(row[3:4:4], row[8:17]...)
	}
	want := map[string][]string{
		"q-014": {"no", "not applicable", "5", "1", "not applicable", "not applicable", "0", "theme:meals, easy", "–",
			"no reference answer: Correctness, Context recall, Evidence found"},
		"q-012": {"no", "5", "5", "error", "1", "1", "0", "theme:seats, easy", "–", "judge_reply_malformed: Faithfulness"},
		"q-016": {"–", "error", "error", "error", "error", "error", "error", "theme:loyalty, easy", "–",
			"provider_timeout: Faithfulness, Correctness, Trust, Context recall, Evidence found, Noise sensitivity"},
	}
	for id, cells := range want {
		if diff := cmp.Diff(cells, got[id]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	if len(got) != len(sheet) {
		t.Errorf("%d rows for %d questions", len(got), len(sheet))
	}
}

// TestUnscoredQuestionsDidNotStay: what was not scored in both runs is not told to be unchanged.
func TestUnscoredQuestionsDidNotStay(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][2]string{"en": {"All questions", "not scored"}, "ja": {"全質問", "未採点"}} {
		r := sample(lang)
		c := *r.Comparison
		c.Undecided = []string{"q-016"}
		r.Comparison = &c
		for _, row := range rowsOf(t, open(t, r), want[0])[firstRow-1:] {
			if slices.Contains(row, want[1]) != (row[0] == "q-016") {
				t.Errorf("%s: %q", lang, row)
			}
		}
	}
}

func TestGotWorse(t *testing.T) {
	t.Parallel()
	r := sample("ja")
	rows := rowsOf(t, open(t, r), "悪化・要確認")[firstRow-1:]
	if want := 2; len(rows) != want { // one for each question
		t.Fatalf("%d rows, want %d", len(rows), want)
	}
	wantRow := []string{
		"q-002", "悪化（新たに低スコア）", "はい", "正しい → 誤り。信頼性は4から2。参照箇所は同じで、回答が変わった", "4", "2", "4", "2", japanese[1][0], japanese[1][1],
		japanese[1][2], japanese[1][3],
		"正確性：回答は正解と矛盾しているか、肝心な点が抜けています。\n信頼性：" +
			"回答の一部しか参照箇所に基づいていません。",
	}
	if diff := cmp.Diff(wantRow, rows[0]); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
	if last := rows[len(rows)-1]; last[0] != "q-007" || last[1] != "悪化" {
		t.Errorf("last row is %q %q; a smaller fall comes later", last[0], last[1])
	}
	r.Comparison = &analysiscompare.Comparison{Matched: 16}
	if rows := rowsOf(t, open(t, r), "悪化・要確認"); rows[firstRow-1][0] != "悪化・一長一短・要確認の質問はありません。" {
		t.Errorf("empty sheet says %q", rows[firstRow-1])
	}
	if rows := rowsOf(t, open(t, alone("en")), "Worse or to check"); !strings.HasPrefix(rows[firstRow-1][0], "There is no baseline") {
		t.Errorf("sheet without a baseline says %q", rows[firstRow-1])
	}
}

func TestConfigurationListsEveryParameterAndMarksChanges(t *testing.T) {
	t.Parallel()
	r := sample("en")
	rows := rowsOf(t, open(t, r), "Configuration")
	got := map[string][]string{}
	for _, row := range rows {
		if _, again := got[row[0]]; !again { // swept parameters come again further down
			got[row[0]] = row
		}
	}
	for _, p := range flatten(r.Candidate.Run.Setup.Config) {
		name := p.name
		if experiments.NamesParam(name) { // people read its name, and what files call it behind that
			name = findings.ParamText(name).EN + " (" + name + ")"
		}
		if got[name] == nil {
			t.Errorf("parameter %s is not listed", name)
		}
	}
	for name, want := range map[string][]string{
		"Chunk size (chunk.size)":                      {"1000", "800", "◆ changed"},
		"Passages given to the model (k) (retrieve.k)": {"3", "4", "◆ changed"},
		"Search (retrieve.mode)":                       {"dense", "dense"},
		"Run ID":                                       {"1f0c5a7be201", "9b44d0c3aa17"},
		"Corpus":                                       {"manual@3", "manual@3"},
		"Judge model":                                  {"offline/lexical", "offline/lexical"},
		"Steps after the answer (post_process)":        {"(not set)", "(not set)"},
		"Trust (trust)": {"version 3 · 1–5, higher is better · How far the answer rests on the contexts.",
			"version 3 · 1–5, higher is better · How far the answer rests on the contexts."},
	} {
		if len(got[name]) < 3 {
			t.Errorf("%s: row %q", name, got[name])
			continue
		}
		values := slices.DeleteFunc(slices.Clone(got[name][1:]), func(s string) bool { return s == "" })
		if diff := cmp.Diff(want, values); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestDataNeverBecomesAFormula(t *testing.T) {
	t.Parallel()
	r := sample("en")
	r.Title = "=1+1 & &P"
	r.Candidate.Questions[0].ID, r.Candidate.Results[0].QuestionID = "@SUM(1)", "@SUM(1)"
	r.Candidate.Run.Setup.Experiment = "-2+3"
	book := write(t, r)
	for name, body := range parts(t, book) {
		if strings.HasPrefix(name, "xl/worksheets/") && regexp.MustCompile(`<f[ >]`).MatchString(body) {
			t.Errorf("%s holds a formula", name)
		}
	}
	f, err := excelize.OpenReader(bytes.NewReader(book))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	guarded := 0
	for _, sheet := range f.GetSheetList() {
		for i, row := range rowsOf(t, f, sheet) {
			for j, text := range row {
				if !spreadsheet.Risky(text) {
					continue
				}
				cell := spreadsheet.CellName(j+1, i+1)
				if kind, _ := f.GetCellType(sheet, cell); kind == excelize.CellTypeUnset || kind == excelize.CellTypeNumber {
					continue // a number below zero
				}
				id, _ := f.GetCellStyle(sheet, cell)
				if q := f.Styles.CellXfs.Xf[id].QuotePrefix; q == nil || !*q {
					t.Errorf("%s!%s %.20q would be a formula when edited", sheet, cell, text)
				}
				guarded++
			}
		}
	}
	if guarded < 5 {
		t.Errorf("only %d hostile cells found", guarded)
	}
	if got, _ := f.GetCellValue("All questions", "B17"); got != hostile[0] {
		t.Errorf("hostile question reads %q", got)
	}
	if got, _ := f.GetCellValue("All questions", "C17"); got != hostile[3] {
		t.Errorf("hostile answer reads %q", got)
	}
}

func TestTextIsCutVisiblyAndCleaned(t *testing.T) {
	t.Parallel()
	r := alone("en")
	r.Candidate.Results[0].Answer.Text = strings.Repeat("𠮷a", 20000)
	r.Candidate.Questions[1].Text = "a\x00b\x1bc\r\nd\te\xff\uFFFEf"
	f := open(t, r)
	long, _ := f.GetCellValue("All questions", spreadsheet.CellName(3, firstRow))
	if n := len(utf16.Encode([]rune(long))); n > spreadsheet.CellLimit || n < spreadsheet.CellLimit-2 {
		t.Errorf("cut text has %d units", n)
	}
	if !strings.HasSuffix(long, "… [cut: the cell is full]") {
		t.Errorf("cut text ends with %q", long[len(long)-30:])
	}
	if got, _ := f.GetCellValue("All questions", spreadsheet.CellName(2, firstRow+1)); got != "abc\nd e\uFFFDf" {
		t.Errorf("cleaned text is %q", got)
	}
}

func TestSheetsAreReadyToReadAndPrint(t *testing.T) {
	t.Parallel()
	book := write(t, sample("ja"))
	f, err := excelize.OpenReader(bytes.NewReader(book))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files := parts(t, book)
	lists := map[string]string{"低スコア回答": "LowScoreAnswers", "悪化・要確認": "GotWorse", "全質問": "AllQuestions", "設定": ""}
	for i, sheet := range f.GetSheetList() {
		body := files[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)]
		if sheet == "選択肢" {
			if visible, err := f.GetSheetVisible(sheet); err != nil || visible {
				t.Errorf("the lists of the drop-downs are in the way (%v)", err)
			}
			continue
		}
		orientation := `orientation="landscape"`
		if i < 2 {
			orientation = `<pageSetup fitToHeight="1" fitToWidth="1" orientation="portrait"` // on one page
		}
		for _, want := range []string{`fitToPage="true"`, orientation, `&amp;P / &amp;N ページ`, `paperSize="9"`} {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %s", sheet, want)
			}
		}
		ascending(t, sheet, body)
		name, list := lists[sheet]
		if !list {
			continue
		}
		panes, err := f.GetPanes(sheet)
		if err != nil || !panes.Freeze || panes.YSplit != headerRow {
			t.Errorf("%s panes: %+v, %v", sheet, panes, err)
		}
		if !strings.Contains(files["xl/workbook.xml"], fmt.Sprintf(`localSheetId="%d" name="_xlnm.Print_Titles"`, i)) {
			t.Errorf("%s does not repeat its header", sheet)
		}
		tables, err := f.GetTables(sheet)
		if err != nil || len(tables) != min(1, len(name)) || name != "" && tables[0].Name != name {
			t.Errorf("%s has tables %+v, %v; want %q", sheet, tables, err, name)
		}
	}
	if !strings.Contains(files["xl/styles.xml"], "Yu Gothic") || strings.Contains(files["xl/styles.xml"], "Calibri") {
		t.Error("the Japanese workbook does not ask for Yu Gothic alone")
	}
	if !strings.Contains(files["docProps/core.xml"], "2026-11-22T21:00:00Z") {
		t.Errorf("properties: %s", files["docProps/core.xml"])
	}
}

// ascending checks that column widths stand in the order that the format asks for.
func ascending(t *testing.T, sheet, body string) {
	t.Helper()
	cols := body[strings.Index(body, "<cols>"):strings.Index(body, "</cols>")]
	last := 0
	for _, m := range regexp.MustCompile(` min="(\d+)"`).FindAllStringSubmatch(cols, -1) {
		n, _ := strconv.Atoi(m[1])
		if n <= last {
			t.Errorf("%s: column %d comes after %d", sheet, n, last)
		}
		last = n
	}
	if last == 0 {
		t.Errorf("%s has no column widths", sheet)
	}
}

func TestLowScoresAreColoured(t *testing.T) {
	t.Parallel()
	f := open(t, sample("en"))
	for _, c := range []struct{ sheet, area string }{
		{"All questions", "I3:I18"}, {"All questions", "J3:J18"}, {"Low-score answers", "E3:E4"}, {"Low-score answers", "F3:F4"},
	} {
		rules, err := f.GetConditionalFormats(c.sheet)
		if err != nil {
			t.Fatal(err)
		}
		if got := rules[c.area]; len(got) != 1 || got[0].Criteria != "<=" && got[0].Criteria != "less than or equal to" ||
			got[0].Value != "2" {
			t.Errorf("%s %s: %+v", c.sheet, c.area, got)
		}
	}
}

func TestTheSameReportGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	first := write(t, analysed(sample(wording.Both)))
	for range 6 { // streamed sheets come in random order from the writer
		if !bytes.Equal(first, write(t, analysed(sample(wording.Both)))) {
			t.Fatal("two workbooks of one report differ")
		}
	}
}

func TestEveryPartIsXML(t *testing.T) {
	t.Parallel()
	for name, body := range parts(t, write(t, analysed(sample(wording.Both)))) {
		dec := xml.NewDecoder(strings.NewReader(body))
		for {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
}

func TestOddReports(t *testing.T) {
	t.Parallel()
	empty := Report{Lang: "en"}
	withoutBefore := sample("en")
	withoutBefore.Baseline = nil
	withoutComparison := sample("ja")
	withoutComparison.Comparison = nil
	apart := sample("en")
	apart.Comparison = &analysiscompare.Comparison{}
	pending := alone("en")
	for i := range pending.Candidate.Results {
		pending.Candidate.Results[i] = experiments.Result{QuestionID: pending.Candidate.Results[i].QuestionID}
	}
	for name, c := range map[string]struct {
		report Report
		says   string
	}{
		"no questions":    {empty, "No answer was scored, so nothing can be said about quality."},
		"no baseline":     {withoutBefore, "• 1 of the 2 worse questions is critical, marked as one that must never get worse: q-002."},
		"no comparison":   {withoutComparison, "• 正確性の平均は4.11です（最高は5）。"},
		"nothing matched": {apart, "The two runs have no question in common, so nothing can be compared."},
		"nothing done":    {pending, "No answer was scored, so nothing can be said about quality."},
	} {
		f := open(t, c.report)
		if !holds(rowsOf(t, f, f.GetSheetName(0)), c.says) {
			t.Errorf("%s: the summary does not say %q", name, c.says)
		}
		if err := c.report.WriteMarkdown(io.Discard); err != nil {
			t.Errorf("%s: WriteMarkdown: %v", name, err)
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	t.Parallel()
	for _, err := range []error{Report{Lang: "fr"}.WriteXLSX(io.Discard), Report{}.WriteMarkdown(io.Discard)} {
		if !problem.Is(err, problem.Invalid) || problem.CodeOf(err) != "report_lang" || problem.From(err).Hint == "" {
			t.Errorf("error is %v", err)
		}
	}
}

// TestOverdueStandsOnPageOne: a target and an action whose day has passed are named in the workbook's first page, in the page and in the
// summary; the day before they are not.
func TestOverdueStandsOnPageOne(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][2]string{
		"en": {"Overdue: Read six passages (due 2026-12-01, IT) / Share of low-score answers (due 2026-12-15, IT)", "Overdue"},
		"ja": {"期限切れ：Read six passages（期限 2026-12-01、IT） / 低スコア回答の割合（期限 2026-12-15、IT）", "期限切れ"},
	} {
		for today, overdue := range map[string]bool{"2026-12-16": true, "2026-12-01": false} {
			r := analysed(sample(lang))
			day, err := time.Parse(time.DateOnly, today)
			if err != nil {
				t.Fatal(err)
			}
			r.Today = day
			f := open(t, r)
			if got := holds(rowsOf(t, f, f.GetSheetName(0)), want[0]); got != overdue {
				t.Errorf("%s on %s: page 1 names what is overdue: %t", lang, today, got)
			}
			var md bytes.Buffer
			if err := r.WriteMarkdown(&md); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(page(t, r), `<ul class="overdue">`); got != overdue {
				t.Errorf("%s on %s: the page names what is overdue: %t", lang, today, got)
			}
			if got := strings.Contains(md.String(), "## "+want[1]); got != overdue {
				t.Errorf("%s on %s: the summary names what is overdue: %t", lang, today, got)
			}
		}
	}
}
