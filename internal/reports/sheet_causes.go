package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// causeSheet says why answers are low-score answers: sorted bars, the pattern table, what to change, and what moved since before.
func (b *book) causeSheet() {
	c := b.canvas(b.sheetName("sheet.causes"), 11)
	defer func() { c.close(paper{}) }()
	r := b.Causes
	if r == nil {
		c.top(b.words.Say("causes.title"))
		c.notRun(b.causeText().causesMissing())
		c.causeMoves()
		return
	}
	c.top(b.words.Say("causes.title"))
	if r.Offline { // before what it qualifies
		c.say("⚠ "+b.text(b.found.Judge.Text), spreadsheet.Look{Bold: true, Color: spreadsheet.AmberInk, Fill: spreadsheet.Amber,
			Box: true})
	}
	for _, text := range []string{spreadsheet.Clean(b.each(r.Summary.In)), b.text(b.found.Causes.Text),
		b.words.Say("causes.counted", "diagnosed", r.Diagnosed, "low", r.LowScores, "failed", r.Failed)} {
		c.say(text, spreadsheet.Look{Color: spreadsheet.Faded})
	}
	if text := b.causeText().referenceNeed(); text != "" {
		c.say(text, note())
	}
	c.causeBars()
	c.patternTable()
	c.workedExamples()
	c.recommendations()
	c.causeMoves()
}

// causeBars draws components and data-level causes as bars beside each other, and their table.
func (c *canvas) causeBars() {
	counts := c.causeText().componentCounts()
	if len(counts) == 0 {
		c.say(c.noLow(), spreadsheet.Look{})
		return
	}
	components := make([]bar, len(counts))
	var levels []bar
	at := map[causes.DataCause]int{}
	for i, n := range counts {
		components[i] = n.bar(c.causeText().component(n.component))
		if _, ok := at[n.data]; !ok {
			at[n.data] = len(levels)
			levels = append(levels, bar{name: c.causeText().level(n.component)}) // what is proven comes first
		}
		level := &levels[at[n.data]]
		level.low, level.open = level.low+components[i].low, level.open+components[i].open
	}
	sorted(levels)
	c.open("section.causes")
	top := c.row
	c.barChart(1, half, c.words.Say("bars.data"), levels, false)
	end := c.row
	c.row = top
	c.barChart(half+1, half, c.words.Say("bars.component"), components, false)
	c.row = max(c.row, end)
	c.gap(6)
	defer c.named("Causes")()
	c.header(field{first: 1, last: 2, value: "col.component"}, field{first: 3, last: 4, value: "col.data"},
		field{first: 5, last: 5, value: "col.count"},
		field{first: 6, last: 9, value: "col.meaning"}, field{first: 10, last: frame, value: "col.examples"})
	for _, n := range counts {
		c.line(field{1, 2, c.causeText().component(n.component), nameLook}, field{3, 4, c.causeText().level(n.component),
			proseLook}, field{5, 5, n.n, sizeLook},
			field{6, 9, c.meaning(n.component), proseLook}, field{10, frame, spreadsheet.Clean(examples(n.questions)), proseLook})
	}
}

// meaning says what a cause says of the system, a line for each way in which it is known.
func (f *content) meaning(component causes.Component) string {
	list := slices.DeleteFunc(slices.Clone(f.found.Causes.List), func(x findings.Cause) bool { return x.Code != string(component) })
	return f.each(func(lang string) string {
		words, out := wording.Catalogues()[lang], make([]string, len(list))
		for i, x := range list {
			out[i] = capital(x.How.In(lang)) + words.Say("word.colon") + x.Text.In(lang)
			if len(list) > 1 { // each line speaks of its own answers
				out[i] = words.Say("word.aside", "text", out[i], "aside", strconv.Itoa(x.N))
			}
		}
		return strings.Join(out, "\n")
	})
}

// examples are the first ids of a list.
func examples(ids []string) string {
	const most = 6
	if len(ids) <= most {
		return strings.Join(ids, ", ")
	}
	return strings.Join(ids[:most], ", ") + ", …"
}

