package views

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// QuestionRow is one question of a run in a table.
type QuestionRow struct {
	QuestionID string             `json:"question_id"`
	Question   string             `json:"question"`
	Lang       string             `json:"lang"`
	Reference  string             `json:"reference,omitempty"`
	Answer     string             `json:"answer,omitempty"`
	Category   string             `json:"category,omitempty"`
	Theme      string             `json:"theme,omitempty"`
	ThemeName  *listing.Word      `json:"theme_name,omitempty"`
	ThemeBy    *findings.Text     `json:"theme_by,omitempty"` // of which classification the theme is
	Keywords   []string           `json:"keywords,omitempty"`
	Tags       []string           `json:"tags,omitempty"`
	Critical   bool               `json:"critical,omitempty"`
	State      string             `json:"state"`             // scored, error (some cell has one), failed (no answer) or pending
	Failure    string             `json:"failure,omitempty"` // cause code of a question without an answer
	Low        bool               `json:"low"`
	Cause      string             `json:"cause,omitempty"`
	Scores     map[string]float64 `json:"scores"` // by metric; a metric that was not scored is missing
	// by metric: "not_applicable: no_reference", "error: provider_auth", "pending"
	Unscored map[string]string `json:"unscored,omitempty"`
	Contexts int               `json:"contexts"` // how many were retrieved
	Votes    int               `json:"votes"`    // how often it was answered and scored
}

// The states of a question in a run.
const (
	questionScored  = "scored"
	questionError   = "error"
	questionFailed  = "failed"
	questionPending = "pending"
)

// QuestionQuery narrows the questions of a run. Empty fields do not narrow.
type QuestionQuery struct {
	listing.Page
	Low         *bool
	Correctness []int // rounded, 1 to 5
	Trust       []int
	Cause       []string
	Category    []string
	Theme       []string
	Tag         []string
	State       []string
	Critical    *bool
	Text        string // in id, question, reference or answer
}

func newLoaded(e experiments.Evaluation, k runIndex, key string) *loaded {
	l := &loaded{Evaluation: e, known: k, key: key, first: map[string]int{}, votes: map[string]int{}, tags: map[string]string{}}
	for i, r := range e.Results {
		l.votes[r.QuestionID]++
		if _, ok := l.first[r.QuestionID]; !ok {
			l.first[r.QuestionID] = i
		}
	}
	standing, _ := experiments.Standing(e.Results)
	l.standing = make(map[string]experiments.Result, len(standing))
	for _, r := range standing {
		l.standing[r.QuestionID] = r
		row := l.row(e.Questions[l.first[r.QuestionID]], r)
		l.rows = append(l.rows, row)
		l.tags[row.QuestionID] = strings.ToLower(strings.Join([]string{row.QuestionID, row.Question, row.Reference, row.Answer}, "\n"))
	}
	return l
}

func (l *loaded) row(q experiments.Question, r experiments.Result) QuestionRow {
	row := QuestionRow{
		QuestionID: r.QuestionID, Question: q.Text, Lang: q.Lang, Reference: q.Reference, Tags: q.Tags, Critical: q.Critical,
		State:    questionScored,
		Category: tagValue(q, "category"), Theme: tagValue(q, "theme"), Low: r.Low(l.Run.Setup.LowRule()), Scores: map[string]float64{},
		Votes: l.votes[r.QuestionID],
	}
	if r.Answer != nil {
		row.Answer, row.Contexts = r.Answer.Text, len(r.Answer.Hits)
	}
	pending, failed := false, false
	for _, s := range r.Scores {
		if s.State == metrics.Scored {
			row.Scores[s.Metric] = s.Value
			continue
		}
		if row.Unscored == nil {
			row.Unscored = map[string]string{}
		}
		row.Unscored[s.Metric] = strings.TrimSuffix(string(s.State)+": "+s.Reason, ": ")
		pending, failed = pending || s.State == metrics.Pending, failed || s.State == metrics.Errored
	}
	switch {
	case r.Failure != nil:
		row.State, row.Failure = questionFailed, r.Failure.Cause
	case pending:
		row.State = questionPending
	case failed:
		row.State = questionError
	}
	l.known.label(&row)
	return row
}

// questionOrder sorts by the order of the dataset, id, state, or any metric of the run.
func (l *loaded) questionOrder() listing.Order[QuestionRow] {
	at := make(map[string]int, len(l.rows))
	for i, r := range l.rows {
		at[r.QuestionID] = i
	}
	o := listing.Order[QuestionRow]{
		First: "order",
		ID:    func(r QuestionRow) string { return r.QuestionID },
		Keys: map[string]func(QuestionRow) listing.SortKey{
			"order":    func(r QuestionRow) listing.SortKey { return listing.NumberKey(float64(at[r.QuestionID])) },
			"id":       func(r QuestionRow) listing.SortKey { return listing.TextKey(r.QuestionID) },
			"state":    func(r QuestionRow) listing.SortKey { return listing.TextKey(r.State) },
			"category": func(r QuestionRow) listing.SortKey { return listing.TextKey(r.Category) },
			"theme":    func(r QuestionRow) listing.SortKey { return listing.TextKey(r.Theme) },
			"cause":    func(r QuestionRow) listing.SortKey { return listing.TextKey(r.Cause) },
		},
	}
	for _, s := range l.Run.Setup.Suite {
		o.Keys[s.ID] = func(r QuestionRow) listing.SortKey { v, ok := r.Scores[s.ID]; return listing.OptionalKey(v, ok) }
	}
	return o
}

