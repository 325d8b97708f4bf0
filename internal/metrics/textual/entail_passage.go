package textual

import (
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// Passage is a text prepared to support claims: where its terms stand, and its sentences.
type Passage struct {
	where     map[string][]int32 // the sentences that hold a term, ascending
	sentences []passageSentence
	numbers   []quantity
	flat      flatText // the sentences as they stand
	named     flatText // and as they are said
}

type passageSentence struct {
	text       string // as it stands
	said       string // see [piece]
	folded     string
	lang       string
	quantities []quantity
}

// PreparePassage is what NewPassage remembers.
func PreparePassage(s string) Passage {
	p := Passage{where: map[string][]int32{}}
	var stands, says []string
	for i, part := range passagePieces(s) {
		sentence := passageSentence{text: part.text, said: part.said}
		stands, says = append(stands, part.text), append(says, part.said)
		said := bareSentence(part.said) // the number of a citation is no number that the sentence states
		sentence.folded, sentence.lang = text.Fold(said), text.Language(said)
		l := lexiconOf(sentence.lang)
		said = plain(said, sentence.lang)
		list := append(text.Terms(said), text.Terms(part.name)...)
		for _, t := range list {
			p.hold(t.Text, i)
			for _, sense := range l.senses[t.Text] {
				p.hold(sense.key, i)
			}
			for _, kind := range l.kinds[t.Text] {
				p.hold(kind, i)
			}
		}
		if slices.ContainsFunc(list, opensQuantity) {
			sentence.quantities = quantities(text.Words(said))
		}
		p.sentences = append(p.sentences, sentence)
		for _, q := range sentence.quantities {
			p.hold(q.key(), i)
			if !slices.Contains(p.numbers, q) {
				p.numbers = append(p.numbers, q)
			}
		}
	}
	p.flat = flatten(stands...)
	if !slices.Equal(stands, says) {
		p.named = flatten(says...)
	}
	return p
}

func (p *Passage) hold(term string, sentence int) {
	at := p.where[term]
	if term != "" && (len(at) == 0 || at[len(at)-1] != int32(sentence)) {
		p.where[term] = append(at, int32(sentence))
	}
}

// Verdict is what a passage says of a claim.
type Verdict struct {
	Strength     float64 // [0, 1]
	Contradicted bool
	other        bool   // that sentence speaks of another case
	Quote        string // the sentence that decides it
}

// Supported reports whether the passage states the claim.
func (v Verdict) Supported() bool { return !v.Contradicted && v.Strength >= SupportedAt }

// Support says how far the passage supports a claim: the share of the claim's term weight found in its best sentence (or
// two neighbours), with a part for the passage as a whole. A missing number costs half; so do words in whose place the
// sentence has others, and a contradiction costs more.
// What the passage says word for word it supports.
func (p *Passage) Support(c ClaimTerms) Verdict {
	if c.Weight == 0 || len(p.sentences) == 0 {
		return Verdict{}
	}
	if v, ok := p.verbatim(c); ok {
		if Refuses(v.Quote) && Statements.Of(v.Quote).silentOn(Statements.Of(c.Text)) {
			v.Strength = otherCaseAt * SupportedAt
		}
		return v
	}
	w := p.match(c)
	if w.at < 0 {
		return Verdict{}
	}
	s := p.sentences[w.at]
	v := Verdict{Strength: (0.75*w.best + 0.25*w.share) * p.numbersKept(c), Quote: s.text}
	if strings.Contains(s.folded, c.folded) && !Refuses(s.said) {
		return v
	}
	if w.best >= 0.4 {
		p.weigh(c, w, &v)
	}
	if v.Contradicted {
		p.elsewhere(c, w, &v)
	}
	v.Strength = Round(v.Strength)
	if s.lang == "ja" {
		v.Strength = Round(calibrated(v.Strength))
	}
	return v
}

// elsewhere looks for another sentence that says as much of a claim as the one that contradicts it, and does not: January 24 is not denied
// by what happened on January 15.
func (p *Passage) elsewhere(c ClaimTerms, w window, v *Verdict) {
	for i, share := range w.each {
		if i == w.at || p.sentences[i].text == "" || share < w.alone-1e-9 && !(share >= numberedAt*w.alone && p.states(i, c)) {
			continue
		}
		other, alone := w, Verdict{Strength: (0.75*share + 0.25*w.share) * p.numbersKept(c), Quote: p.sentences[i].text}
		other.at, other.alone = i, share
		if !strings.Contains(p.sentences[i].folded, c.folded) {
			p.weigh(c, other, &alone)
		}
		if !alone.Contradicted && alone.Strength > v.Strength {
			*v = alone
		}
	}
}

// states reports whether a sentence states every number of a claim, of which there are some, other than what they make together.
func (p *Passage) states(i int, c ClaimTerms) bool {
	has := p.sentences[i].quantities
	if len(has) == 0 || len(c.numbers) == 0 {
		return false
	}
	claim := Statements.Of(c.Text)
	return len(claim.quantities) > 1 && !slices.ContainsFunc(claim.quantities, func(q quantity) bool {
		return !slices.ContainsFunc(has, q.equal) && !q.derived(claim.quantities, has, claim.reckons)
	})
}

// StatesNumbers reports whether a sentence states all numbers of a claim, of which there are two or more: then it states the claim, even in
// other words.
func (p *Passage) StatesNumbers(c ClaimTerms) bool {
	for i := range p.sentences {
		if p.states(i, c) {
			return true
		}
	}
	return false
}

// calibrated brings the strength of a Japanese claim on the scale of an English one: pairs of characters, of which one other
// character or ending spoils two, agree less than words do.
func calibrated(v float64) float64 {
	switch {
	case v <= UnsupportedAt:
		return v
	case v < japaneseAt:
		return UnsupportedAt + (v-UnsupportedAt)*(SupportedAt-UnsupportedAt)/(japaneseAt-UnsupportedAt)
	}
	return SupportedAt + (v-japaneseAt)*(1-SupportedAt)/(1-japaneseAt)
}

// japaneseAt is the share of agreement at which a Japanese claim counts as supported.
const japaneseAt = 0.55

// weigh compares the claim with its best sentence word by word.
func (p *Passage) weigh(c ClaimTerms, w window, v *Verdict) {
	claim, sentence := Statements.Of(c.Text), Statements.Of(p.sentences[w.at].said)
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
		agree = min(1, w.alone*c.Weight/max(1, c.Weight-n))
	}
	switch {
	case d.denied && d.opposed == 1 && d.rivals == 0 && denial:
		v.Strength = max(v.Strength, agree*0.9) // not cheap where the sentence says expensive
	case d.denied && agree >= deniedAt, against > 0 && agree >= opposedAt, d.renamed > 0 && agree >= renamedAt, d.swapped:
		switch {
		case !d.swapped && sentence.otherCase(claim, &d):
			v.Strength, v.other = otherCaseAt*min(v.Strength, SupportedAt), true
		case !d.swapped && claim.fragmentOf(sentence):
			v.Strength *= againstAt // it says too little to be denied, and what holds its words says otherwise
		default:
			v.Contradicted = true
			v.Strength *= againstAt
		}
	default:
		v.Strength *= 1 - changedCost*min(3, float64(d.changed)*max(1, 6/float64(len(claim.words))))
		v.Strength *= 1 - movedCost*d.moved
		if sentence.silentOn(claim) || claim.cases.others && !sentence.cases.others {
			v.Strength = otherCaseAt * min(v.Strength, SupportedAt)
		}
		if claim.personal && !sentence.personal {
			v.Strength *= personalAt
		}
	}
}

