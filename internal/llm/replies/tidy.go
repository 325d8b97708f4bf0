package replies

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// closing maps the marks that open a text to those that end it.
var closing = map[rune]string{'"': `"`, '\'': `'`, '“': `”`, '„': `“”`, '‘': `’`, '「': `」`}

// constants are the names of constants, as they are written in JSON and in Python.
var constants = map[string]string{"true": "true", "false": "false", "null": "null", "True": "true", "False": "false", "None": "null"}

// tidier rewrites one object in the manner of JSON. It decides nothing about structure: what it writes is read by a real decoder.
type tidier struct {
	in     string
	at     int
	out    []byte
	depth  int
	comma  int  // where in out a comma waits for the next value; -1: none does
	tidied bool // what came was not JSON
}

// tidy rewrites the object with which a text begins as JSON, and says how long it was there: 0 when it is none or has no end.
// Trailing commas and remarks go, other quotation marks and names without any become those of JSON, line breaks inside texts are
// escaped, and Python's constants are JSON's.
func tidy(text string) (written string, length int, tidied bool) {
	if !strings.HasPrefix(text, "{") {
		return "", 0, false
	}
	t := &tidier{in: text, comma: -1}
	for t.at < len(t.in) {
		r, size := utf8.DecodeRuneInString(t.in[t.at:])
		if !t.step(r, size) {
			return "", 0, false
		}
		if t.depth == 0 {
			return string(t.out), t.at, t.tidied
		}
	}
	return "", 0, false
}

func (t *tidier) step(r rune, size int) bool {
	switch {
	case unicode.IsSpace(r) || r == '\ufeff':
		if r != ' ' && r != '\n' && r != '\t' && r != '\r' {
			t.tidied = true
		} else {
			t.out = append(t.out, byte(r))
		}
		t.at += size
		return true
	case r == ',':
		if t.comma >= 0 {
			return false
		}
		t.comma, t.at = len(t.out), t.at+1
		t.out = append(t.out, ',')
		return true
	case r == '}' || r == ']':
		if t.comma >= 0 {
			t.out = slices.Delete(t.out, t.comma, t.comma+1)
			t.comma, t.tidied = -1, true
		}
		t.depth--
		t.out = append(t.out, byte(r))
		t.at++
		return t.depth >= 0
	case r == '/' || r == '#':
		return t.remark()
	}
	t.comma = -1
	switch {
	case r == '{' || r == '[':
		t.depth++
		fallthrough
	case r == ':':
		t.out = append(t.out, byte(r))
		t.at++
		return t.depth <= 100
	case closing[r] != "":
		return t.text(r, size)
	}
	return t.word()
}

// remark leaves out a comment.
func (t *tidier) remark() bool {
	rest := t.in[t.at:]
	end := -1
	switch {
	case strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, "//"):
		if end = strings.IndexByte(rest, '\n'); end < 0 {
			return false
		}
	case strings.HasPrefix(rest, "/*"):
		if end = strings.Index(rest, "*/"); end < 0 {
			return false
		}
		end += len("*/")
	default:
		return false
	}
	t.at += end
	t.tidied = true
	return true
}

// text writes a text with JSON's quotation marks.
func (t *tidier) text(open rune, size int) bool {
	ends := closing[open]
	if open == '"' {
		if n := jsonString(t.in[t.at:]); n > 0 {
			t.out = append(t.out, t.in[t.at:t.at+n]...)
			t.at += n
			return true
		}
	}
	t.tidied = true
	t.out = append(t.out, '"')
	for i := t.at + size; i < len(t.in); {
		r, n := utf8.DecodeRuneInString(t.in[i:])
		switch {
		case strings.ContainsRune(ends, r):
			t.out = append(t.out, '"')
			t.at = i + n
			return true
		case r == '\\' && i+1 < len(t.in):
			next, m := utf8.DecodeRuneInString(t.in[i+1:])
			if next != '\'' {
				t.out = append(t.out, '\\')
			}
			t.out = utf8.AppendRune(t.out, next)
			i += 1 + m
			continue
		case r == '"':
			t.out = append(t.out, `\"`...)
		case r == '\n':
			t.out = append(t.out, `\n`...)
		case r == '\t':
			t.out = append(t.out, `\t`...)
		case r == '\r':
		case r < ' ':
			return false
		default:
			t.out = append(t.out, t.in[i:i+n]...)
		}
		i += n
	}
	return false
}

// word writes a number, a constant, or a name that stands without quotation marks.
func (t *tidier) word() bool {
	rest := t.in[t.at:]
	n := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && r != '-' && r != '+' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if n <= 0 {
		return false
	}
	w := rest[:n]
	constant, known := constants[w]
	after := strings.TrimLeft(rest[n:], " \t\r\n")
	switch {
	case strings.HasPrefix(after, ":"):
		t.tidied = true
		t.out = append(t.out, `"`+w+`"`...)
	case known:
		t.tidied = t.tidied || constant != w
		t.out = append(t.out, constant...)
	case w[0] == '-' || w[0] >= '0' && w[0] <= '9':
		t.out = append(t.out, w...)
	default:
		return false
	}
	t.at += n
	return true
}

// jsonString is the length of the JSON text with which s begins; 0 when it has no end or holds what JSON escapes.
func jsonString(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '"':
			return i + 1
		case s[i] < ' ':
			return 0
		}
	}
	return 0
}
