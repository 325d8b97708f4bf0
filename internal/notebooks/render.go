package notebooks

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var pageStyle string

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageSource)) })

// page is what the template shows.
type page struct {
	Lang, Title, Policy, Offline, Footer string
	Style                                template.CSS
	Parts                                []part
	Frame                                *reports.Frame
	Comments                             *remarksPart
}

// part is a stretch of prose, or what a cell shows of its value.
type part struct {
	Prose             template.HTML
	Name, Title       string
	State, StateClass string
	Headline          string
	Text, TextClass   string
	Caution           string
	Found             []FoundRead
	Figures           []Figure
	Chart             *chartPart
	Table             *Table
}

// partOf lays a block out.
func partOf(b ReadingBlock, lang string) part {
	p := part{
		Name: b.Cell, Title: b.Title, Headline: b.Headline, Text: b.Text, TextClass: b.Tone, Caution: b.Caution, Found: b.Found,
		Figures: b.Figures,
		Table:   b.Table,
		Chart:   chartPartOf(b.Plan, lang),
	}
	if b.State != Fresh {
		p.StateClass = string(b.State)
		p.State = b.Cell + ": " + b.State.Words(lang)
		if len(b.Why) > 0 {
			p.State += " (" + strings.Join(b.Why, "; ") + ")"
		}
		if b.Error != "" {
			p.State += " — " + b.Error
		}
	}
	return p
}

// chartPart is a chart with the rows behind it.
type chartPart struct {
	SVG            template.HTML
	Title, Summary string
	Notes          []string
	Label          string
	Head           []string
	Rows           [][]string
	Rest           string
}

// chartPartOf paints a plan; nil without one.
func chartPartOf(p *charts.Plan, lang string) *chartPart {
	if p == nil {
		return nil
	}
	svg, err := charts.SVG(p, lang)
	if err != nil {
		return nil // it writes into memory
	}
	out := &chartPart{SVG: svg, Title: p.Title.In(lang), Summary: p.Summary.In(lang), Label: say(lang, "Table", "表")}
	for _, w := range p.Notes {
		out.Notes = append(out.Notes, w.In(lang))
	}
	out.Head, out.Rows = p.Table(lang)
	if left := len(out.Rows) - mostRead; left > 0 {
		out.Rows = out.Rows[:mostRead]
		out.Rest = say(lang, document.Thousands(left)+" more rows.", "ほか"+document.Thousands(left)+"行。")
	}
	return out
}

// WriteHTML writes reading mode in "en" or "ja": prose with its values, and the results of cells; no cells, no scripts, no address
// outside. Cells that are not up to date say so.
func (n *Notebook) WriteHTML(v *View, lang string, w io.Writer) error {
	return n.WriteShared(v, lang, nil, w)
}

// WriteShared is WriteHTML with the frame of a page that is shared; nil: none.
func (n *Notebook) WriteShared(v *View, lang string, frame *reports.Frame, w io.Writer) error {
	if lang != "en" && lang != "ja" {
		return problem.New(problem.Invalid, "notebook_lang", "the language is %q", lang).WithHint("use en or ja")
	}
	style := pageStyle + charts.Style()
	sum := sha256.Sum256([]byte(style))
	p := page{
		Lang: lang, Frame: frame, Style: template.CSS(style), //nolint:gosec // our own file, see the embedding
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'",
		Footer: n.Name() + " · " + n.Now().UTC().Format("2006-01-02 15:04 UTC"),
	}
	reading := n.Reading(v, lang)
	p.Title, p.Comments = reading.Title, remarksPartOf(reading.Comments, lang)
	for _, b := range reading.Blocks {
		if b.Kind == "cell" {
			p.Parts = append(p.Parts, partOf(b, lang))
			continue
		}
		if b.HTML != "" {
			p.Parts = append(p.Parts, part{Prose: template.HTML(b.HTML)}) //nolint:gosec // goldmark escapes texts, see prose.go
		}
	}
	if reading.Offline {
		p.Offline = findings.Word(lang, "judge.offline")
	}
	return pageTemplate().Execute(w, p)
}

func say(lang, en, ja string) string {
	if lang == "ja" {
		return ja
	}
	return en
}

// Embed is a value as prose shows it, or a dash with the reason.
func (n *Notebook) Embed(v *View, ref, lang string) string {
	name, path, _ := strings.Cut(ref, ".")
	c := n.Document.Cell(name)
	if c == nil {
		return "—"
	}
	if c.Type == "params" {
		return document.TextOf(n.Document.ParamValues(n.Params)[ref])
	}
	at := v.Cell(name)
	if at.Value == nil {
		return "— (" + name + ": " + at.State.Words(lang) + ")"
	}
	found, _, err := document.Look(at.Value, path)
	if err != nil {
		return "— (" + ref + ")"
	}
	return found.Format(lang)
}

// Unembeddable lists the references of the prose that lead to no field of the values that are there.
func (n *Notebook) Unembeddable(v *View) []*problem.Problem {
	var out []*problem.Problem
	check := func(refs []document.Reference, c *document.Cell) {
		for _, r := range refs {
			at := v.Cell(r.Cell)
			if to := n.Document.Cell(r.Cell); r.Field != "" || at == nil || at.Value == nil || to.Type == "params" {
				continue
			}
			found, near, err := document.Look(at.Value, r.Path)
			if err != nil || found.Format("en") == "" && r.Path == "" {
				p := n.Document.Wrong(r.Line, c, "ref_field", "the text refers to %s, and %s has no such field%s", r.Text, r.Cell,
					document.MeantBy(r.Path, near))
				out = append(out, document.Among(document.Refers(p, "", r.Text), r.Path, near).WithHint("fields: %s",
					strings.Join(near, ", ")))
				continue
			}
			if parts := found.Parts(); found.Format("en") == "" && len(parts) > 0 { // prose shows one value
				p := n.Document.Wrong(r.Line, c, "ref_field", "the text refers to %s, which holds several values and shows nothing", r.Text)
				out = append(out, document.Among(document.Refers(p, "", r.Text).With("mistake", "parts"), "", parts).
					WithHint("refer to one of them: %s", strings.Join(parts, ", ")))
			}
		}
	}
	for _, b := range n.Document.Blocks {
		switch {
		case b.Cell != nil && b.Cell.Type == "note":
			check(b.Cell.Refs(), b.Cell)
		case b.Kind == document.ProseBlock:
			check(document.ProseRefs(n.Document.Text(b), b.Line), nil)
		}
	}
	return out
}

// WriteXLSX writes the workbook of the notebook's first report cell that has a result, in "en", "ja" or "both", with the charts of its
// chart cells at the end; without a report the charts alone.
func (n *Notebook) WriteXLSX(ctx context.Context, v *View, lang string, w io.Writer) error {
	var drawn []spreadsheet.NamedPlan
	for _, c := range v.Cells {
		if x, is := c.Value.(document.Chart); is {
			if plan := PlanOf(x); plan != nil {
				drawn = append(drawn, spreadsheet.NamedPlan{Name: c.Name, Plan: plan})
			}
		}
	}
	for _, c := range v.Cells {
		if r, ok := c.Value.(document.Report); ok {
			return n.Engine.WriteReport(ctx, r, drawn, lang, w)
		}
	}
	if len(drawn) > 0 {
		return spreadsheet.WriteCharts(w, lang, drawn)
	}
	return problem.New(problem.Invalid, "no_report_cell", "%s has neither a report cell nor a chart cell with a result", n.Path).
		WithHint("add a cell: rag report NAME with of: and baseline:; or run the notebook first")
}
