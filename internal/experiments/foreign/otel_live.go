package foreign

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// MaxSpanBytes bounds what is kept of one span, as JSON.
const MaxSpanBytes = 256 << 10

// Traces read requests of OTLP as they arrive. They are safe for concurrent use.
type Traces struct {
	rules []maskRule
	share float64 // of all traces that are read, over 0 to 1
	seed  string
}

// NewTraces reads with these masks (none: all that have a name), a share of all traces from 0 to 1 (0: all of them), drawn by trace id
// and seed.
func NewTraces(mask []string, share float64, seed string) (*Traces, error) {
	rules, err := masks(true, mask)
	if err != nil {
		return nil, err
	}
	if share < 0 || share > 1 || math.IsNaN(share) {
		return nil, problem.New(problem.Invalid, "trace_sample", "a sample of %g of all traces cannot be drawn", share).
			With("field", "sample").WithHint("write a share from 0 to 1, such as 0.2")
	}
	return &Traces{rules, share, seed}, nil
}

// Sampled reports whether a trace is among those that are read: the same answer for every span of it, wherever and whenever it arrives.
func (t *Traces) Sampled(trace string) bool {
	if t.share == 0 || t.share == 1 {
		return true
	}
	sum := sha256.Sum256([]byte("sample of traces\x00" + t.seed + "\x00" + trace))
	return float64(binary.BigEndian.Uint64(sum[:])>>11)/(1<<53) < t.share
}

// ReadSpans are the spans of one request, with personal data masked and with nothing but what is read of them later; those of traces that
// are not sampled are left out. rejected counts spans that can never be taken, and why says so of the first. The error is a Problem with
// the code "traces_unreadable".
func (t *Traces) ReadSpans(raw []byte, protobuf bool) (spans []Span, rejected int, why string, err error) {
	var request map[string]any
	if protobuf {
		request, err = otelRequest(raw)
	} else {
		var v any
		if v, err = decodeForeign(string(raw)); err == nil && objectOf(v) == nil {
			err = fmt.Errorf("it is no object")
		}
		request = objectOf(v)
	}
	if err != nil {
		return nil, 0, "", problem.New(problem.Invalid, "traces_unreadable", "the body is no ExportTraceServiceRequest of OTLP: %v", err).
			WithHint("send OTLP/HTTP with the content type application/x-protobuf or application/json")
	}
	m := masker{t.rules, map[string]int{}}
	for i, one := range otelSpanObjects(request) {
		trace, _ := firstOf(one, "traceId", "trace_id").(string)
		s := newOTelSpan(otelID(trace, 16), one)
		s.ID, s.Parent = otelID(s.ID, 8), otelID(s.Parent, 8)
		reason := ""
		switch {
		case s.Trace == "" || s.ID == "":
			reason = "has no ids of 16 and 8 bytes"
		case !t.Sampled(s.Trace):
			continue
		case m.reduce(&s) > MaxSpanBytes:
			reason = fmt.Sprintf("holds more than %d KiB of texts", MaxSpanBytes>>10)
		default:
			spans = append(spans, s)
			continue
		}
		rejected++
		why = cmp.Or(why, fmt.Sprintf("span %d %s", i+1, reason))
	}
	return spans, rejected, why, nil
}

// reduce hides personal data, takes away what nothing reads, and returns the size of what is left.
func (m *masker) reduce(s *Span) int {
	maps.DeleteFunc(s.Attributes, func(key string, _ any) bool { return !otelReads(key) })
	for key, v := range s.Attributes {
		s.Attributes[key] = m.hiddenValue(v)
	}
	s.Failure = m.hidden(s.Failure)
	body, err := json.Marshal(s)
	if err != nil {
		return math.MaxInt
	}
	return len(body)
}

// otelReads reports whether an attribute is one that [otelTrace] looks at.
func otelReads(key string) bool {
	return slices.Contains([]string{
		"openinference.span.kind", "input.value", "output.value", "gen_ai.operation.name", "gen_ai.retrieval.query.text",
		"gen_ai.retrieval.documents", "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.prompt", "gen_ai.completion",
		"llm.token_count.prompt", "llm.token_count.completion", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens",
	}, key) || slices.ContainsFunc([]string{
		"retrieval.documents.", "reranker.output_documents.", "llm.input_messages.", "llm.output_messages.", "gen_ai.prompt.",
		"gen_ai.completion.",
	}, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// otelID is an id of so many bytes in hexadecimal digits, from these or from base64; "" for none, one of another length, or zeros.
func otelID(s string, size int) string {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != size {
		if raw, err = base64.StdEncoding.DecodeString(s); err != nil || len(raw) != size {
			return ""
		}
	}
	if !slices.ContainsFunc(raw, func(b byte) bool { return b != 0 }) {
		return ""
	}
	return hex.EncodeToString(raw)
}

// MarshalSpan and UnmarshalSpan are the form in which a span is kept until its trace is complete.
func MarshalSpan(s Span) ([]byte, error) { return json.Marshal(s) }

// UnmarshalSpan reads what [MarshalSpan] wrote.
func UnmarshalSpan(trace, id string, body []byte) (Span, error) {
	v := Span{Trace: trace, ID: id}
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber()
	err := dec.Decode(&v)
	return v, err
}

// Item is what the spans of one trace say, and whether that is a question (a Trace… constant). Texts that are longer than texts may be
// make it silent.
func (t *Traces) Item(spans []Span) (ForeignItem, string) {
	trace := &otelTrace{slices.Clone(spans)}
	if len(spans) == 0 {
		return ForeignItem{}, TraceSilent
	}
	trace.sort()
	r := newReader(&foreignFile{file: "traces", unit: "trace"}, ToolOTel, t.rules, ForeignOptions{})
	var item ForeignItem
	outcome := r.traceItem(&item, trace, &otelLeft{})
	if r.faults.Problem() != nil {
		return ForeignItem{}, TraceSilent
	}
	return item, outcome
}

// OfTraces is what questions are together that [Traces.Item] read of single traces, oldest first: each once, with its newest answer, and
// a sample of them where the options ask for one. Nothing is masked again.
func OfTraces(items []ForeignItem, o ForeignOptions) (*Foreign, error) {
	r := newReader(&foreignFile{file: "traces", unit: "trace"}, ToolOTel, nil, o)
	for i := range items {
		items[i].Row = i + 1
	}
	var left otelLeft
	r.distinct(items, &left)
	r.out.Notes = append(r.out.Notes, left.notes()...)
	return r.finish()
}
