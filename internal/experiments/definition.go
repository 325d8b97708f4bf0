package experiments

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// DefaultLowScore is the threshold of a low score where none was agreed: correctness or trust ≤ 2 (founding paper).
const DefaultLowScore = 2

// file is an experiment file as written. Where several forms are allowed the field is untyped.
type file struct {
	Name     string           `yaml:"name"`
	Corpus   string           `yaml:"corpus"`
	Dataset  string           `yaml:"dataset"`
	Suite    any              `yaml:"suite"`
	Metrics  any              `yaml:"metrics"` // definitions of its own, or names of files with some
	Preset   string           `yaml:"preset"`  // where base begins; see [rag.Presets]
	Model    string           `yaml:"model"`   // provider/name: judge and generator, where they are not named themselves
	Judge    map[string]any   `yaml:"judge"`
	Analyses []string         `yaml:"analyses"`
	Endpoint string           `yaml:"endpoint"` // or answers, in the place of base
	Answers  string           `yaml:"answers"`
	Base     map[string]any   `yaml:"base"`
	Sweep    yaml.MapSlice    `yaml:"sweep"`
	Pairs    []yaml.MapSlice  `yaml:"pairs"`    // axes whose values move together
	Except   []map[string]any `yaml:"except"`   // combinations that are left out
	Generate map[string]any   `yaml:"generate"` // {top: 8, by: evidence_recall}: what a sweep answers and judges
	Goals    []Goal           `yaml:"goals"`
	LowScore *float64         `yaml:"low_score"`
	Low      []string         `yaml:"low"` // of answers that came with scores: ragas.faithfulness<=0.5
	DecideBy []string         `yaml:"decide_by"`
	Pairwise string           `yaml:"pairwise"` // on or off
	Tags     []string         `yaml:"tags"`
	Notes    string           `yaml:"notes"`
}

// ReadDefinition reads an experiment file in any encoding that [text.Decode] knows. Prompts named by file are read relative to it.
// Paths of corpus and dataset stay
// as written; resolving them is the caller's part.
func ReadDefinition(path string) (Definition, error) {
	raw, err := text.ReadFile(path, MaxDefinitionBytes)
	switch {
	case problem.CodeOf(err) == "file_too_large":
		return Definition{}, problem.New(problem.Invalid, "file_too_large", "%s is larger than %d KiB, the limit for an experiment file",
			path, MaxDefinitionBytes>>10).
			With("file", path).With("limit_bytes", MaxDefinitionBytes).
			WithHint("check that this is the experiment file; long prompts can stand in files of their own")
	case err != nil:
		return Definition{}, problem.New(problem.NotFound, "experiment_file", "cannot read the experiment file %s", path).
			Because(err).WithHint("check the path; `workbench experiment add --help` shows an example file")
	}
	var d Definition
	s, _, err := text.Decode(raw)
	if err == nil {
		d, err = ParseDefinition([]byte(s), filepath.Dir(path))
	}
	if err != nil {
		p := problem.From(err)
		p.Message = path + ": " + p.Message
		return Definition{}, p.With("file", path)
	}
	return d, nil
}

// InFile says in which line of an experiment file a problem with one of its fields is; a problem with no field stays as it is.
func InFile(path string, err error) error {
	p, ok := errors.AsType[*problem.Problem](err)
	if !ok || p.Params["field"] == nil {
		return err
	}
	raw, readErr := text.ReadFile(path, MaxDefinitionBytes)
	s, _, decodeErr := text.Decode(raw)
	if readErr != nil || decodeErr != nil {
		return err
	}
	placed := problem.From(located(yaml.Lines([]byte(s)), err))
	if field := fmt.Sprint(p.Params["field"]); !strings.Contains(p.Message, field[strings.LastIndexByte(field, '.')+1:]) {
		placed.Message = strings.Replace(placed.Message, p.Message, field+": "+p.Message, 1)
	}
	placed.Message = path + ": " + placed.Message
	return placed.With("file", path)
}

// ParseDefinition parses an experiment file; dir is where prompt files are looked for. Problems say at which line they are.
func ParseDefinition(raw []byte, dir string) (Definition, error) {
	d, err := ParseMade(raw, dir)
	if err != nil {
		return Definition{}, located(yaml.Lines(raw), err)
	}
	return d, nil
}

// ParseMade is [ParseDefinition] of a text that nobody wrote but the program: problems name fields and no line of it.
func ParseMade(raw []byte, dir string) (Definition, error) {
	var f file
	if err := yaml.ReadStrict(raw, &f); err != nil {
		wrong, ok := errors.AsType[*yaml.Mistake](err)
		if !ok {
			return Definition{}, err
		}
		return Definition{}, wrong.Problem("experiment_yaml")
	}
	return f.definition(dir)
}