// Questions lists the questions of a run.
func (v *runViews) Questions(ctx context.Context, name string, q QuestionQuery) (listing.Listed[QuestionRow], experiments.Run, error) {
	run, err := v.find(ctx, name)
	if err != nil {
		return listing.Listed[QuestionRow]{}, run, err
	}
	l, err := v.evaluation(ctx, run)
	if err != nil {
		return listing.Listed[QuestionRow]{}, run, err
	}
	needle := strings.ToLower(q.Text)
	rows := make([]QuestionRow, 0, len(l.rows))
	for _, r := range l.rows {
		if q.fits(r, l.Run.Setup.LowScore) && (needle == "" || strings.Contains(l.tags[r.QuestionID], needle)) {
			rows = append(rows, r)
		}
	}
	out, err := listing.List(rows, l.questionOrder(), q.Page)
	return out, run, err
}

func (q QuestionQuery) fits(r QuestionRow, threshold float64) bool {
	return (q.Low == nil || *q.Low == r.Low) &&
		(q.Critical == nil || *q.Critical == r.Critical) &&
		among(q.Correctness, stepOf(r, "correctness", threshold)) && among(q.Trust, stepOf(r, "trust", threshold)) &&
		among(q.Cause, r.Cause) && among(q.Category, r.Category) && among(q.Theme, r.Theme) && among(q.State, r.State) &&
		!slices.ContainsFunc(q.Tag, func(t string) bool { return !slices.Contains(r.Tags, t) })
}

// stepOf is the column or row of the bubble chart, 0 without a score.
func stepOf(r QuestionRow, metric string, threshold float64) int {
	v, ok := r.Scores[metric]
	if !ok {
		return 0
	}
	return compare.Square(v, threshold)
}

// among reports whether a list holds v, or is empty.
func among[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// Points are the questions of a run in columns: all that charts and brushing need, in one small reply. Absent scores are null.
type Points struct {
	RunID     string  `json:"run_id"`
	Threshold float64 `json:"threshold"` // correctness or trust at or below it is a low score
	// what is low, as the middle of a sentence; own_low where the run says it in the terms of imported scores, in the place of threshold
	Line        findings.Text           `json:"line"`
	Own         []experiments.LowLine   `json:"own_low,omitempty"`
	Unsaid      bool                    `json:"low_unsaid,omitempty"` // nobody said what is low in these imported scores
	Rated       int                     `json:"rated"`                // answers of which it can be told whether they are low
	IDs         []string                `json:"ids"`
	Correctness []*float64              `json:"correctness"`
	Trust       []*float64              `json:"trust"`
	Low         []bool                  `json:"low"`
	State       []string                `json:"state"`
	Category    []string                `json:"category"`
	Theme       []string                `json:"theme"`
	ThemeNames  map[string]listing.Word `json:"theme_names"` // by id
	Cause       []string                `json:"cause"`
	CauseMethod string                  `json:"cause_method,omitempty"` // tested or observed; absent without a diagnosis
	Tags        map[string][]int        `json:"tags"`                   // tag → indexes of the questions that have it
	Label       []string                `json:"label,omitempty"`        // against the baseline, where one was named
}

// Points returns the questions of a run in columns, in the order of the dataset.
func (v *runViews) Points(ctx context.Context, name, baseline string) (Points, error) {
	run, err := v.find(ctx, name)
	if err != nil {
		return Points{}, err
	}
	l, err := v.evaluation(ctx, run)
	if err != nil {
		return Points{}, err
	}
	n, rule := len(l.rows), run.Setup.LowRule()
	p := Points{
		Line: findings.LowText(rule), Own: rule.Said(), Unsaid: rule.Unsaid,
		RunID: run.ID, Threshold: run.Setup.LowScore, IDs: make([]string, n), Correctness: make([]*float64, n), Trust: make([]*float64, n),
		Low:         make([]bool, n),
		CauseMethod: l.known.method(), ThemeNames: l.known.themes, State: make([]string, n), Category: make([]string, n),
		Theme: make([]string, n), Cause: make([]string, n), Tags: map[string][]int{},
	}
	standing, _ := experiments.Standing(l.Results)
	for _, r := range standing {
		if r.Rated(rule) {
			p.Rated++
		}
	}
	for i, r := range l.rows {
		p.IDs[i], p.Low[i], p.State[i], p.Category[i], p.Theme[i], p.Cause[i] = r.QuestionID, r.Low, r.State, r.Category, r.Theme, r.Cause
		p.Correctness[i], p.Trust[i] = scoreOf(r, "correctness"), scoreOf(r, "trust")
		for _, t := range r.Tags {
			p.Tags[t] = append(p.Tags[t], i)
		}
	}
	if baseline == "" {
		return p, nil
	}
	c, err := v.comparison(ctx, baseline, run.ID)
	if err != nil {
		return p, err
	}
	label := map[string]string{}
	for _, row := range c.rows {
		label[row.QuestionID] = string(row.Label)
	}
	for _, id := range p.IDs {
		p.Label = append(p.Label, label[id])
	}
	return p, nil
}

func scoreOf(r QuestionRow, metric string) *float64 {
	if v, ok := r.Scores[metric]; ok {
		return &v
	}
	return nil
}

// noQuestion is the Problem of a question that a run does not have.
func noQuestion(id string, run experiments.Run) error {
	return problem.New(problem.NotFound, "question_unknown", "run %s has no question %q", run.ID, id).With("question_id", id).
		With("run_id", run.ID).
		WithHint("%s", fmt.Sprintf("the questions of the run are those of %s", run.Setup.Dataset))
}
