package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestTiesThatNobodyMeasured: where a run was not scored by what tells answers of one grade apart, a comparison says how many questions
// were counted by the grade alone, which run it was, and by what it would have to be scored; else nothing.
func TestTiesThatNobodyMeasured(t *testing.T) {
	t.Parallel()
	measure := metrics.StatementMeasures()[0]
	run := func(id, text string, grade float64, measured bool) experiments.Evaluation {
		e := answered(evaltest.One(t, id, "correctness", grade), text)
		e.Run.Setup.Settled = true
		correctness, _ := metrics.Find("correctness")
		e.Run.Setup.Suite = []metrics.Spec{correctness}
		if measured {
			e.Run.Setup.Suite = append(e.Run.Setup.Suite, measure)
		}
		return e
	}
	for _, c := range []struct {
		name          string
		before, after bool // scored by what tells answers apart
		grade         float64
		text, who, in string
	}{
		{"neither", false, false, 2, "after", "neither run was scored", "どちらの実行でも採点していない"},
		{"only the candidate", false, true, 2, "after", "the baseline was not scored", "比較の基準で採点していない"},
		{"only the baseline", true, false, 2, "after", "the candidate was not scored", "候補で採点していない"},
		{"both", true, true, 2, "after", "", ""},
		{"another grade", false, false, 4, "after", "", ""},
		{"the same answer", false, false, 2, "before", "", ""},
	} {
		got, err := CompareWith(run("b", "before", 2, c.before), run("c", c.text, c.grade, c.after), Options{Facts: factsBy(nil)})
		if err != nil {
			t.Fatal(err)
		}
		said, japanese := "", ""
		for _, w := range got.Warnings {
			if w.Code == WarnByGradeAlone {
				said, japanese = w.Text("en"), w.Text("ja")
			}
		}
		if c.who == "" {
			if said != "" || got.ByGradeAlone != 0 {
				t.Errorf("%s: %d, %s", c.name, got.ByGradeAlone, said)
			}
			continue
		}
		if got.ByGradeAlone != 1 || !strings.Contains(said, "1 question has two answers") || !strings.Contains(said, c.who+" by ") ||
			!strings.Contains(said, strings.ToLower(measure.TitleEN)) || !strings.Contains(japanese, c.in) ||
			!strings.Contains(japanese, measure.TitleJA) {
			t.Errorf("%s: %d, %q, %q", c.name, got.ByGradeAlone, said, japanese)
		}
	}
}

