package textual

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// Statement is a sentence prepared to be compared word by word with another.
type Statement struct {
	lang       string
	words      []text.Word // those that carry meaning, in order
	concepts   []string    // Japanese: the entries of the lexicon that it holds
	quantities []quantity
	sided      []sided       // the same, with their sides
	topics     [][]text.Word // what it speaks of, as far as its form tells
	clauses    []clause
	passive    bool
	personal   bool // speaks of its speaker, or asks
	cases      cases
	ranges     bool // gives all that lies between two quantities
	reckons    bool // shows a sum or a difference
}

// longestStatement bounds what is compared word by word: no sentence of a person is longer, but a hostile text is.
const longestStatement = 120

// clause is a part of a statement that is denied or not by itself.
type clause struct {
	terms  []string // distinct, in order
	denied bool
	aside  bool   // the denial only picks out what the statement speaks of: a bag that was not found
	head   string // the term that the denial is about: the next one in English, the one before in Japanese; "" when unknown
}

// PrepareStatement reads a sentence: its language, terms, quantities and what it denies.
func PrepareStatement(s string) *Statement {
	st := &Statement{lang: text.Language(s)}
	s = plain(bareSentence(s), st.lang)
	all := text.Words(s)
	l := lexiconOf(st.lang)
	for _, w := range all {
		// stop words such as before and after carry meaning where the lexicon sets them against others
		if w.Class != text.Function || len(l.senses[w.Text]) > 0 {
			st.words = append(st.words, w)
		}
	}
	st.words = st.words[:min(len(st.words), longestStatement)]
	st.quantities = quantities(all[:min(len(all), 2*longestStatement)])
	if len(st.quantities) > 0 {
		st.sided = sides(all[:min(len(all), 2*longestStatement)], st.lang)
	}
	st.topics = topicsOf(all, st.lang)
	if st.lang == "ja" {
		st.concepts = l.concepts(s)
		st.concepts = st.concepts[:min(len(st.concepts), longestStatement)]
	}
	st.passive = slices.ContainsFunc(all, func(w text.Word) bool { return w.Raw == "by" || strings.Contains(w.Raw, "れ") })
	folded := text.Fold(s)
	st.readCases(s, folded)
	st.ranges = len(st.quantities) > 1 && ranging.MatchString(s)
	st.reckons = len(st.quantities) > 1 && reckoning.MatchString(s)
	st.personal = asks(s) || firstPerson.MatchString(folded)
	for _, part := range clausesOf(withoutNoDenials(strings.ToLower(s)), st.lang) {
		c := clause{denied: deniedClause(part)}
		if c.denied {
			c.head, c.aside = deniedHead(part, st.lang), aside(part, st.lang)
		}
		for _, t := range text.Terms(part) {
			if t.Class != text.Function && !slices.Contains(c.terms, t.Text) {
				c.terms = append(c.terms, t.Text)
			}
		}
		if len(c.terms) > 0 {
			st.clauses = append(st.clauses, c)
		} else if c.denied && len(st.clauses) > 0 {
			st.clauses[len(st.clauses)-1].denied = !st.clauses[len(st.clauses)-1].denied
		}
	}
	return st
}

// firstPerson is an English statement about its speaker, other than one that only opens with "I believe".
var firstPerson = text.Lazy(`\b(?:my|mine|i (?:am|was|have|had|did|do|love|like|live|lived|know|knew|would|could|will|` +
	`can|never|always|also|actually|just|played|went|saw)|i'(?:m|ve|d|ll))\b`)

var (
	englishClause = text.Lazy(`[;:()—]|,\s|\b(?:but|while|although|though|whereas|however|unless|except|because|` +
		`and (?:not|never|no|neither|nor)|nor|or not)\b`)
	japaneseClause = text.Lazy(`[、。；：（）()]|(?:ですが|ますが|だが|であるが|けれど|ものの|一方)`)
)

// clausesOf parts a sentence where a denial ends. The word that opens an English clause stays with it.
func clausesOf(s, lang string) []string {
	if lang == "ja" {
		var parts []string
		open := ""
		for _, part := range japaneseClause.Split(s, -1) {
			open += part
			if !opens(part) {
				parts = append(parts, open)
				open = ""
			}
		}
		return append(parts, open)
	}
	s = strings.ToLower(s)
	var parts []string
	from := 0
	for _, at := range englishClause.FindAllStringIndex(s, -1) {
		parts = append(parts, s[from:at[0]])
		from = at[0]
	}
	return append(parts, s[from:])
}

// topics are the ends of a Japanese part that the denial at the end of the next part covers too, such as 「160Whを超える電池は、」;
// after one of noTopics it is none.
var (
	topics   = []string{"は", "も", "に", "を", "が", "の", "へ", "と", "から", "まで", "より", "で"}
	noTopics = "ますだたるい"
)

