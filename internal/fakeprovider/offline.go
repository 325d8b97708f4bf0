package fakeprovider

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/text"
)

// Offline answers the workbench's own prompts with the offline provider's handlers, so that a whole run against the fake has
// plausible answers and verdicts. What a prompt is for is not on the wire; it is found out from the name and the shape of the
// reply's schema and from the data. Other prompts get the smallest reply that satisfies their schema, or a fixed sentence.
func Offline(more ...map[string]llm.Handler) func(Request) (string, error) {
	handlers := offline.Handlers()
	maps.Copy(handlers, metrics.OfflineHandlers())
	for _, m := range more {
		maps.Copy(handlers, m)
	}
	return func(r Request) (string, error) {
		for _, purpose := range purposes(r, handlers) {
			text, err := handlers[purpose](llm.Request{
				Purpose: purpose, Model: offlineModel(r, purpose), Instruction: r.System, Data: r.Data(),
				Schema: &replies.Schema{Name: r.Purpose, Body: r.Schema},
			})
			if err == nil && fits(text, r.Schema) {
				return text, nil
			}
		}
		if len(r.Schema) == 0 {
			return plainReply, nil
		}
		return Minimal(r.Schema)
	}
}

const plainReply = "This is a reply of the fake provider."

var fence = text.Lazy(`(?m)^<<<DATA ([0-9a-f]+)>>>\n(.*)\n<<<END ([0-9a-f]+)>>>$`)

// Data is the JSON object between the fences of the prompt, {} when there is none.
func (r Request) Data() json.RawMessage {
	m := fence.FindStringSubmatch(r.User)
	if m == nil || m[1] != m[3] {
		return json.RawMessage("{}")
	}
	return json.RawMessage(m[2])
}

// purposes lists the purposes that a request may have, the likeliest first.
func purposes(r Request, handlers map[string]llm.Handler) []string {
	if len(r.Schema) == 0 {
		return []string{prompts.PurposeGenerate}
	}
	has := map[string]json.RawMessage{}
	_ = json.Unmarshal(r.Data(), &has) // without data every handler is as good as another
	all := slices.Sorted(maps.Keys(handlers))
	all = slices.DeleteFunc(all, func(p string) bool { return p == prompts.PurposeGenerate })
	rank := func(p string) int {
		_, reference := has["reference"]
		switch {
		case strings.HasSuffix(p, "."+r.Purpose), r.Purpose == "verdicts" && p == metrics.PurposeVerify:
			return 0
		case r.Purpose == "rubric" && reference == (p == metrics.PurposeCorrectness):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	return all
}

// offlineModel is the name under which the offline provider knows what a request wants.
func offlineModel(r Request, purpose string) string {
	switch {
	case purpose != prompts.PurposeGenerate:
		return metrics.DefaultJudge().Name
	case r.Model == "terse" || r.Model == "closed-book":
		return r.Model
	}
	return "extractive"
}

// fits reports whether a reply has the properties that a schema demands, and no others.
func fits(text string, schema []byte) bool {
	if len(schema) == 0 {
		return true
	}
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	reply := map[string]json.RawMessage{}
	if json.Unmarshal(schema, &s) != nil || json.Unmarshal([]byte(text), &reply) != nil {
		return false
	}
	for _, name := range s.Required {
		if _, ok := reply[name]; !ok {
			return false
		}
	}
	for name := range reply {
		if _, ok := s.Properties[name]; !ok {
			return false
		}
	}
	return true
}

// flip turns a judgement round: a score to its mirror image, a verdict to its opposite. Replies without either stay as they
// are.
func flip(text string) string {
	var reply map[string]any
	if json.Unmarshal([]byte(text), &reply) != nil {
		return text
	}
	switch score, ok := reply["score"].(float64); {
	case ok && score == 3:
		reply["score"] = 1
	case ok:
		reply["score"] = 6 - score
	}
	verdicts, _ := reply["verdicts"].([]any)
	for _, v := range verdicts {
		if cell, ok := v.(map[string]any); ok {
			switch cell["verdict"] {
			case "supported":
				cell["verdict"] = "contradicted"
			case "contradicted":
				cell["verdict"] = "supported"
			}
		}
	}
	return string(mustJSON(reply))
}
