package studies

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/text"
)

// OpenNotebook reads a notebook that this workbench executes. version is the program's, for reports.
func OpenNotebook(w *app.Workbench, path, version string) (*notebooks.Notebook, error) {
	return notebooks.Open(path, EngineOf(w, pathDir(path), version), w.Options.Now)
}

// EngineOf is what executes the cells of notebooks below dir. Everything that is done is one of the use cases of this package.
func EngineOf(w *app.Workbench, dir, version string) notebooks.Engine {
	return &NotebookEngine{W: w, Dir: dir, StateVersion: version}
}

// NotebookEngine executes the cells of notebooks below a folder.
type NotebookEngine struct {
	W                 *app.Workbench
	Dir, StateVersion string
	Fire              string // of a schedule that executes the notebook: its runs ask the systems anew
	Sent              bool   // the text came over HTTP: it names what is registered, and no file
}

func pathDir(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		return path[:i+1]
	}
	return "."
}

// Version covers what decides a result besides what a cell says: metrics and judge prompts of a run, the rules of a diagnosis.
func (n *NotebookEngine) Version(cellType string) string {
	switch cellType {
	case "run", "apply":
		specs, err := metrics.Resolve([]string{"standard"})
		if err != nil {
			return "1"
		}
		versions := []string{metrics.DefaultJudge().PromptVersion()}
		for _, s := range specs {
			versions = append(versions, s.ID+"/"+s.Version)
		}
		return shortHash(strings.Join(versions, " "))
	case "cause":
		return causes.CauseVersion
	}
	return "1"
}

// Resolve finds, or imports, a dataset or corpus.
func (n *NotebookEngine) Resolve(ctx context.Context, w notebooks.Wanted) (document.Source, error) {
	if n.Sent && !registeredName.MatchString(w.Source) {
		return document.Source{}, namesPath(w.Source)
	}
	if w.Kind == "corpus" {
		c, err := n.corpus(ctx, w.Source)
		if err != nil {
			return document.Source{}, err
		}
		return notebooks.NewSource(w, experiments.Ref{Name: c.Name, Version: c.Version}.String(), c.Name, c.Digest,
			len(c.Documents), len(c.Documents)), nil
	}
	d, err := n.dataset(ctx, w)
	if err != nil {
		return document.Source{}, err
	}
	asked := app.Select{Limit: w.Limit, Filter: w.Filter}.From(d.Questions)
	return notebooks.NewSource(w, experiments.Ref{Name: d.Name, Version: d.Version}.String(), d.Name, d.Digest,
		len(asked), len(d.Questions)), nil
}

func (n *NotebookEngine) corpus(ctx context.Context, source string) (*rag.Corpus, error) {
	if n.Sent {
		return n.W.Store.Corpus(ctx, source)
	}
	return n.W.ResolveCorpus(ctx, source, n.Dir)
}

func (n *NotebookEngine) dataset(ctx context.Context, w notebooks.Wanted) (*experiments.Dataset, error) {
	if n.Sent {
		return n.W.Store.Dataset(ctx, w.Source)
	}
	corpus := &rag.Corpus{}
	if w.Corpus != "" {
		var err error
		if corpus, err = n.W.Store.Corpus(ctx, w.Corpus); err != nil {
			return nil, err
		}
	}
	return n.W.ResolveDataset(ctx, w.Source, n.Dir, corpus)
}

// Check refuses configurations that could not start. A diagnosis is checked when its run is there: by its price.
func (n *NotebookEngine) Check(ctx context.Context, work notebooks.Work) error {
	if work.Runs == nil {
		return nil
	}
	for _, c := range work.Runs.Configs {
		d, err := n.definition(ctx, work, c)
		if err != nil {
			return err
		}
		if _, _, err := d.Expand(); err != nil {
			return err
		}
	}
	return nil
}

var notNamed = text.Lazy(`[^\p{L}\p{N}._-]+`)

