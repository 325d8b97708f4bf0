package reports

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/stats"
)

// fullCoverage is the share of scores under which a run counts as incomplete.
const fullCoverage = 0.95

// mostTroubles is how many causes of failed calls a report tells, the most frequent first.
const mostTroubles = 3

// badges are warnings that stand above everything else.
func (f *content) badges() []string {
	var out []string
	if f.after.run.Setup.ByOffline() || len(f.after.run.Setup.Tools()) > 0 {
		out = append(out, f.each(f.found.Judge.Text.In))
	}
	if f.found.ScoredHere.EN != "" {
		out = append(out, f.each(f.found.ScoredHere.In))
	}
	if f.found.Recorded.EN != "" {
		out = append(out, f.each(f.found.Recorded.In))
	}
	if share := f.after.totals.Coverage.Share(); share < fullCoverage {
		out = append(out, f.words.Say("note.coverage", "share", percent(share)))
	}
	return out
}

// notes is what a reader must know before believing the numbers, besides the badges and what was not tested.
func (f *content) notes() []string {
	var out []string
	for _, imported := range []bool{false, true} {
		var causes []string
		for _, cause := range slices.Sorted(maps.Keys(f.after.totals.Errors)) {
			if metrics.ImportLacks(cause) == imported {
				causes = append(causes, fmt.Sprintf("%s %d", f.cause(cause), f.after.totals.Errors[cause]))
			}
		}
		key := map[bool]string{false: "note.errors", true: "note.import_errors"}[imported]
		if n := f.failed(imported); n > 0 {
			out = append(out, f.words.Say(key, "n", n, "causes", listed(causes, f.Lang)))
		}
	}
	if c := f.Comparison; c != nil {
		_, told := c.CountedByGrade() // above the counts already, in a sentence
		for _, w := range c.Warnings {
			if told && w.Code == analysiscompare.WarnByGradeAlone {
				continue
			}
			out = append(out, f.words.Say("note.compare", "text", f.each(w.Text)))
		}
	}
	for i := range out {
		out[i] = spreadsheet.Clean(out[i])
	}
	return out
}

// troubles is what went wrong with the calls, in the words of servers and models.
func (f *content) troubles() []string {
	var out []string
	for _, t := range findings.TroublesOf(f.Troubles[:min(mostTroubles, len(f.Troubles))]) {
		out = append(out, spreadsheet.Clean(f.each(t.Text.In)))
	}
	return out
}

// failed counts the scores that should be there and are not: those that an imported file lacks, which nothing here can compute again,
// or the others.
func (f *content) failed(imported bool) int {
	n := 0
	for cause, count := range f.after.totals.Errors {
		if metrics.ImportLacks(cause) == imported {
			n += count
		}
	}
	return n
}

// noLow says why no low-score answer is listed: there is none, or nobody can tell.
func (f *content) noLow() string {
	if f.found.Low.Untold.EN != "" {
		return spreadsheet.Clean(f.each(f.found.Low.Untold.In))
	}
	return f.words.Say("low.empty")
}

// standsIn is where a report tells the answers of a sheet of the workbook: the sheet, or the chapter. "" where it has none.
func (f *content) standsIn(c findings.Channel, sheet string) string {
	switch {
	case c == findings.Workbook:
		return f.sheetName(sheet)
	case sheet == "sheet.worse" && f.Comparison == nil:
		return ""
	case c == findings.HTML:
		return f.words.Say(sheet)
	case sheet == "sheet.worse":
		return f.words.Say("md.worst")
	}
	return ""
}

// next is what to do now, most urgent first, at most three steps.
func (f *content) next(c findings.Channel) []string {
	var out []string
	if f.after.run.Setup.ByOffline() {
		out = append(out, f.words.Say("next.offline"))
	}
	if failed := f.failed(false); failed > 0 {
		out = append(out, f.words.Say("next.errors", "n", failed))
	}
	switch {
	case f.found.Verdicts.Critical > 0:
		out = append(out, f.words.Say("next.critical", "place", f.standsIn(c, "sheet.worse")))
	case f.found.Verdicts.Worse+f.found.Verdicts.Mixed == 0 && len(f.worseChanges()) > 0: // nothing to accept yet
		out = append(out, f.words.Say("next.check", "place", f.standsIn(c, "sheet.worse")))
	case len(f.worseChanges()) > 0:
		out = append(out, f.words.Say("next.worse", "place", f.standsIn(c, "sheet.worse")))
	}
	if _, missed, _ := f.agreed.Met(); missed > 0 {
		out = append(out, f.words.Say("next.goals", "n", missed))
	}
	if f.after.low > 0 {
		if place := f.standsIn(c, "sheet.low"); place != "" {
			out = append(out, f.words.Say("next.low", "place", place))
		} else {
			out = append(out, f.words.Say("next.low_workbook", "command", f.causeText().command("report", f.after.run.ID)))
		}
	}
	switch {
	case f.rule.Own && f.after.low > 0:
		out = append(out, f.words.Say("next.own_causes"))
	case f.undefined():
		out = append(out, f.words.Say("next.untold_import", "example", f.lowExample()))
	case f.found.Low.Untold.EN != "":
		out = append(out, f.words.Say("next.untold"))
	}
	if len(out) == 0 {
		out = append(out, f.words.Say("next.none"))
	}
	return out[:min(3, len(out))]
}

// cause is the word for why a score is missing: ours where we have one, otherwise its code.
func (f *content) cause(code string) string {
	switch code {
	case string(metrics.Pending), "no_reference", metrics.ImportNaN, metrics.ImportError, "import_absent", "import_one_vote":
		return f.words.Say("word." + code)
	case "":
		return f.words.Say("word.error")
	}
	if _, known := f.words["reason."+code]; known { // without the full stop: it stands in a list
		return f.each(func(lang string) string {
			return strings.TrimRight(wording.Catalogues()[lang].Say("reason."+code), ".。")
		})
	}
	return code
}

// scored says how many of the scores that apply could be computed.
func (f *content) scored() string {
	v := f.after.totals.Coverage
	return f.words.Say("figure.scored", "scored", v.Scored, "applicable", v.Applicable)
}

// plain writes a number as short as it is: 2, 2.5.
func plain(x float64) string {
	if !finite(x) {
		return "–"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// decimal writes a mean with two decimals.
func decimal(x float64) string {
	if !finite(x) {
		return "–"
	}
	return stats.Fixed(x, 2)
}

// percent writes a share as a whole per cent. It never rounds a missing part away.
func percent(share float64) string {
	if !finite(share) {
		return "–"
	}
	return stats.PerCent(share, 0)
}

// clock writes a time with the name of its zone; "" for none.
func clock(t *time.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04 MST")
}

// excluded says in words why a metric is left out.
func (f *content) excluded(e analysiscompare.Exclusion) string {
	if e.Note.Code == "" {
		return e.Why
	}
	return f.each(e.Note.Text)
}
