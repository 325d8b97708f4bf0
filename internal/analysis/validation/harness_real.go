package validation

import (
	"context"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// CauseMaterial is real text to put faults into: a corpus and questions whose evidence is labelled.
type CauseMaterial struct {
	Name      string
	Corpus    *rag.Corpus
	Questions []CauseQuestion // those without reference or evidence, and unanswerable ones, are passed over
	Config    *rag.Config     // the system without faults; nil is ours. Its generator is scripted all the same.
}

// CauseQuestion is a question of real text, perhaps with answers that somebody stored.
type CauseQuestion struct {
	experiments.Question
	Ungrounded string // what a model wrote without looking at a context; "" where nobody stored it
	Poor       string // an incomplete or evasive answer, likewise
}

// Usable is how many of the questions faults can be tried on.
func (m CauseMaterial) Usable() int {
	n := 0
	for _, q := range m.Questions {
		n += counted(q.usable())
	}
	return n
}

func (q CauseQuestion) usable() bool { return q.Answerable && q.Reference != "" && len(q.Evidence) > 0 }

// realBase is the configuration without faults on real text: the founding paper's improved one.
func (m CauseMaterial) realBase() rag.Config {
	c := harnessBase()
	c.Chunk = rag.Chunking{By: "chars", Size: 800, Overlap: 200}
	if m.Config != nil {
		generate := c.Generate
		c = *m.Config
		c.Generate, c.PostProcess = generate, nil
	}
	return c
}

// conditions are the faults that can be put into this text. Those of generator and prompt need stored answers.
func (m CauseMaterial) conditions() []harnessCondition {
	keep := []string{"ideal", "standard", "database_deleted", "retriever_k", "retriever_chunk", "retriever_embedding"}
	stored := func(of func(q CauseQuestion) string) bool {
		return !slices.ContainsFunc(m.Questions, func(q CauseQuestion) bool { return q.usable() && of(q) == "" })
	}
	ungrounded, poor := stored(func(q CauseQuestion) string { return q.Ungrounded }), stored(func(q CauseQuestion) string { return q.Poor })
	var out []harnessCondition
	for _, c := range syntheticConditions() {
		switch {
		case slices.Contains(keep, c.name):
		case c.name == "generation_model" && ungrounded:
			c.configs = c.configs[1:] // the model that looks at no context wrote the stored answers
		case c.name == "system_prompt" && poor:
			c.configs = c.configs[:1] // the prompt that cuts answers short
		case c.name == "retriever_k+system_prompt" && poor:
			c.configs = c.configs[:1]
		case c.name == "retriever_k+generation_model" && ungrounded:
			c.configs = c.configs[1:]
		default:
			continue
		}
		out = append(out, c)
	}
	return out
}

// realBatch is real text with one stream of chance.
type realBatch struct {
	material CauseMaterial
	number   uint64
	clean    *harnessGround
	items    []*harnessItem

	unlabelled bool // the evidence has to be found
}

func newRealBatch(m CauseMaterial, clean *harnessGround, seed uint64, number int, unlabelled bool) *realBatch {
	b := &realBatch{material: m, number: seedOf(seed, "batch", number), clean: clean, unlabelled: unlabelled}
	for i, q := range m.Questions {
		if !q.usable() {
			continue
		}
		if item := b.item(q, m.foreign(i)); item != nil {
			b.items = append(b.items, item)
		}
	}
	return b
}

// foreign is the reference of another question, which does not answer this one.
func (m CauseMaterial) foreign(i int) string {
	own := m.Questions[i].Reference
	for n := 1; n < len(m.Questions); n++ {
		other := m.Questions[(i+n)%len(m.Questions)].Reference
		if other != "" && !strings.Contains(other, own) && !strings.Contains(own, other) {
			return other
		}
	}
	return "I would expect that nothing is known about this."
}

// item makes a harness item of a question: its evidence becomes sentences, one key claim for each. It is nil where the evidence is
// not in the corpus.
func (b *realBatch) item(q CauseQuestion, foreign string) *harnessItem {
	item := &harnessItem{question: q.Question, clear: true, exact: true, right: q.Reference, known: q.Reference, wrong: foreign,
		closed: foreign}
	if q.Ungrounded != "" {
		item.closed = q.Ungrounded
	}
	words := strings.Fields(q.Reference)
	item.terse = strings.Join(words[:min(10, len(words))/2], " ") + " …"
	if q.Poor != "" {
		item.terse = q.Poor
	}
	if b.unlabelled {
		item.question.Evidence = nil
	}
	item.refusal = "The documents that were provided do not contain this information."
	for _, span := range q.EvidenceIn(b.clean.corpus) {
		if span.DocID == "" {
			return nil
		}
		item.documents = append(item.documents, span.DocID)
		item.claims = append(item.claims, b.claims(q.Question, span)...)
	}
	for _, c := range item.claims {
		item.needs = append(item.needs, c.at...)
	}
	return item
}

// broadEvidence is how long evidence may be, in code points, before it is taken for a passage that holds the evidence somewhere.
const broadEvidence = 600

// claims cuts one piece of evidence into its sentences. Of a long passage it takes the sentences that share most words with each
// sentence of the reference, and the reference's sentences as the claims.
func (b *realBatch) claims(q experiments.Question, span rag.Span) []harnessClaim {
	var sentences []rag.Span
	for _, s := range text.Sentences(b.clean.corpus.Index(span.DocID).String()) {
		at := rag.Span{DocID: span.DocID, Start: s.Start, End: s.End}
		if 2*at.Overlap(span) >= s.Len() {
			sentences = append(sentences, at)
		}
	}
	if len(sentences) == 0 {
		return nil
	}
	var claims []harnessClaim
	if span.Range().Len() <= broadEvidence {
		for _, s := range sentences {
			claims = append(claims, harnessClaim{text: b.clean.corpus.Text(s), at: []rag.Span{s}})
		}
		return claims
	}
	runes := []rune(q.Reference)
	for _, r := range text.Sentences(q.Reference) {
		words := string(runes[r.Start:r.End])
		best := slices.MaxFunc(sentences, func(x, y rag.Span) int {
			return sharedTerms(words, b.clean.corpus.Text(x)) - sharedTerms(words, b.clean.corpus.Text(y))
		})
		claims = append(claims, harnessClaim{text: words, at: []rag.Span{best}})
	}
	return claims
}

// sharedTerms counts the words with a meaning that two texts share.
func sharedTerms(a, b string) int {
	has := map[string]bool{}
	for _, t := range text.Terms(b) {
		has[t.Text] = t.Class != text.Function
	}
	n := 0
	for _, t := range text.Terms(a) {
		n += counted(has[t.Text])
	}
	return n
}

func (b *realBatch) seed() uint64 { return b.number }

// config is the configuration of a condition's n-th question.
func (b *realBatch) config(c harnessCondition, n int) rag.Config {
	return c.fault(b.material.realBase(), n)
}

// build puts a condition's fault into the text. There may be fewer than n questions that the system without faults answers and the
// faulty one cannot.
func (b *realBatch) build(ctx context.Context, c harnessCondition, n int) (*harnessGround, []*harnessItem, error) {
	var chosen []*harnessItem
	gone := map[string]bool{}
	for _, i := range stats.NewSplitMix64(seedOf(b.number, "questions", c.name)).Permutation(len(b.items)) {
		item := b.items[i]
		if len(chosen) == n || c.corpus == factDeleted && !b.takeAway(gone, item.documents) {
			continue
		}
		fits, err := fitsCondition(ctx, b, b.clean, c, item, len(chosen))
		if err != nil {
			return nil, nil, err
		}
		if !fits {
			continue
		}
		chosen = append(chosen, item)
		for _, id := range item.documents {
			gone[id] = true
		}
	}
	if c.corpus != factDeleted {
		return b.clean, chosen, nil
	}
	var left []rag.Document
	for _, d := range b.clean.corpus.Documents {
		if !gone[d.ID] {
			left = append(left, d)
		}
	}
	starved := make([]*harnessItem, len(chosen))
	for i, item := range chosen {
		starved[i] = item.without()
	}
	return newGround(rag.NewCorpus(b.clean.corpus.Name, left)), starved, nil
}

// takeAway reports whether these documents can be taken away besides those that are gone: half of the corpus stays, so that the
// search still has something to find.
func (b *realBatch) takeAway(gone map[string]bool, documents []string) bool {
	n := len(gone)
	for i, id := range documents {
		n += counted(!gone[id] && !slices.Contains(documents[:i], id))
	}
	return 2*n <= len(b.clean.corpus.Documents)
}

// without is the item in a corpus that lost its documents.
func (i *harnessItem) without() *harnessItem {
	out := *i
	out.claims = slices.Clone(i.claims)
	for c := range out.claims {
		out.claims[c].at = nil
	}
	out.needs = make([]rag.Span, len(i.needs)) // places in no document
	return &out
}
