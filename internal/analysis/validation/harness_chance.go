package validation

import (
	"fmt"
	"hash/fnv"

	"github.com/rag-workbench/workbench/internal/stats"
)

// chance is a number in [0, 1) that depends on its arguments only. Everything random in the harness comes from it, so a vote or a
// trial asked for again gives what it gave before, whatever was asked in between and in whatever order.
func chance(seed uint64, of ...any) float64 {
	return stats.NewSplitMix64(seedOf(seed, of...)).Float64()
}

// seedOf is the seed of the stream that these arguments name.
func seedOf(seed uint64, of ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, seed)
	for _, o := range of {
		fmt.Fprintf(h, "\x00%v", o)
	}
	return stats.NewSplitMix64(h.Sum64()).Uint64()
}
