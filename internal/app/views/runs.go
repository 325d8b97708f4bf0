package views

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// RunQuery narrows a list of runs. Empty fields do not narrow.
type RunQuery struct {
	listing.Page
	Experiment string
	Dataset    string
	Sweep      string
	Parent     string
	State      string
	Kind       string
	Tags       []string // all of them
	Children   bool     // list the runs that belong to another one, too; without it they are folded into a number
	Text       string   // in id, experiment, parameters, corpus or dataset
	Group      string   // [BySweep] folds the runs of a sweep into its row
}

var runOrder = listing.Order[app.RunRow]{
	First: "-created_at",
	ID:    func(r app.RunRow) string { return r.RunID },
	Keys: map[string]func(app.RunRow) listing.SortKey{
		"created_at": func(r app.RunRow) listing.SortKey { return listing.TimeKey(r.CreatedAt) },
		"experiment": func(r app.RunRow) listing.SortKey { return listing.TextKey(r.Experiment) },
		"dataset":    func(r app.RunRow) listing.SortKey { return listing.TextKey(r.Dataset.String()) },
		"state":      func(r app.RunRow) listing.SortKey { return listing.TextKey(string(r.State)) },
		"kind":       func(r app.RunRow) listing.SortKey { return listing.TextKey(string(r.Kind)) },
		"run_id":     func(r app.RunRow) listing.SortKey { return listing.TextKey(r.RunID) },
		"low_score_count": func(r app.RunRow) listing.SortKey {
			return r.Total(func(t *experiments.Totals) (float64, bool) { return float64(t.LowScoreCount), true })
		},
		"correctness": func(r app.RunRow) listing.SortKey { return r.Mean("correctness") },
		"trust":       func(r app.RunRow) listing.SortKey { return r.Mean("trust") },
	},
}

// Runs lists runs. Those that only add votes to another, and those that look into one, are listed where their parent is asked for, or
// with Children.
func (v *runViews) Runs(ctx context.Context, q RunQuery) (listing.Listed[app.RunRow], error) {
	baselines, err := v.baselines(ctx)
	if err != nil {
		return listing.Listed[app.RunRow]{}, err
	}
	wanted := q.wanted()
	if q.inMemory() {
		out, err := v.arranged(ctx, wanted, q, baselines)
		if err != nil {
			return out, err
		}
		return out, v.folded(ctx, out.Items)
	}
	wanted.Folded = q.Group == BySweep
	out, err := listing.Fetched(runOrder, q.Page, func(p experiments.Part) ([]app.RunRow, int, error) {
		heads, total, err := v.w.Whole.RunHeads(ctx, wanted, p)
		if err != nil {
			return nil, 0, err
		}
		rows, err := v.rowsOf(ctx, heads, wanted.Folded, baselines)
		return rows, total, err
	})
	if err != nil {
		return out, err
	}
	return out, v.folded(ctx, out.Items)
}

// wanted are the runs that a query leaves.
func (q RunQuery) wanted() experiments.RunList {
	return experiments.RunList{Text: q.Text, RunFilter: experiments.RunFilter{
		Experiment: q.Experiment, Dataset: q.Dataset, SweepID: q.Sweep, ParentID: q.Parent, State: experiments.RunState(q.State),
		Kind: experiments.Kind(q.Kind), Tags: q.Tags,
		Roots: q.Parent == "" && !q.Children,
	}}
}

// Unfolded returns rows with the runs that belong to each behind it, and theirs behind those, each one step deeper.
func (v *runViews) Unfolded(ctx context.Context, rows []app.RunRow) ([]app.RunRow, error) {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.RunID
	}
	family, err := app.Family(ctx, v.w, ids...)
	if err != nil {
		return nil, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return nil, err
	}
	children := map[string][]app.RunRow{}
	for _, c := range family {
		children[c.ParentID] = append(children[c.ParentID], app.RunRow{RunHead: c, Baseline: baselines[c.RunID]})
	}
	var out []app.RunRow
	var add func(rows []app.RunRow, depth int)
	add = func(rows []app.RunRow, depth int) {
		for _, r := range rows {
			r.Depth = depth
			out = append(out, r)
			add(children[r.RunID], depth+1)
		}
	}
	add(rows, 0)
	return out, v.folded(ctx, out)
}

