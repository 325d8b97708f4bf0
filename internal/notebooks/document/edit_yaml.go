package document

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// The characters that stand for ${…} while a body is read without its parameters; they are of a private use area of Unicode.
const paramOpen, paramClose = "\uE0F0", "\uE0F1"

// Fields are what a cell says, as written: a parameter stays the text ${p.k}. ok is false when the YAML cannot be read.
func (c *Cell) Fields() (fields map[string]any, ok bool) {
	fields, _, err := rawFields(c.Body)
	return fields, err == nil
}

// rawFields are the fields of a body as written, and the lines of those that stand at its margin.
func rawFields(body string) (map[string]any, map[string]int, error) {
	hidden := paramRef.ReplaceAllStringFunc(body, func(s string) string { return paramOpen + s[2:len(s)-1] + paramClose })
	fields, lines, err := decode(hidden)
	if err != nil {
		return nil, nil, err
	}
	shown := shownParams(fields).(map[string]any)
	maps.DeleteFunc(lines, func(name string, _ int) bool { _, top := shown[name]; return !top })
	return shown, lines, nil
}

func shownParams(v any) any {
	switch v := v.(type) {
	case string:
		return strings.NewReplacer(paramOpen, "${", paramClose, "}").Replace(v)
	case []any:
		for i, x := range v {
			v[i] = shownParams(x)
		}
	case map[string]any:
		for k, x := range v {
			v[k] = shownParams(x)
		}
	}
	return v
}

// WithFields returns the document with some fields of a cell changed, as a form does: nil takes a field away, a field that has the value
// already stays as it is written, and so do all others with their comments. Values are those of JSON.
func (d *Document) WithFields(name string, changes map[string]any) (*Document, []*problem.Problem, error) {
	c := d.Cell(name)
	if c == nil {
		return nil, nil, d.NoCell(name)
	}
	schema, _ := SchemaOf(c.Type)
	known := schema.Fields
	if schema.Open {
		known = nil
		for field := range changes {
			known = append(known, Field{Name: field, Fields: paramFields})
		}
	}
	body, err := rewritten(c.Body, c.newline, changes, known)
	if err != nil {
		return nil, nil, d.yaml(c.Line, c, err)
	}
	return d.WithBody(name, body)
}

// WithFront returns the document with fields of the front matter changed, as [Document.WithFields] does.
func (d *Document) WithFront(changes map[string]any) (*Document, []*problem.Problem, error) {
	if len(d.Blocks) == 0 || d.Blocks[0].Kind != FrontBlock {
		return nil, nil, d.Wrong(1, nil, "front_missing", "a notebook begins with its front matter")
	}
	text := d.Text(d.Blocks[0])
	start, end := strings.IndexByte(text, '\n')+1, strings.LastIndex(text, "---")
	body, err := rewritten(text[start:end], d.newline(), changes, frontFields)
	if err != nil {
		return nil, nil, d.yaml(1, nil, err)
	}
	out, wrong := Read(d.Name, slices.Concat(d.source[:start], []byte(body), d.source[end:]))
	return out, wrong, nil
}

