package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// TestSignsCountAsTheNumbersThatWereSaid: in a table and in objects, at an import and where files are compared, a column of signs is read
// as the numbers that were said for them; where one of its signs was not named, or no column has any, that is refused by name.
func TestSignsCountAsTheNumbersThatWereSaid(t *testing.T) {
	t.Parallel()
	signs := []string{"○", "△", "×", " ○ ", ""}
	all := map[string]float64{"○": 1, "△": 0.5, "×": 0}
	csv, list := "id,question,answer,正確性\n", []string{}
	for i, s := range signs {
		csv += fmt.Sprintf("q%d,What is %d?,It is %d.,%s\n", i, i, i, s)
		list = append(list, fmt.Sprintf(`{"id":"q%d","question":"What is %d?","answer":"It is %d.","正確性":%q}`, i, i, i, s))
	}
	for file, body := range map[string]string{"signs.csv": csv, "signs.json": "[" + strings.Join(list, ",") + "]"} {
		path := filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadForeign(path, ForeignOptions{Values: all})
		if err != nil {
			t.Fatal(file, err)
		}
		scores, err := ReadScores(path, ForeignOptions{Values: all})
		if err != nil {
			t.Fatal(file, err)
		}
		if err := (ForeignOptions{Values: all}).CheckMapped(scores); err != nil {
			t.Error(file, err)
		}
		for i, want := range []float64{1, 0.5, 0, 1} {
			if v := got.Items[i].Scores[0].Value; v == nil || *v != want || scores.Items[i].Scores[0][0] != want {
				t.Errorf("%s: %q is %v and %v, want %g", file, signs[i], v, scores.Items[i].Scores, want)
			}
		}
		if got.Items[4].Scores[0].Value != nil || len(scores.Items[4].Scores[0]) > 0 {
			t.Errorf("%s: an empty cell has a score", file)
		}
		if said := strings.Join(got.Notes, "\n") + strings.Join(scores.Notes, "\n"); strings.Count(said, "(○=1, △=0.5, ×=0): 正確性") != 2 {
			t.Errorf("%s: it is not said: %q", file, said)
		}
		for sign, hint := range map[string]string{"○": "正確性: △", "◎": "as it stands in the file"} {
			_, err := ReadForeign(path, ForeignOptions{Values: map[string]float64{sign: 1}})
			if p := problem.From(err); p == nil || p.Code != "results_values" || !strings.Contains(p.Hint, hint) {
				t.Errorf("%s, %s alone: %v", file, sign, err)
			}
		}
	}
}

// TestSignsOfOneFileMayBeNumbersOfTheOther: of two files that are compared only one need have the signs, and no file is refused for both.
func TestSignsOfOneFileMayBeNumbersOfTheOther(t *testing.T) {
	t.Parallel()
	o := ForeignOptions{Values: map[string]float64{"○": 1, "△": 0.5, "×": 0}}
	var tables []*ScoreTable
	for i, cells := range [][3]string{{"○", "△", "×"}, {"1", "0.5", "0"}} {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.csv", i))
		if err := os.WriteFile(path, fmt.Appendf(nil, "id,正確性\na,%s\nb,%s\nc,%s\n", cells[0], cells[1], cells[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := ReadScores(path, o)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	if err := o.CheckMapped(tables...); err != nil {
		t.Error(err)
	}
	if err := o.CheckMapped(tables[1]); problem.CodeOf(err) != "results_values" {
		t.Error(err)
	}
}
