package rag

import "testing"

// The floor is what a plain BM25 over character bigrams finds on the same chunks, less half a percent: bench/bm25_reference.py
// measures it and explains what the difference is made of.
func TestBM25FindsAsMuchAsAPlainOne(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("600 long searches take half a minute under the race detector; the run without it measures them")
	}
	corpus, questions := taxQA(t)
	const slack = 0.005
	for _, c := range []struct {
		size, overlap, k int
		coverage, full   float64
	}{
		{1000, 0, 3, 0.967, 0.928},
		{800, 200, 4, 0.975, 0.941},
		{400, 0, 3, 0.901, 0.641},
		{200, 0, 3, 0.744, 0.379},
	} {
		r := newRig(corpus.Documents...)
		s := r.open(t, func(config *Config) {
			config.Retrieve = Retrieve{Mode: "bm25", K: c.k}
			config.Chunk = Chunking{By: "chars", Size: c.size, Overlap: c.overlap}
		})
		coverage, full := 0.0, 0.0
		for _, q := range questions {
			retrieval, _, err := s.Retrieve(t.Context(), q.Question)
			if err != nil {
				t.Fatal(err)
			}
			covered, total := evidenceCovered(q.Evidence, retrieval.Hits)
			coverage += float64(covered) / float64(total) / float64(len(questions))
			if covered == total {
				full += 1 / float64(len(questions))
			}
		}
		t.Logf("%d/%d, k %d: coverage %.3f, full %.3f", c.size, c.overlap, c.k, coverage, full)
		if coverage < c.coverage-slack || full < c.full-slack {
			t.Errorf("%d/%d, k %d: coverage %.3f, full %.3f; a plain BM25 has %.3f and %.3f", c.size, c.overlap, c.k, coverage, full,
				c.coverage, c.full)
		}
	}
}

func evidenceCovered(evidence []Span, hits []Hit) (covered, total int) {
	for _, e := range evidence {
		inside := make([]bool, e.End-e.Start)
		for _, h := range hits {
			if h.DocID != e.DocID {
				continue
			}
			for i := max(h.Start, e.Start); i < min(h.End, e.End); i++ {
				inside[i-e.Start] = true
			}
		}
		for _, in := range inside {
			total++
			if in {
				covered++
			}
		}
	}
	return covered, total
}
