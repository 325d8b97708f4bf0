package api

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/server/requests"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// ReviewsPath takes filled-in workbooks.
const ReviewsPath = "/reviews"

func (s *agreementsAPI) listAgreements(ctx context.Context, _ *requests.Nothing) (ItemsOf[views.AgreementRow], error) {
	return items(s.views.AgreementRows(ctx))
}

func (s *agreementsAPI) getAgreement(ctx context.Context, in *RefPath) (views.AgreementView, error) {
	return s.views.Agreement(ctx, in.Ref)
}

// AgreementBody is the next version of an agreement. Fields that are left out stay as they are, but for who agreed, when, and on which
// run: those belong to their version.
type AgreementBody struct {
	LowScore *float64                     `json:"low_score,omitempty" doc:"correctness or trust at or below this is a low score: from 1 to below 5"`
	Targets  *[]experiments.Target        `json:"targets,omitempty" maxItems:"500" doc:"replace the old ones"`
	Items    *[]experiments.AgreementItem `json:"items,omitempty" maxItems:"500" doc:"replace the old ones"`
	AgreedBy []string                     `json:"agreed_by" maxItems:"100" doc:"names of those who agreed"`
	AgreedOn *string                      `json:"agreed_on,omitempty" maxLength:"10" doc:"YYYY-MM-DD; default today"`
	Note     *string                      `json:"note,omitempty" maxLength:"20000"`
	Run      *string                      `json:"run,omitempty" maxLength:"200" doc:"the run it was agreed on: id, its beginning, or an experiment's name"`
	BasedOn  *int                         `json:"based_on,omitempty" minimum:"0" doc:"version that was looked at, 0 for none: 409 when there is a newer one"`
}

type putAgreementInput struct {
	RefPath
	Body AgreementBody
}

func (s *agreementsAPI) putAgreement(ctx context.Context, in *putAgreementInput) (views.AgreementView, error) {
	b := in.Body
	return s.views.SetAgreement(ctx, in.Ref, views.AgreementEdit{BasedOn: b.BasedOn, File: experiments.AgreementFile{
		LowScore: b.LowScore, Targets: b.Targets, Items: b.Items, AgreedBy: &b.AgreedBy, AgreedOn: b.AgreedOn, Note: b.Note, Run: b.Run,
	}})
}

type standingInput struct {
	RefPath
	Run string `query:"run" maxLength:"200" doc:"default the newest finished run on the dataset"`
}

func (s *agreementsAPI) getStanding(ctx context.Context, in *standingInput) (views.AgreementStanding, error) {
	return s.views.AgreementStanding(ctx, in.Ref, in.Run)
}

func (s *agreementsAPI) getReviews(ctx context.Context, in *RunPath) (views.ReviewsView, error) {
	return s.views.Reviews(ctx, in.ID)
}

// ReviewBody is what one person says about one answer; at least one thing beside the names.
type ReviewBody struct {
	QuestionID         string `json:"question_id" minLength:"1" maxLength:"1000"`
	Reviewer           string `json:"reviewer" minLength:"1" maxLength:"200" doc:"name"`
	Shown              string `json:"shown,omitempty" maxLength:"64" doc:"digest of what the person saw; default what the run holds now"`
	Verdict            string `json:"verdict,omitempty" enum:"correct,incorrect,unsure"`
	Correctness        *int   `json:"correctness,omitempty" minimum:"1" maximum:"5"`
	Trust              *int   `json:"trust,omitempty" minimum:"1" maximum:"5"`
	Cause              string `json:"cause,omitempty" maxLength:"100" doc:"component-level cause"`
	CorrectedReference string `json:"corrected_reference,omitempty" maxLength:"100000"`
	Action             string `json:"action,omitempty" maxLength:"10000"`
	Priority           string `json:"priority,omitempty" enum:"high,medium,low"`
	Comment            string `json:"comment,omitempty" maxLength:"32000"`
}

type reviewInput struct {
	RunPath
	Body ReviewBody
}

func (s *agreementsAPI) postReview(ctx context.Context, in *reviewInput) (reviews.ImportedReviews, error) {
	b := in.Body
	return s.views.Review(ctx, in.ID, experiments.Review{
		QuestionID: b.QuestionID, Reviewer: strings.TrimSpace(b.Reviewer), Shown: b.Shown, Verdict: experiments.Verdict(b.Verdict),
		Correctness: b.Correctness,
		Trust:       b.Trust, Cause: b.Cause, CorrectedReference: b.CorrectedReference, Action: b.Action,
		Priority: experiments.Priority(b.Priority), Comment: b.Comment,
	})
}

// The fields of the form with reviews, beside its file.
const (
	reviewerField   = "reviewer"
	dryRunField     = "dry_run"
	referencesField = "apply_references"
)

// importReviews reads a filled-in workbook in another process, and merges it with what is stored, or tells what that would do.
func (s *agreementsAPI) importReviews(ctx context.Context, in *formInput) (reviews.ImportedReviews, error) {
	up, err := s.uploads.Receive(in.writer, in.request)
	if err != nil {
		return reviews.ImportedReviews{}, err
	}
	defer up.Remove()
	how, err := reviewImportOf(up)
	if err != nil {
		return reviews.ImportedReviews{}, err
	}
	if s.parser == nil {
		return reviews.ImportedReviews{}, problem.New(problem.Unavailable, "upload_parser", "this server reads no uploads").
			WithHint("import the file with `workbench import-review`")
	}
	read, err := s.parser(ctx, up.Dir, uploads.Request{Kind: uploads.Reviews, Path: filepath.Join(requests.FilesFolder, up.Files[0])})
	if err == nil && read.Problem != nil {
		err = read.Problem
	}
	if err != nil {
		return reviews.ImportedReviews{}, err
	}
	return s.views.KeepReviews(ctx, read, how)
}

func reviewImportOf(up *requests.Upload) (reviews.ReviewImport, error) {
	if len(up.Files) != 1 {
		return reviews.ReviewImport{}, requests.Invalid("upload_files", "file", "reviews are one workbook", "send it in the field file")
	}
	flags := map[string]bool{}
	for name, value := range up.Fields {
		switch name {
		case reviewerField:
			if len(value) > 200 {
				return reviews.ReviewImport{}, requests.Invalid("upload_field", name, "the name is longer than 200 bytes", "")
			}
		case dryRunField, referencesField:
			if value != "" && value != "true" && value != "false" {
				return reviews.ReviewImport{}, requests.Invalid("upload_field", name, name+" is neither true nor false", "")
			}
			flags[name] = value == "true"
		default:
			return reviews.ReviewImport{}, requests.Invalid("upload_field", name, "the form has no field of this name",
				"it takes file, reviewer, dry_run and apply_references")
		}
	}
	return reviews.ReviewImport{Reviewer: strings.TrimSpace(up.Fields[reviewerField]), Apply: !flags[dryRunField],
		References: flags[referencesField] && !flags[dryRunField]}, nil
}

// describeReviews gives the contract the fields of the form with reviews, which are not those of the other forms.
func describeReviews(r *requests.Router) {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	r.Api.OpenAPI().Paths[ReviewsPath].Post.RequestBody = &huma.RequestBody{Required: true,
		Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"file"}, Properties: map[string]*huma.Schema{
				"file":          {Type: huma.TypeString, Format: "binary", Description: "workbook of a report, filled in"},
				reviewerField:   text("whose rows they are that name nobody"),
				dryRunField:     text("true only tells what would happen"),
				referencesField: text("true also makes the next version of the dataset, with the corrected references"),
			},
		}}}}
}
