package compare

import (
	stdcmp "cmp"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/stats"
)

func TestScreenKeepsTheFront(t *testing.T) {
	t.Parallel()
	ways := []Screened{
		{Name: "beaten", Coverage: 0.5, NDCG: 0.5, Tokens: 300},
		{Name: "small", Coverage: 0.4, NDCG: 0.4, Tokens: 50},
		{Name: "best", Coverage: 0.9, NDCG: 0.6, Tokens: 400},
		{Name: "order", Coverage: 0.6, NDCG: 0.8, Tokens: 200},
		{Name: "empty", Coverage: 0, NDCG: 0, Tokens: 10},
	}
	for most, want := range map[int][]string{1: {"best"}, 2: {"best", "order"}, 99: {"small", "best", "order", "empty"}} {
		got, err := Screen(ways, most)
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for _, w := range got {
			if w.Kept {
				kept = append(kept, w.Name)
			}
			if w.Front == (w.Name == "beaten") {
				t.Errorf("%s: on the front %v", w.Name, w.Front)
			}
		}
		if diff := cmp.Diff(want, kept); diff != "" {
			t.Errorf("at most %d: %s", most, diff)
		}
	}
	many := make([]Screened, 20)
	for i := range many {
		many[i] = Screened{Coverage: float64(i), Tokens: float64(i)}
	}
	got, err := Screen(many, 20)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, w := range got {
		if w.Kept {
			n++
		}
	}
	if n != MostScreened {
		t.Errorf("kept %d of 20 on the front, at most %d", n, MostScreened)
	}
	if _, err := Screen([]Screened{{Coverage: math.NaN()}}, 1); err == nil {
		t.Error("a coverage that is no number passes")
	}
}

// swept are the runs of a sweep over two parameters, with these scores of correctness by configuration and question.
func swept(t *testing.T, scores [][]float64) []experiments.Evaluation {
	t.Helper()
	var out []experiments.Evaluation
	for i, row := range scores {
		rows := evaltest.Table{}
		for q, v := range row {
			if !math.IsNaN(v) {
				rows["q"+string(rune('1'+q))] = map[string]float64{"correctness": v}
				continue
			}
			rows["q"+string(rune('1'+q))] = map[string]float64{}
		}
		e := evaltest.Evaluation(t, "run"+string(rune('0'+i)), rows)
		e.Run.Params = []experiments.Param{{Name: "retrieve.k", Value: 1 + i/2}, {Name: "rewrite", Value: []string{"none", "expand"}[i%2]},
			{Name: "rerank", Value: "none"}}
		out = append(out, e)
	}
	return out
}

func TestMainEffectsOf(t *testing.T) {
	t.Parallel()
	all := swept(t, [][]float64{{1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, math.NaN()}, {4, 5, 5, 5}})
	got := MainEffectsOf(all, "correctness")
	// By hand, over the three questions that all scored: the means of the runs are 2, 3, 4 and 14/3.
	k1, k2, none, expand := 2.5, (4+14./3)/2, 3., (3+14./3)/2
	want := []LevelEffect{
		{Param: "retrieve.k", Value: "1", Runs: 2, Mean: k1, Effect: (k1 - k2) / 2},
		{Param: "retrieve.k", Value: "2", Runs: 2, Mean: k2, Effect: (k2 - k1) / 2},
		{Param: "rewrite", Value: "none", Runs: 2, Mean: none, Effect: (none - expand) / 2},
		{Param: "rewrite", Value: "expand", Runs: 2, Mean: expand, Effect: (expand - none) / 2},
	}
	if got.N != 3 || got.Note != "" || len(got.Levels) != 4 {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		g := got.Levels[i]
		if g.CI95 == nil || !(g.CI95[0] <= g.Effect && g.Effect <= g.CI95[1]) {
			t.Errorf("%s=%s: interval %v of %v", g.Param, g.Value, g.CI95, g.Effect)
		}
		g.CI95 = nil
		if diff := cmp.Diff(w, g, near()); diff != "" {
			t.Errorf("%s", diff)
		}
	}
	if few := MainEffectsOf(all[1:3], "correctness"); len(few.Levels) != 0 || few.Note == "" {
		t.Errorf("two runs that differ in both parameters: %+v", few)
	}
	if nothing := MainEffectsOf(all, "faithfulness"); len(nothing.Levels) != 0 || nothing.Note == "" {
		t.Errorf("a metric that nothing scored: %+v", nothing)
	}
}

func near() cmp.Option {
	return cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
}

