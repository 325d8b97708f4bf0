package experiments

import (
	"time"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Definition is what an experiment file says: a configuration of the system under test, what it is asked, and how it is
// judged. Names of corpus and dataset may carry a version (faq@2); without one the newest is meant.
type Definition struct {
	Name     string              `json:"name"`
	Corpus   string              `json:"corpus"`
	Dataset  string              `json:"dataset"`
	Suite    []string            `json:"suite"`             // metric ids
	Metrics  []metrics.Custom    `json:"metrics,omitempty"` // of its own, asked for beside the suite
	Judge    metrics.JudgeConfig `json:"judge"`
	Analyses []string            `json:"analyses,omitempty"` // "causes", "questions"
	Endpoint string              `json:"endpoint,omitempty"` // a registered endpoint in the place of Base
	Answers  string              `json:"answers,omitempty"`  // a log of answers, name or name@version, in the place of Base
	Base     rag.Config          `json:"base"`
	Sweep    []Axis              `json:"sweep,omitempty"`
	Except   []Condition         `json:"except,omitempty"`   // combinations that are left out
	Best     *Best               `json:"generate,omitempty"` // what of the sweep is answered and judged; nil: everything
	Goals    []Goal              `json:"goals,omitempty"`
	LowScore float64             `json:"low_score"`
	Low      []LowLine           `json:"low,omitempty"`       // what low means in the terms of scores that came with the answers
	DecideBy []string            `json:"decide_by,omitempty"` // metrics that decide a comparison, in their order; nil: the usual ones
	// "off": answers that tie are never set beside each other; "" or "on": they may be
	Pairwise string   `json:"pairwise,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Notes    string   `json:"notes,omitempty"`
}

// Axis is one parameter of a sweep and the values it takes, in the order of the file.
type Axis struct {
	Name   string `json:"name"` // dotted, for example "chunk.size", or "corpus"
	Values []any  `json:"values"`
	With   string `json:"with,omitempty"` // an axis before it whose values this one's go along with, one by one
}

// Experiment is a registered definition. Registering it again with another definition makes the next revision.
type Experiment struct {
	Name       string     `json:"name"`
	Revision   int        `json:"revision"` // 1, 2, …
	Definition Definition `json:"definition"`
	Archived   bool       `json:"archived"`
	CreatedAt  time.Time  `json:"created_at"` // of this revision
}

// Baseline is the run that a dataset's candidates are compared with until it is cleared.
type Baseline struct {
	Dataset string    `json:"dataset"` // dataset name, any version
	RunID   string    `json:"run_id"`
	SetAt   time.Time `json:"set_at"`
}