// opens reports whether a Japanese part says nothing yet that could be denied: a topic, an item of a list, a condition. What it denies
// itself it says.
func opens(part string) bool {
	if strings.Contains(part, "かどうか") && asksWhether.MatchString(part) {
		return true
	}
	topic := slices.ContainsFunc(topics, func(end string) bool {
		rest, has := strings.CutSuffix(part, end)
		before, _ := utf8.DecodeLastRuneInString(rest)
		return has && rest != "" && !strings.ContainsRune(noTopics, before)
	})
	return (topic || endsAny(part, conditionEnds) || listed(part)) && !deniedClause(part)
}

// asksWhether is the end of a Japanese part that asks.
var asksWhether = text.Lazy(`かどうか(?:は|が|も|について)?、?$`)

// conditionEnds are the ends of a Japanese condition.
var conditionEnds = []string{"ると", "いと", "れば", "たら", "なら"}

func endsAny(s string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// listed reports whether a Japanese part is an item of a list: it ends as a noun does, and has no particle.
func listed(part string) bool {
	last, _ := utf8.DecodeLastRuneInString(part)
	return (unicode.In(last, unicode.Han, unicode.Katakana) || last == 'ー' || last == 'や') && !strings.ContainsAny(part, "はがをも")
}

// aside reports whether what a clause denies is no part of what its statement says: it only picks out those that it speaks of.
func aside(part, lang string) bool {
	if lang == "ja" {
		return asideJapanese.MatchString(part)
	}
	return asideEnglish.MatchString(part)
}

var (
	asideEnglish  = text.Lazy(`\b(?:that|who|which|whose \w+) (?:(?:has|have|had|is|are|was|were|do|does|did|can|could|may|will) ?)?(?:not|never|no|n't)\b`)
	asideJapanese = text.Lazy(`(?:ない|なかった|ません)(?:場合|とき|際|方|人|もの|お客様)`)
)

// deniedHead is the term that the last denial of a clause is about.
func deniedHead(s, lang string) string {
	s = text.Fold(s)
	marks := denialsIn(s)
	if len(marks) == 0 {
		return ""
	}
	at := marks[len(marks)-1]
	if lang == "ja" {
		terms := text.Terms(s[:at[0]])
		for i := len(terms) - 1; i >= 0; i-- {
			if terms[i].Class == text.Content {
				return terms[i].Text
			}
		}
		return ""
	}
	for _, t := range text.Terms(s[at[1]:]) {
		if t.Class != text.Function {
			return t.Text
		}
	}
	return ""
}

// denies reports whether one statement denies what the other says: the clauses that speak of the same thing, one denied and
// the other not. A denial of something else, elsewhere in a long sentence, says nothing.
func (st *Statement) denies(claim *Statement) bool {
	for _, c := range claim.clauses {
		if len(c.terms)*2 >= claim.longestClause() && st.deniesClause(c, claim) {
			return true
		}
	}
	return false
}

// deniesWith reports whether a clause denies the word that a clause of the statement denies too: what both deny sets them apart in nothing.
func (st *Statement) deniesWith(k clause) bool {
	return k.head != "" && slices.ContainsFunc(st.clauses, func(c clause) bool { return c.denied && c.head == k.head })
}

// deniesClause reports whether the statement denies a clause of the claim.
func (st *Statement) deniesClause(c clause, claim *Statement) bool {
	if c.denied && st.deniesWith(c) {
		return false
	}
	best, same, other := 0, 0, 0
	var all []string
	if c.aside && !slices.ContainsFunc(st.clauses, func(k clause) bool { return slices.Contains(k.terms, c.head) }) {
		return false
	}
	headed := c.denied && slices.ContainsFunc(st.clauses, func(k clause) bool { return slices.Contains(k.terms, c.head) })
	for _, k := range st.clauses {
		all = append(all, k.terms...)
		if !c.denied && k.denied && (claim.deniesWith(k) || k.aside && !slices.Contains(c.terms, k.head)) {
			k.denied = false
		}
		if !c.denied && k.denied && slices.Contains(c.terms, k.head) && !st.affirms(k.head) {
			return true
		}
		if headed && !slices.Contains(k.terms, c.head) {
			continue
		}
		n := shared(c.terms, k.terms)
		best = max(best, n)
		if k.denied == c.denied {
			same = max(same, n)
		} else {
			other = max(other, n)
		}
	}
	switch {
	case headed, best*2 >= len(c.terms) && (!c.denied || c.head == ""), best*4 >= len(c.terms)*3:
		return other > same
	}
	// spread over several clauses: decided only where the sentence speaks of most of it and denies nothing
	return c.denied && shared(c.terms, all)*3 >= len(c.terms)*2 && !slices.ContainsFunc(st.clauses, func(k clause) bool { return k.denied })
}

// affirms reports whether a clause that is not denied holds a term.
func (st *Statement) affirms(term string) bool {
	return slices.ContainsFunc(st.clauses, func(k clause) bool { return !k.denied && slices.Contains(k.terms, term) })
}

func (st *Statement) longestClause() int {
	longest := 0
	for _, c := range st.clauses {
		longest = max(longest, len(c.terms))
	}
	return longest
}

func shared(a, b []string) int {
	n := 0
	for _, t := range a {
		if slices.Contains(b, t) {
			n++
		}
	}
	return n
}
