package metrics

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// suites are named lists of metrics. "standard" is a usual run: at most six judge calls for a question, however many of its metrics are
// asked for. "compact" is "standard" for files that name it.
var suites = map[string]func(metric) bool{
	"standard":   func(m metric) bool { return m.standard },
	"compact":    func(m metric) bool { return m.standard },
	"iccg":       func(m metric) bool { return m.Group == "iccg" },
	"retrieval":  func(m metric) bool { return m.places },
	"text":       func(m metric) bool { return m.Group == "text" },
	"operations": func(m metric) bool { return m.Group == GroupOperations },
	"all":        func(metric) bool { return true },
}

// idsOf are the ids of the metrics of a suite, in display order.
func idsOf(suite string) []string {
	var out []string
	for _, m := range catalogue {
		if suites[suite](m) {
			out = append(out, m.ID)
		}
	}
	return out
}

// SuiteNames lists the suites.
func SuiteNames() []string { return slices.Sorted(maps.Keys(suites)) }

// Resolve turns suite names and metric ids into metrics, in display order and each once. No name means the suite
// "standard". An unknown name is a Problem that lists what there is.
func Resolve(names []string) ([]Spec, error) { return ResolveWith(names, nil) }

// ResolveWith is [Resolve] where the names may be those of custom metrics too. Custom metrics that are not named come along
// all the same, at the end: who defines one wants it.
func ResolveWith(names []string, custom []Custom) ([]Spec, error) {
	if len(names) == 0 {
		names = []string{"standard"}
	}
	own := map[string]bool{}
	for i, c := range custom {
		if err := c.Validate(); err != nil {
			p := problem.From(err)
			field := fmt.Sprintf("metrics[%d].%v", i, p.Params["field"])
			p.Args[0] = yaml.FieldWords(field)
			p.Message = fmt.Sprintf(p.Format, p.Args...)
			return nil, p.With("field", field)
		}
		if own[c.ID] {
			return nil, customProblem(fmt.Sprintf("metrics[%d].id", i), c.ID, "another name: it is there twice")
		}
		own[c.ID] = true
	}
	want := map[string]bool{}
	joint := false
	for _, name := range names {
		joint = joint || name == "compact"
		_, suite := suites[name]
		_, metric := Find(name)
		switch {
		case suite:
			for _, id := range idsOf(name) {
				want[id] = true
			}
		case metric:
			want[name] = true
		case !own[name]:
			return nil, unknown(name, slices.Sorted(maps.Keys(own)))
		}
	}
	var specs []Spec
	for _, m := range catalogue {
		if want[m.ID] {
			m.Joint = joint && len(m.blocks) > 0
			specs = append(specs, m.Spec)
		}
	}
	for _, c := range custom {
		specs = append(specs, c.Spec())
	}
	return specs, nil
}

// unknown is the problem of a name of no metric and no suite; own are the metrics of the experiment. Where one is near, the others are
// not listed.
func unknown(name string, own []string) error {
	meant := text.Meant(name, slices.Concat(SuiteNames(), idsOf("all"), own))
	p := problem.New(problem.Invalid, "metric_unknown", "there is no metric or suite %q%s", name, meant).With("name", name).
		With("field", "suite")
	if meant != "" {
		return p.WithHint("suites: %s", strings.Join(SuiteNames(), ", "))
	}
	return p.WithHint("suites: %s; metrics: %s", strings.Join(SuiteNames(), ", "), strings.Join(idsOf("all"), ", "))
}

// Versioned marks the judge's metrics as measured with other prompts where the configuration replaces some, and correctness as
// measured with examples where the judge has some, so that their scores are not compared with those of ours.
func (c JudgeConfig) Versioned(specs []Spec) []Spec {
	if len(c.Prompts)+len(c.Examples) == 0 {
		return specs
	}
	prompts := ""
	if len(c.Prompts) > 0 {
		h := sha256.New()
		for _, name := range slices.Sorted(maps.Keys(c.Prompts)) {
			fmt.Fprintf(h, "%q %q\n", name, c.Prompts[name])
		}
		prompts = "+" + hex.EncodeToString(h.Sum(nil))[:8]
	}
	out := slices.Clone(specs)
	for i := range out {
		if !out[i].NeedsJudge || out[i].Custom != nil {
			continue
		}
		out[i].Version += prompts
		if mark := c.exampleMark(); mark != "" && out[i].ID == "correctness" {
			out[i].Version += "+" + mark
		}
	}
	return out
}

// CheckPrompts returns a Problem when the configuration replaces a prompt that there is not, or by nothing.
func (c JudgeConfig) CheckPrompts() error {
	for _, name := range slices.Sorted(maps.Keys(c.Prompts)) {
		base := strings.TrimSuffix(strings.TrimSuffix(name, ".en"), ".ja")
		if replaceable[base] == "" {
			return problem.New(problem.Invalid, "prompt_unknown", "there is no judge prompt %q%s", name,
				text.Meant(base, PromptNames())).With("name", name).With("field", "judge.prompts."+name).
				WithHint("prompts: %s; each may end in .en or .ja", strings.Join(PromptNames(), ", "))
		}
		if textual.NoText(c.Prompts[name]) {
			return problem.New(problem.Invalid, "prompt_empty", "the judge prompt %q is empty", name).With("name", name).
				With("field", "judge.prompts."+name).
				WithHint("write the instruction, or leave the name out to use ours")
		}
	}
	return nil
}

// Current says which version of a frozen metric this program computes, and whether that is the frozen one. Metrics of
// experiment files are judged by their definition, which the Spec carries; a mark for other prompts stands for itself.
func (s Spec) Current() (version string, same bool) {
	if s.Custom != nil {
		now := s.Custom.Spec().Version
		return now, now == s.Version
	}
	if s.Group == GroupImported {
		return s.Version, true
	}
	now, known := Find(s.ID)
	if !known {
		return "", false
	}
	frozen, mark, marked := strings.Cut(s.Version, "+")
	version = now.Version
	if marked {
		version += "+" + mark
	}
	return version, frozen == now.Version
}

// SetsAgainst says which statements a suite looks up: those of the answer in the reference, and those of the reference in the answer.
// Where both are, two answers of one grade can be told apart by them; see [Grounds].
func SetsAgainst(suite []Spec) (answer, reference bool) {
	for _, spec := range suite {
		blocks := declared(spec.ID).blocks
		answer = answer || slices.Contains(blocks, answerByReference)
		reference = reference || slices.Contains(blocks, referenceByAnswer)
	}
	return answer, reference
}

// StatementMeasuresIn names them in a language: "factual correctness or answer correctness".
func StatementMeasuresIn(lang string) string {
	var names []string
	for _, spec := range StatementMeasures() {
		names = append(names, spec.Title(lang))
	}
	if lang == "ja" {
		return strings.Join(names, "、")
	}
	return strings.ToLower(strings.Join(names, " or "))
}

// StatementMeasures are the metrics of the catalogue each of which looks up both, see [SetsAgainst].
func StatementMeasures() []Spec {
	var out []Spec
	for _, m := range catalogue {
		if answer, reference := SetsAgainst([]Spec{m.Spec}); answer && reference {
			out = append(out, m.Spec)
		}
	}
	return out
}
