package rag

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/text"
)

// Chunk is one piece of a document as an index holds it.
type Chunk struct {
	Span
	Title string   // of the document
	Path  []string // headings that it stands under, the outermost first; nil unless they are asked for

	// in the same document, empty without: rows of a table that stand above it and are repeated in front of it, and the larger piece that
	// is handed on in its place
	Head, Parent text.Span
}

// within is a place in the document of the chunk.
func (c Chunk) within(s text.Span) Span { return Span{DocID: c.DocID, Start: s.Start, End: s.End} }

// lead is what is repeated in front of the chunk's own text.
func (c Chunk) lead(corpus *Corpus) string {
	if c.Head.Len() == 0 {
		return ""
	}
	return corpus.Text(c.within(c.Head)) + "\n"
}

// header is what the configuration puts before the text when it is embedded and searched: "" without.
func (c Chunk) header(kind string) string {
	path := strings.Join(c.Path, " > ")
	switch {
	case kind == HeaderTitle && c.Title != "":
		return c.Title + "\n\n"
	case kind == HeaderPath && (c.Title != "" || path != ""):
		lines := []string{c.Title, path}
		return strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n") + "\n\n"
	}
	return ""
}

// Before is what is put before the chunk's own text when it is embedded and searched.
func (c Chunk) Before(corpus *Corpus, chunking Chunking) string {
	return c.header(chunking.Header) + c.lead(corpus)
}

// searched is the text that is embedded and indexed.
func (c Chunk) searched(corpus *Corpus, chunking Chunking) string {
	return c.Before(corpus, chunking) + corpus.Text(c.Span)
}

// Cut returns the places of the chunks.
func (c Chunking) Cut(corpus *Corpus) []Span {
	chunks := c.Chunks(corpus)
	spans := make([]Span, len(chunks))
	for i, chunk := range chunks {
		spans[i] = chunk.Span
	}
	return spans
}

// Chunks returns the chunks of every document in order. A chunk never crosses a document, and the chunks of a document leave out
// nothing but white space.
func (c Chunking) Chunks(corpus *Corpus) []Chunk {
	var chunks []Chunk
	for _, d := range corpus.Documents {
		runes := []rune(d.Text)
		for _, section := range c.sections(d, runes) {
			found := c.cutSection(runes[section.Start:section.End])
			own := make([]Chunk, len(found))
			for i, f := range found {
				own[i] = Chunk{Span: place(d.ID, section.Start, f.span), Title: d.Title, Path: section.Path,
					Head: shifted(f.head, section.Start), Parent: shifted(f.parent, section.Start)}
			}
			chunks = append(chunks, own...)
		}
	}
	return chunks
}

func place(id string, offset int, s text.Span) Span {
	return Span{DocID: id, Start: offset + s.Start, End: offset + s.End}
}

// sections are the parts of a document that no chunk crosses: the whole, or what stands between two headings.
func (c Chunking) sections(d Document, runes []rune) []text.Section {
	whole := []text.Section{{Span: text.Span{End: len(runes)}}}
	if c.Heading != HeadingPath && c.Parent.Mode != ParentSection {
		return whole
	}
	sections := text.Sections(d.Text, d.headings())
	if len(sections) == 0 {
		return whole
	}
	return joinShort(sections, c.Min)
}

// joinShort joins sections that are shorter than least to the next one of the same parent.
func joinShort(sections []text.Section, least int) []text.Section {
	var out []text.Section
	for _, s := range sections {
		if n := len(out); n > 0 && out[n-1].Len() < least && siblings(out[n-1].Path, s.Path) {
			s.Start = out[n-1].Start
			out[n-1] = s
			continue
		}
		out = append(out, s)
	}
	return out
}

func siblings(a, b []string) bool {
	return len(a) == len(b) && len(a) > 0 && slices.Equal(a[:len(a)-1], b[:len(b)-1])
}

// cut is a chunk within its section.
type cut struct{ span, head, parent text.Span }

