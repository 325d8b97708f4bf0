// Package analysis explains runs. It compares two evaluations question by question and says which answers got worse.
//
// Comparing is pure: no database, no clock, no model. The same stored votes always give the same comparison.
package analysis

import "github.com/rag-workbench/workbench/internal/experiments"

// Label is what people read about one question in a comparison.
type Label string

// The four words, the same everywhere; Japanese: 悪化, 要確認, 変化なし, 改善.
const (
	Worse      Label = "worse"
	NeedsCheck Label = "needs check"
	NoChange   Label = "no change"
	Better     Label = "better"
)

// Comparison sets a candidate run beside a baseline run, question by question.
type Comparison struct {
	Baseline  experiments.Run         `json:"-"`
	Candidate experiments.Run         `json:"-"`
	Metrics   map[string]MetricChange `json:"metrics"`    // by metric id, for the metrics both runs measure the same way
	Questions []QuestionChange        `json:"questions"`  // that differ, worst first
	Counts    map[string]LabelCounts  `json:"counts"`     // by metric id
	Matched   int                     `json:"matched"`    // questions in both runs with equal id and text
	Added     []string                `json:"added"`      // only in the candidate
	Removed   []string                `json:"removed"`    // only in the baseline
	Reworded  []string                `json:"reworded"`   // equal id, other question or right answer: compared nowhere
	Excluded  []Exclusion             `json:"excluded"`   // metrics that cannot be compared, and why
	LowBefore int                     `json:"low_before"` // low-score answers among the matched questions
	LowAfter  int                     `json:"low_after"`
	Warnings  []string                `json:"warnings,omitempty"`
}

// MetricChange is one metric over the questions scored in both runs.
type MetricChange struct {
	Baseline  float64     `json:"baseline"`       // mean
	Candidate float64     `json:"candidate"`      // mean
	Diff      float64     `json:"diff"`           // candidate - baseline
	CI95      *[2]float64 `json:"ci95,omitempty"` // paired t interval of Diff; nil under 3 questions
	N         int         `json:"n"`
}

// LabelCounts counts questions by label for one metric.
type LabelCounts struct {
	Worse      int `json:"worse"`
	NeedsCheck int `json:"needs_check"`
	NoChange   int `json:"no_change"`
	Better     int `json:"better"`
}

// QuestionChange is one metric of one question that differs between the runs.
type QuestionChange struct {
	QuestionID string  `json:"question_id"`
	Metric     string  `json:"metric"`
	Baseline   float64 `json:"baseline"`
	Candidate  float64 `json:"candidate"`
	Label      Label   `json:"label"`
	BecameLow  bool    `json:"became_low,omitempty"` // good in the baseline, a low score in the candidate
	Critical   bool    `json:"critical,omitempty"`
}

// Exclusion is a metric left out of a comparison.
type Exclusion struct {
	Metric string `json:"metric"`
	Why    string `json:"why"`
}
