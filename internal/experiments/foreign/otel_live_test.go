package foreign

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

func reader(t testing.TB, share float64, seed string, mask ...string) *Traces {
	t.Helper()
	r, err := NewTraces(mask, share, seed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Traces that come one by one, in pieces and through storage, say what the file says.
func TestTracesOneByOne(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "foreign", "otel.openinference.pb"))
	if err != nil {
		t.Fatal(err)
	}
	r := reader(t, 0, "")
	spans, rejected, why, err := r.ReadSpans(raw, true)
	if err != nil || rejected != 0 {
		t.Fatal(rejected, why, err)
	}
	byTrace, order := map[string][]Span{}, []string{}
	for _, s := range slices.Backward(spans) { // the last that came first
		body, err := MarshalSpan(s)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := UnmarshalSpan(s.Trace, s.ID, body)
		if err != nil {
			t.Fatal(err)
		}
		if byTrace[s.Trace] == nil {
			order = append([]string{s.Trace}, order...)
		}
		byTrace[s.Trace] = append(byTrace[s.Trace], kept)
	}
	var items []ForeignItem
	for _, id := range order {
		item, outcome := r.Item(byTrace[id])
		if outcome != TraceAsked {
			t.Errorf("trace %s is %s", id, outcome)
		}
		items = append(items, item)
	}
	got, err := OfTraces(items, ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(traced(t, "otel.openinference.json", ForeignOptions{}).Items, got.Items); d != "" {
		t.Error(d)
	}
}

// What is kept of a span holds no personal data, however it is written down, and nothing that nobody reads.
func TestSpansAreMaskedBeforeTheyAreKept(t *testing.T) {
	t.Parallel()
	escaped := `{"messages":[{"role":"user","content":"Call\n090-1234-5678 or j\u0061ne@m\u0061il.example"}],"card":4111111111111111}`
	body := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331",
		"status":{"code":2,"message":"no mail to jane@mail.example"},"attributes":[
		{"key":"input.value","value":{"stringValue":%q}},{"key":"user.id","value":{"stringValue":"jane"}},
		{"key":"output.value","value":{"stringValue":"C-1234 says: write to jane@mail.example"}},
		{"key":"retrieval.documents.0.document.content","value":{"stringValue":"[1] is the first note"}}]}]}]}]}`, escaped)
	spans, _, _, err := reader(t, 1, "", "email", "card", "phone", "customer=C-[0-9]+").ReadSpans([]byte(body), false)
	if err != nil || len(spans) != 1 {
		t.Fatal(spans, err)
	}
	kept, err := json.Marshal(spans[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"jane", "j\\u0061ne", "090-1234", "4111", "C-1234", "user.id"} {
		if strings.Contains(string(kept), secret) {
			t.Errorf("%q is kept: %s", secret, kept)
		}
	}
	if got := asked(spans[0].Attributes["input.value"]); got != "Call\n[phone] or [email]" {
		t.Errorf("%q", got)
	}
	if got := spans[0].Attributes["retrieval.documents.0.document.content"]; got != "[1] is the first note" {
		t.Errorf("%q", got)
	}
}

// A trace is sampled or not whatever the order, the request or the process: its id and the seed decide alone.
func TestTracesAreSampledByTheirIDs(t *testing.T) {
	t.Parallel()
	half, other := reader(t, 0.5, "s"), reader(t, 0.5, "another")
	in, differs := 0, false
	for i := range 2000 {
		id := fmt.Sprintf("%032x", i+1)
		if half.Sampled(id) {
			in++
			if !reader(t, 0.7, "s").Sampled(id) {
				t.Fatalf("a larger share lost %s", id)
			}
		}
		differs = differs || half.Sampled(id) != other.Sampled(id)
	}
	if in < 920 || in > 1080 || !differs {
		t.Errorf("%d of 2000 sampled; another seed samples others: %t", in, differs)
	}
	for _, wrong := range []float64{-0.1, 1.1} {
		if _, err := NewTraces(nil, wrong, ""); problem.CodeOf(err) != "trace_sample" || problem.From(err).Hint == "" {
			t.Errorf("%g: %v", wrong, err)
		}
	}
}

// FuzzReadSpans: whatever is sent becomes spans within their bounds, or a Problem.
func FuzzReadSpans(f *testing.F) {
	for _, name := range []string{"otel.openinference.pb", "otel.openinference.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "foreign", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, strings.HasSuffix(name, ".pb"))
	}
	r := reader(f, 0, "")
	f.Fuzz(func(t *testing.T, raw []byte, protobuf bool) {
		spans, _, _, err := r.ReadSpans(raw, protobuf)
		if err != nil && problem.CodeOf(err) != "traces_unreadable" {
			t.Fatal(err)
		}
		for _, s := range spans {
			if body, err := MarshalSpan(s); err != nil || len(body) > MaxSpanBytes || len(s.Trace) != 32 || len(s.ID) != 16 {
				t.Fatalf("%d bytes of span %q of %q: %v", len(body), s.ID, s.Trace, err)
			}
		}
		r.Item(spans)
	})
}
