package text

import "unicode/utf8"

// Span is a half-open range [Start, End) of Unicode code points in some text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len is the number of code points in s.
func (s Span) Len() int { return s.End - s.Start }

// Overlap is the number of code points that s and t share.
func (s Span) Overlap(t Span) int { return max(0, min(s.End, t.End)-max(s.Start, t.Start)) }

// stride is the distance in code points between two remembered byte offsets of an Index.
const stride = 64

// Index slices a text by code points without scanning it from the start each time.
// It is immutable and safe for concurrent use.
type Index struct {
	text  string
	marks []int // marks[i] is the byte offset of code point i*stride
	runes int
}

// NewIndex indexes s.
func NewIndex(s string) *Index {
	x := &Index{text: s, marks: make([]int, 0, len(s)/stride+1)}
	for offset := range s {
		if x.runes%stride == 0 {
			x.marks = append(x.marks, offset)
		}
		x.runes++
	}
	return x
}

// Len is the number of code points in the text.
func (x *Index) Len() int { return x.runes }

// String is the whole text.
func (x *Index) String() string { return x.text }

// Bytes is what it holds of memory, the text not.
func (x *Index) Bytes() int64 { return int64(8*cap(x.marks)) + 64 }

// Slice returns the text in [start, end), clipped to the text's bounds.
func (x *Index) Slice(start, end int) string {
	start, end = max(0, start), min(end, x.runes)
	if start >= end {
		return ""
	}
	return x.text[x.byteAt(start):x.byteAt(end)]
}

// byteAt is the byte offset of code point i, for 0 <= i <= runes.
func (x *Index) byteAt(i int) int {
	if i >= x.runes {
		return len(x.text)
	}
	if x.runes == len(x.text) {
		return i // each is one byte
	}
	offset := x.marks[i/stride]
	for range i % stride {
		_, size := utf8.DecodeRuneInString(x.text[offset:])
		offset += size
	}
	return offset
}
