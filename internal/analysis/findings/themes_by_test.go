package findings

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestThemesSayWhoseTheyAre: a theme of the dataset's tags and one of the question analysis count different questions under one
// name.
func TestThemesSayWhoseTheyAre(t *testing.T) {
	t.Parallel()
	qs := []experiments.Question{{ID: "q1", Tags: []string{"theme:fares"}}, {ID: "q2", Tags: []string{"theme:both"}}, {ID: "q3"},
		{ID: "q4"}}
	b := &builder{asked: map[string]*experiments.Question{}}
	for i := range qs {
		b.asked[qs[i].ID] = &qs[i]
	}
	b.in.Questions = &questions.QuestionReport{Questions: []experiments.QuestionLabels{{QuestionID: "q1", Theme: "found"},
		{QuestionID: "q3", Theme: "both"}, {QuestionID: "q4", Theme: "found"}}}
	for id, want := range map[string]string{"fares": "theme.by_tags", "found": "theme.by_analysis", "both": "theme.by_both"} {
		by := b.themesBy(b.questionLabels())[id].text()
		if by.Code != want || !strings.Contains(say("theme.low", "theme", "x", "by", by, "low", 1, "rated", 2).JA, Word("ja", want)) {
			t.Errorf("%s is said to be %q", id, by.Code)
		}
	}
}

// TestTheThemeWithMostLowScoresSaysItsShare: most by number is not worst by share, so the share stands beside it and that of all questions.
func TestTheThemeWithMostLowScoresSaysItsShare(t *testing.T) {
	t.Parallel()
	e := scored("a", false, map[string][]float64{"correctness": {1, 1, 5, 5, 1, 1}})
	for i := range e.Questions {
		q := &e.Questions[i]
		switch q.ID {
		case e.Results[0].QuestionID, e.Results[1].QuestionID, e.Results[2].QuestionID, e.Results[3].QuestionID:
			q.Tags = []string{"theme:many"}
		case e.Results[4].QuestionID:
			q.Tags = []string{"theme:few"}
		}
	}
	themes := Of(Input{Candidate: e}).Themes
	if len(themes) != 2 || !strings.HasSuffix(themes[0].Text.EN, "2 of its 4 questions (50%) have a low score.") ||
		!strings.Contains(themes[1].Text.EN, "1 of its 1 question (100%) has a low score; of all questions it is 66.7%") {
		t.Errorf("%+v", themes)
	}
	if worst, ok := (Findings{Themes: themes}).Trouble(); !ok || worst.ID != "few" {
		t.Errorf("the theme to look at is %+v, which is better than the whole", worst)
	}
	if by := ClassifiedBy(false, true).Code + ClassifiedBy(true, false).Code; by != "theme.by_analysistheme.by_tags" {
		t.Errorf("%s", by)
	}
	if both := ClassifiedBy(true, true); both.EN != "by the question analysis, else by the dataset's tags" {
		t.Errorf("%s", both.EN)
	}
}

// TestThemesWithAsManyLowScoresAreSaidAsTies: of two themes with as many low-score answers neither has the most, whichever is smaller.
func TestThemesWithAsManyLowScoresAreSaidAsTies(t *testing.T) {
	t.Parallel()
	for want, scores := range map[string][]float64{
		"2 of its 2 questions (100%) have a low score, the most by number, as many as in 1 other theme; of all questions it is 66.7%": {1, 1, 1, 1, 5, 5},
		"2 of its 2 questions (100%) have a low score, the most by number; of all questions it is 50%":                                {1, 1, 1, 5, 5, 5},
	} {
		e := scored("a", false, map[string][]float64{"correctness": scores})
		for i := range e.Questions {
			e.Questions[i].Tags = []string{"theme:" + map[bool]string{true: "small", false: "large"}[i < 2]}
		}
		if said, ok := Of(Input{Candidate: e}).Trouble(); !ok || said.ID != "small" || !strings.Contains(said.Text.EN, want) ||
			strings.Contains(want, "other theme") != strings.Contains(said.Text.JA, "ほか1テーマと同数") {
			t.Errorf("%+v\nwant %s", said.Text, want)
		}
	}
}
