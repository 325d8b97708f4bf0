package analyses

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// DiagnoseRules say how the causes of a run's low scores are looked for. Zero fields take the default.
type DiagnoseRules struct {
	Method    causes.CauseMethod // default: tested where the system can be intervened in, else observed
	Trials    int                // answers generated for each intervention; default 4
	Reference *rag.Model         // the generator that stands in for a good one; default offline the best, else none
	Embedders []rag.Model        // to retrieve with instead; default those of the offline provider where the run is offline
	Budget    experiments.Budget
	app.Select
}

// DiagnosePlan is what a diagnosis would look into and cost, before any call.
type DiagnosePlan struct {
	RunID      string             `json:"run_id"`
	Method     causes.CauseMethod `json:"method"`
	LowScores  int                `json:"low_scores"`    // low-score answers to look into
	Least      int                `json:"calls_least"`   // calls if every one turns out to be the judge's noise
	Typical    int                `json:"calls_typical"` // by the average over kinds of faults
	Most       int                `json:"calls_most"`    // if every one has two faults
	Micros     int64              `json:"micros"`        // of the typical number, at what a call of the run cost on average
	PriceKnown bool               `json:"price_known"`
	Currency   string             `json:"currency"`
	Free       bool               `json:"free"`            // every model is offline
	Known      string             `json:"known,omitempty"` // the run that has found it already; nothing would be bought
}

// callsPerLow is what one low-score answer takes: at least, on average where it is the same for all, at most.
func (r DiagnoseRules) callsPerLow() (least, typical, most int) {
	switch r.Method {
	case causes.Observed:
		return 3, 3, 3
	case causes.PaperWay:
		return 1, 1, 1
	case causes.Tested: // what its rules say
	}
	rules := causes.DefaultCauseRules()
	rules.Trials = r.Trials
	return rules.Votes - 1, 0, rules.MostCalls() // the run's own verdict is the first vote
}

// PlanDiagnose says what diagnosing a run would look into, and buys nothing.
func PlanDiagnose(ctx context.Context, w *app.Workbench, name string, rules DiagnoseRules) (DiagnosePlan, error) {
	e, run, questions, err := diagnosis(ctx, w, name, &rules)
	if err != nil {
		return DiagnosePlan{}, err
	}
	if len(questions) == 0 && !rated(e) || e.Run.Setup.LowRule().Own {
		return DiagnosePlan{}, nothingLow(e)
	}
	least, typical, most := rules.callsPerLow()
	n := len(questions)
	plan := DiagnosePlan{
		RunID: e.Run.ID, Method: rules.Method, LowScores: n, Currency: w.Config.Currency,
		Least: n * least, Typical: n * typical, Most: n * most, PriceKnown: true,
	}
	price := 1.0 // of a call, by what one of the run cost
	if rules.Method == causes.Tested && n > 0 {
		same := false
		if plan.Typical, same, err = expectedCalls(ctx, w, run, questions); err != nil {
			return plan, err
		}
		if same {
			price = causes.SettledPrice / causes.SettledCalls
			plan.Least = 0
		}
	}
	spent, err := w.Store.Spent(ctx, e.Run.ID)
	if err != nil {
		return plan, err
	}
	calls := float64(spent.Calls + spent.SavedCalls)
	plan.Free = calls == 0 && e.Run.Setup.Offline
	if plan.Free {
		plan.Least, plan.Typical, plan.Most = 0, 0, 0
	}
	if calls > 0 {
		each := float64(spent.ConfirmedMicros+spent.PossibleMicros+spent.SavedMicros) / calls
		plan.Micros, plan.PriceKnown = int64(math.Ceil(each*price*float64(plan.Typical))), spent.UnknownPrice == 0
	}
	known, err := sameAnalysis(ctx, w, run)
	if known.State == experiments.Finished {
		plan.Known = known.ID
	}
	return plan, err
}

// expectedCalls adds up what the diagnosis of each answer takes, by what can be seen of it before any call. same says that the judge gives
// the same verdict on the same answer.
func expectedCalls(ctx context.Context, w *app.Workbench, run experiments.Run, questions []experiments.Question) (n int, same bool,
	err error) {
	lab, e, err := labOf(ctx, w, run, w.Store)
	if err != nil {
		return 0, false, err
	}
	defer lab.Close()
	rules := lab.Rules()
	rules.Trials = run.Setup.Analysis.Trials
	calls := 0.0
	for _, q := range questions {
		result, ok := e.Result(q.ID)
		if !ok {
			continue
		}
		seen, err := lab.Prospect(ctx, causes.LabCase{Question: q, Result: result})
		if err != nil {
			return 0, false, err
		}
		calls += rules.Expected(seen, e.Run.Setup.Config.Generate.Temperature == 0)
	}
	if same = lab.Can().SameVerdicts; same {
		calls *= causes.SettledCalls
	}
	return int(math.Round(calls)), same, nil
}

