package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

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
	fmt.Fprintf(p.stdout, format+"\n", args...)
}

// note prints one line that is not part of the result.
func (p *program) note(format string, args ...any) {
	if !p.flags.Quiet {
		fmt.Fprintf(p.stderr, format+"\n", args...)
	}
}

// warn prints one line that must not be missed.
func (p *program) warn(format string, args ...any) {
	fmt.Fprintf(p.stderr, "warning: "+format+"\n", args...)
}

// progress shows how far a run is: on a terminal by overwriting one line.
func (p *program) progress(at experiments.Progress) {
	if p.flags.Quiet || !p.live {
		return
	}
	fmt.Fprintf(p.stderr, "\r%s  %d/%d questions  %s\x1b[K", at.Run.ID, at.Done, at.Total, experiments.Describe(at.Run.Params))
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
	w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(header, "\t"))
	for _, row := range rows {
		for i := range row {
			row[i] = oneLine(row[i], 100)
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // standard output is gone: nothing more can be said
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

// offlineBadge is printed under every result of the offline judge, and what is known of any judge that has been validated.
func (p *program) offlineBadge(run experiments.Run) {
	if run.Setup.Offline {
		p.note("Scored by the built-in offline judge: for wiring and trial, not for decisions.")
	}
	if status := p.judgeStatus(run); status != "" {
		p.note("%s", status)
	}
}
