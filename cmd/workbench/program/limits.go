package program

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// LimitFlags are the limits of a release check, the same wherever one is made.
type LimitFlags struct {
	Min       []string `help:"Threshold of the candidate's mean, as 'faithfulness >= 0.85'. Repeatable." sep:"none" placeholder:"RULE"`
	Margin    string   `help:"How much of a metric's scale the mean may fall, as 0.05, or auto: 0.05, and up to 0.10 where the questions are too few to see so little." default:"auto" placeholder:"SHARE"`
	Allowance float64  `help:"Largest share of answers allowed to be worse; default 0.02, a start that fits no team in particular: decide on your own." default:"0.02" type:"share" placeholder:"SHARE"`
}

// SayUndecided says with which code a release check ends that could not be decided, beside the text or, where a program reads that, apart.
func (p *Program) SayUndecided(apart bool) {
	said := p.Lang().Text("exit code %d all the same; --strict makes it %d", ExitDone, ExitGateInconclusive)
	if apart {
		p.Note("%s", said)
		return
	}
	p.Say("%s", said)
}

// Asked are the limits as a verb asks a gate for them.
func (f LimitFlags) Asked(verb string) (reporting.GateAsked, error) {
	margin, err := reporting.ParseMargin(f.Margin)
	return reporting.GateAsked{Limits: experiments.Limits{Min: thresholds(f.Min), Margin: margin, Allowance: &f.Allowance},
		By: compare.Setter{Where: compare.SetByCommand, Name: verb}}, err
}

// thresholds takes several thresholds behind one --min apart. A comma before a number stands before its decimals.
func thresholds(written []string) (rules []string) {
	for _, s := range written {
		first := len(rules)
		for _, part := range strings.Split(s, ",") {
			if len(rules) > first && !strings.ContainsAny(part, "<>") {
				rules[len(rules)-1] += "," + part
				continue
			}
			rules = append(rules, part)
		}
	}
	return rules
}
