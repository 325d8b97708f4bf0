package notify

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/wording"
	"github.com/rag-workbench/workbench/internal/text"
)

// noticeVersion is the version of the generic JSON body. Fields are added within a version; anything else makes the next one.
const noticeVersion = 1

// noticeBody is the generic JSON body of a webhook: docs/notifications.md documents it.
type noticeBody struct {
	Version   int                        `json:"version"`
	ID        string                     `json:"id"` // the same at every attempt
	Kind      experiments.NoticeKind     `json:"kind"`
	Reasons   []experiments.NoticeReason `json:"reasons"`
	CreatedAt time.Time                  `json:"created_at"`
	Title     map[string]string          `json:"title"` // by language
	Text      map[string]string          `json:"text"`  // by language, plain
	Facts     experiments.NoticeFacts    `json:"facts"`
}

// WebhookBody is a message for a webhook of any kind.
func WebhookBody(n experiments.Notice, c app.ChannelConfig) ([]byte, error) {
	switch c.Kind {
	case app.ChannelSlack:
		return json.Marshal(slackBody(tell(n, c.Lang)))
	case app.ChannelTeams:
		return json.Marshal(teamsBody(tell(n, c.Lang)))
	}
	b := noticeBody{
		Version: noticeVersion, ID: n.ID, Kind: n.Kind, Reasons: n.Reasons, CreatedAt: n.CreatedAt, Title: map[string]string{},
		Text: map[string]string{}, Facts: n.Facts,
	}
	if b.Reasons == nil {
		b.Reasons = []experiments.NoticeReason{}
	}
	for _, lang := range languagesOf(c.Lang) {
		t := tell(n, lang)
		b.Title[lang], b.Text[lang] = t.Title, t.plain()
	}
	return json.Marshal(b)
}

func languagesOf(lang string) []string {
	if lang == wording.Both {
		return []string{"en", "ja"}
	}
	return []string{lang}
}

// The bounds of what Slack and Teams take: Slack counts the characters of a header and of a section, escapes included; Teams takes
// 28 KB in all.
const (
	slackTitle = 150
	slackPart  = 3000
	chatPart   = 2400
	chatParts  = 20
	chatBytes  = 20_000 // of all texts
	// Teams shows so many buttons of a card beside each other.
	teamsActions = 6
)

// slackText escapes what Slack reads as markup.
var slackText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// linkless keeps addresses in data from becoming links.
var linkless = strings.NewReplacer("://", "[:]//")

// slackBody is a message for an incoming webhook of Slack. Everything is plain text: Slack formats nothing and makes no links.
func slackBody(t told) map[string]any {
	plain := func(kind, text string) map[string]any {
		return map[string]any{"type": kind, "text": map[string]any{"type": "plain_text", "text": text, "emoji": false}}
	}
	blocks := []any{plain("header", slackCut(t.Title, slackTitle))}
	for _, p := range t.chat() {
		if text := p.text(); text != "" {
			blocks = append(blocks, plain("section", slackCut(text, slackPart)))
		}
		if p.Link != "" {
			blocks = append(blocks, map[string]any{"type": "section",
				"text": map[string]any{"type": "mrkdwn", "text": p.Says + "<" + slackText.Replace(p.Link) + ">"}})
		}
	}
	return map[string]any{
		"text": slackCut(t.Title, slackPart), "mrkdwn": false, "parse": "none", "link_names": false, "unfurl_links": false,
		"unfurl_media": false, "blocks": blocks,
	}
}

// teamsBody is a message for a workflow of Teams that posts an Adaptive Card. The texts are runs, in which Teams reads no Markdown.
func teamsBody(t told) map[string]any {
	rich := func(text string, more map[string]any) map[string]any {
		run := map[string]any{"type": "TextRun", "text": linkless.Replace(text)}
		for k, v := range more {
			run[k] = v
		}
		return map[string]any{"type": "RichTextBlock", "inlines": []any{run}}
	}
	body := []any{rich(t.Title, map[string]any{"weight": "Bolder", "size": "Large"})}
	var actions []any
	for _, p := range t.chat() {
		if p.Head != "" {
			body = append(body, rich(p.Head, map[string]any{"weight": "Bolder"}))
		}
		for _, l := range p.Lines {
			body = append(body, rich(l, nil))
		}
		if p.Link != "" && len(actions) < teamsActions {
			title := strings.TrimRight(p.Says, ":： ")
			if p.Head != "" {
				title = p.Head
			}
			actions = append(actions, map[string]any{"type": "Action.OpenUrl", "title": linkless.Replace(title), "url": p.Link})
		}
	}
	card := map[string]any{
		"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
		"msteams": map[string]any{"width": "Full"}, "body": body,
	}
	if len(actions) > 0 {
		card["actions"] = actions
	}
	return map[string]any{"type": "message", "attachments": []any{map[string]any{
		"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil, "content": card,
	}}}
}

// chat bounds the parts for a chat.
func (t told) chat() []toldPart {
	out := make([]toldPart, 0, min(len(t.Parts), chatParts))
	whole := chatBytes
	for _, p := range t.Parts[:min(len(t.Parts), chatParts)] {
		left := chatPart
		kept := toldPart{Head: p.Head, Link: p.Link, Says: p.Says}
		for _, l := range p.Lines {
			left, whole = left-len([]rune(l))-1, whole-len(l)
			if left < 0 || whole < 0 {
				kept.Lines = append(kept.Lines, "…")
				break
			}
			kept.Lines = append(kept.Lines, l)
		}
		out = append(out, kept)
	}
	return out
}

func (p toldPart) text() string {
	lines := p.Lines
	if p.Head != "" {
		lines = append([]string{p.Head}, lines...)
	}
	return strings.Join(lines, "\n")
}

// slackCut escapes a text and ends it before the escaped form is longer than Slack takes, which counts as JavaScript does.
func slackCut(s string, limit int) string {
	escaped := func(s string) string { return strings.ReplaceAll(slackText.Replace(s), "://", "[:]//") }
	return escaped(text.CutBy(s, limit, func(r rune) int {
		if r == ':' { // of an address, at worst
			return len("[:]")
		}
		return len(utf16.Encode([]rune(escaped(string(r)))))
	}))
}
