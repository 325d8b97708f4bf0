package store

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
	groundsVersion = 2
	groundsAlone   = 1 // without covers
)

// What a result has, in its first byte; 0 alone where its stages are to be read.
const (
	groundsKnown = 1 << iota
	groundsListed
	groundsRefuses
	groundsChecked
	groundsOpposed
)

// appendCover appends a cover; without a key there is none.
func appendCover(body []byte, c metrics.Cover) []byte {
	if c == (metrics.Cover{}) {
		return append(body, 0)
	}
	body = append(append(body, byte(len(c.Key))), c.Key...)
	return binary.LittleEndian.AppendUint64(body, math.Float64bits(c.Share))
}

func appendGrounds(body []byte, g metrics.Grounds, known bool) []byte {
	if !known {
		return append(body, 0)
	}
	has := byte(groundsKnown)
	for i, there := range []bool{g.Listed, g.Refuses, g.Checked, g.Opposed} {
		if there {
			has |= groundsListed << i
		}
	}
	body = append(body, has)
	for _, n := range []int{g.Key, g.Covered, g.Supported, g.Contradicted} {
		body = binary.AppendUvarint(body, uint64(n)) //nolint:gosec // counts
	}
	return body
}

// expandGrounds reads what is kept of so many results; nil where it cannot be read.
func expandGrounds(body string, n int) (kept []*metrics.Grounds, covers []*metrics.Cover) {
	r := &compactReader{data: body}
	version := r.byte()
	if version != groundsVersion && version != groundsAlone || r.uint() != n {
		return nil, nil
	}
	kept, covers = make([]*metrics.Grounds, n), make([]*metrics.Cover, n)
	all, measured := make([]metrics.Grounds, n), make([]metrics.Cover, n)
	for i := range kept {
		has := r.byte()
		if has&groundsKnown == 0 {
			continue
		}
		all[i] = metrics.Grounds{Listed: has&groundsListed != 0, Refuses: has&groundsRefuses != 0, Checked: has&groundsChecked != 0,
			Opposed: has&groundsOpposed != 0, Key: r.uint(), Covered: r.uint(), Supported: r.uint(), Contradicted: r.uint()}
		kept[i] = &all[i]
	}
	for i := range covers {
		if version == groundsAlone {
			break
		}
		if n := int(r.byte()); n > 0 {
			measured[i] = metrics.Cover{Key: r.take(n), Share: r.float()}
			covers[i] = &measured[i]
		}
	}
	if r.bad || r.data != "" {
		return nil, nil
	}
	return kept, covers
}
