package api

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

type askInput struct {
	Body struct {
		Experiment string `json:"experiment" minLength:"1" maxLength:"200"`
		Question   string `json:"question" minLength:"1" maxLength:"100000"`
	}
}

// ask answers one question with an experiment's base configuration and scores the answer.
func (s *machineAPI) ask(ctx context.Context, in *askInput) (app.Asked, error) {
	e, err := s.workbench.Store.Experiment(ctx, in.Body.Experiment)
	if err != nil {
		return app.Asked{}, err
	}
	return s.workbench.Ask(ctx, e, in.Body.Question)
}

// Checked is what the doctor found.
type Checked struct {
	Items []doctor.Finding `json:"items"`                                             // must not be so
	Notes []doctor.Finding `json:"notes" doc:"worth knowing, while nothing is wrong"` // differences that are no findings
}

func (s *machineAPI) doctor(ctx context.Context, _ *requests.Nothing) (Checked, error) {
	report, err := checkup.Check(ctx, checkup.Of(s.workbench, s.version))
	return Checked{app.NonNil(report.Findings), app.NonNil(report.Notes)}, err
}

func (s *datasetsAPI) listTaxonomies(ctx context.Context, in *RefPath) (ItemsOf[experiments.Taxonomy], error) {
	dataset, err := s.workbench.Store.Dataset(ctx, in.Ref)
	if err != nil {
		return ItemsOf[experiments.Taxonomy]{}, err
	}
	return items(analyses.Taxonomies(ctx, s.workbench, dataset.Name))
}

type taxonomyInput struct {
	RefPath
	Taxonomy string `path:"taxonomy" maxLength:"60" doc:"id, such as theme"`
	Body     experiments.Taxonomy
}

// putTaxonomy locks an edited taxonomy for the questions of a dataset name.
func (s *datasetsAPI) putTaxonomy(ctx context.Context, in *taxonomyInput) (experiments.Taxonomy, error) {
	if in.Body.ID != in.Taxonomy {
		return in.Body, requests.Invalid("taxonomy_id", "id", "the taxonomy is called "+in.Body.ID+", the address says "+in.Taxonomy,
			"write the same id in both")
	}
	dataset, err := s.workbench.Store.Dataset(ctx, in.Ref)
	if err != nil {
		return in.Body, err
	}
	return analyses.PutTaxonomy(ctx, s.workbench, dataset.Name, in.Body)
}

type recommendationInput struct {
	RunPath
	Nth int `path:"nth" minimum:"1" maximum:"1000" doc:"1 is the first"`
}

// Recommended is a change as an experiment, ready to be run and compared.
type Recommended struct {
	Experiment     experiments.Experiment `json:"experiment"`
	Recommendation causes.Recommendation  `json:"recommendation"`
}

func (s *causesAPI) applyRecommendation(ctx context.Context, in *recommendationInput) (Recommended, error) {
	e, change, err := analyses.RepairExperiment(ctx, s.workbench, in.ID, in.Nth)
	return Recommended{e, change}, err
}

type validateJudgeInput struct {
	Body struct {
		Judge     string   `json:"judge,omitempty" maxLength:"200" doc:"provider/model; default the offline judge"`
		Items     int      `json:"items,omitempty" minimum:"0" maximum:"1000" doc:"of the demo's help centre; default 50"`
		Protocols []string `json:"protocols,omitempty" maxItems:"20"`
		Budget    string   `json:"budget,omitempty" maxLength:"40"`
		Plan      bool     `json:"plan,omitempty" doc:"only say what it would buy"`
	}
}

// Validating is the plan of a validation, and the job once it is under way.
type Validating struct {
	Plan app.Plan `json:"plan"`
	Job  *Job     `json:"job,omitempty"`
}

func (s *machineAPI) validateJudge(ctx context.Context, in *validateJudgeInput) (Validating, error) {
	budget, err := budgetOf(in.Body.Budget)
	if err != nil {
		return Validating{}, err
	}
	v := validations.Validation{Judge: in.Body.Judge, N: in.Body.Items, Protocols: in.Body.Protocols, Budget: budget}
	plan, err := validations.PlanValidation(ctx, s.workbench, v)
	if plan.Stages == nil {
		plan.Stages = []app.StagePlan{}
	}
	if err != nil || requests.OnlyPlans(ctx, in.Body.Plan) {
		return Validating{Plan: plan}, err
	}
	started, err := job(views.ValidateJudge(s.work, v))
	return Validating{Plan: plan, Job: &started}, err
}

// exportStudy writes a run with everything it rests on into a file, and sends that.
func (s *runsAPI) exportStudy(ctx context.Context, in *RunPath) (*huma.StreamResponse, error) {
	dir, err := os.MkdirTemp(s.tempDir, "study")
	if err != nil {
		return nil, problem.New(problem.Unavailable, "study_space", "there is no room for the file").Because(err)
	}
	path := filepath.Join(dir, "study.zip")
	if _, err := archive.Export(ctx, s.workbench, path, s.version, in.ID); err != nil {
		_ = os.RemoveAll(dir) // the folder of temporary files is emptied by the system at the latest
		return nil, err
	}
	return s.log.File("study-"+in.ID, "zip", func(w huma.Context) error {
		defer func() { _ = os.RemoveAll(dir) }()
		f, err := os.Open(path) //nolint:gosec // made above
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		_, err = io.Copy(w.BodyWriter(), f)
		return err
	}), nil
}
