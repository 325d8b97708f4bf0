package fakeprovider

import (
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
)

// Vector is the embedding of a text: the signed sum of its words' hashes and of its neighbouring characters' hashes, so
// that texts with words or, in Japanese, characters in common are similar. It is not normalised, and never zero for a text
// that is not empty.
func Vector(text string, dimension int) []float64 {
	v := make([]float64, dimension)
	add := func(s string, weight float64) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(s))
		sum := h.Sum64()
		if sum>>63 == 1 {
			weight = -weight
		}
		v[sum%uint64(dimension)] += weight
	}
	lower := strings.ToLower(text)
	for _, word := range strings.Fields(lower) {
		add("w:"+word, 1)
	}
	runes := []rune(lower)
	for i := 1; i < len(runes); i++ {
		add("c:"+string(runes[i-1:i+1]), 0.25)
	}
	// An odd share that no sum of the weights above can cancel.
	v[len(runes)%dimension] += 0.0625
	return v
}

func (s *Server) embeddings(r Request, b Behaviour) outgoing {
	out := outgoing{status: http.StatusOK, charged: true}
	dimension := s.opts.Dimension
	if b.Fault == VectorsWrongSize {
		dimension = max(1, dimension/2)
	}
	data := make([]map[string]any, len(r.Texts))
	for i, t := range r.Texts {
		out.prompt += tokens(t)
		data[i] = map[string]any{"object": "embedding", "index": i, "embedding": Vector(t, dimension)}
	}
	spoil(data, b.Fault)
	switch {
	case len(data) == 0:
	case b.Fault == VectorsShort:
		data = data[:len(data)-1]
	case b.Fault == VectorsShuffled:
		slices.Reverse(data)
	case b.Fault == VectorsDoubled:
		data[len(data)-1]["index"] = 0
	case b.Fault == VectorsBadIndex:
		data[len(data)-1]["index"] = len(data)
	}
	envelope := map[string]any{
		"object": "list", "model": r.Model, "data": data,
		"usage": map[string]int{"prompt_tokens": out.prompt, "total_tokens": out.prompt},
	}
	if b.Fault == NoUsage {
		delete(envelope, "usage")
	}
	body := string(mustJSON(envelope))
	// JSON cannot say these, so they are written over a marker.
	for fault, text := range map[Fault]string{VectorsNaN: "NaN", VectorsNull: "null", VectorsOverflow: "1e400"} {
		if b.Fault == fault {
			body = strings.Replace(body, `"marker"`, text, 1)
		}
	}
	out.body = []byte(body)
	return out
}

// spoil damages the last vector.
func spoil(data []map[string]any, fault Fault) {
	if len(data) == 0 {
		return
	}
	last := data[len(data)-1]
	v := last["embedding"].([]float64)
	switch fault {
	case VectorsZero:
		last["embedding"] = make([]float64, len(v))
	case VectorsRagged:
		last["embedding"] = v[:len(v)-1]
	case VectorsNaN, VectorsNull, VectorsOverflow:
		marked := make([]any, len(v))
		for i := range v {
			marked[i] = v[i]
		}
		marked[len(v)/2] = "marker"
		last["embedding"] = marked
	default: // the other faults do not lie in a vector
	}
}
