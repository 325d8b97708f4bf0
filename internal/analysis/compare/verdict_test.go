package compare

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// verdictTable is the table of the specification, row by row, for guards that are settled: the first metric, the guard in its words,
// and the word that people read.
var verdictTable = []struct {
	first, guard string
	want         Label
}{
	{"fell", "any but left the low zone", Worse},
	{"fell", "left the low zone", Mixed},
	{"rose", "any but became low", Better},
	{"rose", "became low", Mixed},
	{"level", "became low", Worse},
	{"level", "left the low zone", Better},
	{"level", "one side", NoChange},
	{"unsettled", "any", NeedsCheck},
}

// TestEveryVerdict settles every combination of movements and zones. A combination belongs to exactly one row of the table; a guard that
// is not settled is every settled guard that it could be, and the verdict is open exactly where these disagree.
func TestEveryVerdict(t *testing.T) {
	t.Parallel()
	moves, zones := []Movement{Absent, Fell, Rose, Level, Unsettled}, []Crossing{StayedGood, StayedLow, BecameLow, LeftLow}
	settled := func(first, guard Movement, at Crossing) Label {
		words := "one side"
		switch {
		case guard == Fell && at == BecameLow:
			words = "became low"
		case guard == Rose && at == LeftLow:
			words = "left the low zone"
		}
		var found []Label
		for _, row := range verdictTable {
			fits := row.guard == words || row.guard == "any" || row.guard == "any but left the low zone" && words != "left the low zone" ||
				row.guard == "any but became low" && words != "became low"
			if row.first == string(first) && fits {
				found = append(found, row.want)
			}
		}
		if len(found) != 1 {
			t.Fatalf("%s, guard %s %s: the table has %v", first, guard, at, found)
		}
		return found[0]
	}
	n := 0
	for _, first := range moves {
		for _, guard := range moves {
			for _, at := range zones {
				n++
				want := NoChange
				switch {
				case first == Absent && guard == Absent:
				case first == Absent: // the guard decides alone
					want = settled(guard, Absent, at)
				case guard == Unsettled:
					could := map[Label]bool{settled(first, Level, at): true}
					if at == BecameLow {
						could[settled(first, Fell, at)] = true
					}
					if at == LeftLow {
						could[settled(first, Rose, at)] = true
					}
					want = NeedsCheck
					for only := range could {
						if len(could) == 1 {
							want = only
						}
					}
				default:
					want = settled(first, guard, at)
				}
				if got := Settle(first, guard, at); got != want {
					t.Errorf("%q, guard %q %s: %s, want %s", first, guard, at, got, want)
				}
				mirror := map[Movement]Movement{Fell: Rose, Rose: Fell, Level: Level, Unsettled: Unsettled, Absent: Absent}
				turned := map[Crossing]Crossing{BecameLow: LeftLow, LeftLow: BecameLow, StayedGood: StayedGood, StayedLow: StayedLow}
				back := map[Label]Label{Worse: Better, Better: Worse, Mixed: Mixed, NeedsCheck: NeedsCheck, NoChange: NoChange}
				if got := Settle(mirror[first], mirror[guard], turned[at]); got != back[Settle(first, guard, at)] {
					t.Errorf("%q, guard %q %s: the other way round it is %s", first, guard, at, got)
				}
			}
		}
	}
	if n != 100 {
		t.Errorf("%d combinations", n)
	}
}

// anyRun draws a run over n questions with grades of correctness and trust; a question may lack one of them.
func anyRun(t *testing.T, r *rand.Rand, id string, n int) experiments.Evaluation {
	rows := evaltest.Table{}
	for i := range n {
		row := map[string]float64{}
		if r.IntN(8) > 0 {
			row["correctness"] = float64(1 + r.IntN(5))
		}
		if r.IntN(8) > 0 {
			row["trust"] = float64(1 + r.IntN(5))
		}
		rows[fmt.Sprint("q", i+1)] = row
	}
	e := evaltest.Evaluation(t, id, rows)
	for i := range e.Questions {
		e.Questions[i].Critical = i%7 == 0
	}
	e.Run.Setup.Settled = r.IntN(4) > 0
	return e
}

