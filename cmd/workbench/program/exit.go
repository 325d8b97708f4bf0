package program

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Exit codes (design.md 6). "Worse" and "broken" never share one.
const (
	ExitDone             = 0
	ExitBroken           = 1
	ExitUsage            = 2
	ExitGateFail         = 3
	ExitGateInconclusive = 4
	ExitIncomplete       = 5
	ExitNotComparable    = 6
	ExitInterrupted      = 130
)

// ExitError ends a command with a code of its own after it has said everything.
type ExitError int

// Error names the code.
func (e ExitError) Error() string { return "exit code " + strconv.Itoa(int(e)) }

// Fail prints an error for people and returns the exit code that belongs to it.
func (p *Program) Fail(err error) int {
	if err == nil {
		return ExitDone
	}
	if code, ok := errors.AsType[ExitError](err); ok {
		return int(code)
	}
	if p.Context != nil && p.Context.Err() != nil && errors.Is(err, context.Canceled) {
		said := "stopped by Ctrl-C"
		if cause := context.Cause(p.Context); cause != nil && strings.Contains(cause.Error(), syscall.SIGTERM.String()) {
			said = "stopped by a signal to end (SIGTERM)"
		}
		fmt.Fprintln(p.Stderr, "workbench: "+p.Lang().Format(said))
		return ExitInterrupted
	}
	what := problem.From(err)
	message, detail, hint := p.Lang().problem(what)
	if what.Code == "internal" && hint == "" {
		hint = p.Lang().Format("`workbench doctor` checks what is stored; if it happens again, report it with the lines above")
	}
	fmt.Fprintf(p.Stderr, "workbench: %s\n", message)
	if detail != "" {
		fmt.Fprintf(p.Stderr, p.Lang().Format("detail: %s")+"\n", detail)
	}
	if rows, ok := what.Params["problems"].([]intake.RowProblem); ok {
		for i, r := range rows {
			if i == 0 && len(r.Candidates) == 0 && strings.Contains(what.Message, r.Message) {
				continue // the message is about it
			}
			fmt.Fprintf(p.Stderr, "  %s\n", Printable(r.In(string(p.Lang()))))
		}
	}
	if what.Err != nil {
		fmt.Fprintf(p.Stderr, p.Lang().Format("cause: %v")+"\n", problem.Said(string(p.Lang()), what.Err))
	}
	if hint != "" {
		fmt.Fprintf(p.Stderr, p.Lang().Format("hint: %s")+"\n", hint)
	}
	if p.Context != nil && p.Context.Err() != nil {
		return ExitInterrupted
	}
	switch what.Kind {
	case problem.Invalid, problem.NotFound, problem.Conflict:
		return ExitUsage
	case problem.Incomplete:
		return ExitIncomplete
	case problem.NotComparable:
		return ExitNotComparable
	case problem.Unavailable, problem.Internal:
	}
	return ExitBroken
}
