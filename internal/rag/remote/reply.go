package remote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/text"
)

// Bounds of what is kept of one reply (reliability.md E03).
const (
	MaxContexts     = 200      // contexts of one answer
	MaxContextBytes = 16 << 10 // one context
	MaxAnswerBytes  = 1 << 20  // the answer
)

// Notes on a reply about what was cut off or left out.
const (
	NoteContextsCapped  = "contexts_capped"   // more than MaxContexts, or one longer than MaxContextBytes
	NoteAnswerCapped    = "answer_capped"     // longer than MaxAnswerBytes
	NoteContextsMissing = "contexts_missing"  // nothing stands at the path of the contexts
	NoteContextsNoList  = "contexts_not_list" // what stands there is no list
)

// Reply is what the paths of an endpoint find, as it travels from the client to the system: stages keep it as it is.
type Reply struct {
	Answer   string    `json:"answer"`
	Contexts []Context `json:"contexts"` // null: the system shows none
	Notes    []string  `json:"notes,omitempty"`
}

// Context is one context that a reply shows.
type Context struct {
	Text string `json:"text"`
	ID   string `json:"id,omitempty"`
}

// contextFields are the fields in which systems keep the text of a context, tried in this order where no path says which.
var contextFields = []string{"text", "content", "page_content", "pageContent", "passage", "chunk", "snippet"}

// Map reads a reply of the endpoint: the answer with its contexts as JSON, and the version the system names. It is what an
// [llm.EndpointConfig] wants.
func (e Endpoint) Map(raw []byte) (text, version string, err *llm.Error) {
	parsed, wrong := e.Parse()
	if wrong != nil {
		return "", "", &llm.Error{Cause: llm.CauseEndpointMapping, Message: wrong.Error()}
	}
	value, err := decodeReply(raw)
	if err != nil {
		return "", "", err
	}
	m, err := parsed.read(value)
	if err != nil {
		return "", "", err
	}
	return string(jsonOf(m)), parsed.version(value), nil
}

// decodeReply reads a reply that must be one JSON value.
func decodeReply(raw []byte) (any, *llm.Error) {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	switch {
	case len(trimmed) == 0:
		return nil, &llm.Error{Cause: llm.CauseEndpointEnvelope, Message: "the reply has no body"}
	case trimmed[0] == '<':
		return nil, &llm.Error{Cause: llm.CauseEndpointEnvelope, Message: "the endpoint answered with a web page instead of JSON; " +
			"check the address, and whether a login or a proxy stands in front of it"}
	}
	dec := json.NewDecoder(bytes.NewReader(trimmed))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, &llm.Error{Cause: llm.CauseEndpointEnvelope, Message: "the reply is not JSON", Err: err}
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, &llm.Error{Cause: llm.CauseEndpointEnvelope, Message: "more text follows after the JSON of the reply"}
	}
	return value, nil
}

func (r Exchange) read(value any) (Reply, *llm.Error) {
	var m Reply
	found, lost := r.answer.find(value)
	if len(found) == 0 {
		return m, mappingError("answer", r.answer, lost, value)
	}
	texts := make([]string, len(found))
	for i, v := range found {
		text, ok := plainText(v)
		if !ok {
			return m, &llm.Error{Cause: llm.CauseEndpointMapping, Message: fmt.Sprintf("answer: %s is %s, not a text; received keys: %s",
				r.answer, jsonKind(v), receivedKeys(value))}
		}
		texts[i] = text
	}
	var cut bool
	if m.Answer, cut = capped(strings.Join(texts, "\n"), MaxAnswerBytes); cut {
		m.Notes = append(m.Notes, NoteAnswerCapped)
	}
	return m, r.readContexts(value, &m)
}

func (r Exchange) readContexts(value any, m *Reply) *llm.Error {
	if r.contexts.IsZero() {
		return nil
	}
	found, lost := r.contexts.find(value)
	if len(found) == 0 && lost != nil {
		m.Notes = append(m.Notes, NoteContextsMissing)
		return nil
	}
	items := found
	if !r.contexts.many() {
		list, ok := found[0].([]any)
		if !ok {
			m.Notes = append(m.Notes, NoteContextsNoList)
			return nil
		}
		items = list
	}
	cut := len(items) > MaxContexts
	m.Contexts = make([]Context, 0, min(len(items), MaxContexts))
	for i, item := range items[:min(len(items), MaxContexts)] {
		text, ok := r.contextText(item)
		if !ok {
			return r.noContextText(i, item)
		}
		text, short := capped(text, MaxContextBytes)
		cut = cut || short
		m.Contexts = append(m.Contexts, Context{Text: text, ID: r.contextID(item)})
	}
	if cut {
		m.Notes = append(m.Notes, NoteContextsCapped)
	}
	return nil
}

// many reports whether the path means a list by itself: it goes through every item of one.
func (p Path) many() bool {
	for _, s := range p.steps {
		if s.all {
			return true
		}
	}
	return false
}

func (r Exchange) contextText(item any) (string, bool) {
	if !r.text.IsZero() {
		found, _ := r.text.find(item)
		if len(found) != 1 {
			return "", false
		}
		return plainText(found[0])
	}
	object, ok := item.(map[string]any)
	if !ok {
		return plainText(item)
	}
	for _, name := range contextFields {
		if v, ok := object[name].(string); ok {
			return v, true
		}
	}
	return "", false
}

func (r Exchange) noContextText(i int, item any) *llm.Error {
	want := r.text.String()
	if want == "" {
		want = strings.Join(contextFields, ", ")
	}
	return &llm.Error{Cause: llm.CauseEndpointMapping,
		Message: fmt.Sprintf("contexts: item %d has no text at %s; received keys: %s", i, want, receivedKeys(item))}
}

// ReadContext reads a context as tools log it: a text, or an object with a text and perhaps an id, decoded with json.Number. A text
// longer than MaxContextBytes is cut.
func ReadContext(item any) (c Context, cut, ok bool) {
	said, ok := Exchange{}.contextText(item)
	if !ok {
		return c, false, false
	}
	c.Text, cut = capped(said, MaxContextBytes)
	if object, isObject := item.(map[string]any); isObject {
		for _, name := range []string{"doc_id", "document_id", "docId", "id", "source"} {
			if id, isText := object[name].(string); isText {
				c.ID = text.Cut(id, 500)
				break
			}
		}
	}
	return c, cut, true
}

func (r Exchange) contextID(item any) string { return r.id.only(item, 500) }

func (r Exchange) version(value any) string { return r.versions.only(value, 100) }

// only is the one text that stands at the path, cut to so many characters; "" where there is none, or more than one.
func (p Path) only(value any, most int) string {
	if p.IsZero() {
		return ""
	}
	found, _ := p.find(value)
	if len(found) != 1 {
		return ""
	}
	said, _ := plainText(found[0])
	return text.Cut(said, most)
}

// plainText is a value that stands for a text: a text, a number, a boolean, or null for the empty text. NUL characters, which
// databases refuse, become ␀.
func plainText(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", true
	case string:
		return strings.ReplaceAll(v, "\x00", "␀"), true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// capped is s cut to n bytes at the border of a character.
func capped(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

func mappingError(field string, path Path, lost *miss, value any) *llm.Error {
	why := "found nothing"
	if lost != nil {
		why = fmt.Sprintf("%s %s", lost.step, lost.why)
	}
	return &llm.Error{Cause: llm.CauseEndpointMapping,
		Message: fmt.Sprintf("%s: the path %s fits nothing in the reply: %s; received keys: %s",
			field, path, why, receivedKeys(value))}
}
