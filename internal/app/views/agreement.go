package views

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// AgreementRow is an agreement in a list: the newest version of a dataset's.
type AgreementRow struct {
	Dataset    string    `json:"dataset"`
	Version    int       `json:"version"`
	LowScore   float64   `json:"low_score"`
	Targets    int       `json:"targets"`
	Items      int       `json:"items"`
	OutOfScope int       `json:"out_of_scope"` // of the items
	AgreedBy   []string  `json:"agreed_by"`
	AgreedOn   string    `json:"agreed_on"`          // YYYY-MM-DD
	NextDue    string    `json:"next_due,omitempty"` // the earliest date of a target or item that is not out of scope, past or not
	At         time.Time `json:"at"`
}

// AgreementView is everything that was agreed about a dataset, and what the next version may be about.
type AgreementView struct {
	Dataset    string                  `json:"dataset"`
	Newest     *experiments.Agreement  `json:"newest,omitempty"` // nil when nothing was agreed
	History    []experiments.Agreement `json:"history"`          // every version, the newest first
	Themes     []string                `json:"themes"`           // of the dataset's tags and of the newest question analysis, sorted
	Categories []string                `json:"categories"`
	Components []string                `json:"components"` // component-level causes that an item may name
}

// AgreementStanding is where a run stands against what was agreed.
type AgreementStanding struct {
	Progress       progress.AgreementProgress `json:"progress"`
	Run            app.RunRow                 `json:"run"`
	Today          string                     `json:"today"` // YYYY-MM-DD
	Met            int                        `json:"met"`
	Missed         int                        `json:"missed"`
	NotMeasured    int                        `json:"not_measured"`
	OverdueTargets []int                      `json:"overdue_targets"` // places in progress.targets, from 0
	OverdueItems   []int                      `json:"overdue_items"`   // places in progress.items, from 0
}

// ReviewsView is what people say about the answers of a run, beside its judge.
type ReviewsView struct {
	Figures progress.ReviewFigures `json:"figures"`
	Accepts []JudgeAcceptance      `json:"accepts"` // empty where fewer than ten answers tell
}

// JudgeAcceptance says whether the judge may stand for people on one thing.
type JudgeAcceptance struct {
	Of string `json:"of"` // "verdict", "correctness" or "trust"
	OK bool   `json:"ok"`
}

// AgreementRows lists the newest agreement of every dataset that has one.
func (v *libraryViews) AgreementRows(ctx context.Context) ([]AgreementRow, error) {
	all, err := reviews.Agreements(ctx, v.w, "")
	if err != nil {
		return nil, err
	}
	var out []AgreementRow
	for _, a := range all { // by dataset, the newest first
		if len(out) > 0 && out[len(out)-1].Dataset == a.Dataset {
			continue
		}
		out = append(out, agreementRowOf(a))
	}
	return out, nil
}

func agreementRowOf(a experiments.Agreement) AgreementRow {
	row := AgreementRow{
		Dataset: a.Dataset, Version: a.Version, LowScore: a.LowScore, Targets: len(a.Targets), Items: len(a.Items),
		AgreedBy: app.NonNil(a.AgreedBy), AgreedOn: a.AgreedOn, At: a.At,
	}
	soonest := func(due string) {
		if due != "" && (row.NextDue == "" || due < row.NextDue) { // dates sort as texts
			row.NextDue = due
		}
	}
	for _, t := range a.Targets {
		soonest(t.Due)
	}
	for _, item := range a.Items {
		if item.OutOfScope {
			row.OutOfScope++
			continue
		}
		soonest(item.Due)
	}
	return row
}

// Agreement returns what was agreed about a dataset, all versions. NotFound when there is no such dataset.
func (v *libraryViews) Agreement(ctx context.Context, ref string) (AgreementView, error) {
	set, err := v.w.Store.Dataset(ctx, app.NameOnly(ref))
	if err != nil {
		return AgreementView{}, err
	}
	history, err := reviews.Agreements(ctx, v.w, set.Name)
	if err != nil {
		return AgreementView{}, err
	}
	out := AgreementView{Dataset: set.Name, History: history, Themes: []string{}, Categories: []string{}, Components: []string{}}
	if len(history) > 0 {
		out.Newest = &history[0]
	} else {
		out.History = []experiments.Agreement{}
	}
	for _, c := range causes.Components() {
		out.Components = append(out.Components, string(c))
	}
	return out, v.groupsOf(ctx, set, &out)
}

