package progress

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// HumanLabel is what people say of one answer, beside the judge.
type HumanLabel struct {
	QuestionID  string               `json:"question_id"`
	Reviews     []experiments.Review `json:"reviews"`               // one for each reviewer, by name
	Verdict     experiments.Verdict  `json:"verdict,omitempty"`     // of the majority; "" on a tie or where nobody is sure
	Correctness *float64             `json:"correctness,omitempty"` // mean of the reviewers
	Trust       *float64             `json:"trust,omitempty"`
	Judge       JudgedAnswer         `json:"judge"`
	Differs     bool                 `json:"differs"` // people and judge disagree on whether the answer is good
	Split       bool                 `json:"split"`   // the reviewers disagree with each other
}

// JudgedAnswer is what the judge says of an answer; nil where it gave no score.
type JudgedAnswer struct {
	Correctness *float64 `json:"correctness,omitempty"`
	Trust       *float64 `json:"trust,omitempty"`
	Low         bool     `json:"low"`
}

// RaterFigures is how far raters agree on one thing.
type RaterFigures struct {
	Of string `json:"of"` // "verdict" (correct or not), "correctness", "trust"
	N  int    `json:"n"`  // answers that both rated, or two people at least
	// share of equal ratings; among people the mean over answers of the share of equal pairs
	Percent float64  `json:"percent_agreement"`
	Kappa   *float64 `json:"kappa,omitempty"` // Cohen's of a verdict, quadratic of levels; nil where chance alone agrees fully
	// of Kappa, else of Alpha: percentiles of a bootstrap over answers; nil under 10 answers
	CI95  *stats.Interval `json:"ci95,omitempty"`
	Alpha *float64        `json:"alpha,omitempty"` // Krippendorff's over all raters: nominal of a verdict, ordinal of levels
}

// CorrectedMean is a headline corrected by what people say of some of the answers (PPI++ within strata of the judge's verdict).
type CorrectedMean struct {
	Metric   string         `json:"metric"`          // "correctness", "trust" or "incorrect_share"
	Judge    float64        `json:"judge"`           // mean by the judge alone, over N answers
	N        int            `json:"n"`               // answers with the judge's score
	Labels   int            `json:"labels"`          // of them, with a label by people
	Estimate *float64       `json:"estimate"`        // nil where it cannot be told: Needs says what is missing
	CI95     stats.Interval `json:"ci95,omitzero"`   // of Estimate
	Lambda   float64        `json:"lambda"`          // weight of the judge: 0 uses the labels alone
	Needs    []LabelNeed    `json:"needs,omitempty"` // strata with too few labels
}

// LabelNeed is a stratum with too few labels.
type LabelNeed struct {
	Low  bool `json:"low"`  // answers that the judge calls low; otherwise those that it calls good
	Have int  `json:"have"` // labels
	Want int  `json:"want"` // at least
	Of   int  `json:"of"`   // answers
}

// ReviewFigures is what reviews say of a run and of its judge.
type ReviewFigures struct {
	RunID     string          `json:"run_id"`
	Threshold float64         `json:"low_score"` // at or below is low, for people and judge
	Reviewers []string        `json:"reviewers"` // sorted
	Reviews   int             `json:"reviews"`   // that count: made of the answers that are stored
	Stale     int             `json:"stale"`     // made of another state of the answer; they count for nothing
	Answers   int             `json:"answers"`   // of the run
	Labels    []HumanLabel    `json:"labels"`    // in the order of the dataset
	Judge     []RaterFigures  `json:"judge"`     // people (majority, mean rounded to a level) against the judge
	People    []RaterFigures  `json:"people"`    // reviewers among each other
	Errors    []JudgeError    `json:"errors"`    // of the judge, where people decided; none where they did not
	Corrected []CorrectedMean `json:"corrected"`
}

// The judge stands for people on one thing when it agrees with them at least so far.
const (
	judgeKappa   = .6 // Cohen's kappa, quadratic of levels
	judgeShortOf = .1 // and no further than this below the people among each other
)

// Accepts reports whether the judge agrees with people well enough on one thing: "verdict", "correctness" or "trust". known is false
// where fewer than ten answers tell, or all of them alike.
func (f ReviewFigures) Accepts(of string) (ok, known bool) {
	kappa := func(list []RaterFigures) *float64 {
		for _, r := range list {
			if r.Of == of && r.N >= fewestForInterval {
				return r.Kappa
			}
		}
		return nil
	}
	judge, people := kappa(f.Judge), kappa(f.People)
	if judge == nil {
		return false, false
	}
	return *judge >= judgeKappa-targetSlack && (people == nil || *judge >= *people-judgeShortOf-targetSlack), true
}
