package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// shareOf is the check of the share of worse answers of two runs.
func shareOf(t *testing.T, both [2]experiments.Evaluation, facts FactsReader, allowance float64) (GateCheck, VerdictCounts) {
	t.Helper()
	c, err := CompareWith(both[0], both[1], Options{Facts: facts})
	if err != nil {
		t.Fatal(err)
	}
	rules := DefaultGateRules()
	rules.Allowance = allowance
	return checkOf(t, gated(t, RunGate(c, both[0], both[1], rules), rules), "share_worse"), c.VerdictCounts
}

// scoredOnce are two runs with one score for each answer, of which about this share differ, and what is known of their answers.
func scoredOnce(t *testing.T, r *rand.Rand, n int, differ float64) (both [2]experiments.Evaluation, facts FactsReader) {
	rows, ids := [2]evaltest.Table{{}, {}}, []string{}
	known := [2]map[string]AnswerFacts{{}, {}}
	for i := range n {
		id := fmt.Sprint("q", i+1)
		ids = append(ids, id)
		row := map[string]float64{"correctness": float64(1 + r.IntN(5)), "trust": float64(1 + r.IntN(5))}
		rows[0][id], rows[1][id] = row, row
		if r.Float64() < differ {
			rows[1][id] = map[string]float64{"correctness": float64(1 + r.IntN(5)), "trust": float64(1 + r.IntN(5))}
		}
		for arm := range known {
			refused := r.IntN(3) == 0
			known[arm][id] = AnswerFacts{Key: 3, Covered: r.IntN(4), Contradicted: r.IntN(2), Refused: &refused, Matched: r.IntN(2) == 0}
		}
	}
	for arm := range both {
		both[arm] = evaltest.Evaluation(t, []string{"b", "c"}[arm], rows[arm], ids...)
		for i := range both[arm].Results {
			both[arm].Results[i].Answer = &rag.Answer{Generation: rag.Generation{Text: fmt.Sprint("answer ", i, r.IntN(2))}}
		}
	}
	return both, func(arm Arm, result *experiments.Result) (AnswerFacts, bool) {
		f, ok := known[map[Arm]int{BaselineArm: 0, CandidateArm: 1}[arm]][result.QuestionID]
		return f, ok
	}
}

// TestAShareOfWorseAnswersPassesOnlyWhereItCouldHaveFailed: of one score for each answer nothing is confirmed, so the same scores are gated
// once more as if each of them were final. What fails then must not pass before: it cannot be told.
func TestAShareOfWorseAnswersPassesOnlyWhereItCouldHaveFailed(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 67))
		n := 4 + r.IntN(60)
		both, facts := scoredOnce(t, r, n, []float64{0, .05, .2, .8}[r.IntN(4)])
		allowance := []float64{0, .02, .1, .3, 1}[r.IntN(5)]
		final, counts := shareOf(t, both, facts, allowance)
		both[0].Run.Setup.Settled = false
		once, unsure := shareOf(t, both, facts, allowance)
		seen[string(final.Decision+" "+once.Decision)]++
		most := MostWorse(n, allowance)
		switch {
		case unsure.Worse != 0 || once.Decision == stats.Fail:
			t.Fatalf("seed %d: one score confirmed something: %+v", seed, once)
		case once.Decision == stats.Pass && counts.Worse > most:
			t.Errorf("seed %d: %d of %d answers would be worse if these scores were final, %d may be: %s", seed, counts.Worse, n, most,
				once.Message)
		case (once.Decision == stats.Inconclusive) != (once.Open > most) || once.Open < counts.Worse:
			t.Errorf("seed %d: %d open, %d worse if final, %d may be: %s", seed, once.Open, counts.Worse, most, once.Decision)
		case final.Open != 0:
			t.Errorf("seed %d: final scores leave %d open", seed, final.Open)
		}
		open := once.Decision == stats.Inconclusive
		if strings.Contains(once.Message, others(once.Open)) != open ||
			strings.Contains(once.MessageJA, fmt.Sprint("。", once.Open, "件は悪化の可能性")) != open {
			t.Errorf("seed %d: %s\n%s", seed, once.Message, once.MessageJA)
		}
	}
	for _, both := range []string{"FAIL INCONCLUSIVE", "PASS INCONCLUSIVE", "PASS PASS"} {
		if seen[both] < 10 {
			t.Errorf("%s only %d times: the runs show too little", both, seen[both])
		}
	}
}

