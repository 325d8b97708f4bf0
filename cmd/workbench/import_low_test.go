package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// lowSheet writes a table of a team that scores with Ragas and DeepEval-like metrics. The truth is known: by theme, which answers have a
// faithfulness of at most .5 and which a hallucination of at least .4.
func lowSheet(t *testing.T, b *bench, name string, faithfulness, hallucination []float64) string {
	t.Helper()
	themes := []string{"refunds", "delivery", "accounts"}
	rows := "id,question,answer,reference,theme,faithfulness,hallucination\n"
	for i, f := range faithfulness {
		rows += fmt.Sprintf("q%02d,How do I do task %d about %s?,%s answers %d.,Right %d.,%s,%g,%g\n", i, i, themes[i%3], name, i, i,
			themes[i%3], f, hallucination[i])
	}
	path := b.path(name + ".csv")
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestImportedScoresSayWhatIsLow: a definition that was said at the import counts on every channel, in both languages, and the counts are
// those of the table.
func TestImportedScoresSayWhatIsLow(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	// low by faithfulness: q00, q03 of april; q03, q05, q07, q08 of may. By hallucination besides: q01 of april; q01 and q02 of may.
	april := lowSheet(t, b, "april", []float64{.2, .9, .8, .5, .7, .9, .6, .8, .9}, []float64{.1, .4, .1, .1, .2, .1, .1, .3, .1})
	may := lowSheet(t, b, "may", []float64{.9, .9, .8, .4, .7, .5, .6, .3, .1}, []float64{.1, .6, .9, .5, .2, .1, .1, .3, .1})
	low := []string{"--low", "faithfulness<=50%", "--low", "Hallucination ≥ 0,4"}
	var imported struct {
		Low   []string `json:"low"`
		Count int      `json:"low_score_count"`
		Rated int      `json:"low_rated"`
		RunID string   `json:"run_id"`
	}
	decode(t, b.must(append([]string{"import-results", april, "--name", "april", "--json"}, low...)...), &imported)
	if want := []string{"ragas.faithfulness<=0.5", "ragas.hallucination>=0.4"}; !slices.Equal(imported.Low, want) || imported.Count != 3 ||
		imported.Rated != 9 {
		t.Errorf("%+v", imported)
	}
	for lang, want := range map[string]string{
		"en": "6 of 9 rated answers are low-score answers (Ragas: faithfulness ≤ 0.5 or Ragas: hallucination ≥ 0.4)",
		"ja": "スコアのある9件の回答のうち、低スコア回答は6件です（Ragas: faithfulnessが0.5以下、またはRagas: hallucinationが0.4以上）",
	} {
		o := b.must(append([]string{"import-results", may, "--name", "may", "--lang", lang}, low...)...)
		if !strings.Contains(o.stdout, want) {
			t.Errorf("%s import:\n%s", lang, o.stdout)
		}
	}
	if again := b.must("import-results", may, "--name", "may"); !strings.Contains(again.stdout, "6 of 9 rated answers") {
		t.Errorf("importing again forgets what is low:\n%s", again.stdout)
	}

	says := func(what string, o outcome, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !strings.Contains(o.stdout+o.stderr, text) {
				t.Errorf("%s does not say %q:\n%s%s", what, text, o.stdout, o.stderr)
			}
		}
	}
	says("the run", b.must("runs", "show", "may"), "6 low-score answers of 9 questions (Ragas: faithfulness ≤ 0.5 or",
		"6 questions failed or low in score", "needs correctness and trust from 1 to 5")
	says("the run", b.must("runs", "show", "may", "--lang", "ja"), "低スコア回答6件", "Ragas: faithfulnessが0.5以下",
		"分布図には、評価モデルによる正確性と信頼性")
	says("the list", b.must("runs", "list"), "6/9", "3/9")
	says("the comparison", b.must("compare", "april", "may"), "Low-score answers went from 3 to 6, of 9 scored answers.",
		"6 of 9 answers have a low score (Ragas: faithfulness of 0.5 or less, or Ragas: hallucination of 0.4 or more)")
	says("the comparison", b.must("compare", "april", "may", "--lang", "ja"), "低スコア回答は、採点した9件中3件から6件になりました")
	var compared struct {
		Before int `json:"low_before"`
		After  int `json:"low_after"`
	}
	if decode(t, b.must("compare", "april", "may", "--json"), &compared); compared.Before != 3 || compared.After != 6 {
		t.Errorf("%+v", compared)
	}
	says("causes", b.run("diagnose", "may"), "why an answer is low is found by changing one part of the system", "--model PROVIDER/MODEL")

	questions := b.must("questions", "may")
	says("questions", questions, "low scores are those of run", "Ragas: faithfulness ≤ 0.5 or Ragas: hallucination ≥ 0.4")
	for theme, n := range map[string]int{"refunds": 1, "delivery": 2, "accounts": 3} { // q03; q01, q07; q02, q05, q08
		found := false
		for line := range strings.Lines(strings.ToLower(questions.stdout)) {
			fields := strings.Fields(line)
			found = found || len(fields) == 4 && fields[0] == theme && fields[1] == "3" && fields[3] == strconv.Itoa(n)
		}
		if !found {
			t.Errorf("of %s not %d are low:\n%s", theme, n, questions.stdout)
		}
	}

	b.must("agreement", "set", "april", "--by", "CS", "--low-score", "4", "--target", "{metric: low_score_share, target: 0.5}")
	agreed := b.must("agreement", "show", "april", "--run", "may")
	says("the agreement", agreed, "6 of 9 rated answers are low scores", "66.7%", "not met", "the agreed threshold does not apply to these scores")
	says("the agreement", b.must("agreement", "show", "april", "--run", "april"), "3 of 9 rated", "33.3%")

	for lang, texts := range map[string][]string{
		"en": {"6 of 9 answers have a low score", "3 × <b>Ragas: faithfulness of 0.5 or less", "the agreed threshold of 4 is one of grades",
			"66.7%", "run the system here, or import the file under another name"},
		"ja": {"低スコア回答は6件", "Ragas: faithfulnessが0.5以下", "合意したしきい値4は1〜5の評価に対するもの", "66.7%", "システムをここで実行するか"},
	} {
		b.must("report", "may", "--baseline", "april", "--lang", lang, "-o", b.path(lang+".md"))
		b.must("report", "may", "--baseline", "april", "--lang", lang, "-o", b.path(lang+".html"))
		for _, kind := range []string{".md", ".html"} {
			raw, err := os.ReadFile(b.path(lang + kind))
			page := strings.NewReplacer("**", "<b>", "<strong>", "<b>").Replace(string(raw))
			for _, text := range texts {
				if err != nil || kind == ".md" && !strings.Contains(page, text) || kind == ".html" && !strings.Contains(text, "<b>") &&
					!strings.Contains(page, text) {
					t.Errorf("%s%s lacks %q, %v", lang, kind, text, err)
				}
			}
		}
		b.must("report", "may", "--baseline", "april", "--lang", lang, "-o", b.path(lang+".xlsx"))
		if got := lowListed(t, b.path(lang+".xlsx")); !slices.Equal(got, []string{"q01", "q02", "q03", "q05", "q07", "q08"}) {
			t.Errorf("%s: the workbook lists %v", lang, got)
		}
	}
}