// folded adds to rows that are shown how many runs belong to each, how far it is, and what people wrote beside it.
func (v *runViews) folded(ctx context.Context, rows []app.RunRow) error {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.RunID
	}
	belonging, err := app.Belonging(ctx, v.w, ids)
	if err != nil {
		return err
	}
	notes, err := v.w.Whole.Notes(ctx, ids)
	if err != nil {
		return err
	}
	for i, r := range rows {
		rows[i].Notes = notes[r.RunID]
		rows[i].Children = belonging[r.RunID]
		if rows[i].Progress, err = v.progress(ctx, r.RunID, r.State); err != nil {
			return err
		}
	}
	return nil
}

func (v *core) baselines(ctx context.Context) (map[string]bool, error) {
	pinned, err := v.w.Store.Baselines(ctx)
	out := map[string]bool{}
	for _, b := range pinned {
		out[b.RunID] = true
	}
	return out, err
}

// progress is nil for a run that is over.
func (v *runViews) progress(ctx context.Context, id string, state experiments.RunState) (*app.RunProgress, error) {
	if app.Over(state) {
		return nil, nil //nolint:nilnil // a run that is over has no progress
	}
	run, err := v.w.Store.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	left, total, err := app.PricedProgress(ctx, v.w, run)
	return &app.RunProgress{Done: total - left, Total: total}, err
}

// RunDetail is one run with what a page about it needs at once.
type RunDetail struct {
	Run      experiments.Run      `json:"run"` // with its setup: configuration, prompts, suite, judge
	Row      app.RunRow           `json:"row"` // totals here are pooled with those of its children
	Bubbles  *Bubbles             `json:"bubbles,omitempty"`
	Spent    experiments.Spending `json:"spent"` // with what its children spent
	Own      experiments.Spending `json:"own"`   // without
	Currency string               `json:"currency"`
	Children []ChildRow           `json:"children"`           // that ask again, add votes or look into it, and theirs, oldest first
	Judge    *JudgeStatus         `json:"judge,omitempty"`    // what is known of its judge; absent when it was never validated
	AtBudget string               `json:"stopped,omitempty"`  // how far it came, of a run that stopped at its budget
	Why      *findings.Text       `json:"why,omitempty"`      // a run stands still
	Troubles []findings.Trouble   `json:"troubles"`           // what went wrong with its calls, the most frequent first
	Recorded *findings.Recorded   `json:"recorded,omitempty"` // which part recorded replies have in it; absent where they did not judge
	// that no score came with the answers that it replays; absent where one did, or where it wrote its answers
	ScoredHere *findings.Text `json:"scored_here,omitempty"`
	Search     *findings.Text `json:"search,omitempty"` // how much of what is nearest an approximate search found
	Hint       string         `json:"hint,omitempty"`
}

// Bubbles counts questions by correctness and trust: the numbers of the bubble chart.
type Bubbles struct {
	Counts   [][]int `json:"counts"`   // counts[trust-1][correctness-1]
	Unscored int     `json:"unscored"` // questions without both scores
	LowScore float64 `json:"low_score"`
	Low      int     `json:"low"` // low-score answers
	// what is low, as the middle of a sentence; own_low where the run says it in the terms of imported scores, in the place of low_score
	Line findings.Text         `json:"line"`
	Own  []experiments.LowLine `json:"own_low,omitempty"`
}

func bubblesOf(results []experiments.Result, setup experiments.Setup) *Bubbles {
	table, unscored := app.BubbleTable(results, setup.LowScore)
	rule := setup.LowRule()
	b := &Bubbles{Unscored: unscored, LowScore: setup.LowScore, Line: findings.LowText(rule), Own: rule.Said()}
	for _, row := range table {
		b.Counts = append(b.Counts, row[:])
	}
	standing, _ := experiments.Standing(results)
	for _, r := range standing {
		if r.Low(rule) {
			b.Low++
		}
	}
	return b
}