// TestVerdictProperties: equal runs have no change; the other way round worse and better change places and mixed stays; every question
// is counted once; the list is sorted by severity.
func TestVerdictProperties(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 18))
		a, b := anyRun(t, r, "a", 40), anyRun(t, r, "b", 40)
		same := compared(t, a, a)
		if n := same.VerdictCounts; n.NoChange != n.Compared() || len(same.Verdicts) > 0 || len(same.Triage) > 0 {
			t.Fatalf("seed %d: a run against itself: %+v, %d verdicts", seed, n, len(same.Verdicts))
		}
		there, back := compared(t, a, b), compared(t, b, a)
		n, m := there.VerdictCounts, back.VerdictCounts
		if want := (VerdictCounts{Worse: m.Better, Mixed: m.Mixed, NeedsCheck: m.NeedsCheck, NoChange: m.NoChange,
			Better: m.Worse}); n != want {
			t.Fatalf("seed %d: %+v, and %+v the other way round", seed, n, m)
		}
		if n.Compared()+len(there.Undecided) != there.Matched {
			t.Fatalf("seed %d: %d of %d matched have a verdict, %d are undecided", seed, n.Compared(), there.Matched, len(there.Undecided))
		}
		var listed VerdictCounts
		for _, v := range there.Verdicts {
			listed.Add(v.Verdict)
			if turned, _ := back.Verdict(v.QuestionID); v.Verdict == Mixed && (turned.Verdict != Mixed || v.Remark == nil) {
				t.Errorf("seed %d: %s is mixed and %s the other way round", seed, v.QuestionID, turned.Verdict)
			}
		}
		if listed.NoChange = n.NoChange; listed != n {
			t.Errorf("seed %d: counted %+v, listed %+v", seed, n, listed)
		}
		if !slices.IsSortedFunc(there.Verdicts, func(x, y QuestionVerdict) int { return Severity(&x, &y) }) {
			t.Errorf("seed %d: not sorted", seed)
		}
	}
}