func TestWinnerScores(t *testing.T) {
	t.Parallel()
	all := swept(t, [][]float64{{1, 2, 3, 4}, {5, 4, 5, 5}, {3, 4, 5, 2}})
	fresh := swept(t, [][]float64{{4, 4, 5, 1}})[0].Results
	got := WinnerScores(all, 1, fresh)
	if len(got) != 2 || got[0].Metric != GoodAnswers || got[1].Metric != "correctness" {
		t.Fatalf("%+v", got)
	}
	c := got[1]
	if c.Selection != 4.75 || c.Fresh == nil || *c.Fresh != 3.5 || c.FreshN != 4 || c.N != 4 {
		t.Errorf("%+v", c)
	}
	w, err := stats.ShrunkWinner([][]float64{{1, 2, 3, 4}, {5, 4, 5, 5}, {3, 4, 5, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if c.Shrunk != w.Shrunk || !(c.Shrunk < c.Selection) {
		t.Errorf("shrunk to %v, not %v", c.Shrunk, w.Shrunk)
	}
	if good := got[0]; good.Selection != 1 || *good.Fresh != 0.75 {
		t.Errorf("good answers %+v", good)
	}
	if alone := WinnerScores(all[:1], 0, nil); alone[1].Shrunk != alone[1].Selection || alone[1].Fresh != nil {
		t.Errorf("one configuration alone: %+v", alone[1])
	}
}

func TestParetoOf(t *testing.T) {
	t.Parallel()
	all := swept(t, [][]float64{{5, 5, 5, 5}, {5, 5, 4, 5}, {1, 2, 1, 2}, {1, 1, 1, 1}})
	points := []ParetoPoint{{Tokens: 10}, {Tokens: 20}, {Tokens: 15}, {Tokens: 5}}
	got, err := ParetoOf(all, "correctness", points)
	if err != nil {
		t.Fatal(err)
	}
	want := []ParetoStanding{OnFront, Tied, Dominated, OnFront}
	for i, p := range got {
		if p.Standing != want[i] {
			t.Errorf("point %d is %s, not %s", i, p.Standing, want[i])
		}
	}
	cheap, dear := 1.0, 9.0
	points[0].Micros, points[1].Micros, points[2].Micros, points[3].Micros = &dear, &cheap, &cheap, &dear
	if got, err = ParetoOf(all, "correctness", points); err != nil || got[1].Standing != OnFront {
		t.Errorf("money does not count before the size of contexts: %+v, %v", got, err)
	}
}

// A sweepWorld has 36 configurations of four parameters whose effects add up, with noise of their own, and a judge that errs
// in 10%.
type sweepWorld struct {
	effect   [36]float64
	question []float64
	own      [36][]float64 // what a configuration is on one question, beyond its effect
}

func drawSweep(r *stats.SplitMix64, questions int) sweepWorld {
	levels, sd := []int{2, 3, 2, 3}, []float64{0.48, 0.42, 0.18, 0.48}
	var effects [4][]float64
	for f, n := range levels {
		for range n {
			effects[f] = append(effects[f], sd[f]*stats.NormalDraw(r))
		}
	}
	w := sweepWorld{}
	for c := range w.effect {
		at := c
		for f, n := range levels {
			w.effect[c] += effects[f][at%n]
			at /= n
		}
		w.effect[c] += 0.2 * stats.NormalDraw(r)
	}
	for range questions {
		w.question = append(w.question, 1.3+1.6*stats.NormalDraw(r))
	}
	for c := range w.own {
		for range questions {
			w.own[c] = append(w.own[c], 0.7*stats.NormalDraw(r))
		}
	}
	return w
}

func (w sweepWorld) chance(c, q int) float64 {
	return 1 / (1 + math.Exp(-(w.effect[c] + w.question[q] + w.own[c][q])))
}

func (w sweepWorld) vote(r *stats.SplitMix64, c, q int) float64 {
	good := r.Float64() < w.chance(c, q)
	if (r.Float64() < 0.10) != good {
		return 1
	}
	return 0
}

// seen is the chance that a vote on a configuration is good, over new questions.
func (w sweepWorld) seen(c int) float64 {
	sum := 0.0
	for q := range w.question {
		sum += 0.1 + 0.8*w.chance(c, q)
	}
	return sum / float64(len(w.question))
}

// race plays successive halving on 150 questions and returns the winner, the score that selected it and the shrunk score.
func (w sweepWorld) race(t *testing.T, r *stats.SplitMix64, plan []stats.Rung) (winner int, selection, shrunk, fresh float64) {
	t.Helper()
	votes := make([][]float64, 36)
	alive := make([]int, 36)
	for c := range alive {
		alive[c] = c
	}
	for i, rung := range plan {
		means := make([]float64, len(alive))
		for k, c := range alive {
			for len(votes[c]) < rung.Items {
				votes[c] = append(votes[c], w.vote(r, c, len(votes[c])))
			}
			means[k] = stats.Mean(votes[c])
		}
		keep := 1
		if i < len(plan)-1 {
			keep = plan[i+1].Candidates
		}
		if i == len(plan)-1 {
			var last [][]float64
			for _, c := range alive {
				last = append(last, votes[c])
			}
			s, err := stats.ShrunkWinner(last)
			if err != nil {
				t.Fatal(err)
			}
			selection, shrunk = s.Raw, s.Shrunk
		}
		var next []int
		for _, k := range survivors(means, keep) {
			next = append(next, alive[k])
		}
		alive = next
	}
	winner = alive[0]
	for q := range plan[len(plan)-1].Items {
		fresh += w.vote(r, winner, q)
	}
	return winner, selection, shrunk, fresh / float64(plan[len(plan)-1].Items)
}

// survivors are the places of the k best means, ascending; on a tie the earlier one stays.
func survivors(means []float64, k int) []int {
	places := make([]int, len(means))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return stdcmp.Compare(means[b], means[a]) })
	return slices.Sorted(slices.Values(places[:k]))
}

// sweepAcceptance holds successive halving against its design: at most 1500 of 5400 evaluations, regret 0.026, optimism of
// the selection score 0.038, and none of the fresh score. more widens the bounds where worlds are few.
func sweepAcceptance(t *testing.T, worlds int, more float64) {
	t.Helper()
	const questions, others = 150, 1500
	plan, err := stats.HalvingSchedule(36, questions, 3)
	if err != nil {
		t.Fatal(err)
	}
	if n := stats.Evaluations(plan); n > 1500 {
		t.Errorf("%d evaluations, at most 1500", n)
	}
	regret, optimism, afterShrinking, afresh := 0.0, 0.0, 0.0, 0.0
	for i := range worlds {
		r := stats.RunStream(77, i)
		w := drawSweep(r, questions+others)
		best := 0.0
		for c := range 36 {
			best = max(best, w.seen(c))
		}
		winner, selection, shrunk, fresh := w.race(t, r, plan)
		truth := w.seen(winner)
		regret, optimism = regret+(best-truth)/0.8, optimism+selection-truth
		afterShrinking, afresh = afterShrinking+shrunk-truth, afresh+fresh-truth
	}
	n := float64(worlds)
	t.Logf("%d worlds: %d evaluations, regret %.3f (0.026), optimism of the selection score %+.3f (+0.038), shrunk %+.3f, fresh %+.3f (0)",
		worlds, stats.Evaluations(plan), regret/n, optimism/n, afterShrinking/n, afresh/n)
	if regret/n > 0.026+0.008*more {
		t.Errorf("regret %.3f, designed 0.026", regret/n)
	}
	if optimism/n < 0.01/more {
		t.Errorf("the selection score is off by %+.3f: nothing was selected", optimism/n)
	}
	if math.Abs(afresh/n) > 0.005*more {
		t.Errorf("the fresh score is off by %+.3f", afresh/n)
	}
	if math.Abs(afterShrinking/n) > math.Abs(optimism/n) {
		t.Errorf("shrinking makes it worse: %+.3f for %+.3f", afterShrinking/n, optimism/n)
	}
}

func TestHalvingMeetsTheDesign(t *testing.T) {
	t.Parallel()
	sweepAcceptance(t, 40, 3)
}

// TestStandingsAgree: nothing is called beaten that the heat map does not tell from the best, nothing that is called tied is worse and
// dearer than something that is called beaten, and what equals another in quality is beaten by none for its price alone.
func TestStandingsAgree(t *testing.T) {
	t.Parallel()
	random := stats.NewSplitMix64(5)
	tied, beaten := 0, 0
	for range 300 {
		n := 3 + int(random.Uint64()%5)
		table, points := make([][]float64, n), make([][]float64, n)
		for i := range table {
			level := random.Uint64() % 10
			for range 12 {
				v := 0.0
				if random.Uint64()%10 < level {
					v = 1
				}
				table[i] = append(table[i], v)
			}
			points[i] = []float64{stats.Mean(table[i]), float64(random.Uint64() % 4), 0}
		}
		apart := apartBy(table, make([]experiments.Question, 12))
		surely := surelyBeaten(points, apart)
		best := 0
		for i := range points {
			if points[i][0] > points[best][0] {
				best = i
			}
		}
		for i := range points {
			if surely[i] {
				if !apart(i, best) {
					t.Fatalf("%v is called beaten, and the heat map does not tell it from the best, %v", points[i], points[best])
				}
				beaten++
				continue
			}
			for j := range points {
				if beats(points[j], points[i]) {
					tied++
					if surely[j] {
						t.Fatalf("%v is tied, and worse and dearer than %v, which is beaten", points[i], points[j])
					}
				}
			}
		}
	}
	if tied == 0 || beaten == 0 {
		t.Fatal(tied, beaten)
	}
	same := [][]float64{{1, 0, 1, 0}, {1, 0, 1, 0}}
	if got := surelyBeaten([][]float64{{.5, 1, 0}, {.5, 2, 0}}, apartBy(same, make([]experiments.Question, 4))); got[1] {
		t.Error("equal answers that cost more are called worse")
	}
}
