package foreign

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// groupedTable is a table of six scored answers with a column of marks and one of groups, as people call and fill them.
func groupedTable(mark, yes, no, group string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "id,question,answer,faithfulness,%s,%s\n", mark, group)
	for i := range 6 {
		said := no
		if i%3 == 0 {
			said = yes
		}
		fmt.Fprintf(&b, "q%d,What is rule %d about?,It is about %d.,0.%d,%s,%s\n", i, i, i, i+3, said, []string{"費用", "休暇"}[i%2])
	}
	return b.String()
}

// Which questions must never get worse, and what they are about, is read at both doors and is no score.
func TestMarksAndGroupsOfQuestionsAreRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ mark, yes, no, group, field string }{
		{"重要質問", "★", "", "テーマ", "theme"}, {"重要", "○", "", "カテゴリ", "category"}, {"重要", "★", "☆", "分類", "category"},
		{"critical", "yes", "no", "topic", "theme"}, {"Must have", "x", "", "Category", "category"},
		{"is_critical", "1", "0", "Theme", "theme"},
		{"最重要", "はい", "いいえ", "トピック", "theme"}, {"重要項目", "◎", "-", "カテゴリー", "category"},
	} {
		path := writeTable(t, "scores.csv", groupedTable(c.mark, c.yes, c.no, c.group))
		results, err := ReadForeign(path, ForeignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		compared, err := ReadScores(path, ForeignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(results.Metrics) != 1 || len(compared.Metrics) != 1 {
			t.Errorf("%v: metrics %v and %v, want faithfulness alone", c, results.Metrics, compared.Metrics)
		}
		for i, q := range results.Questions() {
			want := []string{c.field + ":" + []string{"費用", "休暇"}[i%2]}
			item := compared.Items[i]
			if q.Critical != (i%3 == 0) || item.Critical != q.Critical || !slices.Equal(q.Tags, want) || !slices.Equal(item.Tags, want) {
				t.Errorf("%v: %s is critical %v with %v, compared critical %v with %v", c, q.ID, q.Critical, q.Tags, item.Critical, item.Tags)
			}
		}
		if notes := strings.Join(results.Notes, "\n"); strings.Contains(notes, "passed over") || !strings.Contains(notes, c.mark) {
			t.Errorf("%v: told %q", c, notes)
		}
	}
}

// A column that is only called like one, or holds something else, stays what it was.
func TestWhatOnlyLooksLikeAGroupIsNone(t *testing.T) {
	t.Parallel()
	table := "id,question,answer,topic_adherence,タイトル,重要度\n"
	for i := range 6 {
		table += fmt.Sprintf("q%d,What is rule %d about?,It is about %d.,0.%d,題名%d,%s\n", i, i, i, i+3, i, []string{"高", "低"}[i%2])
	}
	results, err := ReadForeign(writeTable(t, "scores.csv", table), ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range results.Questions() {
		if q.Critical || len(q.Tags) > 0 {
			t.Errorf("%s is critical %v with %v", q.ID, q.Critical, q.Tags)
		}
	}
	if len(results.Metrics) != 1 || !strings.Contains(strings.Join(results.Notes, "\n"), "passed over: タイトル, 重要度") {
		t.Errorf("metrics %v, told %v", results.Metrics, results.Notes)
	}
}

// Who says which column it is gets it, and what cannot be read in it is a fault of its row.
func TestMarksAndGroupsCanBeMapped(t *testing.T) {
	t.Parallel()
	table := "id,question,answer,faithfulness,Prio,Bereich\n"
	for i := range 4 {
		table += fmt.Sprintf("q%d,What is rule %d about?,It is about %d.,0.%d,%s,B%d\n", i, i, i, i+3, []string{"yes", "no"}[i%2], i)
	}
	o := ForeignOptions{Columns: map[string]string{"Prio": "critical", "Bereich": "theme"}}
	results, err := ReadForeign(writeTable(t, "scores.csv", table), o)
	if err != nil {
		t.Fatal(err)
	}
	if q := results.Questions()[2]; !q.Critical || !slices.Equal(q.Tags, []string{"theme:B2"}) {
		t.Errorf("%s is critical %v with %v", q.ID, q.Critical, q.Tags)
	}
	_, err = ReadForeign(writeTable(t, "scores.csv", strings.Replace(table, ",no,", ",perhaps,", 1)), o)
	if err == nil || !strings.Contains(err.Error(), "perhaps") {
		t.Errorf("a mark that says neither yes nor no: %v", err)
	}
}

// A mapping of what is not there is refused at every door: of two files it is enough that one has the column.
func TestAMappedColumnHasToBeThere(t *testing.T) {
	t.Parallel()
	own := "id,faithfulness,ask\nq1,0.5,What?\nq2,0.7,Why?\n"
	other := strings.Replace(own, "ask", "question", 1)
	o := ForeignOptions{Columns: map[string]string{"ask": "question"}}
	with, err := ReadScores(writeTable(t, "with.csv", own), o)
	if err != nil {
		t.Fatal(err)
	}
	without, err := ReadScores(writeTable(t, "without.csv", other), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.CheckMapped(without, with); err != nil {
		t.Errorf("one of both has it: %v", err)
	}
	if p := problem.From(o.CheckMapped(without, without)); p == nil || p.Code != "results_column_unknown" {
		t.Errorf("neither has it: %v", p)
	}
	_, err = ReadScores(writeTable(t, "field.csv", own), ForeignOptions{Columns: map[string]string{"ask": "nothing"}})
	if p := problem.From(err); err == nil || p.Code != "results_field_unknown" {
		t.Errorf("a field that there is not: %v", err)
	}
}
