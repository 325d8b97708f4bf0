package notebooks

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// refresh finds value and state of one cell whose needs have been refreshed. It buys nothing.
func (n refreshing) refresh(ctx context.Context, v *View, c *document.Cell, at *CellView) {
	*at = CellView{Name: c.Name, Type: c.Type}
	if p := n.mistake(c); p != nil {
		at.State, at.Error, at.Spend = Errored, p, n.Lock.Cells[c.Name].Spend
		at.More = n.alsoWrong(ctx, v, c)
		return
	}
	for _, name := range n.Document.Upstream(c) {
		if up := v.Cell(name); up.Value == nil || lacksRun(up.Value) {
			at.State = Blocked
			at.Add(because(map[bool]string{true: "failed", false: "no_result"}[up.State == Errored], "cell", name))
		}
	}
	schema, _ := document.SchemaOf(c.Type)
	if at.State == Blocked {
		at.Spend = n.Lock.Cells[c.Name].Spend
		return
	}
	at.Hash = n.refreshing().identity(c, v)
	stale := n.refreshing().staleNeeds(c, v)
	run, nothing := n.nothingToApply(v, c)
	if schema.Paid && !nothing {
		n.locked(ctx, v, c, at, stale)
		return
	}
	compute := n.compute
	if nothing {
		compute = func(ctx context.Context, _ *View, _ *document.Cell) (any, error) { return value(n.unchanged(ctx, run)) }
	}
	value, err := compute(ctx, v, c)
	if err != nil {
		at.State = Errored
		for _, p := range problemsOf(err) {
			at.More = append(at.More, n.located(c, p))
		}
		at.Error, at.More = at.More[0], at.More[1:]
		return
	}
	at.Value, at.State = value, Fresh
	if len(stale) > 0 {
		at.State = Stale
		at.Add(upstreamReasons(v, stale)...)
	}
}

// lacksRun reports whether a table is empty because the notebook has no run yet: what rests on it waits as for a run.
func lacksRun(value any) bool {
	rows, is := value.(document.Rows)
	return is && len(rows.Rows) == 0 && rows.NoRun != document.Words{}
}

func upstreamReasons(v *View, stale []string) []Reason {
	var out []Reason
	for _, name := range stale {
		out = append(out, because("upstream", "cell", name, "state", string(v.Cell(name).State)))
	}
	return out
}

// locked reads what the lock knows about a paid cell.
func (n refreshing) locked(ctx context.Context, v *View, c *document.Cell, at *CellView, stale []string) {
	if err := n.check(ctx, v, c); err != nil {
		at.State, at.Error = Errored, n.located(c, err)
		return
	}
	e, known := n.Lock.Cells[c.Name]
	at.Spend, at.State = e.Spend, Stale
	switch {
	case !known:
		at.Add(because("never_run"))
		return
	case e.Partial != "":
		at.State = Partial
		at.Add(partialReason(e.Partial))
		if e.Hash != at.Hash {
			at.Add(n.reasons(v, c, e)...)
		}
		return
	}
	value, err := n.load(ctx, c, e)
	switch {
	case err != nil && problem.Is(err, problem.NotFound):
		at.Add(because("runs_absent"))
		return
	case err != nil:
		at.State, at.Error = Errored, n.located(c, err)
		return
	}
	at.Value = value
	at.Add(upstreamReasons(v, stale)...)
	if e.Hash != at.Hash {
		at.Add(n.reasons(v, c, e)...)
	} else if !n.fits(ctx, v, c, e) {
		at.Add(because("other_run"))
	}
	switch {
	case c.Values["pin"] == true:
		at.State = Pinned
	case len(at.Why) == 0:
		at.State = Fresh
	}
}

// Fitter is an engine that can tell whether the runs of a lock entry are those that its cell asks for. The lock is a file: whoever edits it
// could put any run of the dataset behind a cell.
type Fitter interface {
	Fits(ctx context.Context, w Work, e Entry) (bool, error)
}

// fits reports whether the runs behind a cell have the setup that it asks for. Where that cannot be told, because something that they were
// set up with is gone, they are believed.
func (n refreshing) fits(ctx context.Context, v *View, c *document.Cell, e Entry) bool {
	fitter, ok := n.Engine.(Fitter)
	if !ok {
		return true
	}
	work, err := n.work(v, c)
	if err != nil {
		return true
	}
	fits, err := fitter.Fits(ctx, work, e)
	return fits || err != nil
}

