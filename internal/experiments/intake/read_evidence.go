package intake

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// The names the parts of an evidence object may have.
var (
	docNames   = []string{"doc_id", "document_id", "doc", "document"}
	quoteNames = []string{"quote", "text", "content"}
)

// claim is one piece of evidence as the file states it.
type claim struct {
	doc     string // "" when the file names none
	span    rag.Span
	hasSpan bool
	quote   string // "" when the file gives none
}

// evidence reads the evidence column and finds every piece in the corpus.
func (r *rowReader) evidence() []experiments.Evidence {
	items := r.evidenceItems()
	doc := r.text(fieldEvidenceDoc)
	if r.b.columns.lenient && doc != "" && (r.b.corpus == nil || r.b.corpus.Index(doc) == nil) {
		r.remarks, doc = append(r.remarks, doc), ""
	}
	var list []experiments.Evidence
	for i, item := range items {
		if s, isText := item.(string); isText && r.b.columns.lenient {
			if named := r.b.namesDocument(s); named != "" { // a name is no quote of what it names
				r.remarks, doc = append(r.remarks, s), named
				continue
			}
			if e, ok := r.quoted(s, doc); ok {
				list = append(list, e)
				r.b.found++
			} else {
				r.remarks = append(r.remarks, s)
				r.b.remarked = append(r.b.remarked, text.Say("%s (%q)", "%s（「%s」）", r.b.table.place(r.row.Number), Shortened(s)))
			}
			continue
		}
		c, err := parseClaim(item)
		if err == nil {
			if c.doc == "" {
				c.doc = doc
			}
			var e experiments.Evidence
			var candidates []string
			if e, candidates, err = r.resolve(c); err == nil {
				list = append(list, e)
				continue
			}
			r.b.faults.Add(RowProblem{Row: r.row.Number, QuestionID: r.id, Field: fieldEvidence, Candidates: candidates,
				Message: numbered(i, len(items), err)})
			continue
		}
		r.fault(fieldEvidence, "%s", numbered(i, len(items), err))
	}
	return list
}

// namesDocument is the id of the document of which a text is no more than the name; "" for none.
func (b *questionBuilder) namesDocument(s string) string {
	if b.corpus == nil {
		return ""
	}
	s = nameOf(s)
	for _, d := range b.corpus.Documents {
		base := path.Base(d.ID)
		for _, name := range []string{d.ID, base, strings.TrimSuffix(base, path.Ext(base)), d.Title, d.Source} {
			if name != "" && s == nameOf(name) {
				return d.ID
			}
		}
	}
	return ""
}

// quoted looks for a quote that may be none, in the corpus or in the document that the row names.
func (r *rowReader) quoted(quote, doc string) (experiments.Evidence, bool) {
	if r.b.corpus == nil || len([]rune(quote)) < 4 {
		return experiments.Evidence{}, false
	}
	docs := []string{doc, ""}
	for _, column := range r.b.columns.hints {
		if s, err := CellText(r.row.Cell(column)); err == nil {
			docs = append(docs, documentNamed(r.b.corpus, s))
		}
	}
	for _, doc := range docs {
		if found, exact := r.b.places.find(quote, doc); len(found) == 1 {
			if !exact {
				r.b.moved++
			}
			return experiments.Evidence{Span: found[0], Quote: r.b.corpus.Text(found[0])}, true
		}
	}
	return experiments.Evidence{}, false
}

func numbered(i, n int, err error) string {
	if n == 1 {
		return err.Error()
	}
	return fmt.Sprintf("piece %d of %d: %v", i+1, n, err)
}

// evidenceItems splits the column into pieces. A text of several lines is one quote if the corpus has it as a whole, else
// one quote per line.
func (r *rowReader) evidenceItems() []any {
	column := r.b.columns.at(fieldEvidence)
	s, isText := r.row.Cell(column).(string)
	if isText && r.b.places != nil && strings.Contains(strings.TrimSpace(s), "\n") {
		if _, _, isList := ListLiteral(strings.TrimSpace(s)); !isList {
			if found, _ := r.b.places.find(s, ""); len(found) > 0 {
				r.b.remember(column, asOneValue)
				return []any{s}
			}
		}
	}
	return r.list(fieldEvidence, "", nil)
}

