package metrics

import (
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/rag"
)

// State says what became of one cell: one metric of one question in one run.
type State string

// A score is a value, not applicable, or an error; an error is never a low value. Pending cells are work still to do.
const (
	Pending       State = "pending"
	Scored        State = "scored"
	NotApplicable State = "not_applicable"
	Errored       State = "error"
)

// Score is the result of one metric on one sample.
type Score struct {
	Metric  string  `json:"metric"`                 // metric id, for example "context_recall"
	Version string  `json:"version"`                // version of the metric's prompt and formula
	State   State   `json:"state"`                  // Scored, NotApplicable or Errored
	Value   float64 `json:"value" required:"false"` // only when State is Scored; range and direction stand in the Spec
	// scored: the judge's words; otherwise a code such as "no_reference" or "provider_auth"
	Reason string   `json:"reason,omitempty"`
	Stages []string `json:"stages,omitempty"` // keys of the stored replies and verdicts it was computed from; see Explain
}

// MarshalJSON leaves the value out where nothing was scored, so that nobody averages zeros that are none.
func (s Score) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Metric  string   `json:"metric"`
		Version string   `json:"version"`
		State   State    `json:"state"`
		Value   *float64 `json:"value,omitempty"`
		Reason  string   `json:"reason,omitempty"`
		Stages  []string `json:"stages,omitempty"`
	}{s.Metric, s.Version, s.State, s.State.only(&s.Value), s.Reason, s.Stages})
}

// only is the value in the state in which there is one.
func (s State) only(value *float64) *float64 {
	if s != Scored {
		return nil
	}
	return value
}

// Sample is everything a metric may look at.
type Sample struct {
	QuestionID string
	Question   string
	Lang       string // "ja" or "en": the language of the question, in which the judge is prompted
	Reference  string // the correct answer; "" when the dataset has none
	Answerable bool   // false: the right answer is that the documents do not say
	Evidence   []rag.Span
	Answer     string
	Contexts   []rag.Hit // with Text, best first
	Hidden     string    // rag.NoContexts, rag.NoPlaces or rag.NoSpans where the system does not show everything of its retrieval

	References    []string // other accepted wordings of Reference; text metrics take the best
	EvidenceTexts []string // the words at Evidence, for the retrieval metrics that compare texts
	ExpectedURLs  []string // addresses of which the answer should give at least one

	Truncated  bool  // the generator stopped at its limit
	LatencyMS  int64 // wall time of the answer; 0 where it was not measured
	TokensIn   int   // tokens that the answer's calls sent; 0 together with TokensOut where nobody counted
	TokensOut  int   // tokens that they received
	CostMicros int64 // what they cost, in millionths of the price file's currency
	CostKnown  bool  // false: some model has no price, or nothing was bought

	Logged []rag.LoggedScore // what another tool said of the answer
}

// JudgeConfig names the model that judges and the embedder that measures similarity. It is part of a run's setup: scores
// of different judges are never compared.
type JudgeConfig struct {
	rag.Model `yaml:",inline"`
	Embedding rag.Model `json:"embedding" yaml:"embedding"`
	// "en" or "ja": language of reasons; default the question's
	ExplainLang string `json:"explain_lang,omitempty" yaml:"explain_lang"`
	// instructions instead of ours, by PromptNames; "verify.ja" for one language
	Prompts map[string]string `json:"prompts,omitempty" yaml:"prompts"`
	// answers that people judged, shown with every question about correctness; at most MostExamples
	Examples []JudgeExample `json:"examples,omitempty" yaml:"examples"`
}

// Spec describes one metric: identity, range and direction. Its words and its formula are in its [Doc].
type Spec struct {
	ID             string  `json:"id"`
	Version        string  `json:"version"`
	Group          string  `json:"group"` // "answer", "claims", "iccg", "text", "retrieval", "operations", "custom" or "imported"
	Min            float64 `json:"min"`
	Max            float64 `json:"max"` // of operations the end of a scale, which a value may exceed
	LowerIsBetter  bool    `json:"lower_is_better,omitempty"`
	Undirected     bool    `json:"undirected,omitempty"`      // of imported: nobody said that more is better, it is only taken so
	Delta          float64 `json:"delta"`                     // smallest difference on one question that matters in practice
	NeedsJudge     bool    `json:"needs_judge"`               // buys judge calls
	NeedsEmbedding bool    `json:"needs_embedding,omitempty"` // buys embeddings: comparable only under one embedder
	// the suite "compact" was named, which had joint calls before every suite had them; runs keep what they began with
	Joint     bool    `json:"joint,omitempty"`
	Custom    *Custom `json:"custom,omitempty"` // a metric of an experiment file; nil for ours
	TitleEN   string  `json:"title_en"`         // short name for people
	TitleJA   string  `json:"title_ja"`         //
	MeaningEN string  `json:"meaning_en"`       // one plain sentence
	MeaningJA string  `json:"meaning_ja"`       //
}

// GroupOperations is the group of metrics, such as latency, that say how a system runs and not what it answers.
const GroupOperations = "operations"

// Title is the metric's short name in lang.
func (s Spec) Title(lang string) string {
	if lang == "ja" {
		return s.TitleJA
	}
	return s.TitleEN
}

// Meaning is one plain sentence about the metric in lang.
func (s Spec) Meaning(lang string) string {
	if lang == "ja" {
		return s.MeaningJA
	}
	return s.MeaningEN
}

// hidden is the reason why a metric does not apply to this sample although it would to others: the system under test runs
// elsewhere and does not show what the metric looks at. "" when it shows enough. What is not shown is never scored as missing.
func (s Sample) hidden(spec Spec) string {
	retrieval := spec.Group == "retrieval" && (s.Hidden != rag.NoSpans || declared(spec.ID).places) // else no place is read
	if retrieval || s.Hidden == rag.NoContexts && looksAtContexts(spec) {
		return s.Hidden
	}
	return ""
}
