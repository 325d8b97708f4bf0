package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/sweeps"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// searching are the flags of a sweep that looks for its winner with fewer answers.
type searching struct {
	Screen  int    `help:"Retrieve only, asking no model, and go on with at most N ways to retrieve (8 at most). Needs evidence spans." type:"count" placeholder:"N"`
	Top     int    `help:"First retrieve only, then answer and judge with the N best ways and the base. Needs evidence spans." type:"count" placeholder:"N"`
	By      string `help:"With --top: what the best are taken by." enum:",evidence_recall,ndcg" default:"" placeholder:"evidence_recall|ndcg"`
	Halving bool   `help:"Begin with few questions; the best third of the configurations gets three times as many, until one stage has all."`
	Confirm bool   `help:"Answer and judge the winner again, because the score that selected it is too high."`
	Seed    uint64 `help:"With --halving: chooses the questions of the first stages." default:"1" placeholder:"N"`
}

func (s searching) rules(e experiments.Experiment, budget experiments.Budget) sweeps.SearchRules {
	return sweeps.RulesOf(e, sweeps.SearchRules{Screen: s.Screen, Best: experiments.Best{Top: s.Top, By: s.By}, Halving: s.Halving,
		Confirm: s.Confirm, Seed: s.Seed, Budget: budget})
}

func (c SweepCmd) search(p *program.Program, w *app.Workbench, e experiments.Experiment, jobs []app.Job, budget experiments.Budget) error {
	if c.Plan {
		return c.searchPlan(p, w, e, jobs)
	}
	search, err := sweeps.SearchSweep(p.Context, w, e, jobs, c.rules(e, budget), p.Note)
	if err != nil {
		if search.Screen != nil && !p.Flags.JSON && len(search.Screen.Ways) > 0 {
			sweepsOf(p).screening(*search.Screen)
		}
		return printing.Runs(p).Stopped(w, search.SweepID, err)
	}
	if p.Flags.JSON {
		if err := p.PrintJSON(search); err != nil {
			return err
		}
		return program.Covered(search.Finished...)
	}
	if search.Screen != nil {
		sweepsOf(p).screening(*search.Screen)
	}
	for _, s := range search.Stages {
		if len(search.Stages) > 1 {
			p.Say("stage of %s: %s, %d went on (sweep %s)", p.Lang().Many(s.Questions, "question"), p.Lang().
				Many(len(s.Runs), "configuration"), len(s.Survivors), s.SweepID)
		}
	}
	if search.Answers < search.Full {
		p.Say("%d answers instead of %d", search.Answers, search.Full)
	}
	p.Say("")
	if err := sweepsOf(p).sweepResults(w, e, experiments.Run{ID: search.SweepID}, search.All); err != nil {
		return err
	}
	sweepsOf(p).searchFacts(search, w.Config.Currency)
	return program.Covered(search.Finished...)
}

// searchPlan says what a search would take.
func (c SweepCmd) searchPlan(p *program.Program, w *app.Workbench, e experiments.Experiment, jobs []app.Job) error {
	var out struct {
		sweeps.SearchPlan
		Plan app.Plan `json:"plan"` // of everything that is left, as if there were no stages
	}
	var err error
	if out.SearchPlan, out.Plan, err = sweeps.PlanSearch(p.Context, w, e, jobs, c.rules(e, experiments.Budget{})); err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(out)
	}
	if out.Screen != nil {
		sweepsOf(p).screening(*out.Screen)
	} else if r := c.rules(e, experiments.Budget{}); r.Screen != 0 || r.Best.Top != 0 {
		p.Say("screening would buy embeddings, so it was not done: which configurations go on is not known, only how many at most")
	}
	for i, s := range out.Stages {
		p.Say("stage %d: %s on %s", i+1, p.Lang().Many(s.Candidates, "configuration"), p.Lang().Many(s.Items, "question"))
	}
	p.Say("%d answers instead of %d; about %s to buy", out.Answers, out.Full, p.Lang().Many(out.Calls, "call"))
	if out.Plan.Buy > 0 {
		p.Say("about %s", p.Lang().Price(out.Micros, out.Plan.PriceKnown, out.Plan.Currency))
	}
	return nil
}

// screening prints how the ways to retrieve did without any model.
func (p sweepPrinter) screening(s sweeps.Screening) {
	if s.By != "" {
		p.bestScreened(s)
		return
	}
	var rows [][]string
	kept := 0
	for _, way := range s.Ways {
		mark := ""
		switch {
		case way.Kept:
			mark = p.Lang().Format("kept")
			kept++
		case way.Front:
			mark = p.Lang().Word("standing", "front")
		}
		rows = append(rows, []string{mark, way.Name, stats.Fixed(way.Coverage, 3), stats.Fixed(way.NDCG, 3),
			fmt.Sprintf("%.0f", way.Tokens), strconv.Itoa(len(way.Jobs))})
	}
	p.Say("screened %s on %s with evidence, asking no model; kept %d", p.Lang().Many(len(s.Ways), "way")+" to retrieve", p.Lang().
		Many(s.Questions, "question"), kept)
	if s.Without > 0 {
		p.Note("%s without evidence spans took no part.", p.Lang().Many(s.Without, "question"))
	}
	p.Table([]string{"", "WAY", "SPAN_COVERAGE", "NDCG", "CONTEXT TOKENS", "CONFIGURATIONS"}, rows)
	p.effects(s.Effects)
	p.Say("")
}