// TestSeverityIsAStrictOrder over every combination of what it looks at: no two questions are equal, none stands before itself, and the
// order is transitive.
func TestSeverityIsAStrictOrder(t *testing.T) {
	t.Parallel()
	var all []QuestionVerdict
	for _, word := range Labels() {
		for _, gain := range []float64{-0.75, -0.25, 0, 0.5} {
			for i := range 8 {
				v := QuestionVerdict{QuestionID: fmt.Sprint("q", len(all)), Verdict: word, Critical: i&1 > 0,
					First: Deciding{Gain: gain, Movement: Level}}
				if gain < 0 {
					v.First.Movement = Fell
				}
				if i&2 > 0 {
					v.First.Crossing = BecameLow
				}
				if i&4 > 0 {
					v.Guard = &Deciding{Movement: Fell, Crossing: BecameLow}
				}
				all = append(all, v)
			}
		}
	}
	sign := func(a, b int) int { return max(-1, min(1, Severity(&all[a], &all[b]))) }
	for i := range all {
		for j := range all {
			if sign(i, j) != -sign(j, i) || (sign(i, j) == 0) != (i == j) {
				t.Fatalf("%d and %d: %d and %d", i, j, sign(i, j), sign(j, i))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		i, j, k := r.IntN(len(all)), r.IntN(len(all)), r.IntN(len(all))
		if sign(i, j) < 0 && sign(j, k) < 0 && sign(i, k) >= 0 {
			t.Fatalf("%d before %d before %d, but not before it", i, j, k)
		}
	}
}

// TestCriticalNeverStandsAboveWorse: a critical question is a mark on its row.
func TestCriticalNeverStandsAboveWorse(t *testing.T) {
	t.Parallel()
	was := evaltest.Table{"q1": {"correctness": 5, "trust": 5}, "q2": {"correctness": 5, "trust": 5}, "q3": {"correctness": 1, "trust": 5},
		"q4": {"correctness": 4, "trust": 5}}
	is := evaltest.Table{"q1": {"correctness": 4, "trust": 5}, "q2": {"correctness": 1, "trust": 5}, "q3": {"correctness": 5, "trust": 4},
		"q4": {"correctness": 4, "trust": 1}}
	candidate := evaltest.Evaluation(t, "c", is)
	candidate.Questions[0].Critical, candidate.Questions[2].Critical = true, true
	c := compared(t, evaltest.Evaluation(t, "b", was), candidate)
	var got []string
	for _, v := range c.Verdicts {
		got = append(got, v.QuestionID+" "+string(v.Verdict))
	}
	if diff := cmp.Diff([]string{"q2 worse", "q1 worse", "q4 worse", "q3 better"}, got); diff != "" || c.CriticalWorse != 1 {
		t.Errorf("%d critical worse (-want +got):\n%s", c.CriticalWorse, diff)
	}
	if v, _ := c.Verdict("q3"); v.Transition != "wrong → right" || v.TransitionWord("ja") != "誤り → 正しい" {
		t.Errorf("q3 went %s", v.Transition)
	}
	if v, _ := c.Verdict("q4"); v.Decider().Metric != "trust" || v.Remark.Text("en") != "as correct as before, less grounded" {
		t.Errorf("q4 is decided by %+v: %v", v.Decider(), v.Remark)
	}
}

// TestMixedAloneNeverFailsTheGate: whatever two runs say, where no question is worse and no mean fell but by mixed questions, the gate
// does not fail; and it says how many are mixed.
func TestMixedAloneNeverFailsTheGate(t *testing.T) {
	t.Parallel()
	was, is := evaltest.Table{}, evaltest.Table{}
	for i := range 60 {
		q := fmt.Sprint("q", i+1)
		was[q], is[q] = map[string]float64{"correctness": 2, "trust": 5}, map[string]float64{"correctness": 5, "trust": 1}
		if i%2 > 0 {
			is[q] = map[string]float64{"correctness": 2, "trust": 5}
		}
	}
	b, c := evaltest.Evaluation(t, "b", was), evaltest.Evaluation(t, "c", is)
	comparison := compared(t, b, c)
	if comparison.VerdictCounts != (VerdictCounts{Mixed: 30, NoChange: 30}) {
		t.Fatalf("%+v", comparison.VerdictCounts)
	}
	r := gated(t, RunGate(comparison, b, c, DefaultGateRules()), DefaultGateRules())
	if r.Decision != stats.Pass || r.Counts.Mixed != 30 || !strings.Contains(checkOf(t, r, "share_worse").Message, "30 are mixed") {
		t.Errorf("%s: %v", r.Decision, r.Reasons)
	}
	rules := DefaultGateRules()
	rules.Thresholds = []Threshold{{"trust", ">=", 4}}
	if r := gated(t, RunGate(comparison, b, c, rules), rules); r.Decision != stats.Fail {
		t.Errorf("trust is below what the person asked for, and the gate says %s", r.Decision)
	}
}

// TestDecideBy: what decides is what the setup froze, else the usual metrics of the suite; a guard decides alone where the first metric
// has no score.
func TestDecideBy(t *testing.T) {
	t.Parallel()
	spec := func(ids ...string) (suite []metrics.Spec) {
		for _, id := range ids {
			s := metrics.Spec{ID: id, Group: "answer"}
			if strings.Contains(id, ".") {
				s.Group = metrics.GroupImported
			}
			suite = append(suite, s)
		}
		return suite
	}
	for _, c := range []struct{ suite, want []string }{
		{[]string{"trust", "faithfulness", "correctness"}, []string{"correctness", "trust"}},
		{[]string{"faithfulness", "correctness"}, []string{"correctness", "faithfulness"}},
		{[]string{"faithfulness", "trust"}, []string{"trust"}},
		{[]string{"hit", "faithfulness"}, []string{"faithfulness"}},
		{[]string{"hit", "mrr"}, []string{"hit"}},
		{[]string{"correctness", "trust", "ragas.faithfulness", "ragas.context_recall", "ragas.answer_correctness"},
			[]string{"ragas.answer_correctness", "ragas.faithfulness", "ragas.context_recall"}},
		{[]string{"ragas.factual_correctness", "ragas.answer_correctness", "ragas.faithfulness"},
			[]string{"ragas.answer_correctness", "ragas.faithfulness", "ragas.factual_correctness"}},
	} {
		if diff := cmp.Diff(c.want, experiments.UsualDecideBy(spec(c.suite...))); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.suite, diff)
		}
	}
	was := evaltest.Table{"q1": {"correctness": 4, "trust": 5}, "q2": {"trust": 5}, "q3": {"correctness": 5}, "q4": {"faithfulness": 1}}
	is := evaltest.Table{"q1": {"correctness": 5, "trust": 1}, "q2": {"trust": 3}, "q3": {"correctness": 4}, "q4": {"faithfulness": 0}}
	c := compared(t, evaltest.Evaluation(t, "b", was), evaltest.Evaluation(t, "c", is))
	if c.VerdictCounts != (VerdictCounts{Mixed: 1, Worse: 2}) || !slices.Equal(c.Undecided, []string{"q4"}) {
		t.Errorf("usual: %+v, undecided %v", c.VerdictCounts, c.Undecided)
	}
	frozen := evaltest.Evaluation(t, "c", is)
	frozen.Run.Setup.DecideBy = []string{"trust", "faithfulness"}
	c = compared(t, evaltest.Evaluation(t, "b", was), frozen)
	if c.VerdictCounts != (VerdictCounts{Worse: 3}) || !slices.Equal(c.Method.Gates, []string{"trust", "faithfulness"}) {
		t.Errorf("frozen: %+v by %v", c.VerdictCounts, c.Method.Gates)
	}
}

