package laboratory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// proseCell is the length in code points from which a cell is a text: its row says what it is about in words of its own.
const proseCell = 40

// Row implements [causes.TableLab].
func (l *RealLab) Row(place rag.Span, asked, claim string) (row rag.Span, whole, ok bool) {
	index := l.options.Corpus.Index(place.DocID)
	if index == nil {
		return place, true, true
	}
	t, at := tableAround(index.String(), place)
	if at < 0 {
		return place, true, true
	}
	best := t.right(at, asked+"\n"+claim)
	switch {
	case best < 0:
		return place, false, false
	case best == at:
		return place, true, true
	}
	r := t[best]
	row = rag.Span{DocID: place.DocID, Start: r.start, End: r.start + utf8.RuneCountInString(r.line)}
	return row, len(textual.LackingQuantities(claim, asked, []string{t[0].line, r.line})) == 0, true
}

// tableRow is a line of a table with the code point at which it begins.
type tableRow struct {
	line  string
	start int
	cells []string
}

type tableRows []tableRow

// tableAround are the rows of the table that a place lies in, and which of them is the place's; -1 where it lies in none, in several
// rows or reaches beyond its row.
func tableAround(s string, place rag.Span) (rows tableRows, at int) {
	at = -1
	start := 0
	for line := range strings.Lines(s) {
		bare := strings.TrimRight(line, "\r\n")
		n := utf8.RuneCountInString(bare)
		if cells := cellsOf(bare); len(cells) > 1 {
			if start <= place.Start && place.End <= start+n {
				at = len(rows)
			}
			rows = append(rows, tableRow{line: bare, start: start, cells: cells})
		} else if rule := strings.Contains(bare, "-") && strings.Trim(bare, "|-: \t") == ""; !rule { // that is a line below the head
			if at >= 0 {
				break
			}
			rows = nil
		}
		start += utf8.RuneCountInString(line)
	}
	if len(rows) < 3 { // a head and one row have no neighbour to be mistaken for
		at = -1
	}
	return rows, at
}

// cellsOf are the cells of a line of a table: what tabs or pipes part.
func cellsOf(line string) []string {
	cells := strings.FieldsFunc(line, func(r rune) bool { return r == '\t' || r == '|' })
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return slices.DeleteFunc(cells, func(c string) bool { return strings.Trim(c, "-: ") == "" })
}

// right is the row that a question with its answer speaks of: the one at hand unless another is meant, or -1 where nothing tells. What
// tells rows apart are the cells that the wanted text names and that not every row has: its names and figures. A row whose first cell is
// named stands before one that only shares a figure, and a row in which nothing is named is no evidence, unless it is made of texts.
func (t tableRows) right(at int, wanted string) int {
	w := newWantedText(wanted)
	type score struct {
		head  bool
		named int
	}
	scores := make([]score, len(t))
	for i, r := range t {
		for k, cell := range r.cells {
			if t.everywhere(cell) || !w.names(cell) {
				continue
			}
			scores[i].named++
			scores[i].head = scores[i].head || k == 0
		}
	}
	// beats reports whether a row is meant rather than another.
	beats := func(a, b score) bool {
		if a.head != b.head {
			return a.head && a.named >= b.named
		}
		return a.named > b.named
	}
	best, rivals := -1, 0
	for i := 1; i < len(t); i++ { // the first row is the table's head
		if best < 0 || beats(scores[i], scores[best]) {
			best = i
		}
	}
	for i := 1; i < len(t); i++ {
		if i != best && scores[i] == scores[best] {
			rivals++
		}
	}
	mine := scores[at]
	texts := slices.ContainsFunc(t[at].cells, func(c string) bool { return utf8.RuneCountInString(c) > proseCell })
	switch {
	case at > 0 && (mine.named > 0 || texts) && !beats(scores[best], mine):
		return at
	case rivals == 0 && scores[best].head && scores[best].named > 1: // named, and with what is answered
		return best
	case texts && at > 0 && !scores[best].head:
		return at
	}
	return -1
}

// everywhere reports whether all rows but the first have a cell.
func (t tableRows) everywhere(cell string) bool {
	for _, r := range t[1:] {
		if !slices.Contains(r.cells, cell) {
			return false
		}
	}
	return true
}

// wantedText is a text in which cells are looked for.
type wantedText struct {
	folded string
	terms  map[string]bool
}

func newWantedText(s string) wantedText {
	w := wantedText{folded: cellKey(s), terms: map[string]bool{}}
	for _, t := range text.Terms(s) {
		w.terms[t.Text] = true
	}
	return w
}

// names reports whether the text has a cell: as it stands, without what stands in brackets, or in English in another form of its words. A
// figure is one with its unit, and no part of a longer one.
func (w wantedText) names(cell string) bool {
	bare := inBrackets.ReplaceAllString(norm.NFKC.String(cell), "")
	for _, key := range []string{cellKey(cell), cellKey(bare)} {
		if utf8.RuneCountInString(key) > 1 && w.holds(key) {
			return true
		}
	}
	if text.Language(bare) == "ja" {
		return false
	}
	n := 0
	for _, t := range text.Terms(bare) {
		if t.Class != text.Content && t.Class != text.Number {
			continue
		}
		if !w.terms[t.Text] {
			return false
		}
		n++
	}
	return n > 0
}

var inBrackets = text.Lazy(`\([^()]*\)`)

// holds reports whether a folded text stands in the wanted one, not within a longer number or Latin word.
func (w wantedText) holds(key string) bool {
	first, _ := utf8.DecodeRuneInString(key)
	last, _ := utf8.DecodeLastRuneInString(key)
	for from := 0; ; {
		i := strings.Index(w.folded[from:], key)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(w.folded[:i])
		after, _ := utf8.DecodeRuneInString(w.folded[i+len(key):])
		if !joined(before, first) && !joined(last, after) {
			return true
		}
		from = i + 1
	}
}

// joined reports whether two neighbours are letters of one word, or digits of one number.
func joined(a, b rune) bool {
	latin := func(r rune) bool { return r < 0x250 && unicode.IsLetter(r) }
	figure := func(r rune) bool { return unicode.IsDigit(r) || r == '.' }
	return latin(a) && latin(b) || figure(a) && figure(b) && (unicode.IsDigit(a) || unicode.IsDigit(b))
}

// cellKey is a text as cells are compared: folded, with one space between words and none within or beside what is not Latin, without
// separators of thousands.
func cellKey(s string) string {
	s = text.Fold(norm.NFKC.String(s))
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == ',' && i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1]):
		case unicode.IsSpace(r):
			if i > 0 && i+1 < len(runes) && runes[i-1] < 0x250 && runes[i+1] < 0x250 && !unicode.IsSpace(runes[i+1]) {
				b.WriteByte(' ')
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
