package views

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Parameters are what differs between the runs of a part of a list.
type Parameters struct {
	Differing []string                     `json:"differing"` // dotted, as in an experiment file and in its order
	Runs      map[string]map[string]string `json:"runs"`      // by run and parameter, as people write it; absent where a setup has none
}

// ofTheirOwn are parameters that every list of runs has a column for.
var ofTheirOwn = []string{"experiment", "dataset"}

// ParametersOf is [runViews.Parameters] of a part of a list, of which no more is read than which runs are in it.
func (v *runViews) ParametersOf(ctx context.Context, q RunQuery) (Parameters, error) {
	q.Sort = "" // nor does it matter in which order
	listed, err := listing.Fetched(runOrder, q.Page, func(p experiments.Part) (rows []app.RunRow, total int, err error) {
		p.Bare, p.Uncounted = true, true
		heads, total, err := v.w.Whole.RunHeads(ctx, q.wanted(), p)
		for _, h := range heads {
			rows = append(rows, app.RunRow{RunHead: h})
		}
		return rows, total, err
	})
	if err != nil {
		return Parameters{}, err
	}
	return v.Parameters(ctx, listed.Items)
}

// Parameters says which parameters differ between runs of a list. Only evaluations are looked at: a sweep stands for many setups, and
// what belongs to a run has the setup of that.
func (v *runViews) Parameters(ctx context.Context, rows []app.RunRow) (Parameters, error) {
	out := Parameters{Differing: []string{}, Runs: map[string]map[string]string{}}
	var ids []string
	for _, r := range rows {
		if r.Kind == experiments.KindEvaluate && r.ParentID == "" {
			ids = append(ids, r.RunID)
		}
	}
	fields, of, err := v.fields(ctx, ids)
	if err != nil {
		return out, err
	}
	for _, name := range experiments.Differing(fields) {
		if !slices.Contains(ofTheirOwn, name) {
			out.Differing = append(out.Differing, name)
		}
	}
	for i, id := range of {
		out.Runs[id] = map[string]string{}
		for _, name := range out.Differing {
			if value, ok := fields[i][name]; ok && value != nil && value != "" {
				out.Runs[id][name] = experiments.Param{Name: name, Value: value}.Text()
			}
		}
	}
	return out, nil
}

// fields are the fields of the setups of runs, which never change, and the runs that are there.
func (v *runViews) fields(ctx context.Context, ids []string) (fields []map[string]any, of []string, err error) {
	known := map[string]map[string]any{}
	var missing []string
	for _, id := range ids {
		if f, ok := v.setups.Peek(id, v.w.Options.Now()); ok {
			known[id] = f
		} else {
			missing = append(missing, id)
		}
	}
	for some := range slices.Chunk(missing, 200) { // a statement takes so many values
		runs, err := v.w.Store.Runs(ctx, experiments.RunFilter{IDs: some})
		if err != nil {
			return nil, nil, err
		}
		for _, r := range runs {
			known[r.ID] = r.Setup.Fields()
			v.setups.Put(r.ID, v.w.Options.Now(), known[r.ID])
		}
	}
	for _, id := range ids {
		if f := known[id]; f != nil {
			fields, of = append(fields, f), append(of, id)
		}
	}
	return fields, of, nil
}