// TestDecideByLeavesOldSetupsAlone: a setup without a choice has the bytes that it had before there was one.
func TestDecideByLeavesOldSetupsAlone(t *testing.T) {
	t.Parallel()
	setup := evaltest.Evaluation(t, "b", evaltest.Table{"q1": {"correctness": 4}}).Run.Setup
	body, err := json.Marshal(setup)
	if err != nil || strings.Contains(string(body), "decide_by") {
		t.Errorf("%v: %s", err, body)
	}
	if got := experiments.FrozenDecideBy(setup.Suite, []string{"correctness", "trust"}); got != nil {
		t.Errorf("the usual choice is frozen as %v", got)
	}
	if got := experiments.FrozenDecideBy(setup.Suite, []string{"trust"}); !slices.Equal(got, []string{"trust"}) {
		t.Errorf("another choice is frozen as %v", got)
	}
}

// factsBy are the facts of the answers of two runs by their texts.
func factsBy(facts map[string]AnswerFacts) FactsReader {
	return func(_ Arm, r *experiments.Result) (AnswerFacts, bool) {
		f, ok := facts[r.Answer.Text]
		return f, ok
	}
}

// TestTies: answers of equal grade are looked at together, by what they hold of the right answer, by refusals, and by a comparison in
// both orders; where these say nothing there is no change.
func TestTies(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	full, part := AnswerFacts{Refused: &no, Key: 3, Covered: 3, Matched: true}, AnswerFacts{Refused: &no, Key: 3, Covered: 1, Matched: true}
	against := AnswerFacts{Refused: &no, Key: 3, Covered: 1, Contradicted: 1, Matched: true}
	torn := AnswerFacts{Refused: &no, Key: 3, Covered: 2, Contradicted: 2, Matched: true}
	nothing, silent := AnswerFacts{Refused: &no, Key: 3, Matched: true}, AnswerFacts{Refused: &yes, Key: 3, Matched: true}
	untrue := AnswerFacts{Refused: &no, Key: 3, Contradicted: 1, Matched: true}
	holding := AnswerFacts{Refused: &no, Key: 3, Supported: 1, Contradicted: 1, Matched: true}
	cases := []struct {
		name          string
		before, after AnswerFacts
		prefer        Movement
		want          Label
		by            TieBreak
	}{
		{"fewer key facts", full, part, Level, Worse, ByKeyFacts},
		{"more key facts", part, full, Level, Better, ByKeyFacts},
		{"one contradiction more", part, against, Level, Worse, ByKeyFacts},
		{"more of both", part, torn, Level, NoChange, ""},
		{"more of both, compared in both orders", part, torn, Rose, Better, ByBothOrders},
		{"an honest refusal went", silent, nothing, Level, Worse, ByRefusal},
		{"giving up gains nothing", nothing, silent, Level, NoChange, ""},
		{"a false answer went for a refusal", untrue, silent, Level, Better, ByRefusal},
		{"a refusal in place of a fact that is not a key one", holding, silent, Level, Worse, ByKeyFacts},
		{"such a fact in place of a refusal", silent, holding, Level, Better, ByKeyFacts},
		{"a fact gained beside a contradiction", silent, torn, Level, Better, ByKeyFacts},
		{"a fact lost with a contradiction", torn, silent, Level, Worse, ByKeyFacts},
		{"equal", part, part, Level, NoChange, ""},
	}
	for _, c := range cases {
		baseline, candidate := answered(evaltest.One(t, "b", "correctness", 2), "before"), answered(evaltest.One(t, "c",
			"correctness", 2), "after")
		o := Options{
			Facts: factsBy(map[string]AnswerFacts{"before": c.before, "after": c.after}),
			Preferences: func(experiments.Question, *experiments.Result, *experiments.Result) (Movement, bool) {
				return c.prefer, true
			},
		}
		for _, settled := range []bool{true, false} {
			baseline.Run.Setup.Settled = settled
			got, err := CompareWith(baseline, candidate, o)
			if err != nil {
				t.Fatal(err)
			}
			v, _ := got.Verdict("q1")
			want := c.want
			if !settled && want != NoChange && c.by != ByBothOrders {
				want = NeedsCheck
			}
			if got.VerdictCounts.Of(want) != 1 || v.ByTie != c.by || (c.by != "" || v.Transition != "") != (v.Remark != nil) ||
				got.TieBreaks != map[bool]int{true: 1}[c.by != ""] {
				t.Errorf("%s, settled %t: %+v by %q, remark %v", c.name, settled, got.VerdictCounts, v.ByTie, v.Remark)
			}
		}
	}
	// A gate names what broke the tie, never the grades that are equal.
	baseline, candidate := answered(evaltest.One(t, "b", "correctness", 2), "before"), answered(evaltest.One(t, "c",
		"correctness", 2), "after")
	baseline.Run.Setup.Settled, candidate.Questions[0].Critical = true, true
	got, err := CompareWith(baseline, candidate, Options{Facts: factsBy(map[string]AnswerFacts{"before": torn, "after": silent})})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Gate(RunGate(got, baseline, candidate, DefaultGateRules()), DefaultGateRules())
	if err != nil || len(r.Worse) != 1 || r.Worse[0].ByTie != ByKeyFacts || r.Worse[0].Remark == nil {
		t.Fatalf("%+v, %v", r.Worse, err)
	}
	critical := checkOf(t, r, "critical")
	for lang, said := range map[string]string{"en": "correctness ties: ", "ja": "正確性は同点："} {
		if want := said + r.Worse[0].Remark.Text(lang); !strings.Contains(r.Worse[0].Decided(lang), want) ||
			!strings.Contains(critical.Text(lang), want) {
			t.Errorf("%q is not in %q and %q", want, r.Worse[0].Decided(lang), critical.Text(lang))
		}
	}
	risen := r.Worse[0] // facts also overrule grades, which then do not tie
	risen.Candidate++
	if en, ja := risen.Decided("en"), risen.Decided("ja"); !strings.HasPrefix(en, "correctness 2 → 3: ") ||
		!strings.HasPrefix(ja, "正確性 2 → 3：") {
		t.Errorf("%q, %q", en, ja)
	}
	same, again := answered(evaltest.One(t, "b", "correctness", 4), "It is **so**. [1]", hit("d", 0, 9)),
		answered(evaltest.One(t, "c", "correctness", 4), "It is so. [2]", hit("d", 20, 29))
	got, err = CompareWith(same, again, Options{Facts: func(Arm, *experiments.Result) (AnswerFacts, bool) {
		t.Error("the facts of an answer that is the same up to its form were asked for")
		return AnswerFacts{}, false
	}})
	if err != nil || got.VerdictCounts.NoChange != 1 {
		t.Errorf("%v %+v", err, got.VerdictCounts)
	}
}

