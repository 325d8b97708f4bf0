package llm

import (
	"encoding/json"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// anthropicVersion is the version of the API that requests name in a header.
const anthropicVersion = "2023-06-01"

// anthropicTokens bounds a reply whose request sets no bound: the API demands one.
const anthropicTokens = 4096

var anthropicDialect = dialect{
	route: func(origin string) route {
		return headerRoute(func(string, string) string { return origin + "/messages" }, "x-api-key",
			map[string]string{"anthropic-version": anthropicVersion})
	},
	chat: anthropicChat, reply: anthropicReply, asked: anthropicAsked, refine: refineAnthropic,
	forms: []string{"output_config", "output_format", "json_schema", "structured output", "tool_choice", "input_schema"},
}

// anthropicRequest is a request of the Messages API.
type anthropicRequest struct {
	Model       string            `json:"model"`
	MaxTokens   int               `json:"max_tokens"`
	System      string            `json:"system,omitempty"`
	Messages    []chatMessage     `json:"messages"`
	Temperature *float64          `json:"temperature,omitempty"`
	Output      *anthropicOutput  `json:"output_config,omitempty"`
	Tools       []anthropicTool   `json:"tools,omitempty"`
	ToolChoice  map[string]string `json:"tool_choice,omitempty"`
}

type anthropicOutput struct {
	Format struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	} `json:"format"`
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
}

// anthropicChat asks for JSON by output_config, which holds the reply to the schema; then by a tool that must be used, which every model
// has; then by the prompt alone.
func anthropicChat(req Request, nonce string, s spelling) ([]byte, error) {
	system, user := Render(req, nonce)
	out := anthropicRequest{
		Model: req.Model, MaxTokens: limitOf(req, s), System: spelled(req, system, s), Messages: []chatMessage{{"user", user}},
	}
	if out.MaxTokens == 0 {
		out.MaxTokens = anthropicTokens
	}
	if !s.ownTemperature {
		out.Temperature = &req.Temperature
	}
	if req.Schema != nil {
		schema, err := boundsInWords(req.Schema.Body)
		if err != nil {
			return nil, err
		}
		switch s.format {
		case formatSchema:
			out.Output = &anthropicOutput{}
			out.Output.Format.Type, out.Output.Format.Schema = "json_schema", schema
		case formatObject:
			out.Tools = []anthropicTool{{Name: req.Schema.Name, Schema: schema}}
			out.ToolChoice = map[string]string{"type": "tool", "name": req.Schema.Name}
		}
	}
	return json.Marshal(out)
}

// unheldWords are bounds that the API refuses in the schema of a reply. The model is told of them, and replies are checked for them here.
var unheldWords = []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems",
	"maxItems", "uniqueItems", "pattern", "minProperties", "maxProperties"}

// boundsInWords is a schema whose bounds of numbers, texts and lists stand in descriptions, as the makers' own libraries have it.
func boundsInWords(schema json.RawMessage) (json.RawMessage, error) {
	var v any
	if err := json.Unmarshal(schema, &v); err != nil {
		return nil, err
	}
	describeBounds(v)
	return json.Marshal(v)
}

func describeBounds(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			describeBounds(item)
		}
	case map[string]any:
		for _, item := range v {
			describeBounds(item)
		}
		bounds := map[string]any{}
		for _, word := range unheldWords {
			if bound, there := v[word]; there {
				if _, isSchema := bound.(map[string]any); !isSchema { // a property may have such a name
					bounds[word] = bound
					delete(v, word)
				}
			}
		}
		if len(bounds) > 0 {
			words, _ := json.Marshal(bounds) // read from JSON a moment ago
			said, _ := v["description"].(string)
			v["description"] = strings.TrimSpace(said + " " + string(words))
		}
	}
}

type anthropicMessage struct {
	Type    string          `json:"type"`
	Error   json.RawMessage `json:"error"`
	Model   string          `json:"model"`
	Content []struct {
		Type  string          `json:"type"`
		Text  string          `json:"text"`
		Input json.RawMessage `json:"input"`
	} `json:"content"`
	StopReason string `json:"stop_reason"`
	Usage      struct {
		Input   int `json:"input_tokens"`
		Written int `json:"cache_creation_input_tokens"`
		Read    int `json:"cache_read_input_tokens"`
		Output  int `json:"output_tokens"`
	} `json:"usage"`
}

var anthropicReasons = map[string]openai.FinishReason{
	"end_turn": openai.FinishReasonStop, "stop_sequence": openai.FinishReasonStop, "tool_use": openai.FinishReasonStop,
	"max_tokens": openai.FinishReasonLength, "model_context_window_exceeded": openai.FinishReasonLength,
}

// anthropicReply reads a message. Input tokens do not include those of the cache, so they are added up; thoughts are no text.
func anthropicReply(raw []byte) (completion, *fault) {
	var m anthropicMessage
	if f := readEnvelope(raw, &m); f != nil {
		return completion{}, f
	}
	var text strings.Builder
	for _, block := range m.Content {
		switch block.Type {
		case "text":
			text.WriteString(block.Text)
		case "tool_use":
			text.Write(block.Input)
		}
	}
	u := m.Usage
	reason, known := anthropicReasons[m.StopReason]
	if !known {
		reason = openai.FinishReason(m.StopReason)
	}
	said, refused := text.String(), ""
	if m.StopReason == "refusal" {
		reason = openai.FinishReasonContentFilter
		if said != "" {
			refused = said
		}
	}
	c := message(m.Model, said, refused, reason, usedTokens(u.Input+u.Written+u.Read, u.Read, u.Output))
	c.Error = m.Error
	if len(m.Content) == 0 && m.StopReason == "" {
		c.Choices = nil
	}
	return c, nil
}

func anthropicAsked(body []byte) (system, user string, err error) {
	var sent anthropicRequest
	if err = json.Unmarshal(body, &sent); err == nil && len(sent.Messages) > 0 {
		user = sent.Messages[0].Content
	}
	return sent.System, user, err
}

// refineAnthropic knows the spent balance, which the API calls an invalid request.
func refineAnthropic(_ []byte, r *refusal) {
	if strings.Contains(strings.ToLower(r.message), "credit balance") {
		r.code += " billing"
	}
}