// cutSection cuts one section, with the larger pieces that stand for small ones.
func (c Chunking) cutSection(runes []rune) []cut {
	switch c.Parent.Mode {
	case ParentSection, ParentSize, ParentMerge:
		var out []cut
		for _, parent := range c.larger(runes) {
			for _, child := range c.cutPlain(runes[parent.Start:parent.End]) {
				out = append(out, cut{span: shifted(child.span, parent.Start), head: shifted(child.head, parent.Start), parent: parent})
			}
		}
		return out
	case ParentWindow:
		out := c.cutPlain(runes)
		for i := range out {
			first, last := max(0, i-c.Parent.N), min(len(out)-1, i+c.Parent.N)
			out[i].parent = text.Span{Start: out[first].span.Start, End: out[last].span.End}
		}
		return out
	}
	return c.cutPlain(runes)
}

func shifted(s text.Span, by int) text.Span {
	if s.Len() == 0 {
		return s
	}
	return text.Span{Start: s.Start + by, End: s.End + by}
}

// larger are the pieces that small ones are cut from.
func (c Chunking) larger(runes []rune) []text.Span {
	length := c.length()
	if c.Parent.Mode == ParentSection && length(runes) <= c.Parent.size() {
		return []text.Span{{End: len(runes)}}
	}
	big := Chunking{By: ByRecursive, Size: c.Parent.size(), Count: c.Count, Encoding: c.Encoding, Separators: c.Separators, Keep: c.Keep,
		Tables: c.Tables, Lists: c.Lists}
	found := big.cutPlain(runes)
	spans := make([]text.Span, len(found))
	for i, f := range found {
		spans[i] = f.span
	}
	return spans
}

// cutPlain cuts by the configured unit, without larger pieces.
func (c Chunking) cutPlain(runes []rune) []cut {
	if c.By == ByRecursive {
		return c.cutRecursive(runes)
	}
	var out []cut
	for _, s := range window(c.units(text.NewIndex(string(runes))), c.Size, c.Overlap) {
		out = append(out, cut{span: s})
	}
	return out
}

func (c Chunking) cutRecursive(runes []rune) []cut {
	length := c.length()
	splitter := text.Splitter{Size: c.Size, Overlap: c.Overlap, Separators: c.Separators.list(), KeepEnd: c.Keep != KeepStart,
		Length: length, Clusters: c.Separators.auto()}
	whole, tables := c.whole(runes, length)
	splitter.Whole = whole
	out := []cut{}
	for _, s := range splitter.Split(runes) {
		out = append(out, cut{span: s, head: headOf(s, tables)})
	}
	return out
}

// headOf is the head of the table whose body a chunk begins within.
func headOf(s text.Span, tables []text.Table) text.Span {
	for _, t := range tables {
		if len(t.Rows) > 0 && t.Head.End <= s.Start && s.Start < t.Rows[len(t.Rows)-1].End {
			return t.Head
		}
	}
	return text.Span{}
}

// whole are the places that are not cut: tables, or where one is too long its rows, the first with the head; list items; and lines
// that announce a table or an item, with it.
func (c Chunking) whole(runes []rune, length func([]rune) int) ([]text.Span, []text.Table) {
	tables, lists := c.keeps(c.Tables), c.keeps(c.Lists)
	if !tables && !lists {
		return nil, nil
	}
	blocks := text.FindBlocks(string(runes))
	var out []text.Span
	if lists {
		out = append(out, blocks.Items...)
	} else {
		blocks.Items = nil
	}
	if !tables {
		blocks.Tables = nil
	}
	for _, t := range blocks.Tables {
		first := t.Head
		if len(t.Rows) > 0 {
			first.End = t.Rows[0].End
			out = append(out, text.Span{Start: t.Head.Start, End: t.Rows[len(t.Rows)-1].End})
			out = append(out, t.Rows[1:]...)
		}
		out = append(out, first)
	}
	for _, lead := range blocks.Leads {
		for _, w := range slices.Clone(out) {
			between := runes[min(lead.End, w.Start):w.Start]
			if w.Start >= lead.End && strings.TrimSpace(string(between)) == "" && length(runes[lead.Start:w.End]) <= c.Size {
				out = append(out, text.Span{Start: lead.Start, End: w.End})
			}
		}
	}
	return out, blocks.Tables
}
