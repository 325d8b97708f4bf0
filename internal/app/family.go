package app

import (
	"context"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// Family returns the heads of every run that belongs to these runs: their retries, votes, diagnoses and analyses, and what belongs to
// those, each generation in the order it was begun. The runs of a sweep are none of its family by themselves; what belongs to them is.
func Family(ctx context.Context, w *Workbench, runs ...string) ([]experiments.RunHead, error) {
	var out []experiments.RunHead
	part := experiments.Part{Sort: "created_at"}
	for parents := runs; len(parents) > 0; {
		var next []string
		for some := range slices.Chunk(parents, 500) { // what one statement of every engine takes
			children, _, err := w.Whole.RunHeads(ctx, experiments.RunList{RunFilter: experiments.RunFilter{ParentIDs: some}}, part)
			if err != nil {
				return nil, err
			}
			for _, c := range children {
				out, next = append(out, c), append(next, c.RunID)
			}
		}
		parents = next
	}
	return out, nil
}

// FamilyOf is [Family] of one run; of a sweep, that of its runs too.
func FamilyOf(ctx context.Context, w *Workbench, run experiments.Run) ([]experiments.RunHead, error) {
	ids := []string{run.ID}
	if run.Kind == experiments.KindSweep {
		members, _, err := w.Whole.RunHeads(ctx, experiments.RunList{RunFilter: experiments.RunFilter{SweepID: run.ID}},
			experiments.Part{Sort: "created_at"})
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			ids = append(ids, m.RunID)
		}
	}
	return Family(ctx, w, ids...)
}

// Descendants are the ids, parents and states of [Family] alone.
func Descendants(ctx context.Context, w *Workbench, runs ...string) (out []records.RunLink, err error) {
	for parents := runs; len(parents) > 0; {
		children, err := w.Whole.Children(ctx, parents)
		if err != nil {
			return nil, err
		}
		parents = nil
		for _, c := range children {
			out, parents = append(out, c), append(parents, c.RunID)
		}
	}
	return out, nil
}

// Belonging counts, for each of these runs, how many runs belong to it, theirs included.
func Belonging(ctx context.Context, w *Workbench, runs []string) (map[string]int, error) {
	family, err := Descendants(ctx, w, runs...)
	if err != nil {
		return nil, err
	}
	parent := map[string]string{}
	for _, c := range family {
		parent[c.RunID] = c.ParentID
	}
	out := map[string]int{}
	for _, c := range family {
		for id, ok := c.ParentID, true; ok; id, ok = parent[id] {
			out[id]++
		}
	}
	return out, nil
}

// Bill is what a run or sweep has cost with everything that belongs to it, whole and by what the money went for.
type Bill struct {
	RunID    string             `json:"run_id"`
	Currency string             `json:"currency"`
	Budget   experiments.Budget `json:"budget,omitzero"` // of the run alone: what belongs to it has budgets of its own
	// of the run, or the sweep with its runs, and of all that belongs to it
	Total experiments.Spending `json:"total"`
	Own   experiments.Spending `json:"own"` // without what belongs to it
	// what belongs to it, the oldest first; Own and these add up to Total
	Children []ChildBill                       `json:"children,omitempty"`
	By       map[string][]experiments.BillLine `json:"by"` // of Total: "stage", "purpose", "model", "question"
}

// ChildBill is what a run cost that belongs to another one.
type ChildBill struct {
	RunID    string               `json:"run_id"`
	Kind     experiments.Kind     `json:"kind"`
	ParentID string               `json:"parent_id"`
	State    experiments.RunState `json:"state"`
	Total    experiments.Spending `json:"total"`
}

// Bill reads the bill of a run.
func (w *Workbench) Bill(ctx context.Context, run experiments.Run) (Bill, error) {
	b := Bill{RunID: run.ID, Currency: w.Config.Currency, Budget: run.Budget, By: map[string][]experiments.BillLine{}}
	family, err := FamilyOf(ctx, w, run)
	if err != nil {
		return b, err
	}
	if b.Own, err = w.Store.Spent(ctx, run.ID); err != nil {
		return b, err
	}
	b.Total = b.Own
	ids := []string{run.ID}
	for _, c := range family {
		child := ChildBill{RunID: c.RunID, Kind: c.Kind, ParentID: c.ParentID, State: c.State}
		if child.Total, err = w.Store.Spent(ctx, c.RunID); err != nil {
			return b, err
		}
		b.Total = b.Total.Plus(child.Total)
		b.Children = append(b.Children, child)
		ids = append(ids, c.RunID)
	}
	for _, field := range []string{"stage", "purpose", "model", "question"} {
		if b.By[field], err = BillLines(ctx, w, field, ids); err != nil {
			return b, err
		}
	}
	return b, nil
}

// BillLines are the lines of the bills of several runs together, by value.
func BillLines(ctx context.Context, w *Workbench, field string, ids []string) ([]experiments.BillLine, error) {
	var out []experiments.BillLine
	for _, id := range ids {
		lines, err := w.Store.BillLines(ctx, id, field)
		if err != nil {
			return nil, err
		}
		for _, l := range lines {
			at := slices.IndexFunc(out, func(o experiments.BillLine) bool { return o.Value == l.Value })
			if at < 0 {
				out = append(out, l)
				continue
			}
			out[at].Spending = out[at].Plus(l.Spending)
		}
	}
	slices.SortFunc(out, func(a, b experiments.BillLine) int { return strings.Compare(a.Value, b.Value) })
	return out, nil
}

// Retries are the finished runs that asked again what had failed in a run, and those that did so in them: what they bought is part
// of the run's own answers and scores.
func Retries(ctx context.Context, w *Workbench, run experiments.Run) ([]string, error) {
	children, err := w.Store.Runs(ctx, experiments.RunFilter{ParentID: run.ID, Kind: run.Kind, State: experiments.Finished})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range children {
		if c.Setup.Replicate != run.Setup.Replicate {
			continue
		}
		deeper, err := Retries(ctx, w, c)
		if err != nil {
			return nil, err
		}
		out = append(append(out, c.ID), deeper...)
	}
	return out, nil
}
