package api

import (
	"cmp"
	"context"
	"encoding/json"
	"io"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/reports"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// ExperimentBody is an experiment as the text of its file, or as its definition. It names registered corpora and datasets, and
// holds prompts as text: no file of the server is read.
type ExperimentBody struct {
	YAML       string         `json:"yaml,omitempty" maxLength:"262144"`
	Definition map[string]any `json:"definition,omitempty" doc:"fields as in the file; sweep as a mapping or as a list of {name, values}"`
}

func (b ExperimentBody) text() (views.ExperimentText, error) {
	if (b.YAML == "") == (b.Definition == nil) {
		return views.ExperimentText{}, requests.Invalid("experiment_missing", "yaml", "send either yaml or definition", "")
	}
	return views.ExperimentText{YAML: b.YAML, Definition: b.Definition}, nil
}

type putExperimentInput struct {
	Name string `path:"name" maxLength:"200"`
	Body ExperimentBody
}

func (s *experimentsAPI) putExperiment(ctx context.Context, in *putExperimentInput) (views.ExperimentDetail, error) {
	t, err := in.Body.text()
	if err == nil {
		_, err = s.views.PutExperiment(ctx, in.Name, t)
	}
	if err != nil {
		return views.ExperimentDetail{}, err
	}
	return s.views.ExperimentNamed(ctx, in.Name)
}

type previewExperimentInput struct {
	Body ExperimentBody
}

// ExperimentPreview is an experiment as it would be registered.
type ExperimentPreview struct {
	Definition experiments.Definition `json:"definition"`
	YAML       string                 `json:"yaml"`
	Doubts     []rag.Doubt            `json:"doubts,omitempty"` // values that are possible and probably not meant
}

func (s *experimentsAPI) previewExperiment(ctx context.Context, in *previewExperimentInput) (ExperimentPreview, error) {
	t, err := in.Body.text()
	if err != nil {
		return ExperimentPreview{}, err
	}
	d, text, err := s.views.Preview(ctx, t)
	if err != nil {
		return ExperimentPreview{Definition: d, YAML: text}, err
	}
	return ExperimentPreview{Definition: d, YAML: text, Doubts: d.Doubts()}, nil
}

type archiveInput struct {
	Name string `path:"name" maxLength:"200"`
	Body struct {
		Archived bool `json:"archived"`
	}
}

func (s *experimentsAPI) archiveExperiment(ctx context.Context, in *archiveInput) (views.ExperimentDetail, error) {
	if err := s.workbench.Store.SetArchived(ctx, in.Name, in.Body.Archived); err != nil {
		return views.ExperimentDetail{}, err
	}
	return s.views.ExperimentNamed(ctx, in.Name)
}

type editQuestionInput struct {
	RefPath
	Question string `path:"question" maxLength:"1000"`
	Body     struct {
		Text       *string   `json:"question,omitempty"`
		Reference  *string   `json:"reference,omitempty"`
		References *[]string `json:"references,omitempty" maxItems:"100"`
		Answerable *bool     `json:"answerable,omitempty"`
		Critical   *bool     `json:"critical,omitempty"`
		Tags       *[]string `json:"tags,omitempty" maxItems:"100"`
	}
}

func (s *datasetsAPI) editQuestion(ctx context.Context, in *editQuestionInput) (experiments.Ref, error) {
	b := in.Body
	return s.views.EditQuestion(ctx, in.Ref, in.Question, views.QuestionEdit{
		Text: b.Text, Reference: b.Reference, References: b.References, Answerable: b.Answerable, Critical: b.Critical, Tags: b.Tags,
	})
}

type datasetPath struct {
	Dataset string `path:"dataset" maxLength:"200"`
}

func (s *datasetsAPI) clearBaseline(ctx context.Context, in *datasetPath) error {
	return s.workbench.Store.ClearBaseline(ctx, in.Dataset)
}

type testEndpointInput struct {
	Name string `path:"name" maxLength:"200"`
	Body struct {
		Question string `json:"question" minLength:"1" maxLength:"4000"`
	}
}

func (s *machineAPI) testEndpoint(ctx context.Context, in *testEndpointInput) (app.EndpointTest, error) {
	return app.TestEndpoint(ctx, s.workbench, in.Name, in.Body.Question)
}

type testProviderInput struct {
	Name string `path:"name" maxLength:"200"`
	Body *struct {
		Model     string `json:"model,omitempty" maxLength:"200"`
		Embedding bool   `json:"embedding,omitempty" doc:"the model embeds"`
	} `required:"false"`
}

func (s *machineAPI) testProvider(ctx context.Context, in *testProviderInput) (views.ProviderTest, error) {
	if in.Body == nil {
		return s.views.TestProvider(ctx, in.Name, "", false)
	}
	return s.views.TestProvider(ctx, in.Name, in.Body.Model, in.Body.Embedding)
}

// GateLimits are the rules of a gate.
type GateLimits struct {
	Min       []string     `query:"min" maxItems:"20" doc:"thresholds of the candidate's means, such as faithfulness >= 0.85"`
	Allowance WrittenShare `query:"allowance" doc:"largest share of answers allowed to be worse, as 0.05 or 5%; default 0.02"`
	Margin    string       `query:"margin" maxLength:"20" default:"auto" doc:"how much of a metric's scale the mean may fall, as 0.05, or auto: by the number of questions"`
}

func (l GateLimits) asked() (reporting.GateAsked, error) {
	return l.Allowance.asked(l.Min, l.Margin)
}

// WrittenShare is a share of 1 as people write it: 0.05 or 5%; empty where nobody said one.
type WrittenShare string

// Schema is what the contract says of it.
func (WrittenShare) Schema(huma.Registry) *huma.Schema {
	least, most, longest := 0.0, 1.0, 20
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeNumber, Minimum: &least, Maximum: &most}, {Type: huma.TypeString, MaxLength: &longest},
	}}
}

