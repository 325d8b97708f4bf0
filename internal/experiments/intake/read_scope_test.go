package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestRowsOutsideTheTest: a column that says which rows are tested leaves the others out, by name; words that may speak of something else
// keep the row, and say so; whoever maps the column has all rows.
func TestRowsOutsideTheTest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column, cells string // of four rows
		left          int
		told          string
	}{
		{"評価対象", "○ × ○ ○", 3, `1 row left out, because column 評価対象 says that they are no part of the test: line 3 ("×")`},
		{"テスト対象", "対象 対象外 対象外 対象", 2, `line 3 ("対象外"), line 4 ("対象外")`},
		{"除外", "- ○ - -", 3, `line 3 ("○")`},
		{"Exclude?", "no yes no no", 3, `line 3 ("yes")`},
		{"Include in eval", "y n y y", 3, `line 3 ("n")`},
		{"評価対象", "○ . ○ ○", 4, "column 評価対象 may say that these rows are no part of the test"}, // a blank cell beside marks
		{"評価対象", "× × × ×", 4, ""},
		{"評価対象", "管理職 全員 全員 役員", 4, ""},
		{"対象者", "社員 対象外 社員 役員", 4, ""},
		{"ステータス", "確定 欠番 確定 廃止", 2, `line 3 ("欠番"), line 5 ("廃止")`},
		{"Status", "Open Cancelled Open Open", 4, `column Status may say that these rows are no part of the test; they were read all the same`},
		{"Status", "Pass Fail N/A Pass", 4, `line 4 ("N/A")`},
		{"判定", "合格 対象外 合格 合格", 4, ""},
	} {
		sheet := "質問,正解," + c.column + "\n"
		for i, cell := range strings.Fields(c.cells) {
			sheet += fmt.Sprintf("何番目の%d？,%d番目です,%s\n", i, i, strings.Trim(cell, "."))
		}
		d, report, err := read("q.csv", sheet, nil, nil)
		if err != nil {
			t.Errorf("%s %s: %v", c.column, c.cells, err)
			continue
		}
		notes := strings.Join(text.InEnglish(report.Notes), "\n")
		if len(d.Questions) != c.left || !strings.Contains(notes, c.told) || c.told == "" && strings.Contains(notes, "part of the test") {
			t.Errorf("%s %s: %d questions, want %d; %s", c.column, c.cells, len(d.Questions), c.left, notes)
		}
		if d, _, err = read("q.csv", sheet, nil, map[string]string{c.column: "metadata"}); err != nil || len(d.Questions) != 4 {
			t.Errorf("%s %s, mapped: %v %v", c.column, c.cells, d, err)
		}
	}
}

// TestOutOfScopeIsRead: a reason behind such a word belongs to it where it speaks of the documents, and a word that the question asks
// for is its answer.
func TestOutOfScopeIsRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question, answer string
		answerable       bool
	}{
		{"株価は？", "対象外（マニュアルに記載なし）", false}, {"株価は？", "N/A - not covered by the documents", false},
		{"株価は？", "回答対象外", false},
		{"株価は？", "OOS", false}, {"株価は？", "Out-of-scope", false}, {"株価は？", "スコープ外", false},
		{"学生は対象ですか？", "対象外", true}, {"Is VAT included?", "N/A", true}, {"パートは？", "対象外（週20時間未満）", true},
		{"税は？", "対象外です。ただし申告は必要です。", true},
	} {
		d, report, err := read("q.csv", "質問,正解\n期限は？,10日以内です。\n"+c.question+",\""+c.answer+"\"\n", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.answer, err)
			continue
		}
		q, notes := d.Questions[1], strings.Join(text.InEnglish(report.Notes), "\n")
		if q.Answerable != c.answerable || (q.Reference == "") == c.answerable || !c.answerable && !strings.Contains(notes, "line 3") {
			t.Errorf("%s %s: %+v, %s", c.question, c.answer, q, notes)
		}
	}
}

// TestTheKindOfAQuestionDenies: a label that says that the documents hold no answer makes the question one of those, unless another column
// says that they do.
func TestTheKindOfAQuestionDenies(t *testing.T) {
	t.Parallel()
	for kind, answerable := range map[string]bool{"回答不可": false, "範囲外の質問": false, "unanswerable": false, "Out-of-scope": false,
		"該当なし": true,
		"N/A":  true, "事実": true} {
		for _, column := range []string{"質問種別", "カテゴリ", "タグ"} {
			d, report, err := read("q.csv", "質問,正解,"+column+"\n期限は？,10日,事実\n株価は？,お調べします,"+kind+"\n", nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d.Questions[1].Answerable != answerable || d.Questions[1].Reference == "" {
				t.Errorf("%s %s: %+v, %v", column, kind, d.Questions[1], text.InEnglish(report.Notes))
			}
		}
	}
	d, _, err := read("q.csv", "質問,正解,種別,回答可否\n期限は？,10日,範囲外,可\n株価は？,,範囲外,不可\n", nil, nil)
	if err != nil || !d.Questions[0].Answerable || d.Questions[1].Answerable {
		t.Errorf("with a column: %+v %v", d, err)
	}
}
