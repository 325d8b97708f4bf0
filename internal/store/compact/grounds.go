package compact

import (
	"encoding/binary"
	"math"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// A comparison asks of each answer what the judge found in it beyond its grades, which stands in four stages or more. Of a finished run it
// is read once, when the run closes, and kept in one row: the version, how many results there are, and each in their order. It is a copy,
// as the compact results are: where it is not there, or a stage was lost when it was made, the stages are read. Since version 2 it also
// tells, of runs that the offline judge graded, how much of the reference each answer covers.
const (
	GroundsVersion = 2
	GroundsAlone   = 1 // without covers
)

// What a result has, in its first byte; 0 alone where its stages are to be read.
const (
	GroundsKnown = 1 << iota
	GroundsListed
	GroundsRefuses
	groundsChecked
	groundsOpposed
)

// AppendCover appends a cover; without a key there is none.
func AppendCover(body []byte, c metrics.Cover) []byte {
	if c == (metrics.Cover{}) {
		return append(body, 0)
	}
	body = append(append(body, byte(len(c.Key))), c.Key...)
	return binary.LittleEndian.AppendUint64(body, math.Float64bits(c.Share))
}

// AppendGrounds appends what the stages of a result say; 0 alone where that is not known.
func AppendGrounds(body []byte, g metrics.Grounds, known bool) []byte {
	if !known {
		return append(body, 0)
	}
	has := byte(GroundsKnown)
	for i, there := range []bool{g.Listed, g.Refuses, g.Checked, g.Opposed} {
		if there {
			has |= GroundsListed << i
		}
	}
	body = append(body, has)
	for _, n := range []int{g.Key, g.Covered, g.Supported, g.Contradicted} {
		body = binary.AppendUvarint(body, uint64(n)) //nolint:gosec // counts
	}
	return body
}

// ExpandGrounds reads what is kept of so many results; nil where it cannot be read.
func ExpandGrounds(body []byte, n int) (kept []*metrics.Grounds, covers []*metrics.Cover) {
	r := &reader{data: body}
	version := r.byte()
	if version != GroundsVersion && version != GroundsAlone || r.uint() != n {
		return nil, nil
	}
	kept, covers = make([]*metrics.Grounds, n), make([]*metrics.Cover, n)
	all, measured := make([]metrics.Grounds, n), make([]metrics.Cover, n)
	for i := range kept {
		has := r.byte()
		if has&GroundsKnown == 0 {
			continue
		}
		all[i] = metrics.Grounds{Listed: has&GroundsListed != 0, Refuses: has&GroundsRefuses != 0, Checked: has&groundsChecked != 0,
			Opposed: has&groundsOpposed != 0, Key: r.uint(), Covered: r.uint(), Supported: r.uint(), Contradicted: r.uint()}
		kept[i] = &all[i]
	}
	for i := range covers {
		if version == GroundsAlone {
			break
		}
		if n := int(r.byte()); n > 0 {
			measured[i] = metrics.Cover{Key: string(r.take(n)), Share: r.float()}
			covers[i] = &measured[i]
		}
	}
	if r.bad || len(r.data) > 0 {
		return nil, nil
	}
	return kept, covers
}
