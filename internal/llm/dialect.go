package llm

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// Dialects in which services are spoken to besides OpenAI's. Each has a kind of provider of its name.
const (
	DialectAnthropic = "anthropic" // Messages API
	DialectGemini    = "gemini"    // generateContent and batchEmbedContents
)

// dialect is how one service is spoken to. Ledger, limits, retries, schemas and repairs are the same for all: what is sent is written
// here, and what comes is read as the reply of OpenAI's protocol that says the same.
type dialect struct {
	route func(origin string) route
	chat  func(req Request, nonce string, s spelling) ([]byte, error)
	reply func(raw []byte) (completion, *fault)
	// embed and vectors are nil where the service has no embeddings.
	embed   func(want Embedding, texts []string) ([]byte, error)
	vectors func(raw []byte) (embeddings, *fault)
	texts   func(body []byte) ([]string, Embedding, error) // what a request asked for
	// asked reads system and user message back from a request.
	asked func(body []byte) (system, user string, err error)
	// refine reads what the protocol's own form of an error does not say; nil has nothing to add.
	refine func(body []byte, r *refusal)
	// forms are words by which a service says that it does not hold replies to a schema in the way that was asked for.
	forms []string
}

var dialects = map[string]dialect{
	"":               openAIDialect,
	DialectAnthropic: anthropicDialect,
	DialectGemini:    geminiDialect,
}

var openAIDialect = dialect{
	route: openAIRoute, chat: chatBody, embed: embedBody, texts: openAITexts, asked: openAIAsked,
	reply: func(raw []byte) (c completion, f *fault) { f = readEnvelope(raw, &c); return c, f },
	vectors: func(raw []byte) (e embeddings, f *fault) {
		if f = readEnvelope(raw, &e); f == nil && nullInside(raw) {
			f = faultOf(CauseEmbedding, never, "the reply holds a vector with a missing number")
		}
		return e, f
	},
	forms: []string{"response_format", "json_schema", "json_object", "structured output", "json schema"},
}

// dialectOf is how calls of this origin were spoken: an origin of another dialect than OpenAI's begins with its name.
func dialectOf(origin string) dialect {
	name, _ := SplitOrigin(origin)
	return dialects[name]
}

// SplitOrigin is the dialect and the address of an origin; OpenAI's dialect is "".
func SplitOrigin(origin string) (name, address string) {
	name, address, found := strings.Cut(origin, ":")
	if _, known := dialects[name]; found && known && name != "" {
		return name, address
	}
	return "", origin
}

// message is a completion with one choice.
func message(model, text, refused string, reason openai.FinishReason, used openai.Usage) completion {
	return completion{ChatCompletionResponse: openai.ChatCompletionResponse{
		Model: model, Usage: used, Choices: []openai.ChatCompletionChoice{{
			Message: openai.ChatCompletionMessage{Content: text, Refusal: refused}, FinishReason: reason,
		}},
	}}
}

// usedTokens are counts as the protocol reports them.
func usedTokens(prompt, cached, completion int) openai.Usage {
	return openai.Usage{PromptTokens: prompt, CompletionTokens: completion,
		PromptTokensDetails: &openai.PromptTokensDetails{CachedTokens: cached}}
}

// limitOf is how many tokens a reply may have; 0 leaves it to the service.
func limitOf(req Request, s spelling) int {
	if s.double {
		return 2 * req.MaxTokens
	}
	return req.MaxTokens
}

// spelled is the system message, with the schema where the service does not hold the reply to it or a reply missed it.
func spelled(req Request, system string, s spelling) string {
	if req.Schema != nil && (s.spell || s.format != formatSchema) {
		return spellSchema(system, req.Schema)
	}
	return system
}

// headerRoute is a route with the key in a header of its own.
func headerRoute(url func(path, model string) string, key string, fixed map[string]string) route {
	r := route{url: url, keyHeader: key, fixed: http.Header{}}
	for name, value := range fixed {
		r.fixed.Set(name, value)
	}
	return r
}

// googleDetails are what Google's services say of an error beyond its message.
type googleDetails struct {
	Error struct {
		Status  string `json:"status"`
		Details []struct {
			Reason     string `json:"reason"`
			RetryDelay string `json:"retryDelay"`
		} `json:"details"`
	} `json:"error"`
}

// refineGoogle adds the reason and the wait that Google's services name.
func refineGoogle(body []byte, r *refusal) {
	var g googleDetails
	if json.Unmarshal(body, &g) != nil {
		return
	}
	r.code = strings.TrimSpace(r.code + " " + strings.ToLower(g.Error.Status))
	for _, d := range g.Error.Details {
		if d.Reason != "" {
			r.code += " " + strings.ToLower(d.Reason)
		}
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			r.wait = wait
		}
	}
	if strings.Contains(r.code, "api_key_invalid") {
		r.code = "invalid_api_key " + r.code
	}
}
