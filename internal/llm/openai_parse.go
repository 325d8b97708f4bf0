package llm

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm/replies"
	openai "github.com/sashabaranov/go-openai"
)

// parsed is what a usable reply holds. Usage and model are filled as far as they could be read of an unusable one too,
// because it was billed.
type parsed struct {
	reply   Reply
	vectors [][]float32 // of an embedding call, in the order of the texts, not normalised
}

// completion is the reply of the protocol, or the error object that some servers send with status 200.
type completion struct {
	Error json.RawMessage `json:"error"`
	openai.ChatCompletionResponse
}

// parseReply reads the body of a successful chat reply, fresh or banked: the one parser of completions. A fault means that
// nothing in the reply may be used.
func (d dialect) parseReply(raw []byte, form *replies.Form) (parsed, *fault) {
	c, f := d.reply(raw)
	if f != nil {
		return parsed{}, f
	}
	got := parsed{reply: Reply{Model: replies.CleanText(c.Model), Usage: usageOf(c.Usage)}}
	if f := errorInside(c.Error); f != nil {
		return got, f
	}
	if len(c.Choices) == 0 {
		return got, faultOf(CauseEmpty, again, "the reply holds no choice")
	}
	choice := c.Choices[0]
	got.reply.FinishReason = replies.CleanText(string(choice.FinishReason))
	text := contentOf(choice.Message)
	if refused, is := refusedAnswer(got, choice, text); is && form == nil {
		return refused, nil
	}
	switch {
	case choice.Message.Refusal != "":
		return got, faultOf(CauseRefusal, never, "the model refused: "+choice.Message.Refusal)
	case choice.FinishReason == openai.FinishReasonContentFilter:
		return got, faultOf(CauseRefusal, never, "the provider's content filter removed the reply")
	}
	cutOff := choice.FinishReason == openai.FinishReasonLength
	if form != nil {
		return parseStructured(got, text, cutOff, form)
	}
	got.reply.Text = replies.WithoutReasoning(replies.CleanText(text))
	if got.reply.Text == "" && cutOff {
		return got, faultOf(CauseTruncated, longer, "the reply reached its limit of tokens before the answer began")
	}
	if got.reply.Text == "" {
		return got, faultOf(CauseEmpty, again, "the reply holds no text")
	}
	return got, nil
}

// refusedAnswer is a refusal or a filtered reply as an answer: what whoever asks the system would see, perhaps nothing at all.
func refusedAnswer(got parsed, choice openai.ChatCompletionChoice, text string) (parsed, bool) {
	got.reply.Text = replies.WithoutReasoning(replies.CleanText(text))
	switch {
	case choice.Message.Refusal != "":
		got.reply.Text, got.reply.FinishReason = replies.CleanText(choice.Message.Refusal), "refusal"
	case choice.FinishReason != openai.FinishReasonContentFilter:
		return parsed{}, false
	}
	return got, true
}

func parseStructured(got parsed, text string, cutOff bool, form *replies.Form) (parsed, *fault) {
	if cutOff {
		return got, faultOf(CauseTruncated, longer, "the reply reached its limit of tokens before its end")
	}
	if strings.TrimSpace(text) == "" {
		return got, faultOf(CauseEmpty, again, "the reply holds no text")
	}
	clean, repair, err := form.Read(text)
	if err != nil {
		return got, &fault{retry: again, err: &Error{Cause: CauseSchema, Message: "the reply does not have the form that was asked for",
			Err: err}}
	}
	got.reply.Text, got.reply.Repair = clean, repair
	return got, nil
}

// readEnvelope decodes one JSON object that is the whole body.
func readEnvelope(raw []byte, into any) *fault {
	trimmed := bytes.TrimSpace(raw)
	switch {
	case len(trimmed) == 0:
		return faultOf(CauseEmpty, again, "the reply has no body")
	case trimmed[0] == '<':
		return faultOf(CauseEnvelope, again, "the server answered with a web page instead of JSON; "+
			"check the base URL, and whether a login or a proxy stands in front of it")
	case trimmed[0] != '{':
		return faultOf(CauseEnvelope, again, "the reply is not a JSON object")
	}
	if err := json.Unmarshal(trimmed, into); err != nil {
		return &fault{retry: again, err: &Error{Cause: CauseEnvelope, Message: "the reply is not the JSON of the protocol", Err: err}}
	}
	return nil
}

// contentOf joins the text parts of a message; tool calls and reasoning are not content.
func contentOf(m openai.ChatCompletionMessage) string {
	if m.Content != "" || len(m.MultiContent) == 0 {
		return m.Content
	}
	var b strings.Builder
	for _, part := range m.MultiContent {
		b.WriteString(part.Text)
	}
	return b.String()
}

// usageOf believes a usage block only when it is possible; otherwise it counts as missing.
func usageOf(u openai.Usage) Usage {
	if u.PromptTokens <= 0 || u.CompletionTokens < 0 || u.PromptTokens > absurdTokens || u.CompletionTokens > absurdTokens {
		return Usage{}
	}
	out := Usage{PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens}
	if d := u.PromptTokensDetails; d != nil && d.CachedTokens > 0 && d.CachedTokens <= u.PromptTokens {
		out.CachedTokens = d.CachedTokens
	}
	return out
}
