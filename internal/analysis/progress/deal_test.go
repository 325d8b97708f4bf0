package progress

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/rag"
)

// answered is a run of n answers whose correctness and trust follow from their number.
func answered(t *testing.T, n int, scores func(i int) (correctness, trust float64)) experiments.Evaluation {
	t.Helper()
	rows := evaltest.Table{}
	for i := range n {
		correctness, trust := scores(i)
		rows[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": correctness, "trust": trust}
	}
	e := evaltest.Evaluation(t, "run", rows)
	for i := range e.Results {
		e.Results[i].Answer = &rag.Answer{Generation: rag.Generation{Text: fmt.Sprint("answer ", i+1)}}
	}
	return e
}

// TestDealIsFair: equal seeds deal equally, classes take turns, and what is dealt twice goes to two people.
func TestDealIsFair(t *testing.T) {
	t.Parallel()
	e := answered(t, 40, func(i int) (float64, float64) { // one of eight each: both low, wrong, ungrounded; the others good
		return []float64{1, 2, 5, 5, 5, 4, 4, 3}[i%8], []float64{1, 5, 2, 5, 5, 4, 3, 5}[i%8]
	})
	deal := Deal{Reviewers: []string{"Ann", "Ben", "Cid"}, Answers: 18, Twice: 6, Seed: 5}
	list := DealAnswers(e, deal)
	slices.Reverse(e.Results)
	slices.Reverse(e.Questions)
	if again := DealAnswers(e, deal); fmt.Sprint(list) != fmt.Sprint(again) {
		t.Errorf("the order of the results decides:\n%v\n%v", list, again)
	}
	counts, pairs := map[AnswerClass]int{}, map[string]int{}
	for i, d := range list {
		names := slices.Compact(slices.Sorted(slices.Values(d.Reviewers)))
		if want := 1 + min(1, max(0, 6-i)); len(names) != want {
			t.Errorf("answer %d is dealt to %v", i, d.Reviewers)
		}
		counts[d.Class]++
		if len(names) == 2 {
			pairs[strings.Join(names, "+")]++
		}
	}
	if fmt.Sprint(counts) != "map[good:4 ungrounded:4 wrong:5 wrong_ungrounded:5]" {
		t.Errorf("classes: %v", counts)
	}
	if len(pairs) != 3 {
		t.Errorf("not everybody is set beside everybody: %v", pairs)
	}
	deal.Had = map[string]bool{list[0].QuestionID: true}
	for _, d := range DealAnswers(e, deal) {
		if d.QuestionID == list[0].QuestionID {
			t.Error("what was dealt is dealt again")
		}
	}
	if deal.Seed++; fmt.Sprint(DealAnswers(e, deal)) == fmt.Sprint(list) {
		t.Error("the seed decides nothing")
	}
	ids := strings.Fields("a b c d e f g h")
	if fmt.Sprint(OrderFor("Ann", ids, 1)) == fmt.Sprint(OrderFor("Ben", ids, 1)) {
		t.Error("two reviewers get one order")
	}
}

// TestErrorsOfJudge counts false reds and false greens, and says so where there are too few.
func TestErrorsOfJudge(t *testing.T) {
	t.Parallel()
	e := answered(t, 22, func(i int) (float64, float64) { return []float64{1, 5}[i%2], 5 })
	var reviews []experiments.Review
	for i, q := range e.Questions {
		said := experiments.IncorrectAnswer
		if i%2 == 1 || i < 6 { // three of the eleven that the judge calls low are right
			said = experiments.CorrectAnswer
		}
		reviews = append(reviews, reviewOf(e, q.ID, "A", func(r *experiments.Review) { r.Verdict = said; r.Trust = new(4) }))
	}
	f := FiguresOf(e, reviews)
	var got []string
	for _, x := range f.Errors {
		got = append(got, fmt.Sprintf("%s %s %t %d/%d needs %d", x.Of, x.Class, x.Low, x.Wrong, x.N, x.Needs))
	}
	want := []string{"verdict  true 3/11 needs 0", "verdict  false 0/11 needs 0", "trust  false 0/22 needs 0",
		"verdict wrong true 3/11 needs 0",
		"verdict good false 0/11 needs 0"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if s := f.Errors[0].Says("en"); s != "Judge: low correctness: people contradict it in 3 of 11 (27%, 95%: 10–57%)." {
		t.Errorf("it says %q", s)
	}
	few := FiguresOf(e, reviews[:4]).Errors[0]
	if _, ok := few.Share(); ok || few.Needs != 8 || !strings.Contains(few.Says("ja"), "少なすぎて判断できません。あと8件") ||
		!strings.Contains(few.Says("en"), "Too few to tell; reviews still needed: 8") {
		t.Errorf("of two answers: %+v %s", few, few.Says("ja"))
	}
}

// TestProposeExamples: from the first half only, what differs first, both kinds, and nothing that is long or personal.
func TestProposeExamples(t *testing.T) {
	t.Parallel()
	e := answered(t, 60, func(i int) (float64, float64) { return []float64{1, 5}[i%2], 5 })
	var reviews []experiments.Review
	long, personal := "", ""
	for i, q := range e.Questions {
		said := experiments.IncorrectAnswer
		if i%2 == 1 || i%6 == 0 { // one low answer in three is right
			said = experiments.CorrectAnswer
		}
		switch {
		case KeptBack(q.ID):
		case long == "":
			long = q.ID
			e.Results[i].Answer.Text = strings.Repeat("long ", 400)
		case personal == "":
			personal = q.ID
			e.Results[i].Answer.Text = "Write to someone@example.com."
		}
		reviews = append(reviews, reviewOf(e, q.ID, "A", verdictOf(said)))
	}
	f := FiguresOf(e, reviews)
	p := ProposeExamples(e, f, ExampleRules{Seed: 1})
	if p.First+p.Kept != 60 || p.Kept < 20 || p.First < 20 || p.Long != 1 || p.Personal != 1 || len(p.Examples) != UsualExamples {
		t.Fatalf("%+v", p)
	}
	accepted := 0
	for i, x := range p.Examples {
		if KeptBack(x.QuestionID) || x.QuestionID == long || x.QuestionID == personal {
			t.Errorf("%s is an example", x.QuestionID)
		}
		if i > 0 && x.Differs && !p.Examples[i-1].Differs {
			t.Error("a disagreement does not stand first")
		}
		if x.Accepted {
			accepted++
		}
	}
	if accepted != 3 || !p.Examples[0].Differs {
		t.Errorf("%d accepted of %+v", accepted, p.Examples)
	}
	if fmt.Sprint(ProposeExamples(e, f, ExampleRules{Seed: 2}).Examples) == fmt.Sprint(p.Examples) {
		t.Error("the seed decides nothing")
	}
	for i := range reviews { // people and judge agree everywhere
		reviews[i].Verdict = []experiments.Verdict{experiments.IncorrectAnswer, experiments.CorrectAnswer}[i%2]
	}
	if p := ProposeExamples(e, FiguresOf(e, reviews), ExampleRules{}); len(p.Examples) != 0 || p.Differs != 0 {
		t.Errorf("without a disagreement: %+v", p)
	}
}
