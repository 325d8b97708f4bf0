package rag

import (
	"math/rand/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// What a sample of rows must show when an index is registered.
const (
	MappingSample  = 200  // rows that are looked at
	MappingWarns   = 0.99 // least share of them with their place, without a warning
	MappingRefuses = 0.5  // least share that is registered at all
)

// Sample looks at up to [MappingSample] rows, chosen by seed: whether each has its place in the corpus; of offsets none, whether its
// document is there.
func (r *MappedRows) Sample(corpus *Corpus, m IndexMapping, seed uint64) MappingCheck {
	out := MappingCheck{Rows: len(r.chunks)}
	order := rand.New(rand.NewPCG(seed, uint64(len(r.chunks)))).Perm(len(r.chunks)) //nolint:gosec // a sample, no secret
	for _, i := range order[:min(MappingSample, len(order))] {
		c := r.chunks[i]
		_, known := corpus.Document(c.DocID)
		out.Sample++
		if known && (m.Offset == OffsetsNone || c.Range().Len() > 0) {
			out.Found++
		}
	}
	if out.Sample > 0 {
		out.Share = float64(out.Found) / float64(out.Sample)
	}
	return out
}

// Warns reports whether so many rows lack their place that people should know.
func (c MappingCheck) Warns() bool { return c.Share < MappingWarns }

// Refusal is why an index cannot be registered; nil where it can.
func (c MappingCheck) Refusal(m IndexMapping) error {
	if c.Rows == 0 {
		return problem.New(problem.Invalid, "index_empty", "index %s has no rows", m.Table).With("name", m.Table).
			WithHint("check table and, where the engine has them, space")
	}
	if c.Share >= MappingRefuses {
		return nil
	}
	hint := "check fields.start, fields.end and offset_unit, or write offsets: locate"
	switch m.Offset {
	case OffsetsLocate:
		hint = "check fields.text and fields.doc_id, and that the documents are those the index was made from; offsets: none needs no places"
	case OffsetsNone:
		hint = "check that fields.doc_id holds the ids of the corpus's documents: `workbench corpus show NAME`"
	}
	return problem.New(problem.Invalid, "index_sample", "of %d rows of index %s that were looked at, %d stand in the documents where the "+
		"mapping says; at least half must", c.Sample, m.Table, c.Found).
		With("name", m.Table).With("sample", c.Sample).With("found", c.Found).WithHint("%s", hint)
}
