package metrics

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Suite scores samples with a fixed list of metrics and one judge.
type Suite struct {
	specs    []Spec
	config   JudgeConfig
	judge    llm.Provider
	embedder llm.Provider
	stages   rag.Stages
	joint    bool           // all claims are compared with all texts in the same calls
	wanted   map[block]bool // blocks of the claim matrix that some metric needs
}

// NewSuite returns the suite of these metrics. Judge replies are remembered in stages, so equal questions to the judge
// are asked once, across runs too.
func NewSuite(specs []Spec, config JudgeConfig, providers rag.Providers, stages rag.Stages) (*Suite, error) {
	judge, err := providers.Provider(config.Provider)
	if err != nil {
		return nil, err
	}
	embedder, err := providers.Provider(config.Embedding.Provider)
	if err != nil {
		return nil, err
	}
	s := &Suite{specs: specs, config: config, judge: judge, embedder: embedder, stages: stages, wanted: map[block]bool{}}
	for _, spec := range specs {
		for _, k := range declared(spec.ID).blocks {
			s.wanted[k] = true
		}
	}
	// Contexts are long: where they are looked at, they go out once, and everything else comes along. Without them nothing is saved.
	s.joint = s.wanted[answerByContexts] || s.wanted[referenceByContexts]
	return s, nil
}

// Score returns one score for each metric, in order. What does not rest on the reply to another call is asked side by side. It fails
// where ctx ends, where stages cannot be read or written, and where the judge fails in a way that every further question would meet too
// ([llm.Fatal]); whatever else goes wrong with the judge becomes an Errored score with its cause.
func (s *Suite) Score(ctx context.Context, sample Sample) ([]Score, error) {
	return s.newEvaluation(ctx, sample).scores(ctx, func(Spec) string { return "" })
}

// ScoreRetrieval returns one score for each metric, in order, of a sample whose answer failed: metrics of the retrieval alone are
// computed, all others are Errored with the failure's cause. It fails as [Suite.Score] does.
func (s *Suite) ScoreRetrieval(ctx context.Context, sample Sample, cause string) ([]Score, error) {
	return s.newEvaluation(ctx, sample).scores(ctx, func(spec Spec) string {
		if s.needsNoAnswer(spec) {
			return ""
		}
		return cause
	})
}

// LeftOut is the reason of a score that nobody wanted.
const LeftOut = "left_out"

// ScoreSome is [Suite.Score] of some metrics, one after the other; the others are Errored as left out. Where a cause says why there is no
// answer, it is [Suite.ScoreRetrieval] of them. It is for a judge whose replies are known.
func (s *Suite) ScoreSome(ctx context.Context, sample Sample, cause string, some func(metric string) bool) ([]Score, error) {
	return s.newEvaluation(ctx, sample).scoresBy(ctx, inTurn, func(spec Spec) string {
		switch {
		case !some(spec.ID):
			return LeftOut
		case cause != "" && !s.needsNoAnswer(spec):
			return cause
		}
		return ""
	})
}

// needsNoAnswer reports whether a metric looks at question, reference and contexts only.
func (s *Suite) needsNoAnswer(spec Spec) bool {
	if spec.Custom != nil {
		return len(spec.Custom.Inputs) > 0 && !slices.Contains(spec.Custom.Inputs, "answer")
	}
	m := declared(spec.ID)
	switch {
	case spec.Group == "retrieval", m.withoutAnswer:
		return true
	case len(m.blocks) == 0:
		return false
	}
	return !slices.ContainsFunc(m.blocks, func(k block) bool { return k != referenceByContexts })
}

func scored(value float64, reason string, stages ...string) Score {
	return Score{State: Scored, Value: value, Reason: reason, Stages: stages}
}

func notApplicable(code string) Score { return Score{State: NotApplicable, Reason: code} }

// reduced is the score of what a formula made of verdicts, with counts or other words for people.
func reduced(r formula.Reduction, reason string, stages ...string) Score {
	switch r.Outcome {
	case formula.Valued:
		return scored(r.Value, reason, stages...)
	case formula.NotApplicable:
		return Score{State: NotApplicable, Reason: r.Why, Stages: stages}
	default:
		return Score{State: Errored, Reason: r.Why, Stages: stages}
	}
}
