package intake

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestFurtherTablesOfASheet: column names below other rows begin a table that is read by them, whatever their order; one without questions
// is named and not read; and no row that holds names is a question.
func TestFurtherTablesOfASheet(t *testing.T) {
	t.Parallel()
	row := func(cells ...any) []any { return cells }
	first := [][]any{row("質問", "回答", "難易度"), row("期限は？", "10日です。", "易"), row("金額は？", "100円です。", "難")}
	cases := map[string]struct {
		below  [][]any
		asked  []string // "question = right answer" of what the further rows hold
		note   string
		column string // that the further table adds
	}{
		"in another order": {[][]any{row(), row("2. その他"), row("回答", "質問", "担当"), row("8時です。", "開店は？", "総務"),
			row("無料です。", "送料は？", "営業")},
			[]string{"開店は？ = 8時です。", "送料は？ = 無料です。"},
			`another table begins in row 6, with column names of its own; its rows are read by these: "回答", "質問", "担当"`, "担当"},
		"by other names": {[][]any{row(), row("No", "模範解答", "問い合わせ内容"), row(1, "8時です。", "開店は？")},
			[]string{"開店は？ = 8時です。"}, "row 5", "No"},
		"the same names": {[][]any{row("質問", "回答", "難易度"), row("開店は？", "8時です。", "易")}, []string{"開店は？ = 8時です。"},
			`row 4 ("質問", "回答", "難易度")`, ""},
		"without questions": {[][]any{row(), row("項目", "件数"), row("旅費", 8), row("勤怠", 3)}, nil,
			`another table begins in row 5, whose column names ("項目", "件数") do not say what the questions are: its 2 rows were not read`, ""},
		"a question about names": {[][]any{row("質問とは？", "回答"), row("難易度", "易しさの度合いです。")},
			[]string{"質問とは？ = 回答", "難易度 = 易しさの度合いです。"}, "", ""},
	}
	for name, c := range cases {
		d, report, err := read("q.xlsx", string(workbook(t, slices.Concat(first, c.below))), nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var asked []string
		for _, q := range d.Questions[2:] {
			asked = append(asked, q.Text+" = "+q.Reference)
		}
		if !slices.Equal(asked, c.asked) {
			t.Errorf("%s: asked %q, want %q", name, asked, c.asked)
		}
		if notes := strings.Join(text.InEnglish(report.Notes), "\n"); !strings.Contains(notes, c.note) ||
			c.note == "" && strings.Contains(notes, "another table") {
			t.Errorf("%s: notes %s, want %q", name, notes, c.note)
		}
		if got := fmt.Sprint(report.Columns); c.column != "" && !strings.Contains(got, c.column) {
			t.Errorf("%s: columns %s, want %q", name, got, c.column)
		}
	}
	_, report, err := read("q.csv", "質問,回答\n期限は？,10日です。\n質問,回答\n金額は？,100円です。\n", nil, nil)
	if err != nil || report.Rows != 2 {
		t.Errorf("CSV: %+v %v", report, err)
	}
}