// UnmarshalJSON takes a number, or a text.
func (s *WrittenShare) UnmarshalJSON(body []byte) error {
	var written string
	if json.Unmarshal(body, &written) != nil {
		written = string(body)
	}
	*s = WrittenShare(written)
	return nil
}

// asked are limits with this allowance.
func (s WrittenShare) asked(least []string, margin string) (reporting.GateAsked, error) {
	limits := experiments.Limits{Min: least}
	var err, wrong error
	limits.Margin, err = reporting.ParseMargin(margin)
	limits.Allowance, wrong = reporting.ParseAllowance(string(s))
	return askedOnPage(limits), cmp.Or(err, wrong)
}

// askedOnPage are limits that a page, or another client, asks for.
func askedOnPage(l experiments.Limits) reporting.GateAsked {
	return reporting.GateAsked{Limits: l, By: compare.Setter{Where: compare.SetByPage}}
}

// AskedLimits are the rules of a release check in the body of a request; what is absent is as usual.
type AskedLimits struct {
	Min       []string     `json:"min,omitempty" maxItems:"20" doc:"of the release check: thresholds of the candidate's means, such as faithfulness >= 0.85"`
	Margin    string       `json:"margin,omitempty" maxLength:"20" doc:"of the release check: how much of a metric's scale the mean may fall; default auto"`
	Allowance WrittenShare `json:"allowance,omitempty" doc:"of the release check: largest share of answers allowed to be worse, as 0.05 or 5%; default 0.02"`
}

func (l AskedLimits) asked() (reporting.GateAsked, error) {
	return l.Allowance.asked(l.Min, l.Margin)
}

type gateInput struct {
	PairInput
	GateLimits
}

func (s *comparisonsAPI) getGate(ctx context.Context, in *gateInput) (reporting.GateView, error) {
	asked, err := in.asked()
	if err != nil {
		return reporting.GateView{}, err
	}
	return s.views.Gate(ctx, in.Baseline, in.Candidate, asked)
}

type reportInput struct {
	PairInput
	GateLimits
	Lang string `query:"lang" enum:"en,ja,both" default:"en"`
}

// reportFormats are what a report is written as.
var reportFormats = map[string]func(reports.Report, io.Writer) error{
	"xlsx": reports.Report.WriteXLSX, "html": reports.Report.WriteHTML, "md": reports.Report.WriteMarkdown,
	"jsonl": reports.Report.WriteJSONL, "csv": reports.Report.WriteCSV,
}

// reportAs writes the report of a comparison, or of one run without a baseline, in a format.
func (s *comparisonsAPI) reportAs(format string) func(context.Context, *reportInput) (*huma.StreamResponse, error) {
	return func(ctx context.Context, in *reportInput) (*huma.StreamResponse, error) {
		asked, err := in.asked()
		if err != nil {
			return nil, err
		}
		r, err := reporting.Report(ctx, s.workbench, in.Baseline, in.Candidate, in.Lang, s.version, asked)
		if err != nil {
			return nil, err
		}
		return s.log.File("report-"+r.Candidate.Run.ID+"-"+in.Lang, format, func(ctx huma.Context) error {
			return reportFormats[format](r, ctx.BodyWriter())
		}), nil
	}
}