// patternTable is the table of patterns by corner (table 4 of the founding paper).
func (c *canvas) patternTable() {
	if len(c.Causes.Patterns) == 0 {
		return
	}
	c.open("section.patterns")
	heads := []field{{first: 1, last: 4, value: c.words.Say("col.pattern")}}
	for i, corner := range findings.Corners() {
		heads = append(heads, field{first: 5 + 2*i, last: 6 + 2*i, value: c.causeText().corner(corner)})
	}
	c.headings(heads...)
	found := map[causes.PatternCount]int{}
	for _, n := range c.Causes.Patterns {
		found[causes.PatternCount{Corner: n.Corner, Pattern: n.Pattern}] += n.Count
		found[causes.PatternCount{Pattern: n.Pattern}] += n.Count
	}
	patterns := slices.DeleteFunc(findings.Patterns(), func(p causes.Pattern) bool { return found[causes.PatternCount{Pattern: p}] == 0 })
	for _, p := range patterns {
		fields := []field{{1, 4, c.causeText().pattern(p), nameLook}}
		for i, corner := range findings.Corners() {
			fields = append(fields, field{5 + 2*i, 6 + 2*i, found[causes.PatternCount{Corner: corner, Pattern: p}],
				spreadsheet.Look{Format: `0;-0;"·"`, Align: "center"}})
		}
		c.line(fields...)
	}
	if by := c.Causes.PatternsBy; by.EN != "" {
		c.say(spreadsheet.Clean(c.each(by.In)), note())
	}
	for _, p := range patterns {
		c.say(c.each(func(lang string) string {
			return capital(p.Word(lang)) + wording.Catalogues()[lang].Say("word.colon") + findings.Word(lang, "means."+string(p))
		}), note())
	}
}

// workedExamples tells one answer of each of the most frequent causes through.
func (c *canvas) workedExamples() {
	if len(c.Causes.Examples) == 0 {
		return
	}
	c.open("section.examples")
	for i, told := range c.content.causeText().workedExamples() {
		if i > 0 {
			c.gap(6)
		}
		c.headings(field{first: 1, last: frame, value: told.title})
		for _, part := range told.parts {
			c.line(field{1, 2, part[0], nameLook}, field{3, frame, part[1], spreadsheet.Look{Wrap: true, Size: 9}})
		}
	}
}

// recommendations lists the changes, the first choice first, below bars of what they do to the whole run.
func (c *canvas) recommendations() {
	c.open("section.repairs")
	if len(c.Causes.Recommendations) == 0 {
		c.say(c.overviewText().recommended()[0], spreadsheet.Look{})
		return
	}
	beside := c.repairBars()
	defer c.named("Recommendations")()
	c.header(field{first: 1, last: 3, value: "col.change"}, field{first: 4, last: 5, value: "col.heals"},
		field{first: 6, last: 6, value: "col.low_answers"},
		field{first: 7, last: 7, value: "col.at_risk"}, field{first: 8, last: 8, value: "col.context_cost"},
		field{first: 9, last: frame, value: "col.rationale"})
	for _, r := range c.Causes.Recommendations {
		risk := field{7, 7, c.words.Say("figure.none"), dashLook}
		if r.Outcome != nil {
			risk = field{7, 7, c.words.Say("word.tried"), spreadsheet.Look{Align: "center", Color: spreadsheet.Faded, Wrap: true, Size: 9}}
		} else if r.Good > 0 {
			risk = field{7, 7, len(r.AtRisk), counted(len(r.AtRisk), checkLook)}
		}
		expected := field{4, 5, c.causeText().healed(r), spreadsheet.Look{Align: "center", Wrap: true, Size: 9}}
		c.line(field{1, 3, c.changeNames(r), nameLook}, expected, field{6, 6, r.LowScores, sizeLook}, risk,
			field{8, 8, r.ContextCost(), spreadsheet.Look{Format: `0.0"×"`, Align: "center"}},
			field{9, frame, spreadsheet.Clean(c.each(r.Rationale.In)), spreadsheet.Look{Wrap: true, Size: 9}})
	}
	if beside != "" {
		c.say(beside, note())
	}
	if c.Causes.Choice.EN != "" {
		c.say(spreadsheet.Clean(c.each(c.Causes.Choice.In)), note())
	}
}

// repairBars draws how many low-score answers fewer there are in all with each configuration: first those of the table, in its order, then
// the others that were looked at. It says below the table in what the two differ; "" where they show the same.
func (c *canvas) repairBars() (beside string) {
	points, others := c.Causes.Curve, 0
	if len(points) < 2 {
		return ""
	}
	place := func(p causes.RepairPoint) int {
		key := causes.Recommendation{Repair: p.Changes[0], With: p.Changes[1:]}.Key()
		at := slices.IndexFunc(c.Causes.Recommendations, func(r causes.Recommendation) bool { return r.Key() == key })
		if at < 0 {
			return len(c.Causes.Recommendations)
		}
		return at
	}
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(x, y causes.RepairPoint) int { return cmp.Compare(place(x), place(y)) })
	points = points[:min(mostBars, len(points))]
	bars, told := make([]bar, 0, len(points)), 0
	for _, p := range points {
		if place(p) == len(c.Causes.Recommendations) {
			others++
		} else {
			told++
		}
		name := fmt.Sprintf("×%.1f %s", p.Cost, c.causeText().changeSet(causes.Recommendation{Repair: p.Changes[0], With: p.Changes[1:]}))
		if !p.Tried {
			name = "? " + name
		}
		if p.Recommended {
			name = "★ " + name
		}
		bars = append(bars, bar{name: name, fewer: true, low: int(math.Round(p.Repaired))})
	}
	c.barChart(1, frame, c.words.Say("bars.curve"), bars, false)
	c.gap(6)
	return c.each(func(lang string) string {
		var out []string
		if others > 0 {
			out = append(out, wording.Catalogues()[lang].Say("repair.others", "n", len(bars), "others", others))
		}
		if told < len(c.Causes.Recommendations) {
			out = append(out, wording.Catalogues()[lang].Say("repair.no_bar"))
		}
		return strings.Join(out, map[string]string{"en": " "}[lang])
	})
}

