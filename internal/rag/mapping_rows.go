package rag

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/problem"
)

// MappedRows are all rows of an existing index as chunks of a corpus, without their texts.
type MappedRows struct {
	Identity string // of the contents: name, number of rows, and a digest over ids and texts, or the version that was given
	Digest   string // of the corpus that they were placed in
	chunks   []Chunk
	at       map[string]int // by id of the row: number of its chunk
	sums     []textSum      // by chunk
	lengths  []int          // of their texts in code points, by chunk
}

// Len is the number of rows.
func (r *MappedRows) Len() int { return len(r.chunks) }

// textSum tells texts apart.
type textSum [16]byte

func sumOf(s string) textSum {
	whole := sha256.Sum256([]byte(s))
	return textSum(whole[:16])
}

// MaxMappedRows is how many rows an index may have: their places are held in memory.
const MaxMappedRows = 5_000_000

// ScanMapped reads every row of an index and finds its place in the corpus.
func ScanMapped(ctx context.Context, corpus *Corpus, m IndexMapping, engine MappedIndex) (*MappedRows, error) {
	var rows []MappedRow
	placer := newPlacer(corpus, m)
	sums := map[string]textSum{}
	err := engine.Scan(ctx, func(r MappedRow) error {
		if _, twice := sums[r.ID]; twice {
			return problem.New(problem.Conflict, "index_changed", "index %s showed row %q twice while it was read", m.Table, r.ID).
				With("name", m.Table).WithHint("try again when nothing is being written to it")
		}
		sums[r.ID] = sumOf(r.Text)
		placer.lengths[r.ID] = utf8.RuneCountInString(r.Text)
		if len(sums) > MaxMappedRows {
			return problem.New(problem.Invalid, "index_large", "index %s has more than %d rows", m.Table, MaxMappedRows).
				With("name", m.Table).With("most", MaxMappedRows).WithHint("evaluate with a part of it, copied into an index of its own")
		}
		if m.Offset != OffsetsLocate {
			r.Text = placer.keep(r)
		}
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b MappedRow) int { return cmp.Or(cmp.Compare(a.DocID, b.DocID), byNumbers(a.ID, b.ID)) })
	return placer.rows(rows, sums), nil
}

