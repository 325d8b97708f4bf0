package offline

import (
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/text"
)

// Embedders are the embedding models of the offline provider, by name. "hash" is deliberately weak and "ngram"
// clearly better, so that changing the embedder matters in a trial as it does in earnest.
func Embedders() map[string]llm.EmbedFunc {
	return map[string]llm.EmbedFunc{"hash": embedHash, "ngram": text.NewMemo(512, embedNgram).Of}
}

// EmbedderNames are the names of [Embedders], sorted.
var EmbedderNames = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(Embedders())) })

// embedHash counts folded character triples in 128 hashed, unsigned buckets: frequent grammar drowns rare meaning.
func embedHash(s string) []float32 {
	v := make([]float32, 128)
	runes := []rune(text.Fold(s))
	for i := range max(1, len(runes)-2) {
		v[bucket(string(runes[i:min(i+3, len(runes))]))%128]++
	}
	return search.Unit(v)
}

// ngramDims is how many buckets "ngram" hashes into.
const ngramDims = 2048

// Shares of a feature's weight: what a text says in its own words, and what it means by them. A word that is in the
// thesaurus gives both, so that the same word fits best and a synonym well.
const (
	conceptShare = 0.65
	pairShare    = 0.3
)

// embedNgram hashes terms, pairs of neighbouring terms and the concepts of the thesaurus into signed buckets, weighted by
// how much meaning they carry and damped so that a second mention adds a third and the tenth next to nothing.
func embedNgram(s string) []float32 { return ngramVector(s, ngramDims) }

// ngramVector is the vector of what [features.read] finds, in so many buckets.
func ngramVector(s string, dims uint64) []float32 {
	f, _ := usedFeatures.Get().(*features)
	if f == nil {
		f = &features{index: map[string]int{}}
	}
	f.read(s)
	v := f.hashed(dims)
	if len(f.all) <= mostUsed {
		usedFeatures.Put(f)
	}
	return search.Unit(v)
}

// mostUsed is how many features may have been gathered where they are kept for the next text: to forget many takes long.
const mostUsed = 1 << 12

// usedFeatures are kept for the next text: an index embeds tens of thousands, and what each left behind was a fifth of a sweep's garbage.
var usedFeatures sync.Pool // *features

// read forgets the text before and gathers the features of this one.
func (f *features) read(s string) {
	clear(f.index)
	f.all = f.all[:0]
	t := loadThesaurus()
	terms := text.Terms(s)
	previous, before := text.Term{}, 0.0
	for _, term := range terms {
		w := t.weightOf(term)
		f.add(term.Text, w)
		if previous.Text != "" && (term.Class != text.Function || previous.Class != text.Function) {
			f.add(previous.Text+" "+term.Text, pairShare*math.Sqrt(w*before))
		}
		previous, before = term, w
	}
	for _, m := range t.mentions(s, terms) {
		f.add(t.feature(m), conceptShare*m.weight)
	}
}

// features are weighted counts in the order in which they were met: map order must not decide the order of additions,
// since float addition is not associative.
type features struct {
	index map[string]int
	all   []feature
}

type feature struct {
	key    string
	count  float64
	weight float64
}

func (f *features) add(key string, weight float64) {
	i, ok := f.index[key]
	if !ok {
		i = len(f.all)
		f.index[key] = i
		f.all = append(f.all, feature{key: key})
	}
	f.all[i].count++
	f.all[i].weight = max(f.all[i].weight, weight)
}

// hashed adds every feature to its bucket, with a sign that its hash decides, so that collisions cancel on average.
func (f *features) hashed(dims uint64) []float32 {
	v := make([]float32, dims)
	for _, x := range f.all {
		h := bucket(x.key)
		w := float32(x.weight * (1 + 0.5*math.Log(x.count)))
		if h>>32&1 == 1 {
			w = -w
		}
		v[h%dims] += w
	}
	return v
}

func classWeight(c text.Class) float64 {
	switch c {
	case text.Content:
		return 1
	case text.Number:
		return 0.7
	default:
		return 0.1
	}
}

func bucket(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}
