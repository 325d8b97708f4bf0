package validations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Validation says how a judge is validated. Zero fields take the default.
type Validation struct {
	Judge      string   // provider/model; default the offline judge
	Items      string   // folder or file of items or of labelled data; default items of the demo's help centre
	N          int      // items at most; default 50
	Replicates int      // of J1; default 3
	Protocols  []string // default all; none where Items holds labelled data only
	Budget     experiments.Budget
	Tell       func(stage string, done, total int) // how far it is; may be nil
}

// ValidateJudge measures a judge and stores its card. What it buys is booked to a run of kind validate, under its budget; a reply
// that was bought before is not bought again, so repeating it, or going on after an interruption, costs only what is missing.
func ValidateJudge(ctx context.Context, w *app.Workbench, v Validation) (card validation.JudgeCard, err error) {
	e, m, err := examinationOf(w, &v)
	if err != nil {
		return card, err
	}
	err = measured(ctx, w, e, v.Budget, &card, func(ctx context.Context) (err error) {
		card, err = e.examine(ctx, m, v)
		return err
	})
	return card, err
}

// measured measures a judge, notes on the card what that came to, and keeps the card.
func measured(ctx context.Context, w *app.Workbench, e *examination, budget experiments.Budget, card *validation.JudgeCard,
	measure func(context.Context) error) error {
	started := w.Options.Now()
	run, err := analyses.Booked(ctx, w, experiments.Run{Kind: experiments.KindValidate, Setup: e.setup, Budget: budget},
		func(ctx context.Context, stop <-chan struct{}) error {
			e.runID, e.stop = llm.ScopeOf(ctx).RunID, stop
			heard, unheard := llm.WithUnheard(ctx)
			if err := measure(heard); err != nil {
				return err
			}
			return notRecorded(unheard())
		})
	if err != nil {
		return err
	}
	spent, err := w.Store.Spent(ctx, run.ID)
	if err != nil {
		return err
	}
	card.RunID, card.Calls, card.CostMicros = run.ID, spent.Calls, spent.ConfirmedMicros+spent.PossibleMicros
	card.Seconds = w.Options.Now().Sub(started).Seconds()
	return keepCard(ctx, w, *card)
}

// notRecorded is the problem of a measurement of which some replies are still to be recorded: half of one is none.
func notRecorded(requests int) error {
	if requests == 0 {
		return nil
	}
	return problem.New(problem.Incomplete, llm.CauseNotRecorded,
		"%d requests of this measurement wait for a reply; nothing was put on the card",
		requests).With("requests", requests).WithHint("answer what waits (`workbench record --help`), then give the same command again")
}

// keepCard stores a card, together with what an older one of the same judge and prompts has measured besides.
func keepCard(ctx context.Context, w *app.Workbench, card validation.JudgeCard) error {
	older, err := w.Whole.JudgeCard(ctx, card.Judge, card.PromptVersion)
	switch {
	case err == nil:
		card = card.After(older)
	case !problem.Is(err, problem.NotFound):
		return err
	}
	return w.Whole.PutJudgeCard(ctx, card)
}

// PlanValidation says what validating would ask for and what is known already, and buys nothing. What depends on replies that
// would have to be bought is guessed.
func PlanValidation(ctx context.Context, w *app.Workbench, v Validation) (app.Plan, error) {
	questions := 0
	plan, err := w.Planned(ctx, "", func(t *app.Tally) error {
		e, m, err := examinationOf(w, &v)
		if err != nil {
			return err
		}
		questions = len(m.items)
		for _, set := range m.sets {
			questions += len(set.Items)
		}
		e.providers, e.guess = t, true
		_, err = e.examine(ctx, m, v)
		return err
	})
	plan.Questions = questions
	return plan, err
}

// JudgeCard returns the newest card of a judge, "" meaning the offline one. current says whether it was measured with the prompts
// of this program.
func JudgeCard(ctx context.Context, w *app.Workbench, name string) (card validation.JudgeCard, current bool, err error) {
	judge, err := app.JudgeConfigOf(name)
	if err != nil {
		return card, false, err
	}
	card, err = w.Whole.JudgeCard(ctx, judge.String(), judge.PromptVersion())
	if err == nil {
		return card, true, nil
	}
	if problem.Is(err, problem.NotFound) {
		card, err = w.Whole.JudgeCard(ctx, judge.String(), "")
	}
	return card, false, err
}

