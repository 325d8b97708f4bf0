package views

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// ExperimentRow is an experiment in a list.
type ExperimentRow struct {
	Name      string      `json:"name"`
	Revision  int         `json:"revision"`
	Corpus    string      `json:"corpus,omitempty"`
	Dataset   string      `json:"dataset"`
	Judge     string      `json:"judge,omitempty"` // absent where other tools scored
	Tools     []string    `json:"tools,omitempty"` // whose scores are all there are: no judge of ours is asked
	System    string      `json:"system"`          // "pipeline", "endpoint NAME" or "answers NAME"
	Axes      []string    `json:"axes"`            // swept parameters
	Tags      []string    `json:"tags"`
	Notes     string      `json:"notes,omitempty"`
	Archived  bool        `json:"archived"`
	CreatedAt time.Time   `json:"created_at"` // of the revision
	LastRun   *app.RunRow `json:"last_run,omitempty"`
}

var experimentOrder = listing.Order[ExperimentRow]{
	First: "name",
	ID:    func(e ExperimentRow) string { return e.Name },
	Keys: map[string]func(ExperimentRow) listing.SortKey{
		"name":       func(e ExperimentRow) listing.SortKey { return listing.TextKey(e.Name) },
		"created_at": func(e ExperimentRow) listing.SortKey { return listing.TimeKey(e.CreatedAt) },
		"dataset":    func(e ExperimentRow) listing.SortKey { return listing.TextKey(e.Dataset) },
	},
}

// Experiments lists the newest revisions.
func (v *libraryViews) Experiments(ctx context.Context, archived bool, q string, page listing.Page) (listing.Listed[ExperimentRow], error) {
	all, err := v.w.Store.Experiments(ctx, archived)
	if err != nil {
		return listing.Listed[ExperimentRow]{}, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return listing.Listed[ExperimentRow]{}, err
	}
	var rows []ExperimentRow
	definitions := make(map[string]experiments.Definition, len(all))
	for _, e := range all {
		definitions[e.Name] = e.Definition
		if listing.Contains(q, e.Name, e.Definition.Notes, strings.Join(e.Definition.Tags, " "), e.Definition.Dataset,
			e.Definition.Corpus) {
			rows = append(rows, experimentRow(e))
		}
	}
	out, err := listing.List(rows, experimentOrder, page)
	if err != nil {
		return out, err
	}
	for i := range out.Items {
		if err := v.scoredBy(ctx, &out.Items[i], definitions[out.Items[i].Name]); err != nil {
			return out, err
		}
		newest, err := v.newestOf(ctx, experiments.RunFilter{Experiment: out.Items[i].Name, Roots: true})
		if err == nil && newest != nil && newest.SweepID != "" {
			newest, err = v.newestOf(ctx, experiments.RunFilter{IDs: []string{newest.SweepID}})
		}
		if err != nil {
			return out, err
		}
		if newest != nil {
			out.Items[i].LastRun = &app.RunRow{RunHead: *newest, Baseline: baselines[newest.RunID]}
		}
	}
	return out, nil
}

// scoredBy sets the tools of a row in place of a judge that is asked nothing.
func (v *libraryViews) scoredBy(ctx context.Context, row *ExperimentRow, d experiments.Definition) (err error) {
	if row.Tools, err = v.w.ToolsOf(ctx, d); len(row.Tools) > 0 {
		row.Judge = ""
	}
	return err
}

// newestOf is the newest of the runs that a filter leaves, or nil.
func (v *libraryViews) newestOf(ctx context.Context, f experiments.RunFilter) (*experiments.RunHead, error) {
	heads, _, err := v.w.Whole.RunHeads(ctx, experiments.RunList{RunFilter: f},
		experiments.Part{Sort: "created_at", Down: true, Limit: 1, Uncounted: true})
	if err != nil || len(heads) == 0 {
		return nil, err
	}
	return &heads[0], nil
}