// identity is what tells the contents of an index from those it had before.
func (m IndexMapping) identity(rows []MappedRow, sums map[string]textSum) string {
	if m.Version != "" {
		return m.Given()
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	slices.Sort(ids)
	h := sha256.New()
	for _, id := range ids {
		sum := sums[id]
		_ = binary.Write(h, binary.BigEndian, uint64(len(id))) // a hash takes every byte
		h.Write([]byte(id))
		h.Write(sum[:])
	}
	return StageKey("existing", "1", m.Engine, m.Space, m.Table, len(rows), hex.EncodeToString(h.Sum(nil)))
}

// Given is the identity of an index whose team says which version it is; "" where it does not.
func (m IndexMapping) Given() string {
	if m.Version == "" {
		return ""
	}
	return StageKey("existing", "1", m.Engine, m.Space, m.Table, "version", m.Version)
}

// placer finds where rows stand in a corpus.
type placer struct {
	corpus  *Corpus
	mapping IndexMapping
	whole   *places
	lengths map[string]int  // of texts, by id
	right   map[string]Span // by id: where fields say, for rows whose text stands there
}

func newPlacer(corpus *Corpus, m IndexMapping) *placer {
	return &placer{corpus: corpus, mapping: m, whole: newPlaces(corpus), right: map[string]Span{}, lengths: map[string]int{}}
}

// keep notes the place that a row's fields name, where its text stands there, and returns what is kept of the text: nothing.
func (p *placer) keep(r MappedRow) string {
	if p.mapping.Offset == OffsetsFields {
		if span, ok := p.named(r); ok {
			p.right[r.ID] = span
		}
	}
	return ""
}

// named is the place that a row's fields name, and whether its text stands there: white space and the form of characters aside.
func (p *placer) named(r MappedRow) (Span, bool) {
	d, known := p.corpus.Document(r.DocID)
	if !known || r.Start < 0 || r.End <= r.Start {
		return Span{}, false
	}
	start, end, ok := inCodePoints(d.Text, r.Start, r.End, p.mapping.Unit)
	span := Span{DocID: d.ID, Start: start, End: end}
	return span, ok && squeeze(norm.NFC.String(p.corpus.Text(span))) == squeeze(norm.NFC.String(r.Text))
}

// inCodePoints turns a range that is counted in unit into one of code points; false where it does not lie within the text or between
// its characters.
func inCodePoints(text string, start, end int, unit string) (from, to int, ok bool) {
	width := func(rune) int { return 1 }
	switch unit {
	case UnitUTF16:
		width = func(r rune) int {
			if r > 0xffff {
				return 2
			}
			return 1
		}
	case UnitByte:
		width = utf8.RuneLen
	}
	from, to = -1, -1
	at, point := 0, 0
	mark := func() {
		if at == start {
			from = point
		}
		if at == end {
			to = point
		}
	}
	for _, r := range text {
		if mark(); at >= end {
			break
		}
		at += width(r)
		point++
	}
	mark()
	return from, to, from >= 0 && to > from
}

// rows puts rows, which are in the order of documents and ids, into chunks.
func (p *placer) rows(rows []MappedRow, sums map[string]textSum) *MappedRows {
	out := &MappedRows{Identity: p.mapping.identity(rows, sums), Digest: p.corpus.Digest, at: make(map[string]int, len(rows))}
	spans := make([]Span, len(rows))
	for i := 0; i < len(rows); {
		next := i
		for next < len(rows) && rows[next].DocID == rows[i].DocID {
			next++
		}
		p.place(rows[i:next], spans[i:next])
		i = next
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
		if spans[i].End == 0 {
			spans[i].DocID = rows[i].DocID
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { // as our own chunks: equal scores are in the order of the documents
		return cmp.Or(cmp.Compare(p.corpus.position(spans[a].DocID), p.corpus.position(spans[b].DocID)),
			cmp.Compare(spans[a].DocID, spans[b].DocID), cmp.Compare(spans[a].Start, spans[b].Start))
	})
	for n, i := range order {
		out.chunks = append(out.chunks, Chunk{Span: spans[i], Title: rows[i].Title})
		out.sums = append(out.sums, sums[rows[i].ID])
		out.lengths = append(out.lengths, p.lengths[rows[i].ID])
		out.at[rows[i].ID] = n
	}
	return out
}

// place fills in the places of the rows of one document, in the order of their ids. One whose place is not known stays empty.
func (p *placer) place(rows []MappedRow, spans []Span) {
	if p.mapping.Offset == OffsetsFields {
		for i, r := range rows {
			spans[i] = p.right[r.ID]
		}
		return
	}
	if p.mapping.Offset != OffsetsLocate {
		return
	}
	candidates := make([][]Span, len(rows))
	for i, r := range rows {
		candidates[i] = p.candidates(r)
		if len(candidates[i]) == 1 {
			spans[i] = candidates[i][0]
		}
	}
	if !inOrder(spans) {
		return // ids say nothing about where rows stand
	}
	for i, r := range rows {
		if len(candidates[i]) < 2 || spans[i].End > 0 {
			continue
		}
		alike := []int{i}
		for j := i + 1; j < len(rows) && (len(candidates[j]) != 1); j++ {
			if squeeze(rows[j].Text) == squeeze(r.Text) {
				alike = append(alike, j)
			}
		}
		if fits := between(candidates[i], spans, i); len(fits) == len(alike) {
			for n, j := range alike {
				spans[j] = fits[n]
			}
		}
	}
}

// maxPlaces bounds how many places of one text are looked at; a text with as many has none.
const maxPlaces = 1000

// candidates are the places of a row's text: as it is, else without what surrounds it, else without regard to white space.
func (p *placer) candidates(r MappedRow) []Span {
	whole := norm.NFC.String(strings.ReplaceAll(r.Text, "\r\n", "\n"))
	wanted := strings.TrimSpace(whole)
	if wanted == "" {
		return nil
	}
	id := r.DocID
	if _, known := p.corpus.Document(id); !known {
		if p.mapping.Fields.DocID != "" {
			return nil
		}
		id = ""
	}
	for _, text := range []string{whole, wanted} {
		if found := p.whole.exact(text, id, maxPlaces); len(found) > 0 {
			return found
		}
	}
	return p.whole.loose(wanted, id, maxPlaces)
}

// inOrder reports whether the places that are known come in the order of the documents' text.
func inOrder(spans []Span) bool {
	last := map[string]int{}
	for _, s := range spans {
		if s.End == 0 {
			continue
		}
		if s.Start < last[s.DocID] {
			return false
		}
		last[s.DocID] = s.Start
	}
	return true
}

// between are the places that lie after the known place before i and before the known one after it.
func between(candidates, spans []Span, i int) []Span {
	var out []Span
	for _, c := range candidates {
		fits := true
		for j := i - 1; j >= 0; j-- {
			if spans[j].End > 0 {
				fits = spans[j].DocID != c.DocID || c.Start > spans[j].Start
				break
			}
		}
		for j := i + 1; j < len(spans) && fits; j++ {
			if spans[j].End > 0 {
				fits = spans[j].DocID != c.DocID || c.Start < spans[j].Start
				break
			}
		}
		if fits {
			out = append(out, c)
		}
	}
	return out
}

// byNumbers compares ids so that chunk-2 comes before chunk-10.
func byNumbers(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == 0 || y == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
		if order := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n)); order != 0 {
			return order
		}
		a, b = a[x:], b[y:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
