package readers

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Bounds on Markdown. Beyond them parsing takes time or memory that grows with the square of the input, and no real text
// comes near: quotes within quotes, opening brackets in one paragraph, and cells of tables, whose short rows are filled
// up to the width of their head.
const (
	maxQuoteDepth       = 50
	maxBracketsPerBlock = 2000
	maxTableCells       = 1_000_000
	maxMarkdownDepth    = 500
)

func (r *corpusReader) readMarkdown(f sourceFile) error {
	front, body := frontMatter(f.Text)
	if what := hostileMarkdown(body); what != "" {
		return markdownProblem(f.ID, what)
	}
	page, title, ok := markdownText(body)
	if !ok {
		return markdownProblem(f.ID, fmt.Sprintf("blocks nested more than %d deep", maxMarkdownDepth))
	}
	if title == "" {
		title = front["title"]
	}
	if title == "" {
		title = f.stem()
	}
	delete(front, "title")
	return r.add(f.ID, rag.Document{ID: f.ID, Title: title, Text: page.String(), Source: f.ID, Metadata: front}, page.headings()...)
}

func markdownProblem(id, what string) *problem.Problem {
	return problem.New(problem.Invalid, "corpus_markdown", "%s: the Markdown has %s", id, what).With("file", id).With("what", what).
		WithHint("if this is not meant as Markdown, rename the file to .txt")
}

// frontMatter splits off a leading block of "key: value" lines between two lines of three hyphens, which readers of the
// rendered page do not see. Anything else that begins with hyphens is body. The map is nil when nothing was split off.
func frontMatter(s string) (fields map[string]string, body string) {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return nil, s
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return nil, s
	}
	fields = map[string]string{}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, ok := strings.Cut(line, ":")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "-") || strings.HasPrefix(line, "#"):
		case !ok || strings.ContainsAny(key, " \t"):
			return nil, s
		default:
			if value = strings.Trim(strings.TrimSpace(value), `"'`); value != "" {
				fields[key] = value
			}
		}
	}
	if len(fields) == 0 {
		return nil, s
	}
	return fields, body
}

// hostileMarkdown names what would make parsing slow, or returns "".
func hostileMarkdown(s string) string {
	brackets, columns, cells := 0, 0, 0
	for line := range strings.Lines(s) {
		quotes := 0
		for _, r := range line {
			if r == '>' {
				quotes++
			} else if r != ' ' && r != '\t' {
				break
			}
		}
		if quotes > maxQuoteDepth {
			return fmt.Sprintf("quotes nested more than %d deep", maxQuoteDepth)
		}
		if strings.TrimSpace(line) == "" {
			brackets, columns = 0, 0
		}
		if strings.Trim(line, "|-: >\t\n") == "" { // it may stand between the head and the rows of a table
			columns = max(columns, strings.Count(line, "|")+1)
		}
		if cells += columns; cells > maxTableCells {
			return fmt.Sprintf("tables of more than %d cells", maxTableCells)
		}
		if item := strings.TrimLeft(line, " \t"); len(item) > 1 && item[1] == ' ' && strings.ContainsRune("-*+", rune(item[0])) {
			brackets = 0 // a list item ends the paragraph before it: long lists of links are ordinary
		}
		if brackets += strings.Count(line, "["); brackets > maxBracketsPerBlock {
			return fmt.Sprintf("more than %d opening brackets in one paragraph", maxBracketsPerBlock)
		}
	}
	return ""
}

var markdownParser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)).Parser()

// markdownText returns the page that a reader of the rendered page sees, and its first heading. List items keep a hyphen or
// their number; the cells of a table row stand on one line with tabs between them; raw HTML gives its visible text.
// ok is false when the blocks are nested too deep.
func markdownText(source string) (plain *page, title string, ok bool) {
	src := []byte(source)
	m := &markdownWalker{source: src, page: &page{}}
	m.blocks(markdownParser.Parse(gmtext.NewReader(src)), 0)
	return m.page, m.heading, !m.tooDeep
}

type markdownWalker struct {
	source  []byte
	page    *page
	heading string
	tooDeep bool
}

func (m *markdownWalker) blocks(n ast.Node, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.block(c, depth+1)
	}
}

