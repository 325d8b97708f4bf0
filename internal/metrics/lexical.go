package metrics

import (
	"regexp"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// Strengths of support: from supportedAt the offline judge calls a claim supported; up to unsupportedAt words agree only by
// chance.
const (
	supportedAt   = 0.7
	unsupportedAt = 0.3
)

// claimTerms is a claim prepared for matching.
type claimTerms struct {
	text     string
	list     []weighted // distinct terms that carry meaning, in order
	weight   float64    // sum of their weights
	numbers  []string
	negative bool
}

type weighted struct {
	term   string
	weight float64
}

var termWeight = map[text.Class]float64{text.Content: 1, text.Number: 1.5, text.Function: 0.1}

var citations = regexp.MustCompile(`\s*\[\d+(?:\s*,\s*\d+)*\]`)

func withoutCitations(s string) string { return strings.TrimSpace(citations.ReplaceAllString(s, "")) }

// distinctTerms prepares a claim. A claim of grammar only, without a content word or number, has no terms.
func distinctTerms(s string) claimTerms {
	c := claimTerms{text: s, negative: negates(s)}
	seen := map[string]bool{}
	content := false
	for _, t := range text.Terms(s) {
		if seen[t.Text] {
			continue
		}
		seen[t.Text] = true
		content = content || t.Class != text.Function
		if t.Class == text.Number {
			c.numbers = append(c.numbers, t.Text)
		}
		c.list = append(c.list, weighted{term: t.Text, weight: termWeight[t.Class]})
		c.weight += termWeight[t.Class]
	}
	if !content {
		return claimTerms{text: s}
	}
	return c
}

// referenceUnits are the sentences of a reference, each weighing as much as its terms. A short reference is one unit, in
// which terms that the question already holds weigh little: repeating the question is no answer.
func referenceUnits(reference, question string) []claimTerms {
	asked := map[string]bool{}
	for _, t := range text.Terms(question) {
		asked[t.Text] = true
	}
	x := text.NewIndex(reference)
	var units []claimTerms
	for _, span := range text.Sentences(reference) {
		u := distinctTerms(x.Slice(span.Start, span.End))
		if len(u.list) == 0 {
			continue
		}
		u.weight = 0
		for i := range u.list {
			if asked[u.list[i].term] {
				u.list[i].weight *= 0.35
			}
			u.weight += u.list[i].weight
		}
		units = append(units, u)
	}
	if len(units) == 0 { // grammar only, such as "yes" or いいえ: every term counts
		u := claimTerms{text: reference}
		for _, t := range text.Terms(reference) {
			u.list = append(u.list, weighted{term: t.Text, weight: 1})
			u.weight++
		}
		units = append(units, u)
	}
	return units
}

// passage is a text prepared to support claims: its terms, and its sentences' terms.
type passage struct {
	all       map[string]bool
	sentences []passageSentence
}

type passageSentence struct {
	text     string
	terms    map[string]bool
	numbers  bool
	negative bool
}

func newPassage(s string) passage {
	p := passage{all: map[string]bool{}}
	x := text.NewIndex(s)
	for _, span := range text.Sentences(s) {
		sentence := passageSentence{text: x.Slice(span.Start, span.End), terms: map[string]bool{}}
		sentence.negative = negates(sentence.text)
		for _, t := range text.Terms(sentence.text) {
			sentence.terms[t.Text] = true
			p.all[t.Text] = true
			sentence.numbers = sentence.numbers || t.Class == text.Number
		}
		p.sentences = append(p.sentences, sentence)
	}
	return p
}

// verdict is what a passage says of a claim.
type verdict struct {
	strength     float64 // [0, 1]
	contradicted bool
	quote        string // the sentence that decides it
}

// support says how far the passage supports a claim: the share of the claim's term weight found in its best sentence (or
// two neighbours), with a part for the passage as a whole. A missing number costs half. A sentence that agrees in almost
// all words but not in a number, or is negated where the claim is not, contradicts.
func (p *passage) support(c claimTerms) verdict {
	if c.weight == 0 {
		return verdict{}
	}
	best, at := 0.0, -1
	for i := range p.sentences {
		share := p.windowShare(c, i)
		if share > best {
			best, at = share, i
		}
	}
	if at < 0 {
		return verdict{}
	}
	v := verdict{strength: 0.75*best + 0.25*p.share(c), quote: p.sentences[at].text}
	single := sentenceShare(c, p.sentences[at].terms)
	missing := p.missingNumbers(c)
	if missing > 0 {
		v.strength *= 1 - 0.5*float64(missing)/float64(len(c.numbers))
		v.contradicted = single >= 0.6 && p.sentences[at].numbers && len(c.list) >= 6
	}
	if single >= 0.75 && len(c.list) >= 8 && c.negative != p.sentences[at].negative {
		v.contradicted = true
		v.strength *= 0.6
	}
	return v
}

// cover says how far the passage, read as an answer, covers a unit of the reference. Unlike support it does not ask that
// one sentence holds it all, since answers rephrase.
func (p *passage) cover(c claimTerms) verdict {
	v := p.support(c)
	if c.weight > 0 && !v.contradicted {
		v.strength = max(v.strength, 0.9*p.share(c))
	}
	return v
}

func (p *passage) share(c claimTerms) float64 { return sentenceShare(c, p.all) }

func sentenceShare(c claimTerms, terms map[string]bool) float64 {
	covered := 0.0
	for _, t := range c.list {
		if terms[t.term] {
			covered += t.weight
		}
	}
	return covered / c.weight
}

// windowShare is the share of the claim found in sentence i and the one after it.
func (p *passage) windowShare(c claimTerms, i int) float64 {
	covered := 0.0
	for _, t := range c.list {
		if p.sentences[i].terms[t.term] || i+1 < len(p.sentences) && p.sentences[i+1].terms[t.term] {
			covered += t.weight
		}
	}
	return covered / c.weight
}

func (p *passage) missingNumbers(c claimTerms) int {
	n := 0
	for _, number := range c.numbers {
		if !p.all[number] {
			n++
		}
	}
	return n
}

var negations = regexp.MustCompile(`\b(?:not|no|never|none|cannot|neither|nor|without)\b|n't\b|ません|ない(?:。|$|と|た|も|もの|こと|場合)|なかった|できず|非該当|対象外`)

// doubleNegations say yes: without them 〜しなければなりません would count as a denial.
var doubleNegations = regexp.MustCompile(`なければなりません|なければならない|なくてはなりません|ないわけではありません|差し支えありません|かまいません|構いません|not only`)

// negates reports whether a sentence denies something, by an odd number of marks.
func negates(s string) bool {
	s = doubleNegations.ReplaceAllString(text.Fold(s), "")
	return len(negations.FindAllString(s, -1))%2 == 1
}
