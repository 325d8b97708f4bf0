package reports

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// fullCoverage is the share of scores under which a run counts as incomplete.
const fullCoverage = 0.95

// maxNotes keeps the notes from filling the first page.
const maxNotes = 8

// verdict is what the report says in short: at most three sentences with at most three numbers each.
func (f *findings) verdict() []string {
	if f.Comparison != nil {
		return f.verdictOnChange()
	}
	if f.after.rated == 0 {
		return []string{f.words.say("verdict.unrated")}
	}
	out := []string{f.words.say("verdict.low", "low", f.after.low, "rated", f.after.rated, "threshold", plain(f.threshold))}
	c, hasC := f.after.totals.Scores[correctness]
	t, hasT := f.after.totals.Scores[trust]
	switch {
	case hasC && hasT:
		out = append(out, f.words.say("verdict.means", correctness, decimal(c.Mean), trust, decimal(t.Mean)))
	case hasC:
		out = append(out, f.words.say("verdict.mean", "metric", f.title(correctness), "value", decimal(c.Mean)))
	case hasT:
		out = append(out, f.words.say("verdict.mean", "metric", f.title(trust), "value", decimal(t.Mean)))
	}
	if worst, ok := f.worstTheme(); ok {
		out = append(out, f.words.say("verdict.theme", "theme", clean(worst.name), "low", worst.low, "rated", worst.rated))
	}
	return out
}

func (f *findings) verdictOnChange() []string {
	c := f.Comparison
	if c.Matched == 0 {
		return []string{f.words.say("verdict.unmatched")}
	}
	key := "verdict.same"
	if c.LowAfter < c.LowBefore {
		key = "verdict.fell"
	} else if c.LowAfter > c.LowBefore {
		key = "verdict.rose"
	}
	out := []string{f.words.say(key, "before", c.LowBefore, "after", c.LowAfter, "matched", c.Matched)}
	if f.tally.worse+f.tally.check == 0 {
		out = append(out, f.words.say("verdict.calm", "better", f.tally.better))
	} else {
		out = append(out, f.words.say("verdict.changes", "worse", f.tally.worse, "check", f.tally.check, "better", f.tally.better))
	}
	if f.tally.criticalWorse > 0 {
		return append(out, f.words.say("verdict.critical", "n", f.tally.criticalWorse))
	}
	mc, hasC := c.Metrics[correctness]
	mt, hasT := c.Metrics[trust]
	if hasC && hasT {
		out = append(out, f.words.say("verdict.averages", correctness, f.trend(mc, false), trust, f.trend(mt, false)))
	}
	return out
}

// worstTheme is the theme with the most low-score answers; between equals the one with the larger share, then the first.
func (f *findings) worstTheme() (theme, bool) {
	var worst theme
	for _, t := range f.after.themes(f.threshold) {
		if t.low > worst.low || t.low == worst.low && t.low > 0 && t.rated < worst.rated {
			worst = t
		}
	}
	return worst, worst.low > 0
}

// trend says in words whether a mean moved by more than chance explains.
func (f *findings) trend(m analysis.MetricChange, lowerIsBetter bool) string {
	if m.CI95 == nil {
		return f.words.say("trend.few")
	}
	low, high := m.CI95[0], m.CI95[1]
	if lowerIsBetter {
		low, high = -high, -low
	}
	switch {
	case low > 0:
		return f.words.say("trend.up")
	case high < 0:
		return f.words.say("trend.down")
	default:
		return f.words.say("trend.flat")
	}
}

// notes is what a reader must know before believing the numbers. The offline badge stands apart, above them.
func (f *findings) notes() []string {
	var out []string
	if share := f.after.totals.Coverage.Share(); share < fullCoverage {
		out = append(out, f.words.say("note.coverage", "share", percent(share)))
	}
	if failed := f.failed(); failed > 0 {
		var causes []string
		for _, cause := range slices.Sorted(maps.Keys(f.after.totals.Errors)) {
			causes = append(causes, fmt.Sprintf("%s %d", f.cause(cause), f.after.totals.Errors[cause]))
		}
		out = append(out, f.words.say("note.errors", "n", failed, "causes", strings.Join(causes, ", ")))
	}
	if c := f.Comparison; c != nil {
		if len(c.Added)+len(c.Removed)+len(c.Reworded)+len(c.ReferenceChanged) > 0 {
			out = append(out, f.words.say("note.questions", "added", len(c.Added), "removed", len(c.Removed), "reworded", len(c.Reworded)+len(c.ReferenceChanged)))
		}
		for _, e := range c.Excluded {
			out = append(out, f.words.say("note.excluded", "metric", f.title(e.Metric), "why", why(e, f.Lang)))
		}
		for _, w := range c.Warnings {
			out = append(out, f.words.say("note.compare", "text", w.Text(f.Lang)))
		}
	}
	if len(out) > maxNotes {
		out = append(out[:maxNotes-1], f.words.say("note.more", "n", len(out)-maxNotes+1))
	}
	for i := range out {
		out[i] = clean(out[i])
	}
	return out
}