func parseClaim(item any) (c claim, err error) {
	fields, isObject := item.(map[string]any)
	if !isObject {
		c.quote, err = CellText(item)
		if err == nil && c.quote == "" {
			err = errors.New("the quote is empty")
		}
		return c, err
	}
	if c.doc, err = firstText(fields, docNames); err != nil {
		return c, fmt.Errorf("doc_id %w", err)
	}
	for _, name := range quoteNames {
		if quote, ok := fields[name].(string); ok {
			if err := experiments.CheckText(quote); err != nil {
				return c, fmt.Errorf("the quote %w", err)
			}
			c.quote = quote // with its white space, which belongs to the span
			break
		}
	}
	start, hasStart := fields["start"]
	end, hasEnd := fields["end"]
	if !hasStart && !hasEnd {
		if strings.TrimSpace(c.quote) == "" {
			return c, errors.New("an evidence object needs doc_id, start and end, or a quote")
		}
		return c, nil
	}
	var okStart, okEnd bool
	c.span.Start, okStart = CellInt(start)
	c.span.End, okEnd = CellInt(end)
	switch {
	case !okStart || !okEnd:
		return c, errors.New("start and end must both be whole numbers")
	case c.span.Start < 0 || c.span.End <= c.span.Start:
		return c, fmt.Errorf("[%d:%d] is no range: start must be at least 0 and end greater than start", c.span.Start, c.span.End)
	case c.doc == "":
		return c, fmt.Errorf("[%d:%d] has no doc_id", c.span.Start, c.span.End)
	}
	c.span.DocID, c.hasSpan = c.doc, true
	return c, nil
}

func firstText(fields map[string]any, names []string) (string, error) {
	for _, name := range names {
		if v, ok := fields[name]; ok && v != nil {
			return CellText(v)
		}
	}
	return "", nil
}

// resolve verifies a span or looks a quote up. candidates are the places an ambiguous quote may mean.
func (r *rowReader) resolve(c claim) (e experiments.Evidence, candidates []string, err error) {
	switch {
	case r.b.corpus == nil && !c.hasSpan:
		if r.b.needsCorpus == 0 {
			r.b.needsCorpus = r.row.Number
		}
		return e, nil, nil
	case r.b.corpus == nil:
		r.b.unverified++
		return experiments.Evidence{Span: c.span, Quote: c.quote}, nil, nil
	}
	doc := c.doc
	if doc != "" {
		doc = r.b.corpus.Locate(rag.Span{DocID: doc}).DocID // in a joined corpus, the one document that holds it
		if r.b.corpus.Index(doc) == nil {
			return e, nil, fmt.Errorf("the corpus %q has no document %q", r.b.corpus.Name, c.doc)
		}
	}
	if c.hasSpan {
		e, err = r.verify(c)
		return e, nil, err
	}
	found, exact := r.b.places.find(c.quote, doc)
	where := fmt.Sprintf("in the corpus %q", r.b.corpus.Name)
	if c.doc != "" {
		where = fmt.Sprintf("in document %q", c.doc)
	}
	switch len(found) {
	case 0:
		return e, nil, fmt.Errorf("the quote %q does not stand %s%s", Shortened(c.quote), where, r.b.places.nearest(c.quote))
	case 1:
		if !exact {
			r.b.moved++
		}
		return experiments.Evidence{Span: found[0], Quote: r.b.corpus.Text(found[0])}, nil, nil
	}
	for _, s := range found {
		candidates = append(candidates, s.String())
	}
	return e, candidates, fmt.Errorf("the quote %q stands in several places %s: %s; give doc_id, start and end, or a longer quote",
		Shortened(c.quote), where, listed(candidates))
}

// verify holds a span against the corpus. A span of a part of a joined corpus keeps the part's coordinates, so that it
// also fits the corpus that was joined.
func (r *rowReader) verify(c claim) (experiments.Evidence, error) {
	place := r.b.corpus.Locate(c.span)
	if n := r.b.corpus.Index(place.DocID).Len(); place.End > n {
		return experiments.Evidence{}, fmt.Errorf("%v goes beyond the end of the document, which has %d characters", place, n)
	}
	there := r.b.corpus.Text(place)
	if c.quote != "" && c.quote != there && norm.NFC.String(c.quote) != there {
		hint := ""
		if found, _ := r.b.places.find(c.quote, ""); len(found) > 0 {
			hint = fmt.Sprintf("; the quote stands at %v", found[0])
		}
		return experiments.Evidence{}, fmt.Errorf("at %v stands %q, not the quote %q%s", c.span, Shortened(there), Shortened(c.quote), hint)
	}
	return experiments.Evidence{Span: c.span, Quote: there}, nil
}

// listed shows the first places and that there are more.
func listed(candidates []string) string {
	if len(candidates) < maxPlaces {
		return strings.Join(candidates, ", ")
	}
	return strings.Join(candidates[:maxPlaces-1], ", ") + ", …"
}
