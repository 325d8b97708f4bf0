package textual

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// Quotation marks. Ragas lets any mark close any other, and its legacy metric does not know the curly ones.
var (
	quotesLegacy      = text.Lazy("[\"'`´](.*?)[\"'`´]")
	quotesCollections = text.Lazy("[\"“”„‟'‘’`´](.*?)[\"“”„‟'‘’`´]")
	quotesFixed       = text.Lazy("\"([^\"\n]+)\"|[“„‟]([^“”„‟\n]+)[”“]|「([^「」\n]+)」|『([^『』\n]+)』|«([^«»\n]+)»")
)

// QuoteRules say which quotations count and how they are looked up.
type QuoteRules struct {
	MinWords int  // shorter ones are names, or words that are talked about; a character of a script without spaces is half a word
	KeepCase bool // look them up letter for letter instead of without regard to case and white space
}

// QuoteDefaults are the rules of the metric.
var QuoteDefaults = QuoteRules{MinWords: 3}

// QuoteCount is how many quotations there are, and how many of them stand in the contexts.
type QuoteCount struct{ Found, Total int }

// CountQuotes looks the answer's quotations up. Fixed pairs marks with their own kind, knows the Japanese ones, and takes no
// apostrophe for a mark.
func CountQuotes(p Profile, rules QuoteRules, answer string, contexts []string) QuoteCount {
	same := lowerOneSpace
	if rules.KeepCase {
		same = func(s string) string { return s }
	}
	source, n := same(strings.Join(contexts, " ")), QuoteCount{}
	for _, span := range quotedSpans(p, rules.MinWords, answer) {
		n.Total++
		if strings.Contains(source, same(span)) {
			n.Found++
		}
	}
	return n
}

func quotedSpans(p Profile, minWords int, answer string) []string {
	marks := quotesFixed
	switch p {
	case ProfileLegacy:
		marks = quotesLegacy
	case ProfileCollections:
		marks = quotesCollections
	default:
	}
	var spans []string
	for _, groups := range marks.FindAllStringSubmatch(answer, -1) {
		span := strings.TrimSpace(strings.Join(groups[1:], "")) // one group of a match holds text
		if span != "" && wordsQuoted(p, span) >= minWords {
			spans = append(spans, span)
		}
	}
	return spans
}

func wordsQuoted(p Profile, span string) int {
	if p != ProfileFixed {
		return len(strings.Fields(span))
	}
	halves := 0
	for _, token := range wordTokens(span) {
		halves += 2
		if isUnspaced([]rune(token)[0]) {
			halves--
		}
	}
	return halves / 2
}

func lowerOneSpace(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
