package apptest

import (
	"bytes"
	"encoding/json"
)

// ValuesOfUnscored are the scores in a text of JSON, or of JSON lines, that have a value although their state says that nothing was
// scored: there must be none in whatever leaves the program. A text that is no JSON has none.
func ValuesOfUnscored(body []byte) (found []string) {
	for lines := json.NewDecoder(bytes.NewReader(body)); ; {
		var v any
		if lines.Decode(&v) != nil {
			return found
		}
		found = append(found, unscored(v)...)
	}
}

func unscored(v any) (found []string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			found = append(found, unscored(item)...)
		}
	case map[string]any:
		state := v["state"]
		if _, there := v["value"]; there && v["metric"] != nil && (state == "not_applicable" || state == "error" || state == "pending") {
			body, _ := json.Marshal(v)
			found = append(found, string(body))
		}
		for _, item := range v {
			found = append(found, unscored(item)...)
		}
	}
	return found
}
