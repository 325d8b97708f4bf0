package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

// The exports of tools that collect traces are read as spans with the attributes of OpenInference, so that one reader says what a
// question, an answer and a context is. A row that is no span of a trace is passed over, and named.

// traceTools are the tools whose files are traces, with how one row of their exports becomes spans; false: it is none.
var traceTools = map[string]func(map[string]any) ([]Span, bool){
	ToolPhoenix: phoenixSpans, ToolLangSmith: langsmithSpans, ToolMLflowTraces: mlflowSpans,
}

// readsTraces reports whether the files of a tool are traces.
func readsTraces(tool string) bool { return tool == ToolOTel || traceTools[tool] != nil }

// toolTraces reads an export of traces: a list, a line each, or a page of the tool's API.
func (r *foreignReader) toolTraces() error {
	if r.ext == ".csv" {
		if err := r.csvRows(); err != nil {
			return err
		}
		for _, row := range r.rows { // data frames write lists and objects as text
			for name, v := range row {
				if s, isText := v.(string); isText && (strings.HasSuffix(name, "documents") || strings.HasSuffix(name, "messages")) {
					row[name] = objectLiteral(s)
				}
			}
		}
	}
	for _, key := range []string{"data", "runs", "traces"} {
		if list := listOf(r.object[key]); list != nil && r.rows == nil {
			if err := r.rowsWithin(key, list); err != nil {
				return err
			}
		}
	}
	if r.object != nil && r.rows == nil {
		r.rows, r.numbers = []map[string]any{r.object}, []int{1}
	}
	var spans []Span
	var passed []string
	for i, row := range r.rows {
		read, ok := traceTools[r.out.Tool](row)
		if !ok {
			passed = append(passed, strconv.Itoa(r.numbers[i]))
			continue
		}
		spans = append(spans, read...)
	}
	if n := len(passed); n > 0 {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s of %s without ids of a trace and a span passed over: %s %s",
			intake.Plural(n, "row"), r.file, r.unit, strings.Join(shortList(passed), ", ")))
	}
	return r.traces(spans)
}

// whichTraces tells an export of traces by the first of its rows; "" for none.
func whichTraces(rows ...map[string]any) string {
	for _, tool := range slices.Sorted(maps.Keys(traceTools)) {
		for _, row := range rows {
			if _, ok := traceTools[tool](row); ok {
				return tool
			}
		}
	}
	return ""
}

// phoenixSpans reads a span as Phoenix's API lists it, or a row of its data frame of spans.
func phoenixSpans(row map[string]any) ([]Span, bool) {
	attributes := map[string]any{}
	for key, v := range row {
		if name, ok := strings.CutPrefix(key, "attributes."); ok && v != nil {
			spread(attributes, name, v)
		}
	}
	for key, v := range objectOf(row["attributes"]) {
		spread(attributes, key, v)
	}
	ids := objectOf(row["context"])
	s := Span{Attributes: attributes, Start: moment(row["start_time"]), End: moment(row["end_time"])}
	s.Trace, _ = cmp.Or(ids["trace_id"], row["context.trace_id"]).(string)
	s.ID, _ = cmp.Or(ids["span_id"], row["context.span_id"]).(string)
	s.Parent, _ = row["parent_id"].(string)
	if kind, _ := row["span_kind"].(string); kind != "" && s.Attributes["openinference.span.kind"] == nil {
		s.Attributes["openinference.span.kind"] = kind
	}
	if row["status_code"] == "ERROR" {
		s.Failure, _ = row["status_message"].(string)
		s.Failure = cmp.Or(s.Failure, "the span ended with an error")
	}
	return []Span{s}, s.Trace != "" && s.ID != ""
}

// spread puts a value into attributes; lists of objects and objects become numbered and named ones, as OpenInference has them.
func spread(into map[string]any, name string, v any) {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 || objectOf(v[0]) == nil {
			into[name] = v
			return
		}
		for i, one := range v {
			spread(into, name+"."+strconv.Itoa(i), one)
		}
	case map[string]any:
		if strings.HasSuffix(name, ".metadata") {
			into[name] = v
			return
		}
		for key, one := range v {
			spread(into, name+"."+key, one)
		}
	default:
		into[name] = v
	}
}

