package foreign

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/text"
)

// otel reads traces of OpenTelemetry: one request, or one in each line as the collector's file exporter writes them. A trace with the
// attributes of OpenInference or of the conventions for generative AI is one question with its answer and contexts.
func (r *foreignReader) otel() error {
	spans, err := r.otelSpans()
	if err != nil {
		return err
	}
	return r.traces(spans)
}

// traces turns spans into items, a trace each. A question that was asked several times counts once, with its newest answer.
func (r *foreignReader) traces(spans []Span) error {
	if err := r.noMapping(); err != nil {
		return err
	}
	r.out.Unit, r.faults.Unit = "trace", "trace"
	traces := map[string]*otelTrace{}
	var order []*otelTrace
	for _, s := range spans {
		t := traces[s.Trace]
		if t == nil {
			t = &otelTrace{}
			traces[s.Trace] = t
			order = append(order, t)
		}
		t.spans = append(t.spans, s)
	}
	for _, t := range order {
		t.sort()
	}
	slices.SortStableFunc(order, func(a, b *otelTrace) int { return cmp.Compare(a.spans[0].Start, b.spans[0].Start) })
	left, items := otelLeft{}, []ForeignItem{}
	for i, t := range order {
		if item := (ForeignItem{Row: i + 1}); r.traceItem(&item, t, &left) == TraceAsked {
			items = append(items, item)
		}
	}
	r.distinct(items, &left)
	r.out.Notes = append(r.out.Notes, left.notes()...)
	if len(r.out.Items) == 0 {
		return r.refuse("results_empty", "its %d traces hold no question that can be read", len(order)).
			WithHint("have texts recorded (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true); " +
				"docs/imports.md says which attributes are read")
	}
	return nil
}

// What a trace holds.
const (
	TraceAsked        = "question"     // one question, perhaps with its answer
	TraceSilent       = "silent"       // no question
	TraceConversation = "conversation" // a question after others, which cannot be read alone
)

// traceItem reads one trace.
func (r *foreignReader) traceItem(item *ForeignItem, t *otelTrace, left *otelLeft) string {
	switch question, conversation := t.question(); {
	case question == "":
		left.silent++
		return TraceSilent
	case conversation:
		left.conversations++
		return TraceConversation
	default:
		item.Question = r.words(item, intake.FieldQuestion, question)
	}
	r.otelAnswer(item, t, left)
	r.hide(item)
	return TraceAsked
}

// distinct keeps each question once, with its newest answer; items come oldest first.
func (r *foreignReader) distinct(items []ForeignItem, left *otelLeft) {
	newest := map[string]int{} // by folded question, its place in the items
	for _, item := range items {
		key := text.Fold(item.Question)
		at, known := newest[key]
		if !known {
			newest[key] = len(r.out.Items)
			r.out.Items = append(r.out.Items, item)
			continue
		}
		left.again++
		if item.Answer != nil || r.out.Items[at].Answer == nil {
			r.out.Items[at] = item
		}
	}
}

// otelAnswer fills in what a trace answered, what it read and what that took.
func (r *foreignReader) otelAnswer(item *ForeignItem, t *otelTrace, left *otelLeft) {
	answer := t.answer()
	switch root := t.root(); {
	case root.Failure != "":
		item.Failure = r.words(item, "status", root.Failure)
	case answer != "":
		answer = r.words(item, intake.FieldAnswer, answer)
		item.Answer = &answer
	}
	contexts, unread := t.contexts()
	left.contexts += unread
	if contexts != nil {
		r.contextsOf(item, "contexts", contexts)
	}
	item.Measured = t.measured()
}

// otelLeft counts what is not taken over as it is.
type otelLeft struct{ silent, conversations, again, contexts int }

func (l otelLeft) notes() (notes []string) {
	for _, one := range []struct {
		n    int
		what string
		why  string
	}{
		{l.silent, "trace", "without a question left out"},
		{l.conversations, "trace", "with earlier turns of a conversation left out: only single questions are read"},
		{l.again, "trace", "with a question that was asked before or after: its newest answer counts"},
		{l.contexts, "retrieved document", "without a text passed over"},
	} {
		if one.n > 0 {
			notes = append(notes, intake.Plural(one.n, one.what)+" "+one.why)
		}
	}
	return notes
}

