package reports

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/stats"
)

// command is a line to type, with an argument that may be data.
func (f causeText) command(verb, argument string) string {
	if argument == "" {
		argument = "…"
	}
	return "workbench " + verb + " " + argument
}

// causesMissing says that causes were not analysed and how to do it, or why there are none to look for; "" when they were.
func (f causeText) causesMissing() string {
	switch {
	case f.Causes != nil:
		return ""
	case f.found.Low.Untold.EN != "" || f.rule.Own && f.found.Causes.Low > 0:
		return f.text(f.found.Causes.Text)
	}
	return f.words.Say("causes.missing", "command", f.command("diagnose", f.after.run.ID))
}

// movesMissing says why causes before and after do not stand side by side, and what to do where something can be done: what was diagnosed
// already is not asked for again.
func (f causeText) movesMissing() string {
	before, after := f.command("diagnose", f.before.runID()), f.command("diagnose", f.after.run.ID)
	switch was, is := f.BaselineCauses, f.Causes; {
	case was == nil && is == nil:
		return f.words.Say("causes.moves_missing", "command", before, "other", after)
	case was == nil:
		return f.words.Say("causes.moves_missing_before", "command", before)
	case is == nil:
		return f.words.Say("causes.moves_missing_after", "command", after)
	case was.Method != is.Method:
		return f.words.Say("causes.moves_methods", "before", f.each(was.Method.Word), "after", f.each(is.Method.Word))
	}
	return f.words.Say("causes.moves_none")
}

// referenceNeed says for how many answers a reference model would decide, and how; "" where none waits for one.
func (f causeText) referenceNeed() string {
	if f.Causes == nil || f.Causes.NeedsReference == nil {
		return ""
	}
	return spreadsheet.Clean(f.each(f.Causes.NeedsReference.Text.In))
}

// bar is the count as one line of a chart.
func (n componentCount) bar(name string) bar {
	if n.open {
		return bar{name: name, open: n.n}
	}
	return bar{name: name, low: n.n}
}

// component is a component-level cause in words.
func (f causeText) component(c causes.Component) string { return f.each(c.Word) }

// level is the data-level cause of a component in words.
func (f causeText) level(c causes.Component) string { return f.each(c.Level) }

// data is a data-level cause in words.
func (f causeText) data(c causes.DataCause) string { return f.each(c.Word) }

// pattern and corner say how an answer fails.
func (f causeText) pattern(p causes.Pattern) string { return capital(f.each(p.Word)) }
func (f causeText) corner(c causes.Corner) string   { return capital(f.each(c.Word)) }

// causeWord is the word for a code of the cause analysis.
func (f causeText) causeWord(code string) string {
	return f.each(func(lang string) string { return causes.CauseWords(lang)[code] })
}

// known is the word for a code; the code itself where we have none.
func (f causeText) known(prefix, code string) string {
	if word, ok := f.words[prefix+code]; ok {
		return word
	}
	return code
}

// componentCount is a bar: low-score answers of one component, whatever the parameter.
type componentCount struct {
	component causes.Component
	data      causes.DataCause
	n         int
	open      bool // no cause is proven
	questions []string
}

// componentCounts puts the counts of a component together, in the order of the report: most first, what is open last.
func (f causeText) componentCounts() []componentCount {
	var out []componentCount
	for _, c := range f.Causes.Counts {
		i := slices.IndexFunc(out, func(o componentCount) bool { return o.component == c.Component && o.data == c.Data })
		if i < 0 {
			i = len(out)
			out = append(out, componentCount{component: c.Component, data: c.Data, open: !c.Known()})
		}
		out[i].n += c.Count
		out[i].questions = append(out[i].questions, c.Questions...)
	}
	return out
}

// repair is a change in words that a manager repeats.
func (f causeText) repair(r causes.Repair) string { return f.text(findings.ChangeText(r)) }

// changeSet is all changes of a recommended configuration.
func (f causeText) changeSet(r causes.Recommendation) string { return f.text(findings.ChangesText(r)) }

