package findings

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/stats"
)

// TestATimeIsToldWhereItWasMeasured: of recorded answers the time is that of their system, where the record holds it for both; how long
// it took to read the record is told of none.
func TestATimeIsToldWhereItWasMeasured(t *testing.T) {
	t.Parallel()
	told := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 103))
		sides := [2]experiments.Evaluation{scored("a", false, map[string][]float64{"correctness": repeated(3, 4)}),
			scored("b", false, map[string][]float64{"correctness": repeated(3, 4)})}
		var logs [2]bool
		took := [2][]int64{}
		for i := range sides {
			if logs[i] = r.IntN(3) > 0; logs[i] {
				sides[i].Run.Setup.Config.Log = &rag.LogRef{}
			} else {
				sides[i].Run.Setup.Config.Endpoint = &remote.Endpoint{Name: "bot"}
			}
			measured := r.IntN(2) == 0
			for k := range sides[i].Results {
				sides[i].Results[k].LatencyMS = int64(1 + r.IntN(9000))
				of := sides[i].Results[k].LatencyMS
				if sides[i].Results[k].Answer == nil {
					sides[i].Results[k].Answer = &rag.Answer{}
				}
				if logs[i] {
					of = 0
					if measured {
						of = int64(1 + r.IntN(9000))
						sides[i].Results[k].Answer.Measured = &rag.Measured{LatencyMS: of}
					}
				}
				took[i] = append(took[i], of)
			}
		}
		f := of(t, sides[0], sides[1])
		var sums [2]float64
		n := 0
		for k := range took[0] {
			if took[0][k] > 0 && took[1][k] > 0 {
				n, sums[0], sums[1] = n+1, sums[0]+float64(took[0][k]), sums[1]+float64(took[1][k])
			}
		}
		want := say("effort.latency_unknown")
		if n > 0 {
			told++
			before, after := stats.Pair(sums[0]/float64(n)/1000, sums[1]/float64(n)/1000, 1)
			want = say("effort.latency", "before", before, "after", after)
		}
		if !slices.Contains(f.Effort, want) {
			t.Errorf("seed %d: logs %v: %+v, want %+v", seed, logs, f.Effort, want)
		}
	}
	if told < 10 || told > 50 {
		t.Errorf("told %d of 60 times", told)
	}
}

// TestReviewsOfWhatNoJudgeScoredSaySo: nothing is called too few for a judge that does not exist.
func TestReviewsOfWhatNoJudgeScoredSaySo(t *testing.T) {
	t.Parallel()
	for _, judged := range []bool{false, true} {
		for n := 1; n < 5; n++ {
			e := scored("a", false, map[string][]float64{"correctness": repeated(3, 6), "trust": repeated(3, 6)})
			var reviews []experiments.Review
			for i := range e.Results {
				if !judged {
					for k := range e.Results[i].Scores {
						e.Results[i].Scores[k].State = metrics.NotApplicable
					}
				}
				if i < n {
					reviews = append(reviews, experiments.Review{QuestionID: e.Results[i].QuestionID, Reviewer: "me",
						Verdict: experiments.CorrectAnswer,
						Shown:   experiments.ShownDigest(e.Questions[i], e.Results[i])})
				}
			}
			figures := progress.FiguresOf(e, reviews)
			got := Of(Input{Candidate: e, Reviews: &figures}).People.Text.Code
			if (got == "people.unscored") == judged || got == "people.unreviewed" {
				t.Errorf("judged %v, %d reviews: %s", judged, n, got)
			}
		}
	}
}