// sample keeps so many items, chosen by their questions and a seed alone: the same file gives the same sample, and so does one that was
// exported again with more in it, but for what is new.
func (r *foreignReader) sample() {
	n, items := r.options.Sample, r.out.Items
	drawn := func(item ForeignItem) string {
		sum := sha256.Sum256([]byte("sample of questions\x00" + r.options.Seed + text.Fold(item.Question) + "\x00" + item.Reference))
		return string(sum[:])
	}
	keys := slices.Compact(slices.Sorted(slices.Values(mapped(items, drawn)))) // all votes of a question have one
	if n <= 0 || len(keys) <= n {
		return
	}
	keep := map[string]bool{}
	for _, key := range keys[:n] {
		keep[key] = true
	}
	r.out.Items = slices.DeleteFunc(slices.Clone(items), func(item ForeignItem) bool { return !keep[drawn(item)] })
	r.out.Notes = append(r.out.Notes, fmt.Sprintf("a sample of %d of %s", n, intake.Plural(len(keys), "question")))
}

func mapped[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, one := range list {
		out[i] = f(one)
	}
	return out
}

// looksLikeOTel tells a request of OTLP by its only field.
func looksLikeOTel(o map[string]any) bool {
	return firstOf(o, "resourceSpans", "resource_spans") != nil
}

// otelSpans are the spans of the file.
func (r *foreignReader) otelSpans() (spans []Span, err error) {
	requests := r.rows
	if r.object != nil {
		requests = []map[string]any{r.object}
	}
	for _, request := range requests {
		for _, span := range otelSpanObjects(request) {
			trace, _ := firstOf(span, "traceId", "trace_id").(string)
			if trace == "" {
				return nil, r.refuse("results_json", "span %d belongs to no trace", len(spans)+1).
					WithHint("export the traces as OTLP/JSON; docs/imports.md shows how")
			}
			spans = append(spans, newOTelSpan(trace, span))
		}
	}
	return spans, nil
}

// otelSpanObjects are the spans of a request, as they stand there.
func otelSpanObjects(request map[string]any) (spans []map[string]any) {
	for _, resource := range listOf(firstOf(request, "resourceSpans", "resource_spans")) {
		for _, scope := range listOf(firstOf(objectOf(resource), "scopeSpans", "scope_spans")) {
			for _, one := range listOf(objectOf(scope)["spans"]) {
				spans = append(spans, objectOf(one))
			}
		}
	}
	return spans
}

// newOTelSpan reads one span. Ids are opaque: the standard writes them in hexadecimal, some libraries in base64.
func newOTelSpan(trace string, o map[string]any) Span {
	s := Span{Trace: trace, Start: whole(firstOf(o, "startTimeUnixNano", "start_time_unix_nano")),
		End: whole(firstOf(o, "endTimeUnixNano", "end_time_unix_nano")), Attributes: otelAttributes(o["attributes"])}
	s.ID, _ = firstOf(o, "spanId", "span_id").(string)
	s.Parent, _ = firstOf(o, "parentSpanId", "parent_span_id").(string)
	status := objectOf(o["status"])
	if code := fmt.Sprint(status["code"]); code == "2" || code == "STATUS_CODE_ERROR" {
		s.Failure, _ = status["message"].(string)
		s.Failure = cmp.Or(s.Failure, "the span ended with an error")
	}
	for _, one := range listOf(o["events"]) { // where messages stood before they became attributes
		event := objectOf(one)
		if name, _ := event["name"].(string); name != "" {
			attributes := otelAttributes(event["attributes"])
			maps.DeleteFunc(attributes, func(key string, _ any) bool { return s.Attributes[key] != nil })
			maps.Copy(s.Attributes, attributes)
		}
	}
	return s
}

// otelAttributes are attributes by their keys.
func otelAttributes(v any) map[string]any {
	out := map[string]any{}
	for _, one := range listOf(v) {
		if key, _ := objectOf(one)["key"].(string); key != "" {
			out[key] = otelValue(objectOf(objectOf(one)["value"]))
		}
	}
	return out
}

// otelValue is a value of OTLP as JSON has it.
func otelValue(o map[string]any) any {
	for kind, v := range o {
		switch kind {
		case "arrayValue", "array_value":
			return mapped(listOf(objectOf(v)["values"]), func(one any) any { return otelValue(objectOf(one)) })
		case "kvlistValue", "kvlist_value":
			return otelAttributes(objectOf(v)["values"])
		default:
			return v
		}
	}
	return nil
}
