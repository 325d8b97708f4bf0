package templates

import (
	"maps"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	pattern "github.com/rag-workbench/workbench/internal/text"
)

// Fill makes the text of a notebook. values are those of slots and of [TemplateFacts]; "" is none. It does not look at whether they fit
// their slots. A mark that stands for nothing is a Problem with its line.
func (t *Template) Fill(values map[string]string) ([]byte, error) {
	f := filler{template: t, values: maps.Clone(values)}
	for _, s := range t.Slots { // a default may hold [[lang]]
		f.values[s.Name] = slotMark.ReplaceAllStringFunc(f.values[s.Name], func(m string) string { return f.values[m[2:len(m)-2]] })
	}
	for _, l := range t.lines {
		if err := f.line(l); err != nil {
			return nil, err
		}
	}
	if len(f.open) > 0 {
		return nil, t.wrong(f.open[len(f.open)-1].line, "[[if]] has no [[end]]")
	}
	return []byte(f.out.String()), nil
}

// filler writes what stays of a template.
type filler struct {
	template *Template
	values   map[string]string
	open     []condition
	out      strings.Builder
}

// condition is an [[if]] whose [[end]] is not reached.
type condition struct {
	line     int
	holds    bool // of the part that is read
	otherway bool // the part behind [[else]]
}

// mostConditions bounds how deep conditions stand in each other.
const mostConditions = 8

func (f *filler) line(l templateLine) error {
	if m := slotMark.FindStringSubmatch(l.text); m != nil && strings.TrimSpace(l.text) == m[0] {
		if done, err := f.turn(m[1], l.line); done || err != nil {
			return err
		}
	}
	for _, c := range f.open {
		if !c.holds {
			return nil
		}
	}
	written, err := f.filled(l)
	f.out.WriteString(written)
	return err
}

// turn reads a line that is a condition; done is false for any other line.
func (f *filler) turn(mark string, line int) (done bool, err error) {
	words := strings.Fields(mark)
	switch {
	case len(words) > 1 && words[0] == "if":
		not := words[1] == "not"
		name := words[len(words)-1]
		if len(words) > 3 || len(words) == 3 != not || len(f.open) == mostConditions {
			return true, f.template.wrong(line, "[[%s]] is no condition", mark).WithHint("[[if NAME]] or [[if not NAME]]")
		}
		value, err := f.value(name, line)
		f.open = append(f.open, condition{line: line, holds: (value != "") != not})
		return true, err
	case mark == "else" || mark == "end":
		last := len(f.open) - 1
		if last < 0 || mark == "else" && f.open[last].otherway {
			return true, f.template.wrong(line, "[[%s]] has no [[if]]", mark)
		}
		f.open[last].holds, f.open[last].otherway = !f.open[last].holds, true
		if mark == "end" {
			f.open = f.open[:last]
		}
		return true, nil
	}
	return false, nil
}

func (f *filler) value(name string, line int) (string, error) {
	_, slot := f.template.Slot(name)
	if !slot && !document.Contains(TemplateFacts, name) {
		names := append([]string{}, TemplateFacts...)
		for _, s := range f.template.Slots {
			names = append(names, s.Name)
		}
		return "", f.template.wrong(line, "[[%s]] names no slot%s", name, pattern.Meant(name, names)).
			WithHint("declare it below template.slots in the front matter; as a text it is [[!%s]]", name)
	}
	return f.values[name], nil
}

var keyed = pattern.Lazy(`^\s*(- )?(\{|[^\s:]+:(\s|$))`)

// filled writes values into a line. Where YAML stands, a text is quoted so that it stays a text.
func (f *filler) filled(l templateLine) (string, error) {
	var wrong error
	out := slotMark.ReplaceAllStringFunc(l.text, func(m string) string {
		name := m[2 : len(m)-2]
		if strings.HasPrefix(name, "!") {
			return "[[" + name[1:] + "]]"
		}
		v, err := f.value(name, l.line)
		if err != nil && wrong == nil {
			wrong = err
		}
		if s, ok := f.template.Slot(name); ok && s.Type == TextSlot && keyed.MatchString(l.text) {
			return document.Scalar(v)
		}
		return v
	})
	return out, wrong
}
