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

// otel reads traces of OpenTelemetry in OTLP/JSON: one request, or one in each line as the collector's file exporter writes them. A trace
// with the attributes of OpenInference or of the conventions for generative AI is one question with its answer and contexts. A question
// that was asked several times counts once, with its newest answer.
func (r *foreignReader) otel() error {
	if err := r.noMapping(); err != nil {
		return err
	}
	r.out.Unit, r.faults.Unit = "trace", "trace"
	spans, err := r.otelSpans()
	if err != nil {
		return err
	}
	traces := map[string]*otelTrace{}
	var order []*otelTrace
	for _, s := range spans {
		t := traces[s.trace]
		if t == nil {
			t = &otelTrace{}
			traces[s.trace] = t
			order = append(order, t)
		}
		t.spans = append(t.spans, s)
	}
	for _, t := range order {
		t.sort()
	}
	slices.SortStableFunc(order, func(a, b *otelTrace) int { return cmp.Compare(a.spans[0].start, b.spans[0].start) })
	left := otelLeft{}
	newest := map[string]int{} // by folded question, its place in the items
	for i, t := range order {
		item := ForeignItem{Row: i + 1}
		switch question, conversation := t.question(); {
		case question == "":
			left.silent++
			continue
		case conversation:
			left.conversations++
			continue
		default:
			item.Question = r.words(&item, intake.FieldQuestion, question)
		}
		r.otelAnswer(&item, t, &left)
		r.hide(&item)
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
	r.out.Notes = append(r.out.Notes, left.notes()...)
	if len(r.out.Items) == 0 {
		return r.refuse("results_empty", "its %d traces hold no question that can be read", len(order)).
			WithHint("have texts recorded (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true); " +
				"docs/imports.md says which attributes are read")
	}
	return nil
}

// otelAnswer fills in what a trace answered, what it read and what that took.
func (r *foreignReader) otelAnswer(item *ForeignItem, t *otelTrace, left *otelLeft) {
	answer := t.answer()
	switch root := t.root(); {
	case root.failure != "":
		item.Failure = r.words(item, "status", root.failure)
	case answer == "":
		item.Failure = "no answer was recorded"
	default:
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

// sample keeps so many items, chosen by their questions alone: the same file gives the same sample, and so does one that was exported
// again with more in it, but for what is new.
func (r *foreignReader) sample() {
	n, items := r.options.Sample, r.out.Items
	if n <= 0 || len(items) <= n {
		return
	}
	drawn := func(item ForeignItem) string {
		sum := sha256.Sum256([]byte("sample of questions\x00" + text.Fold(item.Question) + "\x00" + item.Reference))
		return string(sum[:])
	}
	keep := map[string]bool{}
	for _, key := range slices.SortedFunc(slices.Values(mapped(items, drawn)), cmp.Compare[string])[:n] {
		keep[key] = true
	}
	r.out.Items = slices.DeleteFunc(slices.Clone(items), func(item ForeignItem) bool { return !keep[drawn(item)] })
	r.out.Notes = append(r.out.Notes, fmt.Sprintf("a sample of %d of %s", len(r.out.Items), intake.Plural(len(items), "question")))
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
func (r *foreignReader) otelSpans() (spans []otelSpan, err error) {
	requests := r.rows
	if r.object != nil {
		requests = []map[string]any{r.object}
	}
	for _, request := range requests {
		for _, resource := range listOf(firstOf(request, "resourceSpans", "resource_spans")) {
			for _, scope := range listOf(firstOf(objectOf(resource), "scopeSpans", "scope_spans")) {
				for _, one := range listOf(objectOf(scope)["spans"]) {
					span := objectOf(one)
					trace, _ := firstOf(span, "traceId", "trace_id").(string)
					if trace == "" {
						return nil, r.refuse("results_json", "span %d belongs to no trace", len(spans)+1).
							WithHint("export the traces as OTLP/JSON; docs/imports.md shows how")
					}
					spans = append(spans, newOTelSpan(trace, span))
				}
			}
		}
	}
	return spans, nil
}

// newOTelSpan reads one span. Ids are opaque: the standard writes them in hexadecimal, some libraries in base64.
func newOTelSpan(trace string, o map[string]any) otelSpan {
	s := otelSpan{trace: trace, start: whole(firstOf(o, "startTimeUnixNano", "start_time_unix_nano")),
		end: whole(firstOf(o, "endTimeUnixNano", "end_time_unix_nano")), attributes: otelAttributes(o["attributes"])}
	s.id, _ = firstOf(o, "spanId", "span_id").(string)
	s.parent, _ = firstOf(o, "parentSpanId", "parent_span_id").(string)
	status := objectOf(o["status"])
	if code := fmt.Sprint(status["code"]); code == "2" || code == "STATUS_CODE_ERROR" {
		s.failure, _ = status["message"].(string)
		s.failure = cmp.Or(s.failure, "the span ended with an error")
	}
	for _, one := range listOf(o["events"]) { // where messages stood before they became attributes
		event := objectOf(one)
		if name, _ := event["name"].(string); name != "" {
			attributes := otelAttributes(event["attributes"])
			maps.DeleteFunc(attributes, func(key string, _ any) bool { return s.attributes[key] != nil })
			maps.Copy(s.attributes, attributes)
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
