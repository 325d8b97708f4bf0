package validation

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// The synthetic corpus of science.md 9: 60 documents of 8 facts. A fact is a service, an attribute, 3 to 15 words that say nothing
// and a value. Questions name the attribute by another word, so that finding it takes an embedder that knows synonyms. The facts of
// one service lie in different documents, so that finding the service is not enough.
const (
	harnessDocuments = 60
	harnessFacts     = 8 // of each document
)

// harnessAttributes are words for a document and for a question. The thesaurus of the offline embedder "ngram" knows each pair;
// "hash" compares letters and does not.
var harnessAttributes = [...][2]string{
	{"price", "cost"},
	{"warranty", "guarantee"},
	{"penalty", "fine"},
	{"rebate", "discount"},
	{"voucher", "coupon"},
	{"gratuity", "tip"},
	{"timetable", "schedule"},
	{"luggage", "baggage"},
	{"password", "passcode"},
	{"deadline", "due date"},
	{"salary", "wage"},
	{"handbook", "manual"},
}

var harnessFiller = strings.Fields(`as listed under the current terms and noted by staff in that region since spring with all usual limits kept for most people
who ask about it at any counter or by letter during normal weeks`)

// harnessFact is one fact of the synthetic corpus.
type harnessFact struct {
	service   string
	attribute int // in harnessAttributes
	filler    string
	value     string
	outdated  string // the value that a stale corpus has
}

// sentence is how the corpus says the fact, with this value.
func (f harnessFact) sentence(value string) string {
	return fmt.Sprintf("The %s of %s %s is %s.", harnessAttributes[f.attribute][0], f.service, f.filler, value)
}

// claim is how a reference says it.
func (f harnessFact) claim(value string) string {
	return fmt.Sprintf("The %s of %s is %s.", harnessAttributes[f.attribute][0], f.service, value)
}

// drawFacts draws the facts of one corpus, in the order in which they stand in the documents.
func drawFacts(seed uint64) []harnessFact {
	r := stats.NewSplitMix64(seedOf(seed, "facts"))
	total := harnessDocuments * harnessFacts
	services := drawNames(r, (total+len(harnessAttributes)-1)/len(harnessAttributes))
	facts := make([]harnessFact, total)
	values := r.Permutation(9000)
	for i, at := range r.Permutation(total) {
		words := make([]string, 3+r.Below(13))
		for w := range words {
			words[w] = harnessFiller[r.Below(len(harnessFiller))]
		}
		facts[at] = harnessFact{
			service: services[i/len(harnessAttributes)], attribute: i % len(harnessAttributes), filler: strings.Join(words, " "),
			value: valueToken(r, values[2*i]), outdated: valueToken(r, values[2*i+1]),
		}
	}
	return facts
}

// valueToken is a value that stands nowhere else: two letters and a number.
func valueToken(r *stats.SplitMix64, number int) string {
	return fmt.Sprintf("%c%c%d", 'A'+rune(r.Below(26)), 'A'+rune(r.Below(26)), 1000+number)
}

// drawNames draws n different names of services.
func drawNames(r *stats.SplitMix64, n int) []string {
	onset, nucleus := []string{"b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z"}, []string{"a", "e", "i", "o", "u"}
	var names []string
	for len(names) < n {
		var b strings.Builder
		for range 3 {
			b.WriteString(onset[r.Below(len(onset))])
			b.WriteString(nucleus[r.Below(len(nucleus))])
		}
		b.WriteString(onset[r.Below(len(onset))])
		if name := strings.ToUpper(b.String()[:1]) + b.String()[1:]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// factState is what a corpus version holds of a fact.
type factState int

const (
	factPresent factState = iota
	factDeleted
	factOutdated
)

// renderFacts writes the corpus in which some facts are deleted or outdated, and says where each of the others stands; a deleted
// one lies in no document.
func renderFacts(name string, facts []harnessFact, states map[int]factState) (*rag.Corpus, []rag.Span) {
	spans := make([]rag.Span, len(facts))
	var docs []rag.Document
	for d := 0; d*harnessFacts < len(facts); d++ {
		id := fmt.Sprintf("doc-%02d", d+1)
		var b strings.Builder
		for i := d * harnessFacts; i < min((d+1)*harnessFacts, len(facts)); i++ {
			value := facts[i].value
			switch states[i] {
			case factDeleted:
				continue
			case factOutdated:
				value = facts[i].outdated
			case factPresent:
			}
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			start := utf8.RuneCountInString(b.String())
			b.WriteString(facts[i].sentence(value))
			spans[i] = rag.Span{DocID: id, Start: start, End: utf8.RuneCountInString(b.String())}
		}
		if b.Len() == 0 { // every fact of the document was asked for: an empty document is none
			b.WriteString("This page was left empty.")
		}
		docs = append(docs, rag.Document{ID: id, Text: b.String(), Lang: "en"})
	}
	return rag.NewCorpus(name, docs), spans
}