// definition is what the file defines.
func (f *file) definition(dir string) (Definition, error) {
	if err := f.check(); err != nil {
		return Definition{}, err
	}
	if err := f.checkOutside(); err != nil {
		return Definition{}, err
	}
	d := Definition{
		Name: f.Name, Corpus: f.Corpus, Dataset: f.Dataset, Analyses: f.Analyses, Goals: f.Goals, Tags: f.Tags, Notes: f.Notes,
		LowScore: DefaultLowScore, Endpoint: f.Endpoint, Answers: f.Answers, Pairwise: f.Pairwise,
	}
	if f.LowScore != nil {
		d.LowScore = *f.LowScore
	}
	for _, said := range f.Low {
		var line LowLine
		if err := line.UnmarshalText([]byte(said)); err != nil {
			return Definition{}, err
		}
		d.Low = append(d.Low, line)
	}
	if len(f.DecideBy) > 0 {
		d.DecideBy = f.DecideBy
	}
	if err := f.spreadModel(); err != nil {
		return Definition{}, err
	}
	var err error
	if d.Suite, err = suiteNames(f.Suite); err != nil {
		return Definition{}, err
	}
	if d.Metrics, err = customMetrics(f.Metrics, dir); err != nil {
		return Definition{}, err
	}
	if d.Judge, err = judgeConfig(f.Judge); err != nil {
		return Definition{}, err
	}
	if err := judgePrompts(&d.Judge, dir); err != nil {
		return Definition{}, err
	}
	start := rag.DefaultConfig()
	if f.Preset != "" {
		if start, err = rag.Preset(f.Preset); err != nil {
			return Definition{}, problem.From(err).With("field", "preset")
		}
	}
	if d.Base, err = configFrom(start, f.Base, dir); err != nil {
		return Definition{}, inField(err, "base.")
	}
	if err := f.readSweep(&d, dir); err != nil {
		return Definition{}, err
	}
	return d, d.Validate()
}

// inField prefixes the field a Problem names.
func inField(err error, prefix string) error {
	p := problem.From(err)
	field, ok := p.Params["field"].(string)
	if !ok {
		return err
	}
	if len(p.Args) > 0 && fmt.Sprint(p.Args[0]) == fmt.Sprint(yaml.FieldWords(field)) {
		args := slices.Clone(p.Args)
		args[0] = yaml.QuotedField(prefix + field)
		if !strings.Contains(p.Format, "%q") {
			args[0] = yaml.FieldWords(prefix + field)
		}
		p.Message = strings.Replace(p.Message, fmt.Sprintf(p.Format, p.Args...), fmt.Sprintf(p.Format, args...), 1)
		p.Args = args
	} else {
		p.Message = prefix + p.Message
	}
	return p.With("field", prefix+field)
}

// spreadModel makes the file's one model the judge and the generator, unless they are named themselves.
func (f *file) spreadModel() error {
	if f.Model == "" {
		return nil
	}
	provider, name, ok := strings.Cut(f.Model, "/")
	if !ok || provider == "" || name == "" {
		return fieldProblem("model", f.Model, "provider/model, like openai/gpt-4.1-mini")
	}
	set := func(fields map[string]any) map[string]any {
		if fields == nil {
			fields = map[string]any{}
		}
		if fields["provider"] == nil && fields["model"] == nil {
			fields["provider"], fields["model"] = provider, name
		}
		return fields
	}
	if f.Base == nil {
		f.Base = map[string]any{}
	}
	generate, ok := f.Base["generate"].(map[string]any)
	if !ok && f.Base["generate"] != nil {
		return nil // not a mapping: the configuration says so
	}
	f.Judge, f.Base["generate"] = set(f.Judge), set(generate)
	return nil
}

func suiteNames(v any) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return []string{"standard"}, nil
	case string:
		return []string{v}, nil
	case []any:
		if len(v) == 0 { // it would not mean nothing but everything
			return nil, fieldProblem("suite", "empty", "a suite name or a list of metric ids")
		}
		names := make([]string, len(v))
		for i, item := range v {
			name, ok := item.(string)
			if !ok {
				return nil, fieldProblem("suite", item, "a suite name or a list of metric ids")
			}
			names[i] = name
		}
		return names, nil
	}
	return nil, fieldProblem("suite", v, "a suite name or a list of metric ids")
}

// judgeConfig reads the judge. A judge at another provider than the offline one needs a model; similarity uses the offline
// embedder unless it says otherwise, so that switching the judge alone does not buy embeddings.
func judgeConfig(m map[string]any) (metrics.JudgeConfig, error) {
	judge := metrics.DefaultJudge()
	if provider, ok := m["provider"].(string); ok && provider != "offline" {
		judge.Name = ""
	}
	if err := overlay(m, &judge); err != nil {
		return judge, inField(err, "judge.")
	}
	switch {
	case judge.Name == "":
		return judge, fieldProblem("judge.model", "missing", "the name of a model at "+judge.Provider)
	case judge.ExplainLang != "" && judge.ExplainLang != "en" && judge.ExplainLang != "ja":
		return judge, fieldProblem("judge.explain_lang", judge.ExplainLang, "en or ja")
	}
	return judge, nil
}

// ValidName reports a Problem when a name cannot be used for an experiment, corpus or dataset. Names are usable on a command line, in a
// file name and as name@version.
func ValidName(what, name string) error {
	if text.Named(name, "._-", 100) {
		return nil
	}
	return problem.New(problem.Invalid, "name", "%q is not a name for %s", name, what).With("name", name).
		WithHint("use up to 100 letters, digits, dots, - and _, beginning with a letter or digit")
}

