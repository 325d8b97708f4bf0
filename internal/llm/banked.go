package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"strings"
)

// Banked is what a ledger row says was asked and answered.
type Banked struct {
	System string          // the system message, with the reply's schema when it was spelled out
	Data   json.RawMessage // the one JSON object between the fences
	Text   string          // of the reply
}

// ReadBanked reads the request and the reply of a chat call as they were banked. It fails where they are gone or are not those of
// a completion that this package sent. schema is the form in which the reply was asked for; nil reads it as words.
func ReadBanked(c Call, schema *replies.Schema) (Banked, error) {
	spoken := dialectOf(c.Origin)
	system, user, err := spoken.asked(c.Request)
	if err != nil {
		return Banked{}, fmt.Errorf("the request of call %s: %w", c.ID, err)
	}
	b := Banked{System: system, Data: fenced(user)}
	if b.Data == nil {
		return b, fmt.Errorf("the request of call %s: %w", c.ID, errors.New("it holds no fenced data"))
	}
	var asked *replies.Form
	if schema != nil {
		if asked, err = replies.FormOf(schema); err != nil {
			return b, err
		}
	}
	got, f := spoken.parseReply(c.Reply, asked)
	if f != nil {
		return b, fmt.Errorf("the reply of call %s: %w", c.ID, f.err)
	}
	b.Text = got.reply.Text
	return b, nil
}

// openAIAsked reads the messages of a chat request.
func openAIAsked(body []byte) (system, user string, err error) {
	var sent struct {
		Messages []struct{ Role, Content string } `json:"messages"`
	}
	err = json.Unmarshal(body, &sent)
	for _, m := range sent.Messages {
		switch m.Role {
		case "system":
			system = m.Content
		case "user":
			user = m.Content
		}
	}
	return system, user, err
}

// fenced is the line between the fences of a user message; nil when there are none. Only the first pair counts: data cannot
// stand on a line of its own before it.
func fenced(user string) json.RawMessage {
	_, rest, found := strings.Cut(user, "\n<<<DATA ")
	if !found {
		return nil
	}
	_, rest, found = strings.Cut(rest, ">>>\n")
	if !found {
		return nil
	}
	line, _, found := strings.Cut(rest, "\n<<<END ")
	if !found {
		return nil
	}
	return json.RawMessage(line)
}
