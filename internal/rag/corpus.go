package rag

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"github.com/rag-workbench/workbench/internal/text"
)

// Document is one text of a corpus. Its ID is unique within the corpus and stable across versions.
type Document struct {
	ID       string            `json:"doc_id"`
	Title    string            `json:"title,omitempty"`
	Text     string            `json:"text"`
	Lang     string            `json:"lang,omitempty"`   // "ja" or "en"; guessed from the text when the source does not say
	Source   string            `json:"source,omitempty"` // address or file it came from
	Metadata map[string]string `json:"metadata,omitempty"`
}

// Span is a place in a corpus: the half-open range [Start, End) of Unicode code points in document DocID.
// Evidence and chunks are both spans, so one labelling of evidence serves every way of chunking.
type Span struct {
	DocID string `json:"doc_id"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Range is the span without its document.
func (s Span) Range() text.Span { return text.Span{Start: s.Start, End: s.End} }

// Overlap is the number of code points two spans share; 0 when they lie in different documents.
func (s Span) Overlap(t Span) int {
	if s.DocID != t.DocID {
		return 0
	}
	return s.Range().Overlap(t.Range())
}

// Placed reports whether it is known where in its document the span stands: an index that a team has may know the document only.
func (s Span) Placed() bool { return s.End > s.Start }

// String is doc_id[start:end].
func (s Span) String() string { return fmt.Sprintf("%s[%d:%d]", s.DocID, s.Start, s.End) }

// Corpus is an immutable, ordered set of documents. A changed corpus is a new version.
type Corpus struct {
	Name      string     `json:"name"`
	Version   int        `json:"version"` // 1, 2, …; 0 before it is stored
	Digest    string     `json:"digest"`  // SHA-256 over the documents in order
	Documents []Document `json:"documents"`

	once  sync.Once
	byID  map[string]int
	index []*text.Index

	partsOnce sync.Once
	parts     map[string]int // start of each part of a joined corpus, by document id
}

// NewCorpus returns the corpus of these documents with its digest.
func NewCorpus(name string, docs []Document) *Corpus {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, d := range docs {
		_ = enc.Encode(d)
	}
	return &Corpus{Name: name, Digest: hex.EncodeToString(h.Sum(nil)), Documents: docs}
}

func (c *Corpus) prepare() {
	c.once.Do(func() {
		c.byID = make(map[string]int, len(c.Documents))
		c.index = make([]*text.Index, len(c.Documents))
		for i, d := range c.Documents {
			c.byID[d.ID] = i
			c.index[i] = text.NewIndex(d.Text)
		}
	})
}

// Document returns the document with this id.
func (c *Corpus) Document(id string) (Document, bool) {
	c.prepare()
	i, ok := c.byID[id]
	if !ok {
		return Document{}, false
	}
	return c.Documents[i], true
}

// position is the number of a document, or that of all of them for an unknown one.
func (c *Corpus) position(id string) int {
	c.prepare()
	if i, known := c.byID[id]; known {
		return i
	}
	return len(c.Documents)
}

// Index returns the code point index of a document's text, or nil when there is no such document.
func (c *Corpus) Index(id string) *text.Index {
	c.prepare()
	i, ok := c.byID[id]
	if !ok {
		return nil
	}
	return c.index[i]
}

// Text returns the text of a span, clipped to its document; "" when the document is unknown.
func (c *Corpus) Text(s Span) string {
	x := c.Index(s.DocID)
	if x == nil {
		return ""
	}
	return x.Slice(s.Start, s.End)
}

// Locate maps a span of the documents that a joined corpus was made from to its place in the joined document. In any other
// corpus, and for an unknown document, the span comes back as it is.
func (c *Corpus) Locate(s Span) Span {
	if len(c.Documents) != 1 || c.Documents[0].Metadata[partsKey] == "" {
		return s
	}
	c.partsOnce.Do(func() {
		if err := json.Unmarshal([]byte(c.Documents[0].Metadata[partsKey]), &c.parts); err != nil {
			c.parts = nil // not written by JoinCorpus: an ordinary document with a field of that name
		}
	})
	offset, ok := c.parts[s.DocID]
	if !ok {
		return s
	}
	return Span{DocID: c.Documents[0].ID, Start: s.Start + offset, End: s.End + offset}
}

// partsKey is the metadata field of a joined document that holds where each part begins, by document id, as JSON.
const partsKey = "joined_from"

// headingsKey is the metadata field that holds where the headings of a document stand whose format marks them otherwise than its text
// does, as JSON: [[start, level], …].
const headingsKey = "headings"

// WithHeadings is the document with the headings that its format marks: lines of its text, counted from 0, and their levels.
// The only one, where the text begins with it, is the document's title and heads no section.
func (d Document) WithHeadings(lines [][2]int) Document {
	if len(lines) == 0 || len(lines) == 1 && lines[0][0] == 0 {
		return d
	}
	starts := []int{0}
	for i, r := range []rune(d.Text) {
		if r == '\n' {
			starts = append(starts, i+1)
		}
	}
	places := make([][2]int, 0, len(lines))
	for _, l := range lines {
		if l[0] < len(starts) {
			places = append(places, [2]int{starts[l[0]], l[1]})
		}
	}
	return d.with(headingsKey, places)
}

// Plain is the document without the places of its headings, as earlier versions read it.
func (d Document) Plain() Document {
	if _, marked := d.Metadata[headingsKey]; marked {
		d.Metadata = maps.Clone(d.Metadata)
		if delete(d.Metadata, headingsKey); len(d.Metadata) == 0 {
			d.Metadata = nil
		}
	}
	return d
}

// with is the document with places in a field of its metadata.
func (d Document) with(field string, places [][2]int) Document {
	body, err := json.Marshal(places)
	if err != nil {
		panic("places are not JSON: " + err.Error()) // whole numbers only
	}
	if d.Metadata = maps.Clone(d.Metadata); d.Metadata == nil {
		d.Metadata = map[string]string{}
	}
	d.Metadata[field] = string(body)
	return d
}

// headings are those that the document's format marked, or else those that Markdown marks in its text.
func (d Document) headings() []text.Heading {
	var places [][2]int
	if json.Unmarshal([]byte(d.Metadata[headingsKey]), &places) != nil {
		return text.Headings(d.Text)
	}
	runes := []rune(d.Text)
	var out []text.Heading
	for _, p := range places {
		if p[0] < 0 || p[0] >= len(runes) {
			continue
		}
		end := p[0]
		for end < len(runes) && runes[end] != '\n' {
			end++
		}
		out = append(out, text.Heading{Start: p[0], Level: p[1], Title: string(runes[p[0]:end])})
	}
	return out
}

// TitlesAt are the titles under which a code point of the document stands, the document's own first.
func (d Document) TitlesAt(at int) []string {
	var out []string
	for _, title := range []string{d.Title, d.Metadata["section"]} {
		if title != "" {
			out = append(out, title)
		}
	}
	for _, s := range text.Sections(d.Text, d.headings()) {
		if s.Start <= at && at < s.End {
			out = append(out, s.Path...)
		}
	}
	return out
}

// Chars is the number of code points in all documents.
func (c *Corpus) Chars() int {
	c.prepare()
	n := 0
	for _, x := range c.index {
		n += x.Len()
	}
	return n
}