func (m *markdownWalker) block(n ast.Node, depth int) {
	if depth > maxMarkdownDepth {
		m.tooDeep = true
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		m.page.breakBlock()
		if n.Parent().Kind() == ast.KindDocument { // within a quote or an item it heads no section
			m.page.heading(n.Level)
		}
		m.inline(n, depth)
		m.page.endHeading()
		m.page.breakBlock()
		if m.heading == "" {
			m.heading = m.inside(n, depth)
		}
	case *ast.Paragraph:
		if !(n.PreviousSibling() == nil && isItem(n.Parent())) { // the first paragraph of an item stays on the line of its mark
			m.page.breakBlock()
		}
		m.inline(n, depth)
		m.page.breakBlock()
	case *ast.TextBlock:
		m.page.breakLine()
		m.inline(n, depth)
		m.page.breakLine()
	case *ast.List:
		m.list(n, depth)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		m.page.breakBlock()
		m.page.verbatim(strings.TrimRight(m.lines(n), "\n"))
		m.page.breakBlock()
	case *ast.HTMLBlock:
		m.page.breakLine()
		raw := m.lines(n)
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(m.source))
		}
		m.rawHTML(raw)
		m.page.breakLine()
	case *extast.TableHeader:
		m.tableRow(n, depth)
	case *extast.TableRow:
		m.tableRow(n, depth)
	default: // quotes, tables and the document itself: what they hold
		m.page.breakBlock()
		m.blocks(n, depth)
		m.page.breakBlock()
	}
}

func (m *markdownWalker) list(n *ast.List, depth int) {
	m.page.breakLine()
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "- "
		if n.IsOrdered() {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		m.page.mark(mark)
		m.blocks(item, depth+1)
		if n.IsTight {
			m.page.lines = 1
		}
		m.page.prefix = "" // an empty item leaves no mark behind
	}
	if _, nested := n.Parent().(*ast.ListItem); nested {
		m.page.breakLine()
		return
	}
	m.page.breakBlock()
}

func (m *markdownWalker) tableRow(row ast.Node, depth int) {
	var cells []string
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		cells = append(cells, m.inside(c, depth))
	}
	m.page.row(cells)
}

// inside renders the inline children of n on one line.
func (m *markdownWalker) inside(n ast.Node, depth int) string {
	inner := &markdownWalker{source: m.source, page: &page{}}
	inner.inline(n, depth)
	m.tooDeep = m.tooDeep || inner.tooDeep
	return inner.page.cell()
}

func (m *markdownWalker) inline(n ast.Node, depth int) {
	if depth > maxMarkdownDepth {
		m.tooDeep = true
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			m.text(c)
		case *ast.String:
			m.page.words(string(c.Value))
		case *ast.AutoLink:
			m.page.words(string(c.Label(m.source)))
		case *ast.RawHTML:
			if tag := strings.ToLower(string(c.Segments.Value(m.source))); strings.HasPrefix(tag, "<br") {
				m.page.breakLine()
			}
		case *extast.TaskCheckBox:
			if c.IsChecked {
				m.page.words("[x] ")
			} else {
				m.page.words("[ ] ")
			}
		default: // emphasis, links, images (their description), code
			m.inline(c, depth+1)
		}
	}
}

func (m *markdownWalker) text(n *ast.Text) {
	value := string(n.Value(m.source))
	if !n.IsRaw() && n.Parent().Kind() != ast.KindCodeSpan {
		value = unescape(value)
	}
	m.page.words(value)
	switch {
	case n.HardLineBreak():
		m.page.breakLine()
	case n.SoftLineBreak():
		m.page.words("\n")
	}
}

// unescape resolves backslash escapes and character references, by way of the HTML that Markdown defines them with.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	w := bufio.NewWriter(&b)
	gmhtml.DefaultWriter.Write(w, []byte(s))
	_ = w.Flush() // a strings.Builder takes everything
	return html.UnescapeString(b.String())
}

// rawHTML writes the visible text of a block of HTML.
func (m *markdownWalker) rawHTML(source string) {
	body, _, err := htmlText(source)
	if err != nil { // nested too deep to be read: what people see in the source is better than nothing
		m.page.verbatim(source)
		return
	}
	m.page.verbatim(body.String())
}

func (m *markdownWalker) lines(n ast.Node) string {
	return string(n.Lines().Value(m.source))
}

func isItem(n ast.Node) bool {
	_, ok := n.(*ast.ListItem)
	return ok
}
