package foreign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
)

// gradesTable is a table of so many grades of answers, of which some are others.
func gradesTable(rows int, grade func(i int) string, others map[int]string) string {
	var b strings.Builder
	b.WriteString("id,question,answer,correctness\n")
	for i := range rows {
		said, other := others[i]
		if !other {
			said = grade(i)
		}
		fmt.Fprintf(&b, "q%d,What is rule %d about?,It is about %d.,%s\n", i, i, i, said)
	}
	return b.String()
}

// A slip of the hand is refused by its row at both doors, in both languages; scores that are spread, few or of another scale are read.
func TestAScoreFarOutsideIsASlip(t *testing.T) {
	t.Parallel()
	levels := func(i int) string { return fmt.Sprint(1 + i%5) }
	shares := func(i int) string { return fmt.Sprintf("0.%d", 1+i%9) }
	for _, c := range []struct {
		name   string
		rows   int
		grade  func(int) string
		others map[int]string
		slip   string
	}{
		{"55 among levels", 40, levels, map[int]string{7: "55"}, "55 lies far outside of 1 to 5"},
		{"a percentage among shares", 40, shares, map[int]string{3: "85"}, "85 lies far outside of 0 to 1"},
		{"two of them", 60, levels, map[int]string{3: "44", 9: "33"}, "44 lies far outside of 1 to 5"},
		{"few scores", 19, levels, map[int]string{3: "55"}, ""},
		{"many of them", 40, levels, map[int]string{1: "55", 2: "50", 3: "44", 4: "33"}, ""},
		{"a scale to 10", 40, levels, map[int]string{3: "9"}, ""},
		{"a scale to 100", 60, func(i int) string { return fmt.Sprint(40 + i) }, map[int]string{3: "4"}, ""},
		{"none", 40, levels, nil, ""},
	} {
		path := writeTable(t, "scores.csv", gradesTable(c.rows, c.grade, c.others))
		_, imported := ReadForeign(path, ForeignOptions{})
		_, compared := ReadScores(path, ForeignOptions{})
		for door, err := range map[string]error{"import": imported, "comparison": compared} {
			said := ""
			if err != nil {
				said = problem.From(err).Message
				evaltest.InJapanese(t, err, "correctness")
			}
			if c.slip == "" && err != nil || !strings.Contains(said, c.slip) {
				t.Errorf("%s at the %s: %v", c.name, door, err)
			}
		}
	}
}
