package app

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// RunRow is a run in a list: what it is, where it stands and its headline numbers, without prompts and configuration.
type RunRow struct {
	experiments.RunHead
	Baseline bool         `json:"baseline"` // pinned as the baseline of its dataset
	Progress *RunProgress `json:"progress,omitempty"`
}

// RunProgress says how far a run is that is not over.
type RunProgress struct {
	Done  int `json:"done"` // questions with every cell settled
	Total int `json:"total"`
}

// RunQuery narrows a list of runs. Empty fields do not narrow.
type RunQuery struct {
	Page
	Experiment string
	Dataset    string
	Sweep      string
	Parent     string
	State      string
	Kind       string
	Children   bool   // list the runs that belong to another one, too
	Text       string // in id, experiment, parameters, corpus or dataset
}

var runOrder = order[RunRow]{
	first: "-created_at",
	id:    func(r RunRow) string { return r.RunID },
	keys: map[string]func(RunRow) sortKey{
		"created_at": func(r RunRow) sortKey { return timeKey(r.CreatedAt) },
		"experiment": func(r RunRow) sortKey { return textKey(r.Experiment) },
		"dataset":    func(r RunRow) sortKey { return textKey(r.Dataset.String()) },
		"state":      func(r RunRow) sortKey { return textKey(string(r.State)) },
		"kind":       func(r RunRow) sortKey { return textKey(string(r.Kind)) },
		"run_id":     func(r RunRow) sortKey { return textKey(r.RunID) },
		"low_score_count": func(r RunRow) sortKey {
			return r.total(func(t *experiments.Totals) (float64, bool) { return float64(t.LowScoreCount), true })
		},
		"correctness": func(r RunRow) sortKey { return r.mean("correctness") },
		"trust":       func(r RunRow) sortKey { return r.mean("trust") },
	},
}

func (r RunRow) total(of func(*experiments.Totals) (float64, bool)) sortKey {
	if r.Totals == nil {
		return sortKey{Absent: true}
	}
	return optionalKey(of(r.Totals))
}

func (r RunRow) mean(metric string) sortKey {
	return r.total(func(t *experiments.Totals) (float64, bool) { m, ok := t.Scores[metric]; return m.Mean, ok })
}