// TestRefusalsAndWrongAnswers: between a refusal and a wrong answer the facts of the right answer decide, whatever the grades are.
func TestRefusalsAndWrongAnswers(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	silent := AnswerFacts{Refused: &yes, Key: 2, Matched: true}
	irrelevant, half := AnswerFacts{Refused: &no, Key: 2, Matched: true},
		AnswerFacts{Refused: &no, Key: 2, Covered: 1, Contradicted: 1, Matched: true}
	for _, c := range []struct {
		name          string
		before, after AnswerFacts
		grades        [2]float64
		want          Label
		transition    string
	}{
		{"an irrelevant answer has a higher grade than the refusal before it", silent, irrelevant, [2]float64{1, 2}, NoChange,
			"refused → wrong"},
		{"an irrelevant answer has the grade of the refusal before it", silent, irrelevant, [2]float64{1, 1}, Worse,
			"refused → wrong"},
		{"a refusal has a higher grade than the half-right answer before it", half, silent, [2]float64{1, 2}, Worse, "wrong → refused"},
		{"a half-right answer has a lower grade than the refusal before it", silent, half, [2]float64{2, 1}, Better, "refused → wrong"},
		{"a refusal has a higher grade than the irrelevant answer before it", irrelevant, silent, [2]float64{1, 2}, NoChange,
			"wrong → refused"},
		{"a refusal is called right", half, silent, [2]float64{5, 5}, Worse, "right → refused"},
	} {
		got, err := CompareWith(answered(evaltest.One(t, "b", "correctness", c.grades[0]), "before"),
			answered(evaltest.One(t, "c", "correctness", c.grades[1]), "after"),
			Options{Facts: factsBy(map[string]AnswerFacts{"before": c.before, "after": c.after})})
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := got.Verdict("q1"); got.VerdictCounts.Of(c.want) != 1 || v.Transition != c.transition {
			t.Errorf("%s: %+v, %s", c.name, got.VerdictCounts, v.Transition)
		}
	}
}

