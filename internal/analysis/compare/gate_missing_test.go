package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/stats"
)

// lackingArms are generated questions with scores from 1 to 5 on both sides, of which some lack one or both; and what the mean of the gains
// is where each score that only the candidate lacks is the worst one, with how many these are.
func lackingArms(r *rand.Rand, same bool) (arms GateArms, mean float64, worst, unmeasured int) {
	shares := [3]float64{r.Float64() * r.Float64(), r.Float64() * r.Float64(), r.Float64() * r.Float64()} // both, candidate, baseline
	fall, sum, n := r.Float64(), 0.0, 0
	lower := r.IntN(2) == 0
	arms = gateArms(make([]float64, 2+r.IntN(120)), func(_ int, item *judgedItem) {
		item.Before = 1 + 4*r.Float64()
		item.After = min(5, max(1, item.Before-fall*r.Float64()))
		if same {
			item.After = item.Before
		}
		if item.Cluster = ""; r.IntN(2) == 0 {
			item.Cluster = fmt.Sprint(r.IntN(5))
		}
		switch both, lost := r.Float64() < shares[0], r.Float64() < shares[1]; {
		case both:
			item.Before, item.After = math.NaN(), math.NaN()
		case same:
		case lost:
			item.After = math.NaN()
		case r.Float64() < shares[2]:
			item.Before = math.NaN()
		}
		least := 1.0
		if lower {
			least = 5
		}
		switch before, after := math.IsNaN(item.Before), math.IsNaN(item.After); {
		case before:
			unmeasured++
		case after:
			worst, n, sum = worst+1, n+1, sum-math.Abs(item.Before-least)
		case lower:
			n, sum = n+1, sum+item.Before-item.After
		default:
			n, sum = n+1, sum+item.After-item.Before
		}
		if math.IsNaN(item.Before) || math.IsNaN(item.After) {
			item.Label = ""
		}
	})
	arms.Metrics[0].LowerIsBetter = lower
	return arms, sum / float64(n), worst, unmeasured
}

// TestResultsNeverFailAgainstThemselves: whatever they lack, and no fall is claimed anywhere.
func TestResultsNeverFailAgainstThemselves(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		arms, _, _, _ := lackingArms(rand.New(rand.NewPCG(seed, 71)), true)
		got := gated(t, arms, DefaultGateRules())
		if got.Decision == stats.Fail || got.Blocks() || got.Decision == stats.Pass && got.Coverage < .98 {
			t.Errorf("seed %d: %s with a coverage of %v: %q", seed, got.Decision, got.Coverage, got.Reasons)
		}
		for _, c := range got.Checks {
			if c.Name != "not_worse" {
				continue
			}
			if c.Decision == stats.Fail || c.Lacking > 0 || c.WorstCase != nil || strings.Contains(c.Message, " fell") ||
				strings.Contains(c.Message, " rose") || strings.Contains(c.MessageJA, "下がりました") || strings.Contains(c.MessageJA, "上がりました") {
				t.Errorf("seed %d: %+v\n%s\n%s", seed, c, c.Message, c.MessageJA)
			}
		}
	}
}

