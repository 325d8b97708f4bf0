package laboratory

import (
	"context"
	"math"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Observer reads the cause of a low-score answer from what a log holds, by one call of a judge: our classifier, whose labels merge
// what a log cannot tell apart, and the founding paper's, as a control arm.
type Observer struct {
	judge *causeJudge
}

// NewObserver returns the observer of a judge. Replies are remembered in stages.
func NewObserver(judge metrics.JudgeConfig, providers rag.Providers, stages rag.Stages) (*Observer, error) {
	j, err := openCauseJudge(judge.Model, providers, stages)
	return &Observer{judge: j}, err
}

// observedVotes is how often our classifier asks.
const observedVotes = 3

// Observe asks our classifier three times. The cause that most votes name wins, the earlier one in the pipeline on a tie; the
// confidence is one minus the entropy of the votes, as a share of the largest there can be.
func (o *Observer) Observe(ctx context.Context, c causes.LabCase) (causes.Diagnosis, error) {
	d := causes.Diagnosis{QuestionID: c.Question.ID, Method: causes.Observed, Calls: observedVotes}
	count := map[causes.Component]int{}
	rationale := map[causes.Component]experiments.Rationale{}
	for vote := range observedVotes {
		reply, err := askCause[causeLogReply](ctx, o.judge, PurposeCauseObserved, c.Question.Lang, logData(c), vote)
		if err != nil {
			return causes.Diagnosis{}, err
		}
		count[reply.Component]++
		d.Votes = append(d.Votes, string(reply.Component))
		if rationale[reply.Component].EN == "" {
			rationale[reply.Component] = experiments.Rationale{EN: reply.RationaleEN, JA: reply.RationaleJA}
		}
	}
	best := causes.Undetermined
	for _, component := range causes.Components() {
		if count[component] > count[best] {
			best = component
		}
	}
	d.Settle(best, agreementOf(count, observedVotes), rationale[best])
	d.Steps = []causes.CauseStep{{Step: "observed", Passes: count[best], Trials: observedVotes, Calls: observedVotes}}
	return d, nil
}

// Paper asks the founding paper's classifier once, with its own labels. It has no confidence.
func (o *Observer) Paper(ctx context.Context, c causes.LabCase) (causes.Diagnosis, error) {
	d := causes.Diagnosis{QuestionID: c.Question.ID, Method: causes.PaperWay, Calls: 1}
	reply, err := askCause[causeLogReply](ctx, o.judge, PurposeCausePaper, c.Question.Lang, logData(c), 0)
	if err != nil {
		return causes.Diagnosis{}, err
	}
	d.Votes = []string{string(reply.Component)}
	d.Settle(reply.Component, 0, experiments.Rationale{EN: reply.RationaleEN, JA: reply.RationaleJA})
	d.Steps = []causes.CauseStep{{Step: "observed", Passes: 1, Trials: 1, Calls: 1}}
	return d, nil
}

// agreementOf is one minus the entropy of votes over the largest entropy that so many votes can have: 1 when all agree, 0 when none
// do.
func agreementOf(count map[causes.Component]int, votes int) float64 {
	if votes < 2 {
		return 0
	}
	entropy := 0.0
	for _, component := range causes.Components() { // in a fixed order: sums of floats depend on it
		if n := count[component]; n > 0 {
			p := float64(n) / float64(votes)
			entropy -= p * math.Log(p)
		}
	}
	return math.Round(max(0, 1-entropy/math.Log(float64(votes)))*1e6) / 1e6
}

// logData is what the classifiers see.
func logData(c causes.LabCase) causeLogData {
	answer, _ := c.Answer()
	d := causeLogData{
		Question: c.Question.Text, Contexts: []causePassage{}, Answer: answer, Reference: c.Question.Reference,
		Metrics: map[string]float64{},
	}
	for i, h := range c.Hits() {
		d.Contexts = append(d.Contexts, causePassage{Number: i + 1, Text: h.Text})
	}
	for _, s := range c.Result.Scores {
		if s.State == metrics.Scored {
			d.Metrics[s.Metric] = math.Round(s.Value*1000) / 1000
		}
	}
	return d
}
