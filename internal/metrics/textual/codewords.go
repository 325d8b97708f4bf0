package textual

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	// codeForm matches what only a path, a setting, an address or the name of a file looks like: "and/or" and "e.g." do not.
	codeForm = text.Lazy(`[a-z0-9][_=@][a-z0-9]|^[~/]+[a-z]|/.*[a-z].*/|[a-z0-9-]{2}\.[a-z]{2}`)
	letter   = text.Lazy(`[a-z]`)
)

// CodeWords says how many code words a reference holds that its question does not, and how many of them an answer lacks. A code word is a
// path, a setting, an address or the name of a file; it must stand in the answer whole, a path at least with its last part. Any other word
// in Latin letters counts as one that is lacking where the answer has it only within a code word: anonymous_enable names no user anonymous.
func CodeWords(reference, question, answer string) (all, lacking int) {
	asked, said := codeText(question), codeText(answer)
	inAnswer := latinWords(said)
	for _, w := range latinWords(codeText(reference)) {
		isCode := isCodeForm(w) && letter.MatchString(w)
		switch {
		case standsIn(w, asked) || isCode && standsIn(lastPart(w), asked):
		case isCode:
			all++
			if !standsIn(w, said) && !standsIn(lastPart(w), said) {
				lacking++
			}
		case len(w) > 2 && letter.MatchString(w) && !standsIn(w, said) && slices.ContainsFunc(inAnswer, func(c string) bool {
			return isCodeForm(c) && slices.Contains(codeParts.Split(c, -1), w)
		}):
			all++
			lacking++
		}
	}
	return all, lacking
}

// isCodeForm says whether codeForm matches: that needs one of six signs, which most words do not have.
func isCodeForm(w string) bool { return strings.ContainsAny(w, "_=@~/.") && codeForm.MatchString(w) }

// codeParts are the signs that part a code word.
var codeParts = text.Lazy(`[._/=@~+-]+`)

func codeText(s string) string { return text.Fold(emphasis.Replace(WithoutCitations(s))) }

// latinWords are the distinct words in Latin letters and digits of a folded text, with the signs inside them. It looks at every letter of
// every answer, so it is no pattern.
func latinWords(s string) []string {
	var words []string
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && (s[i] == '~' || s[i] == '/') {
			i++
		}
		if i == len(s) || !letterOrDigit(s[i]) {
			i = max(i, start+1)
			continue
		}
		for i < len(s) && (letterOrDigit(s[i]) || strings.IndexByte(codeSigns, s[i]) >= 0) {
			i++
		}
		if w := strings.TrimRight(s[start:i], codeSigns); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// codeSigns may stand within a word.
const codeSigns = "._/=@~+-"

func letterOrDigit(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' }

func lastPart(w string) string { return w[strings.LastIndex(w, "/")+1:] }

// standsIn reports whether a word is one of a folded text's, or the last part of a path there.
func standsIn(w, s string) bool {
	return slices.ContainsFunc(latinWords(s), func(c string) bool { return c == w || lastPart(c) == w })
}
