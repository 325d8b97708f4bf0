package reports

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

func page(t *testing.T, r Report) string {
	t.Helper()
	var buf bytes.Buffer
	if err := r.WriteHTML(&buf); err != nil {
		t.Fatalf("WriteHTML: %v", err)
	}
	return buf.String()
}

// hostileReport has data that would like to be something else wherever data can stand.
func hostileReport() Report {
	r := analysed(sample("en"))
	evil := `</style><script>alert(1)</script><img src=x onerror=alert(1)> "'>javascript:alert(1) =cmd|' /C calc'!A0`
	r.Title = evil
	r.Candidate.Questions[1].Text, r.Candidate.Questions[1].Reference = evil, evil
	r.Candidate.Results[1].Answer.Text = evil
	r.Causes.Diagnoses[0].Rationale.EN = evil
	r.Causes.Recommendations[0].Repair.To = evil
	r.Causes.Summary.EN = evil
	r.Taxonomies[0].Labels[0].EN = evil
	r.Agreement.Agreement.AgreedBy = []string{evil}
	r.Agreement.Items[0].Item.Action = evil
	r.Agreement.Targets[0].Target.Owner = evil
	r.Questions.Warnings[0].Text.EN = evil
	r.Reviews.Labels[0].Reviews[0].Reviewer = evil
	return r
}

func TestPageIsInertWhateverTheDataSays(t *testing.T) {
	t.Parallel()
	body := page(t, hostileReport())
	if n := strings.Count(body, "&lt;/style&gt;&lt;script&gt;"); n < 8 {
		t.Errorf("the hostile text is shown %d times as text, want at least 8", n)
	}
	for _, bad := range []string{"<script", "<img", "<a ", "href", "http://", "https://", "onerror=alert(1)>", "style=", "ZgotmplZ",
		"<form", "<iframe", "<link", " src=\""} {
		if i := strings.Index(body, bad); i >= 0 {
			t.Errorf("the page holds %q: %.80s", bad, body[max(0, i-40):])
		}
	}
	policy := regexp.MustCompile(`Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[A-Za-z0-9+/&#;=]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`)
	if !policy.MatchString(body) {
		t.Error("the page has no content security policy")
	}
	if n := strings.Count(body, "<style>"); n != 1 {
		t.Errorf("%d style sheets", n)
	}
}

