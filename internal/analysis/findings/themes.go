package findings

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// Theme is a theme with its answers. A question has the theme of its tag "theme:…", else that of its analysis; there is no other
// definition.
type Theme struct {
	ID    string `json:"id"`
	Name  Text   `json:"name"`
	Rated int    `json:"rated"`
	Low   int    `json:"low"`
	Asked int    `json:"-"` // of [Findings.Asked] alone
	Text  Text   `json:"text"`
	Above bool   `json:"-"` // no smaller a share of its questions has a low score than of all questions
}

// themes are the themes with rated answers: most low-score answers first, then the larger share of them, then by name.
func (b *builder) themes() []Theme {
	labels := b.questionLabels()
	out, at := []Theme{}, map[string]int{}
	all, low := 0, 0
	for i := range b.in.Candidate.Questions {
		q := &b.in.Candidate.Questions[i]
		r := b.after[q.ID]
		id := themeOf(q, labels)
		if r == nil || !r.Rated(b.rule) || b.asked[q.ID] != q { // further votes name their question once more
			continue
		}
		all++
		if r.Low(b.rule) {
			low++
		}
		if id == "" {
			continue
		}
		i, known := at[id]
		if !known {
			i = len(out)
			at[id] = i
			out = append(out, Theme{ID: id, Name: b.label("theme", id)})
		}
		out[i].Rated++
		if r.Low(b.rule) {
			out[i].Low++
		}
	}
	slices.SortStableFunc(out, func(x, y Theme) int {
		return cmp.Or(cmp.Compare(y.Low, x.Low), cmp.Compare(x.Rated, y.Rated), strings.Compare(x.ID, y.ID))
	})
	by := b.themesBy(labels)
	for i := range out {
		t := &out[i]
		t.Above = t.Low*all >= low*t.Rated && t.Low > 0
		code, n := "theme.low", equals(out, t.Low)-1
		switch {
		case !t.Above || len(out) == 1:
		case t.Low < out[0].Low:
			code = "theme.above"
		case n > 0:
			code = "theme.tied"
		default:
			code = "theme.most"
		}
		t.Text = say(code, "n", n, "theme", t.Name, "by", by[t.ID].text(), "low", t.Low, "rated", t.Rated,
			"share", share(float64(t.Low)/float64(t.Rated)), "all", share(float64(low)/float64(max(1, all))))
	}
	return out
}

// askedThemes are the themes with how many questions they have, the larger ones first: all that there is to count where nobody can tell
// which answers are low.
func (b *builder) askedThemes() (out []Theme) {
	labels, at := b.questionLabels(), map[string]int{}
	for i := range b.in.Candidate.Questions {
		q := &b.in.Candidate.Questions[i]
		id := themeOf(q, labels)
		if id == "" || b.asked[q.ID] != q { // further votes name their question once more
			continue
		}
		i, known := at[id]
		if !known {
			i = len(out)
			at[id] = i
			out = append(out, Theme{ID: id, Name: b.label("theme", id)})
		}
		out[i].Asked++
	}
	slices.SortStableFunc(out, func(x, y Theme) int {
		return cmp.Or(cmp.Compare(y.Asked, x.Asked), strings.Compare(x.ID, y.ID))
	})
	return out
}

// equals counts the themes with so many low-score answers.
func equals(list []Theme, low int) (n int) {
	for _, t := range list {
		if t.Low == low {
			n++
		}
	}
	return n
}

// Trouble is the theme to look at first: of those where no smaller a share of the questions has a low score than of all questions, the one
// with the most low-score answers. A large theme that is better than the whole is none.
func (f Findings) Trouble() (Theme, bool) {
	i := slices.IndexFunc(f.Themes, func(t Theme) bool { return t.Above })
	if i < 0 {
		return Theme{}, false
	}
	return f.Themes[i], true
}

// themeBy says by which of the two classifications questions have a theme: by tags of the dataset, or by the question analysis. They have
// names of their own and count differently, so that a number of one is never read as the other's.
type themeBy struct{ tagged, found bool }

func (t themeBy) text() Text { return classifiedBy(t.tagged, t.found) }

// themesBy are the classifications by theme.
func (b *builder) themesBy(labels map[string]experiments.QuestionLabels) map[string]themeBy {
	out := map[string]themeBy{}
	for _, q := range b.asked {
		id := themeOf(q, labels)
		by := out[id]
		if tagged := themeOf(q, nil) == id; tagged && !by.tagged || !tagged && !by.found {
			out[id] = themeBy{by.tagged || tagged, by.found || !tagged}
		}
	}
	return out
}

// ThemeBy names the classification that says which questions an agreed theme has: "tags", "analysis" or "both".
func ThemeBy(by string) Text { return classifiedBy(by != "analysis", by != "tags") }

// ClassifiedBy names the classification that the rows of a list are of, where what the question analysis found comes before the tags of
// the dataset.
func ClassifiedBy(tagged, found bool) Text {
	if tagged && found {
		return say("theme.by_analysis_else_tags")
	}
	return classifiedBy(tagged, found)
}

// classifiedBy names the classification of questions of which some are tagged and some were found by the question analysis.
func classifiedBy(tagged, found bool) Text {
	switch {
	case tagged && found:
		return say("theme.by_both")
	case tagged:
		return say("theme.by_tags")
	}
	return say("theme.by_analysis")
}

func themeOf(q *experiments.Question, labels map[string]experiments.QuestionLabels) string {
	if theme, ok := q.Theme(); ok {
		return theme
	}
	return labels[q.ID].Theme
}

// label is the name of a taxonomy's label for people; its id where nobody named it.
func (b *builder) label(taxonomy, id string) Text { return labelOf(b.in.Taxonomies, taxonomy, id) }

// TargetTitle is what a target bounds, as people read it: the metric, and the theme that it is agreed for.
func TargetTitle(metric, theme string, taxonomies []experiments.Taxonomy) Text {
	what := MetricTitle(metric)
	if theme == "" {
		return what
	}
	return say("overdue.of_theme", "what", what, "theme", labelOf(taxonomies, "theme", theme))
}

func labelOf(taxonomies []experiments.Taxonomy, taxonomy, id string) Text {
	if id == experiments.OtherLabel {
		return say("word.other")
	}
	for _, t := range taxonomies {
		if t.ID != taxonomy {
			continue
		}
		for _, l := range t.Labels {
			if l.ID == id {
				return Text{EN: cmp.Or(l.EN, l.JA, id), JA: cmp.Or(l.JA, l.EN, id)}
			}
		}
	}
	return plain(id)
}
