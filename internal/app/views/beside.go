package views

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// MostBeside is how many runs can stand beside a baseline.
const MostBeside = 5

// BesideView sets runs beside one baseline. What it says of a run is what the comparison of the two says.
type BesideView struct {
	Baseline   app.RunRow            `json:"baseline"`
	Runs       []BesideRun           `json:"runs"`       // as they were asked for
	Metrics    []string              `json:"metrics"`    // that decide in some of the comparisons
	Questions  int                   `json:"questions"`  // of the baseline
	Disagreed  int                   `json:"disagreed"`  // questions on which verdicts differ between the runs
	Confidence float64               `json:"confidence"` // of each interval, so that all hold together with at least 95%
	Words      experiments.Rationale `json:"words"`      // that several comparisons were made, and what that does to chance
	Parameters Parameters            `json:"parameters"` // what differs between all of these runs
}

// BesideRun is a run beside the baseline.
type BesideRun struct {
	Run       app.RunRow            `json:"run"`
	Labels    compare.VerdictCounts `json:"labels"`
	LowBefore int                   `json:"low_before"` // low scores of the baseline among the questions of both
	LowAfter  int                   `json:"low_after"`
	// of so many questions of both; of none where whether answers are low cannot be told
	RatedBefore int                     `json:"rated_before"`
	RatedAfter  int                     `json:"rated_after"`
	Matched     int                     `json:"matched"`
	Changes     map[string]BesideChange `json:"changes"` // by metric
	Warnings    []compare.Note          `json:"warnings,omitempty"`
}

// BesideChange is a metric of a run beside the baseline's.
type BesideChange struct {
	Baseline  float64     `json:"baseline"`
	Candidate float64     `json:"candidate"`
	Diff      float64     `json:"diff"`
	CI        *[2]float64 `json:"ci,omitempty"` // of Diff, at the confidence of the view
	N         int         `json:"n"`
}

// BesideRow is one question of the baseline with what became of it in each run.
type BesideRow struct {
	QuestionID   string       `json:"question_id"` // in the baseline
	Question     string       `json:"question"`
	Critical     bool         `json:"critical,omitempty"`
	Score        *float64     `json:"score,omitempty"` // of the baseline, by the metric that decides first
	Cells        []BesideCell `json:"cells"`           // by run
	Disagreement int          `json:"disagreement"`    // [compare.Disagreement] of the verdicts
}

// BesideCell is what became of a question in one run.
type BesideCell struct {
	QuestionID string        `json:"question_id,omitempty"` // in this run; absent where it does not have the question
	Label      compare.Label `json:"label,omitempty"`       // the verdict of the comparison with the baseline; absent where there is none
	Score      *float64      `json:"score,omitempty"`
}

// beside is what is kept of comparisons with one baseline.
type beside struct {
	view BesideView
	rows []BesideRow
}

// Beside compares runs with one baseline. An empty baseline means the pinned one of the first run's dataset.
func (v *compareViews) Beside(ctx context.Context, baseline string, runs []string) (BesideView, error) {
	b, err := v.beside(ctx, baseline, runs)
	if err != nil {
		return BesideView{}, err
	}
	return b.view, nil
}

// BesideQuery narrows the questions of runs that stand beside each other. Empty fields do not narrow.
type BesideQuery struct {
	listing.Page
	Differ bool   // only where verdicts differ between the runs
	Text   string // in id or question
}

// BesideQuestions lists the questions of the baseline, those first on which the runs disagree most.
func (v *compareViews) BesideQuestions(ctx context.Context, baseline string, runs []string, q BesideQuery) (listing.Listed[BesideRow],
	error) {
	b, err := v.beside(ctx, baseline, runs)
	if err != nil {
		return listing.Listed[BesideRow]{}, err
	}
	needle := strings.ToLower(q.Text)
	var rows []BesideRow
	for _, r := range b.rows {
		if (!q.Differ || r.Disagreement > 0) && (needle == "" || listing.Contains(needle, r.QuestionID, r.Question)) {
			rows = append(rows, r)
		}
	}
	return listing.List(rows, besideOrder(len(runs)), q.Page)
}

// besideOrder sorts by disagreement, then by how many runs are worse; by id; or by the verdict of one run, as run1 and so on.
func besideOrder(runs int) listing.Order[BesideRow] {
	o := listing.Order[BesideRow]{
		First: "-disagreement",
		ID:    func(r BesideRow) string { return r.QuestionID },
		Keys: map[string]func(BesideRow) listing.SortKey{
			"id": func(r BesideRow) listing.SortKey { return listing.TextKey(r.QuestionID) },
			"disagreement": func(r BesideRow) listing.SortKey {
				worse := 0
				for _, c := range r.Cells {
					if c.Label == compare.Worse {
						worse++
					}
				}
				return listing.NumberKey(float64(r.Disagreement*(MostBeside+1) + worse))
			},
		},
	}
	for i := range runs {
		o.Keys["run"+strconv.Itoa(i+1)] = func(r BesideRow) listing.SortKey {
			return listing.OptionalKey(-float64(listed[r.Cells[i].Label]), r.Cells[i].Label != "") // -run1: the worst first
		}
	}
	return o
}