// What the comparison word by word takes from the strength of support. The figures were chosen by hand while
// looking at the labelled datasets of the shared tests, so what those tests measure is not a blind figure.
const (
	deniedAt    = 0.65 // share of the claim in a sentence from which a denial is one of the claim
	opposedAt   = 0.55 // the same for an opposite word or another quantity
	renamedAt   = 0.7  // the same for another name
	changedCost = 0.1  // for each word in whose place the sentence has another, up to three
	movedCost   = 0.2  // for all words in another order
	againstAt   = 0.4  // what is left where the sentence speaks against the claim
	otherCaseAt = 0.7  // what is left at most where the sentence would contradict the claim, but speaks of another case
	numberedAt  = 0.6  // share of what the best sentence holds from which one that states all numbers of the claim counts beside it
	personalAt  = 0.7  // what is left where the claim speaks of its speaker and the sentence does not
)

// Round makes equal what differs only by the order of a processor's sums.
func Round(v float64) float64 { return math.Round(v*1e9) / 1e9 }

// window says where in a passage a claim is said best.
type window struct {
	at    int       // the sentence, -1 for none
	best  float64   // share of the claim that it and a neighbour hold
	alone float64   // share of the claim that it holds
	share float64   // share of the claim that the passage holds
	each  []float64 // by sentence, the share of the claim that it holds
}