// reasons say what changed since a cell was run.
func (n refreshing) reasons(v *View, c *document.Cell, e Entry) []Reason {
	now := n.entry(v, c)
	var out []Reason
	for _, name := range document.SortedKeys(now.Params) {
		if old, ok := e.Params[name]; ok && document.TextOf(old) != document.TextOf(now.Params[name]) {
			out = append(out, because("param_changed", "param", name, "from", document.TextOf(old), "to",
				document.TextOf(now.Params[name])))
		}
	}
	for _, name := range document.SortedKeys(now.Own) {
		old, ok := e.Own[name]
		switch {
		case !ok:
			out = append(out, because("added", "cell", name))
		case old != now.Own[name] && !n.byParam(name, now, e):
			out = append(out, because("edited", "cell", name))
		case now.Sources[name] != "" && now.Sources[name] != e.Sources[name]:
			out = append(out, because("version_changed", "cell", name, "from", e.Sources[name], "to", now.Sources[name]))
		}
	}
	if now.Engine != e.Engine {
		out = append(out, because("engine_changed"))
	}
	if len(out) == 0 {
		out = append(out, because("result_changed"))
	}
	return out
}

// byParam reports whether a parameter that a cell uses changed: then the parameter is the reason, not an edit.
func (n refreshing) byParam(name string, now, then Entry) bool {
	return slices.ContainsFunc(n.Document.Cell(name).UsedParams(), func(p string) bool {
		old, ok := then.Params[p]
		return ok && document.TextOf(old) != document.TextOf(now.Params[p])
	})
}

// entry is the lock entry of a cell as it stands, without what is bought.
func (n refreshing) entry(v *View, c *document.Cell) Entry {
	e := Entry{Hash: v.Cell(c.Name).Hash, Engine: n.Engine.Version(c.Type), Own: map[string]string{}, Params: map[string]any{},
		Sources: map[string]string{}}
	values := n.Document.ParamValues(n.Params)
	for name := range n.Document.Ancestors(c.Name) {
		cell := n.Document.Cell(name)
		e.Own[name] = n.refreshing().own(cell)
		for _, p := range cell.UsedParams() {
			e.Params[p] = values[p]
		}
		if s, ok := v.Cell(name).Value.(document.Source); ok {
			e.Sources[name] = s.Ref
		}
	}
	return e
}

// load brings the value of a paid cell from what the lock knows.
func (n refreshing) load(ctx context.Context, c *document.Cell, e Entry) (any, error) {
	if c.Type == "cause" {
		if len(e.Runs) == 0 {
			return document.CauseSet{}, nil // there was nothing to diagnose
		}
		return value(n.Engine.Causes(ctx, e.Versions["run"], e.Versions["method"]))
	}
	after, err := n.Engine.Runs(ctx, e.Runs)
	if err != nil || c.Type != "apply" {
		return value(after, err)
	}
	return value(n.applied(ctx, e, after))
}

// applied sets the run of an apply cell beside the one that was diagnosed.
func (n refreshing) applied(ctx context.Context, e Entry, after document.RunSet) (document.Comparison, error) {
	out, err := n.Engine.Compare(ctx, e.Versions["run"], after.First.ID, document.Limits{})
	out.Applied = &document.Applied{Name: e.Versions["change"], Experiment: e.Versions["experiment"],
		Change: document.Words{EN: e.Versions["change_en"], JA: e.Versions["change_ja"]}}
	return out, err
}

// nothingToApply reports whether an apply cell has nothing to make: its diagnosis recommends nothing, and the cell names no change. run is
// the one that was diagnosed.
func (n refreshing) nothingToApply(v *View, c *document.Cell) (run string, nothing bool) {
	if c.Type != "apply" || document.TextOf(c.Values["change"]) != "" {
		return "", false
	}
	of := n.Document.Cell(document.TextOf(c.Values["of"]))
	if of == nil || of.Type != "cause" {
		return "", false
	}
	found, ok := v.Cell(of.Name).Value.(document.CauseSet)
	if !ok || len(found.Recommendations) > 0 {
		return "", false
	}
	run, err := n.run(v, of, "of")
	return run, err == nil
}

// unchanged is what an apply cell publishes where there is nothing to apply: the run beside itself.
func (n refreshing) unchanged(ctx context.Context, run string) (document.Comparison, error) {
	set, err := n.Engine.Runs(ctx, []BoughtRun{{ID: run}})
	if err != nil {
		return document.Comparison{}, err
	}
	r := set.Runs[0]
	none := document.Words{EN: "none: the diagnosis recommends nothing that can be applied", JA: "なし（原因分析が推奨する、適用できる変更はない）"}
	out := document.Comparison{Baseline: r, Candidate: r, Matched: r.Questions, LowBefore: r.LowScores, LowAfter: r.LowScores,
		Metrics: map[string]document.Change{}, Applied: &document.Applied{Change: none},
		Headline:  document.Words{EN: "Nothing was changed.", JA: "何も変更していません。"},
		Sentences: document.Words{EN: "The diagnosis recommends no change that can be applied by itself.", JA: "原因分析には、そのまま適用できる推奨の変更がありません。"},
		Worse:     document.Counted{Questions: []string{}}, Mixed: document.Counted{Questions: []string{}},
		NeedsCheck: document.Counted{Questions: []string{}},
		Better:     document.Counted{Questions: []string{}}}
	for id, x := range r.Scores {
		out.Metrics[id] = document.Change{Baseline: x, Candidate: x}
	}
	return out, nil
}

// value is a typed result without its type; nil with an error.
func value[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}
