package app

import (
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TracesConfig says what becomes of traces that programs send to this server. Without it none are taken.
type TracesConfig struct {
	Accept   bool     `yaml:"accept" json:"accept"`           // POST /v1/traces takes them
	Sample   float64  `yaml:"sample" json:"sample,omitempty"` // share of all traces that is kept, over 0 to 1; 0 is all of them
	Seed     string   `yaml:"seed" json:"seed,omitempty"`     // of the sample
	Mask     []string `yaml:"mask" json:"mask,omitempty"`     // rules that hide personal data; none named: all that have a name
	KeepDays int      `yaml:"keep_days" json:"keep_days"`     // until what was asked is forgotten; 0 is 30
}

// The bounds of how long what was asked is kept, in days.
const (
	defaultTraceDays = 30
	mostTraceDays    = 366
)

// Reader reads traces by these rules.
func (c TracesConfig) Reader() (*foreign.Traces, error) {
	return foreign.NewTraces(c.Mask, c.Sample, c.Seed)
}

// Days is how long what was asked is kept.
func (c TracesConfig) Days() int {
	if c.KeepDays == 0 {
		return defaultTraceDays
	}
	return c.KeepDays
}

func (c TracesConfig) validate() error {
	if c.KeepDays < 0 || c.KeepDays > mostTraceDays {
		return problem.New(problem.Invalid, "config_traces", "traces.keep_days is %d; it must be from 1 to %d", c.KeepDays, mostTraceDays).
			With("field", "traces.keep_days")
	}
	if _, err := c.Reader(); err != nil {
		p := *problem.From(err)
		p.Code, p.Message = "config_traces", "traces: "+p.Message
		return &p
	}
	return nil
}
