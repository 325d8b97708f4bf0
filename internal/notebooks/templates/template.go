// Package templates makes notebooks out of templates, which are documents with slots: those that ship with the program ([Gallery]), and
// those that a team makes of its own notebooks ([AsTemplate]). It writes text and evaluates nothing.
package templates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	pattern "github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// SlotType says what may stand in a slot of a template.
type SlotType string

// The types of slots.
const (
	CorpusSlot   SlotType = "corpus"   // a registered corpus, NAME or NAME@VERSION
	DatasetSlot  SlotType = "dataset"  // a registered dataset, NAME or NAME@VERSION
	EndpointSlot SlotType = "endpoint" // a registered endpoint
	TextSlot     SlotType = "text"     // one line
	IntegerSlot  SlotType = "integer"
	ChoiceSlot   SlotType = "choice"
)

// TemplateSlot is a typed place of a template that is filled when a notebook is made of it.
type TemplateSlot struct {
	Name     string    `json:"name" yaml:"name"`
	Type     SlotType  `json:"type" yaml:"type" enum:"corpus,dataset,endpoint,text,integer,choice"`
	Optional bool      `json:"optional,omitempty" yaml:"optional"`
	Default  string    `json:"default,omitempty" yaml:"default"` // of corpora and datasets: those of workbench demo
	Choices  []string  `json:"choices,omitempty" yaml:"choices"`
	Min      *float64  `json:"min,omitempty" yaml:"min"`
	Max      *float64  `json:"max,omitempty" yaml:"max"`
	Doc      SlotWords `json:"doc,omitzero" yaml:"doc"`
}

// SlotWords says what a slot is for.
type SlotWords struct {
	EN string `json:"en,omitempty" yaml:"en"`
	JA string `json:"ja,omitempty" yaml:"ja"`
}

// Template is the text of a notebook with slots. [[name]] in it stands for what fills a slot; lines between [[if name]] and [[end]] stay
// only where the name has a value, those behind [[else]] where it has none, and [[if not name]] is the other way round. [[!x]] is [[x]]
// as a text. Its front matter has a field template with the slots, which a notebook made of it has not.
type Template struct {
	Name  string
	Slots []TemplateSlot

	lines []templateLine
}

type templateLine struct {
	text string
	line int // of the file, from 1
}

// TemplateFacts are the names that a template may ask for besides its slots: what is known about the data that fill it.
var TemplateFacts = []string{
	"demo",   // it is filled with the data of workbench demo
	"lang",   // the language to begin with, "en" or "ja"
	"langs",  // both, that one first: [en, ja]
	"themes", // questions of the dataset have themes
	"before", // the version of the corpus before the chosen one
	"pinned", // the dataset has a baseline
}

var slotMark = pattern.Lazy(`\[\[(!?[^\[\]\n]*)\]\]`)

// Parse reads a template and refuses one whose slots do not fit together, with the line.
func Parse(name string, raw []byte) (Template, error) {
	t := Template{Name: name}
	declared, first, err := t.cut(string(raw))
	if err != nil {
		return t, err
	}
	var said struct {
		Template struct {
			Slots []TemplateSlot `yaml:"slots"`
		} `yaml:"template"`
	}
	if err := yaml.ReadStrict([]byte(declared), &said); err != nil {
		at, said := document.YAMLError(err)
		return t, t.wrong(first+at-1, said.Format, said.Args...).WithHint(said.HintFormat, said.HintArgs...)
	}
	t.Slots = said.Template.Slots
	for i, s := range t.Slots {
		if slices.ContainsFunc(t.Slots[:i], func(o TemplateSlot) bool { return o.Name == s.Name }) {
			return t, t.wrong(first, "two slots are named %s", s.Name)
		}
		if err := t.checkSlot(s, first); err != nil {
			return t, err
		}
	}
	_, err = t.Fill(t.Sample())
	return t, err
}

// cut takes the field template out of the front matter.
func (t *Template) cut(raw string) (declared string, first int, err error) {
	in, front := false, 0
	for i, line := range strings.SplitAfter(raw, "\n") {
		bare := strings.TrimRight(line, "\r\n")
		if bare == "---" && front < 2 {
			front, in = front+1, false
		}
		if front == 1 && strings.HasPrefix(line, "template:") {
			in, first = true, i+1
		} else if in && bare != "" && !strings.HasPrefix(line, " ") {
			in = false
		}
		if in {
			declared += line
		} else {
			t.lines = append(t.lines, templateLine{line, i + 1})
		}
	}
	if first == 0 {
		err = t.wrong(1, "a template says in its front matter what its slots are").
			WithHint("template:\n  slots:\n    - {name: corpus, type: corpus}\n    - {name: dataset, type: dataset}")
	}
	return declared, first, err
}