// Validate returns a Problem that names the first field which is missing or impossible.
func (d Definition) Validate() error {
	if d.Name == "" {
		return fieldProblem("name", "missing", "a name for the experiment")
	}
	if err := ValidName("an experiment", d.Name); err != nil {
		return problem.From(err).With("field", "name")
	}
	for _, f := range []struct{ field, value string }{{"corpus", d.Corpus}, {"dataset", d.Dataset}} {
		if strings.TrimSpace(f.value) == "" && !(f.field == "corpus" && d.IsOutside()) {
			return fieldProblem(f.field, "missing", "the name of a registered "+f.field+" or a path")
		}
	}
	if _, err := d.Specs(); err != nil {
		return err
	}
	if err := d.Judge.CheckPrompts(); err != nil {
		return err
	}
	if known := []string{metrics.DefaultJudge().Name}; !d.Judge.Known(known) {
		return fieldProblem("judge.model", d.Judge.Name, known[0]+" where the provider is offline")
	}
	if known := offline.EmbedderNames(); !d.Judge.Embedding.Known(known) {
		return fieldProblem("judge.embedding.model", d.Judge.Embedding.Name, strings.Join(known, " or ")+" where the provider is offline")
	}
	for _, a := range d.Analyses {
		if a != "causes" && a != "questions" {
			return meant(fieldProblem("analyses", a, "causes or questions"), a, []string{"causes", "questions"})
		}
	}
	for i, g := range d.Goals {
		if !d.knowsMetric(g.Metric) && g.Metric != "low_score_share" {
			return meant(fieldProblem(fmt.Sprintf("goals[%d].metric", i), orMissing(g.Metric), "a metric id or low_score_share"), g.Metric,
				append(d.metricIDs(), "low_score_share"))
		}
		if g.AgreedOn != "" {
			if _, err := time.Parse(time.DateOnly, g.AgreedOn); err != nil {
				return fieldProblem(fmt.Sprintf("goals[%d].agreed_on", i), g.AgreedOn, "a date like 2026-11-20")
			}
		}
	}
	if err := d.checkDecideBy(); err != nil {
		return err
	}
	if d.Pairwise != "" && d.Pairwise != "on" && d.Pairwise != PairwiseOff {
		return fieldProblem("pairwise", d.Pairwise, "on or off")
	}
	if d.LowScore < 1 || d.LowScore >= 5 {
		return fieldProblem("low_score", d.LowScore, "a number from 1 to below 5")
	}
	if len(d.Low) > 0 && d.Answers == "" {
		return fieldProblem("low", d.Low[0], "left out: only scores that came with answers say themselves what is low")
	}
	if err := d.checkSweep(); err != nil {
		return err
	}
	return inFieldOrNil(d.Base.Validate(), "base.")
}

func inFieldOrNil(err error, prefix string) error {
	if err == nil {
		return nil
	}
	return inField(err, prefix)
}

// fieldProblem is a field with a value that it cannot have; "missing" is none.
func fieldProblem(field string, value any, want string) *problem.Problem {
	return impossible("experiment_field", field, value, want).
		WithHint("correct the field; `workbench experiment add --help` shows an example file with every field")
}

// impossible is a Problem, under a code, with a field of a file whose value it cannot have; "missing" is none.
func impossible(code, field string, value any, want string) *problem.Problem {
	p := problem.New(problem.Invalid, code, "%s is %v; it must be %s", yaml.FieldWords(field), yaml.Shown(value), want)
	if value == "missing" {
		p = problem.New(problem.Invalid, code, "%s is missing; it must be %s", yaml.FieldWords(field), want)
	}
	return p.With("field", field).With("value", value).With("want", want)
}

// Said is one part of a configuration as people type it: "retrieve" and "{mode: bm25, k: 10}". An empty text says nothing.
type Said struct{ Name, Text string }

// WithParts lays parts over a configuration, by the rules of an experiment file, and returns a Problem that names the field where the
// result is impossible.
func WithParts(base rag.Config, parts ...Said) (rag.Config, error) {
	fields := map[string]any{}
	for _, p := range parts {
		if p.Text == "" {
			continue
		}
		var v any
		if err := yaml.ReadStrict([]byte(p.Text), &v); err != nil {
			said, _ := errors.AsType[*yaml.Mistake](err)
			return base, problem.New(problem.Invalid, "config_part", "%s: %q cannot be read: %v", p.Name, p.Text,
				said.Problem("config_part")).
				With("field", p.Name).WithHint("write it as in an experiment file, like --chunk '{by: sentences, size: 4}'")
		}
		fields[p.Name] = v
	}
	config, err := configFrom(base, fields, ".")
	if err != nil {
		return base, err
	}
	return config, config.Validate()
}

// AsInFile is the configuration of an experiment file whose base says these parts: what is left unsaid means the same, so that a search
// finds what a run with equal settings retrieves.
func AsInFile(parts ...Said) (rag.Config, error) { return WithParts(rag.DefaultConfig(), parts...) }