// lowListed are the questions on the sheet of low-score answers, sorted.
func lowListed(t *testing.T, path string) []string {
	t.Helper()
	book, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for _, sheet := range book.GetSheetList() {
		tables, err := book.GetTables(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			if table.Name != "LowScoreAnswers" {
				continue
			}
			rows, err := book.GetRows(sheet)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, row := range rows {
				if len(row) > 0 && len(row[0]) == 3 && row[0][0] == 'q' {
					ids = append(ids, row[0])
				}
			}
			slices.Sort(ids)
			return ids
		}
	}
	t.Fatalf("%s has no sheet of low-score answers", path)
	return nil
}

// TestNobodyGuessesWhatIsLow: where nothing is said, no channel counts low scores or names a threshold, and each says what it takes.
func TestNobodyGuessesWhatIsLow(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	scores := []float64{.2, .9, .8, .5, .7, .9}
	path := lowSheet(t, b, "plain", scores, make([]float64, 6))
	o := b.must("import-results", path, "--name", "plain")
	if !strings.Contains(o.stdout, "which answers are low is not known") || !strings.Contains(o.stdout, "--low 'faithfulness<=…'") {
		t.Errorf("the import:\n%s", o.stdout)
	}
	for lang, want := range map[string][2]string{
		"en": {"nobody has said what is low in these scores", "for example faithfulness ≤ …, and have the file imported again with that"},
		"ja": {"取り込んだスコアの低スコアの定義がありません", "（例：faithfulness ≤ …）、その定義を付けてファイルを取り込み直してもらってください"},
	} {
		if o := b.must("runs", "show", "plain", "--lang", lang); !strings.Contains(o.stdout, want[0]) {
			t.Errorf("the run:\n%s", o.stdout)
		}
		b.must("report", "plain", "--lang", lang, "-o", b.path(lang+".html"))
		raw, err := os.ReadFile(b.path(lang + ".html"))
		page := strings.ReplaceAll(string(raw), "&#39;", "'")
		first, _, _ := strings.Cut(page, "data-chapter")
		if err != nil || !strings.Contains(page, want[1]) || strings.Contains(first, "correctness or trust") ||
			strings.Contains(first, "正確性または信頼性が") {
			t.Errorf("%s: page 1 does not say what it takes, or names a threshold", lang)
		}
	}
	questions := b.must("questions", "plain")
	if !strings.Contains(questions.stdout, "cannot be told") || !strings.Contains(questions.stdout, " -") {
		t.Errorf("questions count low scores that nobody knows:\n%s", questions.stdout)
	}

	// a run that says it is not counted against one that does not
	b.must("import-results", lowSheet(t, b, "other", scores, make([]float64, 6)), "--name", "other", "--low", "faithfulness<=0.5")
	o = b.must("compare", "plain", "other")
	if said := o.stdout + o.stderr; !strings.Contains(said, "do not mean the same by a low score (baseline: not said; candidate: Ragas: faithfulness") ||
		strings.Contains(said, "went from 0") || !strings.Contains(said, "2 of 6 answers have a low score") {
		t.Errorf("the comparison:\n%s", said)
	}
	var compared struct {
		Before int  `json:"low_before"`
		After  int  `json:"low_after"`
		Apart  bool `json:"low_apart"`
	}
	if decode(t, b.must("compare", "plain", "other", "--json"), &compared); compared.Before+compared.After != 0 || !compared.Apart {
		t.Errorf("%+v", compared)
	}
	o = b.must("import-results", path, "--name", "other2", "--low", "faithfulness<=1")
	if !strings.Contains(o.stderr, "every answer is low") {
		t.Errorf("a definition that calls all low is not doubted:\n%s", o.stderr)
	}
	if o := b.must("import-results", path, "--name", "other2", "--low", "none"); !strings.Contains(o.stdout, "is not known") {
		t.Errorf("a definition is not taken back:\n%s", o.stdout)
	}
	for _, wrong := range []string{"faithfulness>=0.5", "correctness<=2", "faithfulness<=50"} {
		o := b.run("import-results", path, "--name", "wrong", "--low", wrong)
		if o.code != program.ExitUsage || !strings.Contains(o.stderr, "hint:") {
			t.Errorf("--low %s ends with %d:\n%s", wrong, o.code, o.stderr)
		}
	}
	if o := b.must("runs", "list"); strings.Contains(o.stdout, "wrong") {
		t.Errorf("what was refused is stored:\n%s", o.stdout)
	}
}
