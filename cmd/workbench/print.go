package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// printJSON prints v indented. HTML escaping is off: the output is read by people and programs, not browsers.
func (p *program) printJSON(v any) error {
	enc := json.NewEncoder(p.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// say prints one line of a result.
func (p *program) say(format string, args ...any) {
	fmt.Fprintf(p.stdout, p.lang().format(format)+"\n", args...)
}

// note prints one line that is not part of the result.
func (p *program) note(format string, args ...any) {
	if !p.flags.Quiet {
		fmt.Fprintf(p.stderr, p.lang().format(format)+"\n", args...)
	}
}

// warn prints one line that must not be missed.
func (p *program) warn(format string, args ...any) {
	fmt.Fprintf(p.stderr, p.lang().format("warning: ")+p.lang().format(format)+"\n", args...)
}

// progress shows how far a run is: on a terminal by overwriting one line.
func (p *program) progress(at experiments.Progress) {
	if p.flags.Quiet || !p.live {
		return
	}
	fmt.Fprintf(p.stderr, "\r"+p.lang().format("%s  %d/%d questions  %s")+"\x1b[K", at.Run.ID, at.Done, at.Total,
		experiments.Describe(at.Run.Params))
	if at.Done == at.Total {
		fmt.Fprint(p.stderr, "\r\x1b[K")
	}
}

// notice says what a run is waiting for, so that silence is not taken for a hang.
func (p *program) notice(n llm.Notice) {
	switch {
	case n.Waiting && n.Wait > 0:
		p.note("waiting %s for provider %s (%s)", n.Wait.Round(time.Second), n.Provider, n.Cause)
	case n.Waiting:
		p.note("waiting for provider %s (%s)", n.Provider, n.Cause)
	case n.Message != "":
		p.note("provider %s: %s", n.Provider, n.Message)
	default:
		p.note("provider %s answers again", n.Provider)
	}
}

// table prints rows in columns. Cells are cut to one line.
func (p *program) table(header []string, rows [][]string) {
	lines := make([][]string, 0, len(rows)+1)
	named := make([]string, len(header))
	for i, name := range header {
		named[i] = p.lang().format(name)
	}
	lines = append(lines, named)
	for _, row := range rows {
		for i := range row {
			row[i] = oneLine(row[i], 100)
		}
		lines = append(lines, row)
	}
	widths := map[int]int{}
	for _, line := range lines {
		for i, c := range line {
			widths[i] = max(widths[i], columnsOf(c))
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, c := range line {
			b.WriteString(c)
			if i < len(line)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-columnsOf(c)+2))
			}
		}
		fmt.Fprintln(p.stdout, strings.TrimRight(b.String(), " "))
	}
}

// columnsOf is how many columns of a terminal a text takes: letters of East Asia take two.
func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n += 2
		default:
			if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
				n++
			}
		}
	}
	return n
}

// oneLine folds white space and cuts to limit code points. Control characters of untrusted text never reach a terminal.
func oneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(printable(s)), " ")
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return s
}

// printable replaces control characters but line feeds and tabs.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '�'
		}
		return r
	}, s)
}

// number prints a mean: rubric scores with two digits, shares with three.
func number(metric string, v float64) string {
	if s, ok := metrics.Find(metric); ok && s.Max > 1 {
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// meanCell prints a metric's mean, with n where not every question has a score.
func meanCell(metric string, t *experiments.Totals) string {
	if t == nil {
		return "-"
	}
	m, ok := t.Scores[metric]
	if !ok {
		return "-"
	}
	if m.N < t.Questions {
		return fmt.Sprintf("%s (n=%d)", number(metric, m.Mean), m.N)
	}
	return number(metric, m.Mean)
}

// covered turns a coverage under 95 % into the problem that ends the command with code 5.
func covered(runs ...experiments.Run) error {
	for _, run := range runs {
		t := run.Totals
		if t == nil || t.Coverage.Share() >= 0.95 {
			continue
		}
		causes := make([]string, 0, len(t.Errors))
		for cause, n := range t.Errors {
			causes = append(causes, fmt.Sprintf("%s ×%d", cause, n))
		}
		return problem.New(problem.Incomplete, "coverage", "run %s scored %d of %d cells (%s)",
			run.ID, t.Coverage.Scored, t.Coverage.Applicable, strings.Join(sorted(causes), ", ")).
			WithHint("the figures above cover only what was scored; workbench runs show %s names each failure", run.ID)
	}
	return nil
}

// judgeBadge is printed under every result of the offline judge or of recorded replies, and what is known of any judge that has been
// validated.
func (p runPrinter) judgeBadge(run experiments.Run) {
	if run.Setup.Offline {
		p.note("%s", findings.Word(string(p.lang()), "judge.offline"))
	}
	if by := findings.RecordedBy(run.Setup); by.EN != "" {
		p.note("%s", by.In(string(p.lang())))
	}
	if status := p.judges().judgeStatus(run); status != "" {
		p.note("%s", status)
	}
}
