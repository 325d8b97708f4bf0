package foreign

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

// traced reads a file of traces that the Python libraries wrote.
func traced(t *testing.T, name string, o ForeignOptions) *Foreign {
	t.Helper()
	f, err := ReadForeign(filepath.Join("testdata", "foreign", name), o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReadTraces reads what opentelemetry-sdk wrote with OpenInference's instrumentation of LangChain, and with the attributes of the
// conventions for generative AI.
func TestReadTraces(t *testing.T) {
	t.Parallel()
	for file, more := range map[string][]string{"otel.openinference.json": nil, "otel.genai.jsonl": {
		"Is my parcel 0042 there? I am at [email].", "Who answers the phone?",
	}} {
		f := traced(t, file, ForeignOptions{})
		world := *f
		world.Items = slices.Clone(f.Items[:4])
		for i, reference := range []string{"A parcel waits fourteen days, then it goes back to the sender.",
			"A lost key card costs 25 euros.",
			"図書室は午後八時に閉まります。", "Visitors may park in the yard after six in the evening."} {
			world.Items[i].Reference = reference // traces hold none
		}
		if f.Tool != ToolOTel || len(f.Items) != 4+len(more) || len(f.Metrics) != 0 {
			t.Fatalf("%s: %d items of %s, %v", file, len(f.Items), f.Tool, f.Notes)
		}
		for i, question := range more {
			if got := f.Items[4+i].Question; got != question {
				t.Errorf("%s: asked %q", file, got)
			}
		}
		for i, texts := range [][]string{
			{"Parcels wait at the counter for fourteen days. After that they return to the sender.", "The counter opens at nine."},
			{"Replacing a lost key card costs 25 euros, a broken one nothing."},
			{"図書室の利用時間は午前九時から午後八時までです。"}, {},
		} {
			got := []string{}
			for _, c := range f.Items[i].Contexts {
				got = append(got, c.Text)
			}
			if d := cmp.Diff(texts, got); d != "" {
				t.Errorf("%s, question %d: %s", file, i+1, d)
			}
		}
		if m := f.Items[1].Measured; m == nil || m.LatencyMS <= 0 {
			t.Errorf("%s: measured %+v", file, m)
		}
		if file == "otel.openinference.json" {
			world.Items[0].Question = f.Items[0].Question
			wantWorld(t, &world)
		}
	}
}

// The same in protobuf is the same, as an exporter sends it and as the collector's file exporter writes it.
func TestReadTracesInProtobuf(t *testing.T) {
	t.Parallel()
	for binary, written := range map[string]string{
		"otel.openinference.pb": "otel.openinference.json", "otel.genai.pb": "otel.genai.jsonl",
	} {
		got, want := traced(t, binary, ForeignOptions{}), traced(t, written, ForeignOptions{})
		if d := cmp.Diff(want.Items, got.Items); d != "" || len(got.Items) < 4 {
			t.Errorf("%s: %s", binary, d)
		}
		if d := cmp.Diff(want.Notes, got.Notes); d != "" {
			t.Errorf("%s: %s", binary, d)
		}
	}
	one, err := os.ReadFile(filepath.Join("testdata", "foreign", "otel.openinference.pb"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body []byte
		says string
	}{
		"empty":           {nil, "request 1 is no ExportTraceServiceRequest"},
		"cut":             {one[:len(one)-3], "request 1 is no"},
		"no protobuf":     {[]byte("resourceSpans"), "request 1 is no"},
		"cut in a length": {[]byte{0, 0}, "it ends in the middle"},
		"a second one is cut": {append(append([]byte{0, 0, byte(len(one) >> 8), byte(len(one))}, one...), 0, 0, 9, 9),
			"request 2 is no ExportTraceServiceRequest of OTLP: it ends in the middle"},
	} {
		_, err := readForeign(c.body, "x.pb", ForeignOptions{})
		if problem.CodeOf(err) != "results_protobuf" || !strings.Contains(err.Error(), c.says) || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was asked twice counts once, with its newest answer; personal data is masked; what is no single question is left out, and said.
func TestTracesAreGathered(t *testing.T) {
	t.Parallel()
	f := traced(t, "otel.genai.jsonl", ForeignOptions{})
	first := f.Items[0]
	if first.Answer == nil || *first.Answer != "Fourteen days; write to [email] or call [phone]." {
		t.Errorf("the newest answer is %v", *first.Answer)
	}
	if m := first.Measured; m.PromptTokens != 40 || m.CompletionTokens != 9 {
		t.Errorf("tokens %+v", m)
	}
	if failed := f.Items[5]; failed.Answer != nil || failed.Failure != "429 too many requests" {
		t.Errorf("what failed is %+v", failed)
	}
	want := []string{
		"1 trace without a question left out",
		"1 trace with earlier turns of a conversation left out: only single questions are read",
		"1 trace with a question that was asked before or after: its newest answer counts",
		"masked as [email]: 2 places", "masked as [phone]: 1 place",
		"1 row without an answer: otel says it failed; no score there counts",
	}
	if d := cmp.Diff(want, f.Notes); d != "" {
		t.Error(d)
	}
	if id := traced(t, "otel.genai.jsonl", ForeignOptions{}).Items[0].Contexts[0].DocID; id != "rules-0" {
		t.Errorf("the context is of %q", id)
	}
}

// A sample is the same from the same questions, whatever else the file holds.
func TestTracesAreSampled(t *testing.T) {
	t.Parallel()
	all := asksOf(traced(t, "otel.openinference.json", ForeignOptions{}))
	some := asksOf(traced(t, "otel.openinference.json", ForeignOptions{Sample: 2}))
	if len(some) != 2 || !slices.ContainsFunc(all, func(q string) bool { return q == some[0] }) {
		t.Fatalf("%v of %v", some, all)
	}
	body, err := os.ReadFile(filepath.Join("testdata", "foreign", "otel.openinference.json"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := readForeign(body, "x.json", ForeignOptions{Sample: 3})
	if err != nil || !strings.Contains(strings.Join(f.Notes, "\n"), "a sample of 3 of 4 questions") {
		t.Fatalf("%v, %v", err, f.Notes)
	}
	for _, q := range some {
		if !slices.Contains(asksOf(f), q) {
			t.Errorf("a larger sample lost %q", q)
		}
	}
}

func asksOf(f *Foreign) []string {
	return mapped(f.Items, func(item ForeignItem) string { return item.Question })
}

func TestMasks(t *testing.T) {
	t.Parallel()
	read := func(s string, asked ...string) string {
		t.Helper()
		rules, err := masks(true, asked)
		if err != nil {
			t.Fatal(err)
		}
		return (&masker{rules, map[string]int{}}).hidden(s)
	}
	for text, want := range map[string]string{
		"jane.roe+x@mail.example, please":               "[email], please",
		"山田ではなくyamada@mail.exampleへ":                    "山田ではなく[email]へ",
		"call 03-1234-5678 or 090-1234-5678":            "call [phone] or [phone]",
		"+81 90 1234 5678, +49 30 901820":               "[phone], [phone]",
		"(555) 123-4567 and 09012345678":                "[phone] and [phone]",
		"4111 1111 1111 1111, not 4111 1111 1111 1112":  "[card], not 4111 1111 1111 1112",
		"a change of +0.345 of +1,234 things in 0042":   "a change of +0.345 of +1,234 things in 0042",
		"on 2026-11-23 it cost 2,000 yen, article 12-3": "on 2026-11-23 it cost 2,000 yen, article 12-3",
		"01-02-2026 is a date, 0.25 a number":           "01-02-2026 is a date, 0.25 a number",
	} {
		if got := read(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := read("C-1234 of a@b.example", "customer=C-[0-9]+"); got != "[customer] of a@b.example" {
		t.Error(got)
	}
	if got := read("a@b.example", "none"); got != "a@b.example" {
		t.Error(got)
	}
	for _, wrong := range []string{"address", "x=(", "x=a*", "=a"} {
		if _, err := masks(true, []string{wrong}); problem.CodeOf(err) != "mask" || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	if rules, err := masks(false, nil); err != nil || rules != nil {
		t.Errorf("tables of a tool are masked unasked: %v, %v", rules, err)
	}
}

// TestTracesInOtherForms: attributes of older versions, messages in events, and files that hold no texts.
func TestTracesInOtherForms(t *testing.T) {
	t.Parallel()
	span := func(attributes map[string]string, rest string) string {
		var list []string
		for _, key := range slices.Sorted(maps.Keys(attributes)) {
			list = append(list, fmt.Sprintf(`{"key":%q,"value":{"stringValue":%q}}`, key, attributes[key]))
		}
		return `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"a","spanId":"b","startTimeUnixNano":"1","attributes":[` +
			strings.Join(list, ",") + `]` + rest + `}]}]}]}`
	}
	chat := map[string]string{"gen_ai.operation.name": "chat"}
	for name, body := range map[string]string{
		"numbered attributes": span(map[string]string{"gen_ai.operation.name": "chat", "gen_ai.prompt.0.role": "user",
			"gen_ai.prompt.0.content": "How much?", "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "A lot."}, ""),
		"messages in an event": span(chat, `,"events":[{"name":"gen_ai.client.inference.operation.details","attributes":[
			{"key":"gen_ai.input.messages","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"user"}},
			{"key":"content","value":{"stringValue":"How much?"}}]}}]}}},
			{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"A lot.\"}]}]"}}]}]`),
		"contents of a message": span(map[string]string{"openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "user",
			"llm.input_messages.0.message.contents.0.message_content.text": "How much?", "llm.output_messages.0.message.content": "A lot."},
			""),
		"objects in and out": span(map[string]string{
			"input.value": `{"question": "How much?"}`, "output.value": `{"answer": "A lot."}`,
		}, ""),
	} {
		f, err := readForeign([]byte(body), "x.json", ForeignOptions{})
		if err != nil || len(f.Items) != 1 || f.Items[0].Question != "How much?" ||
			f.Items[0].Answer == nil || *f.Items[0].Answer != "A lot." || f.Items[0].Contexts != nil {
			t.Errorf("%s: %v, %+v", name, err, f)
		}
	}
	for name, c := range map[string]struct{ body, code string }{
		"no texts":      {span(chat, ""), "results_empty"},
		"no spans":      {`{"resourceSpans":[]}`, "results_empty"},
		"no trace":      {`{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"b"}]}]}]}`, "results_json"},
		"only failures": {span(map[string]string{"input.value": "How much?"}, `,"status":{"code":2}`), "results_empty"},
		"odd values":    {`{"resourceSpans":[1,{"scopeSpans":[null,{"spans":["x"]}]}]}`, "results_json"},
	} {
		_, err := readForeign([]byte(c.body), "x.json", ForeignOptions{})
		if problem.CodeOf(err) != c.code || problem.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
