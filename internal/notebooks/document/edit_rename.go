package document

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
	pattern "github.com/rag-workbench/workbench/internal/text"
)

// Rename returns the document with another name for a cell, in its fence and wherever it is referred to: fields, tables of SQL, ${…} and
// {{ … }}.
func (d *Document) Rename(old, name string) (*Document, []*problem.Problem, error) {
	c := d.Cell(old)
	switch {
	case c == nil:
		return nil, nil, d.NoCell(old)
	case !nameShape.MatchString(name) || reserved[name]:
		return nil, nil, badName(name)
	case name != old && d.Cell(name) != nil:
		return nil, nil, problem.New(problem.Conflict, "cell_twice", "line %d has a cell %s already", d.Cell(name).Line, name).
			With("first", d.Cell(name).Line).With("cell", name).
			With("field", "name").WithHint("choose another name")
	}
	var out strings.Builder
	for _, b := range d.Blocks {
		text := d.Text(b)
		switch {
		case b.Kind == ProseBlock:
			text = withMention(Embedded, text, old, name)
		case b.Cell != nil:
			opening, body, closing := text[:b.Cell.bodyStart-b.Start], b.Cell.Body, text[b.Cell.bodyEnd-b.Start:]
			if b.Cell == c {
				at := strings.LastIndex(opening, old)
				opening = opening[:at] + name + opening[at+len(old):]
			}
			body = b.Cell.withRefs(body, old, name)
			if b.Cell.Type == "note" {
				body = withMention(Embedded, body, old, name)
			}
			text = opening + withMention(paramRef, body, old, name) + closing
		}
		out.WriteString(text)
	}
	renamed, wrong := Read(d.Name, []byte(out.String()))
	return renamed, wrong, nil
}

// withMention puts another name into ${…} or {{ … }}: what follows the braces and spaces is a cell, up to the first dot.
func withMention(shape *pattern.Pattern, s, old, name string) string {
	return shape.ReplaceAllStringFunc(s, func(m string) string {
		at := strings.LastIndex(m, "{") + 1
		at += len(m[at:]) - len(strings.TrimLeft(m[at:], " \t\r\n\f\v"))
		cell, rest := m[at:], ""
		if end := strings.IndexAny(cell, ". \t\r\n\f\v}"); end >= 0 {
			cell, rest = cell[:end], cell[end:]
		}
		if cell != old {
			return m
		}
		return m[:at] + name + rest
	})
}

// withRefs puts another name into the fields that hold references.
func (c *Cell) withRefs(body, old, name string) string {
	schema, _ := SchemaOf(c.Type)
	_, lines, err := rawFields(body)
	if err != nil {
		return body
	}
	parts := fieldLines(body, lines)
	for i, p := range parts {
		if c.Type == "query" && p.name == "sql" {
			colon := strings.IndexByte(p.text, ':') + 1
			parts[i].text = p.text[:colon] + sqlbox.RenameTable(p.text[colon:], old, name)
			continue
		}
		isRef := slices.ContainsFunc(schema.Fields,
			func(f Field) bool { return f.Name == p.name && (f.Type == RefField || f.Type == RefsField) })
		if !isRef {
			continue
		}
		colon := strings.IndexByte(p.text, ':') + 1
		parts[i].text = p.text[:colon] + withName(p.text[colon:], old, name)
	}
	var out strings.Builder
	for _, p := range parts {
		out.WriteString(p.text)
	}
	return out.String()
}

// withName replaces a name that stands by itself or before a field: old, old.best, [old, other]. Comments are left alone.
func withName(s, old, name string) string {
	var out strings.Builder
	for line := range strings.Lines(s) {
		comment := len(line)
		if at := strings.Index(line, " #"); at >= 0 {
			comment = at
		}
		rest, last := line[:comment], ' '
		for rest != "" {
			after, _ := utf8.DecodeRuneInString(rest[min(len(rest), len(old)):])
			if strings.HasPrefix(rest, old) && !inName(last) && last != '.' && last != ':' && last != '$' &&
				(len(rest) == len(old) || !inName(after) && after != ':') {
				out.WriteString(name)
				rest, last = rest[len(old):], 'x'
				continue
			}
			r, size := utf8.DecodeRuneInString(rest)
			out.WriteString(rest[:size])
			rest, last = rest[size:], r
		}
		out.WriteString(line[comment:])
	}
	return out.String()
}

func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' || r == '-'
}