// newline is the line end of the document.
func (d *Document) newline() string {
	if i := bytes.IndexByte(d.source, '\n'); i > 0 && d.source[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// rewritten changes top-level fields of a YAML mapping and leaves every other line as it is.
func rewritten(body, newline string, changes map[string]any, known []Field) (string, error) {
	had, lines, err := rawFields(body)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(strings.TrimSpace(body), "{") { // one flow mapping: its fields have no lines of their own
		var own strings.Builder
		for _, f := range inOrder(SortedKeys(had), known) {
			own.WriteString(yamlField(f, had[f.Name], newline))
		}
		body = own.String()
		if had, lines, err = rawFields(body); err != nil {
			return "", err
		}
	}
	parts := fieldLines(body, lines)
	for _, f := range inOrder(SortedKeys(changes), known) {
		value := PlainOf(changes[f.Name])
		old, there := had[f.Name]
		switch i := slices.IndexFunc(parts, func(p fieldText) bool { return p.name == f.Name }); {
		case there && reflect.DeepEqual(old, value), !there && value == nil:
		case value == nil:
			parts = slices.Delete(parts, i, i+1)
		case i >= 0:
			parts[i].text = withComment(yamlField(f, value, newline), parts[i].text, f.Name, old, newline)
		default:
			if last := len(parts) - 1; last >= 0 && parts[last].text != "" && !strings.HasSuffix(parts[last].text, "\n") {
				parts[last].text += newline
			}
			parts = append(parts, fieldText{f.Name, yamlField(f, value, newline)})
		}
	}
	var out strings.Builder
	for _, p := range parts {
		out.WriteString(p.text)
	}
	return out.String(), nil
}

// inOrder are the fields of these names in the order of the schema; names that it does not know come last.
func inOrder(names []string, known []Field) []Field {
	var out []Field
	for _, f := range known {
		if slices.Contains(names, f.Name) {
			out = append(out, f)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(out, func(f Field) bool { return f.Name == name }) {
			out = append(out, Field{Name: name})
		}
	}
	return out
}

// fieldText is the text of one top-level field, or with no name what stands between them.
type fieldText struct{ name, text string }

// fieldLines cuts a body at its top-level fields. Comments and empty lines before a field belong to none.
func fieldLines(body string, lines map[string]int) []fieldText {
	all := strings.SplitAfter(body, "\n")
	at := map[int]string{}
	for name, line := range lines {
		at[line-1] = name
	}
	var out []fieldText
	for i := 0; i < len(all); {
		name, from := at[i], i
		i++
		for i < len(all) && at[i] == "" {
			i++
		}
		to := i
		for name != "" && to > from+1 && (strings.TrimSpace(all[to-1]) == "" || strings.HasPrefix(all[to-1], "#")) {
			to--
		}
		out = append(out, fieldText{name, strings.Join(all[from:to], "")})
		if to < i {
			out = append(out, fieldText{"", strings.Join(all[to:i], "")})
		}
	}
	return out
}

// withComment keeps the comment that stood behind a value of one line.
func withComment(now, then, name string, old any, newline string) string {
	line := strings.TrimRight(then, "\r\n")
	if strings.Count(then, "\n") > 1 || strings.Count(now, "\n") != 1 {
		return now
	}
	for at := strings.Index(line, " #"); at >= 0; {
		if fields, _, err := rawFields(line[:at]); err == nil && reflect.DeepEqual(fields[name], old) {
			for at > 0 && line[at-1] == ' ' {
				at--
			}
			return strings.TrimRight(now, "\r\n") + line[at:] + newline
		}
		next := strings.Index(line[at+1:], " #")
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return now
}

// The width that a value may have on the line of its field.
const flowWidth = 110

// yamlField writes a field: on one line where that is short, else as a block.
func yamlField(f Field, v any, newline string) string {
	if flow := yamlFlow(f, v); len([]rune(flow)) <= flowWidth && !manyLines(v) {
		return yamlKey(f.Name) + ": " + flow + newline
	}
	var out strings.Builder
	yamlBlock(&out, f, v, "")
	return strings.ReplaceAll(out.String(), "\n", newline)
}

func yamlKey(name string) string { return yamlText(name) }

// manyLines reports whether some text in a value has several lines.
func manyLines(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, "\n")
	case []any:
		return slices.ContainsFunc(v, manyLines)
	case map[string]any:
		for _, x := range v {
			if manyLines(x) {
				return true
			}
		}
	}
	return false
}

// yamlFlow writes a value on one line.
func yamlFlow(f Field, v any) string {
	var parts []string
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			parts = append(parts, yamlFlow(Field{Fields: f.Fields}, x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		for _, inner := range inOrder(SortedKeys(v), f.Fields) {
			parts = append(parts, yamlKey(inner.Name)+": "+yamlFlow(inner, v[inner.Name]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case string:
		return yamlText(v)
	case nil:
		return "null"
	}
	return TextOf(v)
}

// yamlBlock writes a field over several lines.
func yamlBlock(out *strings.Builder, f Field, v any, indent string) {
	out.WriteString(indent + yamlKey(f.Name) + ":")
	deeper := indent + "  "
	switch v := v.(type) {
	case []any:
		out.WriteString("\n")
		for _, x := range v {
			out.WriteString(deeper + "- " + yamlFlow(Field{Fields: f.Fields}, x) + "\n")
		}
	case map[string]any:
		out.WriteString("\n")
		for _, inner := range inOrder(SortedKeys(v), f.Fields) {
			if flow := yamlFlow(inner, v[inner.Name]); len([]rune(flow)) <= flowWidth && !manyLines(v[inner.Name]) {
				out.WriteString(deeper + yamlKey(inner.Name) + ": " + flow + "\n")
			} else {
				yamlBlock(out, inner, v[inner.Name], deeper)
			}
		}
	case string:
		if literal, ok := yamlLiteral(v, deeper); ok {
			out.WriteString(" " + literal)
		} else {
			out.WriteString(" " + yamlText(v) + "\n")
		}
	default:
		out.WriteString(" " + yamlFlow(f, v) + "\n")
	}
}

// yamlLiteral writes a text of several lines as people do. Some texts cannot be written so.
func yamlLiteral(s, indent string) (string, bool) {
	if !strings.Contains(s, "\n") || strings.ContainsAny(s, "\r\t\u0085\u2028\u2029") || strings.HasPrefix(s, " ") ||
		strings.HasPrefix(s, "\n") || strings.HasSuffix(s, "\n\n") || strings.Contains(s, "```") {
		return "", false
	}
	mark := "|-\n"
	if strings.HasSuffix(s, "\n") {
		mark = "|\n"
	}
	var out strings.Builder
	out.WriteString(mark)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		if strings.HasSuffix(line, " ") {
			return "", false // spaces at the end would be lost
		}
		if line != "" {
			out.WriteString(indent)
		}
		out.WriteString(line + "\n")
	}
	return out.String(), true
}

// yamlText writes a text so that YAML reads the same back, with its parameters as they are.
func yamlText(s string) string {
	bare := paramRef.ReplaceAllString(s, "p")
	if bare != s && safeScalar.MatchString(bare) {
		return s
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "nan", "inf", "y", "n":
	default:
		if safeScalar.MatchString(s) {
			return s
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // a text is always JSON
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Resolved are the fields with the parameters put in; nil when the body cannot be read.
func (c *Cell) Resolved() map[string]any { return maps.Clone(c.Values) }
