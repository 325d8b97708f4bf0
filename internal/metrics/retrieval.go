package metrics

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// documents are the ids of the retrieved documents and of those that hold evidence.
func (s Sample) documents() (retrieved, labelled []string) {
	for _, c := range s.Contexts {
		retrieved = append(retrieved, c.DocID)
	}
	for _, e := range s.Evidence {
		labelled = append(labelled, e.DocID)
	}
	return retrieved, labelled
}

func (b *evaluation) documentPrecision(context.Context) (Score, error) {
	retrieved, labelled := b.sample.documents()
	switch {
	case len(labelled) == 0:
		return notApplicable("no_evidence"), nil
	case len(retrieved) == 0:
		return scored(0, "0/0"), nil
	}
	return reduced(formula.ContextPrecisionByID(retrieved, labelled), ""), nil
}

func (b *evaluation) documentRecall(context.Context) (Score, error) {
	retrieved, labelled := b.sample.documents()
	if len(labelled) == 0 {
		return notApplicable("no_evidence"), nil
	}
	return reduced(formula.ContextRecallByID(retrieved, labelled), ""), nil
}

// evidenceByText compares the retrieved chunks with the words of the evidence, for labels that have no place. The texts cost
// the product of their lengths, so nobody pays who did not ask for the metric.
func (b *evaluation) evidenceByText(reduce func(p textual.Profile, retrieved, reference []string,
	like func(a, b string) float64) formula.Reduction) (Score, error) {
	if len(b.sample.EvidenceTexts) == 0 {
		return notApplicable("no_evidence"), nil
	}
	return reduced(reduce(textual.ProfileFixed, texts(b.sample.Contexts), b.sample.EvidenceTexts, textual.LevenshteinSimilarity), ""), nil
}

func (b *evaluation) textPrecision(context.Context) (Score, error) {
	return b.evidenceByText(formula.ContextPrecisionByText)
}

func (b *evaluation) textRecall(context.Context) (Score, error) {
	return b.evidenceByText(formula.ContextRecallByText)
}

// retrievalScores computes the metrics that need no judge: where the evidence spans lie in the retrieved chunks. Since
// evidence is a place in a document and not a chunk, they compare configurations of any chunk size.
func retrievalScores(s Sample) map[string]Score {
	out := map[string]Score{}
	s.Evidence = slices.DeleteFunc(slices.Clone(s.Evidence), func(e rag.Span) bool { return e.Start >= e.End }) // holds no character
	covered, total := coveredChars(s.Evidence, s.Contexts)
	if total == 0 {
		for _, id := range idsOf("retrieval") {
			out[id] = notApplicable("no_evidence")
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
	out["hit"] = scored(textual.Truth(rank > 0), "")
	out["mrr"] = scored(rank, "")
	out["span_coverage"] = scored(float64(covered)/float64(total), counts)
	out["fully_covered"] = scored(textual.Truth(covered == total), counts)
	out["ndcg"] = scored(ndcg(s.Evidence, s.Contexts), "")
	return out
}

// CountsEvidence reports whether the reason of a metric's score is two counts of characters of the evidence, those found and all.
func CountsEvidence(metric string) bool {
	return metric == "span_coverage" || metric == "fully_covered"
}

// coveredChars counts the evidence's characters and how many of them lie inside the chunks, each place once.
func coveredChars(evidence []rag.Span, chunks []rag.Hit) (covered, total int) {
	places := make([]rag.Span, len(chunks))
	for i, c := range chunks {
		places[i] = c.Span
	}
	places = union(places)
	for _, e := range union(evidence) {
		total += e.End - e.Start
		for _, p := range places {
			covered += p.Overlap(e)
		}
	}
	return covered, total
}

// union returns the spans sorted, with those that touch merged, so that no two share a character.
func union(spans []rag.Span) []rag.Span {
	sorted := slices.SortedFunc(slices.Values(spans), func(a, b rag.Span) int {
		return cmp.Or(cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.Start, b.Start))
	})
	var out []rag.Span
	for _, s := range sorted {
		if last := len(out) - 1; last >= 0 && out[last].DocID == s.DocID && s.Start <= out[last].End {
			out[last].End = max(out[last].End, s.End)
			continue
		}
		out = append(out, s)
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