// beside returns the comparisons of runs with a baseline, from memory where all have the same state.
func (v *compareViews) beside(ctx context.Context, baseline string, names []string) (*beside, error) {
	if len(names) == 0 || len(names) > MostBeside {
		return nil, problem.New(problem.Invalid, "too_many_runs", "a baseline and 1 to %d other runs stand side by side, not %d",
			MostBeside, len(names)).With("field", "run").WithHint("choose at most %d runs in all", MostBeside+1)
	}
	ids, states := []string{}, []string{}
	for i, name := range names {
		before, after, err := v.Pair(ctx, baseline, name)
		if err != nil {
			return nil, err
		}
		both := []experiments.Run{after}
		if baseline = before.ID; i == 0 {
			both = []experiments.Run{before, after}
		}
		for _, run := range both {
			if slices.Contains(ids, run.ID) {
				return nil, problem.New(problem.Invalid, "run_twice", "run %s was named twice", run.ID).With("run_id", run.ID).
					WithHint("name each run once; the first is the baseline")
			}
			state, err := v.StateOf(ctx, run)
			if err != nil {
				return nil, err
			}
			ids, states = append(ids, run.ID), append(states, state)
		}
	}
	making := context.WithoutCancel(ctx) // others may wait for the same
	return v.besides.Get(strings.Join(states, "\n"), v.w.Options.Now(), func() (*beside, error) { return v.newBeside(making, ids) })
}

// newBeside makes the comparisons one after the other and keeps of each what a column needs. The first id is the baseline.
func (v *compareViews) newBeside(ctx context.Context, ids []string) (*beside, error) {
	baselines, err := v.baselines(ctx)
	if err != nil {
		return nil, err
	}
	b, place := &beside{}, map[string]int{}
	all := make([]map[string]compare.MetricChange, 0, len(ids))
	compared := make([]compare.Comparison, 0, len(ids))
	for i, id := range ids[1:] {
		c, err := v.comparison(ctx, ids[0], id)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			b.view.Baseline = app.RunRowOf(c.both[0].Run, baselines)
			for n, r := range c.both[0].rows {
				place[r.QuestionID] = n
				b.rows = append(b.rows, BesideRow{QuestionID: r.QuestionID, Question: r.Question, Critical: r.Critical,
					Score: scoreBy(c.DecideBy, r.Scores), Cells: make([]BesideCell, len(ids)-1)})
			}
		}
		b.view.Runs = append(b.view.Runs, BesideRun{Run: app.RunRowOf(c.both[1].Run, baselines), Labels: c.VerdictCounts,
			LowBefore: c.LowBefore, LowAfter: c.LowAfter, RatedBefore: c.RatedBefore, RatedAfter: c.RatedAfter,
			Matched: c.Matched, Warnings: c.Warnings})
		all = append(all, c.Metrics)
		compared = append(compared, compare.Comparison{Candidate: c.both[1].Run, TieBreaks: c.TieBreaks, ByGradeAlone: c.ByGradeAlone,
			Warnings: c.Warnings}) // without the questions
		for _, metric := range c.DecideBy {
			if !slices.Contains(b.view.Metrics, metric) {
				b.view.Metrics = append(b.view.Metrics, metric)
			}
		}
		for _, r := range c.rows {
			if at, ok := place[r.inBaseline()]; ok && r.Match != matchAdded && r.Match != matchRemoved {
				b.rows[at].Cells[i] = BesideCell{QuestionID: r.QuestionID, Label: r.Label, Score: scoreBy(c.DecideBy, r.After)}
			}
		}
	}
	b.sum(all)
	if unlike := compare.CountedUnlike(compared); unlike.EN != "" {
		b.view.Words.EN, b.view.Words.JA = b.view.Words.EN+" "+unlike.EN, b.view.Words.JA+unlike.JA
	}
	b.view.Parameters, err = v.runs().Parameters(ctx, b.view.shown())
	return b, err
}

// sum adds what is said of all comparisons together.
func (b *beside) sum(all []map[string]compare.MetricChange) {
	view := &b.view
	view.Metrics, view.Questions = app.NonNil(view.Metrics), len(b.rows)
	intervals := 0
	for _, changes := range all {
		for _, metric := range view.Metrics {
			if changes[metric].CI95 != nil {
				intervals++
			}
		}
	}
	view.Confidence, view.Words = compare.Jointly(intervals), compare.ManyWords(len(all), intervals, view.Metrics)
	for i, changes := range all {
		view.Runs[i].Changes = map[string]BesideChange{}
		for _, metric := range view.Metrics {
			if m, ok := changes[metric]; ok {
				view.Runs[i].Changes[metric] = BesideChange{Baseline: m.Baseline, Candidate: m.Candidate, Diff: m.Diff, N: m.N,
					CI: m.Jointly(intervals)}
			}
		}
	}
	for i, r := range b.rows {
		labels := make([]compare.Label, len(r.Cells))
		for n, c := range r.Cells {
			labels[n] = c.Label
		}
		if b.rows[i].Disagreement = compare.Disagreement(labels); b.rows[i].Disagreement > 0 {
			view.Disagreed++
		}
	}
}

// shown are the runs of a view, the baseline first.
func (b BesideView) shown() []app.RunRow {
	rows := []app.RunRow{b.Baseline}
	for _, r := range b.Runs {
		rows = append(rows, r.Run)
	}
	return rows
}

// scoreBy is the score of the first of the metrics that has one.
func scoreBy(metrics []string, scores map[string]float64) *float64 {
	for _, metric := range metrics {
		if score, ok := scores[metric]; ok {
			return &score
		}
	}
	return nil
}
