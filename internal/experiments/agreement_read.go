package experiments

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// AgreementFile is an agreement as people write it. Fields that a file leaves out are nil and change nothing.
type AgreementFile struct {
	LowScore *float64         `yaml:"low_score"`
	Targets  *[]Target        `yaml:"targets"`
	Items    *[]AgreementItem `yaml:"items"`
	AgreedBy *[]string        `yaml:"agreed_by"`
	AgreedOn *string          `yaml:"agreed_on"`
	Note     *string          `yaml:"note"`
	Run      *string          `yaml:"run"` // the run it was agreed on: id, its beginning, or an experiment's name
}

// ReadAgreement reads an agreement file in any encoding that [text.Decode] knows.
func ReadAgreement(path string) (AgreementFile, error) {
	raw, err := text.ReadFile(path, MaxDefinitionBytes)
	switch {
	case problem.CodeOf(err) == "file_too_large":
		return AgreementFile{}, problem.New(problem.Invalid, "file_too_large", "%s is larger than %d KiB, the limit for an agreement", path,
			MaxDefinitionBytes>>10).
			With("file", path).With("limit_bytes", MaxDefinitionBytes).WithHint("check that this is the agreement")
	case err != nil:
		return AgreementFile{}, problem.New(problem.NotFound, "agreement_file", "cannot read the agreement %s", path).With("file", path).
			Because(err).WithHint("check the path; `workbench agreement set --help` shows an example file")
	}
	var f AgreementFile
	s, _, err := text.Decode(raw)
	if err == nil {
		err = parseAgreement([]byte(s), &f)
	}
	if err != nil {
		p := *problem.From(err)
		p.Message = path + ": " + p.Message
		return AgreementFile{}, p.With("file", path)
	}
	return f, nil
}

// ParseAgreement parses an agreement file.
func ParseAgreement(raw []byte) (AgreementFile, error) {
	var f AgreementFile
	err := parseAgreement(raw, &f)
	return f, err
}

// ParseTarget parses one target as it stands in a file: {theme: refunds, metric: low_score_share, target: 0.05}.
func ParseTarget(s string) (Target, error) {
	var t Target
	err := parseAgreement([]byte(s), &t)
	return t, err
}

// ParseAgreementItem parses one item as it stands in a file: {component: retriever, action: raise k, priority: high}.
func ParseAgreementItem(s string) (AgreementItem, error) {
	var i AgreementItem
	err := parseAgreement([]byte(s), &i)
	return i, err
}

func parseAgreement(raw []byte, out any) error {
	err := yaml.ReadStrict(raw, out)
	if err == nil {
		return nil
	}
	return yaml.Wrong("agreement_yaml", err)
}

// Over lays the fields of the file over an agreement. What was measured when the older one was signed is left behind: it belongs to
// the older one's run.
func (f AgreementFile) Over(a Agreement) Agreement {
	set(&a.LowScore, f.LowScore)
	set(&a.Targets, f.Targets)
	set(&a.Items, f.Items)
	set(&a.AgreedBy, f.AgreedBy)
	set(&a.AgreedOn, f.AgreedOn)
	set(&a.Note, f.Note)
	a.Targets, a.Items = slices.Clone(a.Targets), slices.Clone(a.Items)
	for i := range a.Targets {
		a.Targets[i].Was = nil
	}
	for i := range a.Items {
		a.Items[i].Was = nil
	}
	a.RunID, a.RunChain = "", ""
	return a
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// WithTarget returns the targets with one more; one that aims at the same thing is replaced.
func WithTarget(targets []Target, t Target) []Target {
	targets = slices.Clone(targets)
	if i := slices.IndexFunc(targets, t.Same); i >= 0 {
		targets[i] = t
		return targets
	}
	return append(targets, t)
}

// WithItem returns the items with one more; one about the same group is replaced.
func WithItem(items []AgreementItem, item AgreementItem) []AgreementItem {
	items = slices.Clone(items)
	if i := slices.IndexFunc(items, func(o AgreementItem) bool { return o.sameGroup(item.CauseGroup) }); i >= 0 {
		items[i] = item
		return items
	}
	return append(items, item)
}

func (g CauseGroup) sameGroup(o CauseGroup) bool {
	return g.Data == o.Data && g.Component == o.Component && g.Param == o.Param && g.Theme == o.Theme && g.Category == o.Category &&
		slices.Equal(slices.Sorted(slices.Values(g.Questions)), slices.Sorted(slices.Values(o.Questions)))
}

// String names the group for people: "component retriever, theme refunds".
func (g CauseGroup) String() string {
	var parts []string
	for _, f := range [][2]string{{"data", g.Data}, {"component", g.Component}, {"parameter", g.Param}, {"theme", g.Theme},
		{"category", g.Category}} {
		if f[1] != "" {
			parts = append(parts, f[0]+" "+f[1])
		}
	}
	switch n := len(g.Questions); {
	case n == 1:
		parts = append(parts, "question "+g.Questions[0])
	case n > 1:
		parts = append(parts, "questions "+strings.Join(g.Questions, ", "))
	}
	return strings.Join(parts, ", ")
}
