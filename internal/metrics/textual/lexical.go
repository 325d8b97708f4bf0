package textual

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/text"
)

// Strengths of support: from SupportedAt the offline judge calls a claim supported, from GroundedAt it sees nothing that the
// passage lacks; up to UnsupportedAt words agree only by chance.
const (
	SupportedAt   = 0.65
	GroundedAt    = 0.85
	UnsupportedAt = 0.3
)

// ClaimTerms is a claim prepared for matching.
type ClaimTerms struct {
	Text    string
	folded  string     // without marks at its ends
	flat    string     // its words alone
	List    []weighted // distinct terms that carry meaning, in order
	Weight  float64    // sum of their weights
	numbers []quantity
}

type weighted struct {
	term   string
	also   []string // keys of its senses
	Weight float64
}

var termWeight = map[text.Class]float64{text.Content: 1, text.Number: 1.5, text.Function: 0.1}

var (
	citations = text.Lazy(`\s*\[\d+(?:\s*,\s*\d+)*\]`)
	citation  = text.Lazy(`^\[\d+(?:\s*,\s*\d+)*\]`)
)

// WithoutCitations is the text without marks such as [1] or [2, 3] and the white space before them, trimmed. It looks for brackets
// itself, because a pattern that begins with white space tries at every word.
func WithoutCitations(s string) string {
	if !strings.Contains(s, "[") {
		return strings.TrimSpace(s)
	}
	var out strings.Builder
	kept := 0
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '[')
		if i < 0 {
			break
		}
		at += i
		mark := citation.FindString(s[at:])
		if mark == "" {
			at++
			continue
		}
		out.WriteString(strings.TrimRight(s[kept:at], " \t\n\f\r"))
		at += len(mark)
		kept = at
	}
	out.WriteString(s[kept:])
	return strings.TrimSpace(out.String())
}

// WithoutCited is a text without the citations all of whose numbers point to one of n contexts. Other brackets are part of the text.
func WithoutCited(s string, n int) string {
	return strings.TrimSpace(citations.ReplaceAllStringFunc(s, func(mark string) string {
		for _, number := range citedNumber.FindAllString(mark, -1) {
			if at, err := strconv.Atoi(number); err != nil || at < 1 || at > n {
				return mark
			}
		}
		return ""
	}))
}

var citedNumber = text.Lazy(`\d+`)

// terms are the terms of s, with the apostrophe that word processors write taken as the one that keyboards do.
func terms(s string) []text.Term { return text.Terms(straight(s)) }

func straight(s string) string { return strings.ReplaceAll(s, "’", "'") }

// PrepareClaim is what DistinctTerms remembers.
func PrepareClaim(s string) ClaimTerms {
	c := ClaimTerms{Text: s, folded: strings.TrimFunc(text.Fold(s), isMark), flat: flatten(s).text}
	seen := map[string]bool{}
	content := false
	lang := text.Language(s)
	l := lexiconOf(lang)
	said := plain(s, lang)
	list := text.Terms(said)
	if slices.ContainsFunc(list, opensQuantity) {
		c.numbers = quantities(text.Words(said))
	}
	for _, t := range list {
		if seen[t.Text] {
			continue
		}
		seen[t.Text] = true
		content = content || t.Class != text.Function
		w := weighted{term: t.Text, Weight: termWeight[t.Class]}
		for _, sense := range l.senses[t.Text] {
			w.also = append(w.also, sense.key)
		}
		c.List = append(c.List, w)
		c.Weight += termWeight[t.Class]
	}
	if !content {
		return ClaimTerms{Text: s}
	}
	c.leaveTotals()
	if len(c.numbers) > 0 {
		c.linkQuantities(text.Words(said))
	}
	return c
}

// leaveTotals takes from a claim the amounts that others of it make together: who states those has stated the total.
func (c *ClaimTerms) leaveTotals() {
	all := slices.Clone(c.numbers)
	c.numbers = slices.DeleteFunc(c.numbers, func(q quantity) bool {
		if len(all) < 3 || !q.total(all) {
			return false
		}
		for i, t := range c.List {
			if t.term == q.value {
				c.Weight -= t.Weight - termWeight[text.Function]
				c.List[i].Weight = termWeight[text.Function]
			}
		}
		return true
	})
}

// linkQuantities lets the terms of a quantity match an equal one in another unit: two days for 48 hours.
func (c *ClaimTerms) linkQuantities(words []text.Word) {
	for i := 0; i < len(words); {
		q, n := readQuantity(words, i)
		if n == 0 {
			i++
			continue
		}
		for _, w := range words[i:min(i+n+1, len(words))] {
			if q.unit == "" {
				break
			}
			unit := []rune(w.Text)
			if w.Class == text.Content && unit[0] >= 0x80 {
				unit = unit[:min(2, len(unit))] // its first pair
			}
			if at := slices.IndexFunc(c.List, func(t weighted) bool { return t.term == string(unit) }); at >= 0 {
				c.List[at].also = append(c.List[at].also, q.key())
			}
		}
		i += n
	}
}

// opensQuantity reports whether a quantity may begin with a term.
func opensQuantity(t text.Term) bool {
	return t.Class == text.Number || numerals()[t.Text] || strings.Contains(kanjiDigits, firstRune(t.Text))
}

func isMark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// ReferenceUnits are the sentences of a reference, each weighing as much as its terms. A short reference is one unit, in
// which terms that the question already holds weigh little: repeating the question is no answer.
func ReferenceUnits(reference, question string) []ClaimTerms {
	asked := map[string]bool{}
	for _, t := range terms(question) {
		asked[t.Text] = true
	}
	var units []ClaimTerms
	for _, sentence := range plainSentences(reference) {
		u := DistinctTerms(sentence)
		if len(u.List) == 0 {
			continue
		}
		u.Weight, u.List = 0, slices.Clone(u.List) // the prepared claim is shared
		for i := range u.List {
			if asked[u.List[i].term] {
				u.List[i].Weight *= 0.35
			}
			u.Weight += u.List[i].Weight
		}
		units = append(units, u)
	}
	if len(units) == 0 { // grammar only, such as "yes" or いいえ: every term counts
		u := ClaimTerms{Text: reference}
		for _, t := range terms(reference) {
			u.List = append(u.List, weighted{term: t.Text, Weight: 1})
			u.Weight++
		}
		units = append(units, u)
	}
	return units
}
