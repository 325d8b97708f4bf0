package compare

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// bulk is two runs of n questions with 12 metrics, five contexts each, about 300 documents in 20 themes. A third of the
// answers and a fifth of the contexts differ. Further baseline replicates of every tenth question follow.
func bulk(b testing.TB, n int, settled bool, replicates int) (baseline, candidate experiments.Evaluation) {
	b.Helper()
	suite, err := metrics.Resolve([]string{"standard"})
	if err != nil {
		b.Fatal(err)
	}
	suite = suite[:12]
	r := stats.NewSplitMix64(1)
	text := strings.Repeat("The fare is refunded in full when the flight is cancelled by the airline. ", 8)
	arm := func(name string) experiments.Evaluation {
		e := experiments.Evaluation{Run: experiments.Run{ID: name, Setup: experiments.Setup{Suite: suite, LowScore: 2, Settled: settled}}}
		for i := range n {
			e.Questions = append(e.Questions, experiments.Question{
				ID: fmt.Sprintf("q%05d", i), Text: fmt.Sprint("question ", i), Tags: []string{fmt.Sprint("theme:", i%20), "hard"},
				Evidence: []experiments.Evidence{{Span: rag.Span{DocID: fmt.Sprint("doc", i%300), Start: 100, End: 200}}},
			})
			for replicate := range 1 + replicates*max(0, 1-i%10) {
				e.Results = append(e.Results, result(r, suite, i, replicate, text))
			}
		}
		return e
	}
	return arm("b"), arm("c")
}

func result(r *stats.SplitMix64, suite []metrics.Spec, i, replicate int, text string) experiments.Result {
	x := experiments.Result{QuestionID: fmt.Sprintf("q%05d", i), Replicate: replicate,
		Answer: &rag.Answer{Generation: rag.Generation{Text: text}}}
	if r.Below(3) == 0 {
		x.Answer.Text += strconv.Itoa(r.Below(1000))
	}
	for k := range 5 {
		h := rag.Hit{Span: rag.Span{DocID: fmt.Sprint("doc", (i+k)%300), Start: 100 * k, End: 100*k + 800}, Text: text}
		if r.Below(25) == 0 {
			h.Start, h.End, h.Text = h.Start+400, h.End+400, h.Text+"."
		}
		x.Answer.Hits = append(x.Answer.Hits, h)
	}
	for _, s := range suite {
		v := s.Min + (s.Max-s.Min)*(1-float64(r.Below(5)*r.Below(2)*r.Below(2))/4)
		x.Scores = append(x.Scores, metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Scored, Value: v})
	}
	return x
}

// BenchmarkCompare is the bar of 10,000 questions by 12 metrics: matching, labels, triage, intervals, slices.
func BenchmarkCompare(b *testing.B) {
	for _, c := range []struct {
		name       string
		settled    bool
		replicates int
	}{{"settled", true, 0}, {"one vote", false, 0}, {"replicates", false, 2}} {
		baseline, candidate := bulk(b, 10_000, c.settled, c.replicates)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := CompareWith(baseline, candidate, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkVerifyPlan(b *testing.B) {
	baseline, candidate := bulk(b, 10_000, false, 2)
	for b.Loop() {
		if _, err := VerifyPlan(baseline, candidate, VerifyOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDiffContexts(b *testing.B) {
	before, after := []rag.Hit{}, []rag.Hit{}
	for k := range 5 {
		before, after = append(before, hit("d", 800*k, 800*k+1000)), append(after, hit("d", 350*k, 350*k+400))
	}
	for b.Loop() {
		DiffContexts(before, after)
	}
}
