package compare

import (
	"cmp"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// VerifyOptions say how much verifying may buy.
type VerifyOptions struct {
	Options
	Budget   int // votes that all steps together may buy; 0 is half as many as both runs have on changed questions, 120 at least
	Spent    int // votes that earlier steps bought
	Critical int // votes in each arm that every changed critical question gets; 0 is 3
}

// Vote is one answer to buy: the question asked again in one arm and judged again by all metrics.
type Vote struct {
	Arm        Arm     `json:"arm"`
	QuestionID string  `json:"question_id"` // as this arm's dataset has it
	Replicate  int     `json:"replicate"`   // the next one in this arm
	Why        VoteWhy `json:"why"`
}

// VoteWhy says what a vote is good for.
type VoteWhy string

// The reasons for votes, in the order in which a budget that runs short serves them.
const (
	ForCritical    VoteWhy = "critical"    // a critical question gets full replicates whatever the scores say
	ForCalibration VoteWhy = "calibration" // shows how noisy judge and generator are
	ForDoubt       VoteWhy = "doubt"       // the question most likely to be a regression that is not confirmed yet
)

// VerifyStop says why no more votes are wanted.
type VerifyStop string

// What ends a verification.
const (
	StopSettled VerifyStop = "settled" // one vote settles: there is nothing to verify
	StopSame    VerifyStop = "same"    // the judge saw the same everywhere
	StopItself  VerifyStop = "itself"  // a run is compared with itself
	StopTheirs  VerifyStop = "theirs"  // another tool's scores decide: it cannot be asked from here
	StopDecided VerifyStop = "decided" // few regressions can be missing
	StopBudget  VerifyStop = "budget"  // the budget is spent
	StopNoHelp  VerifyStop = "no_help" // every open question has all the votes it may have, or cannot be asked again
)

// VerifyStep is what to buy next.
type VerifyStep struct {
	Votes  []Vote     `json:"votes"`          // may be bought in any order and at the same time; empty at the end
	Stop   VerifyStop `json:"stop,omitempty"` // why it is the end
	Budget int        `json:"budget"`
	Spent  int        `json:"spent"`

	Changed   int `json:"changed"`   // questions whose answer the judge saw differ
	Undecided int `json:"undecided"` // of them, those that may be a regression and are not confirmed
	// votes that this and all further steps are likely to take; never above what is left of the budget
	Estimate      int     `json:"estimate"`
	ExpectedFalse float64 `json:"expected_false"` // of the questions confirmed so far
	ExpectedMiss  float64 `json:"expected_miss"`  // regressions among the rest
}

// VerifyPlan says which votes the regression guard wants next, given all votes so far. Buy them, load both evaluations again,
// add the number of votes to Spent, and ask again until no votes are wanted; then [CompareWith] labels the questions. It is a
// pure function: the same votes and options always give the same step.
//
// First come calibration, which shows how noisy votes are, and full replicates of critical questions. Then come rounds on
// the questions most likely to be regressions, for the arm that has fewer votes, until the expected number of missed ones is
// at most 0.5 or 15% of all. A vote that was asked for and brought no score ends the asking for its question.
func VerifyPlan(baseline, candidate experiments.Evaluation, o VerifyOptions) (VerifyStep, error) {
	if baseline.Run.ID == candidate.Run.ID { // further votes count on both sides
		return VerifyStep{Votes: []Vote{}, Stop: StopItself}, nil
	}
	s, err := open(baseline, candidate, o.Options)
	if err != nil {
		return VerifyStep{}, err
	}
	v := verification{session: s, options: o, wanted: map[wantedVote]bool{}}
	if s.settled {
		return VerifyStep{Votes: []Vote{}, Stop: StopSettled}, nil
	}
	for _, spec := range s.specs {
		if s.gates[spec.ID] {
			cells := s.cells(spec, nil)
			v.gates = append(v.gates, gateCells{spec, cells, s.changed(cells)})
		}
	}
	if len(v.gates) > 0 && !slices.ContainsFunc(v.gates, func(g gateCells) bool { return g.spec.Group != metrics.GroupImported }) {
		return VerifyStep{Votes: []Vote{}, Stop: StopTheirs}, nil // the import made all votes that the files hold
	}
	if len(v.gates) == 0 {
		return VerifyStep{}, problem.New(problem.NotComparable, "no_gate_metrics", "runs %s and %s share no metric that decides",
			baseline.Run.ID, candidate.Run.ID).
			With("excluded", s.Excluded).WithHint("run both with a suite that has correctness or trust, or name other metrics that decide")
	}
	return v.step(), nil
}

// verification is one step in the making.
type verification struct {
	*session
	options VerifyOptions
	gates   []gateCells
	changed []int // pairs with a changed cell of a gate, by id
	wanted  map[wantedVote]bool
	votes   []Vote
}

type gateCells struct {
	spec    metrics.Spec
	cells   []cell
	changed []int
}

type wantedVote struct {
	arm       Arm
	pair      int
	replicate int
}

func (v *verification) step() VerifyStep {
	for _, g := range v.gates {
		for _, i := range g.changed {
			v.changed = append(v.changed, g.cells[i].pair)
		}
	}
	slices.Sort(v.changed)
	v.changed = slices.Compact(v.changed)
	n := len(v.changed)
	rules := stats.DefaultGuardRules(n)
	step := VerifyStep{Changed: n, Spent: v.options.Spent, Budget: cmp.Or(v.options.Budget, rules.Budget)}
	if n == 0 {
		step.Votes, step.Stop = []Vote{}, StopSame
		return step
	}
	v.critical()
	v.calibrate(rules.Calibration)
	calibrating := slices.ContainsFunc(v.votes, func(vote Vote) bool { return vote.Why == ForCalibration })
	step.Stop = StopDecided
	for _, g := range v.gates {
		if len(g.changed) > 0 {
			v.doubt(&step, g, rules, calibrating)
		}
	}
	step.Votes = append([]Vote{}, v.votes...)
	left := max(0, step.Budget-step.Spent)
	step.Estimate = min(left, len(step.Votes)+4*step.Undecided)
	if len(step.Votes) > 0 {
		step.Stop = ""
	} else {
		step.Estimate = 0
	}
	if len(step.Votes) > left {
		step.Votes = step.Votes[:left]
		if left == 0 {
			step.Stop = StopBudget
		}
	}
	return step
}

// critical asks for full replicates of every changed critical question.
func (v *verification) critical() {
	full := cmp.Or(v.options.Critical, 3)
	for _, i := range v.changed {
		if !v.pairs[i].question.Critical {
			continue
		}
		for _, arm := range [2]Arm{BaselineArm, CandidateArm} {
			for n := len(v.results(arm, i)); n < full; n++ {
				v.want(arm, i, n-len(v.results(arm, i)), ForCritical)
			}
		}
	}
}

// calibrate asks for a second baseline vote on some questions drawn by the seed, unless as many have one already, as they do
// under a baseline that was scored several times when it was pinned.
func (v *verification) calibrate(size int) {
	known := 0
	for _, i := range v.changed {
		if len(v.pairs[i].before) > 1 {
			known++
		}
	}
	if known >= size {
		return
	}
	for _, k := range stats.NewSplitMix64(v.options.Seed).Permutation(len(v.changed))[:size] {
		if i := v.changed[k]; len(v.pairs[i].before) < 2 {
			v.want(BaselineArm, i, 0, ForCalibration)
		}
	}
}

// doubt asks for votes on the open questions of one gate metric that are most likely regressions.
func (v *verification) doubt(step *VerifyStep, g gateCells, rules stats.GuardRules, calibrating bool) {
	if calibrating { // the noise is not known yet: every drop is open
		for _, i := range g.changed {
			row := v.row(g.spec, g.cells[i])
			if row.gain(g.spec) < 0 {
				step.Undecided++
			}
		}
		return
	}
	guard := v.newGuard(g.spec, g.cells, g.changed, v.q)
	if guard == nil {
		return
	}
	sum := guard.Summary()
	step.ExpectedFalse, step.ExpectedMiss = step.ExpectedFalse+sum.ExpectedFalse, step.ExpectedMiss+sum.ExpectedMissed
	verdicts := guard.Verdicts()
	var openItems []int
	expected, missed, most, stuck := 0.0, 0.0, 0.0, 0.0
	for k, verdict := range verdicts {
		c := g.cells[g.changed[k]]
		expected += verdict.Regression
		if verdict.Label == stats.Confirmed {
			continue
		}
		if verdict.Regression >= 0.2 {
			step.Undecided++
		}
		if v.failed(c) || min(len(c.before), len(c.after)) >= rules.Most {
			stuck += verdict.Regression
			continue
		}
		openItems = append(openItems, k)
		missed, most = missed+verdict.Regression, max(most, verdict.Regression)
	}
	enough := max(rules.Missed, rules.MissedShare*expected)
	if missed <= enough {
		if missed+stuck > enough && step.Stop == StopDecided {
			step.Stop = StopNoHelp
		}
		return
	}
	slices.SortStableFunc(openItems, func(a, b int) int { return cmp.Compare(verdicts[b].Regression, verdicts[a].Regression) })
	for _, k := range openItems[:min(len(openItems), rules.Batch)] {
		if verdicts[k].Regression <= 0.25*most {
			break
		}
		c := g.cells[g.changed[k]]
		if len(c.before) <= len(c.after) {
			v.want(BaselineArm, c.pair, 0, ForDoubt)
		}
		if len(c.after) <= len(c.before) {
			v.want(CandidateArm, c.pair, 0, ForDoubt)
		}
	}
}

// failed reports whether a vote on the question was bought in either arm and brought no score.
func (v *verification) failed(c cell) bool {
	p := &v.pairs[c.pair]
	return len(p.before) > len(c.before) || len(p.after) > len(c.after)
}

func (v *verification) results(arm Arm, pair int) []experiments.Result {
	if arm == BaselineArm {
		return v.pairs[pair].before
	}
	return v.pairs[pair].after
}

// want adds a vote, ahead replicates after the next one, once however many reasons there are for it.
func (v *verification) want(arm Arm, pair, ahead int, why VoteWhy) {
	results := v.results(arm, pair)
	w := wantedVote{arm, pair, results[len(results)-1].Replicate + 1 + ahead}
	if v.wanted[w] {
		return
	}
	v.wanted[w] = true
	id := v.pairs[pair].question.ID
	if arm == BaselineArm {
		id = v.pairs[pair].baseline.ID
	}
	v.votes = append(v.votes, Vote{Arm: arm, QuestionID: id, Replicate: w.replicate, Why: why})
}
