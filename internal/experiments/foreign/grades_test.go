package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// TestGradesAreAskedAbout: numbers as schools give them, under a name as people call grades, are scores of which nobody knows whether 1 is
// the best; what shows its direction, by its scale or its form, is read as it was, and words under such a name are a remark.
func TestGradesAreAskedAbout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column string
		cells  [4]string
		want   string // "asked", "more", or "" for no score
	}{
		{"Note", [4]string{"1", "2", "5", "3"}, "asked"},
		{"Note", [4]string{"1,3", "2,7", "5,0", "3,3"}, "asked"},
		{"Schulnote", [4]string{"1", "2", "6", "3"}, "asked"},
		{"Gesamtnote (1-6)", [4]string{"1", "2", "6", "3"}, "asked"},
		{"Zensur", [4]string{"1", "2", "4", "3"}, "asked"},
		{"Bewertung", [4]string{"1", "2", "4", "3"}, "asked"},
		{"Bewertung (1-5)", [4]string{"1", "2", "5", "3"}, "asked"},
		{"Beurteilung", [4]string{"1", "2", "4", "3"}, "asked"},
		{"Bewertung", [4]string{"85", "20", "40", "93"}, "more"},
		{"Bewertung", [4]string{"0,85", "0,2", "0,4", "0,9"}, "more"},
		{"Bewertung", [4]string{"4/5", "2/5", "4/5", "3/5"}, "more"},
		{"Bewertung", [4]string{"★★★☆☆", "★☆☆☆☆", "★★★★★", "★★☆☆☆"}, "more"},
		{"Bewertung", [4]string{"✓", "✓", "✓", "✓"}, "more"},
		{"Note", [4]string{"14", "8", "19", "11"}, "more"},   // of 20, as in France
		{"Nota", [4]string{"7,5", "8", "9,5", "10"}, "more"}, // of 10, as in Spain
		{"Note", [4]string{"passt so", "zu lang", "3", "siehe AGB"}, ""},
		{"vibes", [4]string{"1", "2", "5", "3"}, "asked"},
		{"Punkte", [4]string{"1", "2", "5", "3"}, "more"},
	} {
		body := "Frage;Antwort des Bots;" + c.column + "\n"
		for i, cell := range c.cells {
			body += fmt.Sprintf("Wie lange gilt Angebot %d?;Zwei Wochen, %d.;%s\n", i, i, cell)
		}
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := ReadForeign(path, ForeignOptions{})
		got := ""
		switch {
		case problem.CodeOf(err) == "direction_unknown":
			got = "asked"
		case err != nil:
			t.Errorf("%s %v: %v", c.column, c.cells, err)
		case len(f.Metrics) == 1 && !f.Metrics[0].Lower:
			got = "more"
		}
		if got != c.want {
			t.Errorf("import of %s %v: %q, want %q", c.column, c.cells, got, c.want)
		}
		table, err := ReadScores(path, ForeignOptions{})
		read := err == nil && len(table.Metrics) == 1
		if read != (c.want != "") {
			t.Errorf("scores of %s %v: %v", c.column, c.cells, err)
		}
		if !read {
			continue
		}
		least, most := table.Items[0].Scores[0][0], table.Items[0].Scores[0][0]
		for _, item := range table.Items {
			least, most = min(least, item.Scores[0][0]), max(most, item.Scores[0][0])
		}
		if asked := DirectionAmong(table.Metrics[0], least, most, table.Forms) == DirectionUnknown; asked != (c.want == "asked") {
			t.Errorf("comparison of %s %v: asked is %v", c.column, c.cells, asked)
		}
		if c.want != "asked" {
			continue
		}
		for _, o := range []ForeignOptions{{Lower: []string{c.column}}, {Higher: []string{c.column}}} {
			if f, err := ReadForeign(path, o); err != nil || f.Metrics[0].Lower != (len(o.Lower) > 0) {
				t.Errorf("%s with %+v: %v", c.column, o, err)
			}
		}
	}
}
