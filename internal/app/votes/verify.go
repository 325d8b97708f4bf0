package votes

import (
	"context"
	"math"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// VerifyRules bound what verifying a comparison may buy. Zero fields take the recommended bound.
type VerifyRules struct {
	Votes  int                // answers asked and judged again, in both runs together
	Alone  bool               // answers that tie are not set beside each other
	Budget experiments.Budget // of all of them; needs the price of every model where it is in money
}

// VerifyState says how far the verification of a comparison is.
type VerifyState struct {
	Baseline  string             `json:"baseline"`
	Candidate string             `json:"candidate"`
	Next      compare.VerifyStep `json:"next"`    // what is wanted next; without votes it says why it is over
	Answers   int                `json:"answers"` // that are to be looked at: those in doubt, or else all that the next votes are for
	Bought    int                `json:"bought"`  // votes so far
	Runs      []string           `json:"runs"`    // child runs that hold them
	Calls     int                `json:"calls"`   // that they took
	Micros    int64              `json:"micros"`  // and cost, calls included whose reply never arrived
	Price     VotePrice          `json:"price"`   // of the votes still wanted, as estimated
	Bounded   bool               `json:"-"`       // what the rules' budget leaves is less than the guard would ask for
	// of setting beside each other, in both orders, answers that tie: at most; Votes are pairs
	Ties VotePrice `json:"ties"`
}

// AsksNothing says that a verification would ask for no vote and set no answers beside each other.
func (v VerifyState) AsksNothing() bool { return len(v.Next.Votes)+v.Ties.Votes == 0 }

// VotePrice is what votes cost, by what the same questions cost when the two runs asked them.
type VotePrice struct {
	Votes    int    `json:"votes"`
	Calls    int    `json:"calls"`
	Micros   int64  `json:"micros"`
	Known    bool   `json:"price_known"` // false: some model has no price, and Micros leaves it out
	Currency string `json:"currency"`
}

// mostSteps bounds the steps of one verification; the guard's own budget ends it long before.
const mostSteps = 500

// PlanVerify says what verifying a comparison would buy next and in all, and buys nothing.
func PlanVerify(ctx context.Context, w *app.Workbench, baseline, candidate string, rules VerifyRules) (VerifyState, error) {
	c, both, err := w.Compare(ctx, baseline, candidate)
	if err != nil {
		return VerifyState{}, err
	}
	return PlanCompared(ctx, w, c, both, rules)
}

// PlanCompared is [PlanVerify] of runs that are compared already.
func PlanCompared(ctx context.Context, w *app.Workbench, c compare.Comparison, both [2]experiments.Evaluation,
	rules VerifyRules) (VerifyState, error) {
	v, err := stepOf(ctx, w, both, rules, VerifyState{})
	if err != nil {
		return v, err
	}
	v.Ties, err = planTies(ctx, w, c, both, rules)
	return v, err
}

// VerifyComparison asks and judges again what the regression guard is in doubt about, in both runs, until it has decided or the bound
// is reached. Every vote is stored as part of a child run; another call goes on with what is missing, and begins with the
// child runs that were interrupted. tell, which may be nil, is called before every step.
func VerifyComparison(ctx context.Context, w *app.Workbench, baseline, candidate string, rules VerifyRules,
	tell func(VerifyState)) (VerifyState, error) {
	v, err := verifyVotes(ctx, w, baseline, candidate, rules, tell)
	if err != nil {
		return v, err
	}
	return breakTies(ctx, w, v, rules)
}

// verifyVotes buys votes until the guard has decided or the bound is reached.
func verifyVotes(ctx context.Context, w *app.Workbench, baseline, candidate string, rules VerifyRules,
	tell func(VerifyState)) (VerifyState, error) {
	both, v, err := verifyStep(ctx, w, baseline, candidate, rules, VerifyState{})
	if err != nil || v.Next.Stop == compare.StopSettled || v.Next.Stop == compare.StopItself || v.Next.Stop == compare.StopTheirs {
		return v, err
	}
	resumed := false
	for _, e := range both {
		n, err := ResumeVotes(ctx, w, e.Run, rules)
		if err != nil {
			return v, err
		}
		resumed = resumed || n > 0
	}
	for step := 0; step < mostSteps; step++ {
		if step > 0 || resumed {
			if both, v, err = verifyStep(ctx, w, baseline, candidate, rules, v); err != nil {
				return v, err
			}
		}
		if len(v.Next.Votes) == 0 {
			return v, nil
		}
		if tell != nil {
			tell(v)
		}
		if v, err = buyVotes(ctx, w, both, v, rules); err != nil {
			return v, err
		}
	}
	return v, nil
}

// verifyStep asks what is wanted next, given all votes so far.
func verifyStep(ctx context.Context, w *app.Workbench, baseline, candidate string, rules VerifyRules,
	so VerifyState) ([2]experiments.Evaluation, VerifyState, error) {
	_, both, err := w.Compare(ctx, baseline, candidate)
	if err != nil {
		return both, so, err
	}
	so, err = stepOf(ctx, w, both, rules, so)
	return both, so, err
}

// stepOf asks what is wanted next by two runs with all their votes so far.
func stepOf(ctx context.Context, w *app.Workbench, both [2]experiments.Evaluation, rules VerifyRules, so VerifyState) (VerifyState,
	error) {
	so.Baseline, so.Candidate, so.Bounded = both[0].Run.ID, both[1].Run.ID, false
	if so.Runs == nil {
		so.Runs = []string{}
	}
	cost, err := CostOfVote(ctx, w, both)
	if err != nil {
		return so, err
	}
	if rules.Budget.Micros > 0 && !cost.known {
		return so, problem.New(problem.Invalid, "price_unknown",
			"a budget in money needs the price of every model, and some models of runs %s and %s have none", so.Baseline, so.Candidate).
			WithHint("add them under prices: in workbench.yaml, or bound the calls: --budget 500calls")
	}
	options := compare.VerifyOptions{Budget: rules.Votes, Spent: so.Bought}
	if so.Next, err = compare.VerifyPlan(both[0], both[1], options); err != nil {
		return so, err
	}
	if most := so.affordable(cost, rules.Budget); so.Bought+most < so.Next.Budget && len(so.Next.Votes) > 0 {
		options.Budget, so.Bounded = so.Bought+most, true
		if options.Budget == 0 || most == 0 {
			so.Next.Votes, so.Next.Stop, so.Next.Estimate = []compare.Vote{}, compare.StopBudget, 0
		} else if so.Next, err = compare.VerifyPlan(both[0], both[1], options); err != nil {
			return so, err
		}
	}
	so.Answers = so.Next.Undecided
	if so.Answers == 0 {
		so.Answers = distinctQuestions(so.Next.Votes)
	}
	so.Price = PriceOf(w, cost, so.Next.Estimate)
	return so, nil
}

// affordable is how many votes what is left of a budget pays for, by the average cost of one.
func (v VerifyState) affordable(cost VoteCost, b experiments.Budget) int {
	most := math.MaxInt32
	if b.Micros > 0 && cost.micros > 0 {
		most = min(most, int(max(0, float64(b.Micros-v.Micros)/cost.micros)))
	}
	if b.Calls > 0 && cost.calls > 0 {
		most = min(most, int(max(0, float64(b.Calls-v.Calls)/cost.calls)))
	}
	return most
}

// Left is what a child run may still spend.
func (v VerifyState) Left(b experiments.Budget) experiments.Budget {
	if b.Micros > 0 {
		b.Micros = max(1, b.Micros-v.Micros)
	}
	if b.Calls > 0 {
		b.Calls = max(1, b.Calls-v.Calls)
	}
	return b
}

func distinctQuestions(votes []compare.Vote) int {
	ids := map[string]bool{}
	for _, v := range votes {
		ids[v.QuestionID] = true
	}
	return len(ids)
}

// VoteCost is what asking and judging one question costs on average.
type VoteCost struct {
	calls, micros float64
	known         bool
}

// CostOfVote is measured: what the two runs bought or had from earlier runs, for each question. What asking a question again
// costs is close to that, because everything that a model decides is asked anew.
func CostOfVote(ctx context.Context, w *app.Workbench, both [2]experiments.Evaluation) (VoteCost, error) {
	cost := VoteCost{known: true}
	questions := 0
	for _, e := range both {
		s, err := w.Store.Spent(ctx, e.Run.ID)
		if err != nil {
			return cost, err
		}
		cost.calls += float64(s.Calls + s.SavedCalls)
		cost.micros += float64(s.ConfirmedMicros + s.PossibleMicros + s.SavedMicros)
		cost.known = cost.known && s.UnknownPrice == 0
		for _, r := range e.Results {
			if r.Replicate == e.Run.Setup.Replicate {
				questions++
			}
		}
	}
	cost.calls, cost.micros = cost.calls/float64(max(1, questions)), cost.micros/float64(max(1, questions))
	return cost, nil
}

// PriceOf returns what a number of votes costs, with calls and money rounded up.
func PriceOf(w *app.Workbench, cost VoteCost, votes int) VotePrice {
	n := float64(votes)
	return VotePrice{
		Votes: votes, Calls: int(math.Ceil(cost.calls * n)), Micros: int64(math.Ceil(cost.micros * n)), Known: cost.known,
		Currency: w.Config.Currency,
	}
}

// buyVotes buys the votes of one step: for each run one child run with its questions, and a further one where a question
// gets several votes.
func buyVotes(ctx context.Context, w *app.Workbench, both [2]experiments.Evaluation, v VerifyState,
	rules VerifyRules) (VerifyState, error) {
	for i, arm := range []compare.Arm{compare.BaselineArm, compare.CandidateArm} {
		var rounds [][]string
		nth := map[string]int{}
		for _, vote := range v.Next.Votes {
			if vote.Arm != arm {
				continue
			}
			n := nth[vote.QuestionID]
			nth[vote.QuestionID]++
			if n == len(rounds) {
				rounds = append(rounds, nil)
			}
			rounds[n] = append(rounds[n], vote.QuestionID)
		}
		for _, questions := range rounds {
			run, err := vote(ctx, w, both[i].Run, questions, v.Left(rules.Budget), arm == compare.BaselineArm)
			if run.ID != "" {
				v.Runs = append(v.Runs, run.ID)
			}
			if err != nil {
				return v, err
			}
			spent, err := w.Store.Spent(ctx, run.ID)
			if err != nil {
				return v, err
			}
			v.Bought, v.Calls, v.Micros = v.Bought+len(questions), v.Calls+spent.Calls, v.Micros+spent.ConfirmedMicros+spent.PossibleMicros
		}
	}
	return v, nil
}

// Vote asks and judges questions of a run once more, in a child run with a budget.
func Vote(ctx context.Context, w *app.Workbench, parent experiments.Run, questions []string,
	budget experiments.Budget) (experiments.Run, error) {
	return vote(ctx, w, parent, questions, budget, false)
}

// vote is [Vote]; old says that the parent answered some time ago. A system elsewhere may be another one by now, whose answers would
// count as those of the old one: there the judge alone is asked again.
func vote(ctx context.Context, w *app.Workbench, parent experiments.Run, questions []string, budget experiments.Budget,
	old bool) (experiments.Run, error) {
	runner := w.Runner(parent.Setup)
	runner.KeepAnswers = old && parent.Setup.Config.Endpoint != nil
	children, err := runner.Replicates(ctx, parent.ID, 1, questions...)
	if err != nil {
		return experiments.Run{}, err
	}
	child := children[0]
	if budget != (experiments.Budget{}) {
		if err := w.Store.SetBudget(ctx, child.ID, budget); err != nil {
			return child, err
		}
	}
	run, err := w.Work(ctx, child.ID)
	if err != nil {
		return child, err
	}
	return run, nil
}

// ResumeVotes brings the child runs of a run to their end that an earlier verification left unfinished, and returns how many
// there were. Retries of errors are none of them.
func ResumeVotes(ctx context.Context, w *app.Workbench, parent experiments.Run, rules VerifyRules) (int, error) {
	children, err := w.Store.Runs(ctx, experiments.RunFilter{ParentID: parent.ID, Kind: parent.Kind})
	if err != nil {
		return 0, err
	}
	n := 0
	for _, c := range children {
		open := c.State == experiments.Queued || c.State == experiments.Paused || c.State == experiments.Running
		if !open || c.Setup.Replicate == parent.Setup.Replicate {
			continue
		}
		if c.Budget != (experiments.Budget{}) || rules.Budget != (experiments.Budget{}) {
			if err := w.Store.SetBudget(ctx, c.ID, rules.Budget); err != nil {
				return n, err
			}
		}
		if _, err := w.Work(ctx, c.ID); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// ScoreBaseline pins a finished run as the baseline of its dataset and scores it until every question has n votes, once: every
// later comparison then needs fewer votes to tell a regression from noise. Where generator and judge are deterministic one
// vote is enough and nothing is bought. It returns the child runs.
func ScoreBaseline(ctx context.Context, w *app.Workbench, name string, n int) (experiments.Baseline, []experiments.Run, error) {
	missing, err := MissingVotes(ctx, w, name, n)
	if err != nil {
		return experiments.Baseline{}, nil, err
	}
	var children []experiments.Run
	if missing.Votes > 0 {
		e, err := w.Evaluation(ctx, name)
		if err != nil {
			return experiments.Baseline{}, nil, err
		}
		if _, err := ResumeVotes(ctx, w, e.Run, VerifyRules{}); err != nil {
			return experiments.Baseline{}, nil, err
		}
		if e, err = w.Evaluation(ctx, e.Run.ID); err != nil {
			return experiments.Baseline{}, nil, err
		}
		for _, questions := range VotesTo(e, n) {
			run, err := Vote(ctx, w, e.Run, questions, experiments.Budget{})
			if err != nil {
				return experiments.Baseline{}, children, err
			}
			children = append(children, run)
		}
	}
	b, err := w.SetBaseline(ctx, name)
	return b, children, err
}

// MissingVotes is what scoring a run until every question has n votes would buy.
func MissingVotes(ctx context.Context, w *app.Workbench, name string, n int) (VotePrice, error) {
	if n < 1 || n > 8 {
		return VotePrice{}, problem.New(problem.Invalid, "replicates", "%d votes for each question were asked for; 1 to 8 make sense", n).
			WithHint("3 are enough for the guard")
	}
	e, err := w.Evaluation(ctx, name)
	if err != nil {
		return VotePrice{}, err
	}
	cost, err := CostOfVote(ctx, w, [2]experiments.Evaluation{e, e})
	if err != nil || e.Run.Setup.Settled {
		return PriceOf(w, cost, 0), err
	}
	votes := 0
	for _, questions := range VotesTo(e, n) {
		votes += len(questions)
	}
	return PriceOf(w, cost, votes), nil
}

// VotesTo lists, round by round, the questions that have fewer than n votes.
func VotesTo(e experiments.Evaluation, n int) [][]string {
	votes := map[string]int{}
	var order []string
	for _, r := range e.Results {
		if votes[r.QuestionID] == 0 {
			order = append(order, r.QuestionID)
		}
		votes[r.QuestionID]++
	}
	var rounds [][]string
	for have := 1; have < n; have++ {
		var round []string
		for _, id := range order {
			if votes[id] <= have {
				round = append(round, id)
			}
		}
		if len(round) > 0 {
			rounds = append(rounds, round)
		}
	}
	return rounds
}
