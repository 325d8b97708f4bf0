package validation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// harnessItem is one question of a world with everything that is true of it there. Generator and judge look here; the procedure
// under test never does.
type harnessItem struct {
	question  experiments.Question
	query     string         // what a rewriter makes of it that drops what the question is about
	claims    []harnessClaim // of the reference
	needs     []rag.Span     // where the corpus holds what the answer needs; one in no document is missing
	wanted    []string       // an answer that holds all of these agrees with the reference
	clear     bool           // the question says what is asked
	exact     bool           // instead, an answer agrees that is right or known, word for word
	subjects  []string       // what the question is about, as the corpus names it
	documents []string       // that hold the evidence; of real text, whose subjects nobody named

	// What the scripted generator writes.
	right   string // having read what it needs
	known   string // right without having read it
	wrong   string // having read it and erred
	terse   string // under a prompt that allows ten words
	closed  string // from general knowledge, under a prompt or by a model that looks at no context
	refusal string // where it finds nothing
}

// harnessClaim is a key claim of a reference and where the corpus speaks of it.
type harnessClaim struct {
	text        string
	at          []rag.Span // all places that decide it; none where the corpus does not speak of it
	contradicts bool       // what stands there says otherwise
	subject     string     // a judge that errs mistakes a text that has this word
}

// agrees reports whether an answer agrees with the reference: the truth that votes are about.
func (i *harnessItem) agrees(answer string) bool {
	if i.exact {
		return answer == i.right || answer == i.known
	}
	return !slices.ContainsFunc(i.wanted, func(w string) bool { return !strings.Contains(answer, w) })
}

// harnessPreamble is longer than what the pipeline's truncate step leaves, so that what counts stands behind the cut.
const harnessPreamble = "Thank you for asking this. Having read the documents that belong to your question line by line and with some care, the answer for you is: "

// syntheticItem makes a question of facts that stand at these places of a corpus version in these states.
func syntheticItem(facts []harnessFact, chosen []int, spans []rag.Span, states map[int]factState) *harnessItem {
	item := &harnessItem{clear: true}
	var ask, query, ids, reads, knows, errs []string
	for _, f := range chosen {
		fact := facts[f]
		asked := harnessAttributes[fact.attribute][1]
		ids = append(ids, fmt.Sprintf("%03d", f))
		ask = append(ask, fmt.Sprintf("what is the %s of %s", asked, fact.service))
		query = append(query, "what is the "+asked)
		claim := harnessClaim{text: fact.claim(fact.value), contradicts: states[f] == factOutdated, subject: fact.service}
		if states[f] != factDeleted {
			claim.at = []rag.Span{spans[f]}
		}
		item.claims = append(item.claims, claim)
		item.needs = append(item.needs, spans[f])
		item.wanted = append(item.wanted, fact.value)
		item.subjects = append(item.subjects, fact.service)
		read := fact.value
		if states[f] == factOutdated {
			read = fact.outdated
		}
		reads, knows, errs = append(reads, read), append(knows, fact.value), append(errs, facts[(f+7)%len(facts)].value)
	}
	text := strings.Join(ask, ", and ") + "?"
	item.question = experiments.Question{ID: "q-" + strings.Join(ids, "-"), Text: strings.ToUpper(text[:1]) + text[1:], Lang: "en",
		Answerable: true}
	item.query = strings.Join(query, " and ")
	item.refer()
	item.right, item.known = harnessPreamble+strings.Join(reads, " and ")+".", harnessPreamble+strings.Join(knows, " and ")+"."
	item.wrong = harnessPreamble + strings.Join(errs, " and ") + "."
	item.terse = strings.Join(strings.Fields(item.right)[:10], " ")
	item.closed = "As is generally known and without looking anything up, one would expect in such a case the answer " +
		strings.Join(errs, " and ") + "."
	item.refusal = "The documents that were provided do not say anything about this question."
	return item
}

// refer writes the reference from the claims.
func (i *harnessItem) refer() {
	texts := make([]string, len(i.claims))
	for c, claim := range i.claims {
		texts[c] = claim.text
	}
	i.question.Reference = strings.Join(texts, " ")
}

// swapReference makes the last claim of the reference wrong.
func (i *harnessItem) swapReference(facts []harnessFact, chosen []int) {
	last := len(chosen) - 1
	fact := facts[chosen[last]]
	i.claims[last].text, i.claims[last].contradicts, i.wanted[last] = fact.claim(fact.outdated), true, fact.outdated
	i.refer()
}

// dropSubject takes what the question is about out of it.
func (i *harnessItem) dropSubject() {
	i.question.Text, i.clear = strings.ToUpper(i.query[:1])+i.query[1:]+"?", false
}

// label gives the question its evidence as it stood in an earlier version of the corpus.
func (i *harnessItem) label(earlier *rag.Corpus, spans []rag.Span) {
	for _, s := range spans {
		i.question.Evidence = append(i.question.Evidence, experiments.Evidence{Span: s, Quote: earlier.Text(s)})
	}
}
