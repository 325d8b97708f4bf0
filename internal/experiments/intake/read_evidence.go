package intake

import (
	"errors"
	"fmt"
	"path"
	"slices"
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
	docs := r.documents(r.text(fieldEvidenceDoc))
	if doc := docs[0]; r.b.columns.lenient && doc != "" && (r.b.corpus == nil || r.b.corpus.Index(doc) == nil) {
		r.remarks, docs = append(r.remarks, doc), []string{""}
	}
	var list []experiments.Evidence
	for i, item := range items {
		if p, isPassage := item.(passage); isPassage {
			if p.doc != "" && p.quote == "" {
				docs = []string{p.doc}
			}
			list = append(list, r.passage(p, r.holding(docs, p.quote))...)
			continue
		}
		if s, isText := item.(string); isText && r.b.columns.lenient {
			if named := r.b.namesDocument(s); named != "" { // a name is no quote of what it names
				r.remarks, docs = append(r.remarks, s), []string{named}
				continue
			}
			if found := r.quoted(s, r.holding(docs, s)); found != nil {
				list = append(list, found...)
			} else {
				r.remarks = append(r.remarks, s)
				r.b.remarked = append(r.b.remarked, text.Say("%s (%q)", "%s（「%s」）", r.b.table.place(r.row.Number), Shortened(s)))
			}
			continue
		}
		c, err := parseClaim(item)
		if err == nil {
			if c.doc == "" {
				c.doc = r.holding(docs, c.quote)
			}
			var found []experiments.Evidence
			var candidates []string
			if found, candidates, err = r.resolve(c); err == nil {
				list = append(list, found...)
				continue
			}
			r.b.faults.Add(RowProblem{Row: r.row.Number, QuestionID: r.id, Field: fieldEvidence, Candidates: candidates,
				Message: numbered(i, len(items), err)})
			continue
		}
		r.fault(fieldEvidence, "%s", numbered(i, len(items), err))
	}
	if len(list) == 0 && len(items) > 0 && !slices.ContainsFunc(items, quotesSomething) {
		r.b.onlyPlaces = append(r.b.onlyPlaces, text.Say("%s (%q)", "%s（「%s」）", r.b.table.place(r.row.Number),
			Shortened(r.text(fieldEvidence))))
	}
	return list
}

// documents are those that a cell names: one, or several where it is a list of documents of the corpus.
func (r *rowReader) documents(cell string) []string {
	if r.b.corpus == nil || cell == "" || r.b.corpus.Index(cell) != nil {
		return []string{cell}
	}
	var docs []string
	for _, name := range strings.FieldsFunc(cell, func(c rune) bool { return strings.ContainsRune(",、，;；\n", c) }) {
		name = strings.TrimSpace(name)
		if named := r.b.namesDocument(name); named != "" {
			name = named
		}
		if r.b.corpus.Index(name) == nil {
			return []string{cell}
		}
		docs = append(docs, name)
	}
	if len(docs) < 2 {
		return []string{cell}
	}
	return docs
}

// holding is the first of several documents in which a quote stands, else the first of them.
func (r *rowReader) holding(docs []string, quote string) string {
	for _, doc := range docs {
		if len(docs) == 1 || quote == "" {
			break
		}
		if found, _ := r.b.places.pieces(quote, doc); len(found) > 0 {
			return doc
		}
	}
	return docs[0]
}

// quotesSomething reports whether a piece of evidence is more than the name of a document or a place.
func quotesSomething(item any) bool {
	p, isPassage := item.(passage)
	return !isPassage || p.quote != ""
}

// passage looks for a quote in the document that its source names. Where the corpus has no such document the quote counts all the same
// where it stands in one place, and that is said.
func (r *rowReader) passage(p passage, doc string) []experiments.Evidence {
	r.remarks = append(r.remarks, p.source)
	if p.quote == "" {
		return nil
	}
	place, elsewhere := r.b.table.place(r.row.Number), []rag.Span(nil)
	if p.doc != "" {
		if found, exact := r.b.places.pieces(p.quote, p.doc); len(found) > 0 {
			return r.take(found, exact)
		}
		if elsewhere, _ = r.b.places.find(p.quote, ""); len(elsewhere) == 0 {
			elsewhere, _ = r.b.places.pieces(p.quote, "")
		}
	} else if found := r.quoted(p.quote, doc); found != nil {
		if nameIn(p.source) != "" {
			r.b.renamed = append(r.b.renamed, text.Say("%s (%q, found in %q)", "%s（「%s」、文書「%s」で検出）", place,
				Shortened(p.source), found[0].DocID))
		}
		return found
	}
	r.remarks[len(r.remarks)-1] = p.written
	said := text.Say("%s (%q)", "%s（「%s」）", place, Shortened(p.written))
	if len(elsewhere) > 0 && !slices.ContainsFunc(elsewhere, func(s rag.Span) bool { return s.DocID == p.doc }) {
		said = text.Say("%s (%q: not in %q but in %q)", "%s（「%s」：文書「%s」ではなく「%s」にある文）", place, Shortened(p.quote), p.doc,
			elsewhere[0].DocID)
	}
	r.b.remarked = append(r.b.remarked, said)
	return nil
}

