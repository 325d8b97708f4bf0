package studies

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// commandLine is the code of what a notebook may say in a file of the server's user and not over HTTP: the name of a file.
const commandLine = "notebook_command_line"

// registeredName is a name, or name@version, of something registered. Everything else is a path.
var registeredName = text.Lazy(`^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}(@[0-9]{1,9})?$`)

func namesPath(value string) *problem.Problem {
	return problem.New(problem.Invalid, commandLine, "%q is a path; here a registered name is needed", value).With("value", value).
		WithHint("upload or import it and write its name, or run the notebook with `workbench notebook run`")
}

// sentDefinition reads an experiment that came over HTTP as part of a notebook: it names no file, and only what is registered.
func sentDefinition(ctx context.Context, w *app.Workbench, raw string) (experiments.Definition, error) {
	if err := views.NoFiles(raw); err != nil {
		return experiments.Definition{}, asCommandLine(err)
	}
	d, err := experiments.ParseMade([]byte(raw), app.NoFolder)
	if problem.CodeOf(err) == "prompt_file" {
		err = asCommandLine(views.NamesFile(problem.From(err).Params["field"]))
	}
	if err == nil {
		err = views.Registered(ctx, w, d)
	}
	return d, err
}

func asCommandLine(err error) error {
	p := problem.From(err)
	if p.Code != "experiment_files" {
		return err
	}
	return problem.New(problem.Invalid, commandLine, "%v names a file", p.Params["field"]).With("field", p.Params["field"]).
		With("value", p.Params["field"]).
		WithHint("write the text itself in the place of the name of its file, or run the notebook with `workbench notebook run`")
}

// sentEngine is the engine of a server. It keeps what was computed of finished runs, for as long as the state of the runs is the same:
// an editor asks after every word.
type sentEngine struct {
	*NotebookEngine
	views *views.Views
	kept  *app.Cache[any]
}

// keptResults bounds what a sentEngine keeps; results are small.
const keptResults = 300

func newSentEngine(w *app.Workbench, v *views.Views, version string) *sentEngine {
	return &sentEngine{&NotebookEngine{W: w, Dir: app.NoFolder, StateVersion: version, Sent: true}, v, app.NewCache[any](keptResults)}
}

// recalled returns what was computed before of the same inputs and the same state of the runs, or computes it.
func recalled[T any](ctx context.Context, e *sentEngine, kind string, runs []string, inputs any,
	compute func(context.Context) (T, error)) (T, error) {
	var none T
	key := []any{kind, inputs}
	for _, name := range runs {
		run, err := e.W.FindRun(ctx, name)
		if err != nil {
			return none, err
		}
		state, err := e.views.StateOf(ctx, run)
		if err != nil {
			return none, err
		}
		key = append(key, name, state)
	}
	body, err := json.Marshal(key)
	if err != nil {
		return none, err
	}
	v, err := e.kept.Get(string(body), e.W.Options.Now(), func() (any, error) { return compute(context.WithoutCancel(ctx)) })
	if err != nil {
		return none, err
	}
	return v.(T), nil
}

// pinned is the run that "" stands for in a comparison.
func (e *sentEngine) pinned(ctx context.Context, baseline, candidate string) (string, error) {
	if baseline != "" || candidate == "" {
		return baseline, nil
	}
	before, _, err := e.views.Pair(ctx, baseline, candidate)
	return before.ID, err
}

// Compare implements [notebooks.Engine].
func (e *sentEngine) Compare(ctx context.Context, baseline, candidate string, limits document.Limits) (document.Comparison, error) {
	baseline, err := e.pinned(ctx, baseline, candidate)
	if err != nil || candidate == "" {
		return document.Comparison{}, orUnnamed(err)
	}
	return recalled(ctx, e, "compare", []string{baseline, candidate}, limits, func(ctx context.Context) (document.Comparison, error) {
		return e.NotebookEngine.Compare(ctx, baseline, candidate, limits)
	})
}

func orUnnamed(err error) error {
	if err == nil {
		err = named("")
	}
	return err
}

// Gate implements [notebooks.Engine].
func (e *sentEngine) Gate(ctx context.Context, baseline, candidate string, limits document.Limits) (document.Verdict, error) {
	baseline, err := e.pinned(ctx, baseline, candidate)
	if err != nil || candidate == "" {
		return document.Verdict{}, orUnnamed(err)
	}
	return recalled(ctx, e, "gate", []string{baseline, candidate}, limits, func(ctx context.Context) (document.Verdict, error) {
		return e.NotebookEngine.Gate(ctx, baseline, candidate, limits)
	})
}

