package intake

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// TestATurnedSheetIsToldByItsColumns: what is wrong with a question that stands in a column names the column, in either language; and a
// sheet with a header of its own is never turned.
func TestATurnedSheetIsToldByItsColumns(t *testing.T) {
	t.Parallel()
	_, _, err := read("q.csv", "ID,1,2,2\n質問,期限は？,金額は？,窓口は？\n正解,10日,100円,総務\n", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "q.csv column 4 (2), question_id: column 3 has the same id") {
		t.Fatalf("%v", err)
	}
	if said := problem.Said("ja", err); !strings.HasPrefix(said, "q.csv の4列目（2）") {
		t.Errorf("in Japanese: %s", said)
	}
	if p := rowProblems(t, err)[0]; !strings.HasPrefix(p.String(), "column 4") || !strings.HasPrefix(p.In("ja"), "4列目") {
		t.Errorf("%+v", p)
	}
	for _, sheet := range []string{"質問,正解\n質問とは？,問うこと\n正解とは？,正しい答え\n",
		"項目,質問,正解\n質問,期限は？,10日\n正解,金額は？,100円\n",
		"質問,期限は？\n正解,10日\n正解,11日\n"} {
		_, report, err := read("q.csv", sheet, nil, nil)
		for _, note := range report.Notes {
			if strings.Contains(note.EN, "side by side") {
				t.Errorf("%s%v %v", sheet, note, err)
			}
		}
	}
}
