package textual

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// flatText is a text of which the words alone are left, in order: case, width, white space, punctuation, citations, emphasis and the
// marks of lists and tables are not.
type flatText struct {
	text   string
	pieces []int // where each piece begins, ascending: the end of what stands before it
	breaks []int // where clauses meet, likewise
}

// flatten flattens the pieces of a text.
func flatten(pieces ...string) flatText {
	var f flattener
	for _, p := range pieces {
		f.out.pieces = append(f.out.pieces, f.b.Len())
		f.add(p)
	}
	f.out.text = f.b.String()
	return f.out
}

type flattener struct {
	b    strings.Builder
	last rune // written
	gap  bool // something that is not written stands behind it
	out  flatText
}

// clauseMarks end a clause, or a cell.
const clauseMarks = ".!?:;,()|。、！？：；，（）「」"

func (f *flattener) add(s string) {
	f.part()
	runes := []rune(text.Fold(strings.ReplaceAll(bareSentence(s), "\t", " | ")))
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
			f.write(r)
		case unicode.Is(unicode.Sc, r), strings.ContainsRune("%+=<>°", r):
			f.gap = true
			f.write(r)
			f.gap = true
		case r == '.' && unicode.IsDigit(at(i-1)) && unicode.IsDigit(at(i+1)): // of a fraction
			f.write(r)
		case r == ',' && unicode.IsDigit(at(i-1)) && unicode.IsDigit(at(i+1)): // of a large number
		case (r == '-' || r == '−') && unicode.IsDigit(at(i+1)) && unicode.IsSpace(at(i-1)): // below zero
			f.write('-')
		case r == '\'' || r == '’':
		default:
			f.gap = true
			if strings.ContainsRune(clauseMarks, r) {
				f.part()
			}
		}
	}
}

// write writes a character, behind a space where words are told apart by one.
func (f *flattener) write(r rune) {
	if f.gap && !isUnspaced(f.last) && !isUnspaced(r) && f.last != 0 {
		f.b.WriteByte(' ')
	}
	f.b.WriteRune(r)
	f.last, f.gap = r, false
}

// part notes that a clause ends here.
func (f *flattener) part() {
	f.gap = true
	f.out.breaks = append(f.out.breaks, f.b.Len())
}

// find lists where the words of another flat text stand in f, as half-open ranges.
func (f *flatText) find(words string) [][2]int {
	var out [][2]int
	for from := 0; words != ""; {
		i := strings.Index(f.text[from:], words)
		if i < 0 {
			break
		}
		i, from = from+i, from+i+1
		before, _ := utf8.DecodeLastRuneInString(f.text[:i])
		first, _ := utf8.DecodeRuneInString(words)
		last, _ := utf8.DecodeLastRuneInString(words)
		after, _ := utf8.DecodeRuneInString(f.text[i+len(words):])
		if !oneWord(before, first) && !oneWord(last, after) {
			out = append(out, [2]int{i, i + len(words)})
		}
	}
	return out
}

// oneWord reports whether two neighbouring characters of a flat text belong to one word or number.
func oneWord(a, b rune) bool {
	in := func(r rune) bool { return r != ' ' && r != utf8.RuneError && !isUnspaced(r) }
	return in(a) && in(b)
}

// clauses reports whether a range begins and ends where clauses do.
func (f *flatText) clauses(at [2]int) bool {
	begins := slices.Contains(f.breaks, at[0]) || at[0] > 0 && f.text[at[0]-1] == ' ' && slices.Contains(f.breaks, at[0]-1)
	return begins && (at[1] == len(f.text) || slices.Contains(f.breaks, at[1]))
}

// over are the first and the last piece that a range touches.
func (f *flatText) over(at [2]int) (first, last int) {
	for i, from := range f.pieces {
		if from <= at[0] {
			first = i
		}
		if from < at[1] {
			last = i
		}
	}
	return first, last
}

// verbatim looks for the words of a claim in the passage, in their order and with nothing between them. They may run over several
// sentences. Where they begin or end in the middle of a clause they say the same only when the denials are the same.
func (p *Passage) verbatim(c ClaimTerms) (Verdict, bool) {
	for _, f := range []*flatText{&p.flat, &p.named} {
		for _, at := range f.find(c.flat) {
			first, last := f.over(at)
			var said []string
			for _, s := range p.sentences[first : last+1] {
				said = append(said, s.said)
			}
			if f.clauses(at) || Negates(strings.Join(said, "\n")) == Negates(c.Text) {
				return Verdict{Strength: 1, Quote: p.quote(first, last)}, true
			}
		}
	}
	return Verdict{}, false
}

// quote is the text of the passage from one sentence to another.
func (p *Passage) quote(first, last int) string {
	if first == last {
		return p.sentences[first].text
	}
	var parts []string
	for _, s := range p.sentences[first : last+1] {
		parts = append(parts, s.text)
	}
	return strings.Join(parts, "\n")
}