func (t *Template) wrong(line int, format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "template", "templates/"+t.Name+":"+strconv.Itoa(line)+": "+format, args...).
		With("template", t.Name).With("line", line)
}

var slotName = pattern.Lazy(`^[a-z][a-z0-9_]{0,39}$`)

func (t *Template) checkSlot(s TemplateSlot, line int) error {
	types := []string{string(CorpusSlot), string(DatasetSlot), string(EndpointSlot), string(TextSlot), string(IntegerSlot),
		string(ChoiceSlot)}
	switch {
	case !slotName.MatchString(s.Name) || slices.Contains(TemplateFacts, s.Name):
		return t.wrong(line, "%q is no name for a slot", s.Name).WithHint("letters a to z, digits and _; not %s",
			strings.Join(TemplateFacts, ", "))
	case !slices.Contains(types, string(s.Type)):
		return t.wrong(line, "the slot %s has the type %q%s", s.Name, s.Type, pattern.Meant(string(s.Type), types)).
			WithHint("types: %s", strings.Join(types, ", "))
	case (s.Type == ChoiceSlot) != (len(s.Choices) > 0):
		return t.wrong(line, "the slot %s needs choices, or has them without being a choice", s.Name)
	}
	if s.Default == "" || slotMark.MatchString(s.Default) {
		return nil
	}
	if err := s.Check(s.Default); err != nil {
		return t.wrong(line, "%s", problem.From(err).Message)
	}
	return nil
}

// Slot is the slot of a name.
func (t *Template) Slot(name string) (TemplateSlot, bool) {
	i := slices.IndexFunc(t.Slots, func(s TemplateSlot) bool { return s.Name == name })
	if i < 0 {
		return TemplateSlot{}, false
	}
	return t.Slots[i], true
}

var registeredShape = pattern.Lazy(`^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}(@[0-9]{1,9})?$`)

// mostSlotRunes bounds a text.
const mostSlotRunes = 200

// Check refuses a value that does not fit the slot. Whether something is registered under a name is for the caller to see.
func (s TemplateSlot) Check(v string) error {
	bad := func(hint string, args ...any) error {
		return problem.New(problem.Invalid, "slot_value", "%s is %q, which does not fit", s.Name, document.Cut(v)).With("field", s.Name).
			WithHint(hint, args...)
	}
	switch s.Type {
	case CorpusSlot, DatasetSlot, EndpointSlot:
		if !registeredShape.MatchString(v) {
			return bad("a registered %s, as NAME or NAME@VERSION", s.Type)
		}
	case IntegerSlot:
		n, err := strconv.Atoi(v)
		if err != nil || s.Min != nil && float64(n) < *s.Min || s.Max != nil && float64(n) > *s.Max {
			return bad("a whole number%s", s.bounds())
		}
	case ChoiceSlot:
		if !slices.Contains(s.Choices, v) {
			return bad("one of %s", strings.Join(s.Choices, ", "))
		}
	case TextSlot:
		if len([]rune(v)) > mostSlotRunes || strings.ContainsAny(v, "\r\n\x00") {
			return bad("one line of at most %d characters", mostSlotRunes)
		}
	}
	return nil
}

func (s TemplateSlot) bounds() string {
	out := ""
	if s.Min != nil {
		out += " from " + document.TextOf(*s.Min)
	}
	if s.Max != nil {
		out += " to " + document.TextOf(*s.Max)
	}
	return out
}

// Sample fills every slot and knows every fact, so that a template can be looked at.
func (t *Template) Sample() map[string]string {
	out := map[string]string{"lang": "en", "langs": "[en, ja]"}
	for _, s := range t.Slots {
		out[s.Name] = s.Name
		switch {
		case s.Default != "":
			out[s.Name] = s.Default
		case s.Type == IntegerSlot:
			out[s.Name] = "1"
		case s.Type == ChoiceSlot:
			out[s.Name] = s.Choices[0]
		}
	}
	return out
}
