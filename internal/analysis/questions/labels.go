package questions

import "github.com/rag-workbench/workbench/internal/experiments"

// LabelCount is one bar of the question analysis.
type LabelCount struct {
	Label     string   `json:"label"`
	Count     int      `json:"count"`
	Low       int      `json:"low"` // low-score answers of the run among them
	Questions []string `json:"questions"`
}

// CoverageWarning says what a dataset does not test.
type CoverageWarning struct {
	Code  string                `json:"code"` // "no_multi_hop_in_theme", "theme_too_large", "other_too_large", "category_missing"
	Theme string                `json:"theme,omitempty"`
	Text  experiments.Rationale `json:"text"`
}

// QuestionReport is the question analysis of a run's questions.
type QuestionReport struct {
	RunID string `json:"run_id,omitempty"` // whose low scores are counted
	// what that run calls low in the terms of imported scores; absent of the usual definition
	OwnLow []experiments.LowLine `json:"own_low,omitempty"`
	// of no answer of that run it can be told whether it is low: counts of low scores are none
	LowUntold  bool                         `json:"low_untold,omitempty"`
	AnalyseID  string                       `json:"analyse_id"` // the run that did it
	Dataset    string                       `json:"dataset"`
	Offline    bool                         `json:"offline"`
	Questions  []experiments.QuestionLabels `json:"questions"`
	Categories []LabelCount                 `json:"categories"`
	Themes     []LabelCount                 `json:"themes"`
	Keywords   []LabelCount                 `json:"keywords"`
	Further    map[string][]LabelCount      `json:"further,omitempty"` // by taxonomy id
	Warnings   []CoverageWarning            `json:"warnings"`
	// questions whose text is unchanged and label is not, against the previous analysis: always empty unless the taxonomy changed
	Changed []string `json:"changed,omitempty"`

	// questions that had no theme and got one that was appended since: not among Changed
	Gained      []string               `json:"gained,omitempty"`
	Taxonomies  []experiments.Taxonomy `json:"taxonomies,omitempty"` // that were assigned from, with the names of labels
	Previous    string                 `json:"previous,omitempty"`   // the analysis before this one
	Reliability QuestionReliability    `json:"reliability"`          // how far the labels can be trusted
}
