package remote

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Bounds of a path, far above what any reply needs.
const (
	maxPathBytes = 1 << 10
	maxPathSteps = 32
)

// Path is a place in a JSON value. The language is small on purpose:
//
//	answer                  the field of an object
//	data.answer             fields within fields
//	choices[0].message      an item of a list, counted from 0
//	sources[*].text         every item of a list
//	data["a.b"]             a field whose name is not letters, digits, _ and -
//
// A leading $ or $. is allowed and means nothing. There are no filters, no search in depth and no functions.
type Path struct {
	source string
	steps  []pathStep
}

// pathStep is a field, an item of a list, or all items.
type pathStep struct {
	field string
	index int  // where field is ""
	all   bool // [*]
	named bool // it is a field, perhaps called ""
}

// String is the path as it was written.
func (p Path) String() string { return p.source }

// IsZero reports whether the path is the empty one, which stands for no path at all.
func (p Path) IsZero() bool { return p.source == "" }

// ParsePath reads a path. Its error is a Problem that says at which character the path stops making sense.
func ParsePath(source string) (Path, error) {
	if len(source) > maxPathBytes {
		return Path{}, pathProblem(text.Cut(source, 60), 1, "it is longer than %d bytes", maxPathBytes)
	}
	if !utf8.ValidString(source) {
		return Path{}, pathProblem(strings.ToValidUTF8(source, "\uFFFD"), 1, "it is not valid UTF-8")
	}
	p := Path{source: source}
	rest := source
	if strings.HasPrefix(rest, "$") {
		rest = rest[1:]
		if rest == "" {
			return p, nil // the whole reply
		}
		if rest[0] != '.' && rest[0] != '[' {
			return Path{}, pathProblem(source, 2, "after $ comes a dot or [")
		}
		rest = strings.TrimPrefix(rest, ".")
	}
	if rest == "" {
		return Path{}, pathProblem(source, 1, "it names nothing")
	}
	for first := true; rest != ""; first = false {
		at := utf8.RuneCountInString(source[:len(source)-len(rest)]) + 1
		if len(p.steps) == maxPathSteps {
			return Path{}, pathProblem(source, at, "it has more than %d steps", maxPathSteps)
		}
		var step pathStep
		var wrong string
		step, rest, wrong = nextStep(rest, first)
		if wrong != "" {
			return Path{}, pathProblem(source, at, "%s", wrong)
		}
		p.steps = append(p.steps, step)
	}
	return p, nil
}

// nextStep takes one step off rest. wrong is a sentence for people.
func nextStep(rest string, first bool) (step pathStep, left, wrong string) {
	switch {
	case rest[0] == '[':
		return bracketStep(rest)
	case rest[0] == '.' && first:
		return step, "", "a path does not begin with a dot"
	case rest[0] == '.':
		rest = rest[1:]
	case !first:
		return step, "", "a dot or [ is missing"
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		return step, "", `a field's name is missing; names of other characters than letters, digits, _ and - are written ["so"]`
	}
	return pathStep{field: rest[:end], named: true}, rest[end:], ""
}

func bracketStep(rest string) (step pathStep, left, wrong string) {
	if strings.HasPrefix(rest, `["`) {
		quoted, err := strconv.QuotedPrefix(rest[1:])
		if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
			return step, "", `a name in brackets is written ["so"]`
		}
		name, err := strconv.Unquote(quoted)
		if err != nil || !utf8.ValidString(name) {
			return step, "", `a name in brackets is written ["so"]`
		}
		return pathStep{field: name, named: true}, rest[len(quoted)+2:], ""
	}
	inside, left, found := strings.Cut(rest[1:], "]")
	if !found {
		return step, "", "the bracket is not closed"
	}
	if inside == "*" {
		return pathStep{all: true}, left, ""
	}
	n, err := strconv.ParseUint(inside, 10, 31)
	if err != nil {
		return step, "", `brackets hold a number from 0, * or a name in quotation marks`
	}
	return pathStep{index: int(n)}, left, ""
}

func pathProblem(path string, at int, format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "json_path", "the path %q is wrong at character %d: %s", path, at, fmt.Sprintf(format, args...)).
		With("path", path).With("at", at).
		WithHint("paths look like answer, data.answer, choices[0].message.content or sources[*].text")
}

// maxMatches bounds what [*] may find, far above the contexts that are kept.
const maxMatches = 10_000

// miss says where a path left a value.
type miss struct {
	step string // the path up to and with the step that found nothing
	why  string
}

// find returns what the path means in a decoded JSON value. A field that some items behind [*] lack is passed over; miss is
// set when nothing was found at all. [*] over an empty list finds nothing and misses nothing.
func (p Path) find(v any) (found []any, lost *miss) {
	found = []any{v}
	for i, step := range p.steps {
		var next []any
		emptyList := false
		for _, value := range found {
			items, why := step.of(value)
			if why != "" && lost == nil {
				lost = &miss{step: describeSteps(p.steps[:i+1]), why: why}
			}
			emptyList = emptyList || why == "" && len(items) == 0
			if next = append(next, items...); len(next) > maxMatches {
				next = next[:maxMatches]
			}
		}
		if len(next) == 0 {
			if emptyList {
				lost = nil
			}
			return nil, lost
		}
		found = next
	}
	return found, nil
}

// of applies one step to one value; why says what kept it from finding anything.
func (s pathStep) of(v any) (items []any, why string) {
	if s.named {
		object, ok := v.(map[string]any)
		if !ok {
			return nil, "is looked for in " + jsonKind(v)
		}
		item, ok := object[s.field]
		if !ok {
			return nil, "is not there"
		}
		return []any{item}, ""
	}
	list, ok := v.([]any)
	switch {
	case !ok:
		return nil, "is looked for in " + jsonKind(v)
	case s.all:
		return list, ""
	case s.index >= len(list):
		return nil, fmt.Sprintf("is not there: the list has %d items", len(list))
	}
	return []any{list[s.index]}, ""
}

func describeSteps(steps []pathStep) string {
	var b strings.Builder
	for i, s := range steps {
		switch {
		case s.all:
			b.WriteString("[*]")
		case !s.named:
			fmt.Fprintf(&b, "[%d]", s.index)
		case plainName(s.field):
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.field)
		default:
			fmt.Fprintf(&b, "[%q]", s.field)
		}
	}
	return b.String()
}

// plainName reports whether a field's name needs no brackets in a path.
func plainName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' &&
			r != '-'
	}) < 0
}

// jsonKind names the kind of a decoded JSON value.
func jsonKind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}
