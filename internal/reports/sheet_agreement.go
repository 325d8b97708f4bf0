package reports

import (
	"cmp"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// agreementSheet says what was agreed and where it stands: targets, actions, what is left alone on purpose, what nobody decided on.
func (b *book) agreementSheet() {
	c := b.canvas(b.sheetName("sheet.agreement"), 11)
	a := b.agreed.Agreement
	c.top(b.words.Say("agreement.title"))
	if a.Version == 0 {
		c.notRun(b.text(b.found.Agreed.Text))
	} else {
		c.say(b.words.Say("agreed.by", "names", spreadsheet.Clean(b.causeText().list(a.AgreedBy)), "date",
			cmp.Or(spreadsheet.Clean(a.AgreedOn), b.words.Say("word.none")), "version", a.Version), spreadsheet.Look{Bold: true})
		c.say(b.words.Say("agreed.threshold", "line", b.each(experiments.UsualLow(b.agreed.LowScore).Short)), spreadsheet.Look{})
		if a.RunID != "" {
			c.say(b.words.Say("agreed.run", "run", a.RunID), spreadsheet.Look{})
		}
		if a.Note != "" {
			c.say(spreadsheet.Clean(a.Note), spreadsheet.Look{Italic: true})
		}
	}
	switch {
	case b.rule.Own && a.Version == 0: // nothing that would not apply
	case b.rule.Own:
		c.notRun(b.words.Say("agreed.own_low", "line", b.lowLine()))
	case b.undefined() && a.Version > 0:
		c.notRun(b.text(b.found.Agreed.Line))
	case b.ownLine():
		c.notRun(b.words.Say("agreed.other_threshold", "agreed", plain(b.agreed.LowScore), "run", plain(b.threshold)))
	}
	c.targets()
	c.items()
	if n := len(b.agreed.Open); n > 0 && a.Version > 0 {
		c.open("section.open")
		code := "agreed.open"
		if n == b.agreed.Low {
			code = "agreed.open_all"
		}
		c.say(b.words.Say(code, "n", n, "low", b.agreed.Low)+" "+spreadsheet.Clean(examples(b.agreed.Open)), spreadsheet.Look{})
	}
	c.close(paper{})
}

func (c *canvas) targets() {
	if len(c.agreed.Targets) == 0 {
		return
	}
	c.open("section.targets")
	defer c.named("AgreedTargets")()
	c.header(
		field{first: 1, last: 3, value: "col.theme"}, field{first: 4, last: 6, value: "col.metric"},
		field{first: 7, last: 7, value: "col.target"},
		field{first: 8, last: 8, value: "col.actual"}, field{first: 9, last: 9, value: "col.scored"},
		field{first: 10, last: 10, value: "col.met"},
		field{first: 11, last: 12, value: "col.owner_due"},
	)
	for _, t := range c.agreed.Targets {
		scope := c.causeText().list([]string{c.causeText().agreedTheme(t.Target.Theme, t.By),
			c.causeText().known("category.", t.Target.Category)})
		format := "0." + strings.Repeat("0", t.Decimals())
		if t.Share {
			format += "%"
		}
		limit := `"≥ "`
		if t.AtMost {
			limit = `"≤ "`
		}
		actual := field{8, 8, c.words.Say("word.not_measured"), spreadsheet.Look{Align: "center", Color: spreadsheet.Faded, Wrap: true}}
		result := field{10, 10, c.words.Say("word.none"), dashLook}
		if t.Now != nil {
			actual = field{8, 8, *t.Now, spreadsheet.Look{Format: format, Align: "center"}}
			switch t.State {
			case progress.TargetMet:
				result = field{10, 10, c.words.Say("word.met"), goodLook}
			case progress.TargetMissed:
				result = field{10, 10, c.words.Say("word.missed"), badLook}
			case progress.TargetNotMeasured:
			}
		}
		c.line(
			field{1, 3, cmp.Or(spreadsheet.Clean(scope), c.words.Say("word.all")), nameLook},
			field{4, 6, c.title(t.Target.Metric), proseLook},
			field{7, 7, t.Target.Target, spreadsheet.Look{Format: limit + format, Align: "center"}}, actual,
			field{9, 9, t.N, sizeLook}, result,
			field{11, 12, c.causeText().list([]string{spreadsheet.Clean(t.Target.Owner),
				spreadsheet.Clean(cmp.Or(t.Target.Due, t.Target.AgreedOn))}), proseLook},
		)
	}
}

func (c *canvas) items() {
	if len(c.agreed.Items) == 0 {
		return
	}
	c.open("section.items")
	defer c.named("AgreedActions")()
	c.header(
		field{first: 1, last: 3, value: "col.group"}, field{first: 4, last: 7, value: "col.action"},
		field{first: 8, last: 8, value: "col.priority"},
		field{first: 9, last: 10, value: "col.owner_due"}, field{first: 11, last: 12, value: "col.standing"},
	)
	for _, i := range c.agreed.Items {
		p := c.causeText().item(i)
		l := checkLook
		if p.good {
			l = goodLook
		} else if p.bad {
			l = badLook
		}
		action := spreadsheet.Clean(i.Item.Action)
		if i.Item.OutOfScope {
			action = c.words.Say("agreed.scope", "why", spreadsheet.Clean(i.Item.Why))
		}
		priority := c.words.Say("word.none")
		if i.Item.Priority != "" {
			priority = c.causeText().known("priority.", string(i.Item.Priority))
		}
		c.line(
			field{1, 3, c.causeText().group(i), nameLook}, field{4, 7, action, proseLook}, field{8, 8, priority, markLook},
			field{9, 10, p.who, proseLook}, field{11, 12, p.state, l},
		)
	}
}
