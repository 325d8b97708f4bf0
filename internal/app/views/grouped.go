package views

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// BySweep is the grouping of a list of runs in which the runs of a sweep are folded into its row.
const BySweep = "sweep"

// ParameterColumn is what the name of a column of a list of runs begins with that holds a parameter; lists can be sorted by it.
const ParameterColumn = "setup."

// foldedFigures are what a sweep with its runs folded is sorted by the best of them for.
var foldedFigures = []string{"low_score_count", "correctness", "trust"}

// inMemory reports whether a query asks for what the store cannot sort or fold.
func (q RunQuery) inMemory() bool {
	folded := q.Group == BySweep && (q.Text != "" || slices.Contains(foldedFigures, strings.TrimPrefix(q.Sort, "-")))
	return folded || q.sortedParameter() != ""
}

// sortedParameter is the parameter that the list is sorted by; "" for none, and for headers of an endpoint, which are never told.
func (q RunQuery) sortedParameter() string {
	name, ok := strings.CutPrefix(strings.TrimPrefix(q.Sort, "-"), ParameterColumn)
	if !ok || !experiments.Told(name) {
		return ""
	}
	return name
}

// arranged lists runs in an order or grouping that needs all of them in memory: heads, and of those that are sorted by a parameter
// their setups.
func (v *runViews) arranged(ctx context.Context, wanted experiments.RunList, q RunQuery, baselines map[string]bool) (
	listing.Listed[app.RunRow], error) {
	var out listing.Listed[app.RunRow]
	heads, _, err := v.w.Whole.RunHeads(ctx, wanted, experiments.Part{Sort: "created_at"})
	if err != nil {
		return out, err
	}
	if q.Group == BySweep {
		if heads, err = v.withoutMembers(ctx, heads); err != nil {
			return out, err
		}
	}
	rows, err := v.rowsOf(ctx, heads, q.Group == BySweep, baselines)
	if err != nil {
		return out, err
	}
	order, err := v.orderOf(ctx, rows, q.sortedParameter())
	if err != nil {
		return out, err
	}
	return listing.List(rows, order, q.Page)
}

// rowsOf are the rows of runs, folded ones with what is said of their runs.
func (v *runViews) rowsOf(ctx context.Context, heads []experiments.RunHead, folded bool, baselines map[string]bool) ([]app.RunRow, error) {
	var err error
	rows := make([]app.RunRow, len(heads))
	for i, h := range heads {
		rows[i] = app.RunRow{RunHead: h, Baseline: baselines[h.RunID]}
		if folded && h.Kind == experiments.KindSweep {
			if rows[i].Group, err = v.group(ctx, h.RunID); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// withoutMembers leaves the runs of sweeps out, and puts in the sweeps that they are of: a sweep is there when it fits, or one of its
// runs does.
func (v *runViews) withoutMembers(ctx context.Context, heads []experiments.RunHead) ([]experiments.RunHead, error) {
	var out []experiments.RunHead
	there, missing := map[string]bool{}, []string{}
	for _, h := range heads {
		if h.SweepID == "" {
			out, there[h.RunID] = append(out, h), true
		}
	}
	for _, h := range heads {
		if h.SweepID != "" && !there[h.SweepID] {
			missing, there[h.SweepID] = append(missing, h.SweepID), true
		}
	}
	for some := range slices.Chunk(missing, 500) { // what one statement of every engine takes
		sweeps, _, err := v.w.Whole.RunHeads(ctx, experiments.RunList{RunFilter: experiments.RunFilter{IDs: some}},
			experiments.Part{Sort: "created_at"})
		if err != nil {
			return nil, err
		}
		out = append(out, sweeps...)
	}
	return out, nil
}

// group is what the row of a sweep says of its runs, from memory where none of them has changed.
func (v *runViews) group(ctx context.Context, sweep string) (*app.SweepGroup, error) {
	members, _, err := v.w.Whole.RunHeads(ctx, experiments.RunList{RunFilter: experiments.RunFilter{SweepID: sweep}},
		experiments.Part{Sort: "created_at"})
	if err != nil {
		return nil, err
	}
	key := sweep
	for _, m := range members {
		key += " " + m.RunID + string(m.State)
	}
	making := context.WithoutCancel(ctx) // others may wait for the same
	return v.groups.Get(key, v.w.Options.Now(), func() (*app.SweepGroup, error) {
		runs, err := v.w.SweepRuns(making, sweep)
		return app.SweepGroupOf(runs), err
	})
}

// orderOf is how rows may be sorted: as the store does, a sweep with its runs folded by the best of them, and by one parameter.
func (v *runViews) orderOf(ctx context.Context, rows []app.RunRow, parameter string) (listing.Order[app.RunRow], error) {
	order := listing.Order[app.RunRow]{First: runOrder.First, ID: runOrder.ID, Keys: map[string]func(app.RunRow) listing.SortKey{}}
	for name, key := range runOrder.Keys {
		order.Keys[name] = key
	}
	for _, figure := range foldedFigures {
		plain := runOrder.Keys[figure]
		order.Keys[figure] = func(r app.RunRow) listing.SortKey {
			if r.Group == nil {
				return plain(r)
			}
			spread, ok := r.Group.Spread[figure]
			return listing.OptionalKey(spread.Best, ok)
		}
	}
	if parameter == "" {
		return order, nil
	}
	shown := map[string]string{} // row → run whose setup it is sorted by
	var ids []string
	for _, r := range rows {
		id := r.RunID
		if r.Group != nil {
			id = r.Group.Best
		}
		shown[r.RunID], ids = id, append(ids, id)
	}
	values, err := v.parameterOf(ctx, ids, parameter)
	order.Keys[ParameterColumn+parameter] = func(r app.RunRow) listing.SortKey { return parameterKey(values[shown[r.RunID]]) }
	return order, err
}

// parameterOf is one parameter of some evaluations, by run.
func (v *runViews) parameterOf(ctx context.Context, ids []string, name string) (map[string]any, error) {
	out := map[string]any{}
	for some := range slices.Chunk(ids, 200) {
		runs, err := v.w.Store.Runs(ctx, experiments.RunFilter{IDs: some})
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			if r.Kind == experiments.KindEvaluate && r.ParentID == "" {
				out[r.ID] = r.Setup.Fields()[name]
			}
		}
	}
	return out, nil
}

// parameterKey sorts numbers as numbers, before texts.
func parameterKey(value any) listing.SortKey {
	switch v := value.(type) {
	case nil:
		return listing.SortKey{Absent: true}
	case float64:
		return listing.NumberKey(v)
	}
	text := experiments.Param{Value: value}.Text()
	return listing.SortKey{Number: math.MaxFloat64, Text: text, Absent: text == ""}
}

// SavedQuery is what a saved view asks for, and the parameters that it has columns for.
func SavedQuery(v experiments.RunView) (q RunQuery, parameters []string, err error) {
	fields, err := app.ViewFields(v)
	if err != nil {
		return q, nil, err
	}
	q = RunQuery{Experiment: fields["experiment"], Dataset: fields["dataset"], Sweep: fields["sweep"], State: fields["state"],
		Kind: fields["kind"], Text: fields["q"], Children: fields["children"] == "true", Group: fields["group"],
		Page: listing.Page{Sort: fields["sort"]}}
	if fields["tag"] != "" {
		q.Tags = strings.Split(fields["tag"], ",")
	}
	for column := range strings.SplitSeq(fields["cols"], ",") {
		if name, ok := strings.CutPrefix(column, ParameterColumn); ok {
			parameters = append(parameters, name)
		}
	}
	return q, parameters, nil
}
