package program

import (
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// LimitFlags are the limits of a release check, the same wherever one is made.
type LimitFlags struct {
	Min       []string `help:"Threshold of the candidate's mean, as 'faithfulness >= 0.85'. Repeatable." placeholder:"RULE"`
	Margin    string   `help:"How much of a metric's scale the mean may fall, as 0.05, or auto: 0.05, and up to 0.10 where the questions are too few to see so little." default:"auto" placeholder:"SHARE"`
	Allowance float64  `help:"Largest share of answers allowed to be worse; default 0.02, a start that fits no team in particular: decide on your own." default:"0.02" placeholder:"SHARE"`
}

// Asked are the limits as a verb asks a gate for them.
func (f LimitFlags) Asked(verb string) (reporting.GateAsked, error) {
	margin, err := reporting.ParseMargin(f.Margin)
	return reporting.GateAsked{Limits: experiments.Limits{Min: f.Min, Margin: margin, Allowance: &f.Allowance},
		By: compare.Setter{Where: compare.SetByCommand, Name: verb}}, err
}
