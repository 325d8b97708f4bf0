package experiments

// Taxonomy is a closed set of labels that questions are assigned to: an editable file, and data of a run once it is used.
// Ids are append-only: a renamed label keeps its id, so that old assignments stay readable.
type Taxonomy struct {
	ID      string          `json:"id" yaml:"id"`                               // "theme", "risk", …
	Version int             `json:"version" yaml:"version"`                     // raised by every edit that changes meaning
	EN      string          `json:"en" yaml:"en"`                               // display names
	JA      string          `json:"ja" yaml:"ja"`                               //
	Multi   bool            `json:"multi,omitempty" yaml:"multi"`               // a question may carry several labels
	Labels  []TaxonomyLabel `json:"labels" yaml:"labels"`                       //
	Aliases []AliasGroup    `json:"aliases,omitempty" yaml:"aliases,omitempty"` // of keywords: every spelling counts as the first
	Gold    []GoldLabel     `json:"gold,omitempty" yaml:"gold,omitempty"`       // labels given by people, for agreement figures
}

// TaxonomyLabel is one label with what belongs to it and what does not.
type TaxonomyLabel struct {
	ID       string   `json:"id" yaml:"id"` // slug; never reused for another meaning
	EN       string   `json:"en" yaml:"en"`
	JA       string   `json:"ja" yaml:"ja"`
	Include  string   `json:"include" yaml:"include"` // the rule, in words for the judge
	Exclude  string   `json:"exclude,omitempty" yaml:"exclude,omitempty"`
	Examples []string `json:"examples,omitempty" yaml:"examples,omitempty"`
	Words    []string `json:"words,omitempty" yaml:"words,omitempty"` // key words by which the offline judge assigns
	// version that appended it for questions that were other: only those are asked about it. 0: every question is
	Since int `json:"since,omitempty" yaml:"since,omitempty"`
}

// AliasGroup lists spellings of one keyword; the first is shown.
type AliasGroup []string

// GoldLabel is a person's label of one question.
type GoldLabel struct {
	QuestionID string   `json:"question_id" yaml:"question_id"`
	Labels     []string `json:"labels" yaml:"labels"`
}

// OtherLabel is the label of a question that fits none.
const OtherLabel = "other"
