package reviews

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
	"github.com/rag-workbench/workbench/internal/text"
)

// ReviewImport says how a filled-in workbook is taken.
type ReviewImport struct {
	Reviewer   string // of rows that name nobody themselves
	Apply      bool   // store; otherwise only tell what would happen
	References bool   // together with Apply: make a dataset version with the corrected references
}

// ConflictCode names what stands against a row, or what two people see differently.
type ConflictCode string

// The conflicts beside those of [reviewform.Fault]. Rows of the first seven are left out; they stay in the workbook, so nothing is
// lost. The others are stored.
const (
	RowMixedUp      ConflictCode = "row_mixed_up"     // the row shows another question than its hidden cells name
	RunUnknown      ConflictCode = "run_unknown"      // the sheet was made from a run that is not here or not finished
	QuestionUnknown ConflictCode = "question_unknown" // the run did not ask this question
	AnswerChanged   ConflictCode = "answer_changed"   // question, reference, answer or contexts are not those that the sheet showed
	RowsDiffer      ConflictCode = "rows_differ"      // the workbook holds two different reviews by one person
	NobodyNamed     ConflictCode = "nobody_named"     // nobody says whose review it is
	OlderReview     ConflictCode = "older_review"     // the person said this before and something else since

	ReviewersDiffer  ConflictCode = "reviewers_differ"  // two people see the same answer differently
	ReferencesDiffer ConflictCode = "references_differ" // and give different right answers: none is applied
	ReferenceNewer   ConflictCode = "reference_newer"   // the dataset has got another right answer since: it stays
	QuestionNewer    ConflictCode = "question_newer"    // the question was reworded or removed since: its right answer stays
)

// ReviewConflict is one entry of the conflict report.
type ReviewConflict struct {
	Code       ConflictCode `json:"code"`
	Sheet      string       `json:"sheet,omitempty"`
	Row        int          `json:"row,omitempty"`
	Column     string       `json:"column,omitempty"`
	RunID      string       `json:"run_id,omitempty"`
	QuestionID string       `json:"question_id,omitempty"`
	Message    string       `json:"message"`
	Stored     bool         `json:"stored"` // the row is taken nonetheless
}

// String is one line for people, in English.
func (c ReviewConflict) String() string { return c.In("en") }

// In is one line for people in a language, "en" or "ja".
func (c ReviewConflict) In(lang string) string {
	var at []text.Said
	if c.Sheet != "" {
		at = append(at, text.Say("sheet %q", "シート「%s」", c.Sheet))
	}
	if c.Row > 0 {
		at = append(at, text.Say("row %d", "%d行目", c.Row))
	}
	if c.Column != "" {
		at = append(at, text.Say("column %s", "列 %s", c.Column))
	}
	if c.QuestionID != "" {
		at = append(at, text.Say("question %s", "質問 %s", c.QuestionID))
	}
	place := make([]string, len(at))
	for i, one := range at {
		place[i] = one.In(lang)
	}
	if lang != "ja" {
		return strings.Join(place, ", ") + ": " + c.Message
	}
	said, _ := problem.Japanese(c.Message)
	if c.Code == ReviewersDiffer {
		said = verdictWords.Replace(c.Message)
	}
	return strings.Join(place, "、") + "：" + said
}

// verdictWords turn what two people said into Japanese.
var verdictWords = strings.NewReplacer("verdict: ", "判定：", "correctness: ", "正確性：", "trust: ", "信頼性：", " incorrect", " 誤り",
	" correct", " 正しい", " unsure", " 判断できない", "; ", "；", ", ", "、")

// ImportedReviews says what an import did, or would do.
type ImportedReviews struct {
	Applied    bool                 `json:"applied"`
	Sheets     []string             `json:"sheets"`
	Runs       []string             `json:"runs"` // that the taken rows are about
	Blank      int                  `json:"blank"`
	New        int                  `json:"new"`
	Changed    int                  `json:"changed"` // next revisions
	Known      int                  `json:"known"`   // said before, word for word
	LeftOut    int                  `json:"left_out"`
	Conflicts  []ReviewConflict     `json:"conflicts"`
	References []CorrectedReference `json:"references"` // that the dataset has not taken yet
	Datasets   []experiments.Ref    `json:"datasets"`   // versions made of them
	Reviews    []experiments.Review `json:"-"`          // that were stored, or would be
}

// CorrectedReference is a right answer that people corrected.
type CorrectedReference struct {
	Dataset    string   `json:"dataset"`
	QuestionID string   `json:"question_id"`
	Old        string   `json:"old"`
	New        string   `json:"new"`
	Reviewers  []string `json:"reviewers"`
}

// ImportReviews reads the reviews of a workbook and merges them with those that are stored. Importing a workbook again changes
// nothing. What cannot be taken, and what people see differently, is told in the conflicts.
func ImportReviews(ctx context.Context, w *app.Workbench, path string, o ReviewImport) (ImportedReviews, error) {
	file, err := reviewform.Read(path)
	if err != nil {
		return ImportedReviews{}, err
	}
	return MergeReviews(ctx, w, file, o)
}