// TestRemarksBesideTheJudgesOwnFigure: no remark says that nothing of the right answer was found where the reason of the grade finds a part
// of it, and no answer that was graded higher for that part is called worse.
func TestRemarksBesideTheJudgesOwnFigure(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	silent, wrong := AnswerFacts{Refused: &yes, Key: 2, Matched: true}, AnswerFacts{Refused: &no, Key: 2, Matched: true}
	untrue := AnswerFacts{Refused: &no, Key: 2, Contradicted: 1, Matched: true}
	for _, c := range []struct {
		before, after AnswerFacts
		grades        [2]float64
		reasons       [2]string
		want          Label
		remark        string
	}{
		{silent, wrong, [2]float64{1, 2}, [2]string{"", "正解の34%を含む。不足：「3,300円です。」"}, Better, ""},
		{silent, wrong, [2]float64{1, 2}, [2]string{"", "covers 5% of the reference"}, NoChange, "remark.refusal_rose"},
		{silent, wrong, [2]float64{1, 1}, [2]string{"", "covers 15% of the reference"}, Worse, "remark.refusal_share"},
		{silent, wrong, [2]float64{1, 1}, [2]string{"", "covers 5% of the reference"}, Worse, "remark.refusal"},
		{wrong, silent, [2]float64{2, 1}, [2]string{"正解の34%を含む", ""}, Worse, ""},
		{untrue, silent, [2]float64{2, 1}, [2]string{"covers 34% of the reference; conflicts with it: \"x\"", ""}, Worse, ""},
		{untrue, silent, [2]float64{1, 1}, [2]string{"covers 34% of the reference; conflicts with it: \"x\"", ""}, Better,
			"remark.refusal_share"},
	} {
		b, a := answered(evaltest.One(t, "b", "correctness", c.grades[0]), "before"), answered(evaltest.One(t, "c", "correctness",
			c.grades[1]), "after")
		b.Results[0].Scores[0].Reason, a.Results[0].Scores[0].Reason = c.reasons[0], c.reasons[1]
		got, err := CompareWith(b, a, Options{Facts: factsBy(map[string]AnswerFacts{"before": c.before, "after": c.after})})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := got.Verdict("q1")
		code := ""
		if v.Remark != nil {
			code = v.Remark.Code
			if what, tied := v.Remark.Params["what"].(Note); tied {
				code = what.Code
			}
		}
		if v.Verdict != c.want || code != c.remark {
			t.Errorf("%v by %q: %s by %q, %q", c.grades, c.reasons, v.Verdict, v.ByTie, code)
		}
	}
}

