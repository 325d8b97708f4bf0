package compare

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/stats"
)

// neededSaid finds how many documents or themes a check says are needed, in either language.
var neededSaid = [2]*regexp.Regexp{
	regexp.MustCompile(`If nothing changed, about (\d+) (documents|themes) with questions like these are needed`),
	regexp.MustCompile(`変化がない場合でも、合格と判定するには、同じような質問のある(文書|テーマ)が約(\d+)個必要です`),
}

// clusteredGains are the gains of questions in so many clusters, which move together, and the cluster of each.
func clusteredGains(r *rand.Rand, clusters int) (gains []float64, of []string) {
	spread := .2 + r.Float64()
	for c := range clusters {
		common := spread * r.NormFloat64()
		for range 2 + r.IntN(12) {
			gains, of = append(gains, common+spread*r.NormFloat64()*r.Float64()), append(of, fmt.Sprint(c))
		}
	}
	return gains, of
}

func clusteredCheck(t *testing.T, gains []float64, of []string, themed bool) GateCheck {
	t.Helper()
	rules := DefaultGateRules()
	rules.Margin = .05
	arms := gateArms(gains, func(i int, item *judgedItem) { item.Cluster = of[i] })
	arms.Metrics[0].Themed = themed
	return checkOf(t, gated(t, arms, rules), "not_worse")
}

// repeated are lists so many times in a row.
func repeated[T any](list []T, times int) (out []T) {
	for range times {
		out = append(out, list...)
	}
	return out
}

// TestWhatIsSaidToBeNeededIsEnough: where bounds are over documents or themes, so many of these pass if nothing changed, and however often
// the questions of the same ones are repeated neither decides more nor is said to. Of very few no number is told.
func TestWhatIsSaidToBeNeededIsEnough(t *testing.T) {
	t.Parallel()
	told, unknown := 0, 0
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 83))
		clusters, themed := 2+r.IntN(30), r.IntN(2) == 0
		gains, of := clusteredGains(r, clusters)
		gains = moved(gains, 0)
		c := clusteredCheck(t, gains, of, themed)
		unit := map[bool]string{false: "documents", true: "themes"}[themed]
		if by := fmt.Sprintf("Chance is reckoned over %d %s", clusters, unit); strings.Count(c.Message, by) != 1 {
			t.Fatalf("seed %d: %q is not said: %s", seed, by, c.Message)
		}
		if strings.Contains(c.Message, "questions of this kind would be enough") || strings.Contains(c.MessageJA, "問あれば合格") {
			t.Errorf("seed %d: more questions are said to be enough: %s\n%s", seed, c.Message, c.MessageJA)
		}
		if c.Decision == stats.Pass {
			continue
		}
		en, ja := neededSaid[0].FindStringSubmatch(c.Message), neededSaid[1].FindStringSubmatch(c.MessageJA)
		if clusters < fewestClusters {
			unknown++
			if en != nil || ja != nil || !strings.Contains(c.Message, "how many cannot be said from "+strconv.Itoa(clusters)) {
				t.Errorf("seed %d: %d %s: %s\n%s", seed, clusters, unit, c.Message, c.MessageJA)
			}
			continue
		}
		if en == nil || ja == nil || en[1] != ja[2] || en[2] != unit {
			t.Fatalf("seed %d: %q %q\n%s\n%s", seed, en, ja, c.Message, c.MessageJA)
		}
		told++
		need, _ := strconv.Atoi(en[1])
		same := clusteredCheck(t, repeated(gains, 6), repeated(of, 6), themed)
		if again := neededSaid[0].FindStringSubmatch(same.Message); same.Decision == stats.Pass || again == nil || again[1] != en[1] {
			t.Errorf("seed %d: the same %s six times: %s: %s\nonce: %s", seed, unit, same.Decision, same.Message, c.Message)
		}
		times := (need + clusters - 1) / clusters
		var more []string
		for k := range times {
			for _, name := range of {
				more = append(more, fmt.Sprint(k, "-", name))
			}
		}
		if d := clusteredCheck(t, repeated(gains, times), more, themed); d.Decision != stats.Pass {
			t.Errorf("seed %d: %d %s are not enough: %s", seed, times*clusters, unit, d.Message)
		}
	}
	if told < 30 || unknown < 5 {
		t.Errorf("told %d times, unknown %d times", told, unknown)
	}
}

// TestNextStepsAskForWhatHelps: more documents or themes where bounds are over these, and more questions where they are over questions.
func TestNextStepsAskForWhatHelps(t *testing.T) {
	t.Parallel()
	for want, themed := range map[string]bool{"questions about more documents": false, "questions of more themes": true} {
		gains, of := clusteredGains(rand.New(rand.NewPCG(3, 89)), 8)
		for i := range gains {
			gains[i] *= 3
		}
		arms := gateArms(moved(gains, 0), func(i int, item *judgedItem) { item.Cluster = of[i] })
		arms.Metrics[0].Themed = themed
		got := gated(t, arms, DefaultGateRules())
		if !slices.ContainsFunc(got.Said, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("%q is not said: %s %q", want, got.Decision, got.Said)
		}
	}
	got := gated(t, gateArms(around(20, 0), nil), DefaultGateRules())
	if !slices.ContainsFunc(got.Said, func(s string) bool { return strings.Contains(s, "more questions of this kind") }) {
		t.Errorf("%q", got.Said)
	}
}
