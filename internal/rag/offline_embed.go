package rag

import (
	"hash/fnv"
	"math"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/text"
)

// OfflineEmbedders are the embedding models of the offline provider, by name. "hash" is deliberately weak and "ngram"
// clearly better, so that changing the embedder matters in a trial as it does in earnest.
func OfflineEmbedders() map[string]llm.EmbedFunc {
	return map[string]llm.EmbedFunc{"hash": embedHash, "ngram": embedNgram}
}

// embedHash counts folded character triples in 128 hashed, unsigned buckets: frequent grammar drowns rare meaning.
func embedHash(s string) []float32 {
	v := make([]float32, 128)
	runes := []rune(text.Fold(s))
	for i := range max(1, len(runes)-2) {
		v[bucket(string(runes[i:min(i+3, len(runes))]))%128]++
	}
	return normalise(v)
}

// embedNgram hashes terms and pairs of neighbouring terms into 1024 signed buckets, weighted by how much meaning their
// class carries and damped by the root of their count.
func embedNgram(s string) []float32 {
	counts := map[string]float64{}
	weights := map[string]float64{}
	var order []string // map order must not decide the order of additions: float addition is not associative
	add := func(key string, weight float64) {
		if counts[key] == 0 {
			order = append(order, key)
		}
		counts[key]++
		weights[key] = weight
	}
	previous := text.Term{}
	for _, t := range text.Terms(s) {
		w := classWeight(t.Class)
		add(t.Text, w)
		if previous.Text != "" && (t.Class != text.Function || previous.Class != text.Function) {
			add(previous.Text+" "+t.Text, 0.5*math.Sqrt(w*classWeight(previous.Class)))
		}
		previous = t
	}
	v := make([]float32, 1024)
	for _, key := range order {
		h := bucket(key)
		x := float32(weights[key] * math.Sqrt(counts[key]))
		if h>>32&1 == 1 {
			x = -x
		}
		v[h%1024] += x
	}
	return normalise(v)
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

// normalise scales v to length 1. A text without any term gets the first axis, since a zero vector has no direction.
func normalise(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		v[0] = 1
		return v
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return v
}
