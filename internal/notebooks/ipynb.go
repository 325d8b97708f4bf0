package notebooks

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// Bounds of what leaves in a Jupyter notebook: of a table its CSV, in bytes, and the rows that a reader sees of it in the text.
const (
	mostCSV   = 1 << 20
	mostTyped = 20
)

// jupyter is a notebook in version 4.5 of Jupyter's format.
type jupyter struct {
	Cells    []jupyterCell  `json:"cells"`
	Metadata map[string]any `json:"metadata"`
	Format   int            `json:"nbformat"`
	Minor    int            `json:"nbformat_minor"`
}

// jupyterCell is text, or code with what it gave.
type jupyterCell struct {
	Type     string          `json:"cell_type"`
	ID       string          `json:"id"`
	Metadata map[string]any  `json:"metadata"`
	Source   []string        `json:"source"`
	Count    json.RawMessage `json:"execution_count,omitempty"` // of code: null
	Outputs  []jupyterOutput `json:"outputs,omitzero"`          // of code: a list, also where it is empty
}

type jupyterOutput struct {
	Type     string              `json:"output_type"`
	Data     map[string][]string `json:"data"`
	Metadata map[string]any      `json:"metadata"`
}

// WriteIPYNB writes reading mode in "en" or "ja" as a Jupyter notebook that opens without this program: the prose with its values and
// what cells say as Markdown; then one code cell that reads their tables, which stand in it as CSV, with the charts as its outputs. The
// code needs Python alone, and makes data frames where pandas is. Prose is the author's own Markdown; all data in the text is escaped.
func (n *Notebook) WriteIPYNB(ctx context.Context, v *View, lang string, w io.Writer) error {
	if lang != "en" && lang != "ja" {
		return problem.New(problem.Invalid, "notebook_lang", "the language is %q", lang).WithHint("use en or ja")
	}
	reading := n.Reading(v, lang)
	out := jupyter{Format: 4, Minor: 5, Metadata: map[string]any{
		"kernelspec":    map[string]any{"name": "python3", "display_name": "Python 3", "language": "python"},
		"language_info": map[string]any{"name": "python"}, "title": reading.Title,
	}}
	text := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			out.Cells = append(out.Cells, jupyterCell{Type: "markdown", ID: "text-" + strconv.Itoa(len(out.Cells)+1),
				Metadata: map[string]any{}, Source: linesOf(s)})
		}
	}
	code := newTableCode(lang)
	var drawn []jupyterOutput
	text("# " + escaped(reading.Title))
	if reading.Offline {
		text("> " + escaped(findings.Word(lang, "judge.offline")))
	}
	for _, b := range reading.Blocks {
		if b.Kind == "prose" {
			text(withValues(b.Markdown, func(ref string) string { return escaped(n.Embed(v, ref, lang)) }))
			continue
		}
		text(b.typed(lang))
		t, ok, err := n.exported(ctx, v, b.Cell)
		if err == nil && ok {
			err = code.add(b.Cell, t)
		}
		if err == nil && b.Plan != nil {
			drawn, err = painted(drawn, b.Plan, lang)
		}
		if err != nil {
			return err
		}
	}
	if code.tables > 0 {
		out.Cells = append(out.Cells, jupyterCell{Type: "code", ID: "tables", Metadata: map[string]any{}, Source: linesOf(code.String()),
			Count: json.RawMessage("null"), Outputs: append([]jupyterOutput{}, drawn...)})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(out)
}

// painted adds a chart to outputs.
func painted(to []jupyterOutput, p *charts.Plan, lang string) ([]jupyterOutput, error) {
	svg, err := charts.AloneSVG(p, lang)
	return append(to, jupyterOutput{Type: "display_data", Metadata: map[string]any{}, Data: map[string][]string{
		"image/svg+xml": {svg}, "text/plain": {strings.TrimSpace(p.Title.In(lang) + " — " + p.Summary.In(lang))},
	}}), err
}

// linesOf is a text as the format wants it: its lines with their ends.
func linesOf(s string) []string { return strings.SplitAfter(s, "\n") }

// typed is what a cell shows, but for its chart, as Markdown.
func (b ReadingBlock) typed(lang string) string {
	var out strings.Builder
	title := b.Title
	if title == "" {
		title = b.Cell
	}
	fmt.Fprintf(&out, "### %s\n\n", escaped(title))
	if b.State != Fresh {
		fmt.Fprintf(&out, "> %s: %s %s\n\n", escaped(b.Cell), b.State.Words(lang), escaped(strings.Join(b.Why, "; ")+b.Error))
	}
	if b.Headline != "" {
		fmt.Fprintf(&out, "**%s**\n\n", escaped(b.Headline))
	}
	if b.Text != "" {
		fmt.Fprintf(&out, "%s\n\n", escaped(b.Text))
	}
	if b.Caution != "" {
		fmt.Fprintf(&out, "%s\n\n", escaped(b.Caution))
	}
	for _, f := range b.Figures {
		fmt.Fprintf(&out, "- %s: **%s**\n", escaped(f.Name), escaped(f.Value))
	}
	out.WriteString("\n")
	for _, f := range b.Found {
		fmt.Fprintf(&out, "#### %s\n\n", escaped(f.Title))
		for _, l := range f.Lines {
			fmt.Fprintf(&out, "- %s\n", escaped(l))
		}
		out.WriteString("\n")
	}
	if b.Plan != nil { // the picture stands below the code cell
		fmt.Fprintf(&out, "%s\n\n", escaped(b.Plan.Summary.In(lang)))
	}
	if b.Table != nil && len(b.Table.Head) > 0 {
		b.Table.typed(&out, b.Cell, lang)
	}
	return out.String()
}