// MergeReviews is [ImportReviews] of a workbook that was read already.
func MergeReviews(ctx context.Context, w *app.Workbench, file reviewform.File, o ReviewImport) (ImportedReviews, error) {
	if o.References && !o.Apply {
		return ImportedReviews{}, problem.New(problem.Invalid, "review_references",
			"references are applied only together with the reviews").
			WithHint("add --apply")
	}
	m := &merging{
		workbench: w, options: o, runs: map[string]*reviewedRun{}, left: map[string]bool{},
		out: ImportedReviews{Sheets: file.Sheets, Blank: file.Blank, Runs: []string{}, Conflicts: []ReviewConflict{},
			References: []CorrectedReference{}, Datasets: []experiments.Ref{}},
	}
	for _, f := range file.Faults {
		m.fault(f)
	}
	if err := m.rows(ctx, file.Rows); err != nil {
		return m.out, err
	}
	m.differences()
	if o.Apply {
		if _, err := w.Whole.PutReviews(ctx, m.out.Reviews); err != nil {
			return m.out, err
		}
		m.out.Applied = true
	}
	return m.out, m.references(ctx)
}

// merging is one import under way.
type merging struct {
	workbench *app.Workbench
	options   ReviewImport
	runs      map[string]*reviewedRun
	left      map[string]bool // rows left out, so that two conflicts of a row count once
	out       ImportedReviews
}

// reviewedRun is a run that rows are about.
type reviewedRun struct {
	evaluation experiments.Evaluation
	questions  map[string]experiments.Question
	results    map[string]experiments.Result
	history    map[string][]experiments.Review // stored, by question and reviewer, the newest last
	inForce    map[string]experiments.Review   // by question and reviewer, those of this workbook included
	touched    map[string]reviewform.Row       // by question: a row that was taken
	missing    string                          // why nothing can be taken
}

func reviewKey(r experiments.Review) string { return r.QuestionID + "\x00" + r.Reviewer }

func (m *merging) leaveOut(row reviewform.Row, code ConflictCode, column, message string, args ...any) {
	m.out.Conflicts = append(m.out.Conflicts, ReviewConflict{
		Code: code, Sheet: row.Sheet, Row: row.Row, Column: column, RunID: row.Review.RunID, QuestionID: row.Review.QuestionID,
		Message: fmt.Sprintf(message, args...),
	})
	if place := fmt.Sprint(row.Sheet, "\x00", row.Row); !m.left[place] {
		m.left[place] = true
		m.out.LeftOut++
	}
}

// fault passes on what was wrong in the workbook. A remark leaves no row out.
func (m *merging) fault(f reviewform.Fault) {
	m.out.Conflicts = append(m.out.Conflicts, ReviewConflict{
		Code: ConflictCode(f.Code), Sheet: f.Sheet, Row: f.Row, Column: f.Column, QuestionID: f.QuestionID, Message: f.Message,
		Stored: f.Code == reviewform.HeadingGone || f.Code == reviewform.ColumnUnread,
	})
	m.out.LeftOut += f.Rows
}

// run loads a run once.
func (m *merging) run(ctx context.Context, id string) (*reviewedRun, error) {
	if r, ok := m.runs[id]; ok {
		return r, nil
	}
	r := &reviewedRun{
		questions: map[string]experiments.Question{}, results: map[string]experiments.Result{},
		history: map[string][]experiments.Review{}, inForce: map[string]experiments.Review{}, touched: map[string]reviewform.Row{},
	}
	m.runs[id] = r
	run, err := m.workbench.Store.Run(ctx, id)
	switch {
	case problem.Is(err, problem.NotFound) || err == nil && run.ID != id:
		r.missing = "the sheet was made from run " + id + ", which is not in this workbench"
		return r, nil
	case err != nil:
		return nil, err
	case run.State != experiments.Finished:
		r.missing = "the sheet was made from run " + id + ", which is " + string(run.State)
		return r, nil
	}
	if r.evaluation, err = experiments.LoadEvaluation(ctx, m.workbench.Store, id); err != nil {
		return nil, err
	}
	for i, res := range r.evaluation.Results {
		if _, seen := r.results[res.QuestionID]; !seen { // the first vote stands for the question
			r.results[res.QuestionID], r.questions[res.QuestionID] = res, r.evaluation.Questions[i]
		}
	}
	history, err := m.workbench.Whole.ReviewHistory(ctx, id)
	for _, review := range history {
		key := reviewKey(review)
		if review.Empty() && len(r.history[key]) == 0 {
			continue // dealt to somebody who has not said anything yet
		}
		r.history[key] = append(r.history[key], review)
		r.inForce[key] = review
	}
	return r, err
}

