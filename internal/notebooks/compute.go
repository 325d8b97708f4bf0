package notebooks

import (
	"context"
	"maps"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// compute makes the value of a cell that costs nothing.
func (n *Notebook) compute(ctx context.Context, v *View, c *document.Cell) (any, error) {
	switch c.Type {
	case "note":
		return document.Doc{Text: document.Words{EN: document.TextOf(c.Values["en"]), JA: document.TextOf(c.Values["ja"])}}, nil
	case "params":
		values, out := n.Document.ParamValues(n.Params), map[string]any{}
		for _, p := range c.Params() {
			out[p.Name] = values[c.Name+"."+p.Name]
		}
		return out, nil
	case "corpus":
		return value(n.Engine.Resolve(ctx, Wanted{Kind: "corpus", Source: document.TextOf(c.Values["source"])}))
	case "dataset":
		return n.dataset(ctx, v, c)
	case "config":
		return n.config(v, c), nil
	case "sweep":
		return n.sweep(v, c)
	case "repair":
		return value(n.repair(ctx, v, c))
	case "chart":
		return n.chart(ctx, v, c)
	case "query":
		return value(n.query(ctx, v, c))
	case "table":
		return n.tabled(ctx, v, c)
	}
	return n.read(ctx, v, c)
}

// read makes the values that come from finished runs.
func (n *Notebook) read(ctx context.Context, v *View, c *document.Cell) (any, error) {
	run := ""
	var err error
	if c.Values["of"] != nil && c.Type != "gate" {
		if run, err = n.run(v, c, "of"); err != nil {
			return nil, err
		}
	}
	switch c.Type {
	case "failures":
		limit := 20
		if c.Values["limit"] != nil {
			limit = int(document.NumberOf(c.Values["limit"]))
		}
		return value(n.Engine.Failures(ctx, run, limit))
	case "question":
		return value(n.Engine.Answer(ctx, run, document.TextOf(c.Values["id"])))
	case "agreement":
		return value(n.agreement(ctx, run, c))
	case "compare":
		baseline, err := n.run(v, c, "baseline")
		if err != nil {
			return nil, err
		}
		candidate, err := n.run(v, c, "candidate")
		if err != nil {
			return nil, err
		}
		return value(n.Engine.Compare(ctx, baseline, candidate, document.Limits{}))
	case "gate":
		return n.gate(ctx, v, c)
	case "report":
		return n.report(ctx, v, c, run)
	}
	return nil, problem.New(problem.Internal, "cell_type", "nothing computes cells of type %s", c.Type).
		With("type", c.Type).With("among", strings.Join(document.CellTypes(), ", "))
}

// report is what a report cell says of a run, by itself or beside a baseline.
func (n *Notebook) report(ctx context.Context, v *View, c *document.Cell, run string) (any, error) {
	r := document.Report{RunID: run, Include: document.TextsOf(c.Values["include"])}
	limits, err := n.limits(c)
	if err != nil {
		return nil, err
	}
	if c.Values["baseline"] == nil {
		if len(limits.Min) > 0 || limits.Margin != nil || limits.Allowance != nil {
			return nil, n.placed(c, document.WrongField("baseline", "missing", "baseline is missing, and limits are about two runs").
				With("doc", document.Words{EN: "Limits of the release check are about two runs.",
					JA: "リリース判定の許容範囲は2つの実行についてのものです。"}).
				WithHint("name the run before in baseline, or take the limits out"))
		}
		alone, err := n.Engine.Found(ctx, run)
		if err != nil {
			return nil, err
		}
		r.Headline, r.Summary, r.Found = alone.Headline, alone.Summary, alone.Found
		return r, nil
	}
	if r.Baseline, err = n.run(v, c, "baseline"); err != nil {
		return nil, err
	}
	compared, err := n.Engine.Compare(ctx, r.Baseline, run, limits)
	if err != nil {
		return nil, err
	}
	r.Baseline, r.Limits = compared.Baseline.ID, limits // which run is pinned may be another one tomorrow
	r.Headline, r.Summary, r.Found = compared.Headline, compared.Sentences, compared.Found
	return r, nil
}

func (n *Notebook) dataset(ctx context.Context, v *View, c *document.Cell) (any, error) {
	corpus := ""
	if name := document.TextOf(c.Values["corpus"]); name != "" {
		corpus = v.Cell(name).Value.(document.Source).Ref
	}
	w := Wanted{Kind: "dataset", Source: document.TextOf(c.Values["source"]), Corpus: corpus,
		Limit:  int(document.NumberOf(c.Values["limit"])),
		Filter: document.TextsOf(c.Values["filter"])}
	if w.Limit < 0 {
		return nil, n.placed(c, document.Outside("limit", w.Limit, document.Words{EN: "1 or more, or 0 for all", JA: "1以上、またはすべてを表す0"}))
	}
	return value(n.Engine.Resolve(ctx, w))
}

// config lays a cell's fields over the configuration that it extends.
func (n *Notebook) config(v *View, c *document.Cell) document.Config {
	out := document.Config{Name: c.Name, Base: map[string]any{}}
	if name := document.TextOf(c.Values["extends"]); name != "" {
		base := v.Cell(name).Value.(document.Config)
		out.Corpus, out.Endpoint, out.Answers, out.Base = base.Corpus, base.Endpoint, base.Answers, maps.Clone(base.Base)
		out.Preset = base.Preset
	}
	for k, x := range c.Values {
		switch k {
		case "extends", "title":
		case "corpus":
			out.Corpus = v.Cell(document.TextOf(x)).Value.(document.Source).Ref
		case "endpoint":
			out.Endpoint = document.TextOf(x)
		case "answers":
			out.Answers = document.TextOf(x)
		case "preset":
			out.Preset = document.TextOf(x)
		default:
			out.Base[k] = overlaid(out.Base[k], x)
		}
	}
	return out
}

// overlaid lays a mapping over another, level by level; anything else replaces what was there.
func overlaid(under, over any) any {
	a, okA := under.(map[string]any)
	b, okB := over.(map[string]any)
	if !okA || !okB {
		return over
	}
	out := maps.Clone(a)
	for k, x := range b {
		out[k] = overlaid(out[k], x)
	}
	return out
}

// run is the id of the one run that a field refers to; "" for the pinned baseline.
func (n *Notebook) run(v *View, c *document.Cell, fieldName string) (string, error) {
	s := document.TextOf(c.Values[fieldName])
	if s == "pinned" {
		return "", nil
	}
	if id, literal := strings.CutPrefix(s, "run:"); literal {
		return id, nil
	}
	cell, path, _ := strings.Cut(s, ".")
	if c := n.Document.Cell(cell); path != "" && c != nil { // a configuration's name may not be split at its dots
		if set, ok := v.Cell(cell).Value.(document.RunSet); ok {
			for _, r := range set.Runs {
				if r.Label == path {
					return r.ID, nil
				}
			}
		}
	}
	at, near, err := document.Look(v.Cell(cell).Value, path)
	if err != nil {
		p := problem.New(problem.Invalid, "ref_field", "%s refers to %s: %s%s", fieldName, s, err, document.MeantBy(path, near))
		return "", document.Among(document.Refers(p, fieldName, s), path, near).WithHint("fields: %s", strings.Join(near, ", "))
	}
	switch x := at.Value.Interface().(type) {
	case document.Run:
		return x.ID, nil
	case document.RunSet:
		if len(x.Runs) == 1 {
			return x.Runs[0].ID, nil
		}
		labels := []string{"best"}
		for _, r := range x.Runs {
			labels = append(labels, r.Label)
		}
		p := problem.New(problem.Invalid, "ref_many", "%s refers to %s, which has %d runs", fieldName, s, len(x.Runs))
		one := cell + "." + strings.Join(labels, ", "+cell+".")
		return "", document.Refers(p, fieldName, s).With("count", len(x.Runs)).With("among", one).WithHint("name one: %s", one)
	case document.Comparison:
		return x.Candidate.ID, nil
	case document.CauseSet:
		if x.RunID != "" {
			return x.RunID, nil
		}
		return "", problem.New(problem.Invalid, "recommendation", "%s found no low score, and recommends nothing", cell).With("cell", cell).
			WithHint("take the cell out: there is nothing to repair")
	}
	p := problem.New(problem.Invalid, "ref_field", "%s refers to %s, which is no run", fieldName, s)
	return "", document.Refers(p, fieldName, s).With("mistake", "run")
}

func (n *Notebook) gate(ctx context.Context, v *View, c *document.Cell) (any, error) {
	cmp, ok := v.Cell(document.TextOf(c.Values["of"])).Value.(document.Comparison)
	if !ok {
		p := problem.New(problem.Invalid, "ref_field", "of refers to %s, which is no comparison", document.TextOf(c.Values["of"]))
		return nil, n.placed(c, document.Refers(p, "of", document.TextOf(c.Values["of"])).With("mistake", "comparison"))
	}
	limits, err := n.limits(c)
	if err != nil {
		return nil, err
	}
	verdict, err := n.Engine.Gate(ctx, cmp.Baseline.ID, cmp.Candidate.ID, limits)
	if err != nil {
		return nil, err
	}
	verdict.Found = verdict.Decision
	if expect := document.TextOf(c.Values["expect"]); expect == "FAIL" {
		verdict.Decision = map[string]string{"FAIL": "PASS", "PASS": "FAIL"}[verdict.Found]
		if verdict.Decision == "" {
			verdict.Decision = verdict.Found
		}
	}
	verdict.Said = document.Decided(verdict.Decision)
	return verdict, nil
}

// limits are those of the release check that a cell makes.
func (n *Notebook) limits(c *document.Cell) (document.Limits, error) {
	limits := document.Limits{Cell: c.Name, Limits: experiments.Limits{Min: document.TextsOf(c.Values["min"])}}
	for name, to := range map[string]**float64{"margin": &limits.Margin, "allowance": &limits.Allowance} {
		if x, given := c.Values[name].(float64); given {
			*to = &x
		}
	}
	if _, err := compare.RulesOf(limits.Limits, compare.Setter{}); err != nil {
		return limits, n.placed(c, err)
	}
	return limits, nil
}

// targetShape is what a target of an agreement looks like.
const targetShape = "targets: [{metric: low_score_share, target: 0.05}]"

func (n *Notebook) agreement(ctx context.Context, run string, c *document.Cell) (document.Agreement, error) {
	var targets []document.Target
	list, _ := c.Values["targets"].([]any)
	names := []string{"theme", "metric", "target", "owner", "due"}
	for i, item := range list {
		m, ok := item.(map[string]any)
		if !ok {
			return document.Agreement{}, n.placed(c, document.NotOfType("targets", item,
				document.Words{EN: "a list of mappings", JA: "マッピングのリスト"}, targetShape))
		}
		for k := range m {
			if !document.Contains(names, k) {
				p := document.WrongField("targets", "unknown", "targets[%d] has a field %q%s", i, k, text.Meant(k, names))
				return document.Agreement{}, n.placed(c, document.Among(p, k, names).WithHint("fields: %s", strings.Join(names, ", ")))
			}
		}
		aim, ok := m["target"].(float64)
		if !ok || document.TextOf(m["metric"]) == "" {
			return document.Agreement{}, n.placed(c, document.WrongField("targets", "missing", "targets[%d] needs metric and target", i).
				With("doc", document.Words{EN: targetShape, JA: targetShape}).WithHint("%s", targetShape))
		}
		targets = append(targets, document.Target{Theme: document.TextOf(m["theme"]), Metric: document.TextOf(m["metric"]), Target: aim,
			Owner: document.TextOf(m["owner"]),
			Due:   document.TextOf(m["due"])})
	}
	return n.Engine.Agreement(ctx, run, targets)
}

// work is what a paid cell wants done, as far as its needs have values.
func (n *Notebook) work(v *View, c *document.Cell) (Work, error) {
	w := Work{Notebook: n.Name(), Cell: c.Name}
	if c.Type == "cause" {
		run, err := n.run(v, c, "of")
		w.Causes = &CauseWork{Run: run, Method: document.TextOf(c.Values["method"]), Trials: int(document.NumberOf(c.Values["trials"])),
			Limit: int(document.NumberOf(c.Values["limit"])), Filter: document.TextsOf(c.Values["filter"])}
		return w, err
	}
	if c.Type == "apply" {
		run, err := n.run(v, c, "of")
		w.Apply = &ApplyWork{Run: run, Change: document.TextOf(c.Values["change"])}
		return w, err
	}
	r := &RunWork{Dataset: v.Cell(document.TextOf(c.Values["dataset"])).Value.(document.Source),
		Metrics: document.TextsOf(c.Values["metrics"]), LowScore: document.NumberOf(c.Values["low_score"]), Repeats: 1}
	r.Judge, _ = c.Values["judge"].(map[string]any)
	if c.Values["repeats"] != nil {
		r.Repeats = int(document.NumberOf(c.Values["repeats"]))
	}
	if r.Repeats < 1 || r.Repeats > 8 {
		return w, n.placed(c, document.Outside("repeats", r.Repeats, document.Words{EN: "1 to 8", JA: "1〜8"}))
	}
	for _, name := range document.TextsOf(c.Values["configs"]) {
		switch x := v.Cell(name).Value.(type) {
		case document.Config:
			r.Configs = append(r.Configs, ConfigWork{Config: x})
		case document.ConfigSet:
			r.Configs = append(r.Configs, ConfigWork{x.Base, x.Axes, x.Except})
		default:
			p := problem.New(problem.Invalid, "ref_field", "configs refers to %s, which is no configuration", name)
			return w, n.placed(c, document.Refers(p, "configs", name).With("mistake", "config"))
		}
	}
	if w.Runs = r; len(r.Configs) == 0 {
		return w, n.placed(c, document.WrongField("configs", "missing", "configs names no configuration").
			With("doc", document.Words{EN: "configs: [base, change]", JA: "configs: [base, change]"}).WithHint("configs: [base, change]"))
	}
	return w, nil
}

// Asked are the answers that one run of a run cell takes: its questions times their votes; 0 for any other cell.
func (n *Notebook) Asked(v *View, cell string) int {
	c := n.Document.Cell(cell)
	if c == nil || c.Type != "run" {
		return 0
	}
	w, err := n.work(v, c)
	if err != nil {
		return 0
	}
	return w.Runs.Dataset.Count * w.Votes()
}

func (n *Notebook) check(ctx context.Context, v *View, c *document.Cell) error {
	w, err := n.work(v, c)
	if err == nil {
		err = n.Engine.Check(ctx, w)
	}
	return err
}

func (n *Notebook) price(ctx context.Context, v *View, c *document.Cell) (Price, error) {
	w, err := n.work(v, c)
	if err != nil {
		return Price{}, err
	}
	return n.Engine.Price(ctx, w)
}
