package foreign

import (
	"strings"
	"testing"
)

// TestSumsOfTeamSheets: a sum between two parts, behind the name of its part or with how many it sums up, is no question.
func TestSumsOfTeamSheets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want, told string }{
		"between two parts": {"区分¦質問¦スコア\n配送¦a¦5\n¦b¦2\n¦小計（2件）¦3.5\n返品¦c¦4\n返品¦小計¦4\n総合¦¦3.67", "スコア=1:[5] 2:[2] 3:[4]", "小計（2件）"},
		"in German":         {"Nr.¦Frage¦Punkte\n1¦a¦5\n2¦b¦2\n¦Mittelwert¦3.5", "Punkte=1:[5] 2:[2]", "Mittelwert"},
		"of all":            {"id¦score\n1¦5\n2¦2\nOverall average (n=2)¦3.5", "score=1:[5] 2:[2]", "Overall average"},
		"kinds of questions": {"id¦type¦score\nq1¦count¦5\nq2¦average¦2\nq3¦sum¦1\nq4¦合計はいくつですか¦4",
			"score=1:[5] 2:[2] 3:[1] 4:[4]", ""},
	} {
		for _, path := range bothWays(t, c.body) {
			read, notes, _ := readOf(t, path)
			if read != c.want || !strings.Contains(notes, c.told) {
				t.Errorf("%s: %s, want %s\n%s", name, read, c.want, notes)
			}
		}
	}
}

// TestTablesOfOneScoreInEachRow: a row that holds one score of one metric is no vote of the row above, which holds another metric.
func TestTablesOfOneScoreInEachRow(t *testing.T) {
	t.Parallel()
	const both = "faithfulness=1:[5] 2:[2] | hallucination=1:[1] 2:[4]"
	for name, c := range map[string]struct{ body, want, told string }{
		"by id":       {"question_id¦metric¦score\nq1¦faithfulness¦5\nq1¦hallucination¦1\nq2¦faithfulness¦2\nq2¦hallucination¦4", both, "one score"},
		"by metric":   {"質問¦指標¦スコア\na¦faithfulness¦5\nb¦faithfulness¦2\na¦hallucination¦1\nb¦hallucination¦4", both, "hallucination"},
		"with answers": {"question¦answer¦metric¦score\na¦x¦faithfulness¦5\na¦x¦hallucination¦1\nb¦y¦faithfulness¦2\nb¦y¦hallucination¦4", both,
			"one score"},
		"votes": {"id¦metric¦score\nq1¦faithfulness¦5\nq1¦faithfulness¦4\nq1¦hallucination¦1\nq2¦faithfulness¦2\nq2¦hallucination¦4",
			"faithfulness=1:[5 4] 2:[2] | hallucination=1:[1] 2:[4]", "one score"},
		"a point of view of each question": {"id¦観点¦スコア\nq1¦正確さ¦5\nq2¦丁寧さ¦2", "スコア=1:[5] 2:[2]", ""},
	} {
		for _, path := range bothWays(t, c.body) {
			read, notes, _ := readOf(t, path)
			if read != c.want || !strings.Contains(notes, c.told) {
				t.Errorf("%s: %s, want %s\n%s", name, read, c.want, notes)
			}
		}
	}
}