// TestTheMeanWithTheWorstScoresIsRecomputed: the figure of the sentence is the mean over the questions that the baseline scored, with the
// worst score for each that only the candidate lacks, and the coverage says how many are left out.
func TestTheMeanWithTheWorstScoresIsRecomputed(t *testing.T) {
	t.Parallel()
	told, apart := 0, 0
	for seed := range uint64(800) {
		arms, mean, worst, unmeasured := lackingArms(rand.New(rand.NewPCG(seed, 73)), false)
		got := gated(t, arms, DefaultGateRules())
		c := checkOf(t, got, "not_worse")
		if c.WorstCase != nil {
			told++
			less := (mean < 0) != arms.Metrics[0].LowerIsBetter
			fell := map[bool]string{true: "fell by ", false: "rose by "}[less] + sizeOf(mean)
			ja := map[bool]string{true: "下がりました", false: "上がりました"}[less]
			if math.Abs(*c.WorstCase-mean) > 1e-9 || c.Lacking != worst ||
				!strings.HasPrefix(c.Message, fmt.Sprintf("With the worst value for %d missing score", worst)) ||
				!strings.Contains(c.Message, "the mean of correctness "+fell) ||
				!strings.HasPrefix(c.MessageJA, fmt.Sprintf("候補だけに採点のない%d件を最も悪い値とすると、正確性の平均は%s%s", worst, sizeOf(mean), ja)) {
				t.Errorf("seed %d: mean %v with %d of the worst: %+v\n%s\n%s", seed, mean, worst, c, c.Message, c.MessageJA)
			}
		}
		covered := checkOf(t, got, "coverage")
		said := fmt.Sprintf("採点のないもののうち%d件は比較の基準に採点がなく", unmeasured)
		if apart += min(1, unmeasured); strings.Contains(covered.MessageJA, said) != (unmeasured > 0) ||
			strings.Contains(covered.Message, fmt.Sprintf(". %d of the missing score", unmeasured)) != (unmeasured > 0) {
			t.Errorf("seed %d: %d without a score in the baseline: %s\n%s", seed, unmeasured, covered.Message, covered.MessageJA)
		}
	}
	if told < 100 || apart < 100 {
		t.Errorf("told %d times, with %d that lack a score in the baseline", told, apart)
	}
}

// TestOneCopyOfAFileNeverFails: a table with any share of its scores missing, against a copy of itself.
func TestOneCopyOfAFileNeverFails(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 79))
		share, n := r.Float64(), 10+r.IntN(90)
		b, c := filesWithNoise(n, seed)
		for i := range b.Items {
			if r.Float64() < share {
				for k := range b.Items[i].Scores {
					b.Items[i].Scores[k] = nil
				}
			}
		}
		c.Items, c.File = b.Items, "copy.csv"
		compared, err := CompareScores(b, c, FileRules{})
		if err != nil {
			continue // nothing is scored
		}
		if got := gated(t, FileGate(compared), DefaultGateRules()); got.Decision == stats.Fail {
			t.Errorf("seed %d: %s: %q", seed, got.Decision, got.Reasons)
		}
	}
}

// TestTwoQuestionsProveNoOthers: of fewer questions than a mean has an interval of, nothing is said of questions like them, however far and
// however alike they fell.
func TestTwoQuestionsProveNoOthers(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 4; n++ {
		c := checkOf(t, gated(t, gateArms(slices.Repeat([]float64{-4}, n), func(int, *judgedItem) {}), DefaultGateRules()), "not_worse")
		if sure := c.Decision == stats.Fail; sure != (n >= Fewest) || sure != (c.Upper != nil) {
			t.Errorf("%d questions fell by 4: %s, %s", n, c.Decision, c.Message)
		}
	}
}

// TestAFallByExactlyTheLimitIsNeitherLessNorMore: whatever binary fractions make of it, a mean that fell by the limit is not told to have
// fallen by less or by more than that.
func TestAFallByExactlyTheLimitIsNeitherLessNorMore(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]float64{{0.9, 0.85}, {0.85, 0.8}, {0.7, 0.65}, {0.3, 0.25}, {1, 0.95}, {0.15, 0.1}} {
		arms := gateArms(make([]float64, 6), func(_ int, item *judgedItem) { item.Before, item.After = c[0], c[1] })
		arms.Metrics[0].Min, arms.Metrics[0].Max = 0, 1
		rules := DefaultGateRules()
		rules.Margin = 0.05
		if check := checkOf(t, gated(t, arms, rules), "not_worse"); check.Decision != stats.Inconclusive {
			t.Errorf("%v: %s, %s", c, check.Decision, check.Message)
		}
	}
}