// Runs lists runs. Those that only add votes to another, and those that look into one, are listed where their parent is asked for, or
// with Children.
func (v *Views) Runs(ctx context.Context, q RunQuery) (Listed[RunRow], error) {
	baselines, err := v.baselines(ctx)
	if err != nil {
		return Listed[RunRow]{}, err
	}
	wanted := experiments.RunList{Text: q.Text, RunFilter: experiments.RunFilter{
		Experiment: q.Experiment, Dataset: q.Dataset, SweepID: q.Sweep, ParentID: q.Parent, State: experiments.RunState(q.State), Kind: experiments.Kind(q.Kind),
		Roots: q.Parent == "" && !q.Children,
	}}
	out, err := fetched(runOrder, q.Page, func(p experiments.Part) ([]RunRow, int, error) {
		heads, total, err := v.w.whole.RunHeads(ctx, wanted, p)
		rows := make([]RunRow, len(heads))
		for i, h := range heads {
			rows[i] = RunRow{RunHead: h, Baseline: baselines[h.RunID]}
		}
		return rows, total, err
	})
	if err != nil {
		return out, err
	}
	for i := range out.Items { // only of what is shown
		if out.Items[i].Progress, err = v.progress(ctx, out.Items[i].RunID, out.Items[i].State); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (v *Views) baselines(ctx context.Context) (map[string]bool, error) {
	pinned, err := v.w.Store.Baselines(ctx)
	out := map[string]bool{}
	for _, b := range pinned {
		out[b.RunID] = true
	}
	return out, err
}

func runRowOf(r experiments.Run, baselines map[string]bool) RunRow {
	return RunRow{RunHead: r.Head(), Baseline: baselines[r.ID]}
}

// progress is nil for a run that is over.
func (v *Views) progress(ctx context.Context, id string, state experiments.RunState) (*RunProgress, error) {
	if over(state) {
		return nil, nil //nolint:nilnil // a run that is over has no progress
	}
	run, err := v.w.Store.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	left, total, err := v.w.progressOf(ctx, run)
	return &RunProgress{Done: total - left, Total: total}, err
}

// RunDetail is one run with what a page about it needs at once.
type RunDetail struct {
	Run      experiments.Run      `json:"run"` // with its setup: configuration, prompts, suite, judge
	Row      RunRow               `json:"row"` // totals here are pooled with those of its children
	Bubbles  *Bubbles             `json:"bubbles,omitempty"`
	Spent    experiments.Spending `json:"spent"`
	Currency string               `json:"currency"`
	Children []RunRow             `json:"children"`          // that add votes to it or look into it, oldest first
	Judge    *JudgeStatus         `json:"judge,omitempty"`   // what is known of its judge; absent when it was never validated
	AtBudget string               `json:"stopped,omitempty"` // how far it came, of a run that stopped at its budget
	Hint     string               `json:"hint,omitempty"`
	Filled   bool                 `json:"filled,omitempty"` // some errors were filled in by a child run
}

// Bubbles counts questions by correctness and trust: the numbers of the bubble chart.
type Bubbles struct {
	Counts   [][]int `json:"counts"`   // counts[trust-1][correctness-1]
	Unscored int     `json:"unscored"` // questions without both scores
	LowScore float64 `json:"low_score"`
	Low      int     `json:"low"` // questions in the red zone
}

func bubblesOf(e experiments.Evaluation) *Bubbles {
	table, unscored := BubbleTable(e)
	b := &Bubbles{Unscored: unscored, LowScore: e.Run.Setup.LowScore}
	for _, row := range table {
		b.Counts = append(b.Counts, row[:])
	}
	for _, r := range e.Results {
		if r.Replicate == 0 && r.Low(e.Run.Setup.LowScore) {
			b.Low++
		}
	}
	return b
}

// Run returns one run by id, prefix or experiment name.
func (v *Views) Run(ctx context.Context, name string) (RunDetail, error) {
	run, err := v.w.FindRun(ctx, name)
	if err != nil {
		return RunDetail{}, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return RunDetail{}, err
	}
	d := RunDetail{Run: run, Currency: v.w.Config.Currency, Children: []RunRow{}}
	if run.Kind != experiments.KindSweep && run.Kind != experiments.KindValidate {
		e, err := v.evaluation(ctx, run)
		if err != nil {
			return d, err
		}
		d.Bubbles = bubblesOf(e.Evaluation)
		if run.State == experiments.Finished {
			run.Totals = e.Run.Totals
		}
	}
	d.Row = runRowOf(run, baselines)
	if d.Row.Progress, err = v.progress(ctx, run.ID, run.State); err != nil {
		return d, err
	}
	if d.Spent, err = v.w.Store.Spent(ctx, run.ID); err != nil {
		return d, err
	}
	children, err := v.w.Store.Runs(ctx, experiments.RunFilter{ParentID: run.ID})
	if err != nil {
		return d, err
	}
	for i := len(children) - 1; i >= 0; i-- {
		d.Children = append(d.Children, runRowOf(children[i], baselines))
	}
	d.AtBudget, d.Hint, _ = v.w.AtBudget(ctx, run.ID)
	d.Judge, err = v.judgeStatus(ctx, run)
	return d, err
}

// JudgeStatus is what a badge says of a judge.
type JudgeStatus struct {
	Judge   string         `json:"judge"`
	Offline bool           `json:"offline"`
	Status  analysis.Light `json:"status"`
	Reasons []string       `json:"reasons"`
}

// judgeStatus is nil for a judge that nobody has validated with the prompts of the run.
func (v *Views) judgeStatus(ctx context.Context, run experiments.Run) (*JudgeStatus, error) {
	card, ok, err := v.w.CardOf(ctx, run.Setup.Judge)
	if err != nil || !ok {
		return nil, err
	}
	return &JudgeStatus{Judge: card.Judge, Offline: card.Offline, Status: card.Status, Reasons: nonNil(card.Reasons)}, nil
}

// Bill returns the bill of a run, whole or by one field.
func (v *Views) Bill(ctx context.Context, name, by string) (Bill, error) {
	run, err := v.w.FindRun(ctx, name)
	if err != nil {
		return Bill{}, err
	}
	bill, err := v.w.Bill(ctx, run)
	if err != nil {
		return bill, err
	}
	for field, lines := range bill.By {
		if lines == nil {
			bill.By[field] = []experiments.BillLine{}
		}
		if by != "" && field != by {
			delete(bill.By, field)
		}
	}
	return bill, nil
}

// tagValue is the value of the first tag "name:value".
func tagValue(q experiments.Question, name string) string {
	for _, t := range q.Tags {
		if value, ok := strings.CutPrefix(t, name+":"); ok {
			return value
		}
	}
	return ""
}
