package llm

import (
	"encoding/json"
	"net/url"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

var geminiDialect = dialect{
	route: func(origin string) route {
		return headerRoute(func(path, model string) string {
			verb := ":generateContent"
			if path == "/embeddings" {
				verb = ":batchEmbedContents"
			}
			return origin + "/models/" + url.PathEscape(strings.TrimPrefix(model, "models/")) + verb
		}, "x-goog-api-key", nil)
	},
	chat: geminiChat, reply: geminiReply, embed: geminiEmbed, vectors: geminiVectors, texts: geminiTexts, asked: geminiAsked,
	refine: refineGoogle,
	forms:  []string{"response_json_schema", "responsejsonschema", "response_schema", "response_mime_type", "json mode", "schema"},
}

type geminiPart struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought,omitempty"`
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

func (c geminiContent) text() string {
	var b strings.Builder
	for _, p := range c.Parts {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// geminiRequest is a request of generateContent.
type geminiRequest struct {
	System   geminiContent   `json:"systemInstruction"`
	Contents []geminiContent `json:"contents"`
	Config   geminiConfig    `json:"generationConfig"`
}

type geminiConfig struct {
	Temperature *float64        `json:"temperature,omitempty"`
	MaxTokens   int             `json:"maxOutputTokens,omitempty"`
	Seed        int             `json:"seed,omitempty"`
	MIMEType    string          `json:"responseMimeType,omitempty"`
	Schema      json.RawMessage `json:"responseJsonSchema,omitempty"`
}

func geminiChat(req Request, nonce string, s spelling) ([]byte, error) {
	system, user := Render(req, nonce)
	out := geminiRequest{
		System:   geminiContent{Parts: []geminiPart{{Text: spelled(req, system, s)}}},
		Contents: []geminiContent{{Role: "user", Parts: []geminiPart{{Text: user}}}},
		Config:   geminiConfig{MaxTokens: limitOf(req, s), Seed: req.Seed},
	}
	if !s.ownTemperature {
		out.Config.Temperature = &req.Temperature
	}
	if req.Schema != nil && s.format != formatNone {
		out.Config.MIMEType = "application/json"
	}
	if req.Schema != nil && s.format == formatSchema {
		out.Config.Schema = req.Schema.Body
	}
	return json.Marshal(out)
}

type geminiMessage struct {
	Error      json.RawMessage `json:"error"`
	Candidates []struct {
		Content geminiContent `json:"content"`
		Reason  string        `json:"finishReason"`
	} `json:"candidates"`
	Feedback struct {
		Blocked string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage struct {
		Prompt   int `json:"promptTokenCount"`
		Cached   int `json:"cachedContentTokenCount"`
		Reply    int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
	Model string `json:"modelVersion"`
}

// geminiReasons are the ends of a reply that say what OpenAI's say. What is not among them is a filter's doing.
var geminiReasons = map[string]openai.FinishReason{
	"": "", "STOP": openai.FinishReasonStop, "MAX_TOKENS": openai.FinishReasonLength, "OTHER": "other",
	"FINISH_REASON_UNSPECIFIED": "", "MALFORMED_FUNCTION_CALL": "other", "UNEXPECTED_TOOL_CALL": "other",
}

// geminiReply reads a reply. Thoughts are paid as output and are no text.
func geminiReply(raw []byte) (completion, *fault) {
	var m geminiMessage
	if f := readEnvelope(raw, &m); f != nil {
		return completion{}, f
	}
	u := m.Usage
	used := usedTokens(u.Prompt, u.Cached, u.Reply+u.Thoughts)
	var c completion
	switch {
	case m.Feedback.Blocked != "":
		c = message(m.Model, "", "", openai.FinishReasonContentFilter, used)
	case len(m.Candidates) == 0:
		c = message(m.Model, "", "", "", used)
		c.Choices = nil
	default:
		reason, known := geminiReasons[m.Candidates[0].Reason]
		if !known {
			reason = openai.FinishReasonContentFilter
		}
		c = message(m.Model, m.Candidates[0].Content.text(), "", reason, used)
	}
	c.Error = m.Error
	return c, nil
}

func geminiAsked(body []byte) (system, user string, err error) {
	var sent geminiRequest
	if err = json.Unmarshal(body, &sent); err == nil && len(sent.Contents) > 0 {
		user = sent.Contents[0].text()
	}
	return sent.System.text(), user, err
}

type geminiEmbedding struct {
	Model      string        `json:"model"`
	Content    geminiContent `json:"content"`
	Task       string        `json:"taskType,omitempty"`
	Dimensions int           `json:"outputDimensionality,omitempty"`
}

type geminiBatch struct {
	Requests []geminiEmbedding `json:"requests"`
}

func geminiEmbed(want Embedding, texts []string) ([]byte, error) {
	known, out := EmbedderOf(want.Model), geminiBatch{Requests: make([]geminiEmbedding, len(texts))}
	for i, t := range texts {
		out.Requests[i] = geminiEmbedding{
			Model: "models/" + strings.TrimPrefix(want.Model, "models/"), Content: geminiContent{Parts: []geminiPart{{Text: t}}},
			Dimensions: want.Dimensions,
		}
		if want.Role != "" {
			out.Requests[i].Task = known.role(want.Role)
		}
	}
	return json.Marshal(out)
}

// geminiTexts reads back what a request asked for.
func geminiTexts(body []byte) (texts []string, want Embedding, err error) {
	var sent geminiBatch
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, want, err
	}
	for _, r := range sent.Requests {
		texts = append(texts, r.Content.text())
		want = Embedding{Model: strings.TrimPrefix(r.Model, "models/"), Role: EmbedderOf(r.Model).roleOf(r.Task), Dimensions: r.Dimensions}
	}
	return texts, want, nil
}

// geminiVectors reads the vectors of a batch, which come in the order of the texts. Their tokens are not reported.
func geminiVectors(raw []byte) (embeddings, *fault) {
	var m struct {
		Error      json.RawMessage `json:"error"`
		Embeddings []struct {
			Values []*float32 `json:"values"`
		} `json:"embeddings"`
	}
	if f := readEnvelope(raw, &m); f != nil {
		return embeddings{}, f
	}
	e := embeddings{Error: m.Error}
	for i, v := range m.Embeddings {
		values := make([]float32, len(v.Values))
		for k, f := range v.Values {
			if f == nil {
				return e, faultOf(CauseEmbedding, never, "the reply holds a vector with a missing number")
			}
			values[k] = *f
		}
		e.Data = append(e.Data, openai.Embedding{Index: i, Embedding: values})
	}
	return e, nil
}
