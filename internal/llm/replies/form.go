package replies

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The ways in which a reply that holds exactly one object of the form asked for is read although it is not that object alone. None
// of them is a guess: where two different objects could be meant, the reply is of no use.
const (
	RepairThinking = "thinking" // thoughts stood before it
	RepairFence    = "fence"    // it stood in a code fence
	RepairProse    = "prose"    // words stood before or after it, or one wrapper around it
	RepairSyntax   = "syntax"   // a trailing comma, a remark, other quotation marks, a line break inside a text
	RepairType     = "type"     // "5" for 5, "true" for true, "Supported" for "supported"
	RepairList     = "list"     // items too many were cut, empty ones dropped
	RepairCell     = "cell"     // items that cannot be read were lost alone
)

// Repairs are all of them, in the order in which a reply's are listed.
var Repairs = []string{RepairThinking, RepairFence, RepairProse, RepairSyntax, RepairType, RepairList, RepairCell}

// Form is what a reply must be: the schema compiled, and as it stands.
type Form struct {
	schema *shape
	shape  map[string]any
	items  map[string]*shape // of the lists that may be partial
}

// FormOf compiles a schema. References to files or hosts are refused.
func FormOf(s *Schema) (*Form, error) {
	schema, err := shapeOf(s)
	if err != nil {
		return nil, err
	}
	f := &Form{schema: schema, items: map[string]*shape{}}
	if err := json.Unmarshal(s.Body, &f.shape); err != nil {
		return nil, fmt.Errorf("the schema %q is no object: %w", s.Name, err)
	}
	for _, name := range s.Partial {
		list := schema.Properties[name]
		if list == nil || list.Items == nil {
			return nil, fmt.Errorf("the schema %q has no list %q", s.Name, name)
		}
		f.items[name] = list.Items
	}
	return f, nil
}

// mostTried bounds the beginnings of objects that are looked at in one reply.
const mostTried = 100

// found is one object of a reply that satisfies the form.
type found struct {
	text    string // as JSON
	repairs []string
}

// Read takes the one JSON value of this form out of a reply: text is to be kept, repair says how it differs from what came.
func (f *Form) Read(reply string) (text, repair string, err error) {
	clean, value, strict := checkJSON(strings.TrimSpace(strings.TrimPrefix(reply, "\ufeff")))
	if strict == nil {
		if strict = f.schema.check(value, ""); strict == nil {
			clean, repair = f.settle(clean, value)
			return clean, repair, nil
		}
	}
	rest, thought := withoutThoughts(reply)
	all, broken := f.search(rest)
	switch {
	case len(all) == 0 && rest == "":
		return "", "", errors.New("the reply holds thoughts and nothing after them")
	case len(all) == 0:
		return "", "", strict
	case len(all) > 1:
		return "", "", fmt.Errorf("the reply holds %d different objects of the form that was asked for", len(all))
	case broken:
		return "", "", errors.New("beside an object of the form that was asked for the reply holds another one that cannot be read")
	}
	one := all[0]
	if thought {
		one.repairs = append(one.repairs, RepairThinking)
	}
	return one.text, wordsOf(one.repairs), nil
}

// wordsOf lists repairs, each once.
func wordsOf(repairs []string) string {
	words := slices.DeleteFunc(slices.Clone(Repairs), func(r string) bool { return !slices.Contains(repairs, r) })
	return strings.Join(words, " ")
}

// settle is a reply that satisfies the form as it came, without what the form allows and nobody can use: 5.0 for 5, empty items.
func (f *Form) settle(text string, value any) (string, string) {
	coerced, repairs := f.coerce(value)
	if len(repairs) == 0 || !f.schema.fits(coerced) {
		return text, ""
	}
	return compact(coerced, "", false), wordsOf(repairs)
}

// search finds the objects of a text that satisfy the form. broken says that one began like such an object and cannot be read.
func (f *Form) search(text string) (all []found, broken bool) {
	for i, tried := 0, 0; i < len(text); tried++ {
		at := strings.IndexAny(text[i:], `{"`)
		if at < 0 {
			break
		}
		if i += at; tried == mostTried {
			return nil, true
		}
		if text[i] == '"' { // the object written as a text in JSON
			var inner string
			if n := jsonString(text[i:]); n > 0 && json.Unmarshal([]byte(text[i:i+n]), &inner) == nil && strings.HasPrefix(inner, "{") {
				one, _ := f.search(inner)
				for _, o := range one {
					all = append(all, f.around(o, RepairSyntax))
				}
				i += n
				continue
			}
			i++
			continue
		}
		o, n, state := f.object(text, i)
		switch state {
		case satisfies:
			all = append(all, o)
		case unreadable:
			broken = broken || f.begins(text[i:])
		}
		i += n
	}
	return distinct(all), broken
}

type state int

const (
	other state = iota
	satisfies
	unreadable
)