// labOf takes the system apart that a diagnosis looks into, and keeps what its stages give in stages. The caller closes it.
func labOf(ctx context.Context, w *app.Workbench, run experiments.Run, stages rag.Stages) (*laboratory.RealLab, experiments.Evaluation,
	error) {
	source, err := w.DiagnosisSource(ctx, run, stages)
	if err != nil {
		return nil, source.Evaluation, err
	}
	lab, err := laboratory.NewLab(ctx, laboratory.LabOptions{
		Evaluation: source.Evaluation, Corpus: source.Corpus, Providers: w.Providers, Indexes: w.Indexes, Stages: stages,
		Reference: run.Setup.Analysis.Reference, Embedders: run.Setup.Analysis.Embedders,
	})
	return lab, source.Evaluation, err
}

// Diagnose looks for the causes of a run's low scores, in a child run of kind diagnose. An unfinished one of the same rules is
// gone on with, a finished one is returned as it is.
func Diagnose(ctx context.Context, w *app.Workbench, name string, rules DiagnoseRules) (experiments.Run, error) {
	e, run, questions, err := diagnosis(ctx, w, name, &rules)
	if err != nil {
		return experiments.Run{}, err
	}
	if len(questions) == 0 || e.Run.Setup.LowRule().Own {
		return experiments.Run{}, nothingLow(e)
	}
	if err = ready(ctx, w, run); err != nil {
		return experiments.Run{}, err
	}
	if run, err = analyse(ctx, w, run, questions, rules.Budget); err != nil || run.State != experiments.Finished {
		return run, err
	}
	if err = keepShort(ctx, w, run); err == nil && rules.Method == causes.Tested {
		err = weighRecommendations(ctx, w, run)
	}
	return run, err
}

// rated reports whether it can be told of some answer whether it is low.
func rated(e experiments.Evaluation) bool {
	rule := e.Run.Setup.LowRule()
	return slices.ContainsFunc(e.Results, func(r experiments.Result) bool { return r.Rated(rule) })
}

// nothingLow says why a run has nothing to diagnose: none of its answers is low, nobody can tell, or no part of the system can be changed.
func nothingLow(e experiments.Evaluation) error {
	if e.Run.Setup.LowRule().Own {
		return problem.New(problem.Invalid, "low_imported",
			"run %s holds imported scores: why an answer is low is found by changing one part of the system, which is not here", e.Run.ID).
			With("run", e.Run.ID).WithHint("run the system here, or import the file under another name with a judge of ours, and diagnose that " +
			"run: workbench import-results FILE --name NAME --model PROVIDER/MODEL")
	}
	if !rated(e) {
		p := problem.New(problem.Invalid, "low_untold", "low scores of run %s cannot be told: neither correctness nor trust was measured",
			e.Run.ID).With("run", e.Run.ID)
		if len(e.Run.Setup.Tools()) > 0 {
			return p.WithHint("causes are those of low scores; import the file again under another name with a judge of ours beside the tool: " +
				"workbench import-results FILE --name NAME --model PROVIDER/MODEL")
		}
		return p.WithHint("causes are those of low scores; let a judge score correctness and trust of these answers first")
	}
	return problem.New(problem.Invalid, "no_low_scores",
		"run %s has no low-score answer (correctness or trust ≤ %g) among the questions asked for", e.Run.ID, e.Run.Setup.LowScore).
		With("run", e.Run.ID).WithHint("there is nothing to diagnose; `workbench runs show %s` shows its scores", e.Run.ID)
}

// NothingLow reports whether a run was not diagnosed because it has no answer that is known to be low, or whose cause could be found.
func NothingLow(err error) bool {
	code := problem.CodeOf(err)
	return slices.Contains([]string{"no_low_scores", "low_untold", "low_imported"}, code)
}

// ready refuses a diagnosis of a system that cannot be searched as its run did, before anything is bought. What is known already is not
// searched.
func ready(ctx context.Context, w *app.Workbench, run experiments.Run) error {
	known, err := sameAnalysis(ctx, w, run)
	if err != nil || known.State == experiments.Finished || run.Setup.Analysis.Method != string(causes.Tested) {
		return err
	}
	lab, _, err := labOf(ctx, w, run, w.Store)
	if err != nil {
		return err
	}
	defer lab.Close()
	return lab.Ready(ctx)
}

// analyse works a run that looks into another one, or goes on with an equal one.
func analyse(ctx context.Context, w *app.Workbench, run experiments.Run, questions []experiments.Question,
	budget experiments.Budget) (experiments.Run, error) {
	known, err := sameAnalysis(ctx, w, run)
	if err != nil || known.State == experiments.Finished {
		return known, err
	}
	if known.ID == "" {
		run.Budget = budget
		if known, err = w.Runner(run.Setup).Create(ctx, run, questions); err != nil {
			return known, err
		}
	} else if budget != (experiments.Budget{}) {
		if err := w.Store.SetBudget(ctx, known.ID, budget); err != nil {
			return known, err
		}
	}
	worked, err := w.Work(ctx, known.ID)
	if worked.ID == "" {
		worked = known // it exists, however it went
	}
	return worked, err
}

