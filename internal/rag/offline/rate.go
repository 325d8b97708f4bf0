package offline

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unique"

	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/text"
)

// sentence is one candidate for quoting.
type sentence struct {
	context int // index of the context it stands in
	text    string
	*reading
	heading []unit // of what it stands under
	score   float64
}

// reading is what the rating needs to know of a text by itself.
type reading struct {
	units  []unit
	number bool // it holds a number
	shape  []coordinate
}

// unit is what can be shared by a question and a sentence: a term or a concept of the thesaurus.
type unit struct {
	key    unique.Handle[string]
	weight float64 // how much it tells, 0 to 1
}

// coordinate is one that is not zero of a vector that likeness is measured with.
type coordinate struct {
	at    int
	value float32
}

// Shares in the scoring of sentences.
const (
	synonymShare   = 0.8  // of a concept, against the terms that mention it
	headingShare   = 0.5  // of what only the heading of an item covers
	neighbourShare = 0.35 // of the worth of each neighbour in the same context
	numberFactor   = 1.4  // for a sentence with a number when one was asked for
)

// Sentences of the same documents come up for every question and configuration.
var readings = text.NewMemo(8192, func(s string) *reading {
	r := &reading{units: unitsOf(s), number: strings.ContainsFunc(s, unicode.IsDigit)}
	for at, v := range likenessVector(s) {
		if v != 0 {
			r.shape = append(r.shape, coordinate{at, v})
		}
	}
	return r
})

// unitsOf lists each term and concept of s once, in order: sums of floats must not depend on the order of a map.
func unitsOf(s string) []unit {
	t := loadThesaurus()
	terms := text.Terms(s)
	mentions := t.mentions(s, terms)
	units := make([]unit, 0, len(terms)+len(mentions))
	seen := make(map[string]bool, cap(units))
	add := func(key string, weight float64) {
		if !seen[key] {
			seen[key] = true
			units = append(units, unit{key: unique.Make(key), weight: weight})
		}
	}
	for _, term := range terms {
		add(term.Text, t.weightOf(term))
	}
	for _, m := range mentions {
		add(t.feature(m), synonymShare*m.weight)
	}
	return units
}

// candidates are the distinct statements of the contexts. One that is the end of another was cut by the border of its chunk. Where
// contexts were cut to a size, one that may have lost its beginning is left out, unless another context shows its beginning or its
// context says nothing else. A row is not quoted beside itself with the names of its columns, which another context holds.
func candidates(contexts []prompts.Passage) []sentence {
	var all []sentence
	seen := map[string]bool{}
	for _, p := range contexts {
		for _, found := range statementsOf(p.Text) {
			if found.bare != "" {
				seen[found.bare] = true
			}
		}
	}
	cut := slices.ContainsFunc(contexts, func(p prompts.Passage) bool { return cutShort(p.Text) })
	for c, p := range contexts {
		statements := statementsOf(p.Text)
		for _, found := range statements {
			if seen[found.text] || cut && found.opens && len(statements) > 1 && !beginsElsewhere(found.text, c, contexts) {
				continue
			}
			seen[found.text] = true
			s := sentence{context: c, text: found.text, reading: readings.Of(found.text)}
			if found.heading != "" {
				s.heading = readings.Of(found.heading).units
			}
			all = append(all, s)
		}
	}
	var intact []sentence
	for _, s := range all {
		if !slices.ContainsFunc(all, func(other sentence) bool {
			return len(other.text) > len(s.text) && strings.HasSuffix(other.text, s.text)
		}) {
			intact = append(intact, s)
		}
	}
	return intact
}

// beginsElsewhere reports whether a context other than number c holds s as the beginning of a line or behind the end of a sentence.
func beginsElsewhere(s string, c int, contexts []prompts.Passage) bool {
	for i, p := range contexts {
		before, _, found := strings.Cut(p.Text, s)
		before = strings.TrimRight(before, " ")
		if found && i != c && before != "" && (strings.HasSuffix(before, "\n") || whole(before) || endsAsked(before)) {
			return true
		}
	}
	return false
}

