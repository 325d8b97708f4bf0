package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestTheThemesOfTheSummaryStandOnTheSheet: where the question analysis counts other themes than the tags, the sheet of questions has the
// summary's own numbers, counted here from the tags, and says why the others differ.
func TestTheThemesOfTheSummaryStandOnTheSheet(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string][4]string{
		"en": {"Questions", "Themes as the summary counts them, by the dataset's tags", "Themes, by the question analysis", "its numbers differ"},
		"ja": {"質問の分析", "概要で数えているテーマ（データセットのタグによる）", "テーマ（質問の分析による）",
			"件数も異なります"},
	} {
		r := analysed(sample(lang))
		want := map[string][2]int{}
		answered, _ := experiments.Standing(r.Candidate.Results)
		for _, q := range r.Candidate.Questions {
			at := slices.IndexFunc(answered, func(a experiments.Result) bool { return a.QuestionID == q.ID })
			for _, tag := range q.Tags {
				if theme, ok := strings.CutPrefix(tag, "theme:"); ok && answered[at].Rated(r.Candidate.Run.Setup.LowRule()) {
					n := want[theme]
					if n[1]++; answered[at].Low(r.Candidate.Run.Setup.LowRule()) {
						n[0]++
					}
					want[theme] = n
				}
			}
		}
		rows, got, inside, said := rowsOf(t, open(t, r), words[0]), map[string]string{}, false, false
		for _, row := range rows {
			line := strings.Join(row, "|")
			switch {
			case slices.Contains(row, words[1]):
				inside = true
			case slices.Contains(row, words[2]):
				inside = false
			}
			said = said || strings.Contains(line, words[3])
			if inside {
				got[line] = line
			}
		}
		for theme, n := range want {
			found := false
			at := slices.IndexFunc(r.Taxonomies, func(t experiments.Taxonomy) bool { return t.ID == "theme" })
			for _, l := range r.Taxonomies[at].Labels {
				if l.ID == theme {
					theme = map[string]string{"en": l.EN, "ja": l.JA}[lang]
					break
				}
			}
			for line := range got {
				found = found || strings.Contains(line, fmt.Sprintf("|%s||", theme)) &&
					strings.Contains(line, fmt.Sprintf("|%d|%d|", n[0], n[1]))
			}
			if !found {
				t.Errorf("%s: %s, %d of %d is not in %q", lang, theme, n[0], n[1], got)
			}
		}
		if len(want) == 0 || !said {
			t.Errorf("%s: %d themes; told why numbers differ: %t", lang, len(want), said)
		}
		r.Questions = nil
		for _, row := range rowsOf(t, open(t, r), words[0]) {
			if strings.Contains(strings.Join(row, ""), words[3]) {
				t.Errorf("%s: of one way of counting another one is told: %q", lang, row)
			}
		}
	}
}
