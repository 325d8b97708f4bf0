package notebooks

import (
	"fmt"
	"maps"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// located says where in the document something went wrong: at the field that is to blame, in the cell that holds it. A run cell is refused
// for what its configuration says, and that stands in another cell.
func (n refreshing) located(c *document.Cell, err error) *problem.Problem {
	p := *problem.From(err)
	if p.Params["cell"] != nil {
		return &p
	}
	at, field := n.blamed(c, &p)
	params := map[string]any{}
	maps.Copy(params, p.Params)
	if field != "" {
		params["field"] = field
		n.named(&p, field)
	}
	params["file"], params["line"], params["cell"] = n.Document.Name, at.LineOf(field), at.Name
	p.Message = fmt.Sprintf("%s:%d: cell %s: %s", n.Document.Name, at.LineOf(field), at.Name, p.Message)
	p.Params = params
	return &p
}

// named puts the name that a field has in its cell into a message, which may lack it, or call it as an experiment file does.
func (n refreshing) named(p *problem.Problem, field string) {
	was, _ := p.Params["field"].(string)
	plain := fmt.Sprintf(p.Format, p.Args...)
	switch {
	case len(p.Args) > 0 && was != "" && p.Message == plain && fmt.Sprint(p.Args[0]) == fmt.Sprint(yaml.FieldWords(was)):
		p.Args = append([]any{yaml.FieldWords(field)}, p.Args[1:]...)
		if strings.HasPrefix(p.Format, "there is no field %q") {
			p.Args[0] = yaml.QuotedField(field)
		}
		p.Message = fmt.Sprintf(p.Format, p.Args...)
	case !strings.Contains(p.Message, field):
		p.Message = fmt.Sprint(yaml.FieldWords(field)) + ": " + p.Message
	}
}

// blamed is the cell and the field that a problem of a cell is about.
func (n refreshing) blamed(c *document.Cell, p *problem.Problem) (*document.Cell, string) {
	field, _ := p.Params["field"].(string)
	name, _ := p.Params["name"].(string)
	config, _ := p.Params["config"].(string)
	if c.Type == "run" && field != "" {
		return n.blamedByRun(c, field, name, config)
	}
	if name != "" {
		for _, f := range document.SortedKeys(c.Values) {
			if found := holding(c.Values[f], f, name); found != "" {
				return c, found
			}
		}
	}
	return c, field
}

// blamedByRun finds what a field of the experiment that a run cell stands for is called in the notebook.
func (n refreshing) blamedByRun(c *document.Cell, field, name, config string) (*document.Cell, string) {
	top, rest, _ := strings.Cut(field, ".")
	switch top {
	case "suite":
		if found := holding(c.Values["metrics"], "metrics", name); found != "" {
			return c, found
		}
		return c, "metrics"
	case "dataset":
		if d := n.Document.Cell(document.TextOf(c.Values["dataset"])); d != nil {
			return d, "source"
		}
	case "base", "endpoint", "answers", "preset":
		if top == "base" {
			field = rest
		}
		if said := n.saying(n.Document.Cell(config), field); said != nil {
			return said, field
		}
	case "sweep", "pairs", "except":
		for _, of := range document.TextsOf(c.Values["configs"]) {
			if s := n.Document.Cell(of); s != nil && s.Type == "sweep" && document.TextOf(s.Values["base"]) == config {
				return s, strings.Replace(field, "sweep.", "axes.", 1)
			}
		}
	}
	return c, field
}

// saying is the cell that says a field of a configuration: itself, or one that it extends. Of what nobody says, it is the configuration.
func (n refreshing) saying(c *document.Cell, field string) *document.Cell {
	first := c
	for range document.MaxCells {
		if c == nil {
			return first
		}
		for under := field; under != ""; under = under[:max(0, strings.LastIndexByte(under, '.'))] {
			if c.Lines[under] > 0 && (under == field || !strings.Contains(under, ".") && first == c && c.Values["extends"] == nil) {
				return c
			}
		}
		c = n.Document.Cell(document.TextOf(c.Values["extends"]))
	}
	return first
}

// holding is the dotted name of the text that is a name, or names a run by it, below a field; "" for none.
func holding(v any, field, name string) string {
	switch v := v.(type) {
	case string:
		if v == name || v == "run:"+name {
			return field
		}
	case []any:
		for i, item := range v {
			if found := holding(item, fmt.Sprintf("%s[%d]", field, i), name); found != "" {
				return found
			}
		}
	}
	return ""
}
