package llm

import (
	"encoding/json"
	"fmt"
	"github.com/rag-workbench/workbench/internal/llm/replies"
	"math"
	"strings"
	"testing"
)

const scoreBody = `{"type":"object","properties":{"score":{"type":"integer","minimum":1,"maximum":5},"reason":{"type":"string"}},` +
	`"required":["score"],"additionalProperties":false}`

func scoreSchemaOf(t testing.TB) *replies.Form {
	t.Helper()
	s, err := replies.FormOf(&replies.Schema{Name: "score", Body: json.RawMessage(scoreBody)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func envelope(t testing.TB, content string) []byte {
	t.Helper()
	quoted, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}]}`,
		quoted)
}

// Each of these must give the cause and never a score.
func TestBadJudgeReplies(t *testing.T) {
	t.Parallel()
	schema := scoreSchemaOf(t)
	bad := []string{
		"5", `"5"`, "null", "true", "[]", "{}", `{"score":5.5}`, `{"score":0}`, `{"score":6}`, `{"score":-1}`, `{"score":"five"}`,
		`{"score":null}`, `{"score":[5]}`, `{"score":{"value":5}}`, `{"score":NaN}`, `{"score":Infinity}`, `{"score":1e400}`,
		`{"score":1e-999999999}`, `{"score":1e999999999}`, `{"score":` + strings.Repeat("1", 1000) + `}`, `{"score":05}`, `{"score":+5}`,
		`{"score":0x5}`, `{"score":"6"}`,
		`{"score":5,"score":1}`, `{"score":5,"Score":1}`, `{"SCORE":1,"score":5}`, `{"score":5,"ſcore":1}`, `{"Score":5}`,
		`{"score":5,"extra":1}`, `{"score":5,"final_score":1}`,
		`{"score":5}{"score":1}`, `{"score":5} {"score":1}`, `The score is 5.`, `score: 5`, `[{"score":5},{"score":1}]`,
		`Maybe {"score":5}. No: {"score":1}`, `{"score":5} or {"score":"1"}`, `{"score":5} or {"score": fair}`, `{"score":5} or {"score":1`,
		`{"first":{"score":5},"second":{"score":1}}`, `{"draft":{"score":5},"sure":false}`,
		`{"score":5`, "```json\n{\"score\":5}\n```\n```json\n{\"score\":1}\n```", `<think>{"score":5}`, `<think>{"score":5}</think>`,
		`<think>a</think>{"score":5}</think>{"score":1}`, `[THINK]{"score":5}`, strings.Repeat("[", 100_000),
		strings.Repeat(`{"a":`, 20_000), strings.Repeat(`{x `, 200) + `{"score":5}`,
	}
	for _, content := range bad {
		got, f := openAIDialect.parseReply(envelope(t, content), schema)
		if f == nil || f.err.Cause != CauseSchema || f.retry != again || got.reply.Text != "" {
			t.Errorf("%.80q gave %q, %v; want cause %s", content, got.reply.Text, f, CauseSchema)
		}
	}
}

func TestGoodJudgeReplies(t *testing.T) {
	t.Parallel()
	schema := scoreSchemaOf(t)
	for content, want := range map[string][2]string{
		`{"score":5}`:         {`{"score":5}`, ""},
		" \n{\"score\":5}\n ": {`{"score":5}`, ""},
		"\ufeff{\"score\":5}": {`{"score":5}`, ""},
		`{"score":5,"reason":"see </think> and <think>"}`: {`{"score":5,"reason":"see </think> and <think>"}`, ""},
		"{\"score\":5,\"reason\":\"```x```\"}":            {"{\"score\":5,\"reason\":\"```x```\"}", ""},
		`{"score":5,"reason":"a\u0000b"}`:                 {"{\"reason\":\"a\u2400b\",\"score\":5}", ""},

		`{"score":5.0}`:                                    {`{"score":5}`, "type"},
		`{"score":"5"}`:                                    {`{"score":5}`, "type"},
		"```json\n{\"score\":5}\n```":                      {`{"score":5}`, "fence"},
		"```\n{\"score\":5}\n```":                          {`{"score":5}`, "fence"},
		"```JSON\n{\"score\":5}```":                        {`{"score":5}`, "fence"},
		"```python\n{\"score\":5}\n```":                    {`{"score":5}`, "fence"},
		"```json\n{\"score\":5}":                           {`{"score":5}`, "fence prose"},
		"```json\n{\"score\":5}\n``` done":                 {`{"score":5}`, "fence prose"},
		`<think>maybe {"score":1}</think>{"score":5}`:      {`{"score":5}`, "thinking"},
		`<thinking>hm</thinking> {"score":5}`:              {`{"score":5}`, "thinking"},
		`[THINK]{"score":1}[/THINK]{"score":5}`:            {`{"score":5}`, "thinking"},
		"<think>a</think>\n```json\n{\"score\":5}\n```":    {`{"score":5}`, "thinking fence"},
		"so I give 5.\n</think>\n\n{\"score\":5}":          {`{"score":5}`, "thinking"},
		`{"score":5} I am sure.`:                           {`{"score":5}`, "prose"},
		`Sure! {"score":5}`:                                {`{"score":5}`, "prose"},
		`<b>{"score":5}</b>`:                               {`{"score":5}`, "prose"},
		`The form {"type":"object"} gives {"score":5}`:     {`{"score":5}`, "prose"},
		`{"score":5} – again: {"score": 5}`:                {`{"score":5}`, "prose"},
		`[{"score":5}]`:                                    {`{"score":5}`, "prose"},
		`{"result":{"score":5}}`:                           {`{"score":5}`, "prose"},
		"{\"score\":5}\x00":                                {`{"score":5}`, "prose"},
		`{"score":5,}`:                                     {`{"score":5}`, "syntax"},
		`{score:5}`:                                        {`{"score":5}`, "syntax"},
		`{'score':5, 'reason':'it\'s "so"'}`:               {`{"score":5, "reason":"it's \"so\""}`, "syntax"},
		`{“score”:5,“reason”:“so”}`:                        {`{"score":5,"reason":"so"}`, "syntax"},
		"{\"score\":5, // sure\n\"reason\":\"a//b\"}":      {"{\"score\":5, \n\"reason\":\"a//b\"}", "syntax"},
		`{"score":/* of 5 */5}`:                            {`{"score":5}`, "syntax"},
		"{\"score\":5,\"reason\":\"a\nb\"}":                {`{"score":5,"reason":"a\nb"}`, "syntax"},
		`"{\"score\":5}"`:                                  {`{"score":5}`, "syntax"},
		"Here:\n```json\n{'score': '4',}\n```\nI am sure.": {`{"score":4}`, "fence prose syntax type"},
	} {
		got, f := openAIDialect.parseReply(envelope(t, content), schema)
		if f != nil || got.reply.Text != want[0] || got.reply.Repair != want[1] {
			t.Errorf("%q gave %q (%q), %v; want %q", content, got.reply.Text, got.reply.Repair, f, want)
		}
	}
}

func TestPlainTextReplies(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"An answer.":                          "An answer.",
		"<think>hm</think>\nAn answer.":       "An answer.",
		"a\x00b":                              "a\u2400b",
		"About <think> tags: </think>.":       "About <think> tags: </think>.",
		"```json\n{\"kept\": \"as is\"}\n```": "```json\n{\"kept\": \"as is\"}\n```",
	} {
		got, f := openAIDialect.parseReply(envelope(t, content), nil)
		if f != nil || got.reply.Text != want {
			t.Errorf("%q gave %q, %v; want %q", content, got.reply.Text, f, want)
		}
	}
	parts := []byte(`{"choices":[{"message":{"content":[{"type":"text","text":"two "},{"type":"text","text":"parts"}]}}]}`)
	if got, f := openAIDialect.parseReply(parts, nil); f != nil || got.reply.Text != "two parts" {
		t.Errorf("parts gave %q, %v", got.reply.Text, f)
	}
	for _, content := range []string{"", "  \n", "<think>never ends", "<think>only this</think>"} {
		if _, f := openAIDialect.parseReply(envelope(t, content), nil); f == nil || f.err.Cause != CauseEmpty {
			t.Errorf("%q gave %v; want cause %s", content, f, CauseEmpty)
		}
	}
}

func TestAbsurdUsageIsNotBelieved(t *testing.T) {
	t.Parallel()
	for usage, want := range map[string]Usage{
		`{"prompt_tokens":10,"completion_tokens":5}`:                  {PromptTokens: 10, CompletionTokens: 5},
		`{"prompt_tokens":0,"completion_tokens":5}`:                   {},
		`{"prompt_tokens":-10,"completion_tokens":5}`:                 {},
		`{"prompt_tokens":10,"completion_tokens":-5}`:                 {},
		`{"prompt_tokens":10,"completion_tokens":999999999999}`:       {},
		`{"prompt_tokens":9223372036854775807,"completion_tokens":0}`: {},
		`null`: {},
	} {
		got, f := openAIDialect.parseReply([]byte(`{"choices":[{"message":{"content":"x"}}],"usage":`+usage+`}`), nil)
		if f != nil || got.reply.Usage != want {
			t.Errorf("%s gave %+v, %v; want %+v", usage, got.reply.Usage, f, want)
		}
	}
}

func FuzzParseReply(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "null", "[]", "<html>", `{"error":{"message":"m","code":429}}`, `{"error":"m"}`, `{"choices":null}`, `{"choices":[null]}`,
		`{"choices":[{"message":null}]}`, `{"choices":[{"message":{"content":[]}}]}`,
		`{"choices":[{"message":{"content":[{"type":"text","text":"{\"score\":2}"}]}}]}`,
		`{"choices":[{"message":{"content":"{\"score\":2}"},"finish_reason":"length"}]}`, `{"choices":[{"message":{"refusal":"no"}}]}`,
		`{"choices":[{"message":{"content":"{\"score\":1e999999999}"}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Add(envelope(f, `<think>x</think>{"score":2}`))
	schema := scoreSchemaOf(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, fault := openAIDialect.parseReply(raw, nil)
		if fault == nil && (got.reply.Text == "" || strings.Contains(got.reply.Text, "\x00")) {
			t.Fatalf("an empty or unstorable text passed: %q", got.reply.Text)
		}
		got, fault = openAIDialect.parseReply(raw, schema)
		if fault != nil {
			if got.reply.Text != "" || fault.err.Cause == "" {
				t.Fatalf("a fault %v came with the text %q", fault.err, got.reply.Text)
			}
			return
		}
		var value struct{ Score float64 }
		if err := json.Unmarshal([]byte(got.reply.Text), &value); err != nil || value.Score < 1 || value.Score > 5 ||
			value.Score != math.Trunc(value.Score) {
			t.Fatalf("%q passed: %+v, %v", got.reply.Text, value, err)
		}
	})
}

func FuzzParseEmbeddings(f *testing.F) {
	f.Add([]byte(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[3,4]}]}`))
	f.Add([]byte(`{"data":[{"index":1,"embedding":[null,2]},{"index":0,"embedding":[0,0]}]}`))
	f.Add([]byte(`{"data":[{"embedding":"AAAA"},{}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, fault := openAIDialect.parseEmbeddings(raw, 2, false)
		if fault != nil {
			if got.vectors != nil {
				t.Fatal("a fault came with vectors")
			}
			return
		}
		for _, v := range got.vectors {
			var norm float64
			for _, x := range v {
				norm += float64(x) * float64(x)
			}
			if len(v) == 0 || len(v) != len(got.vectors[0]) || math.Abs(norm-1) > 1e-3 {
				t.Fatalf("vector %v of squared length %v passed", v, norm)
			}
		}
	})
}
