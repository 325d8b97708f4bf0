package metrics

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/rag-workbench/workbench/internal/llm"
)

// filling is blocks of the claim matrix that are asked about together.
type filling struct {
	blocks []block
	lay    func() []*claimMatrix // the blocks with their claims and passages, known once the claims are
	fill   func() []*claimMatrix // the same, with their verdicts
	filled atomic.Bool
}

// newFillings lays down which blocks are asked about together and which one is first where two have cells in common: the order in which
// the metrics need them. Which reply comes first must decide nothing, or equal work would send other requests.
func (b matrixJudge) newFillings(ctx context.Context) []*filling {
	var out []*filling
	known := map[block]bool{}
	for _, spec := range b.specs {
		if b.sample.hidden(spec) != "" {
			continue
		}
		for _, k := range declared(spec.ID).blocks {
			if known[k] || b.lacks(k) != "" {
				continue
			}
			f := &filling{blocks: []block{k}}
			for _, other := range []block{answerByContexts, answerByReference, referenceByContexts, referenceByAnswer} {
				if other != k && b.joint && b.wanted[other] && b.lacks(other) == "" {
					f.blocks = append(f.blocks, other)
				}
			}
			for _, k := range f.blocks {
				known[k] = true
			}
			earlier := slices.Clone(out)
			f.lay = once(func() []*claimMatrix { return b.lay(f.blocks) })
			f.fill = once(func() []*claimMatrix { return b.fillAfter(ctx, f, earlier) })
			out = append(out, f)
		}
	}
	return out
}

// lay returns the blocks without verdicts.
func (b matrixJudge) lay(blocks []block) []*claimMatrix {
	matrices := make([]*claimMatrix, len(blocks))
	llm.SideBySide(len(blocks), func(i int) { matrices[i] = b.newClaimMatrix(blocks[i]) }) // both lists of claims at once
	return matrices
}

// fillAfter finds the verdicts of a filling, after those of earlier ones that have a cell in common with it, which it takes over. A judge
// that costs nothing is asked for such cells again.
func (b matrixJudge) fillAfter(ctx context.Context, f *filling, earlier []*filling) []*claimMatrix {
	matrices := f.lay()
	asked := slices.DeleteFunc(slices.Clone(matrices), func(g *claimMatrix) bool { return g.err != nil || len(g.claims) == 0 })
	if len(asked) > 0 {
		for _, e := range earlier {
			if !b.judge.Info().Free && overlap(asked, e.lay()) {
				e.fill()
			}
		}
		b.fill(ctx, asked)
	}
	f.filled.Store(true)
	return matrices
}

// overlap reports whether two sets of matrices have a cell in common: the same words of a claim and of a passage.
func overlap(matrices, others []*claimMatrix) bool {
	for _, g := range matrices {
		for _, o := range others {
			if shared(g.claims, o.claims) && shared(g.passages, o.passages) {
				return true
			}
		}
	}
	return false
}

func shared(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// block returns the verdicts of one block, filled on first use together with those that are asked about in the same requests.
func (b matrixJudge) block(k block) *claimMatrix {
	if g := b.instead[k]; g != nil {
		return g
	}
	for _, f := range b.fillings {
		if i := slices.Index(f.blocks, k); i >= 0 {
			return f.fill()[i]
		}
	}
	panic("no metric of the suite is known to need the block " + string(k)) // the declarations leave it out
}

func (b matrixJudge) newClaimMatrix(k block) *claimMatrix {
	g := &claimMatrix{block: k}
	if k.ofAnswer() {
		list := b.answer()
		g.claims, g.err = list.claims, list.err
	} else {
		list := b.reference()
		g.claims, g.err = list.claims, list.err
	}
	switch k {
	case answerByReference:
		g.passages = []string{whole(b.sample.Question, b.sample.Reference)}
	case referenceByAnswer:
		g.passages = []string{whole(b.sample.Question, b.sample.Answer)}
	default:
		g.passages = texts(b.sample.Contexts)
	}
	return g
}