func TestPageShowsWhatTheWorkbookSays(t *testing.T) {
	t.Parallel()
	body := page(t, analysed(sample(wording.Both)))
	for _, want := range []string{
		`<html lang="en">`, `<article lang="en">`, `<article lang="ja">`, "Parts were replaced one at a time.", "文書検索",
		"Forecast: it repairs 2 of 2 low-score answers",
		"✗ not met: 7.7%", "of this group: 5 then, 2 now", "<circle class=\"low\"", "<circle class=\"rest\"", "1 ▼", "一か所で答えられる・具体",
		"Scored by a simple built-in checker", "chunk.size", "No. Promotional fares are not refundable", "低スコア回答",
		"Worked examples: one answer of each frequent cause", "answered from the evidence alone: 1 of 1 answer good ✓", "1回中1回が良い回答 ✓",
		"A diagnosis with another model to compare with decides", "別のモデルを比較に使って原因をもう一度分析すると",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if page(t, analysed(sample(wording.Both))) != body {
		t.Error("two pages of one report differ")
	}
	bare := page(t, alone("ja"))
	for _, want := range []string{"workbench diagnose 9b44d0c3aa17", "workbench questions 9b44d0c3aa17"} {
		if !strings.Contains(bare, want) {
			t.Errorf("the page does not say how to do what was not done: %q", want)
		}
	}
}

// Circles of both charts stand for counts on one scale: areas are proportional to counts.
func TestBubblesOfAPageHaveOneScale(t *testing.T) {
	t.Parallel()
	f, err := sample("en").content()
	if err != nil {
		t.Fatal(err)
	}
	charts := f.htmlPage().pageBubbles()
	if len(charts) != 2 {
		t.Fatalf("%d charts", len(charts))
	}
	count := regexp.MustCompile(`: (\d+)$`)
	seen := map[string]string{}
	for _, c := range charts {
		for _, circle := range c.Circles {
			n := count.FindStringSubmatch(circle.Text)[1]
			if r, ok := seen[n]; ok && r != circle.R {
				t.Errorf("%s answers have radius %s and %s", n, r, circle.R)
			}
			seen[n] = circle.R
		}
	}
	if seen["7"] != "26" { // the largest count of both
		t.Errorf("radii by count: %v", seen)
	}
}

func TestRowsAsData(t *testing.T) {
	t.Parallel()
	r := hostileReport()
	r.Candidate.Results[2].Scores[0] = metrics.Score{Metric: "faithfulness", State: metrics.Scored, Value: math.NaN()}
	var lines bytes.Buffer
	if err := r.WriteJSONL(&lines); err != nil {
		t.Fatal(err)
	}
	var rows []Row
	for dec := json.NewDecoder(&lines); ; {
		var row Row
		if err := dec.Decode(&row); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if len(rows) != len(sheet) {
		t.Fatalf("%d rows for %d questions", len(rows), len(sheet))
	}
	second := rows[1]
	if second.Question != r.Candidate.Questions[1].Text || second.Change != "worse" || second.Cause != "retriever" ||
		second.Scores[correctness] != 2 || !*second.LowScore {
		t.Errorf("row is %+v", second)
	}
	if _, ok := rows[2].Scores["faithfulness"]; ok || rows[2].Missing["faithfulness"] != "error: not_a_number" {
		t.Errorf("a score that is no number is %v, %q", rows[2].Scores, rows[2].Missing)
	}
	if last := rows[15]; last.Answer != nil || last.Failure != "provider_timeout" || last.LowScore != nil || len(last.Scores) != 0 {
		t.Errorf("a question without an answer is %+v", last)
	}
}

func TestTableOfRows(t *testing.T) {
	t.Parallel()
	r := hostileReport()
	r.Candidate.Results[2].Scores[0] = metrics.Score{Metric: "faithfulness", State: metrics.Scored, Value: math.NaN()}
	var table bytes.Buffer
	if err := r.WriteCSV(&table); err != nil {
		t.Fatal(err)
	}
	body := table.String()
	if !strings.HasPrefix(body, "\uFEFF") || strings.Contains(body, "NaN") {
		t.Error("the table has no byte order mark, or holds NaN")
	}
	records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\uFEFF"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, record := range records {
		for j, cell := range record {
			if spreadsheet.Risky(cell) {
				t.Errorf("line %d, column %s would be a formula: %.30q", i, records[0][j], cell)
			}
		}
	}
	at := map[string]int{}
	for j, name := range records[0] {
		at[name] = j
	}
	q := records[15] // the hostile question of the sample
	if got, want := []string{q[at["question"]], q[at["answer"]], q[at[correctness]]},
		[]string{"'" + hostile[0], "'" + hostile[3], "5"}; !cmp.Equal(want, got) {
		t.Errorf("hostile row (-want +got):\n%s", cmp.Diff(want, got))
	}
	if last := records[16]; last[at["low_score"]] != "" ||
		!strings.HasPrefix(last[at["missing"]], "answer: provider_timeout; correctness: error: provider_timeout") {
		t.Errorf("missing scores are %q, %q", last[at["low_score"]], last[at["missing"]])
	}
}

func TestWorkbookNeverHoldsNaN(t *testing.T) {
	t.Parallel()
	r := analysed(sample("en"))
	r.Candidate.Results[2].Scores[0] = metrics.Score{Metric: "faithfulness", State: metrics.Scored, Value: math.NaN()}
	m := r.Comparison.Metrics[trust]
	m.Diff, m.Candidate = math.Inf(1), math.NaN()
	r.Comparison.Metrics[trust] = m
	for name, body := range parts(t, write(t, r)) {
		for _, bad := range []string{"NaN", "+Inf"} {
			if strings.Contains(body, "<v>"+bad) || strings.Contains(body, ">"+bad+"<") {
				t.Errorf("%s holds %s", name, bad)
			}
		}
	}
}

// What people fill in comes back, whatever language the sheet was written in.
func TestReviewColumnsComeBack(t *testing.T) {
	t.Parallel()
	for _, lang := range wording.Languages() {
		r := analysed(sample(lang))
		f := open(t, r)
		sheet := wording.Catalogues()[lang].Say("sheet.low")
		rows := rowsOf(t, f, sheet)
		fill := map[string]string{}
		for j, heading := range rows[headerRow-1] {
			at := slices.IndexFunc(reviewform.Columns(), func(c reviewform.Column) bool { return c.Heading(lang) == heading })
			if at >= 0 {
				c := reviewform.Columns()[at]
				cell := spreadsheet.CellName(j+1, firstRow)
				switch {
				case c.Hidden:
					fill[c.Key], _ = f.GetCellValue(sheet, cell)
				case len(c.Values) > 0:
					fill[c.Key] = c.Values[0].Key
					_ = f.SetCellStr(sheet, cell, c.Values[0].Word(lang))
				default:
					fill[c.Key] = "text of " + c.Key
					_ = f.SetCellStr(sheet, cell, fill[c.Key])
				}
			}
		}
		if len(fill) != len(reviewform.Columns()) {
			t.Fatalf("%s: the sheet has %d of %d review columns", lang, len(fill), len(reviewform.Columns()))
		}
		path := filepath.Join(t.TempDir(), "review.xlsx")
		if err := f.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		got, err := reviewform.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Sheets) != 2 || len(got.Rows) != 1 || len(got.Faults) != 0 ||
			got.Blank != len(lowIDs(r.Candidate))+len(r.Candidate.Questions)-1 {
			t.Fatalf("%s: %d sheets, %d rows, faults %v, %d blank", lang, len(got.Sheets), len(got.Rows), got.Faults, got.Blank)
		}
		low := got.Rows[0].Review
		want := experiments.Review{
			RunID: "9b44d0c3aa17", QuestionID: "q-002", Reviewer: "text of reviewer",
			Shown:   experiments.ShownDigest(r.Candidate.Questions[1], r.Candidate.Results[1]),
			Verdict: experiments.CorrectAnswer, Correctness: new(1), Trust: new(1), Cause: "question",
			CorrectedReference: "text of corrected_reference",
			Action:             "text of action", Priority: experiments.HighPriority, Comment: "text of comment",
		}
		if diff := cmp.Diff(want, low); diff != "" {
			t.Errorf("%s: review (-want +got):\n%s", lang, diff)
		}
	}
}

func TestEveryFormatRefusesAnUnknownLanguage(t *testing.T) {
	t.Parallel()
	r := Report{Lang: "fr"}
	for _, err := range []error{r.WriteHTML(io.Discard), r.WriteJSONL(io.Discard), r.WriteCSV(io.Discard)} {
		if problem.CodeOf(err) != "report_lang" {
			t.Errorf("error is %v", err)
		}
	}
}