func (t Table) typed(out *strings.Builder, cell, lang string) {
	row := func(texts []string) {
		for _, s := range texts {
			out.WriteString("| " + escaped(s) + " ")
		}
		out.WriteString("|\n")
	}
	row(t.Head)
	out.WriteString(strings.Repeat("|---", len(t.Head)) + "|\n")
	for _, texts := range t.Rows[:min(mostTyped, len(t.Rows))] {
		row(texts)
	}
	if left := len(t.Rows) - mostTyped; left > 0 {
		out.WriteString("\n" + say(lang, document.Thousands(left)+" more rows: `tables[", "ほか"+document.Thousands(left)+"行：`tables[") +
			quoted(cell) + "]`\n")
	}
}

// markup are the letters that mean something in the Markdown of Jupyter, formulas included.
var markup = strings.NewReplacer(
	"\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "{", "\\{", "}", "\\}", "[", "\\[", "]", "\\]", "<", "&lt;",
	">", "&gt;", "&", "&amp;", "#", "\\#", "|", "\\|", "~", "\\~", "$", "\\$", "!", "\\!")

// escaped is a text that Markdown shows as it is, in one line.
func escaped(s string) string { return markup.Replace(strings.Join(strings.Fields(s), " ")) }

// quoted is a text as Python writes it, which is how JSON does.
func quoted(s string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a text in memory
	return strings.TrimSuffix(out.String(), "\n")
}

// exported is the table of a cell, as data; ok is false where it has none.
func (n *Notebook) exported(ctx context.Context, v *View, cell string) (t spreadsheet.Table, ok bool, err error) {
	value := v.Cell(cell).Value
	switch x := value.(type) {
	case document.Rows:
		return x.Table(cell), true, nil
	case document.Tabled:
		return x.Table(cell), true, nil
	case document.Chart:
		if x.Plan == nil {
			return t, false, nil
		}
		return planTable(cell, x.Plan), true, nil
	case document.RunSet:
		return x.Table(cell), true, nil
	}
	known, ok := n.Document.Cell(cell).Table()
	if !ok || value == nil {
		return t, false, nil
	}
	rows, err := n.asking().cellRows(ctx, value)
	t = spreadsheet.Table{Name: cell, Rows: spreadsheet.RowsOf(rows)}
	for _, c := range known.Columns {
		t.Columns = append(t.Columns, c.Name)
	}
	return t, true, err
}

// tableCode is Python that reads tables which stand in it as CSV.
type tableCode struct {
	strings.Builder
	lang   string
	tables int
}

func newTableCode(lang string) *tableCode {
	c := &tableCode{lang: lang}
	c.WriteString(say(lang, "# The tables of this notebook as they were exported: data frames where pandas is installed, else lists of rows.\n",
		"# このノートブックの表（書き出し時の値）。pandas があればデータフレーム、なければ行のリスト。\n"))
	c.WriteString("import csv, io\n\ntry:\n    import pandas\nexcept ImportError:\n    pandas = None\n\n\n" +
		"def read(text):\n    if pandas:\n        return pandas.read_csv(io.StringIO(text))\n    return list(csv.DictReader(io.StringIO(text)))\n\n\n" +
		"tables = {}\n")
	return c
}

// add writes a table as CSV, one line of Python for each row, as long as it fits.
func (c *tableCode) add(name string, t spreadsheet.Table) error {
	var rows bytes.Buffer
	into := csv.NewWriter(&rows)
	if err := into.Write(t.Columns); err != nil {
		return err
	}
	into.Flush()
	fmt.Fprintf(c, "\ntables[%s] = read(\n    %s\n", quoted(name), quoted(rows.String()))
	size, kept, all := rows.Len(), 0, 0
	err := t.Rows(func(row []any) error {
		rows.Reset()
		if err := into.Write(csvTexts(row)); err != nil {
			return err
		}
		into.Flush()
		all++
		if size += rows.Len(); size > mostCSV {
			return nil
		}
		kept++
		fmt.Fprintf(c, "    %s\n", quoted(rows.String()))
		return nil
	})
	c.WriteString(")")
	if kept < all {
		c.WriteString(say(c.lang, fmt.Sprintf("  # the first %d of %d rows: a table is cut at 1 MiB", kept, all),
			fmt.Sprintf("  # %d行のうち先頭%d行（表は1 MiBまで）", all, kept)))
	}
	c.WriteString("\n")
	c.tables++
	return err
}

func csvTexts(row []any) []string {
	out := make([]string, len(row))
	for i, x := range row {
		switch x := x.(type) {
		case nil:
		case float64:
			out[i] = strconv.FormatFloat(x, 'g', -1, 64)
		case *float64:
			if x != nil {
				out[i] = strconv.FormatFloat(*x, 'g', -1, 64)
			}
		default:
			out[i] = fmt.Sprint(x)
		}
	}
	return out
}