func experimentRow(e experiments.Experiment) ExperimentRow {
	d := e.Definition
	row := ExperimentRow{
		Name: e.Name, Revision: e.Revision, Corpus: d.Corpus, Dataset: d.Dataset, Judge: d.Judge.Model.String(), System: "pipeline",
		Axes: app.NonNil(d.SweepNames()),
		Tags: app.NonNil(d.Tags), Notes: d.Notes, Archived: e.Archived, CreatedAt: e.CreatedAt,
	}
	switch {
	case d.Endpoint != "":
		row.System = "endpoint " + d.Endpoint
	case d.Answers != "":
		row.System = "answers " + d.Answers
	}
	return row
}

// ExperimentDetail is one experiment with its file and its latest runs.
type ExperimentDetail struct {
	experiments.Experiment
	Tools     []string     `json:"tools,omitempty"` // whose scores are all there are: the judge of the definition is asked nothing
	YAML      string       `json:"yaml"`            // the definition as a file: editing it and putting it back makes the next revision
	Revisions []Revision   `json:"revisions"`       // of which there are runs, and the newest; newest first
	Runs      []app.RunRow `json:"runs"`            // newest first, at most 50
}

// Revision is one state of an experiment's definition.
type Revision struct {
	Revision int       `json:"revision"`
	LastRun  string    `json:"last_run,omitempty"` // its newest run
	Sweep    string    `json:"sweep,omitempty"`    // that this run belongs to
	At       time.Time `json:"at"`                 // of that run, or of the revision
}

// ExperimentNamed returns one experiment.
func (v *libraryViews) ExperimentNamed(ctx context.Context, name string) (ExperimentDetail, error) {
	e, err := v.w.Store.Experiment(ctx, name)
	if err != nil {
		return ExperimentDetail{}, err
	}
	d := ExperimentDetail{Experiment: e, Revisions: []Revision{{Revision: e.Revision, At: e.CreatedAt}}, Runs: []app.RunRow{}}
	if d.YAML, err = definitionYAML(e.Definition); err != nil {
		return d, err
	}
	if d.Tools, err = v.w.ToolsOf(ctx, e.Definition); err != nil {
		return d, err
	}
	all := experiments.RunList{RunFilter: experiments.RunFilter{Experiment: name, Roots: true}}
	runs, _, err := v.w.Whole.RunHeads(ctx, all, experiments.Part{Sort: "created_at", Down: true})
	if err != nil {
		return d, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return d, err
	}
	for _, r := range runs {
		if len(d.Runs) < listing.DefaultPage {
			d.Runs = append(d.Runs, app.RunRow{RunHead: r, Baseline: baselines[r.RunID]})
		}
		last := &d.Revisions[len(d.Revisions)-1]
		switch {
		case r.Revision == last.Revision && last.LastRun == "":
			last.LastRun, last.Sweep, last.At = r.RunID, sweepOf(r), r.CreatedAt
		case r.Revision < last.Revision:
			d.Revisions = append(d.Revisions, Revision{Revision: r.Revision, LastRun: r.RunID, Sweep: sweepOf(r), At: r.CreatedAt})
		}
	}
	return d, nil
}

// sweepOf is the sweep that a run belongs to, or is; "" for none.
func sweepOf(r experiments.RunHead) string {
	if r.Kind == experiments.KindSweep {
		return r.RunID
	}
	return r.SweepID
}

// ExperimentText is what somebody sends as an experiment: the text of a file, or its definition.
type ExperimentText struct {
	YAML       string
	Definition map[string]any
}

// Preview reads an experiment that came over HTTP, without storing it. It may name no file of this machine: prompts and metrics
// are texts, and corpus, dataset, endpoint and answers are registered ones.
func (v *libraryViews) Preview(ctx context.Context, t ExperimentText) (experiments.Definition, string, error) {
	raw := t.YAML
	if raw == "" {
		var err error
		if raw, err = fieldsYAML(t.Definition); err != nil {
			return experiments.Definition{}, "", err
		}
	}
	if len(raw) > experiments.MaxDefinitionBytes {
		return experiments.Definition{}, "", problem.New(problem.Invalid, "experiment_yaml", "the experiment is longer than %d KiB",
			experiments.MaxDefinitionBytes>>10).With("field", "yaml")
	}
	if err := NoFiles(raw); err != nil { // before the parser, which would read them
		return experiments.Definition{}, raw, err
	}
	d, err := experiments.ParseDefinition([]byte(raw), app.NoFolder)
	if problem.CodeOf(err) == "prompt_file" {
		return experiments.Definition{}, raw, NamesFile(problem.From(err).Params["field"])
	}
	if err != nil {
		return d, raw, err
	}
	if err := Registered(ctx, v.w, d); err != nil {
		return d, raw, err
	}
	return d, raw, nil
}

