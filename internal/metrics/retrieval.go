package metrics

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// retrievalScores computes the metrics that need no judge: where the evidence spans lie in the retrieved chunks. Since
// evidence is a place in a document and not a chunk, they compare configurations of any chunk size.
func retrievalScores(s Sample) map[string]Score {
	out := map[string]Score{}
	covered, total := coveredChars(s.Evidence, s.Contexts)
	if total == 0 {
		for _, spec := range catalogue {
			if spec.Group == "retrieval" {
				out[spec.ID] = notApplicable("no_evidence")
			}
		}
		return out
	}
	hits := make([]bool, len(s.Contexts))
	for i, c := range s.Contexts {
		for _, e := range s.Evidence {
			hits[i] = hits[i] || c.Overlap(e) > 0
		}
	}
	rank := stats.ReciprocalRank(hits)
	counts := fmt.Sprintf("%d/%d", covered, total)
	out["hit"] = scored(truth(rank > 0), "")
	out["mrr"] = scored(rank, "")
	out["span_coverage"] = scored(float64(covered)/float64(total), counts)
	out["fully_covered"] = scored(truth(covered == total), counts)
	out["ndcg"] = scored(ndcg(s.Evidence, s.Contexts), "")
	return out
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// coveredChars counts the evidence's characters and how many of them lie inside the chunks, each place once.
func coveredChars(evidence []rag.Span, chunks []rag.Hit) (covered, total int) {
	want := places(evidence)
	got := map[string]map[int]bool{}
	for _, c := range chunks {
		for i := c.Start; i < c.End; i++ {
			if want[c.DocID][i] {
				if got[c.DocID] == nil {
					got[c.DocID] = map[int]bool{}
				}
				got[c.DocID][i] = true
			}
		}
	}
	for doc := range want {
		total += len(want[doc])
		covered += len(got[doc])
	}
	return covered, total
}

func places(spans []rag.Span) map[string]map[int]bool {
	out := map[string]map[int]bool{}
	for _, s := range spans {
		if out[s.DocID] == nil {
			out[s.DocID] = map[int]bool{}
		}
		for i := s.Start; i < s.End; i++ {
			out[s.DocID][i] = true
		}
	}
	return out
}

// ndcg gives each chunk the share of evidence it adds, every evidence span weighing the same. The ideal ranking shows one
// whole span with every chunk; a chunk that holds several spans may beat it, so the value is capped at 1.
func ndcg(evidence []rag.Span, chunks []rag.Hit) float64 {
	gains := make([]float64, len(chunks))
	for _, e := range evidence {
		before := 0
		for i := range chunks {
			covered, total := coveredChars([]rag.Span{e}, chunks[:i+1])
			gains[i] += float64(covered-before) / float64(total) / float64(len(evidence))
			before = covered
		}
	}
	ideal := make([]float64, len(evidence))
	for i := range ideal {
		ideal[i] = 1 / float64(len(evidence))
	}
	return min(1, stats.NDCG(gains, ideal))
}
