package questions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	experiments.CategoryOf(experiments.SingleHop, experiments.Abstract): {EN: "an explanation (a reason, a comparison, a summary) that stands in one place",
		JA: "一か所に書かれた説明（理由・比較・要約など）"},
	experiments.CategoryOf(experiments.MultiHop, experiments.Specific): {EN: "a fact that needs several places of the documents",
		JA: "文書の複数箇所が必要な事実"},
	experiments.CategoryOf(experiments.MultiHop,
		experiments.Abstract): {EN: "an explanation (a reason, a comparison, a summary) that needs several places of the documents",
		JA: "文書の複数箇所が必要な説明（理由・比較・要約など）"},
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

// coverage says what the questions do not test. It needs the bars. given are the themes that the dataset's own tags name, by question: they
// count before those that the analysis found.
func (r *QuestionReport) coverage(given map[string]string) []CoverageWarning {
	out := []CoverageWarning{}
	if len(r.Questions) == 0 {
		return out
	}
	return append(append(out, r.missingCategories()...), r.unevenThemes(given)...)
}

// missingCategories names the categories that no question is known to have. That rules which only guess find none is not that there is
// none.
func (r *QuestionReport) missingCategories() (out []CoverageWarning) {
	guesses := map[experiments.Category]int{}
	var unseenEN, unseenJA []string
	for _, c := range r.Categories {
		if sure := experiments.Category(c.Label).Sure(); string(sure) != c.Label {
			guesses[sure] = c.Count
		}
	}
	for _, c := range r.Categories {
		if c.Count > 0 {
			continue
		}
		asks, guessed := categoryAsks[experiments.Category(c.Label)], guesses[experiments.Category(c.Label)]
		said := experiments.Rationale{
			EN: fmt.Sprintf("By the question analysis, no question asks for %s: how well such questions are answered is not tested.", asks.EN),
			JA: fmt.Sprintf("質問の分析では、%sを問う質問がないため、この種の質問への回答は検証していません。", asks.JA),
		}
		switch {
		case guessed > 0:
			said = experiments.Rationale{
				EN: fmt.Sprintf("By the question analysis, no question is known to ask for %s: %d may do so by their wording, which is a guess.", asks.EN, guessed),
				JA: fmt.Sprintf("質問の分析では、%sを問うと確認できた質問はありません。質問文から推測したものが%d問あります。", asks.JA, guessed),
			}
		case r.Offline:
			unseenEN, unseenJA = append(unseenEN, asks.EN), append(unseenJA, asks.JA)
			continue
		}
		out = append(out, CoverageWarning{Code: WarnNoCategory, Text: said})
	}
	if len(unseenEN) > 0 {
		out = append(out, CoverageWarning{Code: WarnNoCategory, Text: experiments.Rationale{
			EN: "The built-in rules, which look at words alone, find no question that asks for " + strings.Join(unseenEN, "; or for ") +
				". If that is right, how well such questions are answered is not tested.",
			JA: "語句だけを見る内蔵の規則では、次のことを問う質問が見つかりません：" + strings.Join(unseenJA, "、") +
				"。そのとおりなら、この種の質問への回答は検証していません。",
		}})
	}
	return out
}

// heldTheme is a theme with its questions, and by what they have it.
type heldTheme struct {
	count, answered, multi int
	tagged, found          bool
}

// by is the classification of a theme's questions, at the head of a sentence.
func (h heldTheme) by() experiments.Rationale {
	switch {
	case h.tagged && h.found:
		return experiments.Rationale{EN: "By the dataset's tags, else by the question analysis, ", JA: "データセットのタグ、なければ質問の分析では、"}
	case h.tagged:
		return experiments.Rationale{EN: "By the dataset's tags, ", JA: "データセットのタグでは、"}
	}
	return experiments.Rationale{EN: "By the question analysis, ", JA: "質問の分析では、"}
}

// unevenThemes names themes that hold too much of the questions, the questions of no theme where these are many, and themes without a
// question that needs several places.
func (r *QuestionReport) unevenThemes(given map[string]string) (out []CoverageWarning) {
	themes, n, anywhere := map[string]heldTheme{}, len(r.Questions), false // where no theme has one, the categories say so already
	var order []string
	for _, l := range r.Questions {
		theme, tagged := l.Theme, false
		if tag := given[l.QuestionID]; tag != "" {
			theme, tagged = tag, true
		}
		h, known := themes[theme]
		if !known {
			order = append(order, theme)
		}
		h.count, h.tagged, h.found = h.count+1, h.tagged || tagged, h.found || !tagged
		if l.Hops != experiments.Unanswerable {
			h.answered++
		}
		if l.Hops == experiments.MultiHop {
			h.multi++
			anywhere = true
		}
		themes[theme] = h
	}
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(otherLast(LabelCount{Label: a}), otherLast(LabelCount{Label: b})),
			cmp.Compare(themes[b].count, themes[a].count), cmp.Compare(a, b))
	})
	for _, id := range order {
		out = append(out, r.unevenTheme(id, themes[id], n, anywhere)...)
	}
	return out
}

// unevenTheme is what one theme leaves untested, of n questions; anywhere is whether any theme has a question for several places.
func (r *QuestionReport) unevenTheme(id string, h heldTheme, n int, anywhere bool) (out []CoverageWarning) {
	share, by := float64(h.count)/float64(n), h.by()
	percent := stats.Percent(share, 0) // as in the table of the themes
	names := r.taxonomy(experiments.ThemeTaxonomy)
	en, ja := names.Name(id, "en"), names.Name(id, "ja")
	other := id == experiments.OtherLabel && !h.tagged
	if other && share > otherAcceptable {
		out = append(out, CoverageWarning{Code: WarnOtherLarge, Theme: id, Text: experiments.Rationale{
			EN: fmt.Sprintf("%d of %d questions (%s%%) fit no theme; up to 10%% is usual. Add themes, or widen a rule.", h.count, n, percent),
			JA: fmt.Sprintf("%d問中%d問（%s%%）がどのテーマにも当てはまりません（目安は10%%以下）。テーマを追加するか、規則を広げてください。", n, h.count, percent),
		}})
	}
	if !other && share > themeShareAcceptable {
		out = append(out, CoverageWarning{Code: WarnThemeLarge, Theme: id, Text: experiments.Rationale{
			EN: by.EN + fmt.Sprintf("%q holds %d of %d questions (%s%%): split it, or ask more about the rest.", en, h.count, n, percent),
			JA: by.JA + fmt.Sprintf("「%s」に%d問中%d問（%s%%）が集中しています。テーマを分けるか、他のテーマの質問を増やしてください。", ja, n, h.count, percent),
		}})
	}
	if !other && anywhere && h.answered >= multiHopWorth && h.multi == 0 {
		out = append(out, CoverageWarning{Code: WarnNoMultiHop, Theme: id, Text: experiments.Rationale{
			EN: by.EN + fmt.Sprintf("%q has %d questions and none needs facts from two places.", en, h.count),
			JA: by.JA + fmt.Sprintf("「%s」の%d問には、複数箇所の情報を要する質問がありません。", ja, h.count),
		}})
	}
	return out
}
