package metrics

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

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
	folded   string     // without marks at its ends
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

// terms are the terms of s, with the apostrophe that word processors write taken as the one that keyboards do.
func terms(s string) []text.Term { return text.Terms(straight(s)) }

func straight(s string) string { return strings.ReplaceAll(s, "’", "'") }

// prepareClaim is what distinctTerms remembers.
func prepareClaim(s string) claimTerms {
	c := claimTerms{text: s, folded: strings.TrimFunc(text.Fold(s), isMark), negative: negates(s)}
	seen := map[string]bool{}
	content := false
	for _, t := range terms(s) {
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

func isMark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// referenceUnits are the sentences of a reference, each weighing as much as its terms. A short reference is one unit, in
// which terms that the question already holds weigh little: repeating the question is no answer.
func referenceUnits(reference, question string) []claimTerms {
	asked := map[string]bool{}
	for _, t := range terms(question) {
		asked[t.Text] = true
	}
	x := text.NewIndex(reference)
	var units []claimTerms
	for _, span := range text.Sentences(reference) {
		u := distinctTerms(x.Slice(span.Start, span.End))
		if len(u.list) == 0 {
			continue
		}
		u.weight, u.list = 0, slices.Clone(u.list) // the prepared claim is shared
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
		for _, t := range terms(reference) {
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
	folded   string
	terms    map[string]bool
	numbers  []string
	negative bool
}

// preparePassage is what newPassage remembers.
func preparePassage(s string) passage {
	p := passage{all: map[string]bool{}}
	x := text.NewIndex(s)
	for _, span := range text.Sentences(s) {
		sentence := passageSentence{text: x.Slice(span.Start, span.End), terms: map[string]bool{}}
		said := withoutCitations(sentence.text) // the number of a citation is no number that the sentence states
		sentence.folded, sentence.negative = text.Fold(said), negates(said)
		for _, t := range terms(said) {
			sentence.terms[t.Text] = true
			p.all[t.Text] = true
			if t.Class == text.Number {
				sentence.numbers = append(sentence.numbers, t.Text)
			}
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
// two neighbours), with a part for the passage as a whole. A missing number costs half, a contradiction more.
func (p *passage) support(c claimTerms) verdict {
	best, at := p.bestWindow(c)
	if at < 0 {
		return verdict{}
	}
	s := p.sentences[at]
	v := verdict{strength: (0.75*best + 0.25*p.share(c)) * p.numbersKept(c), quote: s.text, contradicted: p.contradicts(c, s)}
	if v.contradicted {
		v.strength *= 0.4
	}
	return v
}

// bestWindow returns the largest share of the claim that two neighbouring sentences hold, and which of the two says more;
// -1 when no sentence holds any of it.
func (p *passage) bestWindow(c claimTerms) (best float64, at int) {
	at = -1
	if c.weight == 0 {
		return 0, at
	}
	said := 0.0
	for i, s := range p.sentences {
		share, alone := p.windowShare(c, i), sentenceShare(c, s.terms)
		if share > best || share == best && alone > said {
			best, at, said = share, i, alone
		}
	}
	if at >= 0 && at+1 < len(p.sentences) && sentenceShare(c, p.sentences[at+1].terms) > said {
		at++
	}
	return best, at
}

// contradicts reports whether a sentence agrees with the claim in most words, but gives another number where the passage
// lacks the claim's, or denies what the claim says. A long sentence may deny something else than a short claim is about, and
// one that holds the claim word for word denies something else.
func (p *passage) contradicts(c claimTerms, s passageSentence) bool {
	if strings.Contains(s.folded, c.folded) {
		return false
	}
	alone := sentenceShare(c, s.terms)
	if alone >= 0.6 && len(c.list) >= 6 && p.numbersKept(c) < 1 && s.otherNumber(c) {
		return true
	}
	sameMatter := len(c.list) >= 8 || len(c.list) >= 4 && len(s.terms) <= 2*len(c.list)
	return alone >= 0.75 && sameMatter && c.negative != s.negative
}

func (s *passageSentence) otherNumber(c claimTerms) bool {
	return slices.ContainsFunc(s.numbers, func(n string) bool { return !slices.Contains(c.numbers, n) })
}

// cover says how far the passage, read as an answer, covers a unit of the reference. Unlike support it does not ask that
// one sentence holds it all, since answers rephrase.
func (p *passage) cover(c claimTerms) verdict {
	v := p.support(c)
	if c.weight > 0 && !v.contradicted {
		v.strength = max(v.strength, 0.9*p.share(c)*p.numbersKept(c))
	}
	return v
}

func (p *passage) share(c claimTerms) float64 { return sentenceShare(c, p.all) }

func sentenceShare(c claimTerms, held map[string]bool) float64 {
	covered := 0.0
	for _, t := range c.list {
		if held[t.term] {
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

// numbersKept is 1 when the passage holds every number of the claim, and 0.5 when it holds none of them.
func (p *passage) numbersKept(c claimTerms) float64 {
	if len(c.numbers) == 0 {
		return 1
	}
	missing := 0
	for _, n := range c.numbers {
		if !p.all[n] {
			missing++
		}
	}
	return 1 - 0.5*float64(missing)/float64(len(c.numbers))
}
