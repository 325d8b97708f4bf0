package metrics

import (
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
	Metric  string   `json:"metric"`           // metric id, for example "context_recall"
	Version string   `json:"version"`          // version of the metric's prompt and formula
	State   State    `json:"state"`            // Scored, NotApplicable or Errored
	Value   float64  `json:"value"`            // meaningful only when State is Scored; range and direction stand in the Spec
	Reason  string   `json:"reason,omitempty"` // scored: the judge's words; otherwise a code such as "no_reference" or "provider_auth"
	Stages  []string `json:"stages,omitempty"` // keys of the judge replies it was computed from
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
}

// JudgeConfig names the model that judges and the embedder that measures similarity. It is part of a run's setup: scores
// of different judges are never compared.
type JudgeConfig struct {
	rag.Model   `yaml:",inline"`
	Embedding   rag.Model `json:"embedding" yaml:"embedding"`
	ExplainLang string    `json:"explain_lang,omitempty" yaml:"explain_lang"` // "en" or "ja": language of reasons; default the question's
}

// Spec describes one metric: identity, range and direction.
type Spec struct {
	ID            string  `json:"id"`
	Version       string  `json:"version"`
	Group         string  `json:"group"` // "answer", "claims" or "retrieval"
	Min           float64 `json:"min"`
	Max           float64 `json:"max"`
	LowerIsBetter bool    `json:"lower_is_better,omitempty"`
	Delta         float64 `json:"delta"`       // smallest difference on one question that matters in practice
	NeedsJudge    bool    `json:"needs_judge"` // buys judge calls
	TitleEN       string  `json:"title_en"`    // short name for people
	TitleJA       string  `json:"title_ja"`    //
	MeaningEN     string  `json:"meaning_en"`  // one plain sentence
	MeaningJA     string  `json:"meaning_ja"`  //
}

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
