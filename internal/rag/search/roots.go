package search

import "math"

// What the search engine bleve takes for k1 and b.
const (
	rootsK1 = 1.2
	rootsB  = 0.75
)

// searchRoots returns the n best as bleve 2.6 scores them, which is the index of files that say nothing about retrieve.bm25. It is called
// BM25 there and is another formula: tf is the root of a frequency, the mean length is the number of different terms over that of chunks,
// rounded up, a term's weight counts twice, and what a chunk has of the query's terms in share is a factor. Scores are rounded to 32
// bits, as they were when bleve computed them in an order of its own.
func (x *Postings) searchRoots(query string, n int) ([]Ranked, error) {
	var asked []uint32
	total, squares := 0, 0.0
	err := eachTerm(x.analyzer, query, func(term []byte) {
		total++
		at, known := x.terms[string(term)]
		held := uint32(0)
		if known {
			held, asked = x.held[at], append(asked, at)
		}
		idf := x.idf(held)
		squares += idf * idf
	})
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	norm, mean := 1/math.Sqrt(squares), math.Ceil(float64(len(x.terms))/float64(len(x.lengths)))
	scores, matches := make([]float64, len(x.lengths)), make([]int32, len(x.lengths))
	for _, term := range asked {
		idf := x.idf(x.held[term])
		weight := idf * norm
		x.each(term, func(chunk int, count float64) {
			tf, root := math.Sqrt(count), float64(float32(1/math.Sqrt(float64(x.lengths[chunk]))))
			length := 1 / (root * root)
			scores[chunk] += idf * (tf * rootsK1) / (tf + rootsK1*(1-rootsB+(rootsB*length/mean))) * weight
			matches[chunk]++
		})
	}
	found := newShortlist(n, len(scores))
	for chunk, score := range scores {
		if matches[chunk] > 0 {
			share := float64(matches[chunk]) / float64(total)
			found.add(Ranked{Chunk: chunk, Score: float64(float32(score * share))})
		}
	}
	return found.best(), nil
}
