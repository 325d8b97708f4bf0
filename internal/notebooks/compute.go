package notebooks

import (
	"context"
	"maps"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// compute makes the value of a cell that costs nothing.
func (n *Notebook) compute(ctx context.Context, v *View, c *Cell) (any, error) {
	switch c.Type {
	case "note":
		return Doc{Text: Words{EN: text(c.fields["en"]), JA: text(c.fields["ja"])}}, nil
	case "params":
		values, out := n.Document.paramValues(n.Params), map[string]any{}
		for _, p := range c.Params() {
			out[p.Name] = values[c.Name+"."+p.Name]
		}
		return out, nil
	case "corpus":
		return value(n.Engine.Resolve(ctx, Wanted{Kind: "corpus", Source: text(c.fields["source"])}))
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
func (n *Notebook) read(ctx context.Context, v *View, c *Cell) (any, error) {
	run := ""
	var err error
	if c.fields["of"] != nil && c.Type != "gate" {
		if run, err = n.run(v, c, "of"); err != nil {
			return nil, err
		}
	}
	switch c.Type {
	case "failures":
		limit := 20
		if c.fields["limit"] != nil {
			limit = int(number(c.fields["limit"]))
		}
		return value(n.Engine.Failures(ctx, run, limit))
	case "question":
		return value(n.Engine.Answer(ctx, run, text(c.fields["id"])))
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
		return value(n.Engine.Compare(ctx, baseline, candidate))
	case "gate":
		return n.gate(ctx, v, c)
	case "report":
		r := Report{RunID: run, Include: texts(c.fields["include"])}
		if c.fields["baseline"] == nil {
			alone, err := n.Engine.Found(ctx, run)
			if err != nil {
				return nil, err
			}
			r.Headline, r.Summary, r.Found = alone.Headline, alone.Summary, alone.Found
		} else {
			if r.Baseline, err = n.run(v, c, "baseline"); err != nil {
				return nil, err
			}
			compared, err := n.Engine.Compare(ctx, r.Baseline, run)
			if err != nil {
				return nil, err
			}
			r.Headline, r.Summary, r.Found = compared.Headline, compared.Sentences, compared.Found
		}
		return r, nil
	}
	return nil, problem.New(problem.Internal, "cell_type", "nothing computes cells of type %s", c.Type).
		With("type", c.Type).With("among", strings.Join(cellTypes(), ", "))
}

func (n *Notebook) dataset(ctx context.Context, v *View, c *Cell) (any, error) {
	corpus := ""
	if name := text(c.fields["corpus"]); name != "" {
		corpus = v.Cell(name).Value.(Source).Ref
	}
	w := Wanted{Kind: "dataset", Source: text(c.fields["source"]), Corpus: corpus, Limit: int(number(c.fields["limit"])),
		Filter: texts(c.fields["filter"])}
	if w.Limit < 0 {
		return nil, n.placed(c, outside("limit", w.Limit, Words{"1 or more, or 0 for all", "1以上、またはすべてを表す0"}))
	}
	return value(n.Engine.Resolve(ctx, w))
}

// config lays a cell's fields over the configuration that it extends.
func (n *Notebook) config(v *View, c *Cell) Config {
	out := Config{Name: c.Name, Base: map[string]any{}}
	if name := text(c.fields["extends"]); name != "" {
		base := v.Cell(name).Value.(Config)
		out.Corpus, out.Endpoint, out.Answers, out.Base = base.Corpus, base.Endpoint, base.Answers, maps.Clone(base.Base)
		out.Preset = base.Preset
	}
	for k, x := range c.fields {
		switch k {
		case "extends", "title":
		case "corpus":
			out.Corpus = v.Cell(text(x)).Value.(Source).Ref
		case "endpoint":
			out.Endpoint = text(x)
		case "answers":
			out.Answers = text(x)
		case "preset":
			out.Preset = text(x)
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
func (n *Notebook) run(v *View, c *Cell, fieldName string) (string, error) {
	s := text(c.fields[fieldName])
	if s == "pinned" {
		return "", nil
	}
	if id, literal := strings.CutPrefix(s, "run:"); literal {
		return id, nil
	}
	cell, path, _ := strings.Cut(s, ".")
	if c := n.Document.Cell(cell); path != "" && c != nil { // a configuration's name may not be split at its dots
		if set, ok := v.Cell(cell).Value.(RunSet); ok {
			for _, r := range set.Runs {
				if r.Label == path {
					return r.ID, nil
				}
			}
		}
	}
	at, near, err := look(v.Cell(cell).Value, path)
	if err != nil {
		p := problem.New(problem.Invalid, "ref_field", "%s refers to %s: %s", fieldName, s, err)
		return "", among(refers(p, fieldName, s), path, near).WithHint("fields: %s", strings.Join(near, ", "))
	}
	switch x := at.value.Interface().(type) {
	case Run:
		return x.ID, nil
	case RunSet:
		if len(x.Runs) == 1 {
			return x.Runs[0].ID, nil
		}
		labels := []string{"best"}
		for _, r := range x.Runs {
			labels = append(labels, r.Label)
		}
		p := problem.New(problem.Invalid, "ref_many", "%s refers to %s, which has %d runs", fieldName, s, len(x.Runs))
		one := cell + "." + strings.Join(labels, ", "+cell+".")
		return "", refers(p, fieldName, s).With("count", len(x.Runs)).With("among", one).WithHint("name one: %s", one)
	case Comparison:
		return x.Candidate.ID, nil
	case CauseSet:
		if x.RunID != "" {
			return x.RunID, nil
		}
		return "", problem.New(problem.Invalid, "recommendation", "%s found no low score, and recommends nothing", cell).With("cell", cell).
			WithHint("take the cell out: there is nothing to repair")
	}
	p := problem.New(problem.Invalid, "ref_field", "%s refers to %s, which is no run", fieldName, s)
	return "", refers(p, fieldName, s).With("mistake", "run")
}

func (n *Notebook) gate(ctx context.Context, v *View, c *Cell) (any, error) {
	cmp, ok := v.Cell(text(c.fields["of"])).Value.(Comparison)
	if !ok {
		p := problem.New(problem.Invalid, "ref_field", "of refers to %s, which is no comparison", text(c.fields["of"]))
		return nil, n.placed(c, refers(p, "of", text(c.fields["of"])).With("mistake", "comparison"))
	}
	rules := GateRules{Min: texts(c.fields["min"])}
	for name, to := range map[string]**float64{"margin": &rules.Margin, "allowance": &rules.Allowance} {
		if x, given := c.fields[name].(float64); given {
			if !(x >= 0 && x < 1) {
				return nil, n.placed(c, outside(name, x, Words{"a share from 0 to below 1", "0以上1未満の割合"}))
			}
			*to = &x
		}
	}
	verdict, err := n.Engine.Gate(ctx, cmp.Baseline.ID, cmp.Candidate.ID, rules)
	if err != nil {
		return nil, err
	}
	verdict.Found = verdict.Decision
	if expect := text(c.fields["expect"]); expect == "FAIL" {
		verdict.Decision = map[string]string{"FAIL": "PASS", "PASS": "FAIL"}[verdict.Found]
		if verdict.Decision == "" {
			verdict.Decision = verdict.Found
		}
	}
	return verdict, nil
}

// targetShape is what a target of an agreement looks like.
const targetShape = "targets: [{metric: low_score_share, target: 0.05}]"

func (n *Notebook) agreement(ctx context.Context, run string, c *Cell) (Agreement, error) {
	var targets []Target
	list, _ := c.fields["targets"].([]any)
	names := []string{"theme", "metric", "target", "owner", "due"}
	for i, item := range list {
		m, ok := item.(map[string]any)
		if !ok {
			return Agreement{}, n.placed(c, notOfType("targets", item, Words{"a list of mappings", "マッピングのリスト"}, targetShape))
		}
		for k := range m {
			if !contains(names, k) {
				p := wrongField("targets", "unknown", "targets[%d] has a field %q%s", i, k, nearest(k, names))
				return Agreement{}, n.placed(c, among(p, k, names).WithHint("fields: %s", strings.Join(names, ", ")))
			}
		}
		aim, ok := m["target"].(float64)
		if !ok || text(m["metric"]) == "" {
			return Agreement{}, n.placed(c, wrongField("targets", "missing", "targets[%d] needs metric and target", i).
				With("doc", Words{targetShape, targetShape}).WithHint("%s", targetShape))
		}
		targets = append(targets, Target{Theme: text(m["theme"]), Metric: text(m["metric"]), Target: aim, Owner: text(m["owner"]),
			Due: text(m["due"])})
	}
	return n.Engine.Agreement(ctx, run, targets)
}

// work is what a paid cell wants done, as far as its needs have values.
func (n *Notebook) work(v *View, c *Cell) (Work, error) {
	w := Work{Notebook: n.Name(), Cell: c.Name}
	if c.Type == "cause" {
		run, err := n.run(v, c, "of")
		w.Causes = &CauseWork{Run: run, Method: text(c.fields["method"]), Trials: int(number(c.fields["trials"])),
			Limit: int(number(c.fields["limit"])), Filter: texts(c.fields["filter"])}
		return w, err
	}
	if c.Type == "apply" {
		run, err := n.run(v, c, "of")
		w.Apply = &ApplyWork{Run: run, Change: text(c.fields["change"])}
		return w, err
	}
	r := &RunWork{Dataset: v.Cell(text(c.fields["dataset"])).
		Value.(Source), Metrics: texts(c.fields["metrics"]), LowScore: number(c.fields["low_score"]), Repeats: 1}
	r.Judge, _ = c.fields["judge"].(map[string]any)
	if c.fields["repeats"] != nil {
		r.Repeats = int(number(c.fields["repeats"]))
	}
	if r.Repeats < 1 || r.Repeats > 8 {
		return w, n.placed(c, outside("repeats", r.Repeats, Words{"1 to 8", "1～8"}))
	}
	for _, name := range texts(c.fields["configs"]) {
		switch x := v.Cell(name).Value.(type) {
		case Config:
			r.Configs = append(r.Configs, ConfigWork{Config: x})
		case ConfigSet:
			r.Configs = append(r.Configs, ConfigWork{x.Base, x.Axes, x.Except})
		default:
			p := problem.New(problem.Invalid, "ref_field", "configs refers to %s, which is no configuration", name)
			return w, n.placed(c, refers(p, "configs", name).With("mistake", "config"))
		}
	}
	if w.Runs = r; len(r.Configs) == 0 {
		return w, n.placed(c, wrongField("configs", "missing", "configs names no configuration").
			With("doc", Words{"configs: [base, change]", "configs: [base, change]"}).WithHint("configs: [base, change]"))
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

func (n *Notebook) check(ctx context.Context, v *View, c *Cell) error {
	w, err := n.work(v, c)
	if err == nil {
		err = n.Engine.Check(ctx, w)
	}
	return err
}

func (n *Notebook) price(ctx context.Context, v *View, c *Cell) (Price, error) {
	w, err := n.work(v, c)
	if err != nil {
		return Price{}, err
	}
	return n.Engine.Price(ctx, w)
}
