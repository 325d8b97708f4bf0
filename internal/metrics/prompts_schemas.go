package metrics

import (
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/llm/replies"
)

// schemas are the forms of the judge's replies. Reasons stand before what they lead to, since a model writes in order.
var schemas = map[string]*replies.Schema{
	PurposeAnswer: schema("answer",
		`"claims":{"type":"array","items":{"type":"string","minLength":1}},"refuses":{"type":"boolean"},`+
			`"reason":{"type":"string"},"on_topic":{"type":"boolean"}`,
		`"claims","refuses","reason","on_topic"`),
	PurposeClaims: schema("claims",
		`"claims":{"type":"array","items":{"type":"string","minLength":1}},"key":{"type":"array","items":{"type":"integer","minimum":1}}`,
		`"claims","key"`),
	PurposeVerify: partial(schema("verdicts",
		`"verdicts":{"type":"array","items":{"type":"object","properties":{`+
			`"claim":{"type":"integer","minimum":1},"passage":{"type":"integer","minimum":1},`+
			`"quote":{"type":"string"},"verdict":{"type":"string","enum":["supported","contradicted"]}},`+
			`"required":["claim","passage","quote","verdict"],"additionalProperties":false}},`+
			`"neither":{"type":"array","items":{"type":"object","properties":{`+
			`"claim":{"type":"integer","minimum":1},"passages":{"type":"array","items":{"type":"integer","minimum":1}}},`+
			`"required":["claim","passages"],"additionalProperties":false}}`,
		`"verdicts","neither"`), "verdicts", "neither"),
	PurposeCorrectness: rubricSchema,
	PurposeTrust:       rubricSchema,
	PurposeParts: schema("parts",
		`"parts":{"type":"array","minItems":1,"maxItems":4,"items":{"type":"object","properties":{`+
			`"part":{"type":"string","minLength":1},"given":{"type":"string","enum":["yes","partly","no"]}},`+
			`"required":["part","given"],"additionalProperties":false}},`+
			`"off":{"type":"array","items":{"type":"integer","minimum":1}}`,
		`"parts","off"`),
	PurposeRelevancy: schema("relevancy",
		`"noncommittal":{"type":"boolean"},"questions":{"type":"array","minItems":3,"maxItems":3,"items":{"type":"string","minLength":1}}`,
		`"noncommittal","questions"`),
	PurposeEntities: schema("entities", `"entities":{"type":"array","items":{"type":"string","minLength":1}}`, `"entities"`),
	PurposeRubric:   schema("level", `"reason":{"type":"string"},"level":{"type":"integer"}`, `"reason","level"`),
	PurposeCompare:  compareSchema,
	PurposeCritic:   schema("verdict", `"reason":{"type":"string"},"verdict":{"type":"boolean"}`, `"reason","verdict"`),
}

var rubricSchema = schema("rubric", `"reason":{"type":"string"},"score":{"type":"integer","minimum":1,"maximum":5}`, `"reason","score"`)

func schema(name, properties, required string) *replies.Schema {
	return &replies.Schema{Name: name, Body: json.RawMessage(
		`{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false}`)}
}

// partial names the lists of which an unreadable item is lost alone: what is missing is asked for again.
func partial(s *replies.Schema, lists ...string) *replies.Schema {
	s.Partial = lists
	return s
}
