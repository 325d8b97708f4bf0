package views

import (
	"context"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// runIndex is what analyses say of the questions of a run.
type runIndex struct {
	analyses.Analyses
	diagnoses map[string]causes.Diagnosis
	labels    map[string]experiments.QuestionLabels
	themes    map[string]listing.Word // names of the themes of the dataset, by id
}

// analysesNames names the analyses that serve a run, so that views of it are made again when a newer one has finished.
func (v *runViews) analysesNames(ctx context.Context, run experiments.Run) ([]string, error) {
	diagnose, questions, err := analyses.AnalysisRuns(ctx, v.w, run)
	var ids []string
	for _, r := range []*experiments.Run{diagnose, questions} {
		if r != nil {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// knownOf reads what analyses say of the questions of a run.
func (v *runViews) knownOf(ctx context.Context, e experiments.Evaluation) (runIndex, error) {
	k := runIndex{diagnoses: map[string]causes.Diagnosis{}, labels: map[string]experiments.QuestionLabels{},
		themes: map[string]listing.Word{
			experiments.OtherLabel: {Code: experiments.OtherLabel, EN: "Other", JA: "その他"},
		}}
	taxonomies, err := analyses.Taxonomies(ctx, v.w, e.Run.Setup.Dataset.Name)
	if err != nil {
		return k, err
	}
	for _, t := range taxonomies {
		if t.ID != experiments.ThemeTaxonomy {
			continue
		}
		for _, l := range t.Labels {
			k.themes[l.ID] = listing.Word{Code: l.ID, EN: l.EN, JA: l.JA}
		}
	}
	if k.Analyses, err = analyses.AnalysesOf(ctx, v.w, e); err != nil {
		return k, err
	}
	if k.Causes != nil {
		for _, d := range k.Causes.Diagnoses {
			k.diagnoses[d.QuestionID] = d
		}
	}
	if k.Questions != nil {
		for _, l := range k.Questions.Questions {
			k.labels[l.QuestionID] = l
		}
	}
	return k, nil
}

// label puts what analyses say of a question on its row. What the dataset itself says stays where they say nothing.
func (k runIndex) label(row *QuestionRow) {
	if l, ok := k.labels[row.QuestionID]; ok {
		row.Category, row.Theme, row.Keywords = string(l.Category), l.Theme, l.Keywords
	}
	row.ThemeName = k.theme(row.Theme)
	if row.Theme != "" {
		_, analysed := k.labels[row.QuestionID]
		by := findings.ClassifiedBy(!analysed, analysed)
		row.ThemeBy = &by
	}
	if d, ok := k.diagnoses[row.QuestionID]; ok && row.Low {
		row.Cause = string(d.Component)
	}
}

// theme is the name of a theme; nil where it has none but its id.
func (k runIndex) theme(id string) *listing.Word {
	if w, ok := k.themes[id]; ok {
		return &w
	}
	return nil
}

// method is how the causes of a run were found; "" without a diagnosis.
func (k runIndex) method() string {
	if k.Causes == nil {
		return ""
	}
	return string(k.Causes.Method)
}

// CauseView is a diagnosis with its drawing.
type CauseView struct {
	causes.CauseReport
	Chart *charts.Plan `json:"chart,omitempty"` // what configurations repair against what they cost; absent below two
}

// Causes sums up the newest diagnosis of a run. NotFound where there is none.
func (v *runViews) Causes(ctx context.Context, name string) (CauseView, error) {
	run, err := v.finished(ctx, name)
	if err != nil {
		return CauseView{}, err
	}
	l, err := v.evaluation(ctx, run)
	if err != nil {
		return CauseView{}, err
	}
	if l.known.Causes == nil {
		return CauseView{}, analyses.NoCauses(run.ID)
	}
	report, err := analyses.CausesOf(ctx, v.w, l.Evaluation, "")
	if err != nil {
		return CauseView{}, err
	}
	plan, err := findings.Curve(report.Curve)
	return CauseView{report, plan}, err
}

// CauseTable is the causes of two runs side by side, found by the same method: tested and observed causes are never counted together.
type CauseTable struct {
	Methods [2]string            `json:"methods"` // tested or observed, twice the same
	Changes []causes.CauseChange `json:"changes"` // cause × category, before and after
	Moves   []causes.CauseMove   `json:"moves"`
}

// causeTable is nil unless both runs were diagnosed by the same method.
func (c *compared) causeTable() *CauseTable {
	before, after := c.both[0].known, c.both[1].known
	if before.Causes == nil || before.method() != after.method() {
		return nil
	}
	reports := [2]causes.CauseReport{*before.Causes, *after.Causes}
	return &CauseTable{
		Methods: [2]string{before.method(), after.method()}, Changes: causes.CauseChanges(reports[0], reports[1], after.labels),
		Moves: causes.CauseMoves(c.both[0].Evaluation, c.both[1].Evaluation, reports[0], reports[1]),
	}
}

// QuestionReport is what is known of the questions of a run.
func (v *runViews) QuestionReport(ctx context.Context, name string) (questions.QuestionReport, error) {
	run, err := v.find(ctx, name)
	if err != nil {
		return questions.QuestionReport{}, err
	}
	return analyses.QuestionReport(ctx, v.w, run.ID)
}

// PlanDiagnose says what diagnosing a run would look into.
func PlanDiagnose(ctx context.Context, b *jobs.Background, name string, rules analyses.DiagnoseRules) (analyses.DiagnosePlan, error) {
	return analyses.PlanDiagnose(ctx, b.W, name, rules)
}

// Diagnose looks for the causes of a run's low scores in the background. Under a key that was used before it returns the job of then.
func Diagnose(ctx context.Context, b *jobs.Background, plan analyses.DiagnosePlan, rules analyses.DiagnoseRules,
	key string) (jobs.Work, error) {
	request := []any{plan.RunID, rules.Method, rules.Budget, rules.Select}
	return b.WorkOnce(ctx, "diagnose", key, request, func(context.Context) (jobs.Work, error) { return diagnose(b, plan, rules, request) })
}

func diagnose(b *jobs.Background, plan analyses.DiagnosePlan, rules analyses.DiagnoseRules, request any) (jobs.Work, error) {
	rules.Method = plan.Method
	return b.Begin("diagnose", jobs.WorkID("diagnose", plan.RunID, string(plan.Method)), request,
		func(ctx context.Context, change func(func(*jobs.Work))) error {
			change(func(w *jobs.Work) { w.Total = plan.LowScores })
			run, err := analyses.Diagnose(ctx, b.W, plan.RunID, rules)
			change(ended(run, err))
			return err
		})
}

// ended notes the run that work made and, where it came to its end, that all is done.
func ended(run experiments.Run, err error) func(*jobs.Work) {
	return func(w *jobs.Work) {
		if run.ID != "" {
			w.Runs = append(w.Runs, run.ID)
		}
		if err == nil {
			w.Done = w.Total
		}
	}
}

// TryRecommendations tries the recommended configurations of a diagnosed run in the background. Under a key that was used before it
// returns the job of then.
func TryRecommendations(ctx context.Context, b *jobs.Background, plan analyses.TrialPlan, budget experiments.Budget,
	key string) (jobs.Work, error) {
	request := []any{plan.RunID, plan.DiagnoseID, budget}
	return b.WorkOnce(ctx, "try", key, request, func(context.Context) (jobs.Work, error) {
		return b.Begin("try", jobs.WorkID("try", plan.DiagnoseID), request,
			func(ctx context.Context, change func(func(*jobs.Work))) error {
				change(func(w *jobs.Work) { w.Total = plan.Configurations })
				run, err := analyses.TryRecommendations(ctx, b.W, plan.RunID, budget)
				change(ended(run, err))
				return err
			})
	})
}

// PlanQuestions says what analysing the questions of a run or dataset would buy.
func PlanQuestions(ctx context.Context, b *jobs.Background, name string, rules analyses.QuestionRules) (app.Plan, error) {
	plan, err := analyses.PlanQuestions(ctx, b.W, name, rules)
	if plan.Stages == nil {
		plan.Stages = []app.StagePlan{}
	}
	return plan, err
}

// AnalyseQuestions analyses the questions of a run or dataset in the background. Under a key that was used before it returns the
// job of then.
func AnalyseQuestions(ctx context.Context, b *jobs.Background, name string, rules analyses.QuestionRules, key string) (jobs.Work, error) {
	begin := func(context.Context) (jobs.Work, error) {
		request := map[string]any{"name": name, "budget": rules.Budget}
		return b.Begin("questions", jobs.WorkID("questions", name), request,
			func(ctx context.Context, change func(func(*jobs.Work))) error {
				run, err := analyses.AnalyseQuestions(ctx, b.W, name, rules)
				change(func(w *jobs.Work) {
					if run.ID != "" {
						w.Runs = append(w.Runs, run.ID)
					}
				})
				return err
			})
	}
	return b.WorkOnce(ctx, "questions "+name, key, rules.Budget, begin)
}
