package notify

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
)

// hostileNotice is a message about a regression whose texts were written by somebody who means harm.
func hostileNotice(channel string) experiments.Notice {
	f := timetable.NewFire("weekly\r\nBcc: evil@example.org", time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC), experiments.FireRan)
	f.NewlyWorse, f.Worse, f.Baseline, f.RunID, f.Gate, f.Scored = []string{"q1", "q2", "q3"}, []string{"q1", "q2", "q3"}, "base",
		"run", "FAIL", 8
	f.Drift = "x</script><script>alert(1)</script>"
	return experiments.Notice{
		ID: experiments.NoticeID(f.ID, channel, experiments.NoticeAlert), About: f.ID, Channel: channel, Kind: experiments.NoticeAlert,
		Schedule: "weekly",
		Reasons:  []experiments.NoticeReason{experiments.ReasonWorse, experiments.ReasonGate}, CreatedAt: f.NominalAt, NextAt: f.NominalAt,
		Facts: experiments.NoticeFacts{
			Schedule: f.Schedule, Experiment: "a\nSubject: other\x00\u202e", Zone: "UTC", Currency: "USD", Fire: &f,
			Questions: []experiments.NoticeQuestion{
				{ID: "q1", Text: "<!channel> <https://evil.example|free> & <@U1> *bold*\r\n.\r\nQUIT"},
				{ID: "q2", Text: "[click](https://evil.example) <at>everyone</at> <b>x</b>", Cause: "retriever"},
				{ID: "q3", Text: strings.Repeat("長", 5000) + "\r\nBcc: evil@example.org"},
			},
			Changes: []experiments.NoticeCount{{Code: "worse", N: 3}, {Code: "no_change", N: 400}, {Code: "better", N: 1}},
			Worst: []experiments.NoticeAnswer{
				{ID: "<@U1>", Question: "<!channel> *bold*", Before: "see https://evil.example", After: "<script>alert(1)</script>\u202e"},
				{ID: "q2", Question: "[click](https://evil.example)", Before: strings.Repeat("長", noticeAnswer),
					After: strings.Repeat("&", noticeAnswer),
					Why:   experiments.NoticeWords{EN: strings.Repeat("why ", 90), JA: strings.Repeat("理由", 90)}},
				{ID: "q3", Before: "a\r\n.\r\nQUIT"},
			},
			Overdue: []experiments.NoticeWords{{EN: "<b>late</b>", JA: "<b>期限超過</b>"}},
		},
	}
}

func TestHostileTextsStayData(t *testing.T) {
	t.Parallel()
	n := hostileNotice("x")
	for _, lang := range []string{"en", "ja", "both"} {
		for _, kind := range []string{app.ChannelSlack, app.ChannelTeams, app.ChannelWebhook} {
			body, err := WebhookBody(n, app.ChannelConfig{Kind: kind, Lang: lang})
			if err != nil || !json.Valid(body) {
				t.Fatalf("%s: %v\n%s", kind, err, body)
			}
			if kind != app.ChannelWebhook && len(body) > 24_000 {
				t.Errorf("%s: the body has %d bytes; Teams takes 28 KB", kind, len(body))
			}
			var shape any
			if err := json.Unmarshal(body, &shape); err != nil {
				t.Fatal(err)
			}
			all := strings.Join(texts(shape, nil), "\x01")
			switch kind {
			case app.ChannelSlack:
				if strings.ContainsAny(all, "<>") || strings.Contains(all, "://") || strings.Contains(all, "mrkdwn") ||
					!strings.Contains(all, "&lt;!channel&gt;") || !strings.Contains(all, "&amp; &lt;@U1&gt;") {
					t.Errorf("Slack would read markup:\n%s", all)
				}
			case app.ChannelTeams:
				if strings.Contains(strings.Replace(all, "http://adaptivecards.io/schemas/adaptive-card.json", "", 1), "://") ||
					strings.Contains(all, "TextBlock\x01") && !strings.Contains(all, "RichTextBlock") {
					t.Errorf("Teams would make links:\n%s", all)
				}
				if strings.Contains(string(body), `"type":"TextBlock"`) || strings.Contains(string(body), "actions") ||
					strings.Contains(string(body), "entities") {
					t.Errorf("Teams would read Markdown, or mentions:\n%s", body)
				}
			case app.ChannelWebhook:
				if strings.ContainsAny(string(body), "<>") { // they stand as \u003c in the bytes
					t.Errorf("the body holds raw markup: %s", body)
				}
			}
			if strings.ContainsAny(strings.Join(linesOf(tell(n, lang)), ""), "\r\x00\u202e") {
				t.Errorf("control characters are told")
			}
		}
	}
}

