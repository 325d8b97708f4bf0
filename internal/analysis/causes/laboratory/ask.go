package laboratory

import (
	"context"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// causeJudge asks the judge of a run about causes and remembers what it said.
type causeJudge struct {
	provider llm.Provider
	model    string
	stages   rag.Stages
}

// causeReplyTokens is the room for a reply: what models think before they write, and the texts that they copy.
const causeReplyTokens = 3000

// causeTryStep is between the replicates of two tries of one vote: no vote reaches as far.
const causeTryStep = 10_000

type causeClaimsData struct {
	Question  string `json:"question"`
	Reference string `json:"reference"`
}

type causeClaimsReply struct {
	Claims []string `json:"claims"`
}

func (r causeClaimsReply) Fault() string {
	if r.Claims == nil {
		return "gave no list of claims"
	}
	return ""
}

type causePassage struct {
	Number int    `json:"number"` // from 1
	Text   string `json:"text"`
}

type causeEvidenceData struct {
	Question string         `json:"question"`
	Claim    string         `json:"claim"`
	Passages []causePassage `json:"passages"`
}

type causeEvidenceReply struct {
	Verdicts []causeEvidenceVerdict `json:"verdicts"`
}

type causeEvidenceVerdict struct {
	Passage int    `json:"passage"`
	Quote   string `json:"quote"`
	Verdict string `json:"verdict"`
}

func (r causeEvidenceReply) Fault() string {
	if r.Verdicts == nil {
		return "gave no list of verdicts"
	}
	return ""
}

type causeQuestionReply struct {
	Reading          string `json:"reading"`
	Clear            *bool  `json:"clear"`
	ReferenceAnswers *bool  `json:"reference_answers"`
	Missing          string `json:"missing"`
}

func (r causeQuestionReply) Fault() string {
	if r.Clear == nil || r.ReferenceAnswers == nil {
		return "does not say whether the question is clear and answered by the reference"
	}
	return ""
}

// causeLogData is all that a log holds of one question.
type causeLogData struct {
	Question  string             `json:"question"`
	Contexts  []causePassage     `json:"contexts"`
	Answer    string             `json:"answer"`
	Reference string             `json:"reference"`
	Metrics   map[string]float64 `json:"metrics"`
}

type causeLogReply struct {
	Analysis    string           `json:"analysis"`
	Recheck     string           `json:"recheck"`
	Component   causes.Component `json:"component"`
	RationaleEN string           `json:"rationale_en"`
	RationaleJA string           `json:"rationale_ja"`
}

func (r causeLogReply) Fault() string {
	if !slices.Contains(causes.Components(), r.Component) {
		return fmt.Sprintf("names %q, which is no cause", r.Component)
	}
	return ""
}

// openCauseJudge finds the provider of a judge.
func openCauseJudge(model rag.Model, providers rag.Providers, stages rag.Stages) (*causeJudge, error) {
	p, err := providers.Provider(model.Provider)
	if err != nil {
		return nil, err
	}
	return &causeJudge{provider: p, model: model.Name, stages: stages}, nil
}

// replicate is the number under which a vote is asked: the run's own verdict for a judge that always says the same, else one that no
// vote of an evaluation has.
func (j *causeJudge) replicate(vote int) int { return causeReplicate(j.provider.Info(), vote) }

// causeReplicates is where the votes and trials of a diagnosis begin: evaluations and verifications stay far below.
const causeReplicates = 100

func causeReplicate(info llm.Info, n int) int {
	if info.Deterministic {
		return 0
	}
	return causeReplicates + n
}

// askCause sends one prompt to the judge and decodes the reply, or takes it from the stages.
func askCause[T metrics.Reply](ctx context.Context, j *causeJudge, purpose, lang string, data any, vote int) (T, error) {
	if lang != "ja" {
		lang = "en"
	}
	return metrics.Ask[T](ctx, metrics.Asking{Provider: j.provider, Stages: j.stages, Kind: "cause_reply", Version: causeReplies},
		func(try int) llm.Request {
			req, err := llm.Request{
				Purpose: purpose, Model: j.model, Instruction: causePrompts[purpose][lang],
				Schema: causeSchemas[purpose], MaxTokens: causeReplyTokens, Replicate: j.replicate(vote) + causeTryStep*try,
			}.WithData(data)
			if err != nil {
				panic("cause prompt data is not JSON: " + err.Error()) // strings and finite numbers only
			}
			return req
		})
}

func causePassages(texts []string) []causePassage {
	out := make([]causePassage, len(texts))
	for i, t := range texts {
		out[i] = causePassage{Number: i + 1, Text: t}
	}
	return out
}
