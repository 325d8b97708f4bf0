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

	"github.com/rag-workbench/workbench/internal/rag"
)

// Span is a step of a trace.
type Span struct {
	Trace      string         `json:"-"`
	ID         string         `json:"-"`
	Parent     string         `json:"parent,omitempty"`
	Start      int64          `json:"start,omitempty"` // nanoseconds since 1970
	End        int64          `json:"end,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty"`
	Failure    string         `json:"failure,omitempty"` // "" where it ended well
}

// otelTrace is what was done for one request.
type otelTrace struct{ spans []Span }

// sort puts spans in the order in which they began; the outermost first of those that began together.
func (t *otelTrace) sort() {
	ids := map[string]bool{}
	for _, s := range t.spans {
		ids[s.ID] = true
	}
	depth := func(s Span) int {
		if ids[s.Parent] && s.Parent != s.ID {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(t.spans, func(a, b Span) int {
		return cmp.Or(depth(a)-depth(b), cmp.Compare(a.Start, b.Start))
	})
}

// root is the span that holds the others: the first without a parent in the file.
func (t *otelTrace) root() Span { return t.spans[0] }

// kind is what a span does, in the words of OpenInference.
func (s Span) kind() string {
	if kind, _ := s.Attributes["openinference.span.kind"].(string); kind != "" {
		return strings.ToUpper(kind)
	}
	switch operation, _ := s.Attributes["gen_ai.operation.name"].(string); operation {
	case "chat", "text_completion", "generate_content":
		return "LLM"
	case "retrieval":
		return "RETRIEVER"
	case "":
		return ""
	default:
		return strings.ToUpper(operation)
	}
}

func (t *otelTrace) of(kind string) (found []Span) {
	for _, s := range t.spans {
		if s.kind() == kind {
			found = append(found, s)
		}
	}
	return found
}

// question is what the user asked: the input of the outermost span, else what was searched for, else what the first model was told by the
// user. conversation: there were turns before it.
func (t *otelTrace) question() (asks string, conversation bool) {
	models := t.of("LLM")
	said := [][]otelMessage{t.root().messages("input")}
	if len(models) > 0 {
		said = append(said, models[0].messages("input"))
	}
	for _, messages := range said {
		conversation = conversation || answeredBefore(messages)
		asks = cmp.Or(asks, lastOf(messages, "user", "human"))
	}
	whole := ""
	if root := t.root(); root.kind() != "LLM" || asks == "" {
		whole = asked(root.Attributes["input.value"])
	}
	searched := ""
	if retrievers := t.of("RETRIEVER"); len(retrievers) > 0 {
		searched = asked(firstOf(retrievers[0].Attributes, "gen_ai.retrieval.query.text", "input.value"))
	}
	if own := lastOf(said[0], "user", "human"); own != "" {
		whole = own
	}
	return strings.TrimSpace(cmp.Or(whole, searched, asks)), conversation
}

// answer is what the outermost span gave back, else what the last model said.
func (t *otelTrace) answer() string {
	root := t.root()
	own := lastOf(root.messages("output"), "assistant", "ai", "model", "")
	if own == "" && root.kind() != "LLM" {
		own = answered(root.Attributes["output.value"])
	}
	for _, s := range slices.Backward(t.of("LLM")) {
		if own == "" {
			own = lastOf(s.messages("output"), "assistant", "ai", "model", "")
		}
	}
	return own
}

// contexts are the documents that the model read: those of the last reranking, else of every search, each once. Nil: none was recorded;
// unread counts those without a text.
func (t *otelTrace) contexts() (contexts []any, unread int) {
	steps, field := t.of("RERANKER"), "reranker.output_documents"
	if len(steps) > 0 {
		steps = steps[len(steps)-1:]
	} else {
		steps, field = t.of("RETRIEVER"), "retrieval.documents"
	}
	seen := map[string]bool{}
	for _, s := range steps {
		if contexts == nil {
			contexts = []any{}
		}
		for _, one := range s.documents(field) {
			words, _ := firstOf(one, "content", "text", "page_content").(string)
			if words == "" {
				unread++
				continue
			}
			if seen[words] {
				continue
			}
			seen[words] = true
			context := map[string]any{"text": words}
			metadata := objectOf(objectLiteral(one["metadata"]))
			if id, ok := cmp.Or(firstOf(one, "id"), firstOf(metadata, "doc_id", "document_id", "source", "file_name")).(string); ok {
				context["id"] = id
			}
			contexts = append(contexts, context)
		}
	}
	if unread > 0 && len(contexts) == 0 {
		return nil, unread // something was found, and nobody knows what
	}
	return contexts, unread
}

// documents are those of a span: numbered attributes of OpenInference, or the list of the conventions for generative AI.
func (s Span) documents(field string) (list []map[string]any) {
	for _, one := range s.numbered(field + ".") {
		if document, ok := one["document"].(map[string]any); ok {
			list = append(list, document)
		}
	}
	for _, one := range listOf(objectLiteral(s.Attributes["gen_ai.retrieval.documents"])) {
		list = append(list, objectOf(one))
	}
	return list
}

// numbered gathers attributes such as a.0.b.c into objects, in the order of their numbers.
func (s Span) numbered(prefix string) []map[string]any {
	found := map[int]map[string]any{}
	for key, value := range s.Attributes {
		rest, ok := strings.CutPrefix(key, prefix)
		if !ok {
			continue
		}
		number, path, _ := strings.Cut(rest, ".")
		n, err := strconv.Atoi(number)
		if err != nil || path == "" {
			continue
		}
		if found[n] == nil {
			found[n] = map[string]any{}
		}
		head, tail, deeper := strings.Cut(path, ".")
		if !deeper {
			found[n][head] = value
			continue
		}
		inner, isObject := found[n][head].(map[string]any)
		if !isObject {
			inner = map[string]any{}
			found[n][head] = inner
		}
		inner[tail] = value
	}
	out := make([]map[string]any, 0, len(found))
	for _, n := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[n])
	}
	return out
}

