package metrics

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/rag-workbench/workbench/internal/llm"
)

// evaluation holds what several metrics of one sample share. Metrics are computed at the same time; each shared part is found once, by
// whichever needs it first, and the others wait for it.
type evaluation struct {
	*Suite
	sample Sample

	retrieval func() map[string]Score
	answer    func() *answerRead
	reference func() *claimList
	closeness func() closeness
	fillings  []*filling
	instead   map[block]*claimMatrix // blocks to be taken for those that the judge filled
}

func (s *Suite) newEvaluation(ctx context.Context, sample Sample) *evaluation {
	b := &evaluation{Suite: s, sample: sample}
	b.retrieval = once(func() map[string]Score { return retrievalScores(sample) })
	b.answer = once(func() *answerRead { return b.answerClaims(ctx) })
	b.reference = once(func() *claimList { return b.referenceClaims(ctx) })
	b.closeness = once(func() closeness { return b.alike(ctx) })
	b.fillings = b.matrix().newFillings(ctx)
	return b
}

// once returns a function that computes a value when it is first called. Whoever calls it meanwhile waits; a panic is every caller's.
func once[T any](compute func() T) func() T {
	var begun atomic.Bool
	var value T
	var panicked any
	done := make(chan struct{})
	return func() T {
		if begun.CompareAndSwap(false, true) {
			func() {
				defer close(done)
				defer func() { panicked = recover() }()
				value = compute()
			}()
		}
		<-done
		if panicked != nil {
			panic(panicked)
		}
		return value
	}
}

// scores computes the metrics side by side. Those for which failed names a cause are Errored with it instead.
func (b *evaluation) scores(ctx context.Context, failed func(Spec) string) ([]Score, error) {
	return b.scoresBy(ctx, llm.SideBySide, failed)
}

// inTurn does n pieces of work one after the other: where nobody is asked and waited for, that is faster.
func inTurn(n int, work func(i int)) {
	for i := range n {
		work(i)
	}
}

func (b *evaluation) scoresBy(ctx context.Context, each func(n int, work func(i int)), failed func(Spec) string) ([]Score, error) {
	scores, errs := make([]Score, len(b.specs)), make([]error, len(b.specs))
	each(len(b.specs), func(i int) {
		spec := b.specs[i]
		if cause := failed(spec); cause != "" {
			scores[i] = Score{State: Errored, Reason: cause}
		} else {
			scores[i], errs[i] = b.score(ctx, spec)
		}
		scores[i].Metric, scores[i].Version = spec.ID, spec.Version
	})
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("score %s of question %s: %w", b.specs[i].ID, b.sample.QuestionID, err)
		}
	}
	return scores, nil
}

// score computes one metric. Errors of the judge become scores; see Suite.Score.
func (b *evaluation) score(ctx context.Context, spec Spec) (Score, error) {
	reason, m := b.sample.hidden(spec), declared(spec.ID)
	switch {
	case reason != "":
		return notApplicable(reason), nil
	case spec.Group == GroupImported:
		return b.imported(spec.ID), nil
	case spec.Custom != nil:
		score, err := b.custom(ctx, *spec.Custom)
		return asScore(ctx, score, err)
	case m.places:
		return b.retrieval()[spec.ID], nil
	case m.alike != nil:
		return b.textScore(m.alike)
	case m.score == nil:
		return Score{}, fmt.Errorf("metric %q is in the catalogue but not in the suite", spec.ID)
	}
	score, err := m.score(b, ctx)
	if err == nil {
		score, err = b.matrix().despiteUnread(ctx, m, score)
	}
	return asScore(ctx, score, err)
}

// looksAtContexts reports whether a metric needs the retrieved texts.
func looksAtContexts(spec Spec) bool {
	if spec.Custom != nil {
		return slices.Contains(spec.Custom.Inputs, "contexts")
	}
	m := declared(spec.ID)
	return m.readsContexts || slices.Contains(m.blocks, answerByContexts) || slices.Contains(m.blocks, referenceByContexts)
}

// asScore turns an error of a model into an Errored score and passes every other error on.
func asScore(ctx context.Context, score Score, err error) (Score, error) {
	if err == nil || ctx.Err() != nil {
		return score, err
	}
	if cause := llm.CauseOf(err); cause != "internal" && !llm.Fatal(err) {
		return Score{State: Errored, Reason: cause}, nil
	}
	return score, err
}
