package main

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/problem"
)

// noFiles refuses to verify files of scores.
func (f verifyFlags) noFiles() error {
	if f == (verifyFlags{}) {
		return nil
	}
	return problem.New(problem.Invalid, "usage", "files of scores cannot be verified here: only the tool that scored them can ask again").
		WithHint("score the answers again with it, number the rounds in a column replicate, and compare those files")
}

// verifyFlags are those of verifying a comparison.
type verifyFlags struct {
	Verify bool   `help:"Ask and judge again what is in doubt, in both runs, until it is decided."`
	Plan   bool   `help:"With --verify: show what would be asked and what it costs, and stop. Makes no call."`
	Budget string `help:"With --verify: what may be spent, as an amount in the price file's currency (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
	Votes  int    `help:"With --verify: at most N answers asked again." placeholder:"N"`
	Alone  bool   `help:"With --verify: do not have answers that tie compared with each other." name:"no-pairwise"`
}

func (f verifyFlags) rules() (votes.VerifyRules, error) {
	if !f.Verify && (f.Plan || f.Budget != "" || f.Votes != 0 || f.Alone) {
		return votes.VerifyRules{}, problem.New(problem.Invalid, "usage",
			"--plan, --budget, --votes and --no-pairwise belong to --verify; comparing alone buys nothing").
			WithHint("workbench compare BASELINE CANDIDATE --verify --plan")
	}
	if f.Votes < 0 {
		return votes.VerifyRules{}, problem.New(problem.Invalid, "usage", "--votes %d is below 0", f.Votes).
			WithHint("workbench compare --help")
	}
	budget, err := app.ParseBudget(f.Budget)
	return votes.VerifyRules{Votes: f.Votes, Budget: budget, Alone: f.Alone}, err
}

// verify verifies a comparison; done says that only the plan was asked for.
func (f verifyFlags) verify(p *program, w *app.Workbench, baseline, candidate string, rules votes.VerifyRules) (done bool, err error) {
	if !f.Verify {
		return false, nil
	}
	if f.Plan {
		v, err := votes.PlanVerify(p.ctx, w, baseline, candidate, rules)
		if err != nil {
			return true, err
		}
		if p.flags.JSON {
			return true, p.printJSON(v)
		}
		p.say("%s", p.lang().verifySentence(v))
		if l := p.lang(); v.Ties.Votes > 0 {
			p.say("to compare answers that tie with each other, %s in both orders: at most %s, %s",
				l.many(v.Ties.Votes, "question"), l.many(v.Ties.Calls, "call"), l.price(v.Ties.Micros, v.Ties.Known, v.Ties.Currency))
		}
		return true, nil
	}
	v, err := votes.VerifyComparison(p.ctx, w, baseline, candidate, rules,
		func(v votes.VerifyState) { p.note("%s", p.lang().verifySentence(v)) })
	if err != nil {
		if len(v.Runs) > 0 {
			err = p.runs().stopped(w, v.Runs[len(v.Runs)-1], err)
		}
		return true, err
	}
	p.note("%s", p.lang().verifyEnd(v))
	return false, nil
}

// verifyHint says how to settle what is in doubt.
func (c compareCmd) verifyHint(p *program, comparison compare.Comparison) {
	if open := comparison.VerdictCounts.NeedsCheck; open > 0 && !c.Verify {
		p.say("")
		p.say("%s in doubt. What checking costs: workbench compare %s %s --verify --plan", p.lang().
			many(open, "answer"), comparison.Baseline.ID, comparison.Candidate.ID)
	}
}

// verifySentence says what is wanted: "verify 23 answers: 69 calls, 0.1200 USD".
func (l language) verifySentence(v votes.VerifyState) string {
	if len(v.Next.Votes) == 0 {
		return l.verifyEnd(v)
	}
	why := map[compare.VoteWhy]string{
		compare.ForCritical: "critical questions", compare.ForCalibration: "calibration", compare.ForDoubt: "questions in doubt",
	}
	var reasons []string
	for _, vote := range v.Next.Votes {
		if words := l.format(why[vote.Why]); !slices.Contains(reasons, words) {
			reasons = append(reasons, words)
		}
	}
	return l.text("verify %s: at most about %s, %s (%s in all, %s next: %s)", l.many(v.Answers, "answer"), l.many(v.Price.Calls, "call"),
		l.price(v.Price.Micros, v.Price.Known, v.Price.Currency), l.many(v.Price.Votes, "vote"), l.many(len(v.Next.Votes), "vote"),
		l.list(reasons))
}

// verifyEnd says why no more votes are wanted.
func (l language) verifyEnd(v votes.VerifyState) string {
	words := map[compare.VerifyStop]string{
		compare.StopSettled: "generator and judge are deterministic: one vote settled every question, and nothing was bought",
		compare.StopSame:    "the judge saw the same in both runs: there is nothing to verify",
		compare.StopDecided: "decided: few regressions can be missing",
		compare.StopBudget:  "the budget is used up; run it again to go on",
		compare.StopNoHelp:  "more votes would not help: every open question has all it may have",
	}[v.Next.Stop]
	words = l.format(words)
	if v.Bought > 0 {
		words += l.text("; %s bought with %s for %s", l.many(v.Bought, "vote"), l.many(v.Calls, "call"),
			l.price(v.Micros, v.Price.Known, v.Price.Currency))
	}
	return words
}

// replicates scores a run several times before it is pinned.
func (c baselineSetCmd) replicates(p *program, w *app.Workbench) (done bool, err error) {
	if c.Replicates == 0 {
		if c.Plan {
			return true, problem.New(problem.Invalid, "usage", "--plan belongs to --replicates; pinning alone buys nothing").
				WithHint("workbench baseline set RUN --replicates 3 --plan")
		}
		return false, nil
	}
	missing, err := votes.MissingVotes(p.ctx, w, c.Run_, c.Replicates)
	if err != nil {
		return true, err
	}
	switch {
	case c.Plan && p.flags.JSON:
		return true, p.printJSON(missing)
	case missing.Votes == 0:
		p.note("one vote settles, or every question has %s already: nothing to buy", p.lang().many(c.Replicates, "vote"))
	default:
		p.note("to score every question %d times: %s, about %s, %s", c.Replicates, p.lang().many(missing.Votes, "vote"), p.lang().
			many(missing.Calls, "call"), p.lang().price(missing.Micros, missing.Known, missing.Currency))
	}
	if c.Plan {
		return true, nil
	}
	_, runs, err := votes.ScoreBaseline(p.ctx, w, c.Run_, c.Replicates)
	p.runs().cost(w, runs...)
	return err != nil, err
}
