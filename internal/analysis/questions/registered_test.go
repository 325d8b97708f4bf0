package questions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestWhatDocumentsDoNotAnswerIsAClassOfItsOwn counts generated sets by hand: a question registered as unanswerable is in that class
// alone, whatever was found of it; the others stay where they were; and a set without such questions has no row more than before.
func TestWhatDocumentsDoNotAnswerIsAClassOfItsOwn(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11)) //nolint:gosec // of a test
	stored := []experiments.Category{"single_hop_specific", "single_hop_abstract", "multi_hop_specific", "multi_hop_abstract",
		"multi_hop_specific_guessed", "multi_hop_abstract_guessed"}
	for round := range 200 {
		labels, texts, want, guesses := []experiments.QuestionLabels{}, []string{}, map[string]int{}, 0
		for i := range random.IntN(30) {
			c := stored[random.IntN(len(stored))]
			hops, by := experiments.SingleHop, []string{HopsByEvidence, HopsByText}[random.IntN(2)]
			if c[0] == 'm' {
				hops = experiments.MultiHop
			}
			l := labelled(fmt.Sprint("q", i), c, hops, fmt.Sprint("t", random.IntN(3)), "a", "a", "b")
			l.HopsBy = by
			q := experiments.Question{ID: l.QuestionID, Answerable: round%4 == 0 || random.IntN(3) > 0}
			switch {
			case !q.Answerable:
				want["unanswerable"]++
			case by == HopsByText:
				guesses++
				fallthrough
			default:
				want[string(c)]++
			}
			now := Registered(l, q)
			if again := Registered(now, q); !cmp.Equal(again, now) {
				t.Errorf("registered twice: %+v, %+v", again, now)
			}
			if q.Answerable && !cmp.Equal(now, l) {
				t.Errorf("an answerable question changed: %+v", now)
			}
			labels, texts = append(labels, now), append(texts, fmt.Sprint("text of ", i))
		}
		r := reported(labels, texts, nil)
		got := map[string]int{}
		for _, c := range r.Categories {
			if four := slices.Contains(stored[:4], experiments.Category(c.Label)); c.Count == 0 && !four {
				t.Errorf("round %d: an empty row %s", round, c.Label)
			}
			if c.Count > 0 {
				got[c.Label] = c.Count
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("round %d: %s", round, diff)
		}
		if r.Reliability.ByText != guesses {
			t.Errorf("round %d: %d guesses, want %d", round, r.Reliability.ByText, guesses)
		}
	}
}

// TestLabelsOfAnotherQuestionStay: an evaluation whose dataset lacks a question has an empty one in its place.
func TestLabelsOfAnotherQuestionStay(t *testing.T) {
	t.Parallel()
	l := labelled("q1", "single_hop_specific", experiments.SingleHop, "fees")
	if got := Registered(l, experiments.Question{}); !cmp.Equal(got, l) {
		t.Errorf("%+v", got)
	}
}

// TestUnansweredQuestionsAreNoGap: a theme is not said to lack questions for two places because of those for none, and people's
// categories are compared only where there was one to find.
func TestUnansweredQuestionsAreNoGap(t *testing.T) {
	t.Parallel()
	labels, texts := []experiments.QuestionLabels{labelled("m", "multi_hop_specific", experiments.MultiHop, "pets")}, []string{"m"}
	gold := experiments.Taxonomy{ID: experiments.CategoryTaxonomy, Gold: []experiments.GoldLabel{
		{QuestionID: "m", Labels: []string{"multi_hop_specific"}}}}
	for i := range multiHopWorth {
		l := labelled(fmt.Sprint("q", i), "single_hop_specific", experiments.SingleHop, "fees")
		gold.Gold = append(gold.Gold, experiments.GoldLabel{QuestionID: l.QuestionID, Labels: []string{"single_hop_specific"}})
		labels, texts = append(labels, l), append(texts, l.QuestionID)
	}
	warned := func() bool {
		return slices.ContainsFunc(reported(labels, texts, nil, themesOf(1), gold).Warnings,
			func(w CoverageWarning) bool { return w.Code == WarnNoMultiHop })
	}
	if !warned() {
		t.Error("five answerable questions without one for two places give no warning")
	}
	labels[1] = Registered(labels[1], experiments.Question{ID: "q0"})
	if warned() {
		t.Error("four answerable questions and one without an answer give a warning")
	}
	g := reported(labels, texts, nil, themesOf(1), gold).Reliability.Gold
	if len(g) != 1 || g[0].N != multiHopWorth || g[0].Agree != g[0].N {
		t.Errorf("against people: %+v", g)
	}
}
