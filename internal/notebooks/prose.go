package notebooks

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// markdown reads and writes the prose of every channel: editor, reading mode, exports, shared pages. HTML is text in it, since the
// parsers of HTML are left out; pictures are their words, since they would be fetched from elsewhere.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithParser(parser.NewParser(
			parser.WithBlockParsers(
				util.Prioritized(parser.NewSetextHeadingParser(), 100),
				util.Prioritized(parser.NewThematicBreakParser(), 200),
				util.Prioritized(parser.NewListParser(), 300),
				util.Prioritized(parser.NewListItemParser(), 400),
				util.Prioritized(parser.NewCodeBlockParser(), 500),
				util.Prioritized(parser.NewATXHeadingParser(), 600),
				util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
				util.Prioritized(parser.NewBlockquoteParser(), 800),
				util.Prioritized(parser.NewParagraphParser(), 1000),
			),
			parser.WithInlineParsers(
				util.Prioritized(valueParser{}, 50),
				util.Prioritized(parser.NewCodeSpanParser(), 100),
				util.Prioritized(parser.NewLinkParser(), 200),
				util.Prioritized(parser.NewAutoLinkParser(), 300),
				util.Prioritized(parser.NewEmphasisParser(), 500),
			),
			parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		)),
		goldmark.WithExtensions(extension.Strikethrough,
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))), // pages forbid style attributes
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(proseRenderer{}, 100))),
	)
})

// Prose is what a stretch of prose or a note shows, as HTML in both languages: elements of text, with the values of cells in them; no
// scripts, no pictures. A note that is written in one language shows that text in both. Other blocks: none.
func (n *Notebook) Prose(v *View, b document.Block) document.Words {
	written := document.Words{}
	switch {
	case b.Kind == document.ProseBlock:
		written = document.Words{EN: n.Document.Text(b), JA: n.Document.Text(b)}
	case b.Cell != nil && b.Cell.Type == "note":
		written = noteWords(b.Cell)
	}
	return document.Words{EN: n.cellPages().proseHTML(v, written.In("en"), "en"), JA: n.cellPages().proseHTML(v, written.In("ja"), "ja")}
}

// noteWords is the Markdown of a note.
func noteWords(c *document.Cell) document.Words {
	return document.Words{EN: document.TextOf(c.Values["en"]), JA: document.TextOf(c.Values["ja"])}
}

// proseHTML makes HTML of Markdown in "en" or "ja", with the values of cells in it.
func (n cellPages) proseHTML(v *View, s, lang string) string {
	return htmlOf(s, func(ref string) string { return n.Embed(v, ref, lang) })
}

// ProseOf makes HTML of Markdown that is being written, in both languages, as [Notebook.Prose] does. Nothing is evaluated: values are
// those that are known already, by their references; others are dashes.
func ProseOf(s string, values map[string]document.Words) document.Words {
	in := func(lang string) string {
		return htmlOf(s, func(ref string) string {
			if shown := values[ref].In(lang); shown != "" {
				return shown
			}
			return "—"
		})
	}
	return document.Words{EN: in("en"), JA: in("ja")}
}

// CommentHTML makes HTML of Markdown beside a notebook, as [Notebook.Prose] does. References stay as they are written.
func CommentHTML(s string) string {
	return htmlOf(s, func(ref string) string { return "{{ " + ref + " }}" })
}

// htmlOf makes HTML of Markdown, with what embed says in the places of references; "" of blanks.
func htmlOf(s string, embed func(ref string) string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	given := parser.NewContext()
	given.Set(embedKey, embed)
	var out bytes.Buffer
	_ = markdown().Convert([]byte(s), &out, parser.WithContext(given)) // a buffer takes everything, so nothing can fail
	return out.String()
}

// withValues is Markdown with what embed says in the places of references; code that shows one keeps it. What would be HTML
// elsewhere is text here too.
func withValues(s string, embed func(ref string) string) string {
	type change struct {
		from, to int
		text     string
	}
	given := parser.NewContext()
	given.Set(embedKey, func(string) string { return "" })
	var changes []change
	_ = ast.Walk(markdown().Parser().Parse(gmtext.NewReader([]byte(s)), parser.WithContext(given)),
		func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			switch x := node.(type) {
			case *ast.CodeSpan:
				return ast.WalkSkipChildren, nil
			case *valueNode:
				if entering {
					changes = append(changes, change{x.from, x.to, embed(x.ref)})
				}
			case *ast.Text:
				if at := x.Segment; entering && strings.Contains(s[at.Start:at.Stop], "<") {
					changes = append(changes, change{at.Start, at.Stop, strings.ReplaceAll(s[at.Start:at.Stop], "<", "&lt;")})
				}
			}
			return ast.WalkContinue, nil
		})
	slices.SortFunc(changes, func(a, b change) int { return b.from - a.from })
	for _, c := range changes {
		s = s[:c.from] + c.text + s[c.to:]
	}
	return s
}

// embedKey is where a reader of prose finds the values of cells: func(ref string) string.
var embedKey = parser.NewContextKey()

// valueNode is {{ ref }} in prose with what it shows. A value is data: whatever characters are in it, it is text and never markup.
type valueNode struct {
	ast.BaseInline
	ref, shown string
	from, to   int // in the Markdown
}

var valueKind = ast.NewNodeKind("CellValue")

// Kind tells goldmark which function writes the node.
func (*valueNode) Kind() ast.NodeKind { return valueKind }

// Dump prints the node in goldmark's debugging output.
func (v *valueNode) Dump(source []byte, level int) {
	ast.DumpHelper(v, source, level, map[string]string{"ref": v.ref}, nil)
}

// longestRef bounds a reference with its braces, in bytes.
const longestRef = 400

// valueParser reads {{ ref }}.
type valueParser struct{}

// Trigger is the character that a reference begins with.
func (valueParser) Trigger() []byte { return []byte{'{'} }

// Parse returns a value where the rest of a line begins with a reference, else nil.
func (valueParser) Parse(_ ast.Node, block gmtext.Reader, pc parser.Context) ast.Node {
	line, at := block.PeekLine()
	line = line[:min(len(line), longestRef)] // each brace of a long line looks no further
	end := bytes.Index(line, []byte("}}")) + len("}}")
	embed, ok := pc.Get(embedKey).(func(string) string)
	if !ok || end < len("}}") {
		return nil
	}
	m := document.Embedded.FindStringSubmatch(string(line[:end]))
	if m == nil || len(m[0]) != end {
		return nil
	}
	block.Advance(end)
	return &valueNode{ref: m[1], from: at.Start, to: at.Start + end, shown: strings.Join(strings.Fields(embed(m[1])), " ")}
}

// proseRenderer writes what differs from goldmark's own HTML.
type proseRenderer struct{}

// RegisterFuncs hands goldmark the functions by kind of node.
func (proseRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(valueKind, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		v, ok := node.(*valueNode)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		_, err := fmt.Fprintf(w, `<span class="value" title="%s">%s</span>`, util.EscapeHTML([]byte(v.ref)),
			util.EscapeHTML([]byte(v.shown)))
		return ast.WalkContinue, err
	})
	r.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkContinue, nil })
}
