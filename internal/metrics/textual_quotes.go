package metrics

import (
	"regexp"
	"strings"
)

// Quotation marks. Ragas lets any mark close any other, and its legacy metric does not know the curly ones.
var (
	quotesLegacy      = regexp.MustCompile("[\"'`´](.*?)[\"'`´]")
	quotesCollections = regexp.MustCompile("[\"“”„‟'‘’`´](.*?)[\"“”„‟'‘’`´]")
	quotesFixed       = regexp.MustCompile("\"([^\"\n]+)\"|[“„‟]([^“”„‟\n]+)[”“]|「([^「」\n]+)」|『([^『』\n]+)』|«([^«»\n]+)»")
)

// quoteRules say which quotations count and how they are looked up.
type quoteRules struct {
	MinWords int  // shorter ones are names, or words that are talked about; a character of a script without spaces is half a word
	KeepCase bool // look them up letter for letter instead of without regard to case and white space
}

var quoteDefaults = quoteRules{MinWords: 3}

// quoteCount is how many quotations there are, and how many of them stand in the contexts.
type quoteCount struct{ Found, Total int }

// reduceQuotedSpans is the share of the answer's quotations that stand in the contexts. Without a quotation fixed is not
// applicable; the legacy metric of Ragas gives 0 then, its collections 1.
func reduceQuotedSpans(p Profile, n quoteCount) Reduction {
	switch {
	case n.Total > 0:
		return reducedTo(float64(n.Found) / float64(n.Total))
	case p == ProfileLegacy:
		return reducedTo(0)
	case p == ProfileCollections:
		return reducedTo(1)
	default:
		return reducedNA("no_quotations")
	}
}

// countQuotes looks the answer's quotations up. Fixed pairs marks with their own kind, knows the Japanese ones, and takes no
// apostrophe for a mark.
func countQuotes(p Profile, rules quoteRules, answer string, contexts []string) quoteCount {
	same := lowerOneSpace
	if rules.KeepCase {
		same = func(s string) string { return s }
	}
	source, n := same(strings.Join(contexts, " ")), quoteCount{}
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
