package app

import (
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// OpenNotebook reads a notebook that this workbench executes. version is the program's, for reports.
func (w *Workbench) OpenNotebook(path, version string) (*notebooks.Notebook, error) {
	return notebooks.Open(path, w.NotebookEngine(pathDir(path), version), w.options.Now)
}

// NotebookEngine is what executes the cells of notebooks below dir. Everything that is done is one of the use cases of this package.
func (w *Workbench) NotebookEngine(dir, version string) notebooks.Engine {
	return &notebookEngine{w: w, dir: dir, version: version}
}

type notebookEngine struct {
	w            *Workbench
	dir, version string
	fire         string // of a schedule that executes the notebook: its runs ask the systems anew
	sent         bool   // the text came over HTTP: it names what is registered, and no file
}

func pathDir(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		return path[:i+1]
	}
	return "."
}

// Version covers what decides a result besides what a cell says: metrics and judge prompts of a run, the rules of a diagnosis.
func (n *notebookEngine) Version(cellType string) string {
	switch cellType {
	case "run":
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
func (n *notebookEngine) Resolve(ctx context.Context, kind, source, corpusRef string) (notebooks.Source, error) {
	if n.sent {
		return n.registered(ctx, kind, source)
	}
	if kind == "corpus" {
		c, err := n.w.resolveCorpus(ctx, source, n.dir)
		if err != nil {
			return notebooks.Source{}, err
		}
		return notebooks.Source{Ref: experiments.Ref{Name: c.Name, Version: c.Version}.String(), Name: c.Name, Digest: c.Digest, Count: len(c.Documents)}, nil
	}
	corpus := &rag.Corpus{}
	var err error
	if corpusRef != "" {
		if corpus, err = n.w.Store.Corpus(ctx, corpusRef); err != nil {
			return notebooks.Source{}, err
		}
	}
	d, err := n.w.resolveDataset(ctx, source, n.dir, corpus)
	if err != nil {
		return notebooks.Source{}, err
	}
	return notebooks.Source{Ref: experiments.Ref{Name: d.Name, Version: d.Version}.String(), Name: d.Name, Digest: d.Digest, Count: len(d.Questions)}, nil
}

// Check refuses configurations that could not start. A diagnosis is checked when its run is there: by its price.
func (n *notebookEngine) Check(ctx context.Context, work notebooks.Work) error {
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

var notNamed = regexp.MustCompile(`[^\p{L}\p{N}._-]+`)

// definition is the experiment that one configuration of a run cell stands for.
func (n *notebookEngine) definition(ctx context.Context, work notebooks.Work, c notebooks.ConfigWork) (experiments.Definition, error) {
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
	for key, value := range map[string]string{"endpoint": c.Endpoint, "answers": c.Answers} {
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
	if len(c.Axes) > 0 {
		sweep := map[string]any{}
		for _, a := range c.Axes {
			sweep[a.Name] = a.Values
		}
		file["sweep"] = sweep
	}
	body, err := json.Marshal(file) // JSON is YAML
	if err != nil {
		return experiments.Definition{}, err
	}
	parse := func() (experiments.Definition, error) { return experiments.ParseDefinition(body, n.dir) }
	if n.sent {
		parse = func() (experiments.Definition, error) { return n.w.sentDefinition(ctx, string(body)) }
	}
	d, err := parse()
	if err != nil {
		p := problem.From(err)
		return d, p.WithHint("configuration %s of cell %s", c.Name, work.Cell)
	}
	return d, nil
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
func (n *notebookEngine) Agreement(ctx context.Context, run string, proposed []notebooks.Target) (notebooks.Agreement, error) {
	e, err := n.w.Evaluation(ctx, run)
	if err != nil {
		return notebooks.Agreement{}, err
	}
	var p progress.AgreementProgress
	if len(proposed) > 0 {
		a := experiments.Agreement{Dataset: e.Run.Setup.Dataset.Name, LowScore: e.Run.Setup.LowScore}
		for _, t := range proposed {
			a.Targets = append(a.Targets, experiments.Target{Goal: experiments.Goal{Theme: t.Theme, Metric: t.Metric, Target: t.Target, Owner: t.Owner}, Due: t.Due})
		}
		p = progress.ProgressOf(a, e, nil, nil)
	} else if p, err = n.w.AgreementProgress(ctx, e.Run.Setup.Dataset.Name, e.Run.ID); err != nil && !problem.Is(err, problem.NotFound) {
		return notebooks.Agreement{}, err
	}
	out := notebooks.Agreement{Registered: len(proposed) == 0 && p.Agreement.Version > 0, Threshold: p.LowScore, Count: len(p.Targets)}
	if out.Threshold == 0 {
		out.Threshold = e.Run.Setup.LowScore
	}
	out.Met, out.Missed, _ = p.Met()
	for _, t := range p.Targets {
		out.Targets = append(out.Targets, notebooks.Target{
			Theme: t.Target.Theme, Metric: t.Target.Metric, Target: t.Target.Target, Measured: t.Now, State: string(t.State), Owner: t.Target.Owner, Due: t.Target.Due,
		})
	}
	return out, nil
}

// WriteReport writes the report of a run.
func (n *notebookEngine) WriteReport(ctx context.Context, r notebooks.Report, lang, format string, out io.Writer) error {
	report, err := n.w.Report(ctx, r.Baseline, r.RunID, lang, n.version)
	if err != nil {
		return err
	}
	if format == "html" {
		return report.WriteHTML(out)
	}
	return report.WriteXLSX(out)
}

// Export writes the study of a notebook's runs.
func (n *notebookEngine) Export(ctx context.Context, path string, runs []string) error {
	_, err := n.w.Export(ctx, path, n.version, runs...)
	return err
}
