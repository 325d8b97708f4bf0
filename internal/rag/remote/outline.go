package remote

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/text"
)

// Bounds of what a person is shown of a reply.
const (
	outlineLines = 40
	outlineDepth = 6
	outlineText  = 60 // code points of a value
)

// OutlineLine is one value of a reply, cut to a length that is fit to be read.
type OutlineLine struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// Outline lists what a reply holds, as paths with cut values: of a list the first item. It is how people find the right paths.
func Outline(value any) []OutlineLine {
	var lines []OutlineLine
	outline(value, nil, &lines)
	return lines
}

func outline(value any, steps []pathStep, lines *[]OutlineLine) {
	if len(*lines) >= outlineLines {
		return
	}
	say := func(text string) {
		path := describeSteps(steps)
		if path == "" {
			path = "$"
		}
		*lines = append(*lines, OutlineLine{Path: path, Value: text})
	}
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 || len(steps) == outlineDepth {
			say(fmt.Sprintf("an object with %d fields", len(v)))
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			outline(v[key], append(slices.Clip(steps), pathStep{field: key, named: true}), lines)
		}
	case []any:
		if len(v) == 0 || len(steps) == outlineDepth {
			say(fmt.Sprintf("a list of %d", len(v)))
			return
		}
		outline(v[0], append(slices.Clip(steps), pathStep{}), lines)
		if len(v) > 1 {
			say(fmt.Sprintf("a list of %d, the first of them above", len(v)))
		}
	case string:
		say(fmt.Sprintf("%q", text.Cut(strings.Join(strings.Fields(v), " "), outlineText)))
	case json.Number:
		say(text.Cut(v.String(), outlineText))
	case nil:
		say("null")
	default:
		say(fmt.Sprint(v))
	}
}

// receivedKeys names the fields of a reply in one line, without any value.
func receivedKeys(value any) string {
	lines := Outline(value)
	names := make([]string, 0, len(lines))
	length := 0
	for _, l := range lines {
		if length += utf8.RuneCountInString(l.Path); length > 300 {
			names = append(names, "…")
			break
		}
		if !slices.Contains(names, l.Path) {
			names = append(names, l.Path)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
