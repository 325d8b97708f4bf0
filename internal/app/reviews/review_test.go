package reviews

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
)

// reviewedSheet is a workbook about a run: what is said about questions, by their ids, in the order given.
type reviewedSheet struct {
	t    *testing.T
	e    experiments.Evaluation
	file reviewform.File
}

func sheet(w *apptest.World, t *testing.T, run string) *reviewedSheet {
	t.Helper()
	e, err := w.Evaluation(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return &reviewedSheet{t: t, e: e, file: reviewform.File{Sheets: []string{"Low"}}}
}

// row adds a filled-in row.
func (s *reviewedSheet) row(question string, fill func(*experiments.Review)) *reviewedSheet {
	r := experiments.Review{RunID: s.e.Run.ID, QuestionID: question}
	for i, res := range s.e.Results {
		if res.QuestionID == question {
			r.Shown = experiments.ShownDigest(s.e.Questions[i], res)
			break
		}
	}
	fill(&r)
	s.file.Rows = append(s.file.Rows, reviewform.Row{Sheet: "Low", Row: 3 + len(s.file.Rows), Review: r})
	return s
}

func saysOf(v experiments.Verdict) func(*experiments.Review) {
	return func(r *experiments.Review) { r.Verdict = v }
}

func referring(s string) func(*experiments.Review) {
	return func(r *experiments.Review) { r.CorrectedReference = s }
}

func merge(w *apptest.World, t *testing.T, s *reviewedSheet, o ReviewImport) ImportedReviews {
	t.Helper()
	done, err := MergeReviews(t.Context(), w.Workbench, s.file, o)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// tally is the outcome in one line: new, changed, known, left out, and the conflicts with their questions.
func (i ImportedReviews) tally() string {
	var codes []string
	for _, c := range i.Conflicts {
		codes = append(codes, fmt.Sprintf("%s %s", c.Code, c.QuestionID))
	}
	return fmt.Sprintf("%d new, %d changed, %d known, %d left out: %s", i.New, i.Changed, i.Known, i.LeftOut, strings.Join(codes, ", "))
}

func wantTally(t *testing.T, done ImportedReviews, want string) {
	t.Helper()
	for _, c := range done.Conflicts {
		if english := evaltest.EnglishIn(c.In("ja"), "asked", "choice", "feedfacefeed"); len(english) > 0 {
			t.Errorf("English %v in Japanese: %s", english, c.In("ja"))
		}
	}
	if got := done.tally(); got != want {
		t.Errorf("got  %s\nwant %s\n%v", got, want, done.Conflicts)
	}
}

func stored(w *apptest.World, t *testing.T, run string) []string {
	t.Helper()
	reviews, err := w.Whole.ReviewHistory(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range reviews {
		out = append(out, strings.TrimSpace(fmt.Sprint(r.QuestionID, " ", r.Reviewer, " ", r.Revision, " ", r.Verdict, " ", r.Comment)))
	}
	return out
}

// TestMergeReviews imports, imports again, changes a mind and returns to an old sheet: nothing is lost and nothing is doubled.
func TestMergeReviews(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, "name: flat")
	first := sheet(w, t, "flat").row("q0", saysOf(experiments.CorrectAnswer)).row("q1", saysOf(experiments.IncorrectAnswer)).
		row("q1", func(r *experiments.Review) { r.Comment = "on another sheet" })
	by := ReviewImport{Reviewer: "CS"}

	dry := merge(w, t, first, by)
	wantTally(t, dry, "2 new, 0 changed, 0 known, 0 left out: ")
	if dry.Applied || len(stored(w, t, run.ID)) != 0 {
		t.Errorf("a dry run stored %v", stored(w, t, run.ID))
	}
	by.Apply = true
	done := merge(w, t, first, by)
	wantTally(t, done, "2 new, 0 changed, 0 known, 0 left out: ")
	if !done.Applied || fmt.Sprint(done.Runs) != fmt.Sprint([]string{run.ID}) {
		t.Errorf("applied %v, runs %v", done.Applied, done.Runs)
	}
	once := []string{"q0 CS 1 correct", "q1 CS 1 incorrect on another sheet"}
	if diff := cmp.Diff(once, stored(w, t, run.ID)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantTally(t, merge(w, t, first, by), "0 new, 0 changed, 2 known, 0 left out: ")
	if diff := cmp.Diff(once, stored(w, t, run.ID)); diff != "" {
		t.Errorf("importing twice: -want +got:\n%s", diff)
	}

	// IT sees q0 differently, and names himself in the sheet.
	tanaka := sheet(w, t, "flat").row("q0", func(r *experiments.Review) { r.Verdict, r.Reviewer = experiments.IncorrectAnswer, "IT" }).
		row("q2", saysOf(experiments.UnsureVerdict))
	wantTally(t, merge(w, t, tanaka, by), "2 new, 0 changed, 0 known, 0 left out: reviewers_differ q0")

	changed := sheet(w, t, "flat").row("q0", saysOf(experiments.IncorrectAnswer))
	wantTally(t, merge(w, t, changed, by), "0 new, 1 changed, 0 known, 0 left out: ")
	wantTally(t, merge(w, t, first, by), "0 new, 0 changed, 1 known, 1 left out: older_review q0")
	want := []string{"q0 CS 1 correct", "q0 CS 2 incorrect", "q0 IT 1 incorrect", "q1 CS 1 incorrect on another sheet", "q2 CS 1 unsure"}
	if diff := cmp.Diff(want, stored(w, t, run.ID)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	figures, err := ReviewFigures(t.Context(), w.Workbench, "flat")
	if err != nil || figures.Reviews != 4 || fmt.Sprint(figures.Reviewers) != "[CS IT]" || figures.Answers != len(apptest.AskedQuestions) {
		t.Errorf("%v: %+v", err, figures)
	}
}

// TestMergeReviewsOfRowsThatWereMixedUp takes no row that shows another question than the one it names, whatever a spreadsheet did to
// its white space.
func TestMergeReviewsOfRowsThatWereMixedUp(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, "name: flat")
	s := sheet(w, t, "flat").row("q0", saysOf(experiments.CorrectAnswer)).row("q1", saysOf(experiments.CorrectAnswer))
	texts := map[string]string{}
	for _, q := range s.e.Questions {
		texts[q.ID] = q.Text
	}
	s.file.Rows[0].Seen, s.file.Rows[1].Seen = " "+strings.ReplaceAll(texts["q0"], " ", "\n "), texts["q0"]
	wantTally(t, merge(w, t, s, ReviewImport{Reviewer: "CS"}), "1 new, 0 changed, 0 known, 1 left out: row_mixed_up q1")
}

// TestMergeReviewConflicts leaves out what cannot be taken, names it, and takes the rest.
func TestMergeReviewConflicts(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	run := w.Worked(t, "name: flat")
	s := sheet(w, t, "flat").
		row("q0", saysOf(experiments.CorrectAnswer)).
		row("q1", func(r *experiments.Review) { r.Verdict, r.RunID = experiments.CorrectAnswer, "feedfacefeed" }).
		row("q2", func(r *experiments.Review) { r.Verdict, r.Shown = experiments.CorrectAnswer, "another" }).
		row("q77", saysOf(experiments.CorrectAnswer)).
		row("q3", saysOf(experiments.CorrectAnswer)).row("q3", saysOf(experiments.IncorrectAnswer)).
		row("q4", func(r *experiments.Review) { r.Verdict, r.RunID = experiments.CorrectAnswer, run.ID[:6] }) // a beginning is no id
	s.file.Faults = []reviewform.Fault{
		{Code: reviewform.NotAChoice, Sheet: "Low", Row: 20, Rows: 1, Column: "C", QuestionID: "q5", Message: "no choice"},
		{Code: reviewform.NotAChoice, Sheet: "Low", Row: 20, Column: "D", QuestionID: "q5", Message: "no choice"},
	}
	done := merge(w, t, s, ReviewImport{Reviewer: "CS", Apply: true})
	wantTally(t, done, "1 new, 0 changed, 0 known, 7 left out: not_a_choice q5, not_a_choice q5, rows_differ q3, rows_differ q3, "+
		"run_unknown q1, answer_changed q2, question_unknown q77, run_unknown q4")
	if diff := cmp.Diff([]string{"q0 CS 1 correct"}, stored(w, t, run.ID)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, c := range done.Conflicts {
		if c.Sheet != "Low" || c.Row == 0 || c.Message == "" || c.Stored {
			t.Errorf("%+v", c)
		}
	}
	wantTally(t, merge(w, t, sheet(w, t, "flat").row("q0", saysOf(experiments.CorrectAnswer)), ReviewImport{Apply: true}),
		"0 new, 0 changed, 0 known, 1 left out: nobody_named q0")
	if _, err := MergeReviews(t.Context(), w.Workbench, s.file,
		ReviewImport{References: true}); problem.CodeOf(err) != "review_references" {
		t.Errorf("references without apply: %v", err)
	}
}

// TestReviewReferences makes a dataset version of corrected references once, and leaves alone what somebody else has changed since.
func TestReviewReferences(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, "name: flat")
	s := sheet(w, t, "flat").row("q0", referring("2,000 yen per segment")).row("q1", referring("No.")).
		row("q2", referring(apptest.RightAnswers[2])).
		row("q3", referring("two days before")).row("q3",
		func(r *experiments.Review) { r.Reviewer, r.CorrectedReference = "IT", "48 hours before" })
	by := ReviewImport{Reviewer: "CS", Apply: true}
	done := merge(w, t, s, by)
	wantTally(t, done, "5 new, 0 changed, 0 known, 0 left out: references_differ q3")
	want := []CorrectedReference{
		{Dataset: "asked", QuestionID: "q0", Old: apptest.RightAnswers[0], New: "2,000 yen per segment", Reviewers: []string{"CS"}},
		{Dataset: "asked", QuestionID: "q1", Old: apptest.RightAnswers[1], New: "No.", Reviewers: []string{"CS"}},
	}
	if diff := cmp.Diff(want, done.References); diff != "" || len(done.Datasets) != 0 {
		t.Errorf("datasets %v, -want +got:\n%s", done.Datasets, diff)
	}
	before, err := w.Store.Dataset(t.Context(), "asked")
	if err != nil || before.Version != 1 {
		t.Fatalf("version %d, %v", before.Version, err)
	}

	// Somebody changes the reference of q1 and the wording of q0's neighbour before the references are applied.
	other := slices.Clone(before.Questions)
	other[1].Reference = "Only the tax."
	if _, _, err := w.Store.PutDataset(t.Context(), experiments.NewDataset("asked", other), w.Options.Now()); err != nil {
		t.Fatal(err)
	}
	by.References = true
	done = merge(w, t, s, by)
	wantTally(t, done, "0 new, 0 changed, 5 known, 0 left out: reference_newer q1, references_differ q3")
	if len(done.Datasets) != 1 || done.Datasets[0].Version != 3 {
		t.Fatalf("made %v", done.Datasets)
	}
	after, err := w.Store.Dataset(t.Context(), "asked")
	if err != nil {
		t.Fatal(err)
	}
	other[0].Reference = "2,000 yen per segment"
	if diff := cmp.Diff(other, after.Questions); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	done = merge(w, t, s, by)
	if len(done.Datasets) != 0 || len(done.References) != 0 {
		t.Errorf("applying twice made %v of %v", done.Datasets, done.References)
	}

	other[0].Text = "How much is it to refund a Flex ticket?"
	if _, _, err := w.Store.PutDataset(t.Context(), experiments.NewDataset("asked", other[:3]), w.Options.Now()); err != nil {
		t.Fatal(err)
	}
	s = sheet(w, t, "flat").row("q0", referring("2,000 yen")).row("q4", referring("6,000 yen"))
	wantTally(t, merge(w, t, s, by), "1 new, 1 changed, 0 known, 0 left out: question_newer q0, question_newer q4")
}

// TestReviewsOfTwoRuns applies no reference on which the reviews of two runs differ.
func TestReviewsOfTwoRuns(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Worked(t, "name: flat")
	w.Worked(t, "name: closed\nbase: {generate: {provider: offline, model: closed-book}}")
	s := sheet(w, t, "flat").row("q0", referring("one")).row("q1", referring("same"))
	s.file.Rows = append(s.file.Rows, sheet(w, t, "closed").row("q0", referring("two")).row("q1", referring("same")).file.Rows...)
	done := merge(w, t, s, ReviewImport{Reviewer: "CS", Apply: true, References: true})
	wantTally(t, done, "4 new, 0 changed, 0 known, 0 left out: references_differ q0")
	if len(done.Runs) != 2 || len(done.Datasets) != 1 || len(done.References) != 1 || done.References[0].New != "same" {
		t.Errorf("%v of %v", done.Datasets, done.References)
	}
}
