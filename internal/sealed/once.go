package sealed

import (
	"bytes"
	"encoding/json"
	"strings"
)

// twice finds a name that stands in one object of a manifest more than once, also in other capitals: of two values this program reads the
// last, another one the first, so that one digest would stand for two manifests. Parameters of a notebook may be told apart by capitals.
// What is not JSON at all has no such name; whoever decodes it tells.
func twice(raw []byte) string {
	type object struct {
		names map[string]bool // nil in a list
		named bool            // the next token is a value
		exact bool
	}
	var open []object
	name := ""
	for dec := json.NewDecoder(bytes.NewReader(raw)); ; {
		token, err := dec.Token()
		if err != nil {
			return ""
		}
		last := len(open) - 1
		if last >= 0 && open[last].names != nil && !open[last].named {
			if key, ok := token.(string); ok {
				name = key
				if !open[last].exact {
					key = strings.ToLower(strings.ToUpper(key))
				}
				if open[last].names[key] {
					return name
				}
				open[last].names[key], open[last].named = true, true
				continue
			}
		}
		if last >= 0 {
			open[last].named = false
		}
		switch token {
		case json.Delim('{'):
			open = append(open, object{names: map[string]bool{}, exact: name == "params" || last >= 0 && open[last].exact})
		case json.Delim('['):
			open = append(open, object{exact: name == "params" || last >= 0 && open[last].exact})
		case json.Delim('}'), json.Delim(']'):
			open = open[:last]
		}
	}
}