// CardOfRun is [CardOf] of the judge that scored a run; there is none where other tools scored it.
func CardOfRun(ctx context.Context, w *app.Workbench, run experiments.Run) (validation.JudgeCard, bool, error) {
	if len(run.Setup.Tools()) > 0 {
		return validation.JudgeCard{}, false, nil
	}
	return CardOf(ctx, w, run.Setup.Judge)
}

// CardOf returns the card in force of the judge of a run, if it has been validated with the prompts that the run has.
func CardOf(ctx context.Context, w *app.Workbench, judge metrics.JudgeConfig) (validation.JudgeCard, bool, error) {
	card, err := w.Whole.JudgeCard(ctx, judge.String(), judge.PromptVersion())
	if problem.Is(err, problem.NotFound) {
		return card, false, nil
	}
	return card, err == nil, err
}

// examinationOf reads what is to be judged and readies everything that asks.
func examinationOf(w *app.Workbench, v *Validation) (*examination, material, error) {
	judge, err := app.JudgeConfigOf(v.Judge)
	if err != nil {
		return nil, material{}, err
	}
	if v.N == 0 {
		v.N = 50
	}
	if v.Replicates == 0 {
		v.Replicates = 3
	}
	if v.N < 2 || v.Replicates < 1 || v.Replicates > 10 {
		return nil, material{}, problem.New(problem.Invalid, "validation_size", "%d items and %d replicates cannot validate a judge", v.N,
			v.Replicates).
			WithHint("at least 2 items, and 1 to 10 replicates")
	}
	for _, p := range v.Protocols {
		if !slices.Contains(validation.Protocols(), p) {
			return nil, material{}, problem.New(problem.Invalid, "protocol_unknown", "there is no protocol %q", p).
				WithHint("protocols: %s", strings.Join(validation.Protocols(), ", "))
		}
	}
	m, err := materialOf(w, v.Items, v.N, len(v.Protocols) > 0)
	if err != nil {
		return nil, m, err
	}
	if len(v.Protocols) == 0 && len(m.items) > 0 {
		v.Protocols = validation.Protocols()
	}
	e, err := examiner(w, judge, v.Tell, "trust", "correctness", "faithfulness", "answer_relevancy", "context_precision_share")
	return e, m, err
}

// examiner readies what asks a judge for some metrics.
func examiner(w *app.Workbench, judge metrics.JudgeConfig, tell func(stage string, done, total int),
	names ...string) (*examination, error) {
	e := &examination{workbench: w, judge: judge, providers: w.Providers, suites: map[string]*metrics.Suite{},
		stages: &app.Memory{}, tell: tell}
	provider, err := w.Providers.Provider(judge.Provider)
	if err != nil {
		return nil, err
	}
	e.info = provider.Info()
	specs, err := metrics.Resolve(names)
	e.setup = experiments.Setup{
		Experiment: "validate-judge", Judge: judge, Suite: specs, Offline: judge.Provider == "offline", Settled: e.info.Deterministic,
	}
	e.setup = e.setup.Versioned()
	e.concurrency = w.Concurrency(e.setup)
	return e, err
}

func nothingToJudge(path string) error {
	return problem.New(problem.Invalid, "items_unknown", "%s holds neither items nor labelled data that this program knows", path).
		With("path", path).WithHint("%s", itemsHint)
}

const itemsHint = "a JSONL file with question, answer, context_v1, context_v2, ungrounded_answer, poor_answer; a folder in the layout of WikiEval; " +
	"or labelled data: context+response+human.attribution, right_answer+hallucinated_answer, response_a+response_b, premise+hypothesis+label, or items, tasks and contexts with ratings"

func describe(v Validation, m material) string {
	if v.Items == "" {
		return "demo"
	}
	return fmt.Sprintf("%s (%s)", v.Items, m.source)
}