// groupsOf names the themes and categories that targets and items may be about.
func (v *libraryViews) groupsOf(ctx context.Context, set *experiments.Dataset, out *AgreementView) error {
	for _, q := range set.Questions {
		for _, tag := range q.Tags {
			if theme, ok := strings.CutPrefix(tag, "theme:"); ok {
				out.Themes = append(out.Themes, theme)
			}
		}
	}
	out.Categories = reviews.Categories(set)
	run, err := reviews.NewestOn(ctx, v.w, set.Name)
	if err == nil {
		var questions questions.QuestionReport
		questions, err = analyses.QuestionReport(ctx, v.w, run.ID)
		for _, l := range questions.Questions {
			out.Themes = append(out.Themes, l.Theme, l.SecondTheme)
		}
	}
	slices.Sort(out.Themes)
	out.Themes = slices.DeleteFunc(slices.Compact(out.Themes), func(s string) bool { return s == "" })
	if problem.Is(err, problem.NotFound) { // no run yet, or no analysis of its questions
		return nil
	}
	return err
}

// AgreementEdit is a new version as a person sends it.
type AgreementEdit struct {
	File    experiments.AgreementFile
	BasedOn *int // the version that the person looked at, 0 for none; nil does not ask
}

// SetAgreement records the next version of a dataset's agreement. A Conflict says that somebody else has recorded one since the version
// that the edit is based on.
func (v *libraryViews) SetAgreement(ctx context.Context, ref string, edit AgreementEdit) (AgreementView, error) {
	name := app.NameOnly(ref)
	if edit.BasedOn != nil {
		newest, err := reviews.Agreement(ctx, v.w, name)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return AgreementView{}, err
		}
		if newest.Version != *edit.BasedOn {
			return AgreementView{}, problem.New(problem.Conflict, "agreement_newer",
				"the agreement about %s has version %d by now; this edit started from version %d", name, newest.Version, *edit.BasedOn).
				With("dataset", name).With("version", newest.Version).With("based_on", *edit.BasedOn).
				WithHint("look at the newer version, and make the change there")
		}
	}
	if _, _, err := reviews.SetAgreement(ctx, v.w, name, reviews.AgreementChange{File: edit.File}); err != nil {
		return AgreementView{}, err
	}
	return v.Agreement(ctx, name)
}

// AgreementStanding sets a run beside what was agreed; run "" is the newest finished one on the dataset. NotFound when there is none.
func (v *libraryViews) AgreementStanding(ctx context.Context, ref, run string) (AgreementStanding, error) {
	name := app.NameOnly(ref)
	if _, err := v.w.Store.Dataset(ctx, name); err != nil {
		return AgreementStanding{}, err
	}
	progress, err := reviews.AgreementProgress(ctx, v.w, name, run)
	if err != nil {
		return AgreementStanding{}, err
	}
	measured, err := v.runs().Run(ctx, progress.RunID)
	if err != nil {
		return AgreementStanding{}, err
	}
	progress.Agreement.AgreedBy = app.NonNil(progress.Agreement.AgreedBy)
	out := AgreementStanding{
		Progress: progress, Run: measured.Row, Today: v.w.Options.Now().
				Format(time.DateOnly), OverdueTargets: []int{}, OverdueItems: []int{},
	}
	out.Met, out.Missed, out.NotMeasured = progress.Met()
	for i, t := range progress.Targets {
		if t.Overdue(out.Today) {
			out.OverdueTargets = append(out.OverdueTargets, i)
		}
	}
	for i, item := range progress.Items {
		if item.Overdue(out.Today) {
			out.OverdueItems = append(out.OverdueItems, i)
		}
	}
	return out, nil
}

