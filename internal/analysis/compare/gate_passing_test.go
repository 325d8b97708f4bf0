package compare

import (
	"cmp"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/stats"
)

// passing finds the change of the mean that a check says would pass, in either language: which way, whether at most or at least, how much.
var passing = [2]*regexp.Regexp{
	regexp.MustCompile(`With this much variation, (?:a|only a|no) measured (fall|rise)(?: of (up to|at least) ([0-9.]+))? would pass`),
	regexp.MustCompile(`ばらつきが今回と同じなら、.*?(低下|上昇)(?:が([0-9.]+)(以内|以上の場合だけ)|がない場合だけ)`),
}

// moved are gains moved so that their mean is this.
func moved(gains []float64, mean float64) []float64 {
	by, out := mean-stats.Mean(gains), make([]float64, len(gains))
	for i, g := range gains {
		out[i] = g + by
	}
	return out
}

// TestTheChangeThatIsSaidToPassDoes: whatever the limit, however much changes vary and whichever way is better, answers whose mean changed
// as a check says that it should have pass it, and those that changed a little less do not; where no such change is told, none passes.
func TestTheChangeThatIsSaidToPassDoes(t *testing.T) {
	t.Parallel()
	told, never := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 31))
		gains := make([]float64, 2+r.IntN(60))
		mean, spread := -1.2*r.Float64(), 1.5*r.Float64()*r.Float64()
		for i := range gains {
			gains[i] = mean + spread*r.NormFloat64()
		}
		rules := DefaultGateRules()
		rules.Margin = []float64{0, 0, 0.01, 0.04, 0.2}[r.IntN(5)]
		lower := r.IntN(2) == 0
		check := func(gains []float64) GateCheck {
			arms := gateArms(gains, func(_ int, item *judgedItem) {
				if lower {
					item.Before, item.After = -item.Before, -item.After
				}
			})
			if lower {
				arms.Metrics[0].LowerIsBetter, arms.Metrics[0].Min, arms.Metrics[0].Max = true, -5, -1
			}
			return checkOf(t, gated(t, arms, rules), "not_worse")
		}
		c := check(gains)
		found := passing[0].FindStringSubmatch(c.Message)
		if c.Decision == stats.Pass {
			if found != nil {
				t.Errorf("seed %d: it passes, and is told when it would: %s", seed, c.Message)
			}
			continue
		}
		if found == nil {
			best := check(moved(gains, 1)) // all were 4 of 5
			if never++; !strings.Contains(c.Message, "no change of the mean would have passed") || best.Decision == stats.Pass {
				t.Errorf("seed %d: nothing is said to pass: %s", seed, c.Message)
			}
			continue
		}
		told++
		from, err := strconv.ParseFloat(cmp.Or(found[3], "0"), 64)
		ja := passing[1].FindStringSubmatch(c.MessageJA)
		if err != nil || ja == nil || (ja[1] == "低下") != (found[1] == "fall") || ja[2] != found[3] ||
			(ja[3] == "以内") != (found[2] == "up to") || (from == 0) != (found[3] == "") {
			t.Fatalf("seed %d: %v: %q\n%s\n%s", seed, err, ja, c.Message, c.MessageJA)
		}
		loss := (found[1] == "fall") != lower
		if loss != (found[2] != "at least") || strings.Contains(c.Message, "(less than "+LimitWords(-*c.Bound)) != (found[2] == "up to") ||
			found[2] == "up to" && from >= -*c.Bound {
			t.Errorf("seed %d: %s", seed, c.Message)
		}
		if loss {
			from = -from
		}
		unit := math.Pow10(int(math.Floor(math.Log10(-*c.Bound))) - 1) // of its second digit
		if is := check(moved(gains, from)); is.Decision != stats.Pass {
			t.Errorf("seed %d: %g does not pass: %s\n%s", seed, from, c.Message, is.Message)
		}
		if is := check(moved(gains, from-1.01*unit)); is.Decision == stats.Pass {
			t.Errorf("seed %d: less than %g passes too: %s\n%s", seed, from, c.Message, is.Message)
		}
	}
	if told < 200 || never < 3 {
		t.Errorf("%d figures were tried, and none %d times", told, never)
	}
}

// TestARaisedLimitPassesAsOftenAsItSays: of candidates as good as the baseline whose answers vary so much that the limit is raised, fewer
// than 80 of 100 keep to the preset one, about 80 to the raised one, and fewer than that where it goes no further.
func TestARaisedLimitPassesAsOftenAsItSays(t *testing.T) {
	t.Parallel()
	const n, times = 40, 2000
	m := GateMetric{Min: 1, Max: 5}
	for _, c := range []struct {
		sd     float64
		origin string
		often  float64 // at the limit
	}{{.6, "gate.limit_seen", .8}, {.9, "gate.limit_seen", .8}, {1.5, "gate.limit_most", .5}} {
		r := rand.New(rand.NewPCG(uint64(c.sd*100), 8))
		rules, width := DefaultGateRules(), m.Max-m.Min
		known := Bounded{n: n, se: c.sd / math.Sqrt(n)}
		share, origin := known.margin(rules, width)
		usual, raised := 0.0, 0.0
		for range times {
			gains, places := make([]float64, n), make([]int, n)
			for i := range gains {
				gains[i], places[i] = c.sd*r.NormFloat64(), i
			}
			m.Items = make([]GateItem, n)
			b, _ := m.Bounds(gains, places, rules.Alpha)
			if b.Decide(UsualMargin*width) == stats.Pass {
				usual += 1.0 / times
			}
			if b.Decide(share*width) == stats.Pass {
				raised += 1.0 / times
			}
		}
		if origin != c.origin || usual >= .78 || math.Abs(raised-c.often) > .04 {
			t.Errorf("changes that vary by %g: %s, %.3f pass at the preset limit, %.3f at the raised one", c.sd, origin, usual, raised)
		}
	}
}
