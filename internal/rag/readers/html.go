package readers

import (
	"errors"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

func (r *corpusReader) readHTML(f sourceFile) error {
	body, title, err := htmlText(f.Text)
	if err != nil {
		return problem.New(problem.Invalid, "corpus_html", "%s: the HTML cannot be read", f.ID).With("file", f.ID).
			WithHint("open the page in a browser and save it again, or give its text as a .txt file").Because(err)
	}
	if title == "" {
		title = f.stem()
	}
	return r.add(f.ID, rag.Document{ID: f.ID, Title: title, Text: body.String(), Source: f.ID}, body.headings()...)
}

// htmlText returns the page as a visitor sees it, and its first heading, else its title element. Blocks
// begin on new lines, items of lists after a dash; the cells of a table row stand on one line with tabs between them.
func htmlText(source string) (body *page, title string, err error) {
	if repeatsTooMuch(source) {
		return nil, "", errors.New("formatting that is never closed would be repeated millions of times")
	}
	root, err := html.ParseWithOptions(strings.NewReader(source), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, "", err
	}
	v := &htmlVisitor{page: &page{}}
	v.node(root)
	if v.heading != "" {
		return v.page, v.heading, nil
	}
	return v.page, v.title, nil
}

// formatting elements that are still open when a block ends are opened again in the next block, by the rules of HTML.
var formatting = map[atom.Atom]bool{
	atom.A: true, atom.B: true, atom.Big: true, atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Nobr: true,
	atom.S: true, atom.Small: true, atom.Strike: true, atom.Strong: true, atom.Tt: true, atom.U: true,
}

// maxRepeats bounds how many elements a page may make the parser open again.
const maxRepeats = 3_000_000

// repeatsTooMuch estimates that number without parsing: for every other tag, the formatting elements not closed so far.
func repeatsTooMuch(source string) bool {
	z := html.NewTokenizer(strings.NewReader(source))
	open, unclosed, repeats := map[atom.Atom]int{}, 0, 0
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.EndTagToken:
			name, _ := z.TagName()
			switch a := atom.Lookup(name); {
			case !formatting[a]:
				repeats += unclosed
			case kind == html.StartTagToken:
				open[a]++
				unclosed++
			case open[a] > 0:
				open[a]--
				unclosed--
			}
		}
		if repeats > maxRepeats {
			return true
		}
	}
}

// htmlVisitor walks a parsed page. The parser limits nesting to 512 elements, so recursion is safe.
type htmlVisitor struct {
	page           *page
	heading, title string
	pre            bool
}

// unseen elements hold no text for readers: programs, styles, navigation, fallbacks and tooltips.
var unseen = map[string]bool{
	"script": true, "style": true, "nav": true, "head": true, "template": true, "noscript": true, "noframes": true,
	"iframe": true, "object": true, "title": true, "datalist": true, "audio": true, "video": true,
}

// blocks begin on a new line; true leaves a blank line around them.
var blocks = map[atom.Atom]bool{
	atom.Address: false, atom.Article: true, atom.Aside: true, atom.Blockquote: true, atom.Caption: false, atom.Dd: false,
	atom.Details: true, atom.Div: false, atom.Dl: true, atom.Dt: false, atom.Fieldset: true, atom.Figcaption: false,
	atom.Figure: true, atom.Footer: true, atom.Form: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true,
	atom.H5: true, atom.H6: true, atom.Header: true, atom.Hr: true, atom.Legend: false, atom.Li: false, atom.Main: true,
	atom.Ol: true, atom.Option: false, atom.P: true, atom.Pre: true, atom.Section: true, atom.Summary: false,
	atom.Table: true, atom.Ul: true, atom.Body: false,
}

// indexMark matches an exponent or an index, such as those of 10⁻³, 2ⁿ and H₂O, which would change the number before it if it were
// written beside it: 2<sup>64</sup> is no 264. Other raised text, such as the end of an ordinal, stays as it is; so do links to notes.
var indexMark = text.Lazy(`^(?:[+−-]?[0-9]+|[a-zA-Z])$`)

// raised is what stands for an exponent and for an index in plain text.
var raised = map[atom.Atom]string{atom.Sup: "^", atom.Sub: "_"}

func (v *htmlVisitor) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		if v.pre {
			v.page.verbatim(n.Data)
			return
		}
		v.page.words(n.Data)
	case html.ElementNode:
		v.element(n)
	case html.DocumentNode:
		v.children(n)
	}
}

func (v *htmlVisitor) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		v.node(c)
	}
}

func (v *htmlVisitor) element(n *html.Node) {
	switch {
	case n.DataAtom == atom.Head:
		v.title = titleOf(n)
		return
	case unseen[n.Data] || hasAttribute(n, "hidden"):
		return
	case n.DataAtom == atom.Br:
		v.page.breakLine()
		return
	case n.DataAtom == atom.Tr:
		v.tableRow(n)
		return
	case n.DataAtom == atom.Sup || n.DataAtom == atom.Sub:
		if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode && indexMark.MatchString(c.Data) {
			v.page.words(raised[n.DataAtom])
		}
	}
	spaced, isBlock := blocks[n.DataAtom]
	edge := func() {
		switch {
		case spaced:
			v.page.breakBlock()
		case isBlock:
			v.page.breakLine()
		}
	}
	edge()
	if n.DataAtom == atom.Li {
		v.page.mark("- ") // as in the other kinds: where one item ends and the next begins is part of what they say
	}
	wasPre := v.pre
	v.pre = v.pre || n.DataAtom == atom.Pre
	level := levels[n.DataAtom]
	if level > 0 {
		v.page.heading(level)
	}
	v.children(n)
	if level > 0 {
		v.page.endHeading()
	}
	v.pre = wasPre
	edge()
	if v.heading == "" && level > 0 {
		v.heading = v.inside(n).cell()
	}
}

// tableRow writes the cells of a row on one line. A row with a single cell only places things on the page, so its
// content is written like any block.
func (v *htmlVisitor) tableRow(row *html.Node) {
	var cells []*html.Node
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			cells = append(cells, c)
		}
	}
	if len(cells) == 1 {
		v.page.breakLine()
		v.children(cells[0])
		v.page.breakLine()
		return
	}
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = v.inside(c).cell()
	}
	v.page.row(texts)
}

// inside renders the children of n on a page of their own.
func (v *htmlVisitor) inside(n *html.Node) *page {
	inner := &htmlVisitor{page: &page{}, heading: "-"} // a heading was already found: do not look again
	inner.children(n)
	return inner.page
}

// levels are those of the elements that are headings.
var levels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}

func titleOf(head *html.Node) string {
	for c := head.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Title && c.FirstChild != nil {
			return strings.Join(strings.Fields(c.FirstChild.Data), " ")
		}
	}
	return ""
}

func hasAttribute(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return true
		}
	}
	return false
}
