package metrics

import (
	"context"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
)

// unread is what stands in a cell for which the judge never gave a verdict of use. It decides nothing: a metric that would come out
// otherwise under another verdict is an error, every other one is scored.
const unread = "unread"

// mostUnread is how many such cells one metric looks past; each is tried with every verdict.
const mostUnread = 3

// place is a cell of a matrix.
type place struct{ claim, passage int }

// missingError says that verdicts are missing, and why the last of them is.
func missingError(cause string, missing, of int) error {
	return &llm.Error{Cause: cause, Message: fmt.Sprintf("%d of %d verdicts are missing after asking %d times", missing, of, 1+maxReasks)}
}

// despiteUnread computes a metric whose verdicts are not all known: its score where every way to fill in what is missing gives the
// same one, and otherwise the error that says what is missing.
func (b matrixJudge) despiteUnread(ctx context.Context, m metric, score Score) (Score, error) {
	trial := *b.evaluation
	trial.instead = map[block]*claimMatrix{}
	var open []*string
	cause, cells := "", 0
	for _, k := range m.blocks {
		g := b.filledBlock(k)
		if g == nil || len(g.unread) == 0 {
			continue
		}
		g = g.clone()
		trial.instead[k] = g
		for _, at := range g.unread {
			open = append(open, &g.at[at.claim][at.passage].Verdict)
		}
		cause, cells = g.unreadCause, cells+len(g.claims)*len(g.passages)
	}
	if len(open) == 0 {
		return score, nil
	}
	for n := range combinations(len(open)) {
		for i := range open {
			*open[i] = [...]string{neither, supported, contradicted}[n%3]
			n /= 3
		}
		other, err := m.score(&trial, ctx)
		if err != nil {
			return other, err
		}
		if other.State != score.State || other.Value != score.Value {
			return Score{}, missingError(cause, len(open), cells)
		}
	}
	return score, nil
}

// filledBlock is a block whose verdicts were asked for; nil for any other.
func (b matrixJudge) filledBlock(k block) *claimMatrix {
	for _, f := range b.fillings {
		if slices.Contains(f.blocks, k) && f.filled.Load() {
			return b.block(k)
		}
	}
	return nil
}

// clone is a matrix whose cells can be changed.
func (g *claimMatrix) clone() *claimMatrix {
	out := *g
	out.at = make([][]cellVerdict, len(g.at))
	for i, row := range g.at {
		out.at[i] = slices.Clone(row)
	}
	return &out
}

// combinations is 3 to the power of n, for n up to [mostUnread] for each of three blocks.
func combinations(n int) int {
	out := 1
	for range n {
		out *= 3
	}
	return out
}
