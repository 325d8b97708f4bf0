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

// TestTextTablesAsSpreadsheetProgramsWriteThem: tabs, semicolons with decimal commas, lines above the names and the encodings of Excel are
// read, at both doors; what cannot be told is refused by its row.
func TestTextTablesAsSpreadsheetProgramsWriteThem(t *testing.T) {
	t.Parallel()
	const table, german = "question,answer,score\nWhen?,At 9,0.6\nWhere?,Here,0.85\n",
		"Frage;Antwort;Bewertung\nWann?;Um 9;0,6\nWo?;Hier, dort;0,85\n"
	const english, deutsch = "When? 0.6, Where? 0.85", "Wann? 0.6, Wo? 0.85"
	for name, c := range map[string]struct{ file, body, want, says string }{
		"tabs":                    {"a.tsv", strings.ReplaceAll(table, ",", "\t"), english, ""},
		"UTF-16 with tabs":        {"a.csv", "\xff\xfe" + wide(strings.ReplaceAll(table, ",", "\t")), english, "separated by tabs"},
		"a title":                 {"a.csv", "Evaluation of April\n\n" + table, english, "the column names stand in line 3"},
		"a title as Excel writes": {"a.csv", "Evaluation of April,,\n,,\n" + table, english, "the column names stand in line 3"},
		"empty lines":             {"a.csv", "\n\n" + table, english, ""},
		"semicolons":              {"a.csv", german, deutsch, "Bewertung: read with a comma before the decimals"},
		"a title over semicolons": {"a.csv", "Auswertung, April\n\n" + german, deutsch, "separated by semicolons"},
		"Ragas with tabs":         {"a.tsv", "user_input\tresponse\tfaithfulness\nWhen?\tAt 9\t0.6\n", "When? 0.6", ""},
		"two kinds of decimals":   {"a.csv", "question;answer;score\nWhen?;At 9;0,6\nWhere?;Here;0.85\n", "", `line 2`},
		"too few fields":          {"a.csv", table + "Who?,0.4\n", "", "line 4: has 2 fields"},
	} {
		path := broughtFile(t, c.file, c.body, nil)
		if rows, notes := readAs(path); rows != c.want || !strings.Contains(notes, c.says) {
			t.Errorf("%s: %s\n%s", name, rows, notes)
		}
		scores, err := ReadScores(path, ForeignOptions{})
		switch {
		case c.want == "" && (err == nil || !strings.Contains(problem.From(err).Hint, "compare again")):
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err != nil || scores.Items[0].Scores[0][0] != 0.6):
			t.Errorf("%s: %+v %v", name, scores, err)
		}
	}
}

// wide is seven-bit text in UTF-16LE.
func wide(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.Write([]byte{c, 0})
	}
	return b.String()
}
