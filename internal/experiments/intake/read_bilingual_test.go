package intake

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// bilingual are names of columns in Japanese and English, and what they are.
var bilingual = []struct{ ja, en, field string }{
	{"番号", "No.", "question_id"}, {"管理番号", "ID", "question_id"}, {"質問", "Question", "question"}, {"質問内容", "Question", "question"},
	{"問い合わせ内容", "Inquiry", "question"}, {"質問文", "Query", "question"}, {"正解", "Correct answer", "reference"},
	{"模範解答", "Model answer", "reference"}, {"期待される回答", "Expected answer", "reference"}, {"回答", "Answer", "reference"},
	{"根拠", "Evidence", "evidence"}, {"根拠箇所", "Quote", "evidence"}, {"該当箇所", "Supporting text", "evidence"},
	{"カテゴリ", "Category", "category"}, {"分類", "Category", "category"}, {"テーマ", "Theme", "theme"}, {"難易度", "Difficulty", "tag"},
	{"優先度", "Priority", "tag"}, {"担当者", "Owner", "metadata"}, {"備考", "Remarks", "metadata"}, {"メモ", "Note", "metadata"},
	{"ボット回答", "Bot answer", "metadata"}, {"言語", "Language", "lang"},
}

// TestHeadsInTwoLanguages: columns that are named in Japanese and English, in one cell or in two rows, in either order, are what they are
// in each language, and no row of names is a question. Generated: any columns in any order, with a title above, or the heads once more
// below.
func TestHeadsInTwoLanguages(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	seps := []string{"/", " / ", "／", "\n", "|"}
	values := map[string][2]string{
		"question_id": {"A-1", "A-2"}, "question": {"日当は？", "始業は？"}, "reference": {"日当は3,000円です", "午前9時に始業します"},
		"evidence": {"日当は3,000円とする。", "始業時刻は午前9時とする。"}, "category": {"旅費", "勤怠"}, "theme": {"出張",
			"勤務"}, "tag": {"高", "低"},
		"metadata": {"要確認事項あり", "なしと思われる"}, "lang": {"ja", "ja"},
	}
	for round := range 600 {
		var picked []int
		seen := map[string]bool{}
		for _, i := range rng.Perm(len(bilingual)) {
			if f := bilingual[i].field; !seen[f] && (f == "question" || f == "reference" || rng.IntN(2) == 0) {
				seen[f] = true
				picked = append(picked, i)
			}
		}
		var upper, lower, both []string
		rows := [2][]string{}
		turned, sep := rng.IntN(2) == 0, seps[rng.IntN(len(seps))]
		for _, i := range picked {
			a, b := bilingual[i].ja, bilingual[i].en
			if turned {
				a, b = b, a
			}
			upper, lower, both = append(upper, a), append(lower, b), append(both, a+sep+b)
			for n := range rows {
				rows[n] = append(rows[n], values[bilingual[i].field][n])
			}
		}
		quote := func(cells []string) string { return `"` + strings.Join(cells, `","`) + "\"\n" }
		heads := quote(upper) + quote(lower)
		if rng.IntN(2) == 0 {
			heads = quote(both)
		}
		sheet := heads + quote(rows[0])
		if rng.IntN(3) == 0 {
			sheet += heads // on the next page
		}
		sheet += quote(rows[1])
		if rng.IntN(3) == 0 {
			sheet = "評価シート" + strings.Repeat(",", len(picked)-1) + "\n" + sheet
		}
		d, report, err := read("q.csv", sheet, teamCorpus(), nil)
		if err != nil {
			t.Errorf("round %d: %s%v", round, sheet, err)
			continue
		}
		var asked []string
		for _, q := range d.Questions {
			asked = append(asked, q.Text+" "+q.Reference)
		}
		if want := []string{"日当は？ 日当は3,000円です", "始業は？ 午前9時に始業します"}; !slices.Equal(asked, want) {
			t.Errorf("round %d: %s%q", round, sheet, asked)
			continue
		}
		for n, i := range picked {
			use := report.Columns[n]
			if field := strings.TrimPrefix(use.Field, "tags"); field != bilingual[i].field {
				t.Errorf("round %d: %q is read as %s, want %s, notes %v", round, use.Source, use.Field, bilingual[i].field,
					text.InEnglish(report.Notes))
			}
		}
	}
}

// TestManyWordsOfTwoLanguages: a name of many words is read in no time.
func TestManyWordsOfTwoLanguages(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("a ", 30) + "質問", strings.Repeat("質 a ", 15), strings.Repeat("質問/a ", 8)} {
		guessName(name)
	}
}

// TestOneRowOfNamesIsEnough: what only looks like names below a header is data.
func TestOneRowOfNamesIsEnough(t *testing.T) {
	t.Parallel()
	for _, sheet := range []string{
		"質問,正解\nQuestionの意味は？,質問のことです\n日当は？,3000円\n", "Question,Answer\nanswer,a reply\nquestion,what is asked\n",
		"用語,質問,正解\nFAQ,よくある質問,質問と回答\n日当,日当は？,3000円\n",
	} {
		d, _, err := read("q.csv", sheet, nil, nil)
		if err != nil || len(d.Questions) != 2 {
			t.Errorf("%s%+v %v", sheet, d, err)
		}
	}
}