// take is the evidence of a quote that was found, in one piece or several.
func (r *rowReader) take(places []rag.Span, exact bool) (list []experiments.Evidence) {
	if !exact {
		r.b.moved++
	}
	if len(places) > 1 {
		r.b.omitting++
	}
	r.b.found++
	for _, s := range places {
		list = append(list, experiments.Evidence{Span: s, Quote: r.b.corpus.Text(s)})
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

// quoted looks for a quote that may be none, in the corpus or in the document that the row names; nil where it does not stand there.
func (r *rowReader) quoted(quote, doc string) []experiments.Evidence {
	if r.b.corpus == nil || len([]rune(quote)) < shortestQuote {
		return nil
	}
	docs := []string{doc, ""}
	for _, column := range r.b.columns.hints {
		if s, err := CellText(r.row.Cell(column)); err == nil {
			docs = append(docs, documentNamed(r.b.corpus, s))
		}
	}
	for _, doc := range docs {
		if found, exact := r.b.places.pieces(quote, doc); len(found) > 0 {
			return r.take(found, exact)
		}
	}
	return nil
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
	_, _, isList := ListLiteral(strings.TrimSpace(s))
	if r.b.places == nil || isText && isList {
		return r.list(fieldEvidence, "", nil)
	}
	if isText && strings.Contains(strings.TrimSpace(s), "\n") {
		found, _ := r.b.places.find(s, "")
		if len(found) == 0 && partsOf(s) != nil {
			found, _ = r.b.places.pieces(s, "")
		}
		if len(found) > 0 {
			r.b.remember(column, asOneValue)
			return []any{s}
		}
	}
	if isText && r.b.table.isSheet() {
		if list := r.apart(strings.TrimSpace(s)); len(list) > 1 || len(list) == 1 && quotesSomething(list[0]) {
			return list
		}
	}
	var items []any
	for _, item := range r.list(fieldEvidence, "", nil) {
		if s, isText := item.(string); isText && r.b.table.isSheet() {
			if omission.ReplaceAllString(strings.TrimSpace(s), "") == "" { // on a line of its own
				continue
			}
			if list := r.apart(s); list != nil {
				items = append(items, list...)
				continue
			}
			if bare := unlisted(s); bare != s {
				if found, _ := r.b.places.find(s, ""); len(found) == 0 {
					item = bare
				}
			}
		}
		items = append(items, item)
	}
	if n := len(items); n > 1 && quotesSomething(items[0]) && !quotesSomething(items[n-1]) { // what stands below its quotes
		items = append([]any{items[n-1]}, items[:n-1]...)
	}
	return items
}

// unlisted is a line of evidence without the mark of a list, the word for a quote, and quotation marks around it.
func unlisted(s string) string { return unmarked(listMark.ReplaceAllString(strings.TrimSpace(s), "")) }

// apart tells sources and quotes of a text apart; nil where it is a quote as it stands, or no source is told. A bare name of a document is
// left to columns in which quotes may be missing.
func (r *rowReader) apart(s string) (list []any) {
	if found, _ := r.b.places.find(s, ""); len(found) > 0 {
		return nil
	}
	for _, p := range passages(r.b.corpus, s) {
		if p.quote == "" && !r.b.columns.lenient && !placePart.MatchString(norm.NFKC.String(s)) && !fileNamed.MatchString(s) {
			return nil
		}
		list = append(list, p)
	}
	return list
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
func (r *rowReader) resolve(c claim) (list []experiments.Evidence, candidates []string, err error) {
	switch {
	case r.b.corpus == nil && !c.hasSpan:
		if r.b.needsCorpus == 0 {
			r.b.needsCorpus = r.row.Number
		}
		return nil, nil, nil
	case r.b.corpus == nil:
		r.b.unverified++
		return []experiments.Evidence{{Span: c.span, Quote: c.quote}}, nil, nil
	}
	doc := c.doc
	if doc != "" {
		doc = r.b.corpus.Locate(rag.Span{DocID: doc}).DocID // in a joined corpus, the one document that holds it
		if r.b.corpus.Index(doc) == nil {
			return nil, nil, fmt.Errorf("the corpus %q has no document %q", r.b.corpus.Name, c.doc)
		}
	}
	if c.hasSpan {
		e, err := r.verify(c)
		return []experiments.Evidence{e}, nil, err
	}
	if pieces, exact := r.b.places.pieces(c.quote, doc); len(pieces) > 0 {
		return r.take(pieces, exact), nil, nil
	}
	found, _ := r.b.places.find(c.quote, doc)
	where, quote := fmt.Sprintf("the corpus %q", r.b.corpus.Name), Shortened(c.quote)
	if c.doc != "" {
		where = fmt.Sprintf("document %q", c.doc)
	}
	switch {
	case len(found) > 0:
	case partsOf(c.quote) != nil:
		return nil, nil, fmt.Errorf("%s does not have the parts of the quote %q one after the other in one place", where, quote)
	default:
		if at, ok := r.b.places.nearest(c.quote); ok {
			return nil, nil, fmt.Errorf("%s does not have the quote %q; its first words stand at %v", where, quote, at)
		}
		return nil, nil, fmt.Errorf("%s does not have the quote %q", where, quote)
	}
	for _, s := range found {
		candidates = append(candidates, s.String())
	}
	return nil, candidates, fmt.Errorf("%s has the quote %q in several places: %s; give doc_id, start and end, or a longer quote",
		where, quote, listed(candidates))
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
		there, quote := Shortened(there), Shortened(c.quote)
		if found, _ := r.b.places.find(c.quote, ""); len(found) > 0 {
			return experiments.Evidence{}, fmt.Errorf("at %v stands %q, not the quote %q; that quote stands at %v", c.span, there, quote, found[0])
		}
		return experiments.Evidence{}, fmt.Errorf("at %v stands %q, not the quote %q", c.span, there, quote)
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