// bestScreened prints the ways to retrieve by one score, with what they are behind the best.
func (p sweepPrinter) bestScreened(s sweeps.Screening) {
	ways := slices.Clone(s.Ways)
	slices.SortStableFunc(ways, func(a, b compare.Screened) int {
		if s.By == experiments.ByNDCG {
			return cmp.Compare(b.NDCG, a.NDCG)
		}
		return cmp.Compare(b.Coverage, a.Coverage)
	})
	var rows [][]string
	kept, tied := 0, 0
	for _, way := range ways {
		mark, behind := "", "-"
		if way.Behind != nil {
			behind = fmt.Sprintf("%.3f (%.3f to %.3f)", way.Behind.Mean, way.Behind.CI95[0], way.Behind.CI95[1])
		}
		switch {
		case way.Kept:
			mark = p.Lang().Format("kept")
			kept++
		case way.Behind != nil && way.Behind.Tied:
			mark = p.Lang().Word("standing", "tied")
			tied++
		}
		rows = append(rows, []string{mark, way.Name, stats.Fixed(way.Coverage, 3), stats.Fixed(way.NDCG, 3), behind,
			fmt.Sprintf("%.0f", way.Tokens), strconv.Itoa(len(way.Jobs))})
	}
	p.Say("retrieved by %s for %s with evidence, asking no generator and no judge; the best %d by %s go on, and the base",
		p.Lang().Many(len(ways), "way"), p.Lang().Many(s.Questions, "question"), kept, s.By)
	if s.Without > 0 {
		p.Note("%s without evidence spans took no part.", p.Lang().Many(s.Without, "question"))
	}
	p.Table([]string{"", "WAY", "SPAN_COVERAGE", "NDCG", "BEHIND THE BEST (95%)", "CONTEXT TOKENS", "CONFIGURATIONS"}, rows)
	if tied > 0 {
		p.Say("tied: %d left out that these questions do not tell from the best; --top %d takes them along", tied, kept+tied)
	}
	p.effects(s.Effects)
	p.Say("")
}

// effects prints the main effects of a sweep on one metric.
func (p sweepPrinter) effects(e compare.SweepEffects) {
	p.Say("")
	if len(e.Levels) == 0 {
		p.Say("main effects on %s: none, because %s", e.Metric, e.Note)
		return
	}
	p.Say("main effects on %s (%s)", e.Metric, p.Lang().Many(e.N, "question"))
	var rows [][]string
	for _, l := range e.Levels {
		interval := ""
		if l.CI95 != nil {
			interval = stats.Signed(l.CI95[0], 3) + " to " + stats.Signed(l.CI95[1], 3)
		}
		rows = append(rows, []string{l.Param, l.Value, program.Number(e.Metric, l.Mean), stats.Signed(l.Effect, 3), interval})
	}
	p.Table([]string{"PARAMETER", "VALUE", "MEAN", "EFFECT", "95% INTERVAL"}, rows)
}

// searchFacts prints effects, front and the honest scores of the winner.
func (p sweepPrinter) searchFacts(s sweeps.Search, currency string) {
	if len(s.Effects) > 0 {
		p.effects(s.Effects[0])
	}
	names := map[string]string{}
	for _, r := range s.Finished {
		names[r.ID] = printing.BriefNameOf(r)
	}
	var rows [][]string
	for _, point := range s.Pareto {
		cost, latency := "-", "-"
		if point.Micros != nil {
			cost = p.Lang().Price(int64(*point.Micros+0.5), true, currency)
		}
		if point.Latency > 0 {
			latency = fmt.Sprintf("%.0f ms", point.Latency)
		}
		rows = append(rows, []string{p.Lang().Word("standing", string(point.Standing)), names[point.RunID], stats.Fixed(point.Quality, 3),
			fmt.Sprintf("%.0f", point.Tokens), cost, latency})
	}
	p.Say("")
	p.Say("quality against price and time: front = no other is better in everything; tied = behind by no more than noise, " +
		"or not told from the best; dominated = surely behind")
	p.Table([]string{"STANDING", "CONFIGURATION", p.Lang().MetricHead(compare.SweepMetrics(s.Finished[0].Setup.Suite)[0]), "CONTEXT TOKENS",
		"PRICE", "P95"}, rows)
	p.Say("")
	rows = nil
	for _, score := range s.Winner.Scores {
		fresh := "-"
		if score.Fresh != nil {
			fresh = program.Number(score.Metric, *score.Fresh)
		}
		rows = append(rows, []string{score.Metric, fresh, program.Number(score.Metric, score.Shrunk),
			program.Number(score.Metric, score.Selection)})
	}
	p.Say("the winner's scores: the one that selected it is too high")
	p.Table([]string{"METRIC", "MEASURED AGAIN", "SHRUNK", "SELECTION SCORE"}, rows)
	switch {
	case s.Winner.Settled:
		p.Say("Generator and judge are deterministic: measuring again would give the same answers, so the shrunk score stands.")
	case s.Winner.FreshID != "":
		p.Say("measured again in run %s", s.Winner.FreshID)
	default:
		p.Say("--confirm answers and judges the winner again.")
	}
}