// PutExperiment registers an experiment that came over HTTP. name must be the one in the text.
func (v *libraryViews) PutExperiment(ctx context.Context, name string, t ExperimentText) (experiments.Experiment, error) {
	d, _, err := v.Preview(ctx, t)
	if err != nil {
		return experiments.Experiment{}, err
	}
	if d.Name != name {
		return experiments.Experiment{}, problem.New(problem.Invalid, "experiment_name",
			"the experiment is called %s, and was to be stored as %s", d.Name, name).With("field", "name").
			WithHint("change one of the two; a copy needs a name of its own")
	}
	return v.w.Store.PutExperiment(ctx, d, v.w.Options.Now())
}

// NamesFile is the error of a field that names a file in an experiment that was sent.
func NamesFile(field any) error {
	return problem.New(problem.Invalid, "experiment_files", "%v names a file; an experiment that is sent holds its texts itself", field).
		With("field", field).
		WithHint("put the text of the file in the place of its name, or register the experiment with `workbench experiment add`")
}

// MostValues is what a text that came over HTTP may stand for with every reference (*name) written out, before anybody looks into it.
const MostValues = 100_000

// NoFiles refuses a text that names a file where the experiment file may: there the parser would read it.
func NoFiles(raw string) error {
	var fields map[string]any
	if err := yaml.Read([]byte(raw), &fields); err != nil {
		return yaml.Wrong("experiment_yaml", err).With("field", "yaml")
	}
	left := MostValues
	for _, part := range []string{"base", "sweep", "pairs", "judge", "metrics"} {
		if field := fileIn(part, fields[part], &left); field != "" {
			return NamesFile(field)
		}
	}
	if left < 0 {
		return problem.New(problem.Invalid, "experiment_yaml",
			"the text stands for more than %d values once its references (*name) are written out", MostValues).With("field", "yaml")
	}
	return nil
}

// fileIn returns the field in which a value names a file, or "". It takes every value off left and stops when nothing is left.
func fileIn(field string, v any, left *int) string {
	if *left--; *left < 0 {
		return ""
	}
	switch v := v.(type) {
	case string:
		ext := strings.ToLower(filepath.Ext(v))
		if !strings.Contains(v, "\n") && (ext == ".md" || ext == ".txt" || ext == ".yaml" || ext == ".yml") || field == "metrics" {
			return field
		}
	case []any:
		for _, item := range v {
			if found := fileIn(field, item, left); found != "" {
				return found
			}
		}
	case map[string]any:
		for name, item := range v {
			if found := fileIn(field+"."+name, item, left); found != "" {
				return found
			}
		}
	}
	return ""
}

// Registered reports a Problem when a definition names something that is not there.
func Registered(ctx context.Context, w *app.Workbench, d experiments.Definition) error {
	if err := w.ResolveOutside(ctx, d); err != nil {
		return err
	}
	corpora := []string{d.Corpus}
	for _, axis := range d.Sweep {
		if axis.Name != "corpus" {
			continue
		}
		for _, v := range axis.Values {
			name, ok := v.(string)
			if !ok || name == "" {
				return problem.New(problem.Invalid, "experiment_field", "sweep.corpus holds %v; it must hold names of corpora", v).
					With("field", "sweep.corpus")
			}
			corpora = append(corpora, name)
		}
	}
	for _, name := range corpora {
		if name == "" {
			continue
		}
		if err := listedOf(ctx, w, "corpus", name); err != nil {
			return err
		}
	}
	return listedOf(ctx, w, "dataset", d.Dataset)
}

