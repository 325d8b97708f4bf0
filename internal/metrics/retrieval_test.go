package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/rag"
)

func span(doc string, start, end int) rag.Span { return rag.Span{DocID: doc, Start: start, End: end} }

func chunks(spans ...rag.Span) []rag.Hit {
	hits := make([]rag.Hit, len(spans))
	for i, s := range spans {
		hits[i] = rag.Hit{Span: s}
	}
	return hits
}

func TestRetrievalByHand(t *testing.T) {
	t.Parallel()
	log3 := math.Log2(3)
	one, two := []rag.Span{span("a", 100, 200)}, []rag.Span{span("a", 100, 200), span("b", 0, 50)}
	cases := []struct {
		name                            string
		evidence                        []rag.Span
		chunks                          []rag.Hit
		hit, mrr, coverage, fully, ndcg float64
	}{
		{"found first", one, chunks(span("a", 0, 300), span("b", 0, 50)), 1, 1, 1, 1, 1},
		{"found second", one, chunks(span("b", 0, 300), span("a", 0, 300)), 1, 0.5, 1, 1, 1 / log3},
		{"found third", one, chunks(span("b", 0, 9), span("a", 0, 100), span("a", 100, 200)), 1, 1.0 / 3, 1, 1, 0.5},
		{"not found", one, chunks(span("b", 100, 200), span("a", 200, 300)), 0, 0, 0, 0, 0},
		{"nothing retrieved", one, nil, 0, 0, 0, 0, 0},
		{"half", one, chunks(span("a", 0, 150)), 1, 1, 0.5, 0, 0.5},
		{"two halves", one, chunks(span("a", 0, 150), span("a", 150, 300)), 1, 1, 1, 1, 0.5 + 0.5/log3},
		{"overlapping chunks add only what is new", one, chunks(span("a", 100, 180), span("a", 120, 200)), 1, 1, 1, 1, 0.8 + 0.2/log3},
		{"the same chunk twice", one, chunks(span("a", 0, 150), span("a", 0, 150)), 1, 1, 0.5, 0, 0.5},
		{"one of two spans", two, chunks(span("b", 0, 50), span("c", 0, 9)), 1, 1, 1.0 / 3, 0, 0.5 / (0.5 + 0.5/log3)},
		{"both spans", two, chunks(span("b", 0, 90), span("a", 0, 200)), 1, 1, 1, 1, 1},
		{"both spans in one chunk beat the ideal", []rag.Span{span("a", 0, 10), span("a", 20, 30)}, chunks(span("a", 0, 30)),
			1, 1, 1, 1, 1},
		{"one character missing", one, chunks(span("a", 101, 200)), 1, 1, 0.99, 0, 0.99},
		{
			"overlapping evidence counts each place once",
			[]rag.Span{span("a", 0, 10), span("a", 5, 15)},
			chunks(span("a", 0, 10)), 1, 1, 10.0 / 15, 0,
			0.75 / (0.5 + 0.5/log3),
		},
		{"an empty span is no evidence", []rag.Span{span("a", 5, 5), span("a", 100, 200)}, chunks(span("a", 0, 300)), 1, 1, 1, 1, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			judge := judgeOf(nil, pairs())
			scores := scoresOf(t, judge, Sample{Evidence: c.evidence, Contexts: c.chunks}, "retrieval")
			for metric, want := range map[string]float64{"hit": c.hit, "mrr": c.mrr, "span_coverage": c.coverage, "fully_covered": c.fully,
				"ndcg": c.ndcg} {
				wantValue(t, scores, metric, want)
			}
			if judge.count("") > 0 {
				t.Error("the judge was asked")
			}
		})
	}
}

func TestSpanCoverageVector(t *testing.T) {
	t.Parallel()
	found := false
	for _, v := range vectorGroup[struct {
		Input struct {
			Spans  [][3]int
			Chunks [][3]int
		}
		Expected struct {
			Covered  []bool
			Coverage []float64 `json:"coverage_fraction"`
		}
	}](t, "retrieval") {
		var hits []rag.Hit
		for _, c := range v.Input.Chunks {
			hits = append(hits, rag.Hit{Span: span(strconv.Itoa(c[0]), c[1], c[2])})
		}
		for i, s := range v.Input.Spans {
			found = true
			scores := retrievalScores(Sample{Evidence: []rag.Span{span(strconv.Itoa(s[0]), s[1], s[2])}, Contexts: hits})
			wantValue(t, scores, "span_coverage", v.Expected.Coverage[i])
			wantValue(t, scores, "fully_covered", textual.Truth(v.Expected.Covered[i]))
		}
	}
	if !found {
		t.Fatal("the vectors hold no span")
	}
}

func TestNoEvidence(t *testing.T) {
	t.Parallel()
	for name, evidence := range map[string][]rag.Span{"nil": nil, "empty": {}, "only empty spans": {span("a", 3, 3), span("b", 9, 2)}} {
		scores := retrievalScores(Sample{Evidence: evidence, Contexts: chunks(span("a", 0, 100))})
		for _, id := range idsOf("retrieval") {
			if s := scores[id]; s.State != NotApplicable || s.Reason != "no_evidence" {
				t.Errorf("%s evidence: %s is %+v", name, id, s)
			}
		}
	}
}

// TestRetrievalProperties holds for any evidence and any chunks: the counts agree with counting characters one by one, all
// values are in [0, 1], and one more chunk lowers nothing.
func TestRetrievalProperties(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []rag.Span {
		var out []rag.Span
		for range n {
			start := r.IntN(40)
			out = append(out, span(fmt.Sprint("d", r.IntN(3)), start, start+r.IntN(15)))
		}
		return out
	}
	for range 300 {
		evidence := random(1 + r.IntN(4))
		evidence[0].End++ // never all empty
		hits := chunks(random(r.IntN(6))...)
		covered, total := coveredChars(evidence, hits)
		wantCovered, wantTotal := countedOneByOne(evidence, hits)
		if covered != wantCovered || total != wantTotal {
			t.Fatalf("evidence %v, chunks %v: %d/%d, want %d/%d", evidence, hits, covered, total, wantCovered, wantTotal)
		}
		before := retrievalScores(Sample{Evidence: evidence, Contexts: hits})
		after := retrievalScores(Sample{Evidence: evidence, Contexts: append(hits, chunks(random(1)...)...)})
		for id, s := range before {
			if s.State != Scored || !(s.Value >= 0 && s.Value <= 1) {
				t.Fatalf("evidence %v, chunks %v: %s is %+v", evidence, hits, id, s)
			}
			if after[id].Value < s.Value-1e-12 {
				t.Fatalf("evidence %v, chunks %v: one more chunk lowers %s from %g to %g", evidence, hits, id, s.Value, after[id].Value)
			}
		}
	}
}

func countedOneByOne(evidence []rag.Span, hits []rag.Hit) (covered, total int) {
	for _, doc := range []string{"d0", "d1", "d2"} {
		for i := range 100 {
			at := span(doc, i, i+1)
			wanted, got := false, false
			for _, e := range evidence {
				wanted = wanted || e.Overlap(at) > 0
			}
			for _, h := range hits {
				got = got || h.Overlap(at) > 0
			}
			if wanted {
				total++
			}
			if wanted && got {
				covered++
			}
		}
	}
	return covered, total
}