// match finds the sentence that says most of a claim together with the one after it.
func (p *Passage) match(c ClaimTerms) window {
	n := len(p.sentences)
	single, pair := make([]float64, n+1), make([]float64, n+1)
	stamp := make([]int32, n+1)
	total := 0.0
	for i, t := range c.List {
		mark := int32(i + 1)
		held := false
		put := func(term string) {
			for _, s := range p.where[term] {
				held = true
				if stamp[s] == mark {
					continue
				}
				stamp[s] = mark
				single[s] += t.Weight
			}
		}
		put(t.term)
		for _, key := range t.also {
			put(key)
		}
		if !held {
			continue
		}
		total += t.Weight
		for s := range n {
			if stamp[s] == mark || stamp[s+1] == mark {
				pair[s] += t.Weight
			}
		}
	}
	w := window{at: -1, share: total / c.Weight}
	said := 0.0
	for i := range n {
		if share := pair[i] / c.Weight; share > w.best || share == w.best && single[i] > said {
			w.best, w.at, said = share, i, single[i]
		}
	}
	if w.at >= 0 && w.at+1 < n && single[w.at+1] > said {
		w.at++
	}
	if w.at >= 0 {
		w.alone = single[w.at] / c.Weight
		w.each = single[:n]
		for i := range w.each {
			w.each[i] /= c.Weight
		}
	}
	return w
}

// Cover says how far the passage, read as an answer, covers a unit of the reference. Unlike support it does not ask that
// one sentence holds it all, since answers rephrase.
func (p *Passage) Cover(c ClaimTerms) Verdict {
	v := p.Support(c)
	if c.Weight > 0 && !v.Contradicted && !v.other {
		v.Strength = max(v.Strength, 0.9*p.near(c)*p.numbersKept(c))
	}
	return v
}

// nearSentences is how far apart an answer may say the parts of one unit: words from all over a long text add up to nothing.
const nearSentences = 5

// near is the largest share of the claim that some neighbouring sentences hold together.
func (p *Passage) near(c ClaimTerms) float64 {
	n := len(p.sentences)
	if n <= nearSentences {
		return p.Share(c)
	}
	held := make([]float64, n)
	stamp := make([]int, n)
	for i, t := range c.List {
		put := func(term string) {
			for _, s := range p.where[term] {
				for from := max(0, int(s)-nearSentences+1); from <= int(s); from++ {
					if stamp[from] != i+1 {
						stamp[from] = i + 1
						held[from] += t.Weight
					}
				}
			}
		}
		put(t.term)
		for _, key := range t.also {
			put(key)
		}
	}
	return slices.Max(held) / c.Weight
}

// Share is the share of the claim that the passage holds.
func (p *Passage) Share(c ClaimTerms) float64 {
	held := 0.0
	for _, t := range c.List {
		if p.Holds(t) {
			held += t.Weight
		}
	}
	return held / c.Weight
}

// Holds reports whether the passage has a term or a word of the same meaning.
func (p *Passage) Holds(t weighted) bool {
	return len(p.where[t.term]) > 0 || slices.ContainsFunc(t.also, func(key string) bool { return len(p.where[key]) > 0 })
}

// numbersKept is 1 when the passage holds every number of the claim, and 0.5 when it holds none of them.
func (p *Passage) numbersKept(c ClaimTerms) float64 {
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
