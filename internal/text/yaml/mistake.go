package yaml

import (
	"errors"
	"fmt"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Mistake is why a text is no YAML, or not the YAML that was expected, in words of people who write such texts: those of the library are
// never shown.
type Mistake struct {
	Line    int    // from 1
	Message string // one sentence without a position
	Field   string // dotted name of the field that it is about; "" for a mistake of the text itself
	said    *problem.Problem
}

// wrong is a mistake on a line.
func wrong(line int, format string, args ...any) *Mistake {
	p := problem.New(problem.Invalid, "yaml", format, args...).WithHint(
		"a line is a name, a colon, a space and a value; indent with spaces, and put a text with special characters in quotation marks")
	return &Mistake{Line: max(line, 1), Message: p.Message, said: p}
}

// write says what to write instead.
func (m *Mistake) write(format string, args ...any) *Mistake {
	m.said = m.said.WithHint(format, args...)
	return m
}

// Error is the message with its line.
func (m *Mistake) Error() string { return fmt.Sprintf("line %d: %s", m.Line, m.Message) }

// Problem is the mistake with what to write instead, without its line in the message: whoever calls knows what stands above the text.
func (m *Mistake) Problem(code string) *problem.Problem {
	p := *m.said
	p.Code, p.Params = code, map[string]any{"line": m.Line}
	if m.Field != "" {
		p.Params["field"] = m.Field
	}
	return &p
}

// Wrong is what is wrong with a text as a Problem: the line, the sentence, and what to write instead.
func Wrong(code string, err error) *problem.Problem {
	m, ok := errors.AsType[*Mistake](err)
	if !ok {
		return problem.New(problem.Invalid, code, "%v", err)
	}
	p := m.Problem(code)
	p.Message = fmt.Sprintf("line %d: %s", m.Line, p.Message)
	return p
}

// WrongIn is [Wrong] of a file.
func WrongIn(path, code string, err error) *problem.Problem {
	p := Wrong(code, err)
	p.Message = path + ": " + p.Message
	return p.With("file", path)
}
