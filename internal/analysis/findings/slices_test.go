package findings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// TestSlicesAddUp: the verdicts of the themes, of the categories and of the places needed are each those of all matched questions.
func TestSlicesAddUp(t *testing.T) {
	t.Parallel()
	before, after := scored("old", true, map[string][]float64{"correctness": repeated(5, 1, 3)}),
		scored("new", true, map[string][]float64{"correctness": repeated(1, 5, 3)})
	report := questions.QuestionReport{}
	for i := range after.Questions {
		q := &after.Questions[i]
		if i%2 == 0 {
			q.Tags = []string{"theme:fees"}
		}
		hops, scope := experiments.SingleHop, experiments.Specific
		if i%5 == 0 {
			hops = experiments.MultiHop
		}
		report.Questions = append(report.Questions, experiments.QuestionLabels{QuestionID: q.ID, Theme: "other", Hops: hops, Scope: scope,
			Category: experiments.CategoryOf(hops, scope)})
	}
	c, err := compare.CompareWith(before, after, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := Of(Input{Comparison: &c, Baseline: &before, Candidate: after, Questions: &report})
	for _, by := range groupings {
		matched, sum := 0, Verdicts{}
		for _, s := range f.Slices {
			if s.By == by {
				matched, sum = matched+s.Matched, sum.plus(s.Verdicts)
			}
		}
		if matched != f.Matched || sum != f.Verdicts {
			t.Errorf("by %s: %d questions, %+v; want %d, %+v", by, matched, sum, f.Matched, f.Verdicts)
		}
	}
	for i, want := range []string{"theme.by_tags", "theme.by_analysis", "theme.by_analysis", "theme.by_analysis", "theme.by_analysis"} {
		if s := f.Slices[i]; s.Source.Code != want || !strings.Contains(s.Text.JA, "（"+s.Source.JA+"）") {
			t.Errorf("%s is said to be %q: %s", s.ID, s.Source.Code, s.Text.JA)
		}
	}
	for _, s := range f.Slices { // here the places needed are the categories
		if s.Again != (s.By == "hops") {
			t.Errorf("%s is told again: %t", s.ID, s.Again)
		}
	}
	told := map[string]int{}
	for _, p := range f.Parts() {
		for _, line := range p.Lines {
			if _, counts, ok := strings.Cut(line.EN, "): of "); ok && p.Name == "slices" {
				counts, _, _ = strings.Cut(counts, " ")
				told[counts]++
			}
			if p.Name == "belief" && (strings.HasPrefix(line.EN, "No:") || strings.HasPrefix(line.EN, "Yes:")) {
				t.Errorf("an answer without its question: %s", line.EN)
			}
		}
	}
	if told["15"] != 2 || told["24"] != 1 || told["6"] != 1 || len(told) != 3 { // themes; categories, which are the places needed
		t.Errorf("told by the number of questions: %v", told)
	}
	if len(f.Slices) != 6 || f.Slices[0].Text.EN !=
		"fees (by the dataset's tags): of 15 questions, 5 got worse and 5 got better" {
		t.Errorf("%+v", f.Slices)
	}
}

// TestQuestionsWithoutAnAnswerAreNotAnsweredInOnePlace: they are a group of their own, in both languages, of which nothing is a guess.
func TestQuestionsWithoutAnAnswerAreNotAnsweredInOnePlace(t *testing.T) {
	t.Parallel()
	before, after := scored("old", true, map[string][]float64{"correctness": repeated(5, 1, 3)}),
		scored("new", true, map[string][]float64{"correctness": repeated(1, 5, 3)})
	report, none := questions.QuestionReport{}, 0
	for i := range after.Questions {
		q := &after.Questions[i]
		q.Answerable = i%3 > 0
		before.Questions[i].Answerable = q.Answerable
		if !q.Answerable {
			none++
		}
		report.Questions = append(report.Questions, questions.Registered(experiments.QuestionLabels{QuestionID: q.ID,
			Hops: experiments.SingleHop, Category: "single_hop_specific", HopsBy: questions.HopsByText}, *q))
	}
	c, err := compare.CompareWith(before, after, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"category": "questions for something that the documents do not answer (by the question analysis): of 10 questions, 10 got worse",
		"hops":     "not answerable from the documents (by the question analysis): of 10 questions, 10 got worse",
	}
	for _, s := range Of(Input{Comparison: &c, Baseline: &before, Candidate: after, Questions: &report}).Slices {
		switch {
		case s.ID == "unanswerable":
			if s.Matched != none || !strings.HasPrefix(s.Text.EN, want[s.By]) || !strings.Contains(s.Text.JA, "文書") {
				t.Errorf("%s: %d of %d: %s %s", s.By, s.Matched, none, s.Text.EN, s.Text.JA)
			}
			delete(want, s.By)
		case s.Matched != len(after.Questions)-none:
			t.Errorf("%s %s holds %d questions", s.By, s.ID, s.Matched)
		}
	}
	if len(want) > 0 {
		t.Errorf("not said: %v", want)
	}
}

// TestAGuessedKindHasOneBracket: that a kind was guessed and whose guess it is stand together.
func TestAGuessedKindHasOneBracket(t *testing.T) {
	t.Parallel()
	before, after := scored("old", true, map[string][]float64{"correctness": repeated(5, 1, 3)}),
		scored("new", true, map[string][]float64{"correctness": repeated(1, 5, 3)})
	report := questions.QuestionReport{}
	for _, q := range after.Questions {
		report.Questions = append(report.Questions, experiments.QuestionLabels{QuestionID: q.ID, Hops: experiments.MultiHop,
			Category: "multi_hop_specific_guessed"})
	}
	c, err := compare.CompareWith(before, after, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := Of(Input{Comparison: &c, Baseline: &before, Candidate: after, Questions: &report}).Slices
	for _, s := range found {
		if strings.Count(s.Text.EN, "(") != 1 || !strings.Contains(s.Text.EN, " (guessed from the wording, by the question analysis): of ") ||
			!strings.Contains(s.Text.JA, "（質問文からの推測、質問の分析による）：") {
			t.Errorf("%s: %s %s", s.ID, s.Text.EN, s.Text.JA)
		}
	}
	if len(found) != 2 {
		t.Errorf("%+v", found)
	}
}

// TestMetricsWithoutEvidenceSayWhy: where no question has labelled evidence, that is the reason, said once for all such metrics.
func TestMetricsWithoutEvidenceSayWhy(t *testing.T) {
	t.Parallel()
	before, after := scored("old", true, map[string][]float64{"correctness": {1, 2}, "hit": {1, 0}, "mrr": {1, 0}}),
		scored("new", true, map[string][]float64{"correctness": {1, 2}, "hit": {1, 0}, "mrr": {1, 0}})
	for _, e := range []*experiments.Evaluation{&before, &after} {
		for i := range e.Results {
			for j := range e.Results[i].Scores {
				if s := &e.Results[i].Scores[j]; s.Metric != "correctness" {
					s.State = metrics.NotApplicable
				}
			}
		}
	}
	said := fmt.Sprint(Texts(of(t, before, after).Untested, "en"))
	if strings.Count(said, "no question has labelled evidence") != 1 || !strings.Contains(said, "Not compared: Hit, ") {
		t.Error(said)
	}
	for i := range after.Questions {
		after.Questions[i].Evidence = []experiments.Evidence{{Quote: "Yes."}}
	}
	if said := fmt.Sprint(Texts(of(t, before, after).Untested, "en")); !strings.Contains(said, "(no question was scored in both runs)") {
		t.Error(said)
	}
}

// TestQuestionsThatNobodyCanAnswerLackNoReference: their correctness is measured without one.
func TestQuestionsThatNobodyCanAnswerLackNoReference(t *testing.T) {
	t.Parallel()
	e := scored("a", false, map[string][]float64{"correctness": {5, 5, 5}})
	e.Questions[0].Reference, e.Questions[0].Answerable = "", false
	e.Questions[1].Reference = ""
	said := fmt.Sprint(Texts(Of(Input{Candidate: e}).Untested, "en"))
	if want := "1 question has no reference answer"; !strings.Contains(said, want) {
		t.Errorf("%s lacks %q", said, want)
	}
	e.Questions[1].Answerable = false
	if said := fmt.Sprint(Texts(Of(Input{Candidate: e}).Untested, "en")); strings.Contains(said, "no reference answer") {
		t.Errorf("%s", said)
	}
}
