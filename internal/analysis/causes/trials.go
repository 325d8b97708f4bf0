package causes

import (
	"context"
	"fmt"
	"math"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Settle sets what a classifier found.
func (d *Diagnosis) Settle(component Component, confidence float64, r experiments.Rationale) {
	d.Component, d.Data, d.Confidence, d.Certainty = component, component.Data(), confidence, CertaintyOf(confidence)
	d.Rationale = r
}

// diagnosing is one diagnosis in the making.
type diagnosing struct {
	lab    Lab
	c      LabCase
	rules  CauseRules
	config rag.Config
	powers LabPowers
	d      Diagnosis

	claims []claimEvidence
	known  bool  // where the evidence lies is known
	now    tried // with the present configuration and contexts
	why    string
	stands QuotedSpan // words of the reference that stand in the documents although no search found that they answer

	named    []QuotedSpan // places that the dataset names
	passages []QuotedSpan // labels that hold the evidence somewhere
	unread   []string     // claims that were not looked for yet
	later    *gaps        // what to come back to when nothing heals the answer
	lost     *EvidenceLabel

	alone  [][]rag.Hit // passages with evidence that were given as contexts
	healed []rag.Hit   // the contexts of the last answer that a replacement made good

	enough    bool // the best prompt and model answer well from the contexts that are there
	lacks     bool // they do not
	widened   bool // labels were widened to the sentences they stand in
	deepTried bool // a deep search of the whole corpus was tried, and its contexts healed nothing
	repeated  bool // the system, at temperature 0, was seen to answer the same request with the same words
	varies    bool // the system was seen to answer the same request differently although its temperature is 0

	against, judgements int // votes that found the stored answer low, of how many

	readings, clearly int    // of the question, and how many of them found it clear
	unclearWhy        string // what the last one missed that did not
}

// tried counts the answers that were generated with a change. bare counts those that were low only after post-processing.
type tried struct {
	contexts             []rag.Hit
	swap                 Swap
	passes, bare, trials int
	whole                bool // every trial counts, also when the outcome is decided
	first                int  // number of the first trial: 0, or 1 where trial 0 is the stored answer

	last       string // the answer of the last trial
	good       string // the last answer that was not low
	fixed      bool   // the same request gives the same answer: one trial is all that can be learned
	yes, votes int    // of the judge on the one answer of a fixed system
}

// healed reports whether at least half of the answers were not low.
func (t tried) healed() bool { return t.trials > 0 && 2*t.passes >= t.trials }

// bareHealed reports whether at least half of the answers were not low before post-processing.
func (t tried) bareHealed() bool { return t.trials > 0 && 2*(t.passes+t.bare) >= t.trials }

func (t tried) rate() float64 { return float64(t.passes) / float64(max(1, t.trials)) }

// vote asks the judge the same again until enough votes agree: three, or five where those are split. against votes that said no
// before count, and are not asked for again.
func (x *diagnosing) vote(ctx context.Context, against int, ask func(ctx context.Context, vote int) (bool, error)) (yes,
	votes int, err error) {
	votes = against
	if x.powers.SameVerdicts && against > 0 {
		return 0, against, nil
	}
	for votes < x.rules.Votes && !(x.powers.SameVerdicts && votes > 0) || votes < x.rules.MoreVotes && yes != 0 && yes != votes {
		ok, err := ask(ctx, votes)
		if err != nil {
			return yes, votes, err
		}
		votes++
		if ok {
			yes++
		}
	}
	return yes, votes, nil
}

// try generates m answers from these contexts with parts replaced and judges each. A system with temperature 0 that gives the same
// answer again is asked no further, and its answer counts once: more trials of it would be one result, repeated.
func (x *diagnosing) try(ctx context.Context, name, change string, t tried, m int) (tried, error) {
	calls, passes, before := 0, 0, t.trials
	for range m {
		if t.fixed || !t.whole && 2*(t.trials-t.passes-t.bare) > before+m { // fewer than half are good, whatever the rest will be
			break
		}
		trial := t.first + t.trials
		answer, raw, err := x.lab.Generate(ctx, x.c.Question, t.contexts, t.swap, trial)
		if err != nil {
			return t, fmt.Errorf("generate an answer: %w", err)
		}
		calls++
		if x.repeats(&t, answer) {
			break
		}
		t.last = answer
		judged, asked, err := x.judge(ctx, &t, answer, raw, trial)
		calls += asked
		if err != nil {
			return t, err
		}
		t.trials++
		t.fixed = x.greedy() && x.repeated
		if judged {
			t.passes, t.good = t.passes+1, answer
			passes++
		}
	}
	x.trial(name, change, t, passes, t.trials-before, calls)
	return t, nil
}

// greedyVoteStep lies between the numbers of two votes on one answer of a system that repeats itself: no trial has such a number.
const greedyVoteStep = 50

// greedy reports whether the system is told to give the likeliest answer, so that the same request should give the same answer.
func (x *diagnosing) greedy() bool { return x.config.Generate.Temperature == 0 && !x.varies }

// repeats reports whether an answer is the one that was given before. That ends the trials: it is seen, not believed, so a system that
// varies at temperature 0 is tried as often as any other.
func (x *diagnosing) repeats(t *tried, answer string) bool {
	if !x.greedy() || t.last == "" {
		return false
	}
	if t.last != answer {
		x.varies = true
		return false
	}
	t.fixed, x.repeated = true, true
	if t.trials == 0 { // the stored answer, given again: it is here because it is low
		t.trials = 1
	}
	return true
}

// judge judges one answer, and where it is low what it was before post-processing. The answer of a system that repeats itself gets
// votes of the judge in place of further trials: two, or three where they differ.
func (x *diagnosing) judge(ctx context.Context, t *tried, answer, raw string, trial int) (pass bool, calls int, err error) {
	most := 1
	if x.greedy() && !x.powers.SameVerdicts {
		most = 3
	}
	yes, votes := 0, 0
	for votes < most && (votes < 2 || yes == 1) {
		ok, err := x.lab.Pass(ctx, x.c, answer, t.contexts, trial+votes*greedyVoteStep)
		if err != nil {
			return false, calls, fmt.Errorf("judge an answer: %w", err)
		}
		calls, votes = calls+1, votes+1
		if ok {
			yes++
		}
	}
	t.yes, t.votes = yes, votes
	pass = 2*yes > votes
	if pass || raw == "" || raw == answer {
		return pass, calls, nil
	}
	calls++
	bare, err := x.lab.Pass(ctx, x.c, raw, t.contexts, trial)
	if err != nil {
		return false, calls, fmt.Errorf("judge an answer before post-processing: %w", err)
	}
	if bare {
		t.bare++
	}
	return false, calls, nil
}

// settle tries m answers, and as many again where exactly half of them were not low: chance may have decided that.
func (x *diagnosing) settle(ctx context.Context, name, change string, contexts []rag.Hit, swap Swap) (tried, error) {
	return x.settleFrom(ctx, name, change, tried{contexts: contexts, swap: swap})
}

func (x *diagnosing) settleFrom(ctx context.Context, name, change string, t tried) (tried, error) {
	t, err := x.try(ctx, name, change, t, x.rules.Trials)
	if err == nil && x.rules.Trials > 1 && 2*t.passes == t.trials {
		t, err = x.try(ctx, name, change, t, x.rules.Trials)
	}
	return t, err
}

// present tries the present configuration, which a repair is compared with: the stored answer, and new ones for half as many trials
// as the repair had.
func (x *diagnosing) present(ctx context.Context) error {
	if x.now.trials > 1 {
		return nil
	}
	var err error
	x.now.whole = true
	x.now, err = x.try(ctx, "resample", "", x.now, max(1, x.rules.Trials/2))
	return err
}

// resample asks the system again as it is. The stored answer does not count: it is here because it is low.
func (x *diagnosing) resample(ctx context.Context) (tried, error) {
	return x.settleFrom(ctx, "resample", "", tried{contexts: x.c.Hits(), first: 1, last: x.stored()})
}

// stored is the answer of the run as the system gave it, before post-processing took its part.
func (x *diagnosing) stored() string {
	text, _ := x.c.Answer()
	return text
}

// certain is how sure it is that a replacement changed the outcome. Of a system that repeats itself there is one answer with it and
// one without: what is left to doubt are the verdicts on both.
func (x *diagnosing) certain(repaired, base tried) float64 {
	if !repaired.fixed {
		return lift(repaired.effective(), base)
	}
	if !repaired.healed() { // before post-processing, by one vote
		repaired.yes, repaired.votes = 1, 1
	}
	return believed(repaired.yes, repaired.votes) * believed(x.against, x.judgements)
}

// judgeErr is the share of verdicts that are taken to be wrong when verdicts are all there is to doubt.
const judgeErr = 0.1

// believed is the probability that a verdict is right which yes of n votes gave, each wrong with [judgeErr] by itself.
func believed(yes, n int) float64 {
	right, wrong := 1.0, 1.0
	for i := range max(1, n) {
		if i < yes || n == 0 {
			right, wrong = right*(1-judgeErr), wrong*judgeErr
		} else {
			right, wrong = right*judgeErr, wrong*(1-judgeErr)
		}
	}
	return right / (right + wrong)
}

// lift is the posterior probability that a repair raises the share of good answers by at least a fifth.
func lift(repaired, base tried) float64 {
	p, err := stats.LiftProbability(repaired.passes, repaired.trials, base.passes, base.trials, practicalLift)
	if err != nil || math.IsNaN(p) {
		return 0
	}
	return p
}

// practicalLift is the smallest gain in the share of good answers that counts as a repair (science.md 3.1).
const practicalLift = 0.2

// Hits are the contexts of the stored answer.
func (c LabCase) Hits() []rag.Hit {
	if c.Result.Answer == nil {
		return nil
	}
	return c.Result.Answer.Hits
}

// Answer is the stored answer, and what it was before post-processing where that differs.
func (c LabCase) Answer() (text, raw string) {
	if c.Result.Answer == nil {
		return "", ""
	}
	return c.Result.Answer.Text, c.Result.Answer.Raw
}

// finish closes the diagnosis.
func (x *diagnosing) finish(component Component, confidence float64) {
	x.d.Component, x.d.Data = component, component.Data()
	x.d.Confidence = math.Round(max(0, min(1, confidence))*1e6) / 1e6
	x.d.Certainty = CertaintyOf(x.d.Confidence)
}