// listedOf reports a Problem when there is no such corpus or dataset.
func listedOf(ctx context.Context, w *app.Workbench, what, ref string) error {
	all, err := w.Store.Datasets(ctx)
	if what == "corpus" {
		all, err = w.Store.Corpora(ctx)
	}
	if err != nil {
		return err
	}
	names := make([]string, len(all))
	for i, l := range all {
		if ref == l.Name || ref == l.String() {
			return nil
		}
		names[i] = l.Name
	}
	return problem.New(problem.Invalid, what+"_unknown", "there is no %s %q%s", what, ref, text.Meant(ref, names)).
		With("field", what).With("name", ref).
		WithHint("import it first, or name another")
}

// definitionYAML writes a definition as an experiment file.
func definitionYAML(d experiments.Definition) (string, error) {
	body, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	var fields map[string]any
	if err := json.Unmarshal(body, &fields); err != nil {
		return "", err
	}
	return fieldsYAML(fields)
}

// fieldsYAML writes the JSON form of a definition as an experiment file.
func fieldsYAML(fields map[string]any) (string, error) {
	var out yaml.MapSlice
	known := map[string]bool{}
	for _, name := range []string{
		"name", "corpus", "dataset", "suite", "metrics", "model", "judge", "analyses", "endpoint", "answers", "base", "sweep", "pairs",
		"except", "generate", "goals", "low_score", "low", "decide_by", "pairwise", "tags", "notes",
	} {
		known[name] = true
		value, ok := fields[name]
		if !ok || value == nil {
			continue
		}
		if axes, isList := value.([]any); name == "sweep" && isList {
			alone, together := axesYAML(axes)
			if len(together) > 0 {
				fields["pairs"] = together
			}
			value = alone
		}
		if mapping, isMap := value.(map[string]any); isMap {
			withoutNothing(mapping)
		}
		if base, isMap := value.(map[string]any); name == "base" && isMap {
			if fields["endpoint"] != nil || fields["answers"] != nil {
				continue // the parser takes the one or the other
			}
			delete(base, "endpoint")
			delete(base, "log")
		}
		out = append(out, yaml.MapItem{Key: name, Value: value})
	}
	for name, value := range fields {
		if !known[name] {
			out = append(out, yaml.MapItem{Key: name, Value: value}) // the parser names it
		}
	}
	body, err := yaml.WriteTexts(out)
	if err != nil {
		return "", problem.New(problem.Invalid, "experiment_field", "the definition cannot be written as a file").Because(err)
	}
	return string(body), nil
}

// withoutNothing takes out what says nothing: null, and the empty models of stages that have none.
func withoutNothing(fields map[string]any) {
	for name, v := range fields {
		if v == nil {
			delete(fields, name)
		}
		stage, ok := v.(map[string]any)
		if !ok {
			continue
		}
		withoutNothing(stage)
		if (name == "rewrite" || name == "rerank") && stage["provider"] == "" && stage["model"] == "" {
			delete(stage, "provider")
			delete(stage, "model")
		}
	}
}

// axesYAML are the axes of a sweep as a file says them: those that stand alone, and lists of those that move together.
func axesYAML(axes []any) (alone yaml.MapSlice, together []any) {
	groups := map[any]yaml.MapSlice{}
	var leaders []any
	for _, a := range axes {
		axis, ok := a.(map[string]any)
		if leader := axis["with"]; ok && leader != nil && leader != "" {
			if groups[leader] == nil {
				leaders = append(leaders, leader)
			}
			groups[leader] = append(groups[leader], yaml.MapItem{Key: axis["name"], Value: axis["values"]})
		}
	}
	for _, a := range axes {
		axis, ok := a.(map[string]any)
		if leader := axis["with"]; !ok || leader != nil && leader != "" {
			continue
		}
		item := yaml.MapItem{Key: axis["name"], Value: axis["values"]}
		if followers := groups[axis["name"]]; followers != nil {
			together = append(together, append(yaml.MapSlice{item}, followers...))
			delete(groups, axis["name"])
			continue
		}
		alone = append(alone, item)
	}
	for _, leader := range leaders { // of an axis that is not there: the parser says so
		if followers := groups[leader]; followers != nil {
			together = append(together, followers)
		}
	}
	return alone, together
}