// action is what is to be done about a low-score answer: what was agreed for its group, else what repairs it.
func (f causeText) action(id string) string {
	var out []string
	for _, i := range f.deeds[id] {
		out = append(out, f.deed(f.agreed.Items[i]))
	}
	if d := f.causes[id]; len(out) == 0 && d != nil {
		for _, r := range d.Repairs {
			out = append(out, f.repair(r))
		}
	}
	return strings.Join(out, "\n")
}

// deed is an agreed action with who does it by when.
func (f causeText) deed(i progress.ItemProgress) string {
	if i.Item.OutOfScope {
		return f.words.Say("agreed.scope", "why", spreadsheet.Clean(i.Item.Why))
	}
	out := spreadsheet.Clean(i.Item.Action)
	if who := f.list([]string{spreadsheet.Clean(i.Item.Owner), spreadsheet.Clean(i.Item.Due)}); who != "" {
		out = f.words.Say("word.aside", "text", out, "aside", who)
	}
	return out
}

// list joins what is there as the report's language does; names are the same in both.
func (f causeText) list(items []string) string {
	return listed(slices.DeleteFunc(slices.Clone(items), func(s string) bool { return s == "" }), f.Lang)
}

// group names the low-score answers that an agreed item is about.
func (f causeText) group(i progress.ItemProgress) string {
	g := i.Item.CauseGroup
	var out []string
	if g.Data != "" {
		out = append(out, f.data(causes.DataCause(g.Data)))
	}
	if g.Component != "" {
		out = append(out, capital(f.component(causes.Component(g.Component))))
	}
	if g.Param != "" {
		out = append(out, f.text(findings.ParamText(g.Param)))
	}
	if g.Theme != "" {
		out = append(out, f.agreedTheme(g.Theme, i.By))
	}
	if g.Category != "" {
		out = append(out, f.known("category.", g.Category))
	}
	if n := len(g.Questions); n > 0 {
		ids := strings.Join(g.Questions[:min(3, n)], ", ")
		if n > 3 {
			ids += ", …"
		}
		out = append(out, ids)
	}
	return spreadsheet.Clean(strings.Join(out, " · "))
}

// target is a target with where it stands.
func (f causeText) target(t progress.TargetProgress) commitment {
	scope := f.words.Say("word.all")
	if s := f.list([]string{f.agreedTheme(t.Target.Theme, t.By), f.known("category.", t.Target.Category)}); s != "" {
		scope = s
	}
	sign := "≥ "
	if t.AtMost {
		sign = "≤ "
	}
	decimals := t.Decimals()
	what := f.words.Say("agreed.target", "scope", spreadsheet.Clean(scope), "metric", f.title(t.Target.Metric), "target",
		sign+quantity(t.Target.Target, t.Share, decimals))
	c := commitment{what: what, who: f.list([]string{spreadsheet.Clean(t.Target.Owner), spreadsheet.Clean(t.Target.Due)}),
		state: f.words.Say("word.not_measured")}
	if t.Now != nil {
		key := "agreed.missed"
		if c.good, c.bad = t.State == progress.TargetMet, t.State == progress.TargetMissed; c.good {
			key = "agreed.met"
		}
		c.state = f.words.Say(key, "now", quantity(*t.Now, t.Share, decimals))
	}
	return c
}

// quantity writes a value, or a share as per cent.
func quantity(v float64, share bool, decimals int) string {
	if share {
		return stats.PerCent(v, decimals)
	}
	if !finite(v) {
		return "–"
	}
	return stats.Fixed(v, decimals)
}

// item is an agreed action with where it stands.
func (f causeText) item(i progress.ItemProgress) commitment {
	c := commitment{what: f.group(i) + f.words.Say("word.colon") + spreadsheet.Clean(i.Item.Action),
		who: f.list([]string{spreadsheet.Clean(i.Item.Owner), spreadsheet.Clean(i.Item.Due)})}
	if i.Item.OutOfScope {
		c.what = f.group(i) + f.words.Say("word.colon") + f.words.Say("agreed.scope", "why", spreadsheet.Clean(i.Item.Why))
	}
	c.state = f.itemState(i)
	c.good = i.State == progress.ItemDone || i.State == progress.ItemOutOfScope
	c.bad = i.State == progress.ItemMore
	return c
}

