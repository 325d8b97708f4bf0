package questions

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// The codes of coverage warnings.
const (
	WarnNoMultiHop = "no_multi_hop_in_theme"
	WarnThemeLarge = "theme_too_large"
	WarnOtherLarge = "other_too_large"
	WarnNoCategory = "category_missing"
)

// themeShareAcceptable is the share of the questions from which on one theme says little (science.md 4.3).
const themeShareAcceptable = .40

// multiHopWorth is how many questions that the documents answer a theme needs before the lack of a multi-hop one is worth a word.
const multiHopWorth = 5

var categoryNames = map[experiments.Category]experiments.Rationale{
	experiments.CategoryOf(experiments.SingleHop, experiments.Specific): {EN: "single-hop specific", JA: "一か所で答えられる・具体"},
	experiments.CategoryOf(experiments.SingleHop, experiments.Abstract): {EN: "single-hop abstract", JA: "一か所で答えられる・抽象"},
	experiments.CategoryOf(experiments.MultiHop, experiments.Specific):  {EN: "multi-hop specific", JA: "複数箇所が必要・具体"},
	experiments.CategoryOf(experiments.MultiHop, experiments.Abstract):  {EN: "multi-hop abstract", JA: "複数箇所が必要・抽象"},

	experiments.CategoryOf(experiments.Unanswerable, ""): {EN: "not answerable from the documents", JA: "文書からは答えられない"},
}

// categoryAsks says what the questions of a category ask for, in words for people who never heard of hops.
var categoryAsks = map[experiments.Category]experiments.Rationale{
	experiments.CategoryOf(experiments.SingleHop, experiments.Specific): {EN: "a fact that stands in one place", JA: "一か所に書かれた事実"},
	experiments.CategoryOf(experiments.SingleHop, experiments.Abstract): {EN: "an explanation (why, how) that stands in one place",
		JA: "一か所に書かれた説明（理由や方法）"},
	experiments.CategoryOf(experiments.MultiHop, experiments.Specific): {EN: "a fact that needs several places of the documents",
		JA: "文書の複数箇所が必要な事実"},
	experiments.CategoryOf(experiments.MultiHop,
		experiments.Abstract): {EN: "an explanation (why, how) that needs several places of the documents",
		JA: "文書の複数箇所が必要な説明（理由や方法）"},
	experiments.CategoryOf(experiments.Unanswerable, ""): {EN: "something that the documents do not answer", JA: "文書に答えのないこと"},
}

// guessedFrom says beside the name of a category that nobody knows the evidence.
var guessedFrom = experiments.Rationale{EN: " (guessed from the wording)", JA: "（質問文からの推測）"}

// CategoryAsks is what the questions of a category ask for, in lang, "ja" or else English; its id where nobody named it.
func CategoryAsks(c experiments.Category, lang string) string {
	if asks, ok := categoryAsks[c.Sure()]; ok {
		return asks.In(lang)
	}
	return string(c)
}

// CategoryName is the category in words, in lang, "ja" or else English.
func CategoryName(c experiments.Category, lang string) string {
	if n, ok := categoryNames[c.Sure()]; ok {
		if c != c.Sure() {
			return n.In(lang) + guessedFrom.In(lang)
		}
		return n.In(lang)
	}
	return string(c)
}