// Slack refuses a whole message for one text that is too long, and counts escapes.
func TestSlackTakesEveryMessage(t *testing.T) {
	t.Parallel()
	n := hostileNotice("x")
	for i := range noticeQuestions {
		n.Facts.Questions = append(n.Facts.Questions,
			experiments.NoticeQuestion{ID: strings.Repeat("<&>", 40), Text: strings.Repeat([]string{"&", "😀", "://"}[i%3], 200)})
	}
	n.Facts.Schedule = strings.Repeat("<&>", 60)
	body, err := json.Marshal(slackBody(tell(n, "both")))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Blocks []struct {
			Type string
			Text struct{ Text string }
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	longest := 0
	for _, b := range got.Blocks {
		limit, length := map[string]int{"header": 150, "section": 3000}[b.Type], len(utf16.Encode([]rune(b.Text.Text)))
		longest = max(longest, length)
		if length > limit || length == 0 || strings.HasSuffix(b.Text.Text, "&am…") {
			t.Errorf("a %s has %d characters; Slack takes %d: %.80s", b.Type, length, limit, b.Text.Text)
		}
	}
	if longest < 2900 || len(got.Blocks) > 50 {
		t.Errorf("the longest of %d texts has %d characters: nothing was tested", len(got.Blocks), longest)
	}
}

// texts are all strings of a JSON value.
func texts(v any, out []string) []string {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = texts(e, out)
		}
	case map[string]any:
		for _, e := range v {
			out = texts(e, out)
		}
	}
	return out
}

func linesOf(t told) []string {
	out := []string{t.Title}
	for _, p := range t.Parts {
		out = append(append(out, p.Head), p.Lines...)
	}
	return out
}

// A sentence for managers has at most three numbers. Dates, ids and commands are no sentences.
func TestSentencesHaveFewNumbers(t *testing.T) {
	t.Parallel()
	n := hostileNotice("x")
	n.Facts.Fire.NeedsCheck, n.Facts.Fire.Better, n.Facts.Fire.Spent, n.Facts.Fire.Calls, n.Facts.Fire.Drift = 4, 5, 2_500_000, 900, ""
	digest := experiments.Notice{Kind: experiments.NoticeDigest,
		Facts: experiments.NoticeFacts{Currency: "USD",
			Month: &experiments.NoticeMonth{Month: "2026-10", Schedules: []experiments.ScheduleDigest{
				{Schedule: "weekly", Ran: 4, Skipped: 1, Missed: 2, Failed: 3, Alerts: 1,
					Paused: true, LowFirst: 3, ScoredFirst: 153, LowLast: 9,
					ScoredLast: 150, Worse: 7, Gate: "FAIL", Spent: 1e7, Calls: 77},
			}}}}
	sentences := 0
	for _, n := range []experiments.Notice{n, digest} {
		for _, lang := range []string{"en", "ja"} {
			for _, l := range linesOf(tell(n, lang)) {
				if strings.HasPrefix(l, "•") || strings.Contains(l, "2026-") || strings.Contains(l, "workbench ") {
					continue
				}
				for _, sentence := range strings.FieldsFunc(l, func(r rune) bool { return r == '。' || r == ';' }) {
					sentences++
					if got := len(aNumber.FindAllString(sentence, -1)); got > 3 {
						t.Errorf("%q has %d numbers", sentence, got)
					}
				}
			}
		}
	}
	if sentences < 30 {
		t.Errorf("only %d sentences were looked at", sentences)
	}
}

var aNumber = regexp.MustCompile(`\d+([.,]\d+)*`)
