package printing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// JudgePrinter tells what was measured of judges, and of the words "cause" and "worse".
type JudgePrinter struct{ *program.Program }

// Judges tells what was measured of judges, and of the words "cause" and "worse".
func Judges(p *program.Program) JudgePrinter { return JudgePrinter{p} }

// Probes prints what is known of models.
func (p JudgePrinter) Probes(list []llm.Probe) error {
	if p.Flags.JSON {
		return p.PrintJSON(list)
	}
	if len(list) == 0 {
		p.Say("no model that costs anything is known; name one: workbench providers test PROVIDER --model MODEL")
		return nil
	}
	rows := make([][]string, len(list))
	for i, b := range list {
		rows[i] = []string{b.Provider, b.Model, b.Purpose, p.verdictOn(b), formCell(b), knownCell(b.Dimensions),
			strconv.FormatInt(b.LatencyMS, 10)}
		var named llm.ModelLimits
		if b.Limits != nil {
			named = *b.Limits
		}
		for _, n := range []int{named.ContextTokens, named.OutputTokens, named.RequestsPerMinute, named.TokensPerMinute} {
			rows[i] = append(rows[i], knownCell(n))
		}
		rows[i] = append(rows[i], b.At.Format("2006-01-02 15:04"))
	}
	p.Table([]string{"PROVIDER", "MODEL", "PURPOSE", "RESULT", "REPLIES", "DIMENSIONS", "MS", "CONTEXT", "OUTPUT", "REQ/MIN", "TOK/MIN",
		"TESTED (UTC)"}, rows)
	for _, b := range list {
		if !b.OK {
			p.Say("%s/%s: %s", b.Provider, b.Model, program.Printable(b.Message))
		}
	}
	return nil
}

// knownCell is a number, or a dash where nobody said it.
func knownCell(n int) string {
	if n <= 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func (p JudgePrinter) verdictOn(b llm.Probe) string {
	if b.OK {
		return p.Lang().Text("works")
	}
	return b.Problem
}

// formCell says in which form a judge is asked and how its replies came: "object", or "schema (prose)" where they are repaired.
func formCell(b llm.Probe) string {
	for _, t := range b.Tried {
		if t.Form == b.Form && t.Repair != "" {
			return b.Form + " (" + strings.ReplaceAll(t.Repair, " ", ", ") + ")"
		}
	}
	if b.Form == "" {
		return "-"
	}
	return b.Form
}

// Validating shows how far a validation is, on a terminal by overwriting one line.
func (p JudgePrinter) Validating(stage string, done, total int) {
	if p.Flags.Quiet || !p.Live || done%10 != 0 && done != total {
		return
	}
	fmt.Fprintf(p.Stderr, "\r%s  %d/%d\x1b[K", stage, done, total)
	if done == total {
		fmt.Fprint(p.Stderr, "\r\x1b[K")
	}
}

// judgeStatus says in a few words what is known of the judge of a run, "" where nothing is. It is an extra: what goes wrong in
// finding it out is not worth failing for.
func (p JudgePrinter) judgeStatus(run experiments.Run) string {
	if p.Opened == nil {
		return ""
	}
	if len(run.Setup.Tools()) > 0 { // no judge scored
		return ""
	}
	judge := run.Setup.Judge
	if run.Setup.Offline && judge.Provider == "" {
		judge = metrics.DefaultJudge()
	}
	card, ok, err := validations.CardOf(p.Context, p.Opened, judge)
	if err != nil || !ok || card.Status == validation.Unmeasured { // only examples for its prompt were tested
		return ""
	}
	return p.Lang().Text("Judge card of %s: %s, measured %s (workbench validate judge --show).", card.Judge, card.Status,
		card.MeasuredAt.Format("2006-01-02"))
}
