package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
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
	Verify bool   `help:"Ask and judge again what may have got worse, in both runs, until hardly any such answer can be missing."`
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
	budget, err := experiments.ParseBudget(f.Budget)
	return votes.VerifyRules{Votes: f.Votes, Budget: budget, Alone: f.Alone}, err
}

// verify verifies a comparison; done says that only the plan was asked for.
func (f verifyFlags) verify(p *program.Program, w *app.Workbench, baseline, candidate string, rules votes.VerifyRules) (done bool,
	err error) {
	if !f.Verify {
		return false, nil
	}
	if f.Plan {
		v, err := votes.PlanVerify(p.Context, w, baseline, candidate, rules)
		if err != nil {
			return true, err
		}
		if p.Flags.JSON {
			return true, p.PrintJSON(v)
		}
		p.Say("%s", verifySentence(p.Lang(), v))
		if l := p.Lang(); v.Ties.Votes > 0 {
			p.Say("to compare answers that tie with each other, %s in both orders: at most %s, %s",
				l.Many(v.Ties.Votes, "question"), l.Many(v.Ties.Calls, "call"), l.Price(v.Ties.Micros, v.Ties.Known, v.Ties.Currency))
		}
		return true, nil
	}
	v, err := votes.VerifyComparison(p.Context, w, baseline, candidate, rules,
		func(v votes.VerifyState) { p.Note("%s", verifySentence(p.Lang(), v)) })
	if err != nil {
		if len(v.Runs) > 0 {
			err = printing.Runs(p).Stopped(w, v.Runs[len(v.Runs)-1], err)
		}
		return true, err
	}
	p.Note("%s", verifyEnd(p.Lang(), v))
	return false, nil
}

// verifyHint says how to settle what is in doubt, or why asking again would not. What keeps a verification from being planned is told by
// the command it names: a comparison does not fail for it.
func (c Cmd) verifyHint(p *program.Program, w *app.Workbench, comparison compare.Comparison, both [2]experiments.Evaluation) {
	open := comparison.VerdictCounts.NeedsCheck
	if open == 0 || c.Verify {
		return
	}
	p.Say("")
	plan, err := votes.PlanCompared(p.Context, w, comparison, both, votes.VerifyRules{})
	switch l := p.Lang(); {
	case err != nil:
		p.Say("%s in doubt.", l.Many(open, "answer"))
	case plan.AsksNothing():
		p.Say("%s", verifyEnd(l, plan))
		return
	default: // as the page says it: fewer than are in doubt, for most of those hardly can have become worse
		p.Say("%s in doubt. --verify asks %s again, where one more that got worse may be found.", l.Many(open, "answer"),
			l.Many(plan.Answers, "answer"))
	}
	p.Say("what it costs to ask again: workbench compare %s %s --verify --plan", comparison.Baseline.ID, comparison.Candidate.ID)
}

// verifySentence says what is wanted: "verify 23 answers: 69 calls, 0.1200 USD".
func verifySentence(l program.Language, v votes.VerifyState) string {
	if len(v.Next.Votes) == 0 {
		return verifyEnd(l, v)
	}
	why := map[compare.VoteWhy]string{
		compare.ForCritical: "critical questions", compare.ForCalibration: "calibration", compare.ForDoubt: "questions in doubt",
	}
	var reasons []string
	for _, vote := range v.Next.Votes {
		if words := l.Format(why[vote.Why]); !slices.Contains(reasons, words) {
			reasons = append(reasons, words)
		}
	}
	return l.Text("verify %s: at most about %s, %s (%s in all, %s next: %s)", l.Many(v.Answers, "answer"), l.Many(v.Price.Calls, "call"),
		l.Price(v.Price.Micros, v.Price.Known, v.Price.Currency), l.Many(v.Price.Votes, "vote"), l.Many(len(v.Next.Votes), "vote"),
		l.List(reasons))
}

// verifyEnd says why no more votes are wanted.
func verifyEnd(l program.Language, v votes.VerifyState) string {
	words := findings.VerifyEnd(v.Next.Stop).In(string(l))
	if v.Bought > 0 {
		words += l.Text(" %s bought with %s for %s.", l.Many(v.Bought, "vote"), l.Many(v.Calls, "call"),
			l.Price(v.Micros, v.Price.Known, v.Price.Currency))
	}
	return words
}

// replicates scores a run several times before it is pinned.
func (c baselineSetCmd) replicates(p *program.Program, w *app.Workbench) (done bool, err error) {
	if c.Replicates == 0 {
		if c.Plan {
			return true, problem.New(problem.Invalid, "usage", "--plan belongs to --replicates; pinning alone buys nothing").
				WithHint("workbench baseline set RUN --replicates 3 --plan")
		}
		return false, nil
	}
	missing, err := votes.MissingVotes(p.Context, w, c.Run_, c.Replicates)
	if err != nil {
		return true, err
	}
	switch {
	case c.Plan && p.Flags.JSON:
		return true, p.PrintJSON(missing)
	case missing.Votes == 0:
		p.Note("one vote settles, or every question has %s already: nothing to buy", p.Lang().Many(c.Replicates, "vote"))
	default:
		p.Note("to score every question %d times: %s, about %s, %s", c.Replicates, p.Lang().Many(missing.Votes, "vote"), p.Lang().
			Many(missing.Calls, "call"), p.Lang().Price(missing.Micros, missing.Known, missing.Currency))
	}
	if c.Plan {
		return true, nil
	}
	_, runs, err := votes.ScoreBaseline(p.Context, w, c.Run_, c.Replicates)
	printing.Runs(p).Cost(w, runs...)
	return err != nil, err
}