// TestTriageOfKindsAndGains: what the triage says of evidence and what its figures say are one value, for every pair of amounts.
func TestTriageOfKindsAndGains(t *testing.T) {
	t.Parallel()
	refused := func(yes bool) AnswerFacts { return AnswerFacts{Refused: &yes} }
	facts := factsBy(map[string]AnswerFacts{"says": refused(false), "also says": refused(false), "does not say": refused(true)})
	spans := []rag.Hit{hit("d", 0, 100), hit("d", 0, 150), hit("d", 0, 200), hit("e", 0, 10)}
	seen := map[Class]int{}
	for _, was := range spans {
		for _, is := range spans {
			for _, grades := range [][2]float64{{1, 5}, {5, 1}, {1, 2}, {4, 3}} {
				for _, texts := range [][2]string{{"says", "also says"}, {"does not say", "says"}, {"says", "does not say"}} {
					b := places(answered(evaltest.One(t, "b", "correctness", grades[0]), texts[0], was), marked(100, 200, ""))
					c := places(answered(evaltest.One(t, "c", "correctness", grades[1]), texts[1], is), marked(100, 200, ""))
					got, err := CompareWith(b, c, Options{Facts: facts})
					if err != nil || len(got.Triage) != 1 {
						t.Fatalf("%v: %+v", err, got.Triage)
					}
					x := got.Triage[0]
					seen[x.Class]++
					v, _ := got.Verdict("q1")
					gained, equal := x.Facts.Held[1] > x.Facts.Held[0], x.Facts.Held[1] == x.Facts.Held[0]
					switch x.Class {
					case InNeither, SamePassages:
						if x.Facts.Held[1]+x.Facts.Held[0] > 0 || (was.Span == is.Span) != (x.Class == SamePassages) {
							t.Errorf("%v → %v: %s beside %v", was.Span, is.Span, x.Class, *x.Facts.Held)
						}
					case AnswerChanged:
						if !equal || x.Facts.Held[0] == 0 {
							t.Errorf("%v → %v: %s beside %v", was.Span, is.Span, x.Class, *x.Facts.Held)
						}
					case GainedRight, GainedNotRight:
						if !gained || (v.Kinds[1] == KindRight) != (x.Class == GainedRight) {
							t.Errorf("%v → %v: %s beside %v, %v", was.Span, is.Span, x.Class, *x.Facts.Held, v.Kinds)
						}
					case EvidenceLost, EvidenceCut:
						if gained || equal {
							t.Errorf("%v → %v: %s beside %v", was.Span, is.Span, x.Class, *x.Facts.Held)
						}
					case NowAnswers:
						if !equal || v.Kinds[0] != KindRefused {
							t.Errorf("%s beside %v, %v", x.Class, *x.Facts.Held, v.Kinds)
						}
					case NowRefuses:
						if v.Kinds[1] != KindRefused {
							t.Errorf("%s beside %v", x.Class, v.Kinds)
						}
					default:
						t.Errorf("%s", x.Class)
					}
					if share := float64(x.Facts.Held[1]) / float64(x.Facts.Marked); share != x.Facts.Covered[1] {
						t.Errorf("%v of %d is %v", *x.Facts.Held, x.Facts.Marked, *x.Facts.Covered)
					}
				}
			}
		}
	}
	for _, class := range []Class{
		AnswerChanged, InNeither, SamePassages, GainedRight, GainedNotRight, EvidenceLost, EvidenceCut, NowAnswers, NowRefuses,
	} {
		if seen[class] == 0 {
			t.Errorf("nothing was %s", class)
		}
	}
}

