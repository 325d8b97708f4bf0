package program

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// OrNone names what a system that runs elsewhere may lack.
func OrNone(name string) string { return cmp.Or(name, "none") }

// NotThere is the problem of a name that nothing has; list is the command that shows those that exist.
func NotThere(what, name, list string) error {
	return problem.New(problem.NotFound, what+"_not_found", "there is no %s %q", what, name).With("name", name).
		WithHint("%s lists them", list)
}

// FirstOf lists the first n of some names and counts the rest.
func FirstOf(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:n], ", ") + " …"
}

// LinkTo is the address of a page that takes a secret behind #, which browsers send to nobody.
func LinkTo(server, page, secret string) string {
	if secret == "" {
		return ""
	}
	return strings.TrimRight(server, "/") + "/" + page + "#" + secret
}

// DayOf is a moment in UTC, or that there was none.
func DayOf(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// PrintJSON prints v indented. HTML escaping is off: the output is read by people and programs, not browsers.
func (p *Program) PrintJSON(v any) error {
	enc := json.NewEncoder(indented{p.Stdout})
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Say prints one line of a result.
func (p *Program) Say(format string, args ...any) {
	fmt.Fprintf(p.Stdout, p.Lang().Format(format)+"\n", args...)
}

// Note prints one line that is not part of the result.
func (p *Program) Note(format string, args ...any) {
	if !p.Flags.Quiet {
		fmt.Fprintf(p.Stderr, p.Lang().Format(format)+"\n", args...)
	}
}

// Warn prints one line that must not be missed.
func (p *Program) Warn(format string, args ...any) {
	fmt.Fprintf(p.Stderr, p.Lang().Format("warning: ")+p.Lang().Format(format)+"\n", args...)
}

// progress shows how far a run is: on a terminal by overwriting one line.
func (p *Program) progress(at experiments.Progress) {
	if p.Flags.Quiet || !p.Live {
		return
	}
	fmt.Fprintf(p.Stderr, "\r"+p.Lang().Format("%s  %d/%d questions  %s")+"\x1b[K", at.Run.ID, at.Done, at.Total,
		experiments.Describe(at.Run.Params))
	if at.Done == at.Total {
		fmt.Fprint(p.Stderr, "\r\x1b[K")
	}
}

// notice says what a run is waiting for, so that silence is not taken for a hang.
func (p *Program) notice(n llm.Notice) {
	switch {
	case n.Waiting && n.Wait > 0:
		p.Note("waiting %s for provider %s (%s)", n.Wait.Round(time.Second), n.Provider, n.Cause)
	case n.Waiting:
		p.Note("waiting for provider %s (%s)", n.Provider, n.Cause)
	case n.Message != "":
		p.Note("provider %s: %s", n.Provider, n.Message)
	default:
		p.Note("provider %s answers again", n.Provider)
	}
}

// CellColumns is how many letters a cell of a table has at most.
const CellColumns = 100

// Table prints rows in columns. Cells are cut to one line.
func (p *Program) Table(header []string, rows [][]string) {
	lines := make([][]string, 0, len(rows)+1)
	named := make([]string, len(header))
	for i, name := range header {
		named[i] = p.Lang().Format(name)
	}
	lines = append(lines, named)
	for _, row := range rows {
		for i := range row {
			row[i] = OneLine(row[i], CellColumns)
		}
		lines = append(lines, row)
	}
	widths := map[int]int{}
	for _, line := range lines {
		for i, c := range line {
			widths[i] = max(widths[i], ColumnsOf(c))
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, c := range line {
			b.WriteString(c)
			if i < len(line)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-ColumnsOf(c)+2))
			}
		}
		fmt.Fprintln(p.Stdout, strings.TrimRight(b.String(), " "))
	}
}

// ColumnsOf is how many columns of a terminal a text takes: letters of East Asia take two.
func ColumnsOf(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

// columnsOf is how many columns of a terminal a letter takes.
func columnsOf(r rune) int {
	if r < unicode.MaxLatin1 && r != '\u00ad' {
		return 1
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			return 0
		}
		return 1
	}
}

// OneLine folds white space and cuts to limit code points. Control characters of untrusted text never reach a terminal.
func OneLine(s string, limit int) string {
	return text.Brief(Printable(s), limit)
}

// Printable replaces control characters but line feeds and tabs.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '�'
		}
		return r
	}, s)
}

// Number prints a mean: rubric scores with two digits, shares with three.
func Number(metric string, v float64) string { return stats.Fixed(v, Decimals(metric)) }

// Decimals are how many decimals a mean of a metric has at least.
func Decimals(metric string) int {
	if s, ok := metrics.Find(metric); ok && s.Max > 1 {
		return 2
	}
	return 3
}

// MeanCell prints a metric's mean, with n where not every question has a score.
func MeanCell(metric string, t *experiments.Totals) string {
	if t == nil {
		return "-"
	}
	m, ok := t.Scores[metric]
	if !ok {
		return "-"
	}
	if m.N < t.Questions {
		return fmt.Sprintf("%s (n=%d)", Number(metric, m.Mean), m.N)
	}
	return Number(metric, m.Mean)
}

// Covered turns a coverage under 95% into the problem that ends the command with code 5.
func Covered(runs ...experiments.Run) error {
	for _, run := range runs {
		t := run.Totals
		if t == nil || t.Coverage.Share() >= 0.95 {
			continue
		}
		causes := make([]string, 0, len(t.Errors))
		for cause, n := range t.Errors {
			causes = append(causes, fmt.Sprintf("%s ×%d", cause, n))
		}
		return problem.New(problem.Incomplete, "coverage", "run %s has %d of %d scores (%s)",
			run.ID, t.Coverage.Scored, t.Coverage.Applicable, strings.Join(sorted(causes), ", ")).
			WithHint("the figures above cover only what was scored; workbench runs show %s names each failure", run.ID)
	}
	return nil
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// PageOf is the first part of a list, with at most so many items; 0 is everything.
func PageOf(limit int) listing.Page {
	if limit == 0 {
		limit = -1
	}
	return listing.Page{Limit: limit}
}
