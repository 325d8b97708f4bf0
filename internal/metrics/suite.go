package metrics

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Suite scores samples with a fixed list of metrics and one judge.
type Suite struct {
	specs    []Spec
	config   JudgeConfig
	judge    llm.Provider
	embedder llm.Provider
	stages   rag.Stages
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
	return &Suite{specs: specs, config: config, judge: judge, embedder: embedder, stages: stages}, nil
}

// Score returns one score for each metric, in order. It fails where ctx ends, where stages cannot be read or written, and
// where the judge fails in a way that every further question would meet too ([llm.Fatal]); whatever else goes wrong with the
// judge becomes an Errored score with its cause.
func (s *Suite) Score(ctx context.Context, sample Sample) ([]Score, error) {
	bench := &bench{Suite: s, sample: sample, retrieval: retrievalScores(sample)}
	scores := make([]Score, len(s.specs))
	for i, spec := range s.specs {
		score, err := bench.score(ctx, spec)
		if err != nil {
			return nil, fmt.Errorf("score %s of question %s: %w", spec.ID, sample.QuestionID, err)
		}
		score.Metric, score.Version = spec.ID, spec.Version
		scores[i] = score
	}
	return scores, nil
}

// bench holds what several metrics of one sample share, so that each judge reply is asked for once.
type bench struct {
	*Suite
	sample    Sample
	retrieval map[string]Score

	answer, reference *matrix // claims verified against the contexts, computed on first use
}

func scored(value float64, reason string, stages ...string) Score {
	return Score{State: Scored, Value: value, Reason: reason, Stages: stages}
}

func notApplicable(code string) Score { return Score{State: NotApplicable, Reason: code} }

// score computes one metric. Errors of the judge become scores; see Suite.Score.
func (b *bench) score(ctx context.Context, spec Spec) (Score, error) {
	if spec.Group == "retrieval" {
		return b.retrieval[spec.ID], nil
	}
	var score Score
	var err error
	switch spec.ID {
	case "correctness":
		score, err = b.correctness(ctx)
	case "trust":
		score, err = b.trust(ctx)
	case "answer_similarity":
		score, err = b.similarity(ctx)
	case "faithfulness":
		score, err = b.faithfulness(ctx)
	case "context_recall":
		score, err = b.contextRecall(ctx)
	case "context_precision":
		score, err = b.contextPrecision(ctx)
	default:
		err = fmt.Errorf("metric %q is in the catalogue but not in the suite", spec.ID)
	}
	return asScore(ctx, score, err)
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

// ask sends one prompt to the judge, decodes the reply and checks it, or takes the reply from the stages. A reply that is of
// no use is not kept, so that asking again can bring a better one.
func ask[T judgement](ctx context.Context, s *Suite, kind, purpose, lang string, data any, schema *llm.Schema) (T, string, error) {
	body, err := json.Marshal(data)
	if err != nil {
		panic("judge prompt data is not JSON: " + err.Error()) // strings, numbers and booleans only
	}
	if lang != "ja" {
		lang = "en" // the other language the workbench has prompts for
	}
	instruction := instructions[purpose][lang]
	if schema == rubricSchema {
		instruction += explainIn[s.explainLang(lang)]
	}
	req := llm.Request{Purpose: purpose, Model: s.config.Name, Instruction: instruction, Data: body, Schema: schema}
	key := rag.StageKey(kind, replyVersion, llm.KeyOf(s.judge.Info(), req))
	out, err := rag.Remember(ctx, s.stages, kind, key, func() (T, error) {
		var out T
		scope := llm.ScopeOf(ctx)
		scope.Stage = "judge"
		reply, err := s.judge.Complete(llm.WithScope(ctx, scope), req)
		if err != nil {
			return out, err
		}
		if err := json.Unmarshal([]byte(reply.Text), &out); err != nil {
			return out, &llm.Error{Cause: llm.CauseSchema, Message: purpose + " reply is not the JSON that was asked for", Err: err}
		}
		if fault := out.fault(); fault != "" {
			return out, &llm.Error{Cause: llm.CauseSchema, Message: purpose + " " + fault}
		}
		return out, nil
	})
	return out, key, err
}

func (s *Suite) explainLang(lang string) string {
	if s.config.ExplainLang != "" {
		return s.config.ExplainLang
	}
	return lang
}
