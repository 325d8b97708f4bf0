package notebooks

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/frontend"
)

// TestReasonsOfCellsAreJapaneseToo: every reason why a cell is not up to date is said in Japanese with all it names, and the words of the
// command line, which are these, and of the pages are one.
func TestReasonsOfCellsAreJapaneseToo(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`\{([a-z]+)\}`)
	for code, text := range reasonTexts {
		if code == "incomplete" { // it is a text of its own
			continue
		}
		for _, lang := range []string{"en", "ja"} {
			if page := strings.NewReplacer("{{", "{", "}}", "}").Replace(frontend.Words(lang, "nbwhy."+code)); page != text.In(lang) {
				t.Errorf("%s: %q here, %q on the pages", code, text.In(lang), page)
			}
		}
		cell := CellView{Reasons: []Reason{{Code: code, Params: map[string]string{}}}}
		for _, m := range named.FindAllStringSubmatch(text.EN, -1) {
			cell.Reasons[0].Params[m[1]] = "«" + m[1] + "»"
		}
		said := cell.WhyIn("ja")[0]
		if said == text.EN || strings.ContainsAny(said, "{}") ||
			!slices.ContainsFunc([]rune(said), func(r rune) bool { return r > 0x3040 }) {
			t.Errorf("%s in Japanese: %q", code, said)
		}
		for name := range cell.Reasons[0].Params {
			if name != "state" && !strings.Contains(said, "«"+name+"»") {
				t.Errorf("%s in Japanese does not name %s: %q", code, name, said)
			}
		}
	}
}