// TestKinds: what an answer is, by its grade and by what the judge read out of it.
func TestKinds(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, c := range []struct {
		answerable bool
		grade      float64
		graded     bool
		refused    *bool
		want       AnswerKind
	}{
		{true, 5, true, nil, KindRight}, {true, 4, true, &no, KindRight}, {true, 3, true, nil, KindPartly}, {true, 2, true, nil, KindWrong},
		{true, 1, true, &no, KindWrong},
		{true, 1, true, &yes, KindRefused}, {true, 5, true, &yes, KindRight}, {true, 0, false, nil, ""},
		{true, 0, false, &yes, KindRefused},
		{false, 1, true, &yes, KindRight}, {false, 5, true, &no, KindWrong}, {false, 5, true, nil, KindRight},
		{false, 1, true, nil, KindWrong},
	} {
		if got := KindOf(c.answerable, c.grade, c.graded, c.refused); got != c.want {
			t.Errorf("%+v is %q", c, got)
		}
	}
	for _, k := range []AnswerKind{KindRight, KindPartly, KindWrong, KindRefused, KindFailed} {
		for _, lang := range []string{"en", "ja"} {
			if strings.HasPrefix(k.Word(lang), "kind.") {
				t.Errorf("no word for %s in %s", k, lang)
			}
		}
	}
}

// TestVerdictOfFiles: two files are decided as two runs are.
func TestVerdictOfFiles(t *testing.T) {
	t.Parallel()
	item := func(id string, c, f float64) foreign.ScoredItem {
		return foreign.ScoredItem{ID: id, Scores: [][]float64{{c}, {f}}}
	}
	names := []string{"answer_correctness", "faithfulness"}
	old := &foreign.ScoreTable{File: "old.csv", Metrics: names,
		Items: []foreign.ScoredItem{item("a", 0.2, 1), item("b", 0.9, 1), item("c", 0.8, 0.9), item("d", 0.5, 0.5)}}
	now := &foreign.ScoreTable{File: "new.csv", Metrics: names,
		Items: []foreign.ScoredItem{item("a", 0.9, 0.1), item("b", 0.1, 1), item("c", 0.8, 0.1), item("d", 0.5, 0.5)}}
	c, err := CompareScores(old, now, FileRules{Deterministic: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(VerdictCounts{Worse: 2, Mixed: 1, NoChange: 1}, c.VerdictCounts); diff != "" || !slices.Equal(c.DecideBy, names) {
		t.Errorf("by %v (-want +got):\n%s", c.DecideBy, diff)
	}
	r := gated(t, FileGate(c), DefaultGateRules())
	if len(r.Worse) != 2 || r.Worse[0].ID != "b" || r.Worse[1].Metric != "faithfulness" || r.Counts != c.VerdictCounts {
		t.Errorf("worse %+v, counts %+v", r.Worse, r.Counts)
	}
}

// TestTagsCountVerdicts: the questions of a tag are counted by the five words, as all questions are.
func TestTagsCountVerdicts(t *testing.T) {
	t.Parallel()
	b, c := evaltest.One(t, "b", "correctness", 5), evaltest.One(t, "c", "correctness", 1)
	b, c = answered(b, "before"), answered(c, "after")
	b.Questions[0].Tags, c.Questions[0].Tags = []string{"fees", "easy"}, []string{"fees", "easy"}
	got, err := CompareWith(b, c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := VerdictCounts{Worse: 1}
	if got.VerdictCounts != want || len(got.TagCounts) != 2 || got.TagCounts["fees"] != want || got.TagCounts["easy"] != want {
		t.Errorf("%+v %+v", got.VerdictCounts, got.TagCounts)
	}
}