// categoryGaps are the categories of which no question is known to be.
func (r *QuestionReport) categoryGaps() (out []CoverageWarning) {
	guesses := map[experiments.Category]int{}
	for _, c := range r.Categories {
		if sure := experiments.Category(c.Label).Sure(); string(sure) != c.Label {
			guesses[sure] = c.Count
		}
	}
	for _, c := range r.Categories {
		if n := guesses[experiments.Category(c.Label)]; c.Count == 0 && n > 0 {
			asks := categoryAsks[experiments.Category(c.Label)]
			out = append(out, CoverageWarning{Code: WarnNoCategory, Text: experiments.Rationale{
				EN: fmt.Sprintf("By the question analysis, no question is known to ask for %s: %d may do so by their wording, which is a guess.", asks.EN, n),
				JA: fmt.Sprintf("質問の分析では、%sを問うと確認できた質問はありません。質問文から推測したものが%d"+
					"問あります。", asks.JA, n),
			}})
		} else if c.Count == 0 {
			asks := categoryAsks[experiments.Category(c.Label)]
			if r.Offline {
				out = append(out, CoverageWarning{Code: WarnNoCategory, Text: experiments.Rationale{
					EN: fmt.Sprintf("The built-in rules, which look at words alone, find no question that asks for %s. If that is right, how well such "+
						"questions are answered is not tested.", asks.EN),
					JA: fmt.Sprintf("語句だけを見る内蔵の規則では、%sを問う質問が見つかりません。そのとおりなら、この種の質問への回答は検証していません。", asks.JA),
				}})
				continue
			}
			out = append(out, CoverageWarning{Code: WarnNoCategory, Text: experiments.Rationale{
				EN: fmt.Sprintf("By the question analysis, no question asks for %s: how well such questions are answered is not tested.", asks.EN),
				JA: fmt.Sprintf("質問の分析では、%sを問う質問がないため、この種の質問への回答は検証していません。", asks.JA),
			}})
		}
	}
	return out
}

// coverage says what the questions do not test. It needs the bars.
func (r *QuestionReport) coverage() []CoverageWarning {
	out := []CoverageWarning{}
	n := len(r.Questions)
	if n == 0 {
		return out
	}
	out = append(out, r.categoryGaps()...)
	multi, answered, anywhere := map[string]int{}, map[string]int{}, false // where no theme has one, the categories say so already
	for _, l := range r.Questions {
		if l.Hops != experiments.Unanswerable {
			answered[l.Theme]++
		}
		if l.Hops == experiments.MultiHop {
			multi[l.Theme]++
			anywhere = true
		}
	}
	themes := r.taxonomy(experiments.ThemeTaxonomy)
	own := 0 // fit no theme of the analysis, and have one of their own
	for _, l := range r.Questions {
		if l.Theme == experiments.OtherLabel && r.themed[l.QuestionID] {
			own++
		}
	}
	for _, t := range r.Themes {
		if t.Label == experiments.OtherLabel {
			t.Count -= own
		}
		share := float64(t.Count) / float64(n)
		percent := stats.Percent(share, 0) // as in the table of the themes
		en, ja := themes.Name(t.Label, "en"), themes.Name(t.Label, "ja")
		switch {
		case t.Label == experiments.OtherLabel && share > otherAcceptable:
			out = append(out, CoverageWarning{Code: WarnOtherLarge, Theme: t.Label, Text: experiments.Rationale{
				EN: fmt.Sprintf("%d of %d questions (%s%%) fit no theme; up to 10%% is usual. Add themes, or widen a rule.", t.Count,
					n, percent),
				JA: fmt.Sprintf("%d問中%d問（%s%%）がどのテーマにも当てはまりません（目安は10%%以下）。テーマを追加するか、規則を広げてください。", n, t.Count, percent),
			}})
		case t.Label == experiments.OtherLabel:
		case share > themeShareAcceptable:
			out = append(out, CoverageWarning{Code: WarnThemeLarge, Theme: t.Label, Text: experiments.Rationale{
				EN: fmt.Sprintf("By the question analysis, %q holds %d of %d questions (%s%%): split it, or ask more about the rest.", en, t.Count, n, percent),
				JA: fmt.Sprintf("質問の分析では、「%s」に%d問中%d問（%s%%）が集中しています。テーマを分けるか、他のテーマの質問を増やしてください。", ja, n, t.Count, percent),
			}})
		}
		if anywhere && t.Label != experiments.OtherLabel && answered[t.Label] >= multiHopWorth && multi[t.Label] == 0 {
			out = append(out, CoverageWarning{Code: WarnNoMultiHop, Theme: t.Label, Text: experiments.Rationale{
				EN: fmt.Sprintf("By the question analysis, %q has %d questions and none needs facts from two places.", en, t.Count),
				JA: fmt.Sprintf("質問の分析では、「%s」の%d問には、複数箇所の情報を要する質問がありません。", ja, t.Count),
			}})
		}
	}
	return out
}