// Run returns one run by id, prefix or experiment name.
func (v *runViews) Run(ctx context.Context, name string) (RunDetail, error) {
	run, err := v.w.FindRun(ctx, name)
	if err != nil {
		return RunDetail{}, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return RunDetail{}, err
	}
	d := RunDetail{Run: run, Currency: v.w.Config.Currency, Children: []ChildRow{}}
	if run.Kind != experiments.KindSweep && run.Kind != experiments.KindValidate {
		e, err := v.evaluation(ctx, run)
		if err != nil {
			return d, err
		}
		d.Bubbles = bubblesOf(e.Results, run.Setup)
		if near := findings.SearchOf(e.Results); near.EN != "" {
			d.Search = &near
		}
		if run.State == experiments.Finished {
			run.Totals = e.Run.Totals
		}
	}
	d.Row = app.RunRowOf(run, baselines)
	notes, err := v.w.Whole.Notes(ctx, []string{run.ID})
	if err != nil {
		return d, err
	}
	d.Row.Notes = notes[run.ID]
	if d.Row.Progress, err = v.progress(ctx, run.ID, run.State); err != nil {
		return d, err
	}
	if err := v.children(ctx, &d, baselines); err != nil {
		return d, err
	}
	d.AtBudget, d.Hint, _ = app.AtBudget(ctx, v.w, run.ID)
	if run.State != experiments.Finished && run.Cause != "" {
		d.Why = new(findings.CauseText(run.Cause))
	}
	troubles, err := v.w.Whole.Troubles(ctx, run.ID)
	if err != nil {
		return d, err
	}
	d.Troubles = findings.TroublesOf(troubles)
	if by := findings.RecordedBy(run.Setup); by.EN != "" {
		d.Recorded = &by
	}
	if here := findings.ScoredHere(run.Setup); here.EN != "" {
		d.ScoredHere = &here
	}
	d.Judge, err = v.judgeStatus(ctx, run)
	return d, err
}

// ChildRow is a run that belongs to another one, with what it spent itself.
type ChildRow struct {
	app.RunRow
	Spent experiments.Spending `json:"spent"`
}

// children adds to a run what belongs to it, and what all of it has spent.
func (v *runViews) children(ctx context.Context, d *RunDetail, baselines map[string]bool) error {
	family, err := app.FamilyOf(ctx, v.w, d.Run)
	if err != nil {
		return err
	}
	if d.Own, err = v.w.Store.Spent(ctx, d.Run.ID); err != nil {
		return err
	}
	d.Spent, d.Row.Children = d.Own, len(family)
	for _, head := range family {
		child := ChildRow{RunRow: app.RunRow{RunHead: head, Baseline: baselines[head.RunID]}}
		if child.Spent, err = v.w.Store.Spent(ctx, head.RunID); err != nil {
			return err
		}
		d.Spent = d.Spent.Plus(child.Spent)
		d.Children = append(d.Children, child)
	}
	return nil
}

// JudgeStatus is what a badge says of a judge.
type JudgeStatus struct {
	Judge   string           `json:"judge"`
	Offline bool             `json:"offline"`
	Status  validation.Light `json:"status"`
	Reasons []string         `json:"reasons"`
}

// judgeStatus is nil for a judge that nobody has validated with the prompts of the run.
func (v *runViews) judgeStatus(ctx context.Context, run experiments.Run) (*JudgeStatus, error) {
	card, ok, err := validations.CardOfRun(ctx, v.w, run)
	if err != nil || !ok {
		return nil, err
	}
	return &JudgeStatus{Judge: card.Judge, Offline: card.Offline, Status: card.Status, Reasons: app.NonNil(card.Reasons)}, nil
}

// Bill returns the bill of a run, whole or by one field.
func (v *runViews) Bill(ctx context.Context, name, by string) (app.Bill, error) {
	run, err := v.w.FindRun(ctx, name)
	if err != nil {
		return app.Bill{}, err
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
