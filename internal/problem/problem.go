// Package problem holds the one error that people see.
//
// A [Problem] says what was wrong, where, and what to do next. Every layer may return one; an error that is not a
// Problem is internal: people read a short sentence and the log has the rest. The command line maps [Kind] to an exit
// code, the HTTP API will map it to a status, and translations are keyed by Code with Params as their arguments.
package problem

import (
	"errors"
	"fmt"
	"syscall"
)

// Kind groups problems by what a caller can do about them.
type Kind string

// The kinds, with the exit code the command line gives each.
const (
	Invalid       Kind = "invalid"        // usage, configuration or input is wrong: exit 2
	NotFound      Kind = "not_found"      // a name or id is unknown: exit 2
	Conflict      Kind = "conflict"       // the present state forbids it: exit 2
	NotComparable Kind = "not_comparable" // two runs measure different things: exit 6
	Incomplete    Kind = "incomplete"     // work stopped early or coverage is too low: exit 5
	Unavailable   Kind = "unavailable"    // something outside failed: exit 1
	Internal      Kind = "internal"       // our fault: exit 1
)

// Problem is an error for people.
type Problem struct {
	Kind    Kind           `json:"kind"`
	Code    string         `json:"code"`             // stable snake_case identifier, for example "dataset_column_missing"
	Message string         `json:"message"`          // one English sentence: what was wrong, and where
	Hint    string         `json:"hint,omitempty"`   // what to do next
	Params  map[string]any `json:"params,omitempty"` // the variable parts of Message, for translation
	Err     error          `json:"-"`                // the cause, for the log

	Format     string `json:"-"` // that the message was made from: the key of its translations
	Args       []any  `json:"-"`
	HintFormat string `json:"-"` // and the hint
	HintArgs   []any  `json:"-"`
}

// New returns a Problem whose message is formatted like [fmt.Sprintf].
func New(kind Kind, code, format string, args ...any) *Problem {
	return &Problem{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...), Format: format, Args: args}
}

// Error returns the message, followed by the cause when there is one.
func (p *Problem) Error() string {
	if p.Err != nil {
		return p.Message + ": " + p.Err.Error()
	}
	return p.Message
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// WithHint sets what to do next and returns p.
func (p *Problem) WithHint(format string, args ...any) *Problem {
	p.Hint = fmt.Sprintf(format, args...)
	p.HintFormat, p.HintArgs = format, args
	return p
}

// With sets one parameter and returns p.
func (p *Problem) With(name string, value any) *Problem {
	if p.Params == nil {
		p.Params = map[string]any{}
	}
	p.Params[name] = value
	return p
}

// Because sets the cause and returns p.
func (p *Problem) Because(err error) *Problem {
	p.Err = err
	return p
}

// From returns the Problem in err's chain, or one that wraps err: of the disk, where the system says so, else internal. From(nil) is nil.
func From(err error) *Problem {
	if err == nil {
		return nil
	}
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	if p := ofDisk(err); p != nil {
		return p
	}
	return &Problem{Kind: Internal, Code: "internal", Message: "an error that the program does not know stopped it", Err: err}
}

// ofDisk is the Problem of a file that could not be written; nil for other errors.
func ofDisk(err error) *Problem {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return New(Unavailable, "disk_full", "there is no room left on the disk").Because(err).
			WithHint("free some space, or write to another disk; nothing that was saved before is lost")
	case errors.Is(err, syscall.EROFS):
		return New(Unavailable, "disk_read_only", "the disk may only be read").Because(err).WithHint("write to another folder")
	}
	return nil
}

// Is reports whether err's chain holds a Problem of this kind.
func Is(err error, kind Kind) bool {
	p, ok := errors.AsType[*Problem](err)
	return ok && p.Kind == kind
}

// CodeOf returns the code of the Problem in err's chain, "internal" for any other error and "" for nil.
func CodeOf(err error) string {
	if err == nil {
		return ""
	}
	return From(err).Code
}
