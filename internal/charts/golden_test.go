package charts

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden plans anew")

// golden is one case as the tests of the page read it too.
type golden struct {
	Name   string            `json:"name"`
	Plan   *Plan             `json:"plan"`
	Said   string            `json:"said"`   // of the first mark, in English
	Scenes map[string]string `json:"scenes"` // by language and width: the digest of [written]
	Tables map[string]string `json:"tables"` // by language: the digest of what stands behind the chart, see [tableDigest]
}

// digest is FNV-1a, which the tests of the page compute, too.
func digest(text string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(text)) // a hash takes everything
	return fmt.Sprintf("%08x", sum.Sum32())
}

// tableDigest is that of the table behind a plan: a row on a line, cells between bars.
func tableDigest(p *Plan, lang string) string {
	head, rows := p.Table(lang)
	lines := []string{strings.Join(head, "|")}
	for _, row := range rows {
		lines = append(lines, strings.Join(row, "|"))
	}
	return digest(strings.Join(lines, "\n"))
}

// lines is a case as JSON, its marks and rows each on a line of their own.
func (g golden) lines(t *testing.T) string {
	t.Helper()
	body := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	list := func(name string, n int, at func(i int) any) string {
		out := make([]string, n)
		for i := range out {
			out[i] = "  " + body(at(i))
		}
		return fmt.Sprintf(",\n %q: [\n%s\n ]", name, strings.Join(out, ",\n"))
	}
	p := g.Plan
	rest := *p
	rest.Marks, rest.Rows, rest.Head = nil, nil, nil
	plan := strings.NewReplacer(`,"marks":null`, "", `,"head":null,"rows":null}`, "", `,"x":{`, ",\n \"x\":{", `,"y":{`, ",\n \"y\":{",
		`,"colour":{`, ",\n \"colour\":{", `,"lines"`, ",\n \"lines\"", `,"notes"`, ",\n \"notes\"", `,"summary"`, ",\n \"summary\"",
		`,{"at"`, ",\n  {\"at\"", `,"ja":`, ",\n  \"ja\":").Replace(body(rest))
	return fmt.Sprintf("{\"name\": %s, \"said\": %s,\n\"scenes\": %s,\n\"tables\": %s,\n\"plan\": %s", body(g.Name), body(g.Said),
		body(g.Scenes), body(g.Tables), plan) +
		list("head", len(p.Head), func(i int) any { return p.Head[i] }) +
		list("marks", len(p.Marks), func(i int) any { return p.Marks[i] }) +
		list("rows", len(p.Rows), func(i int) any { return p.Rows[i] }) + "}}"
}

// written is a scene as text, one shape on a line.
func written(s Scene) string {
	out := []string{num(s.Width) + " " + num(s.Height)}
	for _, x := range s.Shapes {
		switch {
		case x.Text != "":
			out = append(out, fmt.Sprintf("%s|%s|%s %s|%s", x.Class, x.Text, num(x.X), num(x.Y), x.Anchor))
		case x.D != "":
			out = append(out, x.Class+"|"+x.D)
		default:
			out = append(out, fmt.Sprintf("%s|%s %s %s %s", x.Class, num(x.X), num(x.Y), num(x.W), num(x.H)))
		}
	}
	for _, at := range s.Spots {
		out = append(out, num(at[0])+" "+num(at[1]))
	}
	return strings.Join(out, "\n")
}

// TestGoldenPlans holds each case to the plan, and to how it is laid out: what the page, the HTML export and the workbook show.
func TestGoldenPlans(t *testing.T) {
	t.Parallel()
	var made []golden
	for _, c := range cases() {
		p, err := c.plan()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		g := golden{Name: c.name, Plan: p, Scenes: map[string]string{}, Tables: map[string]string{}}
		if len(p.Marks) > 0 {
			g.Said = p.Said(p.Marks[0], "en")
		}
		for _, at := range []struct {
			lang  string
			width float64
		}{{"en", 640}, {"ja", 342}} {
			g.Scenes[fmt.Sprintf("%s %g", at.lang, at.width)] = digest(written(Draw(p, at.lang, at.width)))
			g.Tables[at.lang] = tableDigest(p, at.lang)
		}
		made = append(made, g)
	}
	lines := make([]string, len(made))
	for i, g := range made {
		lines[i] = g.lines(t)
	}
	got := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	const path = "testdata/plans.json"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("the plans have changed; -update writes them:\n%s", d)
	}
	if len(made) < 40 {
		t.Errorf("%d cases", len(made))
	}
}

