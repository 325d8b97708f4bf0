package intake

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// TestARowWithANumberIsNoContinuation: what stands in a row with a number of its own never joins the answer above it, and a number that
// two rows have is told with both, also where only the column's name says that it numbers the questions.
func TestARowWithANumberIsNoContinuation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sheet string
		want  []string // faults
	}{
		"doubled, and no question": {"No.,質問文,模範回答\n1,期限は？,10日\n1,金額は？,3000円\n2,,空です\n3,質問だけ,\n", []string{
			`line 3, question 1, question_id: line 2 has the same id; if the column is no id: --map "No.=metadata"`,
			"line 4, question 2, question: the question is empty"}},
		"of id, doubled": {"id,質問文,模範回答\n1,期限は？,10日\n1,金額は？,3000円\n", []string{
			"line 3, question 1, question_id: line 2 has the same id"}},
		"numbers that repeat too often to be ids": {"No.,質問文,模範回答\n1,期限は？,10日\n1,金額は？,3000円\n1,窓口は？,総務\n2,,空です\n",
			[]string{"line 5, question: the question is empty"}},
	} {
		_, _, err := read("q.csv", c.sheet, nil, nil)
		p, ok := errors.AsType[*problem.Problem](err)
		if !ok {
			t.Errorf("%s: taken", name)
			continue
		}
		var got []string
		for _, f := range p.Params["problems"].([]RowProblem) {
			got = append(got, f.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestContinuationsAreNamed: rows without a number, or with that of the row above, go on with its question, and the note says which.
func TestContinuationsAreNamed(t *testing.T) {
	t.Parallel()
	d, report, err := read("q.csv", "No.,質問文,模範回答\n1,期限は？,10日\n,,休日を除く\n2,金額は？,3000円\n2,,税込み\n", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Questions) != 2 || d.Questions[0].Reference != "10日\n休日を除く" || d.Questions[1].Reference != "3000円\n税込み" ||
		d.Questions[1].ID != "2" {
		t.Errorf("questions %+v", d.Questions)
	}
	want := "2 rows without a question of their own, or with the one above: their answers and evidence were added to the question above; give them a " +
		"question or " +
		"remove them if that is wrong: line 3 (\"休日を除く\", added to \"期限は？\"), line 5 (\"税込み\", added to \"金額は？\")"
	if notes := text.InEnglish(report.Notes); !slices.Contains(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

// TestTheHighestRankIsCritical: a column that ranks the questions stays a tag and makes those of its highest rank critical, which is said;
// where its words do not say which rank is the highest, the way to say it is.
func TestTheHighestRankIsCritical(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sheet    string
		mapped   map[string]string
		critical string // ids
		note     string
	}{
		"ja": {"id,質問,正解,重要度\na,期限は？,10日,高\nb,金額は？,1円,中\nc,窓口は？,総務,最重要\n", nil, "a c",
			`column 重要度 makes 2 questions critical: they must never get worse; to keep it as tags alone: --map "重要度=tag"`},
		"en":      {"id,question,reference,Priority\na,How long?,Two,High\nb,How much?,1,low\n", nil, "a", "column Priority makes 1 question critical"},
		"letters": {"id,question,reference,Priority\na,How long?,Two,A\nb,How much?,1,B\n", nil, "", "column Priority makes no question critical"},
		"none":    {"id,question,reference,Priority\na,How long?,Two,low\n", nil, "", ""},
		"a tag":   {"id,question,reference,Priority\na,How long?,Two,High\n", map[string]string{"Priority": "tag"}, "", ""},
		"mapped": {"id,question,reference,Priority\na,How long?,Two,High\nb,How much?,1,low\n",
			map[string]string{"Priority": "critical"}, "a", ""},
		"beside yes and no": {"id,question,reference,critical,priority\na,How long?,Two,no,high\n", nil, "", ""},
	} {
		d, report, err := read("q.csv", c.sheet, nil, c.mapped)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var critical []string
		for _, q := range d.Questions {
			if q.Critical {
				critical = append(critical, q.ID)
			}
			if ranked := strings.Contains(strings.Join(q.Tags, " "), ":"); ranked == (c.mapped["Priority"] == "critical") {
				t.Errorf("%s: tags %q", name, q.Tags)
			}
		}
		if got := strings.Join(critical, " "); got != c.critical {
			t.Errorf("%s: critical %q, want %q", name, got, c.critical)
		}
		if notes := strings.Join(text.InEnglish(report.Notes), "\n"); !strings.Contains(notes, c.note) ||
			c.note == "" && strings.Contains(notes, "critical") {
			t.Errorf("%s: notes %q, want %q", name, notes, c.note)
		}
	}
}
