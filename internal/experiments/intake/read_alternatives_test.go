package intake

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestSeveralRightAnswers: what a cell or its column says to be further right answers is; points of one answer stay together; what may be
// either is kept as one and named.
func TestSeveralRightAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column, cell, want string // right answers, with ~ between
		doubt              bool
	}{
		{"正解（いずれか）", "3,000円 または 三千円", "3,000円~三千円", false},
		{"正解（複数可）", "①総務部\n②総務部庶務係", "総務部~総務部庶務係", false},
		{"Accepted answers", "5 days; five days | 5d", "5 days~five days~5d", false},
		{"Accepted answers", "Press the button; then wait until the light is green", "Press the button; then wait until the light is green", false},
		{"正解", "午前9時\n別解：9:00\n別解：九時", "午前9時~9:00~九時", false},
		{"Answer", "Ten hours (also accepted: 10 h)", "Ten hours~10 h", false},
		{"Answer", `Ten hours ("10 h" is also accepted)`, "Ten hours~10 h", false},
		{"正解", "3,000円（「三千円」「3千円」も可）", "3,000円~三千円~3千円", false},
		{"正解", "3,000円（三千円も正解）", "3,000円~三千円", false},
		{"正解", "10日以内（メールでも可）", "10日以内（メールでも可）", true},
		{"正解", "免許証またはパスポート", "免許証またはパスポート", true},
		{"Answer", "Phone / e-mail", "Phone / e-mail", true},
		{"正解", "9時\n午前9時", "9時\n午前9時", true},
		// may belong to the answer
		{"正解", "次のいずれか：\n①免許証\n②パスポート", "次のいずれか：\n①免許証\n②パスポート", true},
		{"正解", "・免許証\n・パスポート", "・免許証\n・パスポート", false},
		{"正解（要点）", "免許証／パスポート", "免許証／パスポート", false},
		{"正解", "申請は郵送または窓口で行います。手数料は3,000円です。",
			"申請は郵送または窓口で行います。手数料は3,000円です。", false},
		{"正解", "24/7、and/or", "24/7、and/or", false},
		{"reference", "3,000円（「三千円」も可）", "3,000円（「三千円」も可）", true}, // as we export it
	} {
		d, report, err := read("q.csv", "質問,"+c.column+"\n日当はいくらですか？,\""+strings.ReplaceAll(c.cell, `"`, `""`)+"\"\n", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.cell, err)
			continue
		}
		q, notes := d.Questions[0], strings.Join(text.InEnglish(report.Notes), "\n")
		if got := strings.Join(append([]string{q.Reference}, q.References...), "~"); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.column, c.cell, got, c.want)
		}
		if said := strings.Contains(notes, "were read as one: line 2"); said != c.doubt {
			t.Errorf("%s %q: notes %s", c.column, c.cell, notes)
		}
	}
}

// TestLinesThatGoOn: a line that goes on with the one above is no further right answer, and no doubt is raised.
func TestLinesThatGoOn(t *testing.T) {
	t.Parallel()
	for answer, doubtful := range map[string]bool{
		"9時～\n18時": false, "9時〜\r\n18時": false, "9時\n～18時": false, "9時\n（シフト勤務は別）": false, "10 km\n(one way)": false,
		"9時\n10時": true, "東京\n大阪": true, "9時\n（10時も可）": true, "A-1\nA-2": true,
	} {
		if got := mayBeSeveral(answer); got != doubtful {
			t.Errorf("%q: %t", answer, got)
		}
	}
}