// langsmithSpans reads a run of LangSmith, as its SDK and its API give it.
func langsmithSpans(row map[string]any) ([]Span, bool) {
	kind, _ := row["run_type"].(string)
	s := Span{Start: moment(row["start_time"]), End: moment(row["end_time"])}
	s.Trace, _ = row["trace_id"].(string)
	s.ID, _ = row["id"].(string)
	s.Parent, _ = row["parent_run_id"].(string)
	failure, _ := row["error"].(string)
	s.Failure, _, _ = strings.Cut(failure, "Traceback (most recent call last)")
	s.Failure = strings.TrimSpace(s.Failure)
	if failure != "" {
		s.Failure = cmp.Or(s.Failure, "the run ended with an error")
	}
	outputs := objectOf(row["outputs"])
	s.Attributes = worked(kind, row["inputs"], row["outputs"], outputs["documents"])
	return []Span{s}, kind != "" && s.Trace != "" && s.ID != ""
}

// mlflowSpans reads a trace of MLflow: the object, its JSON, or a row of the table of traces, which has that in a column.
func mlflowSpans(row map[string]any) (spans []Span, ok bool) {
	if inner := objectOf(objectLiteral(row["trace"])); inner != nil {
		row = inner
	}
	trace, _ := objectOf(row["info"])["trace_id"].(string)
	list := listOf(objectOf(row["data"])["spans"])
	for _, one := range list {
		o := objectOf(one)
		s := newOTelSpan(trace, o)
		attributes := objectOf(o["attributes"]) // an object here, of values in JSON
		kind, _ := objectLiteral(attributes["mlflow.spanType"]).(string)
		outputs := objectLiteral(attributes["mlflow.spanOutputs"])
		if kind == "CHAT_MODEL" {
			kind = "LLM"
		}
		s.Attributes = worked(kind, objectLiteral(attributes["mlflow.spanInputs"]), outputs, outputs)
		usage := objectOf(objectLiteral(attributes["mlflow.chat.tokenUsage"]))
		s.Attributes["llm.token_count.prompt"], s.Attributes["llm.token_count.completion"] = usage["input_tokens"], usage["output_tokens"]
		spans = append(spans, s)
	}
	return spans, trace != "" && len(spans) > 0
}

// worked are the attributes of a step of this kind with what it was given and what it gave back. documents are those of a retriever or a
// reranker.
func worked(kind string, inputs, outputs, documents any) map[string]any {
	kind = strings.ToUpper(kind)
	attributes := map[string]any{"openinference.span.kind": kind, "input.value": inputs, "output.value": outputs}
	field := map[string]string{"RETRIEVER": "retrieval.documents", "RERANKER": "reranker.output_documents"}[kind]
	for i, one := range listOf(documents) {
		document := objectOf(one)
		if words, ok := one.(string); ok {
			document = map[string]any{"content": words}
		}
		if field == "" || document == nil {
			continue
		}
		metadata := objectOf(document["metadata"])
		id, _ := cmp.Or(firstOf(metadata, "doc_id", "document_id", "source", "doc_uri", "file_name"), document["id"]).(string)
		attributes[fmt.Sprintf("%s.%d.document.content", field, i)] = firstOf(document, "page_content", "content", "text")
		attributes[fmt.Sprintf("%s.%d.document.id", field, i)] = id
	}
	return attributes
}

// moment is a time as tools write it, in nanoseconds since 1970; 0 for none. A time without a zone is one of UTC.
func moment(v any) int64 {
	switch v := v.(type) {
	case json.Number: // a data frame writes milliseconds
		return whole(v) * int64(time.Millisecond)
	case string:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
			if at, err := time.Parse(layout, v); err == nil {
				return at.UnixNano()
			}
		}
	}
	return 0
}