// definition is the experiment that one configuration of a run cell stands for.
func (n *NotebookEngine) definition(ctx context.Context, work notebooks.Work, c notebooks.ConfigWork) (experiments.Definition, error) {
	name := notNamed.ReplaceAllString(work.Notebook, "-") + "." + work.Cell
	if len(work.Runs.Configs) > 1 {
		name += "." + c.Name
	}
	file := map[string]any{"name": name, "corpus": c.Corpus, "dataset": work.Runs.Dataset.Ref}
	optional := map[string]any{"suite": work.Runs.Metrics, "judge": work.Runs.Judge, "base": c.Base}
	for key, value := range optional {
		if !isEmpty(value) {
			file[key] = value
		}
	}
	for key, value := range map[string]string{"endpoint": c.Endpoint, "answers": c.Answers, "preset": c.Preset} {
		if value != "" {
			file[key] = value
		}
	}
	if suite := work.Runs.Metrics; len(suite) == 1 {
		file["suite"] = suite[0]
	}
	if work.Runs.LowScore != 0 {
		file["low_score"] = work.Runs.LowScore
	}
	sweptFields(c, file)
	body, err := json.Marshal(file) // JSON is YAML
	if err != nil {
		return experiments.Definition{}, err
	}
	parse := func() (experiments.Definition, error) { return experiments.ParseMade(body, n.Dir) }
	if n.Sent {
		parse = func() (experiments.Definition, error) { return sentDefinition(ctx, n.W, string(body)) }
	}
	d, err := parse()
	if err != nil {
		p := *problem.From(err)
		p.Params = maps.Clone(p.Params)
		delete(p.Params, "line") // of a text that nobody sees
		return d, p.With("config", c.Name)
	}
	return d, nil
}

// sweptFields says in a file what a sweep varies: lists alone, and lists that move together.
func sweptFields(c notebooks.ConfigWork, file map[string]any) {
	leads := map[string]bool{}
	for _, a := range c.Axes {
		leads[a.With] = true
	}
	sweep, groups := map[string]any{}, map[string]map[string]any{}
	var pairs []any
	for _, a := range c.Axes {
		switch {
		case a.With != "":
			groups[a.With][a.Name] = a.Values
		case leads[a.Name]:
			groups[a.Name] = map[string]any{a.Name: a.Values}
			pairs = append(pairs, groups[a.Name])
		default:
			sweep[a.Name] = a.Values
		}
	}
	if len(sweep) > 0 {
		file["sweep"] = sweep
	}
	if len(pairs) > 0 {
		file["pairs"] = pairs
	}
	if len(c.Except) > 0 {
		file["except"] = c.Except
	}
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case []string:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return v == nil
}

// Agreement sets what was agreed, or what a cell proposes, beside a run.
func (n *NotebookEngine) Agreement(ctx context.Context, run string, proposed []document.Target) (document.Agreement, error) {
	e, err := n.W.Evaluation(ctx, run)
	if err != nil {
		return document.Agreement{}, err
	}
	var p progress.AgreementProgress
	if len(proposed) > 0 {
		a := experiments.Agreement{Dataset: e.Run.Setup.Dataset.Name, LowScore: e.Run.Setup.LowScore}
		for _, t := range proposed {
			a.Targets = append(a.Targets, experiments.Target{Goal: experiments.Goal{Theme: t.Theme, Metric: t.Metric, Target: t.Target,
				Owner: t.Owner}, Due: t.Due})
		}
		if err := experiments.ValidTargets(a.Targets, e.Run.Setup.Suite); err != nil {
			return document.Agreement{}, err
		}
		p = progress.ProgressOf(a, e, nil, nil)
	} else if p, err = reviews.AgreementProgress(ctx, n.W, e.Run.Setup.Dataset.Name, e.Run.ID); err != nil &&
		!problem.Is(err, problem.NotFound) {
		return document.Agreement{}, err
	}
	out := document.Agreement{Registered: len(proposed) == 0 && p.Agreed(), Threshold: p.LowScore, Count: len(p.Targets)}
	if out.Threshold == 0 {
		out.Threshold = e.Run.Setup.LowScore
	}
	out.Met, out.Missed, _ = p.Met()
	taxonomies, err := analyses.Taxonomies(ctx, n.W, e.Run.Setup.Dataset.Name)
	if err != nil {
		return document.Agreement{}, err
	}
	for _, t := range p.Targets {
		title := findings.TargetTitle(t.Target.Metric, t.Target.Theme, taxonomies)
		out.Targets = append(out.Targets, document.Target{Title: document.Words{EN: title.EN, JA: title.JA},
			Theme: t.Target.Theme, Metric: t.Target.Metric, Target: t.Target.Target, Measured: t.Now, State: string(t.State),
			Owner: t.Target.Owner, Due: t.Target.Due,
		})
	}
	return out, nil
}

// WriteReport writes the workbook of a run, with charts of the notebook.
func (n *NotebookEngine) WriteReport(ctx context.Context, r document.Report, charts []spreadsheet.NamedPlan, lang string,
	out io.Writer) error {
	report, err := reporting.Report(ctx, n.W, r.Baseline, r.RunID, lang, n.StateVersion, askedByCell(r.Limits))
	if err != nil {
		return err
	}
	report.Charts = charts
	return report.WriteXLSX(out)
}

// Export writes the study of a notebook's runs.
func (n *NotebookEngine) Export(ctx context.Context, path string, runs []string) error {
	_, err := archive.Export(ctx, n.W, path, n.StateVersion, runs...)
	return err
}
