package compare

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// Note is something a reader should know: a stable code with parameters, and words for it in each language.
type Note struct {
	Code   string         `json:"code"`
	Params map[string]any `json:"params,omitempty"`
}

// newNote makes a note; args are pairs of name and value.
func newNote(code string, args ...any) Note {
	n := Note{Code: code}
	for i := 0; i+1 < len(args); i += 2 {
		if n.Params == nil {
			n.Params = map[string]any{}
		}
		n.Params[args[i].(string)] = args[i+1]
	}
	return n
}

// Text is the note in words, in "ja" or else English. A code without words is returned as it is.
func (n Note) Text(lang string) string { return say(lang, n.Code, n.Params) }

// String is the note in English.
func (n Note) String() string { return n.Text("en") }

// MarshalJSON adds the English words as "message", for logs and scripts, and the Japanese ones as "message_ja".
func (n Note) MarshalJSON() ([]byte, error) {
	type plain Note // without this method
	return json.Marshal(struct {
		plain
		Message   string `json:"message"`
		MessageJA string `json:"message_ja"`
	}{plain(n), n.Text("en"), n.Text("ja")})
}

// placeholder matches {name}, and {name?singular|plural} for words that follow a count.
var placeholder = text.Lazy(`\{([a-z_]+)(?:\?([^|{}]*)\|([^|{}]*))?\}`)

// say returns the words for a key with its parameters filled in.
func say(lang, key string, params map[string]any) string {
	both, ok := words[key]
	if !ok {
		return key
	}
	phrase := both[0]
	if lang == "ja" {
		phrase = both[1]
	}
	var out strings.Builder
	for _, p := range segmentsOf(phrase) {
		out.WriteString(p.before)
		value, ok := params[p.name]
		switch {
		case !ok:
			out.WriteString(p.whole)
		case !p.counted:
			out.WriteString(spoken(lang, value))
		case fmt.Sprint(value) == "1":
			out.WriteString(p.one)
		default:
			out.WriteString(p.many)
		}
	}
	return out.String()
}

// spoken is a parameter within words of a language.
func spoken(lang string, value any) string {
	if inner, isText := value.(interface{ Text(lang string) string }); isText {
		return inner.Text(lang)
	}
	return written(value)
}

// segment is a placeholder of a phrase with what stands before it; the last of a phrase is what follows all of them.
type segment struct {
	before, whole, name string
	counted             bool // it is not the value that is written, but the words of one or of many
	one, many           string
}

// segments are those of phrases that were said before: some are said of each of thousands of answers.
var segments sync.Map // of string to []segment

func segmentsOf(phrase string) []segment {
	if known, ok := segments.Load(phrase); ok {
		return known.([]segment) //nolint:forcetypeassert // nothing else is kept
	}
	var out []segment
	from := 0
	for _, at := range placeholder.FindAllStringSubmatchIndex(phrase, -1) {
		p := segment{before: phrase[from:at[0]], whole: phrase[at[0]:at[1]], name: phrase[at[2]:at[3]], counted: at[4] >= 0}
		if p.counted {
			p.one, p.many = phrase[at[4]:at[5]], phrase[at[6]:at[7]]
		}
		out, from = append(out, p), at[1]
	}
	out = append(out, segment{before: phrase[from:]})
	segments.Store(phrase, out)
	return out
}

// listed are notes in one line: at most five, and how many more there are.
type listed []Note

// Text is the list in words, in "ja" or else English.
func (l listed) Text(lang string) string {
	const most = 5
	said := make([]string, 0, most)
	for _, n := range l[:min(most, len(l))] {
		said = append(said, n.Text(lang))
	}
	line := strings.Join(said, say(lang, "list.comma", nil))
	if more := len(l) - most; more > 0 {
		return say(lang, "list.more", map[string]any{"first": line, "n": more})
	}
	return line
}

// listOf lists names.
func listOf(names []string) listed {
	l := make(listed, len(names))
	for i, name := range names {
		l[i] = newNote("list.name", "name", name)
	}
	return l
}

// questionNote is a question's id within a sentence: a bare number would read as a count.
func questionNote(id string) Note {
	if _, err := strconv.ParseFloat(id, 64); err == nil {
		return newNote("gate.question", "id", id)
	}
	return newNote("list.name", "name", id)
}

// metricNote is a metric as a parameter: its id in English, because tables and files have it; its title in Japanese.
func metricNote(id string) Note {
	if id == experiments.LowScoreShare {
		return newNote("title", "en", id, "ja", "低スコア回答の割合")
	}
	spec, known := metrics.Find(id)
	if en, ja, imported := metrics.ImportedTitle(id); imported {
		return newNote("title", "en", en, "ja", ja)
	}
	if !known {
		return newNote("title", "en", id, "ja", id)
	}
	return newNote("title", "en", id, "ja", title(spec, "ja"))
}

// written is a parameter in words: numbers with at most three digits after the point, and without zeros at the end.
func written(value any) string {
	f, ok := value.(float64)
	if !ok {
		return fmt.Sprint(value)
	}
	return trimmed(f, 3)
}

// trimmed writes f with at most so many decimals.
func trimmed(f float64, decimals int) string {
	s := stats.Fixed(f, decimals)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// signed is a number with two decimals, trimmed, and a sign before positive ones too.
func signed(f float64) string {
	s := trimmed(f, 2)
	if f > 0 && s != "0" {
		return "+" + s
	}
	return s
}
