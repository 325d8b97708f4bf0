package questions

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

func wantFigure(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-9 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// reported is a report over questions with these labels, of which q1 has a low score.
func reported(labels []experiments.QuestionLabels, texts []string, previous *QuestionAnalysis,
	taxonomies ...experiments.Taxonomy) QuestionReport {
	a := QuestionAnalysis{Run: experiments.Run{ID: "now", Setup: experiments.Setup{
		Dataset: experiments.Ref{Name: "faq", Version: 2}, Analysis: &experiments.AnalysisSetup{Taxonomies: taxonomies},
	}}, Labels: map[string]experiments.QuestionLabels{}}
	e := experiments.Evaluation{Run: experiments.Run{ID: "run", Setup: experiments.Setup{LowScore: 2}}}
	for i, l := range labels {
		l.TextDigest = digestOf(texts[i])
		a.Labels[l.QuestionID] = l
		e.Questions = append(e.Questions, experiments.Question{ID: l.QuestionID, Text: texts[i]})
		value := 4.0
		if i == 0 {
			value = 1
		}
		e.Results = append(e.Results, experiments.Result{QuestionID: l.QuestionID,
			Scores: []metrics.Score{{Metric: "correctness", State: metrics.Scored, Value: value}}})
	}
	return QuestionReportOf(e, a, previous)
}

func labelled(id string, c experiments.Category, hops experiments.Hops, theme string, votes ...string) experiments.QuestionLabels {
	return experiments.QuestionLabels{QuestionID: id, Category: c, Hops: hops, HopsBy: HopsByEvidence, Theme: theme,
		Votes: map[string][]string{"theme": votes}, Keywords: []string{}}
}

func TestReportCountsAndWarns(t *testing.T) {
	t.Parallel()
	ss, ms := experiments.CategoryOf(experiments.SingleHop, experiments.Specific),
		experiments.CategoryOf(experiments.MultiHop, experiments.Specific)
	labels := []experiments.QuestionLabels{
		labelled("q1", ss, experiments.SingleHop, "refunds", "refunds", "refunds"),
		labelled("q2", ss, experiments.SingleHop, "refunds", "refunds", "refunds"),
		labelled("q3", ss, experiments.SingleHop, "refunds", "refunds", "pets"),
		labelled("q4", ss, experiments.SingleHop, "refunds", "refunds", "refunds"),
		labelled("q5", ss, experiments.SingleHop, "refunds", "refunds", "refunds"),
		labelled("q6", ms, experiments.MultiHop, "pets", "pets", "pets"),
		labelled("q7", ss, experiments.SingleHop, experiments.OtherLabel, "other", "other"),
	}
	labels[0].Keywords, labels[1].Keywords = []string{"払戻", "手数料", "一度"}, []string{"refund"}
	texts := []string{"払戻の手数料は一度だけですか", "Refund of the fare?", "c", "refund twice", "手数料は", "f", "g"}
	themes := themesOf(1, experiments.TaxonomyLabel{ID: "refunds"}, experiments.TaxonomyLabel{ID: "pets"})
	themes.Aliases = []experiments.AliasGroup{{"refund", "払戻"}}
	themes.Labels[0].JA = "払い戻し"
	themes.Gold = []experiments.GoldLabel{
		{QuestionID: "q1", Labels: []string{"refunds"}}, {QuestionID: "q3", Labels: []string{"pets"}},
		{QuestionID: "q6", Labels: []string{"pets"}}, {QuestionID: "gone", Labels: []string{"pets"}},
	}
	r := reported(labels, texts, nil, themes)
	if diff := cmp.Diff([]LabelCount{
		{Label: "refunds", Count: 5, Low: 1, Questions: []string{"q1", "q2", "q3", "q4", "q5"}},
		{Label: "pets", Count: 1, Questions: []string{"q6"}},
		{Label: "other", Count: 1, Questions: []string{"q7"}},
	}, r.Themes); diff != "" {
		t.Error(diff)
	}
	var codes []string
	for _, w := range r.Warnings {
		codes = append(codes, w.Code+" "+w.Theme)
		if w.Text.EN == "" || w.Text.JA == "" {
			t.Errorf("%s is not said in both languages", w.Code)
		}
		whose := strings.HasPrefix(w.Text.EN, "By the question analysis, ") && strings.HasPrefix(w.Text.JA, "質問の分析では、")
		if w.Code != WarnOtherLarge && !whose { // tags of the dataset may say otherwise
			t.Errorf("%q does not say by which classification", w.Text.EN)
		}
	}
	if said := r.Warnings[4].Text.EN; !strings.HasPrefix(said, "1 of 7 questions (14%) fit no theme") {
		t.Errorf("%s", said)
	}
	want := []string{"category_missing ", "category_missing ", "theme_too_large refunds", "no_multi_hop_in_theme refunds",
		"other_too_large other"}
	if diff := cmp.Diff(want, codes); diff != "" {
		t.Error(diff)
	}
	// One spelling stands for its group, words of one question are none, and a word found in the text counts wherever it stands.
	if diff := cmp.Diff([][]string{{"refund", "手数料"}, {"refund"}, {}, {"refund"}, {"手数料"}}, keywordsOf(r)[:5]); diff != "" {
		t.Error(diff)
	}
	// Krippendorff by hand: 14 values, 9 refunds, 3 pets, 2 other; one of seven pairs disagrees.
	wantFigure(t, "alpha", r.Reliability.Alpha["theme"], 1-13*2./(14*14-81-9-4))
	if diff := cmp.Diff([]ConfusablePair{{A: "pets", B: "refunds", Share: 1. / 6, Pairs: 1}}, r.Reliability.Confusable); diff != "" {
		t.Error(diff)
	}
	// Cohen by hand on 3 questions: people refunds, pets, pets; ours refunds, refunds, pets: (2/3 - 4/9) / (1 - 4/9).
	g := r.Reliability.Gold[0]
	wantFigure(t, "kappa", g.Kappa, (2./3-4./9)/(1-4./9))
	if g.N != 3 || g.Agree != 2 || !(g.Interval.Low <= *g.Kappa && *g.Kappa <= g.Interval.High) {
		t.Errorf("gold %+v", g)
	}
}

func keywordsOf(r QuestionReport) [][]string {
	var out [][]string
	for _, l := range r.Questions {
		out = append(out, l.Keywords)
	}
	return out
}

func TestReportTellsChangedFromGained(t *testing.T) {
	t.Parallel()
	ss := experiments.CategoryOf(experiments.SingleHop, experiments.Specific)
	texts := []string{"one", "two", "three", "four"}
	before := QuestionAnalysis{Run: experiments.Run{ID: "before", Setup: experiments.Setup{
		Analysis: &experiments.AnalysisSetup{Taxonomies: []experiments.Taxonomy{themesOf(1, experiments.TaxonomyLabel{ID: "refunds"})}},
	}}, Labels: map[string]experiments.QuestionLabels{}}
	for i, theme := range []string{"refunds", experiments.OtherLabel, "refunds", "refunds"} {
		l := labelled([]string{"q1", "q2", "q3", "q4"}[i], ss, experiments.SingleHop, theme)
		l.TextDigest = digestOf(texts[i])
		before.Labels[l.QuestionID] = l
	}
	texts[3] = "four, reworded"
	now := []experiments.QuestionLabels{
		labelled("q1", ss, experiments.SingleHop, "refunds"), labelled("q2", ss, experiments.SingleHop, "pets"),
		labelled("q3", ss, experiments.SingleHop, "pets"), labelled("q4", ss, experiments.SingleHop, "pets"),
	}
	r := reported(now, texts, &before, themesOf(2, experiments.TaxonomyLabel{ID: "refunds"},
		experiments.TaxonomyLabel{ID: "pets", Since: 2}))
	if diff := cmp.Diff([][]string{{"q3"}, {"q2"}}, [][]string{r.Changed, r.Gained}); diff != "" {
		t.Error(diff)
	}
	wantFigure(t, "churn", r.Reliability.Churn, 1./3)
}

func TestMasiAlpha(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want float64
	}{{"a,b", "a,b", 1}, {"a", "a,b", 2. / 3 / 2}, {"a,b", "b,c", 1. / 3 / 3}, {"a", "b", 0}, {"", "", 1}, {"", "a", 0}} {
		if got := masi(c.a, c.b); math.Abs(got-c.want) > 1e-12 && !(c.a == c.b) {
			t.Errorf("masi(%s; %s) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestLabelsOfAnotherWordingAreNotShown covers a report over a dataset version that has reworded a question since its analysis.
func TestLabelsOfAnotherWordingAreNotShown(t *testing.T) {
	t.Parallel()
	l := labelled("q1", experiments.CategoryOf(experiments.SingleHop, experiments.Specific), experiments.SingleHop, "refunds")
	l.TextDigest = digestOf("as it was")
	a := QuestionAnalysis{Labels: map[string]experiments.QuestionLabels{"q1": l}}
	for text, want := range map[string]int{"as it was": 1, "as it is": 0} {
		e := experiments.Evaluation{Questions: []experiments.Question{{ID: "q1", Text: text}}}
		if got := len(QuestionReportOf(e, a, nil).Questions); got != want {
			t.Errorf("%s: %d questions", text, got)
		}
	}
}

func BenchmarkQuestionReport(b *testing.B) {
	a := QuestionAnalysis{Labels: map[string]experiments.QuestionLabels{}}
	var e experiments.Evaluation
	for i := range 10_000 {
		text := fmt.Sprintf("How much is the fee of article%d for fare%d with option%d when travelling?", i, i%300, i%17)
		l := labelled(fmt.Sprint("q", i), experiments.Categories()[i%4], experiments.SingleHop, fmt.Sprint("t", i%10), "a", "a", "b")
		l.Keywords = keywordCandidates(text)
		a.Labels[l.QuestionID] = l
		e.Questions = append(e.Questions, experiments.Question{ID: l.QuestionID, Text: text})
		a.Labels[l.QuestionID] = l
	}
	for b.Loop() {
		QuestionReportOf(e, a, &a)
	}
}

// BenchmarkOfflineQuestions is what the offline analysis of a question costs with 12 themes.
func BenchmarkOfflineQuestions(b *testing.B) {
	var labels []experiments.TaxonomyLabel
	for i := range 12 {
		labels = append(labels, experiments.TaxonomyLabel{ID: fmt.Sprint("t", i),
			Words: []string{fmt.Sprint("fare", i), "fee", "option", "手数料", fmt.Sprint("word", i)}})
	}
	run := experiments.Run{Setup: experiments.Setup{Judge: metrics.DefaultJudge(), Analysis: &experiments.AnalysisSetup{
		Version: QuestionVersion, Taxonomies: []experiments.Taxonomy{themesOf(1, labels...)},
	}}}
	a, err := OpenQuestions(run, QuestionSource{Providers: everyName{newClassifier()}, Stages: &rag.MemoryStages{}})
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := a.Finding(b.Context(), experiments.Question{ID: "q",
			Text: fmt.Sprintf("How much is the fee of fare%d for item %d?", i%14, i), Lang: "en"}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSharesAreRoundedOnce: 13 of 40 is 33% in the table of themes, and in the sentence below it.
func TestSharesAreRoundedOnce(t *testing.T) {
	t.Parallel()
	r := QuestionReport{Questions: make([]experiments.QuestionLabels, 40)}
	for i := range 13 {
		r.Questions[i].Theme = experiments.OtherLabel
	}
	for _, w := range r.coverage(nil) {
		if w.Code == WarnOtherLarge && strings.Contains(w.Text.EN, "(33%)") && strings.Contains(w.Text.JA, "（33%）") {
			return
		}
	}
	t.Errorf("warnings %+v", r.coverage(nil))
}

// TestGivenThemesCountBeforeFoundOnes: whatever the analysis found of questions that carry a theme as a tag, none of them is said to have
// no theme, and what is said of a theme is said by the classification that its questions have it by.
func TestGivenThemesCountBeforeFoundOnes(t *testing.T) {
	t.Parallel()
	ss := experiments.CategoryOf(experiments.SingleHop, experiments.Specific)
	mm := experiments.CategoryOf(experiments.MultiHop, experiments.Abstract)
	for given := range 11 {
		var e experiments.Evaluation
		a := QuestionAnalysis{Labels: map[string]experiments.QuestionLabels{}}
		for i := range 10 {
			l := labelled(fmt.Sprint("q", i), ss, experiments.SingleHop, experiments.OtherLabel)
			if i == 9 {
				l.Category, l.Hops = mm, experiments.MultiHop
			}
			q := experiments.Question{ID: l.QuestionID, Text: fmt.Sprint("text ", i)}
			if i < given {
				q.Tags = []string{"hard", "theme:leave"}
			}
			l.TextDigest = digestOf(q.Text)
			e.Questions, a.Labels[l.QuestionID] = append(e.Questions, q), l
		}
		told := map[string]CoverageWarning{}
		for _, w := range QuestionReportOf(e, a, nil).Warnings {
			told[w.Code] = w
		}
		rest, large := told[WarnOtherLarge], told[WarnThemeLarge]
		want := fmt.Sprintf("%d of 10 questions (%d%%) fit no theme", 10-given, 100-10*given)
		if none := given >= 9; none != (rest.Code == "") || !none && !strings.HasPrefix(rest.Text.EN, want) {
			t.Errorf("%d given: %q", given, rest.Text.EN)
		}
		if many := given > 4; many != (large.Code != "") || many && (large.Theme != "leave" || !strings.HasPrefix(large.Text.EN,
			"By the dataset's tags, ") || !strings.HasPrefix(large.Text.JA, "データセットのタグでは、「leave」")) {
			t.Errorf("%d given: %+v", given, large)
		}
		if one := told[WarnNoMultiHop]; (one.Code != "") != (given >= multiHopWorth && given < 10) {
			t.Errorf("%d given: %+v", given, one)
		}
	}
}

// TestRulesThatGuessClaimNoGap: a category that built-in rules find no question of is not told as untested, in either language.
func TestRulesThatGuessClaimNoGap(t *testing.T) {
	t.Parallel()
	l := labelled("q1", experiments.CategoryOf(experiments.SingleHop, experiments.Specific), experiments.SingleHop, "leave")
	l.TextDigest = digestOf("text")
	e := experiments.Evaluation{Questions: []experiments.Question{{ID: "q1", Text: "text"}}}
	for _, offline := range []bool{true, false} {
		a := QuestionAnalysis{Labels: map[string]experiments.QuestionLabels{"q1": l}}
		a.Run.Setup.Offline = offline
		for _, w := range QuestionReportOf(e, a, nil).Warnings {
			if w.Code != WarnNoCategory {
				continue
			}
			if offline != strings.Contains(w.Text.EN, "look at words alone") ||
				offline != strings.Contains(w.Text.EN, "If that is right") ||
				offline != strings.Contains(w.Text.JA, "語句だけを見る内蔵の規則") || offline != strings.Contains(w.Text.JA, "そのとおりなら") {
				t.Errorf("offline %t: %q, %q", offline, w.Text.EN, w.Text.JA)
			}
		}
	}
}