// failed counts the scores that should be there and are not.
func (f *findings) failed() int {
	n := 0
	for _, count := range f.after.totals.Errors {
		n += count
	}
	return n
}

// next is what to do now, most urgent first, at most three steps.
func (f *findings) next() []string {
	var out []string
	if f.after.run.Setup.Offline {
		out = append(out, f.words.say("next.offline"))
	}
	if failed := f.failed(); failed > 0 {
		out = append(out, f.words.say("next.errors", "n", failed))
	}
	switch {
	case f.tally.criticalWorse > 0:
		out = append(out, f.words.say("next.critical", "sheet", f.words.say("sheet.worse")))
	case f.tally.worse+f.tally.check > 0:
		out = append(out, f.words.say("next.worse", "sheet", f.words.say("sheet.worse")))
	}
	missed := 0
	for _, g := range f.goals() {
		if g.measured && !g.met {
			missed++
		}
	}
	if missed > 0 {
		out = append(out, f.words.say("next.goals", "n", missed))
	}
	if f.after.low > 0 {
		out = append(out, f.words.say("next.low", "sheet", f.words.say("sheet.low")))
	}
	if len(out) == 0 {
		out = append(out, f.words.say("next.none"))
	}
	return out[:min(3, len(out))]
}

// goal is an agreed goal with what became of it.
type goal struct {
	experiments.Goal
	atMost        bool // the target is an upper limit
	share         bool // target and value are shares, printed as per cent
	value         float64
	n             int // questions it was measured on
	measured, met bool
}

// goals sets the agreed goals beside what was measured.
func (f *findings) goals() []goal {
	var out []goal
	for _, g := range f.after.run.Setup.Goals {
		out = append(out, f.measure(g))
	}
	return out
}

func (f *findings) measure(g experiments.Goal) goal {
	m := goal{Goal: g, share: g.Metric == lowShare, atMost: g.Metric == lowShare}
	if i := slices.IndexFunc(f.specs, func(s metrics.Spec) bool { return s.ID == g.Metric }); i >= 0 {
		m.atMost = f.specs[i].LowerIsBetter
	}
	sum := 0.0
	for _, r := range f.after.rows {
		if g.Theme != "" && !slices.Contains(r.question.Tags, "theme:"+g.Theme) && !slices.Contains(r.question.Tags, g.Theme) {
			continue
		}
		value, ok := r.result.Value(g.Metric)
		if m.share {
			value, ok = 0, rated(r.result)
			if r.result.Low(f.threshold) {
				value = 1
			}
		}
		if ok {
			sum += value
			m.n++
		}
	}
	if m.n == 0 {
		return m
	}
	m.measured, m.value = true, sum/float64(m.n)
	const slack = 1e-9 // a mean of tenths must not miss its target by rounding
	m.met = m.value >= g.Target-slack
	if m.atMost {
		m.met = m.value <= g.Target+slack
	}
	return m
}

// cause is the word for why a score is missing: ours where we have one, otherwise its code.
func (f *findings) cause(code string) string {
	switch code {
	case string(metrics.Pending), "no_reference":
		return f.words.say("word." + code)
	case "":
		return f.words.say("word.error")
	default:
		return code
	}
}

// plain writes a number as short as it is: 2, 2.5.
func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// decimal writes a mean with two decimals.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// percent writes a share as a whole per cent. It never rounds a missing part away.
func percent(share float64) string {
	p := math.Round(share * 100)
	if p == 100 && share < 1 {
		p = 99
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// clock writes a time with its offset; "" for none.
func clock(t *time.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04 -07:00")
}

// why says in the report's language why a metric is left out.
func why(e analysis.Exclusion, lang string) string {
	if e.Note.Code == "" {
		return e.Why
	}
	return e.Note.Text(lang)
}