// rows takes every row that can be taken.
func (m *merging) rows(ctx context.Context, rows []reviewform.Row) error {
	for _, row := range m.oneEach(rows) {
		if err := m.take(ctx, row); err != nil {
			return err
		}
	}
	for id, r := range m.runs {
		if len(r.touched) > 0 {
			m.out.Runs = append(m.out.Runs, id)
		}
	}
	slices.Sort(m.out.Runs)
	return nil
}

// oneEach puts the rows that one person filled in about one answer, on several sheets, into one. Where two of them fill in the same
// cell differently none is taken.
func (m *merging) oneEach(rows []reviewform.Row) []reviewform.Row {
	var order []string // by run, question and reviewer
	byKey := map[string][]reviewform.Row{}
	for _, row := range rows {
		if row.Review.Reviewer == "" {
			row.Review.Reviewer = strings.TrimSpace(m.options.Reviewer)
		}
		if row.Review.Reviewer == "" {
			m.leaveOut(row, NobodyNamed, "", "it does not say who reviewed it; fill in the reviewer, or import with --reviewer NAME")
			continue
		}
		key := row.Review.RunID + "\x00" + reviewKey(row.Review)
		if byKey[key] == nil {
			order = append(order, key)
		}
		byKey[key] = append(byKey[key], row)
	}
	var out []reviewform.Row
	for _, key := range order {
		same := byKey[key]
		whole, agree := same[0], true
		for _, row := range same[1:] {
			var fits bool
			whole.Review, fits = whole.Review.With(row.Review)
			agree = agree && fits
		}
		if agree {
			out = append(out, whole)
			continue
		}
		for i, row := range same {
			other := same[(i+1)%len(same)]
			m.leaveOut(row, RowsDiffer, "", "%s says something else on sheet %q, row %d; neither is taken", row.Review.Reviewer,
				other.Sheet, other.Row)
		}
	}
	return out
}

// take checks one row against what is stored, and notes it for storing.
func (m *merging) take(ctx context.Context, row reviewform.Row) error {
	review := row.Review
	r, err := m.run(ctx, review.RunID)
	if err != nil {
		return err
	}
	result, asked := r.results[review.QuestionID]
	switch {
	case r.missing != "":
		m.leaveOut(row, RunUnknown, "", "%s", r.missing)
		return nil
	case !asked:
		m.leaveOut(row, QuestionUnknown, "", "run %s did not ask this question", review.RunID)
		return nil
	case row.Seen != "" && !sameShown(row.Seen, r.questions[review.QuestionID].Text):
		m.leaveOut(row, RowMixedUp, "",
			"the row shows another question than the one its hidden cells belong to: the columns were sorted without the "+
				"hidden ones, or the question's text was edited; undo that, or write the report again")
		return nil
	case review.Shown != experiments.ShownDigest(r.questions[review.QuestionID], result):
		m.leaveOut(row, AnswerChanged, "",
			"what the sheet showed is not what run %s holds now; write the report again and review that answer", review.RunID)
		return nil
	}
	key := reviewKey(review)
	said := r.history[key]
	switch i := slices.IndexFunc(said, review.Says); {
	case i >= 0 && i < len(said)-1:
		m.leaveOut(row, OlderReview, "",
			"%s said this on %s and something else on %s, which stays; change any cell, such as the comment, to say it again",
			review.Reviewer, said[i].At.Format("2006-01-02 15:04"), said[len(said)-1].At.Format("2006-01-02 15:04"))
		return nil
	case i >= 0:
		m.out.Known++
	case len(said) > 0:
		m.out.Changed++
	default:
		m.out.New++
	}
	review.At = m.workbench.Options.Now()
	if !slices.ContainsFunc(said, review.Says) {
		m.out.Reviews = append(m.out.Reviews, review)
		r.inForce[key] = review
	}
	r.touched[review.QuestionID] = row
	return nil
}

// shownRunes is how much of a question is compared: a cell holds no more than 32,767 characters, and a report may cut before.
const shownRunes = 200

// sameShown reports whether a cell shows the text, whatever a spreadsheet did to its white space and wide characters.
func sameShown(cell, whole string) bool {
	fold := func(s string) string {
		r := []rune(strings.Join(strings.Fields(text.Fold(s)), ""))
		return string(r[:min(len(r), shownRunes)])
	}
	return fold(cell) == fold(whole)
}

// ReviewFigures sets the reviews of a finished run beside its judge: how far they agree, and the headlines corrected by them.
func ReviewFigures(ctx context.Context, w *app.Workbench, run string) (progress.ReviewFigures, error) {
	e, err := w.Evaluation(ctx, run)
	if err != nil {
		return progress.ReviewFigures{}, err
	}
	reviews, err := w.Whole.Reviews(ctx, e.Run.ID)
	if err != nil {
		return progress.ReviewFigures{}, err
	}
	return progress.FiguresOf(e, reviews), nil
}
