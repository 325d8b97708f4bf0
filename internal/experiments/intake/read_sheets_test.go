package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestSheetsThatPeopleChoose: several are read as one, in the order of the workbook, under whatever names their questions and answers
// stand; the report says of every sheet what became of it, in words that are true of it.
func TestSheetsThatPeopleChoose(t *testing.T) {
	t.Parallel()
	book := teamSheet{name: "tabs", tabs: []teamTab{
		ofTab("表紙", "FAQ評価シート"),
		ofTab("営業", "No¦質問¦正解", "1¦日当は？¦3,000円", "2¦精算は？¦10日以内"),
		ofTab("開発", "No¦質問¦正解", "1¦始業は？¦9時"),
		ofTab("問い合わせ", "番号¦質問内容¦模範解答", "1¦窓口は？¦1階"),
		ofTab("営業 (2)", "No¦質問¦正解", "1¦日当は？¦2,500円"),
		ofTab("結果", "No¦質問¦正解¦判定", "1¦日当は？¦3,000円¦○"),
		ofTab("#廃止案", "No¦質問¦正解", "1¦社宅は？¦10年まで"),
		ofTab("空", "No¦質問¦正解"),
	}}
	_, raw := book.file(t)
	cases := []struct {
		choose []string
		asked  string
		read   string // sheets with their rows
		why    []string
		failed bool
	}{
		{nil, "日当は？ 精算は？ 始業は？", "営業 2, 開発 1, 空 0", []string{
			"表紙: no column name says that it holds questions", "営業: its column names look like those of questions",
			`開発: its column names agree with those of "営業"`, `問い合わせ: its column names differ from those of "営業"`,
			"営業 (2): by its name it holds results", "結果: by its name it holds results", "廃止案: the workbook hides it",
			`空: its column names agree with those of "営業"`}, false},
		{[]string{"開発"}, "始業は？", "開発 1", []string{"開発: it was chosen", "営業: other sheets were chosen"}, false},
		{[]string{" 開発 ", "問い合わせ", "開発"}, "始業は？ 窓口は？", "開発 1, 問い合わせ 1",
			[]string{"問い合わせ: it was chosen"}, false},
		{[]string{"営業 (2)", "営業"}, "日当は？ 精算は？ 日当は？", "営業 2, 営業 (2) 1", nil, false},
		{[]string{"廃止案", "開発"}, "始業は？ 社宅は？", "開発 1, 廃止案 1", nil, false},
		{[]string{"空"}, "", "空 0", []string{"空: it was chosen", "開発: other sheets were chosen"}, true},
	}
	for _, c := range cases {
		d, report, err := readDataset(raw, "q.xlsx", "sheet", nil, ReadOptions{Sheets: c.choose})
		if (err != nil) != c.failed {
			t.Errorf("%q: %v", c.choose, err)
		}
		var asked, read []string
		if d != nil {
			for _, q := range d.Questions {
				asked = append(asked, q.Text)
				if q.Reference == "" {
					t.Errorf("%q: no right answer for %s", c.choose, q.Text)
				}
			}
		}
		var why strings.Builder
		for _, s := range report.Sheets {
			if s.Read {
				read = append(read, fmt.Sprintf("%s %d", s.Name, s.Rows))
			}
			fmt.Fprintf(&why, "%s: %s\n", s.Name, s.Why.EN)
			if s.Why.JA == "" || s.Hidden != (s.Name == "廃止案") {
				t.Errorf("%q: %+v", c.choose, s)
			}
		}
		if got := strings.Join(asked, " "); got != c.asked {
			t.Errorf("%q: asked %s, want %s", c.choose, got, c.asked)
		}
		if got := strings.Join(read, ", "); got != c.read {
			t.Errorf("%q: read %s, want %s", c.choose, got, c.read)
		}
		for _, want := range c.why {
			if !strings.Contains(why.String(), want) {
				t.Errorf("%q: %s, want %q", c.choose, why.String(), want)
			}
		}
		notes := strings.Join(text.InEnglish(report.Notes), "\n")
		if several := len(c.choose) > 1; several != strings.Contains(notes, "sheets were read as one, as they were chosen: ") {
			t.Errorf("%q: notes %s", c.choose, notes)
		}
		if strings.Contains(c.read, "廃止案") != strings.Contains(notes, `"廃止案" is hidden in the workbook and was read all the same`) {
			t.Errorf("%q: notes %s", c.choose, notes)
		}
	}
}
