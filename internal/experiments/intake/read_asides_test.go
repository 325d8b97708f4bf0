package intake

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestWhatIsNoQuestionIsNamed: what stands at the edges of a sheet and asks nothing is not read but named, numbered rows that nobody filled
// in are counted, and whatever may be a question stays one.
func TestWhatIsNoQuestionIsNamed(t *testing.T) {
	t.Parallel()
	const two = "期限は？,10日です。\n金額は？,100円です。\n"
	for name, c := range map[string]struct {
		sheet string
		extra []string // questions beside the two
		note  string   // "": nothing is passed over
	}{
		"end":            {"質問,正解\n" + two + "以上,\n", nil, `not read, because nothing is asked there: line 4 ("以上")`},
		"total":          {"質問,正解\n" + two + "合計 2件,\n", nil, `line 4 ("合計 2件")`},
		"total in cells": {"No,質問,正解\n1,期限は？,10日です。\n2,金額は？,100円です。\n合計,2,\n", nil, `line 4 ("合計", "2")`},
		"remark": {"質問,正解\n" + two + "【備考】主観です。,\n作成：総務部,\n※社外秘,\n", nil,
			`line 4 ("【備考】主観です。"), line 5 ("作成：総務部"), line 6`},
		"required": {"質問,正解\n（必須）,（任意）\n" + two, nil, `line 2 ("（必須）", "（任意）")`},
		"example":  {"質問,正解\n（記入例）休暇は？,10日\n" + two, nil, `line 2 ("（記入例）休暇は？", "10日")`},
		"numbered": {"No,質問,正解,状態\n1,期限は？,10日です。,済\n2,金額は？,100円です。,済\n3,,,未\n4,,,未\n", nil,
			"2 rows with a number hold neither a question nor an answer and were passed over: line 4, line 5"},
		"open question":   {"質問,正解\n" + two + "★休暇の申請,\n", []string{"★休暇の申請"}, ""},
		"answered remark": {"質問,正解\n" + two + "備考：とは,自由に書く欄です。\n", []string{"備考：とは"}, ""},
		"footnote amid":   {"質問,正解\n※印の意味,\n" + two, []string{"※印の意味"}, ""},
		"words to search": {"query\n期限は？\n金額は？\n承認者\n件数\n", []string{"承認者", "件数"}, ""},
		"all are examples": {"質問,正解\n例：a,1\n（例）b,2\n（例）c,3\n（例）d,4\n（例）e,5\n" + two,
			[]string{"例：a", "（例）b", "（例）c", "（例）d", "（例）e"}, ""},
	} {
		d, report, err := read("q.csv", c.sheet, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var asked []string
		for _, q := range d.Questions {
			if q.Text != "期限は？" && q.Text != "金額は？" {
				asked = append(asked, q.Text)
			}
		}
		notes := strings.Join(text.InEnglish(report.Notes), "\n")
		if !slices.Equal(asked, c.extra) || len(d.Questions) != 2+len(c.extra) {
			t.Errorf("%s: also asked %q of %d, want %q", name, asked, len(d.Questions), c.extra)
		}
		passed := strings.Contains(notes, "not read, because") || strings.Contains(notes, "passed over")
		if passed != (c.note != "") || !strings.Contains(notes, c.note) {
			t.Errorf("%s: notes %s, want %q", name, notes, c.note)
		}
	}
	_, report, err := read("q.csv", "質問,正解\n"+two+"窓口は？,\n", nil, nil)
	if want := "no right answer for 1 of 3 questions: correctness is not measured for them: line 4"; err != nil ||
		!slices.Contains(text.InEnglish(report.Notes), want) {
		t.Errorf("%v %v, want %q", fmt.Sprint(report.Notes), err, want)
	}
}