// TestNothingIsCut: every text of every case stands within its drawing, at a desk and on a phone, in both languages.
func TestNothingIsCut(t *testing.T) {
	t.Parallel()
	for _, c := range cases() {
		p, err := c.plan()
		if err != nil {
			t.Fatal(err)
		}
		for _, lang := range []string{"en", "ja"} {
			for _, width := range []float64{300, 342, 640, 1100} {
				s := Draw(p, lang, width)
				for _, x := range s.Shapes {
					from, wide := x.X, Measure(x.Text)*em
					switch x.Anchor {
					case "middle":
						from -= wide / 2
					case "end":
						from -= wide
					}
					if x.Text != "" && (from < -0.2 || from+wide > width+0.2 || x.Y < 8 || x.Y > s.Height) {
						t.Errorf("%s, %s, %g px: %q stands from %g to %g at %g of %g", c.name, lang, width, x.Text, from, from+wide,
							x.Y, s.Height)
					}
				}
			}
		}
	}
}

// TestLabelsStandBesideEachOther: none of a mark stands over another one, and as many as are left out are counted, also on a phone.
func TestLabelsStandBesideEachOther(t *testing.T) {
	t.Parallel()
	var rows [][]any
	for i := range 30 {
		rows = append(rows, []any{fmt.Sprintf("question %d", i), float64(i % 5), float64(i % 3)})
	}
	table := Table{Columns: []Column{{Name: "id"}, {Name: "a"}, {Name: "b"}}, Rows: rows}
	for _, mark := range []string{Label, Point} {
		p, err := New(table, Spec{Mark: mark, X: Channel{Field: "a"}, Y: Channel{Field: "b"}, Label: Channel{Field: "id"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []float64{300, 640} {
			s := Draw(p, "en", width)
			var there []Shape
			words := ""
			for _, x := range s.Shapes {
				if words += x.Text + " "; strings.HasPrefix(x.Text, "question") {
					there = append(there, x)
				}
			}
			if said := fmt.Sprintf("overlap: %d.", len(rows)-len(there)); len(there) == 0 || !strings.Contains(words, said) {
				t.Errorf("%s, %g px: %d of %d labels, and not %q", mark, width, len(there), len(rows), said)
			}
			from := func(x Shape) float64 {
				return x.X - map[string]float64{"middle": 0.5, "end": 1}[x.Anchor]*Measure(x.Text)*em
			}
			for i, x := range there {
				for _, y := range there[:i] {
					if math.Abs(x.Y-y.Y) < 13 && from(x) < from(y)+Measure(y.Text)*em-0.2 && from(y) < from(x)+Measure(x.Text)*em-0.2 {
						t.Errorf("%s, %g px: %q stands over %q", mark, width, x.Text, y.Text)
					}
				}
			}
		}
	}
}

// TestTheDrawingSaysWhatThePlanSays: the SVG of the export has the sentence as its name, no style and no script, and texts as texts.
func TestTheDrawingSaysWhatThePlanSays(t *testing.T) {
	t.Parallel()
	for _, c := range cases() {
		p, err := c.plan()
		if err != nil {
			t.Fatal(err)
		}
		html, err := SVG(p, "ja")
		if err != nil || !strings.HasPrefix(string(html), `<svg class="chart" role="img" aria-label="`) ||
			strings.Contains(string(html), "style=") ||
			strings.Contains(string(html), "<script") {
			t.Errorf("%s: %v\n%s", c.name, err, html)
		}
		head, rows := p.Table("ja")
		if len(head) != len(p.Head) || len(rows) != len(p.Rows) || p.Summary.EN == "" || p.Summary.JA == "" ||
			strings.Contains(p.Summary.EN+p.Summary.JA, "%!") {
			t.Errorf("%s: %v %v", c.name, p.Summary, head)
		}
	}
}

// TestStyleHasEveryClass: a class without a rule would be painted black.
func TestStyleHasEveryClass(t *testing.T) {
	t.Parallel()
	for _, c := range cases() {
		p, err := c.plan()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range Draw(p, "en", 640).Shapes {
			for _, class := range strings.Fields(x.Class) {
				if class != "tile" && !regexp.MustCompile(`\.`+class+`\b`).MatchString(Style()) {
					t.Fatalf("%s: the class %s has no style", c.name, class)
				}
			}
		}
	}
}
