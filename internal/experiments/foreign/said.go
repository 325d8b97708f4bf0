package foreign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

// Names under which tools that keep inputs and outputs as objects hold what was asked, what was answered, and what should have been.
var (
	askedNames = []string{
		"question", "query", "user_input", "input", "inputs", "request", "prompt", "user_message", "message", "text", "content", "質問",
	}
	answeredNames = []string{"response", "answer", "output", "outputs", "completion", "generation", "result", "text", "content", "回答"}
	rightNames    = []string{
		"expected_response", "expectedResponse", "expected_output", "expectedOutput", "expected_answer", "ground_truth", "reference",
		"answer", "response", "output",
		"expected_facts", "text", "content", "正解",
	}
	retrievedNames = []string{"contexts", "context", "retrieved_contexts", "documents", "sources", "source_documents"}
)

// objectLiteral reads a text that is an object or a list in JSON or in Python, as data frames write them into cells; anything else is
// itself.
func objectLiteral(v any) any {
	s, ok := v.(string)
	if !ok {
		return v
	}
	t := strings.TrimSpace(s)
	if t == "" || !strings.ContainsRune(`{["`, rune(t[0])) {
		return s
	}
	if out, err := decodeForeign(t); err == nil {
		return out
	}
	if out, ok := intake.ParsePython(t); ok && t[0] != '"' {
		return out
	}
	return s
}

// said is the text of what a tool kept as an object: the value under one of the names, the last message of a role, or its only value.
// Other objects are shown as JSON. "" stands for nothing.
func said(v any, names []string, role string) string {
	switch v := objectLiteral(v).(type) {
	case nil:
		return ""
	case string:
		if strings.EqualFold(v, "nan") {
			return ""
		}
		return v
	case []any:
		return saidInList(v, names, role)
	case map[string]any:
		for _, key := range []string{"messages", "choices"} {
			if list := listOf(v[key]); len(list) > 0 {
				return saidInList(list, names, role)
			}
		}
		if m := objectOf(v["message"]); m != nil {
			return said(m, names, role)
		}
		for _, name := range names {
			if inner, ok := v[name]; ok && inner != nil {
				return said(inner, names, role)
			}
		}
		if len(v) == 1 {
			for _, only := range v {
				return said(only, names, role)
			}
		}
		if len(v) == 0 {
			return ""
		}
		shown, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return string(shown)
	default:
		return fmt.Sprint(v)
	}
}

// saidInList is the last message of the role, or the texts of a list as lines.
func saidInList(list []any, names []string, role string) string {
	for _, one := range slices.Backward(list) {
		m := objectOf(one)
		if m["role"] == role || m["role"] == nil && m["message"] != nil {
			return said(firstOf(m, "content", "message"), names, role)
		}
	}
	var lines []string
	for _, one := range list {
		if s := said(one, names, role); s != "" {
			lines = append(lines, s)
		}
	}
	return strings.Join(lines, "\n")
}

// asked, answered and right are what said finds for question, answer and right answer.
func asked(v any) string    { return said(v, askedNames, "user") }
func answered(v any) string { return said(v, answeredNames, "assistant") }
func right(v any) string    { return said(v, rightNames, "assistant") }

// ratingWords are the words that judges give in place of a number. A word of no meaning is no score.
var ratingWords = map[string]any{
	"yes": true, "no": false, "pass": true, "fail": false, "passed": true, "failed": false, "true": true, "false": false,
	"correct": true, "incorrect": false, "unknown": nil, "": nil, "nan": nil, "none": nil,
}

// rated is what a judge gave, with its words as 1 and 0; ok is false for a word that is no score.
func rated(v any) (any, bool) {
	if s, isText := v.(string); isText {
		if word, known := ratingWords[strings.ToLower(strings.TrimSpace(s))]; known {
			return word, true
		}
	}
	_, state := cellScore(v)
	return v, state != scoreWrong
}
