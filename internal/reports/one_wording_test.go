package reports

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// TestReasonsAreThoseOfThePages: why a score is missing has one wording, and reads as words in a workbook.
func TestReasonsAreThoseOfThePages(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		raw, err := os.ReadFile("../../frontend/src/locales/" + lang + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var pages struct {
			Reason map[string]string `json:"reason"`
		}
		if err := json.Unmarshal(raw, &pages); err != nil {
			t.Fatal(err)
		}
		n := 0
		for key, said := range wording.Catalogues()[lang] {
			if code, is := strings.CutPrefix(key, "reason."); is {
				n++
				if said != pages.Reason[code] {
					t.Errorf("%s: %q, on the pages %q", code, said, pages.Reason[code])
				}
			}
		}
		if n < 13 {
			t.Errorf("%d reasons in %s", n, lang)
		}
	}
	r := sample("ja")
	f := newContent(r, wording.Catalogues()["ja"])
	result := r.Candidate.Results[0]
	result.Scores = []metrics.Score{{Metric: correctness, State: metrics.NotApplicable, Reason: "no_claims_in_contexts"},
		{Metric: trust, State: metrics.NotApplicable, Reason: "no_claims_in_contexts"}}
	if got := f.missing(&result); got != "正解の主張が参照箇所に含まれていません：正確性、信頼性" {
		t.Errorf("%q", got)
	}
}

// TestBilingualCellsSayEachLanguageOnce: the English, then the Japanese, and no sign of punctuation twice.
func TestBilingualCellsSayEachLanguageOnce(t *testing.T) {
	t.Parallel()
	r := analysed(sample(wording.Both))
	file := open(t, r)
	meaning := ""
	for _, name := range file.GetSheetList() {
		for _, row := range rowsOf(t, file, name) {
			for _, cell := range row {
				if strings.Contains(cell, ": / ：") || strings.Contains(cell, ":  / ") {
					t.Errorf("%s: %q", name, cell)
				}
				if strings.HasPrefix(cell, "Tested: given what the search had missed") {
					meaning = cell
				}
			}
		}
	}
	f := newContent(r, wording.Catalogues()[wording.Both])
	for i := range 4 { // as many ways to see one part
		f.found.Causes.List[0].N = i
		f.found.Causes.List = append(f.found.Causes.List, f.found.Causes.List[0])
	}
	said := f.meaning("retriever")
	if n := strings.Count(said, "\n") + 1; n != 10 || strings.Count(said, "検証済み") != 5 || n > mostLines {
		t.Errorf("five meanings in both languages: %q", said)
	}
	lines := strings.Split(meaning, "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "検証済み：") || strings.Contains(lines[0], "検証") {
		t.Errorf("a meaning in both languages reads %q", meaning)
	}
}

// TestJapaneseSheetsNameTablesAndParametersInJapanese: the name that formulas use stands behind a heading in words.
func TestJapaneseSheetsNameTablesAndParametersInJapanese(t *testing.T) {
	t.Parallel()
	r := analysed(sample("ja"))
	r.Questions.Categories = append(r.Questions.Categories, questions.LabelCount{Label: "multi_hop_abstract"})
	file := open(t, r)
	var all strings.Builder
	for _, name := range file.GetSheetList() {
		for _, row := range rowsOf(t, file, name) {
			all.WriteString(strings.Join(row, "|") + "\n")
		}
	}
	for _, want := range []string{"表 – 原因（Causes）", "表 – 改善策（Recommendations）", "表 – 設定の一覧（SweepRuns）", "表 – 目標（AgreedTargets）",
		"複数箇所が必要・抽象|", "カテゴリ（タグ、なければ分析）", "●は必要な記載の一部を含む", "モデルに渡す参照箇所の数"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no sheet says %q", want)
		}
	}
	none := false
	for _, row := range rowsOf(t, file, "質問の分析") {
		if len(row) > frame-1 && row[half] == "複数箇所が必要・抽象" {
			none = true
			if row[frame-1] != "–" {
				t.Errorf("the share of no questions is %q", row[frame-1])
			}
		}
	}
	if !none {
		t.Error("the category without questions is not listed")
	}
	if strings.Contains(all.String(), "retrieve.k=") || strings.Contains(all.String(), "retrieve.k = ") {
		t.Error("a sheet names a parameter as files do")
	}
}

// TestRepeatedScoresAreNoFurtherOnes: a question counts once, however often it was scored.
func TestRepeatedScoresAreNoFurtherOnes(t *testing.T) {
	t.Parallel()
	r := alone("ja")
	once := newContent(r, wording.Catalogues()["ja"]).scored()
	r.Candidate.Results = append(r.Candidate.Results, r.Candidate.Results...)
	if said := newContent(r, wording.Catalogues()["ja"]).scored(); said != once {
		t.Error(said)
	}
}

// TestWhatIsCountedByTheGradeAloneIsToldOnce: the sentence above the counts says it; the list of doubts does not say it again.
func TestWhatIsCountedByTheGradeAloneIsToldOnce(t *testing.T) {
	t.Parallel()
	for votes, want := range map[int]int{0: 0, 2: 0, 5: 1} { // where votes decide all, no sentence tells it
		for lang, words := range map[string]string{"en": "by the grade alone", "ja": "評価だけで判定しました"} {
			r := sample(lang)
			r.Comparison.ByGradeAlone = 5
			r.Comparison.Warnings = append(r.Comparison.Warnings, analysiscompare.Note{Code: analysiscompare.WarnByGradeAlone,
				Params: map[string]any{"n": 5, "votes": votes, "who": "x", "measures": "y", "more": "z"}})
			got := strings.Count(strings.Join(newContent(r, wording.Catalogues()[lang]).notes(), "\n"), words)
			if got != want {
				t.Errorf("%s, %d by votes: told %d times in the notes, want %d", lang, votes, got, want)
			}
		}
	}
}