// Reviews returns what people say about a finished run's answers, beside its judge.
func (v *libraryViews) Reviews(ctx context.Context, run string) (ReviewsView, error) {
	f, err := reviews.ReviewFigures(ctx, v.w, run)
	if err != nil {
		return ReviewsView{}, err
	}
	if f.Judge == nil {
		f.Judge = []progress.RaterFigures{}
	}
	if f.People == nil {
		f.People = []progress.RaterFigures{}
	}
	out := ReviewsView{Figures: f, Accepts: []JudgeAcceptance{}}
	for _, r := range f.Judge {
		if ok, known := f.Accepts(r.Of); known {
			out.Accepts = append(out.Accepts, JudgeAcceptance{Of: r.Of, OK: ok})
		}
	}
	return out, nil
}

// KeepReviews merges an uploaded workbook with what is stored, as [reviews.ImportReviews] does with a file of this machine.
func (v *libraryViews) KeepReviews(ctx context.Context, u uploads.Upload, o reviews.ReviewImport) (reviews.ImportedReviews, error) {
	if u.Reviews == nil {
		return reviews.ImportedReviews{}, problem.New(problem.Internal, "upload_reviews", "the upload was not read as reviews")
	}
	return reviews.MergeReviews(ctx, v.w, *u.Reviews, o)
}

// Review stores what one person says about one answer. Shown "" stands for what the run holds now. A review that cannot be taken is a
// Conflict with its reason.
func (v *libraryViews) Review(ctx context.Context, run string, r experiments.Review) (reviews.ImportedReviews, error) {
	if err := checkReview(r); err != nil {
		return reviews.ImportedReviews{}, err
	}
	e, err := v.w.Evaluation(ctx, run)
	if err != nil {
		return reviews.ImportedReviews{}, err
	}
	r.RunID = e.Run.ID
	if r.Shown == "" {
		r.Shown = shownOf(e, r.QuestionID)
	}
	done, err := reviews.MergeReviews(ctx, v.w, reviewform.File{Sheets: []string{}, Rows: []reviewform.Row{{Review: r}}},
		reviews.ReviewImport{Apply: true})
	if err != nil || done.LeftOut == 0 {
		return done, err
	}
	c := done.Conflicts[0]
	kind := problem.Conflict
	if c.Code == reviews.QuestionUnknown {
		kind = problem.NotFound
	}
	return done, problem.New(kind, "review_"+string(c.Code), "the review was not taken: %s", c.Message).With("run", r.RunID).
		With("question", r.QuestionID).
		WithHint("look at the answer again; to say something anew, change any field, such as the comment")
}

// shownOf is the digest of what a run holds of a question; "" where it did not ask it.
func shownOf(e experiments.Evaluation, question string) string {
	for i, res := range e.Results {
		if res.QuestionID == question {
			return experiments.ShownDigest(e.Questions[i], res) // the first vote stands for the question
		}
	}
	return ""
}

// checkReview refuses what no drop-down of a workbook offers.
func checkReview(r experiments.Review) error {
	wrong := func(field, message, hint string, args ...any) error {
		return problem.New(problem.Invalid, "review_field", message, args...).With("field", field).WithHint("%s", hint)
	}
	level := func(v *int) bool { return v == nil || *v >= 1 && *v <= 5 }
	var components []string
	for _, c := range causes.Components() {
		components = append(components, string(c))
	}
	switch {
	case strings.TrimSpace(r.Reviewer) == "":
		return wrong("reviewer", "the review does not say whose it is", "send a name in reviewer")
	case r.Empty():
		return wrong("verdict", "the review says nothing",
			"send at least one of verdict, correctness, trust, cause, corrected_reference, action, priority and comment")
	case r.Verdict != "" && !slices.Contains(experiments.Verdicts(), r.Verdict):
		return wrong("verdict", "%s is no verdict", "use correct, incorrect or unsure", r.Verdict)
	case !level(r.Correctness):
		return wrong("correctness", "correctness is %d", "use 1 to 5", *r.Correctness)
	case !level(r.Trust):
		return wrong("trust", "trust is %d", "use 1 to 5", *r.Trust)
	case r.Cause != "" && !slices.Contains(components, r.Cause):
		return wrong("cause", "%s is no cause", "use one of "+strings.Join(components, ", "), r.Cause)
	case r.Priority != "" && !slices.Contains(experiments.Priorities(), r.Priority):
		return wrong("priority", "%s is no priority", "use high, medium or low", r.Priority)
	}
	return nil
}
