package sweeps

import (
	"context"
	"math"
	"reflect"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/votes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// SearchRules say how a sweep looks for its winner.
type SearchRules struct {
	Screen  int                // keep at most so many ways to retrieve, by evidence alone; 0 keeps all
	Best    experiments.Best   // where Top is set and Screen is not: of all ways to retrieve the best by evidence, and the base beside them
	Halving bool               // begin with few questions and give the best third three times as many, until one stage has all
	Confirm bool               // answer and judge the winner again
	Seed    uint64             // chooses the questions of the first stages
	Budget  experiments.Budget // of everything together
}

// RulesOf are the rules with what the experiment says of its sweep, unless they say otherwise themselves.
func RulesOf(e experiments.Experiment, rules SearchRules) SearchRules {
	if best := e.Definition.Best; best != nil && rules.Screen == 0 && rules.Best.Top == 0 {
		rules.Best = *best
	}
	if rules.Best.Top > 0 && rules.Best.By == "" {
		rules.Best.By = experiments.ByEvidence
	}
	return rules
}

func (r SearchRules) screens() bool { return r.Screen != 0 || r.Best.Top > 0 }

func (r SearchRules) pick() Pick {
	if r.Screen != 0 {
		return Pick{Most: r.Screen}
	}
	return Pick{Best: r.Best}
}

// withBase puts the base configuration beside the best ways to retrieve: what they are better than has to be answered and judged too.
func (r SearchRules) withBase(ctx context.Context, w *app.Workbench, e experiments.Experiment, all, kept []app.Job) ([]app.Job, error) {
	if r.Best.Top == 0 || r.Screen != 0 {
		return kept, nil
	}
	base, err := w.Job(ctx, e, app.Select{})
	if err != nil {
		return nil, err
	}
	same := func(j app.Job) bool {
		return reflect.DeepEqual(j.Setup.Config, base.Setup.Config) && j.Setup.Corpus == base.Setup.Corpus
	}
	if slices.ContainsFunc(kept, same) {
		return kept, nil
	}
	if i := slices.IndexFunc(all, same); i >= 0 {
		return append(kept, all[i]), nil
	}
	base.Params = e.Definition.BaseParams()
	base.Questions, base.Setup.Questions, base.Budget = all[0].Questions, all[0].Setup.Questions, all[0].Budget
	return append(kept, base), nil
}

// halvingFactor is the share of configurations that a stage sends home, as 1 - 1/factor.
const halvingFactor = 3

// Search is a sweep with what it took to find its winner.
type Search struct {
	Screen   *Screening             `json:"screen,omitempty"`
	Stages   []SearchStage          `json:"stages"`
	SweepID  string                 `json:"sweep_id"` // of the last stage
	Runs     []app.Summary          `json:"runs"`     // of the last stage, on all questions
	Answers  int                    `json:"answers"`  // that the stages asked for, each question of each configuration once
	Full     int                    `json:"full"`     // that running everything would have asked for
	Winner   *SearchWinner          `json:"winner,omitempty"`
	Effects  []compare.SweepEffects `json:"effects"` // over the first stage, which has all configurations
	Pareto   []compare.ParetoPoint  `json:"pareto"`  // of the last stage
	Finished []experiments.Run      `json:"-"`       // the runs of the last stage that finished
	All      []experiments.Run      `json:"-"`       // and all of them
}

// SearchStage is one stage of a search.
type SearchStage struct {
	SweepID   string   `json:"sweep_id"`
	Questions int      `json:"questions"`
	Runs      []string `json:"runs"`
	Survivors []string `json:"survivors"` // that go on; in the last stage the winner
}

// SearchWinner is the best configuration, with the score that selected it beside the ones to believe.
type SearchWinner struct {
	RunID   string                `json:"run_id"`
	Params  map[string]any        `json:"params"`
	Settled bool                  `json:"settled"`                // deterministic: answering again would give the same answers
	FreshID string                `json:"fresh_run_id,omitempty"` // child run that measured it again
	Scores  []compare.WinnerScore `json:"scores"`
}

// HalvingPlan is the plan of a race over these jobs: configurations and questions of each stage.
func HalvingPlan(jobs []app.Job) ([]stats.Rung, error) {
	return stats.HalvingSchedule(len(jobs), len(jobs[0].Questions), halvingFactor)
}

// SearchSweep looks for the best configuration of a sweep. Every stage is a sweep of its own, so that it can be resumed,
// listed and billed; answers and verdicts of an earlier stage are known and not bought again. tell, which may be nil, hears
// what is about to happen. On an error what is there already is returned with it; the same call again goes on from there.
func SearchSweep(ctx context.Context, w *app.Workbench, e experiments.Experiment, jobs []app.Job, rules SearchRules,
	tell func(string, ...any)) (Search, error) {
	if tell == nil {
		tell = func(string, ...any) {}
	}
	search := Search{Stages: []SearchStage{}, Runs: []app.Summary{}, Effects: []compare.SweepEffects{}, Pareto: []compare.ParetoPoint{},
		Full: len(jobs) * len(jobs[0].Questions)}
	left := rules.Budget
	if rules.screens() {
		screening, kept, err := ScreenSweep(ctx, w, jobs, rules.pick(), left)
		search.Screen = &screening
		search.SweepID = screening.RunID
		if err != nil {
			return search, err
		}
		if jobs, err = rules.withBase(ctx, w, e, jobs, kept); err != nil {
			return search, err
		}
		if left, err = leftAfter(ctx, w, left, screening.RunID); err != nil {
			return search, err
		}
	}
	plan := []stats.Rung{{Candidates: len(jobs), Items: len(jobs[0].Questions)}}
	if rules.Halving {
		var err error
		if plan, err = HalvingPlan(jobs); err != nil {
			return search, err
		}
	}
	search.Answers = stats.Evaluations(plan)
	order := stats.NewSplitMix64(rules.Seed).Permutation(len(jobs[0].Questions))
	var first []experiments.Run
	for i, rung := range plan {
		if len(plan) > 1 {
			tell("stage %d of %d: %d configurations on %d questions", i+1, len(plan), len(jobs), rung.Items)
		}
		parent, runs, err := w.Sweep(ctx, e, stageJobs(jobs, order[:rung.Items], left))
		search.SweepID, search.All = parent.ID, runs
		if err != nil {
			return search, err
		}
		if first == nil {
			first = runs
		}
		keep := 1
		if i < len(plan)-1 {
			keep = plan[i+1].Candidates
		}
		best, err := bestOf(runs, keep)
		if err != nil {
			return search, err
		}
		search.Stages = append(search.Stages, stageOf(parent.ID, rung.Items, runs, best))
		if i < len(plan)-1 {
			jobs = pickJobs(jobs, best)
		}
		if left, err = leftAfter(ctx, w, left, parent.ID); err != nil {
			return search, err
		}
	}
	return search, judgeSearch(ctx, w, &search, first, rules, left)
}

// stageJobs narrows jobs to some questions, in the order of the dataset.
func stageJobs(jobs []app.Job, places []int, budget experiments.Budget) []app.Job {
	out := slices.Clone(jobs)
	places = slices.Sorted(slices.Values(places))
	for i := range out {
		if len(places) < len(jobs[i].Questions) {
			out[i].Questions, out[i].Setup.Questions = nil, nil
			for _, p := range places {
				q := jobs[i].Questions[p]
				out[i].Questions, out[i].Setup.Questions = append(out[i].Questions, q), append(out[i].Setup.Questions, q.ID)
			}
		}
	}
	out[0].Budget = budget
	return out
}

// bestOf returns the places of the best n finished runs, ascending, by the order of [app.Winner].
func bestOf(runs []experiments.Run, n int) ([]int, error) {
	left := slices.Clone(runs)
	var places []int
	for len(places) < n {
		best, err := app.Winner(left)
		if err != nil {
			if len(places) > 0 {
				break
			}
			return nil, err
		}
		for i, r := range left {
			if r.ID == best.ID {
				places = append(places, i)
				left[i].Totals = nil // it is taken
			}
		}
	}
	slices.Sort(places)
	return places, nil
}

func pickJobs(jobs []app.Job, places []int) []app.Job {
	out := make([]app.Job, len(places))
	for i, p := range places {
		out[i] = jobs[p]
	}
	return out
}

func stageOf(id string, questions int, runs []experiments.Run, best []int) SearchStage {
	s := SearchStage{SweepID: id, Questions: questions}
	for i, r := range runs {
		s.Runs = append(s.Runs, r.ID)
		if slices.Contains(best, i) {
			s.Survivors = append(s.Survivors, r.ID)
		}
	}
	return s
}

// leftAfter is what a run left of a budget, never nothing: what may buy nothing stops at its first call.
func leftAfter(ctx context.Context, w *app.Workbench, b experiments.Budget, runID string) (experiments.Budget, error) {
	if runID == "" || b == (experiments.Budget{}) {
		return b, nil
	}
	s, err := w.Store.Spent(ctx, runID)
	return votes.VerifyState{Calls: s.Calls, Micros: s.ConfirmedMicros + s.PossibleMicros}.Left(b), err
}

// judgeSearch works out what the runs say: winner, main effects and the front.
func judgeSearch(ctx context.Context, w *app.Workbench, search *Search, first []experiments.Run, rules SearchRules,
	left experiments.Budget) error {
	last, err := Evaluations(ctx, w, search.All)
	if err != nil {
		return err
	}
	for _, e := range last {
		search.Finished, search.Runs = append(search.Finished, e.Run), append(search.Runs, app.Summarize(e.Run))
	}
	winner, err := app.Winner(search.Finished)
	if err != nil {
		return err
	}
	place := slices.IndexFunc(search.Finished, func(r experiments.Run) bool { return r.ID == winner.ID })
	search.Winner = &SearchWinner{RunID: winner.ID, Params: app.Summarize(winner).Params, Settled: winner.Setup.Settled}
	var fresh []experiments.Result
	if rules.Confirm && !winner.Setup.Settled {
		child, err := votes.Vote(ctx, w, winner, nil, left)
		search.Winner.FreshID = child.ID
		if err != nil {
			return err
		}
		if fresh, err = w.Store.Results(ctx, child.ID); err != nil {
			return err
		}
	}
	search.Winner.Scores = compare.WinnerScores(last, place, fresh)
	all := last
	if len(search.Stages) > 1 {
		if all, err = Evaluations(ctx, w, first); err != nil {
			return err
		}
	}
	for _, metric := range compare.SweepMetrics(winner.Setup.Suite) {
		search.Effects = append(search.Effects, compare.MainEffectsOf(all, metric))
	}
	search.Pareto, err = Pareto(ctx, w, last)
	return err
}

// Evaluations loads the finished runs, in their order.
func Evaluations(ctx context.Context, w *app.Workbench, runs []experiments.Run) ([]experiments.Evaluation, error) {
	var out []experiments.Evaluation
	shelf := experiments.NewShelf(w.Store) // or each would hold the documents of its contexts once more
	for _, r := range runs {
		if r.State != experiments.Finished {
			continue
		}
		e, err := experiments.LoadEvaluationFrom(ctx, w.Store, shelf, r.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// latencyStep is what latencies are rounded to, in milliseconds: less is the machine's mood.
const latencyStep = 10

// Pareto sets the configurations by the first metric of the sweep against what their answers cost, without the judge, as reports say it,
// and against latency. Where answers were taken over from
// earlier runs, nobody knows how long they took; then latency does not count.
func Pareto(ctx context.Context, w *app.Workbench, evaluations []experiments.Evaluation) ([]compare.ParetoPoint, error) {
	wanted := compare.SweepMetrics(evaluations[0].Run.Setup.Suite)
	if len(wanted) == 0 {
		return []compare.ParetoPoint{}, nil
	}
	points := make([]compare.ParetoPoint, len(evaluations))
	timed := true
	for i, e := range evaluations {
		p, n := compare.ParetoPoint{RunID: e.Run.ID}, 0
		var took []float64
		for _, r := range e.Results {
			if r.Answer == nil || r.Replicate != e.Run.Setup.Replicate {
				continue
			}
			n++
			p.Tokens += float64(contextTokens(r.Answer.Hits))
			took = append(took, float64(r.LatencyMS))
		}
		p.Tokens /= float64(max(1, n))
		spent, err := w.Store.Spent(ctx, e.Run.ID)
		if err != nil {
			return nil, err
		}
		answering, err := app.Answering(ctx, w, e)
		if err != nil {
			return nil, err
		}
		if answering != nil && answering.Micros > 0 && answering.Known {
			micros := float64(answering.Micros) / float64(max(1, answering.Answers))
			p.Micros = &micros
		}
		if len(took) > 0 {
			p.Latency = latencyStep * math.Round(stats.Quantile(took, 0.95)/latencyStep)
		}
		timed = timed && spent.SavedCalls == 0 && spent.Calls > 0
		points[i] = p
	}
	if !timed {
		for i := range points {
			points[i].Latency = 0
		}
	}
	out, err := compare.ParetoOf(evaluations, wanted[0], points)
	if out == nil {
		out = []compare.ParetoPoint{}
	}
	return out, err
}