// sameAnalysis finds the newest run that does the same as this one and is not given up; the zero Run when there is none.
func sameAnalysis(ctx context.Context, w *app.Workbench, run experiments.Run) (experiments.Run, error) {
	runs, err := w.Store.Runs(ctx, experiments.RunFilter{ParentID: run.ParentID, Kind: run.Kind})
	if err != nil {
		return experiments.Run{}, err
	}
	digest := run.Setup.Digest()
	for _, r := range runs {
		if r.SetupDigest == digest && r.State != experiments.Cancelled && r.State != experiments.Failed {
			return r, nil
		}
	}
	return experiments.Run{}, nil
}

// diagnosis readies the run that diagnoses another: its low-score questions and its frozen setup.
func diagnosis(ctx context.Context, w *app.Workbench, name string, rules *DiagnoseRules) (e experiments.Evaluation, run experiments.Run,
	questions []experiments.Question, err error) {
	if e, err = w.Evaluation(ctx, name); err != nil {
		return e, run, nil, err
	}
	if err := diagnoseDefaults(w, e.Run.Setup, rules); err != nil {
		return e, run, nil, err
	}
	byID := make(map[string]experiments.Result, len(e.Results))
	standing, _ := experiments.Standing(e.Results)
	for _, r := range standing {
		byID[r.QuestionID] = r
	}
	seen := map[string]bool{}
	for _, q := range e.Questions {
		if !seen[q.ID] && rules.Fits(q) && byID[q.ID].Low(e.Run.Setup.LowRule()) && (rules.Limit == 0 || len(questions) < rules.Limit) {
			questions = append(questions, q)
		}
		seen[q.ID] = true
	}
	setup := e.Run.Setup
	setup.Suite = []metrics.Spec{laboratory.CauseSpec()}
	setup.Questions, setup.Goals, setup.Repeat = nil, nil, false
	for _, q := range questions {
		setup.Questions = append(setup.Questions, q.ID)
	}
	setup.Analysis = &experiments.AnalysisSetup{
		Of: e.Run.ID, Version: causes.CauseVersion, Method: string(rules.Method), Trials: rules.Trials,
		Reference: rules.Reference, Embedders: rules.Embedders,
	}
	return e, experiments.Run{Kind: experiments.KindDiagnose, ParentID: e.Run.ID, Params: e.Run.Params, Setup: setup}, questions, nil
}

// adjustable reports whether anything can be replaced in an endpoint.
func adjustable(e remote.Endpoint) bool {
	return e.Accepts("retrieve.k") || e.Accepts("generate.prompt") || e.TakesContexts()
}

// modelsOf is the model, where there is one.
func modelsOf(m *rag.Model) []rag.Model {
	if m == nil {
		return nil
	}
	return []rag.Model{*m}
}

func diagnoseDefaults(w *app.Workbench, s experiments.Setup, rules *DiagnoseRules) error {
	tests := s.Config.Log == nil && (s.Config.Endpoint == nil || adjustable(*s.Config.Endpoint))
	if rules.Method == "" {
		rules.Method = causes.Observed
		if tests {
			rules.Method = causes.Tested
		}
	}
	if !slices.Contains([]causes.CauseMethod{causes.Tested, causes.Observed, causes.PaperWay}, rules.Method) {
		return problem.New(problem.Invalid, "cause_method", "there is no method %q", rules.Method).
			WithHint("methods: tested, observed, paper")
	}
	if rules.Method != causes.Tested {
		rules.Trials, rules.Reference, rules.Embedders = 0, nil, nil
		return nil
	}
	if !tests {
		return problem.New(problem.Invalid, "cause_method",
			"no part of this system can be replaced: its answers were logged, or its template takes neither k nor contexts nor prompt").
			WithHint("use --method observed: what a judge reads from the log, marked as not tested")
	}
	if rules.Trials == 0 {
		rules.Trials = causes.DefaultCauseRules().Trials
	}
	if rules.Trials < 2 || rules.Trials > 16 {
		return problem.New(problem.Invalid, "cause_trials", "%d trials for each intervention were asked for; 2 to 16 make sense",
			rules.Trials).
			WithHint("4 is the usual number; 2 halves the price and lowers the confidence")
	}
	if rules.Reference == nil {
		rules.Reference = causes.DefaultReference(s.Config)
	} else if *rules.Reference == s.Config.Generate.Model {
		return problem.New(problem.Invalid, "cause_reference_same", "%s is the run's own model: it cannot stand in for a better one",
			rules.Reference).With("field", "reference").WithHint("name another one, or leave --reference out")
	}
	for _, m := range append(slices.Clone(rules.Embedders), modelsOf(rules.Reference)...) {
		if _, err := w.Providers.Provider(m.Provider); err != nil {
			return err
		}
	}
	if rules.Embedders == nil && !s.Config.IsOutside() && s.Config.Embedding.Provider == "offline" {
		for _, name := range slices.Sorted(maps.Keys(offline.Embedders())) {
			if name != s.Config.Embedding.Name {
				rules.Embedders = append(rules.Embedders, rag.Model{Provider: "offline", Name: name})
			}
		}
	}
	return nil
}