// itemState says where an agreed action stands.
func (f causeText) itemState(i progress.ItemProgress) string {
	if i.Untold > 0 && i.Now != nil && i.State != progress.ItemOutOfScope {
		told := i
		told.Untold = 0
		return f.words.Say("word.aside", "text", f.itemState(told), "aside", f.words.Say("agreed.untold_of", "n", i.Untold))
	}
	switch {
	case i.State == progress.ItemOutOfScope:
		return f.words.Say("agreed.out")
	case i.State == progress.ItemUntold && i.Now == nil:
		return f.words.Say("agreed.untold")
	case i.Now == nil:
		return f.words.Say("agreed.unknown")
	case i.Item.Was == nil:
		return f.words.Say("agreed.now", "now", *i.Now)
	default:
		return f.words.Say("agreed.moved", "was", *i.Item.Was, "now", *i.Now)
	}
}

// agreedTheme is a theme's name with the classification that says which questions have it: two of them may have a theme of one name.
func (f causeText) agreedTheme(id, by string) string {
	if id == "" || by == "" {
		return f.theme(id)
	}
	return f.words.Say("word.aside", "text", f.theme(id), "aside", f.text(findings.ThemeBy(by)))
}

// theme is a theme's name for people.
func (f causeText) theme(id string) string { return f.labelName("theme", id) }

// labelName is the name of a taxonomy's label for people.
func (f causeText) labelName(taxonomy, id string) string {
	if id == experiments.OtherLabel {
		return f.words.Say("word.other")
	}
	if n, ok := f.named[[2]string{taxonomy, id}]; ok {
		return cmp.Or(wording.Worded(cmp.Or(n[0], n[1]), cmp.Or(n[1], n[0]), f.Lang), id)
	}
	return id
}

// categoryOf is a question's category in words: of the dataset's tags, as targets have it, else of the question analysis; "" when
// neither knows.
func (f causeText) categoryOf(q *experiments.Question) string {
	if c, ok := tagged(q, "category:"); ok {
		return f.known("category.", c)
	}
	if l := f.labels[q.ID]; l != nil {
		return f.known("category.", string(l.Category))
	}
	return ""
}

// themeOf is a question's theme in words, of the same two sources.
func (f causeText) themeOf(q *experiments.Question) string {
	if t, ok := tagged(q, "theme:"); ok {
		return f.theme(t)
	}
	if l := f.labels[q.ID]; l != nil {
		return f.theme(l.Theme)
	}
	return ""
}

// tagged returns what follows the first tag with a prefix.
func tagged(q *experiments.Question, prefix string) (string, bool) {
	for _, tag := range q.Tags {
		if t, ok := strings.CutPrefix(tag, prefix); ok {
			return t, true
		}
	}
	return "", false
}

// healed says how many low-score answers a change repaired where it was tried, and how many fewer there are in all then, as its bar has
// it; else how many it is expected to repair: of what was tried no forecast is told as if it were still open.
func (f causeText) healed(r causes.Recommendation) string {
	o := r.Outcome
	switch {
	case o == nil && r.Forecast():
		return f.words.Say("repair.expected", "n", len(r.Heals))
	case o == nil:
		return f.words.Say("word.none")
	}
	key, net := "repair.net", o.LowBefore-int(math.RoundToEven(o.LowAfter))
	if o.Sampled() {
		key = "repair.net_about"
	}
	return f.each(func(lang string) string {
		words := wording.Catalogues()[lang]
		out := words.Say("repair.tried", "n", len(o.Repaired), "of", o.TriedLow)
		if o.RunID != "" {
			out = words.Say("repair.made", "n", len(o.Repaired), "of", o.LowBefore, "run", o.RunID)
		}
		return out + "\n" + words.Say(key, "n", net)
	})
}
