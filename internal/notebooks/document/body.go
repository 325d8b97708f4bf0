package document

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// decode reads YAML that must be a mapping, or nothing. lines are those of its top-level keys, from 1.
func decode(s string) (fields map[string]any, lines map[string]int, err error) {
	fields, lines, err = yaml.Fields([]byte(strings.ReplaceAll(s, "\r\n", "\n")))
	return PlainOf(fields).(map[string]any), lines, err
}

// YAMLError is the line of an error of [decode], from 1, and what is wrong there.
func YAMLError(err error) (int, *problem.Problem) {
	if wrong, ok := errors.AsType[*yaml.Mistake](err); ok {
		return wrong.Line, wrong.Problem("cell_yaml")
	}
	return 1, problem.New(problem.Invalid, "cell_yaml", "%v", err)
}

// PlainOf makes mappings with text keys and the numbers of JSON of what YAML gave.
func PlainOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = PlainOf(x)
		}
		return v
	case map[any]any:
		out := map[string]any{}
		for k, x := range v {
			out[fmt.Sprint(k)] = PlainOf(x)
		}
		return out
	case []any:
		for i, x := range v {
			v[i] = PlainOf(x)
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
	return b.document.Wrong(b.line+yaml.LineOf(b.lines, field), b.cell, "cell_field", format, args...).
		With("mistake", kind).With("field", field)
}

// check refuses unknown names, wrong types and missing fields.
func (b *body) check(fields []Field, given map[string]any, under string) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	for _, name := range SortedKeys(given) { // first: a name that is mistyped is missing too
		if !slices.Contains(names, name) {
			p := b.mistake(under+name, "unknown", "there is no field %q%s", under+name, text.Meant(name, names))
			b.add(Among(p, name, names).WithHint("fields: %s", strings.Join(names, ", ")))
		}
	}
	for _, f := range fields {
		v, ok := f.read(given)
		switch {
		case f.Required && (!ok || v == nil):
			b.add(b.mistake(under+f.Name, "missing", "%s%s is missing", under, f.Name).With("doc", f.doc()).
				WithHint("the cell needs a line %s: …; %s", f.Name, f.hint()))
		case ok && v != nil && !f.accepts(v):
			b.add(b.misfit(f, under, v))
		case ok && v != nil && v != "" && len(f.Choices) > 0 && !slices.Contains(f.Choices, fmt.Sprint(v)):
			p := b.mistake(under+f.Name, "choice", "%s%s is %v%s", under, f.Name, ShownValue(v), text.Meant(fmt.Sprint(v), f.Choices))
			b.add(Among(p, fmt.Sprint(v), f.Choices).With("value", ShownValue(v)).WithHint("one of: %s", strings.Join(f.Choices, ", ")))
		case len(f.Fields) > 0:
			if m, isMap := v.(map[string]any); isMap {
				b.check(f.Fields, m, under+f.Name+".")
			}
		}
	}
}

// misfit is a value of another type than its field has, with what to write instead.
func (b *body) misfit(f Field, under string, v any) *problem.Problem {
	p := b.mistake(under+f.Name, "type", "%s%s is %v; it must be %s", under, f.Name, ShownValue(v),
		problem.Both(f.Type.Words("en"), f.Type.Words("ja")))
	doc := f.doc()
	if yaml.Advise(p, f.Name, v, f.Type.kind()) {
		ja := p.In("ja")
		p.WithHint("%s", problem.Both(p.Hint+"; "+doc.EN, ja.Hint+"。"+doc.JA))
		doc = Words{p.Hint, p.In("ja").Hint}
	} else {
		p.WithHint("%s", f.hint())
	}
	return p.With("value", ShownValue(v)).With("must", Words{f.Type.Words("en"), f.Type.Words("ja")}).With("doc", doc)
}

// read is the value of a field. A share of 1 may be written in percent, as on the command line: then it becomes the number it stands for.
func (f Field) read(given map[string]any) (any, bool) {
	v, ok := given[f.Name]
	s, isText := v.(string)
	if !isText || f.Type != NumberField || f.Max == nil || *f.Max > 1 || !strings.HasSuffix(strings.TrimSpace(s), "%") {
		return v, ok
	}
	if share, is := text.ReadShare(s); is {
		given[f.Name] = share
		return share, true
	}
	return v, ok
}

// Among adds the names of which one was expected, and the one that could be meant.
func Among(p *problem.Problem, name string, names []string) *problem.Problem {
	if near := text.Nearest(name, names); near != "" {
		p = p.With("near", near)
	}
	if len(names) == 0 {
		return p.With("among", "–")
	}
	return p.With("among", strings.Join(names, ", "))
}

// ShownValue is a value of YAML as a message shows it.
func ShownValue(v any) string {
	return yaml.Shown(v)
}

// NumberOf is a number of YAML; 0 for anything else.
func NumberOf(v any) float64 {
	n, _ := v.(float64)
	return n
}

// TextOf is a scalar as it was written, as far as YAML keeps that; "" for anything else.
func TextOf(v any) string {
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

// TextsOf is a list of scalars, or one scalar.
func TextsOf(v any) []string {
	list, ok := v.([]any)
	if !ok {
		if s := TextOf(v); s != "" {
			return []string{s}
		}
		return nil
	}
	var out []string
	for _, x := range list {
		if s := TextOf(x); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// WordsOf is a text of YAML in one language or in two.
func WordsOf(v any) Words {
	if m, ok := v.(map[string]any); ok {
		return Words{EN: TextOf(m["en"]), JA: TextOf(m["ja"])}
	}
	return Words{EN: TextOf(v), JA: TextOf(v)}
}
