package templates

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// AsTemplate is a notebook as a template: the first registered corpus that it names becomes the slot corpus, the next one corpus_2 and so
// on; so do datasets and endpoints. Everything else stays as it is. A notebook with mistakes is a Problem.
func AsTemplate(name string, text []byte) ([]byte, error) {
	d, err := document.Parse(name, text)
	if err != nil {
		return nil, err
	}
	s := slotter{slotOf: map[string]string{}, counts: map[SlotType]int{}}
	lines := strings.SplitAfter(string(text), "\n")
	for i, line := range lines {
		lines[i] = slotMark.ReplaceAllStringFunc(line, func(m string) string { return "[[!" + m[2:len(m)-2] + "]]" })
	}
	for _, c := range d.Cells() {
		field, kind := "source", SlotType(c.Type)
		if c.Type == "config" {
			field, kind = "endpoint", EndpointSlot
		}
		value, _ := c.Values[field].(string)
		if kind != CorpusSlot && kind != DatasetSlot && kind != EndpointSlot || !registeredShape.MatchString(value) {
			continue
		}
		line := &lines[c.LineOf(field)-1]
		key, rest, _ := strings.Cut(*line, ":")
		*line = key + ":" + strings.Replace(rest, value, "[["+s.slot(kind, value)+"]]", 1)
	}
	if len(s.slots) == 0 {
		return nil, problem.New(problem.Invalid, "template_slots", "the notebook names no registered corpus, dataset or endpoint").
			WithHint("a template has something to fill in: name a registered corpus or dataset in a cell")
	}
	end := d.Blocks[1].Line - 2 // of the front matter
	for strings.TrimSpace(lines[end]) != "---" {
		end--
	}
	lines[end] = "template:\n  slots:\n" + strings.Join(s.slots, "") + lines[end]
	return []byte(strings.Join(lines, "")), nil
}

// slotter gives what a notebook names a slot each.
type slotter struct {
	slotOf map[string]string
	counts map[SlotType]int
	slots  []string
}

func (s *slotter) slot(kind SlotType, value string) string {
	key := string(kind) + " " + value
	if name, ok := s.slotOf[key]; ok {
		return name
	}
	s.counts[kind]++
	name := string(kind)
	if n := s.counts[kind]; n > 1 {
		name = fmt.Sprintf("%s_%d", kind, n)
	}
	s.slotOf[key] = name
	s.slots = append(s.slots, fmt.Sprintf("    - {name: %s, type: %s}\n", name, kind))
	return name
}