// TestGradesAloneAreCountedFromVotes: over generated runs with one vote or several, and with scores missing, the sentence counts every
// question whose answers differ and whose grades are alike, as whoever looks at both finds them; and all of them but those it excepts
// are decided otherwise once statements are known that differ.
func TestGradesAloneAreCountedFromVotes(t *testing.T) {
	t.Parallel()
	votesDecide, some := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		settled, most, n := seed%4 == 0, 1+int(seed%3)*2, 4+int(seed%5)*4
		var both [2]experiments.Evaluation
		for arm := range both {
			both[arm] = withVotes(t, r, []string{"b", "c"}[arm], n, most)
			both[arm].Run.Setup.Settled = settled
		}
		want := 0
		for i := range n {
			if alike(both, fmt.Sprint("q", i+1)) {
				want++
			}
		}
		for arm := range both {
			both[arm].Run.Setup.Suite = both[arm].Run.Setup.Suite[:1] // nothing sets statements against each other
		}
		got, err := CompareWith(both[0], both[1], Options{Facts: factsBy(nil)})
		if err != nil {
			continue // no score in common
		}
		if got.ByGradeAlone != want {
			t.Fatalf("seed %d: %d counted, %d are there", seed, got.ByGradeAlone, want)
		}
		excepted := 0
		for _, w := range got.Warnings {
			if w.Code != WarnByGradeAlone {
				continue
			}
			excepted = w.Params["votes"].(int)
			if en, ja := w.Text("en"), w.Text("ja"); !strings.HasPrefix(en, fmt.Sprint(want, " question")) ||
				!strings.Contains(ja, fmt.Sprint("質問が", want, "問あり")) ||
				(excepted > 0) != strings.Contains(en, "epeated votes") || (excepted > 0) != strings.Contains(ja, "繰り返しの判定") ||
				excepted > 0 && excepted < want && !strings.Contains(en, fmt.Sprint("; ", excepted, " of them would stay")) {
				t.Errorf("seed %d: %d of %d: %s / %s", seed, excepted, want, en, ja)
			}
		}
		beside := got.WarningsBeside() // no sentence tells where votes decide all
		stands := slices.ContainsFunc(beside, func(n Note) bool { return n.Code == WarnByGradeAlone })
		if stands != (want > 0 && excepted == want) || len(got.Warnings)-len(beside) > 1 ||
			(len(beside) < len(got.Warnings)) != (excepted < want) {
			t.Errorf("seed %d: %d of %d: beside the sentences stand %v", seed, excepted, want, beside)
		}
		known := func(arm Arm, _ *experiments.Result) (AnswerFacts, bool) { // the candidate's answers say more
			return AnswerFacts{Key: 3, Covered: map[Arm]int{BaselineArm: 1, CandidateArm: 2}[arm], Matched: true}, true
		}
		told, err := CompareWith(both[0], both[1], Options{Facts: known})
		if err != nil || told.TieBreaks != want-excepted || told.ByGradeAlone != 0 {
			t.Errorf("seed %d: facts decide %d, expected %d of %d: %v", seed, told.TieBreaks, want-excepted, want, err)
		}
		votesDecide, some = votesDecide+excepted, some+want
	}
	if votesDecide == 0 || some < 2*votesDecide {
		t.Errorf("%d of %d decided by votes: the runs show too little", votesDecide, some)
	}
}

// withVotes is a run of n questions with up to so many votes on each, of which some have no score or no answer.
func withVotes(t *testing.T, r *rand.Rand, id string, n, most int) experiments.Evaluation {
	rows, ids := evaltest.Table{}, []string{}
	for i := range n {
		ids = append(ids, fmt.Sprint("q", i+1))
		rows[ids[i]] = map[string]float64{"correctness": 3}
	}
	e := evaltest.Evaluation(t, id, rows, ids...)
	first := e.Results
	e.Results = nil
	for replicate := range most {
		for i := range first {
			if replicate > 0 && r.IntN(4) == 0 {
				continue
			}
			result := first[i]
			result.Replicate = replicate
			result.Answer = &rag.Answer{Generation: rag.Generation{Text: fmt.Sprint("answer ", i, r.IntN(3))}}
			score := metrics.Score{Metric: "correctness", Version: first[i].Scores[0].Version, State: metrics.Scored,
				Value: float64(2 + r.IntN(2))}
			if r.IntN(6) == 0 {
				score = metrics.Score{Metric: "correctness", Version: score.Version, State: metrics.Errored, Reason: "timeout"}
			}
			result.Scores = []metrics.Score{score}
			e.Results = append(e.Results, result)
		}
	}
	return e
}

// alike reports what whoever looks at a question of two runs sees: two answers that differ, and one mean grade.
func alike(both [2]experiments.Evaluation, id string) bool {
	var texts [2]string
	var sums, votes [2]int
	for arm, e := range both {
		for i := range e.Results {
			if e.Results[i].QuestionID != id {
				continue
			}
			if texts[arm] == "" {
				texts[arm] = e.Results[i].Answer.Text
			}
			if v, ok := e.Results[i].Value("correctness"); ok {
				sums[arm], votes[arm] = sums[arm]+int(v), votes[arm]+1
			}
		}
	}
	return texts[0] != texts[1] && votes[0] > 0 && votes[1] > 0 && sums[0]*votes[1] == sums[1]*votes[0]
}