// Failures implements [notebooks.Engine].
func (e *sentEngine) Failures(ctx context.Context, run string, limit int) (document.Failures, error) {
	if run == "" {
		return document.Failures{}, named(run)
	}
	return recalled(ctx, e, "failures", []string{run}, limit, func(ctx context.Context) (document.Failures, error) {
		return e.NotebookEngine.Failures(ctx, run, limit)
	})
}

// Answer implements [notebooks.Engine].
func (e *sentEngine) Answer(ctx context.Context, run, question string) (document.Answer, error) {
	if run == "" {
		return document.Answer{}, named(run)
	}
	return recalled(ctx, e, "answer", []string{run}, question, func(ctx context.Context) (document.Answer, error) {
		return e.NotebookEngine.Answer(ctx, run, question)
	})
}

// Causes implements [notebooks.Engine].
func (e *sentEngine) Causes(ctx context.Context, run, method string) (document.CauseSet, error) {
	return recalled(ctx, e, "causes", []string{run}, method, func(ctx context.Context) (document.CauseSet, error) {
		return e.NotebookEngine.Causes(ctx, run, method)
	})
}

// Agreement implements [notebooks.Engine]. What is registered may change at any time and is not kept.
func (e *sentEngine) Agreement(ctx context.Context, run string, proposed []document.Target) (document.Agreement, error) {
	if run == "" || len(proposed) == 0 {
		return e.NotebookEngine.Agreement(ctx, run, proposed)
	}
	return recalled(ctx, e, "agreement", []string{run}, proposed, func(ctx context.Context) (document.Agreement, error) {
		return e.NotebookEngine.Agreement(ctx, run, proposed)
	})
}

// FileNamed is a place in a notebook that names a file.
type FileNamed struct{ Cell, Field, Value string }

// filesNamed lists the places in which a document names files of the machine.
func filesNamed(d *document.Document) []FileNamed {
	var out []FileNamed
	add := func(c *document.Cell, field, value string) {
		out = append(out, FileNamed{c.Name, field, value})
	}
	name := func(c *document.Cell, field string, v any) {
		if s, ok := v.(string); ok && s != "" && !registeredName.MatchString(s) {
			add(c, field, s)
		}
	}
	for _, c := range d.Cells() {
		fields := c.Resolved()
		switch c.Type {
		case "dataset", "corpus":
			name(c, "source", fields["source"])
		case "config":
			name(c, "endpoint", fields["endpoint"])
			name(c, "answers", fields["answers"])
			filesIn(fields, []string{"extends", "corpus", "endpoint", "answers", "title"},
				func(field, value string) { add(c, field, value) })
		case "run":
			filesIn(map[string]any{"judge": fields["judge"]}, nil, func(field, value string) { add(c, field, value) })
		case "sweep":
			for _, part := range []string{"axes", "pairs"} {
				lists, ok := fields[part].([]any)
				if !ok {
					lists = []any{fields[part]}
				}
				for _, list := range lists {
					axes, _ := list.(map[string]any)
					corpora, _ := axes["corpus"].([]any)
					for _, v := range corpora {
						name(c, part+".corpus", v)
					}
				}
				filesIn(map[string]any{part: fields[part]}, nil, func(field, value string) { add(c, field, value) })
			}
		}
	}
	return out
}

// filesIn calls found for every text that would be read as the name of a file.
func filesIn(fields map[string]any, without []string, found func(field, value string)) {
	left := views.MostValues
	var visit func(field string, v any)
	visit = func(field string, v any) {
		if left--; left < 0 {
			return
		}
		switch v := v.(type) {
		case string:
			if ext := strings.ToLower(filepath.Ext(v)); !strings.Contains(v, "\n") &&
				slices.Contains([]string{".md", ".txt", ".yaml", ".yml"}, ext) {
				found(field, v)
			}
		case []any:
			for _, x := range v {
				visit(field, x)
			}
		case map[string]any:
			for k, x := range v {
				visit(strings.TrimPrefix(field+"."+k, "."), x)
			}
		}
	}
	for k, v := range fields {
		if !slices.Contains(without, k) {
			visit(k, v)
		}
	}
}

// checkSent refuses a text that names a file where the text that is there already does not.
func checkSent(now, before *document.Document) error {
	var had []FileNamed
	if before != nil {
		had = filesNamed(before)
	}
	for _, f := range filesNamed(now) {
		if slices.Contains(had, f) {
			continue
		}
		c := now.Cell(f.Cell)
		p := problem.New(problem.Invalid, "notebook_names_file",
			"cell %s: %s names the file %q; over HTTP a notebook names only what is registered", f.Cell, f.Field, f.Value)
		return p.With("cell", f.Cell).With("field", f.Field).With("value", f.Value).With("line", c.LineOf(f.Field)).
			WithHint("upload or import it and write its name; texts such as prompts stand in the cell itself")
	}
	return nil
}
