package document

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
	pattern "github.com/rag-workbench/workbench/internal/text"
)

// paramRef is a parameter in a body: ${p.k}.
var paramRef = pattern.Lazy(`\$\{\s*([\p{L}_][\p{L}\p{N}_-]*)\.([\p{L}_][\p{L}\p{N}_-]*)\s*\}`)

// Param is one parameter of a params cell.
type Param struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // text, number, integer, boolean, date
	Default any      `json:"default"`
	Choices []string `json:"choices,omitempty"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	Doc     Words    `json:"doc,omitzero"`
}

var paramFields = []Field{
	{Name: "type", Type: TextField, Choices: []string{"text", "number", "integer", "boolean", "date"}},
	{Name: "default", Type: TextField, Required: true},
	{Name: "choices", Type: ListField},
	{Name: "min", Type: NumberField},
	{Name: "max", Type: NumberField},
	{Name: "doc", Type: WordsField},
}

// params reads the bodies of the parameters, whose values stand in the others.
func (r *Reader) params() {
	d := r.Document
	seen := map[string]int{}
	for _, c := range d.Cells() {
		if first, twice := seen[c.Name]; twice && c.Name != "" {
			r.add(d.Wrong(c.Line, c, "cell_twice", "line %d has a cell of this name already", first).With("first", first).
				WithHint("give one of them another name"))
		}
		seen[c.Name] = c.Line
		if c.Type == "params" {
			r.Wrong = append(r.Wrong, d.readBody(c, nil)...)
		}
	}
}

// Cells reads the other bodies with the parameters put in, and follows the references.
func (r *Reader) Cells(values map[string]any) {
	d := r.Document
	for _, c := range d.Cells() {
		if _, known := SchemaOf(c.Type); known && c.Type != "params" {
			r.Wrong = append(r.Wrong, d.readBody(c, values)...)
		}
	}
	r.plans()
	r.references()
	r.limits()
}

// readBody decodes and checks a body with the parameters put in, and keeps the fields.
func (d *Document) readBody(c *Cell, values map[string]any) []*problem.Problem {
	s, wrong := d.substitute(c, values)
	if wrong != nil {
		return []*problem.Problem{wrong}
	}
	fields, lines, err := decode(s)
	if err != nil {
		return []*problem.Problem{d.yaml(c.Line, c, err)}
	}
	c.Values, c.Lines = fields, lines
	schema, _ := SchemaOf(c.Type)
	b := body{document: d, cell: c, line: c.Line, fields: fields, lines: lines}
	if !schema.Open {
		b.check(schema.Fields, fields, "")
		return b.wrong
	}
	for name, v := range fields {
		m, long := v.(map[string]any)
		switch {
		case !nameShape.MatchString(name):
			b.add(b.mistake(name, "parameter_name", "%q is no name for a parameter", name))
		case long:
			b.check(paramFields, m, name+".")
		case TextOf(v) == "" && v != "":
			b.add(b.mistake(name, "parameter_default", "the parameter %s has no default", name).
				WithHint("%s: 4, or %s: {type: integer, default: 4}", name, name))
		}
		if len(b.wrong) == 0 {
			if p := paramOf(name, v); !p.allows(p.Default) {
				b.add(b.mistake(name, "parameter_fits", "the default of %s is %v, which its type, choices or bounds do not allow", name,
					ShownValue(p.Default)).With("value", ShownValue(p.Default)))
			}
		}
	}
	return b.wrong
}

// Params lists the parameters of a params cell, by name.
func (c *Cell) Params() []Param {
	var out []Param
	for _, name := range SortedKeys(c.Values) {
		out = append(out, paramOf(name, c.Values[name]))
	}
	return out
}

// ParamOf finds the parameter of a name, which is cell.name, or name where one cell alone has it, and reads a value for it as written on a
// command line. A name of none or of several and a value that does not fit are Invalid Problems.
func (d *Document) ParamOf(name, value string) (full string, v any, err error) {
	var fits []string
	var all []string
	var fit Param
	for _, c := range d.Cells() {
		if c.Type != "params" {
			continue
		}
		for _, p := range c.Params() {
			full := c.Name + "." + p.Name
			all = append(all, full)
			if name == full || name == p.Name {
				fits, fit = append(fits, full), p
			}
		}
	}
	switch len(fits) {
	case 0:
		if len(all) == 0 {
			return "", nil, problem.New(problem.Invalid, "param_unknown", "%s has no parameters, so %q cannot be set", d.Name, name).
				With("mistake", "cell").With("name", name).With("among", "–").
				WithHint("parameters stand in a cell \"rag params NAME\"")
		}
		return "", nil, problem.New(problem.Invalid, "param_unknown", "%s has no parameter %q%s", d.Name, name, pattern.Meant(name, all)).
			With("mistake", "cell").With("name", name).With("among", strings.Join(all, ", ")).
			WithHint("parameters: %s", strings.Join(all, ", "))
	case 1:
	default:
		return "", nil, problem.New(problem.Invalid, "param_unclear", "%q may be %s", name, strings.Join(fits, " or ")).
			With("name", name).With("among", strings.Join(fits, ", ")).
			WithHint("write the cell too: -p %s=…", fits[0])
	}
	v, err = fit.Parse(value)
	return fits[0], v, err
}

// Title heads the cell in reading mode; zero where it says none.
func (c *Cell) Title() Words { return WordsOf(c.Values["title"]) }

func paramOf(name string, v any) Param {
	p := Param{Name: name, Default: v}
	if m, ok := v.(map[string]any); ok {
		p.Type, p.Default, p.Choices, p.Doc = TextOf(m["type"]), m["default"], TextsOf(m["choices"]), WordsOf(m["doc"])
		for key, to := range map[string]**float64{"min": &p.Min, "max": &p.Max} {
			if n, ok := m[key].(float64); ok {
				*to = &n
			}
		}
	}
	if p.Type == "" {
		switch p.Default.(type) {
		case float64:
			p.Type = "number"
		case bool:
			p.Type = "boolean"
		default:
			p.Type = "text"
		}
	}
	return p
}

// allows reports whether a value fits the parameter.
func (p Param) allows(v any) bool {
	if len(p.Choices) > 0 {
		fits := false
		for _, c := range p.Choices {
			fits = fits || c == TextOf(v)
		}
		if !fits {
			return false
		}
	}
	n, isNumber := v.(float64)
	switch p.Type {
	case "number", "integer":
		return isNumber && (p.Type == "number" || n == float64(int64(n))) && (p.Min == nil || n >= *p.Min) && (p.Max == nil || n <= *p.Max)
	case "boolean":
		_, ok := v.(bool)
		return ok
	}
	return true
}

// kindsOfValues say what may be given for a parameter of a type.
var kindsOfValues = map[string]Words{
	"text": {"text", "文字列"}, "number": {"number", "数値"}, "integer": {"integer", "整数"},
	"boolean": {"true or false", "true または false"}, "date": {"date", "日付"},
}

// fits says what values the parameter takes, with its bounds.
func (p Param) fits() Words {
	kind := kindsOfValues[p.Type]
	said := func(v *float64) string { return stats.Significant(*v, 15) }
	switch {
	case len(p.Choices) > 0:
		list := strings.Join(p.Choices, ", ")
		return Words{"one of " + list, "次のいずれか（" + list + "）"}
	case p.Min != nil && p.Max != nil:
		return Words{kind.EN + " from " + said(p.Min) + " to " + said(p.Max), said(p.Min) + "〜" + said(p.Max) + "の" + kind.JA}
	case p.Min != nil:
		return Words{kind.EN + " of " + said(p.Min) + " or more", said(p.Min) + "以上の" + kind.JA}
	case p.Max != nil:
		return Words{kind.EN + " of " + said(p.Max) + " or less", said(p.Max) + "以下の" + kind.JA}
	}
	return kind
}

// Parse reads a parameter's value as people write it on a command line.
func (p Param) Parse(s string) (any, error) {
	var v any = s
	switch p.Type {
	case "number", "integer":
		n, err := strconv.ParseFloat(s, 64)
		if err == nil {
			v = n
		}
	case "boolean":
		b, err := strconv.ParseBool(s)
		if err == nil {
			v = b
		}
	}
	if !p.allows(v) {
		bounds := p.fits()
		return nil, problem.New(problem.Invalid, "param_value", "the parameter %s is %q, which does not fit", p.Name, s).
			With("mistake", "fits").With("param", p.Name).With("value", s).With("must", bounds).
			WithHint("a value that fits: %s", problem.Both(bounds.EN, bounds.JA))
	}
	return v, nil
}

// ParamValues are the values of all parameters as cell.name: those given, else the defaults.
func (d *Document) ParamValues(given map[string]any) map[string]any {
	out := map[string]any{}
	for _, c := range d.Cells() {
		if c.Type != "params" {
			continue
		}
		for _, p := range c.Params() {
			key := c.Name + "." + p.Name
			out[key] = p.Default
			if v, ok := given[key]; ok {
				out[key] = v
			}
		}
	}
	return out
}

// substitute puts parameters into a body. Lines that are comments stay.
func (d *Document) substitute(c *Cell, values map[string]any) (string, *problem.Problem) {
	if c.Type == "params" || !strings.Contains(c.Body, "${") {
		return c.Body, nil
	}
	lines := strings.SplitAfter(c.Body, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, m := range paramRef.FindAllStringSubmatch(line, -1) {
			key := m[1] + "." + m[2]
			v, ok := values[key]
			if !ok {
				p := d.Wrong(c.Line+1+i, c, "param_unknown", "${%s} names no parameter%s", key, pattern.Meant(key, SortedKeys(values)))
				p = Among(p, key, SortedKeys(values)).With("mistake", "cell").With("name", "${"+key+"}")
				return "", p.WithHint("parameters stand in a cell \"rag params NAME\"")
			}
			written := Scalar(v)
			inner := line[0] == ' ' || line[0] == '\t'
			if c.Type == "query" && (inner || strings.HasPrefix(line, "sql:")) || c.Type == "table" && strings.HasPrefix(line, "filter:") {
				written = SQLParam(key, len(m[0])) // a value and never a part of the statement
			}
			lines[i] = strings.ReplaceAll(lines[i], m[0], written)
		}
		if at := strings.Index(lines[i], "${"); at >= 0 && c.Type != "note" {
			return "", d.Wrong(c.Line+1+i, c, "param_shape", "what follows ${ is no parameter").With("mistake", "cell").
				WithHint("write ${params-cell.name}")
		}
	}
	return strings.Join(lines, ""), nil
}

var safeScalar = pattern.Lazy(`^[\p{L}][\p{L}\p{N}._/@+-]*$`)

// Scalar writes a value so that YAML reads the same back.
func Scalar(v any) string {
	s, isText := v.(string)
	if !isText {
		return TextOf(v)
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "nan", "inf":
	default:
		if safeScalar.MatchString(s) {
			return s
		}
	}
	body, err := json.Marshal(s)
	if err != nil {
		return `""` // a string is always JSON
	}
	return string(body)
}