// object reads the object that begins at i, and says how many bytes to go on after.
func (f *Form) object(text string, i int) (found, int, state) {
	written, n, tidied := tidy(text[i:])
	if n == 0 {
		return found{}, 1, unreadable
	}
	_, value, err := checkJSON(written)
	if err != nil {
		return found{}, 1, unreadable
	}
	o, ok := f.fit(value, written)
	if !ok {
		return found{}, n, other
	}
	if tidied {
		o = f.around(o, RepairSyntax)
	}
	before, after := strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+n:])
	if inFence(before, after) {
		return f.around(o, RepairFence), n, satisfies
	}
	if before != "" || after != "" {
		o = f.around(o, RepairProse)
	}
	if strings.Contains(before, "```") {
		o = f.around(o, RepairFence)
	}
	return o, n, satisfies
}

// inFence reports whether a code fence stands around the whole.
func inFence(before, after string) bool {
	language, opened := strings.CutPrefix(before, "```")
	return opened && after == "```" && !strings.ContainsAny(language, " \n`")
}

// fit makes a value satisfy the form, or finds the one below its wrappers that does. written is its JSON.
func (f *Form) fit(value any, written string) (found, bool) {
	for depth := 0; depth < 4; depth++ {
		if f.schema.fits(value) {
			return found{text: compact(value, written, depth == 0), repairs: wrapped(depth)}, true
		}
		coerced, repairs := f.coerce(value)
		if len(repairs) > 0 && f.schema.fits(coerced) {
			return found{text: compact(coerced, "", false), repairs: append(repairs, wrapped(depth)...)}, true
		}
		inner, ok := onlyMember(value)
		if !ok {
			return found{}, false
		}
		value = inner
	}
	return found{}, false
}

func wrapped(depth int) []string {
	if depth == 0 {
		return nil
	}
	return []string{RepairProse}
}

// onlyMember is what a wrapper holds: an object with one member, or a list of one.
func onlyMember(v any) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			return inner, len(v) == 1
		}
	case []any:
		if len(v) == 1 {
			return v[0], true
		}
	}
	return nil, false
}

// compact is the JSON to keep: as it was written where nothing was changed.
func compact(value any, written string, same bool) string {
	if same && !strings.Contains(written, `\u0000`) {
		return strings.ToValidUTF8(written, "\uFFFD")
	}
	body, err := json.Marshal(withoutNUL(value))
	if err != nil {
		return written
	}
	return string(body)
}

func (*Form) around(o found, repair string) found {
	o.repairs = append(slices.Clone(o.repairs), repair)
	return o
}

// begins reports whether a text that cannot be read begins like an object of the form: with the name of a property.
func (f *Form) begins(text string) bool {
	properties, _ := f.shape["properties"].(map[string]any)
	name := strings.TrimLeft(text[1:], " \t\r\n\"'“”‘’")
	for p := range properties {
		if rest, ok := strings.CutPrefix(name, p); ok && strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n\"'“”‘’"), ":") {
			return true
		}
	}
	return false
}

// distinct keeps one of objects that say the same, however they are written.
func distinct(all []found) []found {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(o found) bool {
		_, value, err := checkJSON(o.text)
		if err != nil {
			return true
		}
		body, err := json.Marshal(value)
		if err != nil || seen[string(body)] {
			return true
		}
		seen[string(body)] = true
		return false
	})
}

// The marks between which models think before they answer; the last one ends what servers leave of it.
var thoughts = [][2]string{
	{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"}, {"<reasoning>", "</reasoning>"},
	{"[THINK]", "[/THINK]"}, {"<|channel|>analysis", "<|channel|>final<|message|>"},
}

// WithoutReasoning is an answer in words without the thoughts with which it begins. What stands later may be about thinking.
func WithoutReasoning(text string) string {
	rest, _ := withoutLeading(text)
	return rest
}

// withoutLeading takes away the thoughts with which a text begins; ones that never end leave nothing.
func withoutLeading(text string) (rest string, thought bool) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	for again := true; again; {
		again = false
		for _, marks := range thoughts {
			if !strings.HasPrefix(text, marks[0]) {
				continue
			}
			_, after, ended := strings.Cut(text, marks[1])
			if !ended {
				return "", true
			}
			text, thought, again = strings.TrimSpace(after), true, true
		}
	}
	return text, thought
}

// withoutThoughts is a reply without what the model thought before it, also where the server swallowed the opening mark. Thoughts
// that never end leave nothing.
func withoutThoughts(text string) (rest string, thought bool) {
	text, thought = withoutLeading(text)
	if text == "" || strings.ContainsRune("{[`", rune(text[0])) {
		return text, thought
	}
	for _, marks := range thoughts {
		before, after, ended := strings.Cut(text, marks[1])
		if ended && !strings.Contains(before, marks[0]) {
			inner, _ := withoutThoughts(after)
			return inner, true
		}
	}
	return text, thought
}