// changeNames are the changes of a recommended configuration, a line for each.
func (c *canvas) changeNames(r causes.Recommendation) string {
	var out []string
	for _, change := range r.Changes() {
		out = append(out, c.repairName(change))
	}
	return strings.Join(out, "\n")
}

func (c *canvas) repairName(r causes.Repair) string {
	if r.Expensive {
		return c.repairOf(r) + "\n" + c.words.Say("repair.expensive")
	}
	return c.repairOf(r)
}

func (c *canvas) repairOf(r causes.Repair) string { return c.content.causeText().repair(r) }

// counted gives a number its colour only when there is something to count.
func counted(n int, l spreadsheet.Look) spreadsheet.Look {
	if n == 0 {
		return sizeLook
	}
	l.Format = "0"
	return l
}

// causeMoves is what became of the causes since the baseline: the paper's table 5, and who went from which cause to which.
func (c *canvas) causeMoves() {
	if c.Comparison == nil {
		return
	}
	c.open("section.moves")
	switch {
	case c.found.Low.Untold.EN != "", c.rule.Own && c.found.Causes.Low > 0:
		c.notRun(c.causeText().causesMissing())
		return
	case len(c.CauseChanges)+len(c.CauseMoves) == 0:
		c.notRun(c.causeText().movesMissing())
		return
	}
	if len(c.CauseChanges) > 0 {
		write := c.named("CauseChanges")
		c.header(field{first: 1, last: 3, value: "col.data"}, field{first: 4, last: 6, value: "col.component"},
			field{first: 7, last: 9, value: "col.category"},
			field{first: 10, last: 10, value: "col.before"}, field{first: 11, last: 11, value: "col.after"},
			field{first: 12, last: 12, value: "col.difference"})
		for _, m := range c.CauseChanges {
			l := spreadsheet.Look{Format: "+0;-0;0", Align: "center"}
			if m.After < m.Before {
				l.Color, l.Fill, l.Bold = spreadsheet.GoodInk, spreadsheet.GoodFill, true
			} else if m.After > m.Before {
				l.Color, l.Fill, l.Bold = spreadsheet.LowInk, spreadsheet.LowFill, true
			}
			category := c.causeText().known("category.", m.Category)
			if category == "" {
				category = c.words.Say("word.none")
			}
			c.line(field{1, 3, c.causeText().level(m.Component), proseLook}, field{4, 6, c.causeText().component(m.Component), nameLook},
				field{7, 9, category, proseLook},
				field{10, 10, m.Before, sizeLook}, field{11, 11, m.After, sizeLook}, field{12, 12, m.After - m.Before, l})
		}
		write()
	}
	if len(c.CauseMoves) > 0 {
		c.gap(6)
		defer c.named("CauseMoves")()
		c.header(field{first: 1, last: 3, value: "col.from"}, field{first: 4, last: 6, value: "col.to"},
			field{first: 7, last: 7, value: "col.count"},
			field{first: 8, last: frame, value: "col.examples"})
		for _, m := range c.CauseMoves {
			c.line(field{1, 3, c.state(m.From), proseLook}, field{4, 6, "→ " + c.state(m.To), nameLook}, field{7, 7, m.Count, sizeLook},
				field{8, frame, spreadsheet.Clean(examples(m.Questions)), proseLook})
		}
	}
}

// state is a component, or a good answer, in words.
func (c *canvas) state(s string) string {
	switch s {
	case causes.GoodAnswer:
		return c.words.Say("word.good")
	case causes.UnknownCause:
		return c.words.Say("word.not_analysed")
	}
	return c.causeText().component(causes.Component(s))
}

func (s *side) runID() string {
	if s == nil {
		return ""
	}
	return s.run.ID
}
