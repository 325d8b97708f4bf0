package document

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// programmers are words that nobody who writes a notebook has to know.
var programmers = regexp.MustCompile(`(?i)\bGo (value|type)|\bstruct\b|unmarshal|float64|map\[|interface|\bstat |mapping|sequence|scalar|` +
	`non-map|\[\]any|%!|<nil>|\ba array\b`)

// others stand in the place of a value: a text, a number, a list, names with values, nothing, and a number in quotation marks.
var others = map[string]any{"text": "something else", "number": 17.5, "list": []any{"a", "b"}, "names": map[string]any{"a": "b"},
	"nothing": nil, "quoted": "3", "percent": "5%", "truth": true}

// TestEachMistakeInACellIsSaidInPlainWords: each field of each type of cell gets a value of each kind, a name with two letters swapped, and
// is left out. What is refused is said with its line, its cell and its field, and without a word of the program's inside.
func TestEachMistakeInACellIsSaidInPlainWords(t *testing.T) {
	t.Parallel()
	refused, swapped, meant := 0, 0, 0
	for _, s := range Schemas() {
		if s.Open {
			continue
		}
		for _, f := range s.Fields {
			name := f.Name
			if runes := []rune(name); len(runes) > 1 && runes[0] != runes[1] {
				runes[0], runes[1] = runes[1], runes[0]
				name = string(runes)
			}
			bodies := map[string]string{"swapped": name + ": a\n", "left out": "title: x\n"}
			for _, what := range slices.Sorted(maps.Keys(others)) {
				raw, err := yaml.Write(map[string]any{f.Name: others[what]})
				if err != nil {
					t.Fatal(err)
				}
				bodies[what] = string(raw)
			}
			for _, what := range slices.Sorted(maps.Keys(bodies)) {
				source := "---\nragnb: 1\n---\n\n```rag " + s.Type + " c\n" + bodies[what] + "```\n"
				_, wrong := Read("n.rag.md", []byte(source))
				for _, p := range wrong {
					refused++
					said := p.Message + " / " + p.Hint
					ja := p.In("ja")
					line, _ := p.Params["line"].(int)
					switch {
					case p.Params["cell"] != "c" || line < 5 || line > 5+strings.Count(bodies[what], "\n") ||
						!strings.HasPrefix(p.Message, fmt.Sprintf("n.rag.md:%d: cell c: ", line)):
						t.Errorf("%s %s, %s: no place: %s", s.Type, f.Name, what, said)
					case p.Code == "cell_field" && p.Params["field"] == nil, p.Hint == "":
						t.Errorf("%s %s, %s: no field or no hint: %s", s.Type, f.Name, what, said)
					case programmers.MatchString(said):
						t.Errorf("%s %s, %s: the word %q: %s", s.Type, f.Name, what, programmers.FindString(said), said)
					case !regexp.MustCompile(`[ぁ-んァ-ヶ一-龠]`).MatchString(strings.TrimPrefix(ja.Message, "n.rag.md：セル c：")):
						t.Errorf("%s %s, %s in Japanese: %s / %s", s.Type, f.Name, what, ja.Message, ja.Hint)
					}
				}
				if what == "swapped" && name != f.Name {
					swapped++
					for _, p := range wrong {
						if strings.Contains(p.Message, "did you mean") {
							meant++
							break
						}
					}
				}
			}
		}
	}
	if refused < 500 || meant < swapped*9/10 {
		t.Errorf("%d mistakes were refused; of %d swapped names %d were told", refused, swapped, meant)
	}
}

// TestMistakesStandWhereTheyWereMade: below a field, in a list, and in a release check before anything is bought.
func TestMistakesStandWhereTheyWereMade(t *testing.T) {
	t.Parallel()
	const head = "---\nragnb: 1\n---\n```rag dataset qa\nsource: a\n```\n```rag corpus d\nsource: b\n```\n"
	const rest = "```rag run r\nconfigs: [base]\ndataset: qa\n```\n```rag compare c\nbaseline: run:a\ncandidate: r\n```\n"
	base := "```rag config base\ncorpus: d\nretrieve:\n  mode: dense\n  k: 3\n```\n"
	for _, c := range []struct {
		text, says string
		line       int
	}{
		{head + strings.Replace(base, "k: 3", `k: "3"`, 1) + rest, `cell base: retrieve.k is "3"; it must be a whole number`, 14},
		{head + strings.Replace(base, "k: 3", "q: 3", 1) + rest, `there is no field "retrieve.q"`, 14},
		{head + base + strings.Replace(rest, "[base]", "\n  - base\n  - bse", 1), `configs refers to "bse", and there is no cell of this name (did you mean "base"?)`, 19},
		{head + base + rest + "```rag gate g\nof: c\nmin: {correctnes: 4}\n```\n", "cell g: min is {correctnes: 4}; it must be a list", 26},
		{head + base + rest + "```rag gate g\nof: c\nmin: correctnes >= 4\n```\n", `cell g: min: the run has no metric "correctnes" (did you mean "correctness"?)`, 26},
		{head + base + rest + "```rag gate g\nof: c\nmin:\n  - trust >= 3\n  - correctnes >= 4\n```\n", `the run has no metric "correctnes"`, 28},
		{head + base + rest + "```rag gate g\nof: c\nmin: many\n```\n", `cell g: min: "many" is no threshold`, 26},
		{head + base + rest + "```rag gate g\nof: c\nallowance: ten percent\n```\n", "allowance is ten percent; it must be a number", 26},
	} {
		_, wrong := Read("n.rag.md", []byte(c.text))
		if len(wrong) != 1 || wrong[0].Params["line"] != c.line || !strings.Contains(wrong[0].Message, c.says) {
			t.Errorf("%v; want line %d: %s", wrong, c.line, c.says)
		}
	}
	d, wrong := Read("n.rag.md", []byte(head+base+rest+"```rag gate g\nof: c\nallowance: 10%\nmin: [Trust >= 3, 'tool.x > 1']\n```\n"))
	if len(wrong) > 0 || d.Cell("g").Values["allowance"] != 0.1 {
		t.Errorf("%v, %v", wrong, d.Cell("g").Values)
	}
}