// TestVotesOfEveryShapeCanFail: whatever number of votes the questions have, the check does not pass where all answers fell as far as they
// can; it fails where enough votes are there, and else cannot tell. Where all questions have enough votes it always tells.
func TestVotesOfEveryShapeCanFail(t *testing.T) {
	t.Parallel()
	seen := map[stats.Decision]int{}
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 68))
		n, most := 12+r.IntN(30), 1+r.IntN(5)
		shape := make([][2]int, n)
		least, alike := 9, r.IntN(2) == 0
		for i := range shape {
			shape[i] = [2]int{1 + r.IntN(most), 1 + r.IntN(most)}
			if alike {
				shape[i] = [2]int{most, most}
			}
			least = min(least, shape[i][0], shape[i][1])
		}
		fallen, _ := shareOf(t, ofShape(t, shape, func(arm int) float64 { return []float64{5, 1}[arm] }), nil, .02)
		want := stats.Inconclusive
		if least >= 3 {
			want = stats.Fail
		}
		if fallen.Decision == stats.Pass || alike && fallen.Decision != want {
			t.Errorf("seed %d: votes %v, all fell: %s: %s", seed, shape, fallen.Decision, fallen.Message)
		}
		any, _ := shareOf(t, ofShape(t, shape, func(int) float64 { return float64(1 + r.IntN(5)) }), nil, .02)
		if least >= 3 && any.Decision == stats.Inconclusive {
			t.Errorf("seed %d: votes %v: %s", seed, shape, any.Message)
		}
		seen[fallen.Decision]++
	}
	if seen[stats.Fail] < 10 || seen[stats.Inconclusive] < 10 {
		t.Errorf("the shapes show too little: %v", seen)
	}
}

// ofShape are two runs with so many votes on each question in either, that are not settled by one of them.
func ofShape(t *testing.T, shape [][2]int, vote func(arm int) float64) (both [2]experiments.Evaluation) {
	for arm := range both {
		rows, ids := evaltest.Table{}, []string{}
		for i := range shape {
			ids = append(ids, fmt.Sprint("q", i+1))
			rows[ids[i]] = map[string]float64{"correctness": 3}
		}
		e := evaltest.Evaluation(t, []string{"b", "c"}[arm], rows, ids...)
		e.Run.Setup.Settled = false
		first, asked := e.Results, e.Questions
		e.Results, e.Questions = nil, nil
		for i := range first {
			for replicate := range shape[i][arm] {
				one := first[i]
				one.Replicate, one.Scores = replicate, slices.Clone(one.Scores)
				for k := range one.Scores {
					if one.Scores[k].Metric == "correctness" {
						one.Scores[k].Value = vote(arm)
					}
				}
				e.Results, e.Questions = append(e.Results, one), append(e.Questions, asked[i])
			}
		}
		both[arm] = e
	}
	return both
}

