package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
)

// Markdown is what came of setting a judge's verdicts against readers', for people, in "en" or "ja".
func (s *VerdictScore) Markdown(lang string, words CauseWords) string {
	w := cardWriter{lang: lang, words: words}
	w.verdicts(s)
	return strings.TrimPrefix(w.out.String(), "\n")
}

// verdicts are a section of the card: does "worse" mean what a reader means?
func (w *cardWriter) verdicts(s *VerdictScore) {
	if s == nil {
		return
	}
	w.line("\n## %s\n", w.of("Worse and better against readers", "「悪化」「改善」の判定と読み手の判定の一致"))
	w.line("%s: %s, %d %s · %s\n", w.of("Pairs", "回答の組"), s.Source, s.Pairs, w.of("pairs judged", "組を評価"), s.MeasuredAt.UTC().
		Format("2006-01-02 15:04 UTC"))
	if right, called, doubts := s.DoubtsWorse(); doubts {
		w.line("%s\n",
			fmt.Sprintf(w.of("**Of %d answers that this judge called worse, readers called %d worse: read such an answer before you decide.**",
				"**この評価モデルが「悪化」とした回答%d件のうち、読み手も「悪化」としたのは%d件です。"+
					"判断の前に回答を読んでください。**"), called, right))
	}
	w.line("| %s | %s | %s | %s | %s |\n|---|---|---|---|---|", w.of("word", "判定"), w.of("precision", "適合率"), w.of("recall", "再現率"),
		w.of("readers say so", "読み手の判定"), w.of("the judge says so", "評価モデルの判定"))
	for _, row := range []struct {
		word  compare.Label
		score WordScore
	}{{compare.Worse, s.Worse}, {compare.Better, s.Better}} {
		w.line("| %s | %s | %s | %d | %d |", row.word.Word(w.lang), shareCell(row.score.Precision), shareCell(row.score.Recall),
			row.score.N, row.score.Called)
	}
	w.confusion(s)
	if a := s.Agreement; a != nil {
		w.line("\n%s", fmt.Sprintf(w.of("Two readers agree on %d of %d pairs (kappa %.2f).",
			"二人の読み手の判定が一致したのは%d件（%d件中、κ = %.2f）です。"),
			a.Same, a.Pairs, a.Kappa))
	}
	if s.Lost > 0 {
		var list []string
		for _, why := range slices.Sorted(maps.Keys(s.LostWhy)) {
			list = append(list, fmt.Sprintf(w.of("%s (%d)", "%s（%d組）"), w.because(why), s.LostWhy[why]))
		}
		w.line(w.of("\nLost: %d — %s", "\n除外：%d組 — %s"), s.Lost, strings.Join(list, w.of("; ", "、")))
	}
}

// confusion is the table of readers' words by the judge's.
func (w *cardWriter) confusion(s *VerdictScore) {
	words := []compare.Label{compare.Worse, compare.Mixed, compare.NoChange, compare.Better}
	heads := []string{w.of("readers ↓, judge →", "読み手 ↓・評価モデル →")}
	for _, said := range words {
		heads = append(heads, said.Word(w.lang))
	}
	w.line("\n| %s |\n|---|---|---|---|---|", strings.Join(heads, " | "))
	for _, readers := range words {
		cells := []string{readers.Word(w.lang)}
		for _, said := range words {
			cells = append(cells, fmt.Sprint(s.Confusion[readers][said]))
		}
		w.line("| %s |", strings.Join(cells, " | "))
	}
}

func shareCell(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f", *v)
}
