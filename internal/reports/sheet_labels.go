package reports

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// labelSheet says what the questions are about and which kinds fail: bars sorted by low-score answers, and what is not tested.
func (b *book) labelSheet() {
	c := b.canvas(b.sheetName("sheet.labels"), 11)
	defer func() { c.close(paper{}) }()
	r := b.Questions
	if r == nil {
		c.top(b.words.Say("labels.title"))
		c.notRun(b.words.Say("labels.missing", "command", b.causeText().command("questions", b.after.run.ID)))
		if bars := c.tagBars(); len(bars) > 0 {
			c.open("section.tags")
			c.labelBars("bars.tags", bars)
		}
		return
	}
	c.top(b.words.Say("labels.title"))
	if r.Offline {
		c.say("⚠ "+b.words.Say("badge.offline_labels"), spreadsheet.Look{Bold: true, Color: spreadsheet.AmberInk, Fill: spreadsheet.Amber,
			Box: true})
	}
	c.say(b.words.Say("labels.note", "n", len(r.Questions)), spreadsheet.Look{Color: spreadsheet.Faded})
	if len(r.Warnings) > 0 {
		c.open("section.untested")
		for _, w := range r.Warnings {
			c.say("• "+spreadsheet.Clean(b.each(w.Text.In)), spreadsheet.Look{})
		}
	}
	for _, part := range []struct {
		section, title string
		name           func(id string) string
		counts         []questions.LabelCount
	}{
		{"section.categories", "bars.category", func(id string) string { return b.causeText().known("category.", id) }, r.Categories},
		{"section.themes", "bars.theme", b.causeText().theme, r.Themes},
		{"section.keywords", "bars.keyword", func(id string) string { return id }, r.Keywords},
	} {
		if len(part.counts) > 0 {
			apart := part.section == "section.themes" && c.summaryThemes() != ""
			if apart {
				c.themesApart()
			}
			c.open(part.section)
			if apart {
				c.say(c.words.Say("labels.themes_analysed"), note())
			}
			c.labelBars(part.title, labelled(part.counts, part.name))
		}
	}
	for _, id := range sortedKeys(r.Further) {
		c.heading(1, frame, spreadsheet.Clean(b.taxonomy(id)))
		c.row++
		c.labelBars("bars.label", labelled(r.Further[id], func(label string) string { return b.causeText().labelName(id, label) }))
	}
}

// taxonomy is the name of a taxonomy.
func (f *content) taxonomy(id string) string {
	if i := slices.IndexFunc(f.Taxonomies, func(t taxonomy) bool { return t.ID == id }); i >= 0 {
		return wording.Worded(f.Taxonomies[i].EN, f.Taxonomies[i].JA, f.Lang)
	}
	return id
}

// labelled turns counts into bars.
func labelled(counts []questions.LabelCount, name func(id string) string) []bar {
	bars := make([]bar, len(counts))
	for i, n := range counts {
		bars[i] = bar{name: spreadsheet.Clean(name(n.Label)), low: n.Low, rest: max(0, n.Count-n.Low)}
	}
	sorted(bars)
	return bars
}

// sorted puts the bars with most low-score answers first, then the longer ones.
func sorted(bars []bar) {
	slices.SortStableFunc(bars, func(a, b bar) int {
		return cmp.Or(b.low-a.low, b.open-a.open, b.rest-a.rest)
	})
}

// tagBars are the themes that the dataset's own tags name: with their low-score answers, or all that are asked where nobody can tell which
// these are.
func (f *content) tagBars() []bar {
	var bars []bar
	for _, t := range f.found.Asked {
		bars = append(bars, bar{name: f.text(t.Name), rest: t.Asked})
	}
	for _, t := range f.found.Themes {
		bars = append(bars, bar{name: f.text(t.Name), low: t.Low, rest: t.Rated - t.Low})
	}
	sorted(bars)
	return bars
}

// themesApart shows the themes that the summary counts, where those of the question analysis are others: a question that carries a theme
// as a tag need not be of the theme of that name in the analysis.
func (c *canvas) themesApart() {
	c.open("section.themes_summary", "by", c.summaryThemes())
	c.labelBars("bars.tags", c.tagBars())
}

// summaryThemes says by what the summary counts themes; "" where it counts as the question analysis does.
func (f *content) summaryThemes() string {
	tagged, found := false, false
	labels := map[string]bool{}
	if f.Questions != nil {
		for _, l := range f.Questions.Questions {
			labels[l.QuestionID] = l.Theme != ""
		}
	}
	for _, q := range f.Candidate.Questions {
		tag := slices.ContainsFunc(q.Tags, func(t string) bool { return strings.HasPrefix(t, "theme:") })
		tagged, found = tagged || tag, found || !tag && labels[q.ID]
	}
	switch {
	case !tagged:
		return ""
	case found:
		return f.text(findings.ThemeBy("both"))
	}
	return f.text(findings.ThemeBy("tags"))
}

// mostLabels is how many lines a table of labels has.
const mostLabels = 30

// labelBars draws bars with their table beside them.
func (c *canvas) labelBars(title string, bars []bar) {
	top := c.row
	c.barChart(1, half, c.words.Say(title), bars, true)
	end := c.row
	c.row = top
	c.header(field{first: half + 1, last: 9, value: "col.label_name"}, field{first: 10, last: 10, value: "col.low_answers"},
		field{first: 11, last: 11, value: "col.questions"}, field{first: 12, last: 12, value: "col.share"})
	for _, b := range bars[:min(mostLabels, len(bars))] {
		all := b.low + b.rest
		share := field{12, 12, c.words.Say("word.none"), dashLook}
		if all > 0 { // of no questions there is no share
			share = field{12, 12, float64(b.low) / float64(all), spreadsheet.Look{Format: "0%", Align: "center"}}
		}
		low := field{10, 10, b.low, counted(b.low, badLook)}
		if c.undefined() { // which of them are low nobody can tell
			low, share.value = field{10, 10, c.words.Say("word.none"), dashLook}, c.words.Say("word.none")
		}
		c.line(field{half + 1, 9, b.name, nameLook}, low, field{11, 11, all, sizeLook}, share)
	}
	if more := len(bars) - mostLabels; more > 0 {
		c.put(half+1, frame, c.words.Say("labels.more", "n", more), note())
		c.row++
	}
	c.row = max(c.row, end)
}