// otelMessage is a message to or from a model.
type otelMessage struct{ role, text string }

// messages are those of a span's input or output, in the forms of both conventions.
func (s Span) messages(side string) (list []otelMessage) {
	for _, one := range s.numbered("llm." + side + "_messages.") {
		message := objectOf(one["message"])
		role, _ := message["role"].(string)
		words, _ := message["content"].(string)
		for _, part := range (Span{Attributes: message}).numbered("contents.") {
			if inner, _ := objectOf(part["message_content"])["text"].(string); inner != "" {
				words = strings.TrimSpace(words + "\n" + inner)
			}
		}
		list = append(list, otelMessage{role, words})
	}
	older := map[string]string{"input": "gen_ai.prompt", "output": "gen_ai.completion"}[side]
	for _, v := range listOf(objectLiteral(firstOf(s.Attributes, "gen_ai."+side+".messages", older))) {
		message := objectOf(v)
		role, _ := message["role"].(string)
		list = append(list, otelMessage{role, otelText(firstOf(message, "parts", "content"))})
	}
	for _, message := range s.numbered(older + ".") {
		role, _ := message["role"].(string)
		list = append(list, otelMessage{role, otelText(message["content"])})
	}
	return list
}

// otelText is the text of a message: itself, or its parts that are texts.
func otelText(v any) string {
	if words, ok := v.(string); ok {
		return words
	}
	var lines []string
	for _, one := range listOf(v) {
		part := objectOf(one)
		if words, ok := firstOf(part, "content", "text").(string); ok && (part["type"] == nil || part["type"] == "text") {
			lines = append(lines, words)
		}
	}
	return strings.Join(lines, "\n")
}

// lastOf is the last message of one of the roles that says something.
func lastOf(messages []otelMessage, roles ...string) string {
	for _, m := range slices.Backward(messages) {
		if slices.Contains(roles, strings.ToLower(m.role)) && strings.TrimSpace(m.text) != "" {
			return m.text
		}
	}
	return ""
}

// answeredBefore reports whether a model had answered before the user spoke last.
func answeredBefore(messages []otelMessage) bool {
	answered := false
	for _, m := range messages {
		switch strings.ToLower(m.role) {
		case "assistant", "ai", "model":
			answered = answered || m.text != ""
		case "user", "human":
			if answered && m.text != "" {
				return true
			}
		}
	}
	return false
}

// measured is how long the outermost span took, and the tokens of all models.
func (t *otelTrace) measured() *rag.Measured {
	root := t.root()
	m := rag.Measured{LatencyMS: max(0, root.End-root.Start) / int64(time.Millisecond)}
	for _, s := range t.of("LLM") {
		m.PromptTokens += int(whole(firstOf(s.Attributes, "llm.token_count.prompt", "gen_ai.usage.input_tokens")))
		m.CompletionTokens += int(whole(firstOf(s.Attributes, "llm.token_count.completion", "gen_ai.usage.output_tokens")))
	}
	if m == (rag.Measured{}) {
		return nil
	}
	return &m
}

// whole is a number that JSON may hold as a text, as OTLP does with large ones; 0 for what is none or below 0.
func whole(v any) int64 {
	switch v := v.(type) {
	case json.Number, string:
		n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64)
		if err == nil && n > 0 {
			return n
		}
	}
	return 0
}
