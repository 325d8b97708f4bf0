package llm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/text"
)

// readTokens is how many tokens OpenAI's embedding models read of one text, as the vendor documents it.
var readTokens = map[string]int{
	"text-embedding-3-large": 8191,
	"text-embedding-3-small": 8191,
	"text-embedding-ada-002": 8191,
}

// checkLengths refuses texts that the model is known not to read, by name, before anything is paid. It counts in a vocabulary
// that cuts no finer than those of the embedding models, so what it refuses really is too long; closer cases are left to the
// server.
func (p *openAI) checkLengths(model string, texts []string) error {
	limit := p.cfg.MaxInputTokens
	if limit <= 0 {
		limit = readTokens[model]
	}
	if limit <= 0 {
		limit = p.contextOf(model)
	}
	if limit <= 0 {
		return nil
	}
	for i, t := range texts {
		if len(t) <= limit || 2*EstimateTokens(t) <= limit {
			continue // no token is shorter than a byte, and no estimate is half of the truth
		}
		tokens := text.Tokens("", t)
		if len(tokens) > limit {
			return &Error{Cause: CauseTooLong,
				Message: fmt.Sprintf("text %d of %d, %s, has %d tokens; %s reads at most %d: choose smaller chunks",
					i+1, len(texts), quote(t), len(tokens), model, limit)}
		}
	}
	return nil
}

// tooLong names the longest text of a batch that the server refused for its length; other errors stay as they are.
func tooLong(err error, b batch) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Cause != CauseRequest {
		return err
	}
	said := strings.ToLower(e.Message)
	about := strings.Contains(said, "token") || strings.Contains(said, "length") || strings.Contains(said, "input")
	if !about || !strings.Contains(said, "maximum") && !strings.Contains(said, "too l") && !strings.Contains(said, "exceed") {
		return err
	}
	longest := 0
	for i, t := range b.texts {
		if EstimateTokens(t) > EstimateTokens(b.texts[longest]) {
			longest = i
		}
	}
	t := b.texts[longest]
	return &Error{
		Cause: CauseTooLong, HTTPStatus: e.HTTPStatus, Err: err,
		Message: fmt.Sprintf("a text is longer than the model reads; the longest of these %d, %s, has about %d tokens: choose smaller chunks",
			len(b.texts), quote(t), EstimateTokens(t)),
	}
}

// quote is the beginning of a text, to recognise it by.
func quote(s string) string {
	const most = 40
	return fmt.Sprintf("%q", text.Brief(replies.CleanText(s), most))
}