// TestFilesWithOneScorePassOnlyWhereTheyCouldHaveFailed: as of runs, against the same files read as final.
func TestFilesWithOneScorePassOnlyWhereTheyCouldHaveFailed(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 69))
		n, differ := 4+r.IntN(60), []float64{.05, .2, .8}[r.IntN(3)]
		var rows [2][]scoreRow
		for i := range n {
			a, b := float64(1+r.IntN(5)), float64(1+r.IntN(5))
			rows[0] = append(rows[0], row(fmt.Sprint("q", i), one1(a), one1(b)))
			if r.Float64() < differ {
				a, b = float64(1+r.IntN(5)), float64(1+r.IntN(5))
			}
			rows[1] = append(rows[1], row(fmt.Sprint("q", i), one1(a), one1(b)))
		}
		rules := DefaultGateRules()
		rules.Allowance = []float64{0, .02, .1, .3}[r.IntN(4)]
		var checks [2]GateCheck
		for k, deterministic := range []bool{true, false} {
			c := comparedFiles(t, scores("b", []string{"correctness", "trust"}, rows[0]...),
				scores("c", []string{"correctness", "trust"}, rows[1]...), FileRules{Deterministic: deterministic})
			checks[k] = checkOf(t, gated(t, FileGate(c), rules), "share_worse")
		}
		seen[string(checks[0].Decision+" "+checks[1].Decision)]++
		if checks[1].Decision == stats.Fail || checks[0].Decision == stats.Fail && checks[1].Decision == stats.Pass {
			t.Errorf("seed %d: final %s, else %s: %s", seed, checks[0].Decision, checks[1].Decision, checks[1].Message)
		}
	}
	if seen["FAIL INCONCLUSIVE"] < 10 || seen["PASS PASS"] < 10 {
		t.Errorf("the files show too little: %v", seen)
	}
}

// TestVerifyingClosesTheShare: of a judge that often says something else a run is gated before and after checking what is in doubt. Before,
// nothing can be told; afterwards it always can, and what nobody broke passes.
func TestVerifyingClosesTheShare(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(16) {
		broken := 12 * int(seed%2)
		w := newWorld(t, 9000+seed, 153, broken, 0.10)
		both := [2]experiments.Evaluation{w.run(0), w.run(1)}
		before, _ := shareOf(t, both, nil, .02)
		w.verify(t, &both[0], &both[1], VerifyOptions{Options: Options{Seed: seed}})
		for arm := range both {
			both[arm].Questions = nil
			for _, r := range both[arm].Results {
				both[arm].Questions = append(both[arm].Questions, experiments.Question{ID: r.QuestionID, Text: r.QuestionID})
			}
		}
		after, _ := shareOf(t, both, nil, .02)
		seen[fmt.Sprint(broken, " ", before.Decision, " ", after.Decision)]++
	}
	if fmt.Sprint(seen) != "map[0 INCONCLUSIVE PASS:8 12 INCONCLUSIVE FAIL:8]" {
		t.Errorf("%v", seen)
	}
}

// TestACriticalAnswerThatRoseIsNoDoubt: of one score for each answer, a critical question keeps the gate open wherever it would be worse if
// the scores were final, and never by a score that rose and nothing else.
func TestACriticalAnswerThatRoseIsNoDoubt(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 72))
		both, facts := scoredOnce(t, r, 6, .5)
		for arm := range both {
			both[arm].Questions[0].Critical = true
		}
		decided := map[bool]stats.Decision{}
		for _, settled := range []bool{true, false} {
			both[0].Run.Setup.Settled = settled
			c, err := CompareWith(both[0], both[1], Options{Facts: facts})
			if err != nil {
				t.Fatal(err)
			}
			g := gated(t, RunGate(c, both[0], both[1], DefaultGateRules()), DefaultGateRules())
			decided[settled] = checkOf(t, g, "critical").Decision
			v, _ := c.Verdict("q1")
			if d := decided[settled]; !settled && v.Verdict == NeedsCheck && v.Open == 0 && v.Decider().Gain > 0 && d != stats.Pass {
				t.Errorf("seed %d: it scored higher and cannot be worse: %s", seed, d)
			}
		}
		seen[string(decided[true]+" "+decided[false])]++
		if decided[true] == stats.Fail && decided[false] != stats.Inconclusive {
			t.Errorf("seed %d: final scores fail, and one score says %s", seed, decided[false])
		}
	}
	if seen["FAIL INCONCLUSIVE"] < 10 || seen["PASS PASS"] < 10 {
		t.Errorf("the runs show too little: %v", seen)
	}
}

// others is what a gate says of so many answers that could be worse where none is confirmed, so that there are none that they are others
// than.
func others(n int) string {
	if n == 1 {
		return ". 1 answer could be worse but has too few scores to confirm that"
	}
	return fmt.Sprintf(". %d answers could be worse but have too few scores to confirm that", n)
}
