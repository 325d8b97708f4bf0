package text

import (
	"slices"
	"unicode"
)

// Splitter cuts a text at the first of its separators that occurs, and what is still too long at the next one, by the rules of
// LangChain's RecursiveCharacterTextSplitter, on places instead of texts.
type Splitter struct {
	Size       int                // most length of a piece
	Overlap    int                // most length that neighbours share: whole pieces only, and none across a change of separator
	Separators []string           // the coarsest first; "" means characters
	KeepEnd    bool               // a separator closes the piece before it, instead of beginning the one behind it
	Length     func(s []rune) int // nil counts code points
	Whole      []Span             // places that are not cut unless they are longer than Size themselves
	Clusters   bool               // characters are what people see as one: marks and joined emoji stay with what they belong to
}

// Split returns the pieces of [0, len(runes)), without white space at their ends; nothing but white space is no piece.
func (p Splitter) Split(runes []rune) []Span {
	s := splitting{Splitter: p, runes: runes}
	if s.Length == nil {
		s.Length = func(r []rune) int { return len(r) }
	}
	s.whole = s.uncut()
	s.split(Span{Start: 0, End: len(runes)}, p.Separators)
	return s.out
}

type splitting struct {
	Splitter
	runes []rune
	whole []Span // sorted; apart from each other
	out   []Span
}

// uncut are the whole places that fit. Where two overlap the outer one counts.
func (s *splitting) uncut() []Span {
	list := slices.Clone(s.Whole)
	slices.SortFunc(list, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	var out []Span
	for _, w := range list {
		if s.length(w) <= s.Size && (len(out) == 0 || out[len(out)-1].End <= w.Start) {
			out = append(out, w)
		}
	}
	return out
}

func (s *splitting) length(x Span) int { return s.Length(s.runes[x.Start:x.End]) }

func (s *splitting) split(x Span, separators []string) {
	separator, rest := "", []string(nil)
	if len(separators) > 0 {
		separator = separators[len(separators)-1]
	}
	for i, candidate := range separators {
		if candidate == "" || s.occurs(x, []rune(candidate)) {
			separator, rest = candidate, separators[i+1:]
			break
		}
	}
	var fitting []Span
	for _, piece := range s.pieces(x, []rune(separator)) {
		if s.length(piece) < s.Size {
			fitting = append(fitting, piece)
			continue
		}
		s.merge(fitting)
		fitting = nil
		if len(rest) == 0 {
			s.emit(piece)
		} else {
			s.split(piece, rest)
		}
	}
	s.merge(fitting)
}

// pieces cuts x at every occurrence of the separator.
func (s *splitting) pieces(x Span, separator []rune) []Span {
	var out []Span
	start := x.Start
	cut := func(at int) {
		if at > start {
			out = append(out, Span{Start: start, End: at})
			start = at
		}
	}
	if len(separator) == 0 {
		for i := x.Start + 1; i < x.End; i++ {
			if !s.inside(i) && !(s.Clusters && joined(s.runes[i-1], s.runes[i])) {
				cut(i)
			}
		}
	} else {
		for i := x.Start; i+len(separator) <= x.End; {
			if !s.at(i, separator) {
				i++
				continue
			}
			border := i
			i += len(separator)
			if s.KeepEnd {
				border = i
			}
			if !s.inside(border) {
				cut(border)
			}
		}
	}
	cut(x.End)
	return out
}

// occurs reports whether the separator stands in x at a place where it may be cut.
func (s *splitting) occurs(x Span, separator []rune) bool {
	for i := x.Start; i+len(separator) <= x.End; i++ {
		border := i
		if s.KeepEnd {
			border += len(separator)
		}
		if s.at(i, separator) && !s.inside(border) {
			return true
		}
	}
	return false
}

func (s *splitting) at(i int, separator []rune) bool {
	return slices.Equal(s.runes[i:i+len(separator)], separator)
}

// inside reports whether a border at i would cut a whole place.
func (s *splitting) inside(i int) bool {
	n, _ := slices.BinarySearchFunc(s.whole, i, func(w Span, i int) int {
		if w.Start < i {
			return -1
		}
		return 1
	})
	return n > 0 && i < s.whole[n-1].End
}

// merge joins neighbouring pieces as long as they fit, and begins the next one with as many of them as may overlap.
func (s *splitting) merge(pieces []Span) {
	first, total := 0, 0
	for i, piece := range pieces {
		length := s.length(piece)
		if total+length > s.Size && i > first {
			s.emit(Span{Start: pieces[first].Start, End: pieces[i-1].End})
			for total > s.Overlap || total+length > s.Size && total > 0 {
				total -= s.length(pieces[first])
				first++
			}
		}
		total += length
	}
	if first < len(pieces) {
		s.emit(Span{Start: pieces[first].Start, End: pieces[len(pieces)-1].End})
	}
}

// emit adds a piece without white space at its ends. What counts as such are Python's characters: Unicode's and the four separators
// from U+001C.
func (s *splitting) emit(x Span) {
	for x.Start < x.End && spaceInPython(s.runes[x.Start]) {
		x.Start++
	}
	for x.End > x.Start && spaceInPython(s.runes[x.End-1]) {
		x.End--
	}
	if x.Len() > 0 {
		s.out = append(s.out, x)
	}
}

func spaceInPython(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// joined reports whether people see two neighbouring code points as one character: a mark, a variation or a modifier belongs to what
// stands before it, a joiner joins, and two regional indicators are a flag.
func joined(before, r rune) bool {
	const joiner = '\u200d'
	return unicode.Is(unicode.M, r) || r == joiner || before == joiner || r >= 0x1f3fb && r <= 0x1f3ff ||
		regional(before) && regional(r) || before == '\r' && r == '\n'
}

// regional reports whether a code point is a letter of a flag.
func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
