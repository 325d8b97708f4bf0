package yaml

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// programmers are words of the library and of the language that the program is written in.
var programmers = regexp.MustCompile(`(?i)\bGo (value|type)|\bstruct\b|unmarshal|float64|\bint\b|map\[|interface|mapping value|sequence|scalar|token|context|` +
	`non-map|\bnode\b|syntax|0x|%!|<nil>|anchor value`)

const whole = "name: faq\ncorpus: manual\nnotes: About this.\nbase:\n  chunk: {by: chars, size: 800}\n  retrieve:\n    mode: dense\n" +
	"    k: 3\nsuite: [correctness, trust]\ngoals:\n  - theme: prices\n    target: 0.05\ntags: [pilot]\n"

// slip is one mistake of the fingers in the text above: what is replaced, the line where it stands, and what is said of it.
type slip struct {
	from, to   string
	line       int
	says, hint string
}

// TestSlipsOfTheFingersAreSaidInPlainWords: what people do wrong is said at the line where they did it, with what to write.
func TestSlipsOfTheFingersAreSaidInPlainWords(t *testing.T) {
	t.Parallel()
	for _, s := range []slip{
		{"    mode", "\tmode", 7, "indented with a tab", "spaces in place of the tab"},
		{"  retrieve:", "\tretrieve:", 6, "indented with a tab", "spaces in place of the tab"},
		{"    k: 3", "     k: 3", 8, "indented further than the line above", "begin it in the same column"},
		{"    k: 3", "   k: 3", 8, "indented as none of the lines above", "same column"},
		{"corpus: manual", " corpus: manual", 2, "indented further than the line above", "begin it in the same column"},
		{"    target", "   target", 12, "indented as none of the lines above", "same column"},
		{"size: 800}", "size: 800", 5, "the bracket { is not closed", "end it with }"},
		{"trust]", "trust", 9, "the bracket [ is not closed", "end it with ]"},
		{"trust]", "trust}", 9, "the bracket [ is not closed", "end it with ]"},
		{"size: 800}", "size: 800}}", 5, "one } too many", "take it out"},
		{"About this.", "Question: is it good?", 3, "holds a colon", `notes: "Question: is it good?"`},
		{"About this.", "is it good:", 3, "holds a colon", `notes: "is it good:"`},
		{"corpus: manual", "corpus manual", 2, "no colon", "it reads corpus: manual"},
		{"corpus: manual", "corpus:manual", 2, "no space behind the colon", "it reads corpus: manual"},
		{"name: faq", "name:faq", 1, "no space behind the colon", "it reads name: faq"},
		{"mode: dense", "mode dense", 7, "no colon", "it reads mode: dense"},
		{"tags: [pilot]", "tags", 13, "no colon", "it reads tags: …"},
		{"About this.", "@us", 3, "begins with @", `notes: "@us"`},
		{"About this.", "`run` it", 3, "begins with `", "quotation marks"},
		{"About this.", "%5", 3, "begins with %", `notes: "%5"`},
		{"About this.", `"about`, 3, "opened and not closed", `end the text with " too`},
		{"About this.", `'about`, 3, "opened and not closed", `end the text with ' too`},
		{"corpus: manual", "corpus: manual\ncorpus: other", 3, "corpus is written twice", "leave one of the two out"},
		{"mode: dense", "mode: dense\n    mode: bm25", 8, "mode is written twice", "leave one of the two out"},
	} {
		text := strings.Replace(whole, s.from, s.to, 1)
		_, _, err := Fields([]byte(text))
		wrong, ok := errors.AsType[*Mistake](err)
		if !ok {
			t.Errorf("%q is read: %v", s.to, err)
			continue
		}
		p := wrong.Problem("x")
		if wrong.Line != s.line || !strings.Contains(p.Message, s.says) || !strings.Contains(p.Hint, s.hint) {
			t.Errorf("%q: line %d: %s / %s; want line %d: %s / %s", s.to, wrong.Line, p.Message, p.Hint, s.line, s.says, s.hint)
		}
		spoken(t, s.to, wrong)
	}
}

// spoken checks that a mistake is said in words of people, in both languages.
func spoken(t *testing.T, of string, m *Mistake) {
	t.Helper()
	p := m.Problem("x")
	ja := p.In("ja")
	if found := programmers.FindString(p.Message + " " + p.Hint); found != "" {
		t.Errorf("%q is answered with the word %q: %s / %s", of, found, p.Message, p.Hint)
	}
	for _, said := range []string{ja.Message, ja.Hint} {
		if said == "" || !regexp.MustCompile(`[ぁ-んァ-ヶ一-龠]`).MatchString(said) {
			t.Errorf("%q is answered in Japanese with %q (%s / %s)", of, said, p.Message, p.Hint)
		}
	}
}

// TestEveryCutTextIsSaidInPlainWords: whatever becomes of a text whose signs are taken out, doubled or replaced one by one, no answer
// speaks as a programmer does, and each has a line within the text.
func TestEveryCutTextIsSaidInPlainWords(t *testing.T) {
	t.Parallel()
	said := map[string]int{}
	for i := range whole {
		for _, other := range []string{"", whole[i:i+1] + whole[i:i+1], "\t", ":", "{", "}", "[", "]",
			"\"", "'", "- ", "#", "&", "*", "!", "|", "@", "\n"} {
			text := whole[:i] + other + whole[i+1:]
			var out agreed
			_, _, err := Fields([]byte(text))
			for _, err := range []error{err, ReadStrict([]byte(text), &out)} {
				if err == nil {
					continue
				}
				wrong, ok := errors.AsType[*Mistake](err)
				if !ok || wrong.Line < 1 || wrong.Line > strings.Count(text, "\n")+1 {
					t.Fatalf("%q: %v", text, err)
				}
				said[wrong.said.Format]++
				spoken(t, text, wrong)
				if t.Failed() {
					return
				}
			}
		}
	}
	formats := []string{}
	for format, n := range said {
		formats = append(formats, fmt.Sprintf("%5d %s", n, format))
	}
	slices.Sort(formats)
	all := -said["there is no field %q%s"]
	for _, n := range said {
		all += n
	}
	if len(said) < 10 || said["the line cannot be read"]*4 > all {
		t.Errorf("what is said:\n%s", strings.Join(formats, "\n"))
	}
}
