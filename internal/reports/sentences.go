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
	"github.com/rag-workbench/workbench/internal/metrics"
)

// fullCoverage is the share of scores under which a run counts as incomplete.
const fullCoverage = 0.95

// verdictAlone is what stands below the judgement of a run without a baseline: the means, and the theme that fails most.
func (f *findings) verdictAlone() []string {
	if f.after.rated == 0 {
		return nil
	}
	var out []string
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
	return out
}

// worstTheme is the theme with the most low-score answers; between equals the one with the larger share, then the first.
func (f *findings) worstTheme() (theme, bool) {
	var worst theme
	for _, t := range f.themes() {
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

// badges are warnings that stand above everything else.
func (f *findings) badges() []string {
	var out []string
	if f.after.run.Setup.Offline {
		out = append(out, f.words.say("badge.offline"))
	}
	if share := f.after.totals.Coverage.Share(); share < fullCoverage {
		out = append(out, f.words.say("note.coverage", "share", percent(share)))
	}
	return out
}

// notes is what a reader must know before believing the numbers, besides the badges.
func (f *findings) notes() []string {
	var out []string
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
			out = append(out, f.words.say("note.excluded", "metric", f.title(e.Metric), "why", f.excluded(e)))
		}
		for _, w := range c.Warnings {
			out = append(out, f.words.say("note.compare", "text", f.each(w.Text)))
		}
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
		out = append(out, f.words.say("next.critical", "sheet", f.sheetName("sheet.worse")))
	case f.tally.worse+f.tally.check > 0:
		out = append(out, f.words.say("next.worse", "sheet", f.sheetName("sheet.worse")))
	}
	if _, missed, _ := f.agreed.Met(); missed > 0 {
		out = append(out, f.words.say("next.goals", "n", missed))
	}
	if f.after.low > 0 {
		out = append(out, f.words.say("next.low", "sheet", f.sheetName("sheet.low")))
	}
	if len(out) == 0 {
		out = append(out, f.words.say("next.none"))
	}
	return out[:min(3, len(out))]
}

// cause is the word for why a score is missing: ours where we have one, otherwise its code.
func (f *findings) cause(code string) string {
	switch code {
	case string(metrics.Pending), "no_reference", metrics.ImportNaN, metrics.ImportError, "import_absent", "import_one_vote":
		return f.words.say("word." + code)
	case "":
		return f.words.say("word.error")
	default:
		return code
	}
}

// plain writes a number as short as it is: 2, 2.5.
func plain(x float64) string { return written(x, -1) }

// decimal writes a mean with two decimals.
func decimal(x float64) string { return written(x, 2) }

// written writes a number, and a dash for what is none.
func written(x float64, decimals int) string {
	if !finite(x) {
		return "–"
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// percent writes a share as a whole per cent. It never rounds a missing part away.
func percent(share float64) string {
	if !finite(share) {
		return "–"
	}
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

// excluded says in words why a metric is left out.
func (f *findings) excluded(e analysis.Exclusion) string {
	if e.Note.Code == "" {
		return e.Why
	}
	return f.each(e.Note.Text)
}
