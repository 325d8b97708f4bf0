package foreign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// readAs is what a file of results is read as: "question: score score" for each row, or the problem.
func readAs(path string) (rows, notes string) {
	got, err := ReadForeign(path, ForeignOptions{})
	if err != nil {
		return "", err.Error() + "\n" + problem.From(err).Hint
	}
	var list []string
	for _, item := range got.Items {
		s := item.Question
		for _, score := range item.Scores {
			if score.Value == nil {
				s += " -"
				continue
			}
			s += fmt.Sprintf(" %g", *score.Value)
		}
		list = append(list, s)
	}
	return strings.Join(list, ", "), strings.Join(got.Notes, "\n")
}

// TestTablesAsPeopleHandThemIn: names in two rows, totals with remarks below them.
func TestTablesAsPeopleHandThemIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, want, says string }{
		"names of a group": {tabsFile(t, "A:\n質問¦回答¦評価¦¦備考\n¦¦正確性¦網羅性¦\n始業は？¦9時¦5¦4¦済\n終業は？¦18時¦3¦2¦"),
			"始業は？ 5 4, 終業は？ 3 2", "the column names stand in two rows"},
		"names merged over both rows": {tabsFile(t, "A:\n質問¦回答¦評価¦\n質問¦回答¦正確性¦網羅性\n始業は？¦9時¦5¦4\n終業は？¦18時¦3¦2"),
			"始業は？ 5 4, 終業は？ 3 2", "the column names stand in two rows"},
		"a first question that has no score": {tabsFile(t, "A:\n質問¦回答¦正確性¦\n始業は？¦9時¦¦未採点\n終業は？¦18時¦3¦済"),
			"始業は？ -, 終業は？ 3", ""},
		"remarks below the averages": {tabsFile(t, "A:\n質問¦回答¦正確性\n始業は？¦9時¦5\n終業は？¦18時¦4\n平均¦¦4.5\n\n※5は完全正解\n備考：5月に採点"),
			"始業は？ 5, 終業は？ 4", `remarks below the table: row 6 ("※5は完全正解"), row 7`},
		"a question below that nobody answered": {tabsFile(t, "A:\n質問¦回答¦正確性\n始業は？¦9時¦5\n\n終業は？¦¦"),
			"始業は？ 5, 終業は？", "1 row without an answer"},
	} {
		if rows, notes := readAs(c.path); rows != c.want || !strings.Contains(notes, c.says) {
			t.Errorf("%s: %s\n%s", name, rows, notes)
		}
	}
}
