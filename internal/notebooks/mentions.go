package notebooks

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
)

// Mentions are the names that stand behind an @ in Markdown, each once, in order: of those that are known the longest that fits, without
// regard to case, and the others as they are written, up to a blank or a mark. Code mentions nobody, and neither does an @ within a word,
// as in an address.
func Mentions(s string, known []string) (found, unknown []string) {
	longest := slices.SortedFunc(slices.Values(known), func(a, b string) int {
		return utf8.RuneCountInString(b) - utf8.RuneCountInString(a)
	})
	add := func(list []string, name string) []string {
		if slices.ContainsFunc(list, func(o string) bool { return strings.EqualFold(o, name) }) {
			return list
		}
		return append(list, name)
	}
	for said := range strings.SplitSeq(spoken(s), "\x00") {
		for at := 0; at < len(said); at++ {
			before, _ := utf8.DecodeLastRuneInString(said[:at])
			if said[at] != '@' || at > 0 && (before == '@' || before < utf8.RuneSelf && inWord(before)) {
				continue
			}
			rest := said[at+1:]
			i := slices.IndexFunc(longest, func(name string) bool { return namedFirst(rest, name) })
			switch word := firstWord(rest); {
			case i >= 0:
				found = add(found, longest[i])
				at += len(longest[i])
			case word != "":
				unknown = add(unknown, word)
			}
		}
	}
	return found, unknown
}

// spoken is the text of Markdown without its code, with \x00 between what does not stand side by side.
func spoken(s string) string {
	source := []byte(strings.ReplaceAll(s, "\x00", " "))
	given := parser.NewContext()
	given.Set(embedKey, func(string) string { return "" })
	var out strings.Builder
	_ = ast.Walk(markdown().Parser().Parse(gmtext.NewReader(source), parser.WithContext(given)),
		func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			switch x := node.(type) {
			case *ast.CodeSpan:
				out.WriteByte(0)
				return ast.WalkSkipChildren, nil
			case *ast.Text:
				if entering {
					out.Write(x.Segment.Value(source))
					if x.SoftLineBreak() || x.HardLineBreak() {
						out.WriteByte(0)
					}
				}
			default:
				if node.Type() == ast.TypeBlock {
					out.WriteByte(0)
				}
			}
			return ast.WalkContinue, nil
		})
	return out.String()
}

// namedFirst reports whether a text begins with a name that ends there: no letter of the same kind goes on.
func namedFirst(s, name string) bool {
	n := 0
	for range name {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
	}
	if name == "" || !strings.EqualFold(s[:n], name) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(name)
	next, size := utf8.DecodeRuneInString(s[n:])
	if size > 0 && strings.ContainsRune(".-+@", next) { // an address goes on, a sentence ends
		next, _ = utf8.DecodeRuneInString(s[n+size:])
		return next >= utf8.RuneSelf || !inWord(next)
	}
	return !inWord(next) || script(last) != script(next)
}

// firstWord is the word that a text begins with, up to a blank or a mark; "" where it begins with one.
func firstWord(s string) string {
	if first, _ := utf8.DecodeRuneInString(s); !inWord(first) {
		return ""
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !inWord(r) && !strings.ContainsRune(".-+@", r) })
	if end < 0 {
		end = len(s)
	}
	return strings.TrimRight(s[:end], ".-+@")
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == 'ー')
}

// script tells the kinds of letters apart that follow each other without a blank in Japanese.
func script(r rune) int {
	for i, table := range []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana} {
		if unicode.Is(table, r) || i == 2 && r == 'ー' {
			return i + 1
		}
	}
	return 0
}
