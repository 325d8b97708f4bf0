package remote

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// maxTemplateBytes bounds a request template.
const maxTemplateBytes = 256 << 10

// The values a template can ask for.
const (
	slotQuestion = "question"
	slotK        = "k"
	slotContexts = "contexts"
	slotPrompt   = "system_prompt"
)

var slotNames = []string{slotQuestion, slotK, slotContexts, slotPrompt}

// Asking is what is put into a template's slots.
type Asking struct {
	Question string
	K        int
	Contexts []string
	Prompt   string
}

// template is a request body, or an address, cut at its slots.
type template struct {
	parts []templatePart
}

// templatePart is text that is sent as it is, or a slot.
type templatePart struct {
	text   string
	slot   string // "" for text
	quoted bool   // the slot stands inside a JSON string
}

// accepts reports whether the template has a slot for this value.
func (t template) accepts(slot string) bool {
	for _, p := range t.parts {
		if p.slot == slot {
			return true
		}
	}
	return false
}

// parseBody cuts a JSON body at its slots: {{name}} inside a JSON string takes the value as string content, outside one as a
// JSON value of its own. The body must be JSON whatever is put in.
func parseBody(body string) (template, error) {
	if len(body) > maxTemplateBytes {
		return template{}, templateProblem("is longer than %d KiB", maxTemplateBytes>>10)
	}
	if !utf8.ValidString(body) {
		return template{}, templateProblem("is not valid UTF-8")
	}
	var t template
	inString, start := false, 0
	for i := 0; i < len(body); {
		switch {
		case inString && body[i] == '\\':
			i += 2 // what follows a backslash ends no string
			continue
		case body[i] == '"':
			inString = !inString
		case strings.HasPrefix(body[i:], "{{"):
			name, length := slotAt(body[i:])
			if name == "" && !inString {
				break // two objects that begin together
			}
			if name == "" {
				return template{}, templateProblem("has %s, which names no value", text.Cut(body[i:], 20))
			}
			if !inString && !standsAlone(body[:i], body[i+length:]) {
				return template{},
					templateProblem("has {{%s}} beside other text outside quotation marks; there it must be a value of its own", name)
			}
			if inString && name == slotContexts {
				return template{}, templateProblem("has {{contexts}} inside quotation marks; it is a list and stands without them")
			}
			t.add(templatePart{text: body[start:i]}, templatePart{slot: name, quoted: inString})
			i += length
			start = i
			continue
		}
		i++
	}
	t.add(templatePart{text: body[start:]})
	for _, probe := range []Asking{{}, {Question: `"}], {"x":1} \ {{k}}` + "\n\x00", K: 7, Contexts: []string{`a"`, "b"}, Prompt: `\`}} {
		if !json.Valid(t.body(probe)) {
			return template{}, templateProblem("is not JSON once its values are put in")
		}
	}
	if !t.accepts(slotQuestion) {
		return template{}, templateProblem("has no {{question}}")
	}
	return t, nil
}

// standsAlone reports whether what stands between two parts of a JSON text is a value of its own.
func standsAlone(before, after string) bool {
	before, after = strings.TrimRight(before, " \t\r\n"), strings.TrimLeft(after, " \t\r\n")
	return (before == "" || strings.ContainsRune(":,[", rune(before[len(before)-1]))) &&
		(after == "" || strings.ContainsRune(",]}", rune(after[0])))
}

// slotAt reads {{name}} at the start of s; "" when that is no slot. Spaces around the name are allowed.
func slotAt(s string) (name string, length int) {
	inside, _, closed := strings.Cut(s[2:], "}}")
	if !closed {
		return "", 0
	}
	trimmed := strings.TrimSpace(inside)
	for _, known := range slotNames {
		if trimmed == known {
			return known, len(inside) + 4
		}
	}
	return "", 0
}

func (t *template) add(parts ...templatePart) {
	for _, p := range parts {
		if p.slot != "" || p.text != "" {
			t.parts = append(t.parts, p)
		}
	}
}

// body renders the template as JSON. Values are always JSON, so none can end the string or object it stands in.
func (t template) body(a Asking) []byte {
	var b bytes.Buffer
	for _, p := range t.parts {
		if p.slot == "" {
			b.WriteString(p.text)
			continue
		}
		value := jsonOf(a.value(p.slot))
		if p.quoted && value[0] != '"' {
			value = jsonOf(string(value)) // a number as text
		}
		if p.quoted {
			value = value[1 : len(value)-1]
		}
		b.Write(value)
	}
	return b.Bytes()
}

func (a Asking) value(slot string) any {
	switch slot {
	case slotQuestion:
		return a.Question
	case slotK:
		return a.K
	case slotPrompt:
		return a.Prompt
	}
	if a.Contexts == nil {
		return []string{}
	}
	return a.Contexts
}

// jsonOf is the JSON of a text, number or list of texts, without the escapes that only browsers need.
func jsonOf(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // texts and numbers only: invalid UTF-8 becomes U+FFFD
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// parseAddress cuts an address at its slots, which may stand only in its query.
func parseAddress(address string) (template, error) {
	var t template
	query := strings.IndexByte(address, '?')
	start := 0
	for i := 0; i < len(address); {
		if !strings.HasPrefix(address[i:], "{{") {
			i++
			continue
		}
		name, length := slotAt(address[i:])
		switch {
		case name == "":
			return template{}, addressProblem("has %s, which names no value", text.Cut(address[i:], 20))
		case query < 0 || i < query:
			return template{}, addressProblem("has {{%s}} outside its query; values go behind the question mark or into the template", name)
		case name == slotContexts:
			return template{}, addressProblem("has {{contexts}}; a list goes into the template")
		}
		t.add(templatePart{text: address[start:i]}, templatePart{slot: name})
		i += length
		start = i
	}
	t.add(templatePart{text: address[start:]})
	return t, nil
}

// address renders the template as an address, values escaped for a query.
func (t template) address(a Asking) string {
	var b strings.Builder
	for _, p := range t.parts {
		switch p.slot {
		case "":
			b.WriteString(p.text)
		case slotK:
			b.WriteString(strconv.Itoa(a.K))
		default:
			text, _ := a.value(p.slot).(string)
			b.WriteString(url.QueryEscape(strings.ToValidUTF8(text, "\uFFFD")))
		}
	}
	return b.String()
}

func templateProblem(format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "endpoint_template", "the request template "+format, args...).With("field", "template").
		WithHint(`write the JSON body with {{question}} where the question goes, like {"query": "{{question}}", "top_k": {{k}}}; ` +
			`the values are question, k, contexts and system_prompt`)
}

func addressProblem(format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "endpoint_url", "the address "+format, args...).With("field", "url").
		WithHint("write it like https://rag.example/api/ask, or for GET like https://rag.example/ask?q={{question}}&k={{k}}")
}
