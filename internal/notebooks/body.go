package notebooks

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// decode reads YAML that must be a mapping, or nothing. lines are those of its top-level keys, from 1.
func decode(s string) (fields map[string]any, lines map[string]int, err error) {
	fields, lines, err = yaml.Fields([]byte(strings.ReplaceAll(s, "\r\n", "\n")))
	return plain(fields).(map[string]any), lines, err
}

// yamlError is line and message of an error of [decode].
func yamlError(err error) (int, string) {
	if wrong, ok := errors.AsType[*yaml.Mistake](err); ok {
		return wrong.Line, wrong.Message
	}
	return 1, err.Error()
}

// plain makes mappings with text keys and the numbers of JSON of what YAML gave.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = plain(x)
		}
		return v
	case map[any]any:
		out := map[string]any{}
		for k, x := range v {
			out[fmt.Sprint(k)] = plain(x)
		}
		return out
	case []any:
		for i, x := range v {
			v[i] = plain(x)
		}
		return v
	case uint64:
		return float64(v)
	case int64:
		return float64(v)
	case int:
		return float64(v)
	}
	return v
}

// body checks the fields of a cell, or of the front matter, against a schema.
type body struct {
	document *Document
	cell     *Cell
	line     int // of the line before the first of the YAML
	fields   map[string]any
	lines    map[string]int
	wrong    []*problem.Problem
}

func (b *body) add(p *problem.Problem) { b.wrong = append(b.wrong, p) }

// mistake makes a problem of a top-level field, or of one below it; kind is what is wrong with it.
func (b *body) mistake(field, kind, format string, args ...any) *problem.Problem {
	top, _, _ := strings.Cut(field, ".")
	return b.document.wrong(b.line+b.lines[top], b.cell, "cell_field", format, args...).With("mistake", kind).With("field", field)
}

// check refuses unknown names, wrong types and missing fields.
func (b *body) check(fields []Field, given map[string]any, under string) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	for _, name := range sortedKeys(given) { // first: a name that is mistyped is missing too
		if !slices.Contains(names, name) {
			p := b.mistake(under+name, "unknown", "there is no field %q%s", under+name, nearest(name, names))
			b.add(among(p, name, names).WithHint("fields: %s", strings.Join(names, ", ")))
		}
	}
	for _, f := range fields {
		v, ok := given[f.Name]
		switch {
		case f.Required && (!ok || v == nil):
			b.add(b.mistake(under+f.Name, "missing", "%s%s is missing", under, f.Name).With("doc", f.doc()).WithHint("%s", f.hint()))
		case ok && v != nil && !f.accepts(v):
			p := b.mistake(under+f.Name, "type", "%s%s is %v; it must be %s", under, f.Name, shown(v), f.Type.Words("en"))
			b.add(p.With("value", shown(v)).With("must", Words{f.Type.Words("en"), f.Type.Words("ja")}).With("doc", f.doc()).
				WithHint("%s", f.hint()))
		case ok && v != nil && v != "" && len(f.Choices) > 0 && !slices.Contains(f.Choices, fmt.Sprint(v)):
			p := b.mistake(under+f.Name, "choice", "%s%s is %v%s", under, f.Name, shown(v), nearest(fmt.Sprint(v), f.Choices))
			b.add(among(p, fmt.Sprint(v), f.Choices).With("value", shown(v)).WithHint("one of: %s", strings.Join(f.Choices, ", ")))
		case len(f.Fields) > 0:
			if m, isMap := v.(map[string]any); isMap {
				b.check(f.Fields, m, under+f.Name+".")
			}
		}
	}
}

// among adds the names of which one was expected, and the one that could be meant.
func among(p *problem.Problem, name string, names []string) *problem.Problem {
	if near := nearestName(name, names); near != "" {
		p = p.With("near", near)
	}
	if len(names) == 0 {
		return p.With("among", "–")
	}
	return p.With("among", strings.Join(names, ", "))
}

func shown(v any) string {
	s := fmt.Sprintf("%v", v)
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

func number(v any) float64 {
	n, _ := v.(float64)
	return n
}

// text is a scalar as it was written, as far as YAML keeps that; "" for anything else.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// texts is a list of scalars, or one scalar.
func texts(v any) []string {
	list, ok := v.([]any)
	if !ok {
		if s := text(v); s != "" {
			return []string{s}
		}
		return nil
	}
	var out []string
	for _, x := range list {
		if s := text(x); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func words(v any) Words {
	if m, ok := v.(map[string]any); ok {
		return Words{EN: text(m["en"]), JA: text(m["ja"])}
	}
	return Words{EN: text(v), JA: text(v)}
}