// rating scores the sentences for one question.
type rating struct {
	all      []sentence
	weight   map[unique.Handle[string]]float64 // of the question's units; a unit counts more the fewer of the sentences hold it
	total    float64
	number   bool // the question asks for a number
	said     []bool
	alike    []float64 // to the question
	coverage float64   // the largest share of the question's weight that one sentence covers
}

func newRating(all []sentence, question string, number bool) *rating {
	r := &rating{all: all, weight: map[unique.Handle[string]]float64{}, number: number, said: make([]bool, len(all)),
		alike: likeness(all, question)}
	asked := readings.Of(question).units
	df := make(map[unique.Handle[string]]int, len(asked))
	for _, u := range asked {
		df[u.key] = 0
	}
	for _, s := range all {
		for _, u := range s.units {
			if n, shared := df[u.key]; shared {
				df[u.key] = n + 1
			}
		}
	}
	for _, u := range asked {
		r.weight[u.key] = u.weight * math.Log(1+float64(len(all)+1)/float64(df[u.key]+1))
		r.total += r.weight[u.key]
	}
	r.coverage = r.score()
	return r
}

// likenessDims is how many buckets likeness hashes into: fewer than an index takes, since it only orders the sentences of a few chunks.
const likenessDims = 512

func likenessVector(s string) []float32 { return ngramVector(s, likenessDims) }

// likeness is how much each sentence resembles the question as a whole, 0 to 1: it settles between sentences with equal terms.
func likeness(all []sentence, question string) []float64 {
	asked, out := make([]float32, likenessDims), make([]float64, len(all))
	for _, c := range readings.Of(question).shape {
		asked[c.at] = c.value
	}
	for i := range all {
		sum := 0.0
		for _, c := range all[i].shape { // in the order of the dense vector, whose zeros add nothing
			sum += float64(c.value) * float64(asked[c.at])
		}
		out[i] = max(0, sum)
	}
	return out
}

// score rates every sentence: by the weight it covers and by its likeness to the question, more when its neighbours are worth
// something too, when its context ranks high,
// and when the question asks for a number and it holds one. It returns the largest share of the weight that one covers.
func (r *rating) score() float64 {
	raw := make([]float64, len(r.all))
	best := 0.0
	for i, s := range r.all {
		if r.total > 0 {
			raw[i] = covered(s, r.weight) / r.total
		}
		best = max(best, raw[i])
		raw[i] += r.alike[i]
		if r.number && s.number {
			raw[i] *= numberFactor
		}
	}
	for i, s := range r.all {
		score := raw[i]
		for _, n := range []int{i - 1, i + 1} {
			if n >= 0 && n < len(r.all) && r.all[n].context == s.context {
				score += neighbourShare * raw[n]
			}
		}
		r.all[i].score = score * (1 + 0.25/float64(s.context+1))
	}
	return best
}

// best is the index of the best sentence that has not been said, or -1.
func (r *rating) best() int {
	best := -1
	for i := range r.all {
		if !r.said[i] && (best < 0 || r.all[i].score > r.all[best].score) {
			best = i
		}
	}
	return best
}

// say takes a sentence as said: what it covers is worth less in the others.
func (r *rating) say(n int) {
	r.said[n] = true
	for _, u := range r.all[n].units {
		if w, ok := r.weight[u.key]; ok {
			r.weight[u.key] = w * alreadySaid
		}
	}
	r.score()
}

// covered is the weight of the question's units that the sentence holds, and a part of those that only its heading holds.
func covered(s sentence, weight map[unique.Handle[string]]float64) float64 {
	sum := 0.0
	for _, u := range s.units {
		sum += weight[u.key]
	}
	for _, u := range s.heading {
		if weight[u.key] > 0 && !slices.ContainsFunc(s.units, func(own unit) bool { return own.key == u.key }) {
			sum += headingShare * weight[u.key]
		}
	}
	return sum
}
