package intake

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// Columns say in either polarity which questions the documents answer, by the names and words that people use.
func TestUnanswerableColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ column, first, second string }{ // the first question has an answer, the second has none
		{"回答可否", "可", "不可"}, {"回答可否", "○", "×"}, {"回答可否", "はい", "いいえ"}, {"回答可否", "回答可", "回答不可"}, {"回答可能", "true", "false"},
		{"回答できるか", "はい", "いいえ"}, {"回答可能か", "可", "不可"}, {"answerable", "yes", "no"},
		{"回答不可", "", "はい"}, {"回答不可", "いいえ", "はい"}, {"回答不可", "×", "○"}, {"回答不可", "可", "不可"}, {"回答不能", "false", "true"},
		{"回答不可能", "", "○"}, {"回答なし", "", "はい"}, {"文書にない", "", "はい"}, {"文書に記載なし", "", "○"}, {"unanswerable", "no", "yes"},
		{"No answer", "", "x"}, {"Out of scope", "no", "yes"}, {"not in the documents", "", "yes"}, {"is_impossible", "false", "true"},
		{"対象外", "", "○"},
	} {
		sheet := "質問,正解," + c.column + "\n何時まで？,8時まで出せます," + c.first + "\n誰が来ますか？,," + c.second + "\n"
		d, report, err := read("q.csv", sheet, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.column, err)
			continue
		}
		if q := d.Questions; !q[0].Answerable || q[1].Answerable {
			t.Errorf("%s %q %q: answerable %v, %v; %v", c.column, c.first, c.second, q[0].Answerable, q[1].Answerable, report.Columns)
		}
	}
	d, _, err := read("q.jsonl", `{"question":"a","is_impossible":true}`+"\n"+`{"question":"b","is_impossible":false}`, nil, nil)
	if err != nil || d.Questions[0].Answerable || !d.Questions[1].Answerable {
		t.Errorf("JSON: %v %v", d, err)
	}
	d, _, err = read("q.csv", "question,reference,X\na?,one,no\nb?,,yes\n", nil, map[string]string{"X": "unanswerable"})
	if err != nil || !d.Questions[0].Answerable || d.Questions[1].Answerable {
		t.Errorf("mapped: %v %v", d, err)
	}
}

// TestRefusalsAsRightAnswers: what a system is to say where it has no answer is no right answer, a word that may be one is told with its
// row, and an answer that only begins so stays.
func TestRefusalsAsRightAnswers(t *testing.T) {
	t.Parallel()
	for answer, answerable := range map[string]bool{
		"（回答できません）": false, "わかりません": false,
		"分かりません。": false, "回答不可（資料なし）": false, "答えられない": false, "お答えできません": false,
		"I don't know.":                     false,
		"Cannot answer (not in the manual)": false, "【該当なし】": false, "なし": false,
		"無し（無料）": true, "0円": true, "手数料はありません": true, "わかりません窓口へ行ってください": true, "（3,000円）": true,
	} {
		d, report, err := read("q.csv", "質問,正解\n期限は？,10日以内です。\n手数料は？,\""+answer+"\"\n", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", answer, err)
			continue
		}
		if d.Questions[1].Answerable != answerable || (d.Questions[1].Reference == "") == answerable {
			t.Errorf("%s: answerable %v, reference %q", answer, d.Questions[1].Answerable, d.Questions[1].Reference)
		}
		notes := strings.Join(text.InEnglish(report.Notes), "\n")
		if told := strings.Contains(notes, `say in a column answerable that there is one: line 3 ("なし")`); told != (answer == "なし") {
			t.Errorf("%s: notes %s", answer, notes)
		}
	}
	d, _, err := read("q.csv", "質問,正解,回答可否\n期限は？,10日以内です。,可\n手数料は？,なし,可\n株価は？,,不可\n", nil, nil)
	if err != nil || !d.Questions[1].Answerable || d.Questions[1].Reference != "なし" {
		t.Errorf("with a column: %+v %v", d, err)
	}
}

// Why such a column is only kept is said truly.
func TestWhyAnUnanswerableColumnIsKept(t *testing.T) {
	t.Parallel()
	for sheet, want := range map[string]string{
		"質問,正解,回答不可\n何時まで？,8時まで出せます,\n誰が来ますか？,九時に人が来ます,たぶん\n":  "以外の値があるため",
		"質問,正解,回答可否,回答不可\n何時まで？,8時まで出せます,可,\n誰が来ますか？,,不可,はい\n": "列「回答可否」を回答の可否として読み取るため",
	} {
		_, report, err := read("q.csv", sheet, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range report.Columns {
			if c.Source == "回答不可" && (c.Field != fieldMetadata || !strings.Contains(c.Why.In("ja"), want)) {
				t.Errorf("kept as %s because %q, want %q", c.Field, c.Why.In("ja"), want)
			}
		}
	}
}

// What is wrong with a yes or no names the column that people wrote, and the words that it takes.
func TestAWrongYesNamesItsColumn(t *testing.T) {
	t.Parallel()
	_, _, err := read("q.csv", "質問,正解,重要\n何時まで？,8時,まあまあ\nいつ？,9時,はい\n", nil, nil)
	if err == nil {
		t.Fatal("taken")
	}
	shown := rowProblems(t, err)
	if said := shown[0].In("ja"); len(shown) != 1 || !strings.Contains(said, "重要：") || !strings.Contains(said, "「はい」か「いいえ」") {
		t.Errorf("said %v", shown)
	}
}

// Questions that stand there twice are told with their rows, whether or not their answers differ; and so is what a row without a question
// was added to.
func TestRepeatedQuestionsAreTold(t *testing.T) {
	t.Parallel()
	_, report, err := read("q.csv", "質問,正解\n何時まで？,8時30分\n何時まで？,9時\n袋は？,黄色\n袋は？,黄色\n箱は？,赤色\n,青色\n", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, n := range report.Notes {
		said = append(said, n.JA)
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{"異なる正解があります", "「何時まで？」（2行目、3行目）", "7行目（「青色」を質問「箱は？」に追加）", "どの数値にもその回数だけ数えられます"} {
		if !strings.Contains(all, want) {
			t.Errorf("notes lack %q:\n%s", want, all)
		}
	}
}

// Quotes from a table are found by their cells, however the table was written; what is not found is named with its row.
func TestQuotesOfTableRows(t *testing.T) {
	t.Parallel()
	corpus := rag.NewCorpus("fees", []rag.Document{{ID: "f", Text: "手数料\n\n品目\t手数料\n自転車\t800円\nたんす\t1,600円\n\n窓口は12番です。\n"}})
	_, report, err := read("q.csv", "質問,正解,根拠\n自転車は？,800円です,自転車 | 800円\nたんすは？,1600円です,\"| たんす | 1,600円 |\"\n"+
		"いくら？,800円です,\"| 品目 | 手数料 |\n|---|---|\n| 自転車 | 800円 |\"\n番号は？,12番です,窓口は1 | 2番です。\n机は？,3円です,机 | 3円\n", corpus, nil)
	if err != nil {
		t.Fatal(err)
	}
	var said string
	for _, n := range report.Notes {
		if strings.Contains(n.JA, "根拠の記述") {
			said = n.JA
		}
	}
	for _, want := range []string{"根拠の記述2件は", "見つかった根拠：3件", "窓口は1 | 2番です。", "行目（「机 | 3円」）"} {
		if !strings.Contains(said, want) {
			t.Errorf("said %q, want %q", said, want)
		}
	}
}
