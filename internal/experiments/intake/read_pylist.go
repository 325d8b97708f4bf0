package intake

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxLiteralDepth bounds lists within lists.
const maxLiteralDepth = 50

// ParsePython reads a Python literal as a data frame writes it into a cell: lists, tuples, dictionaries with string
// keys, strings, numbers, True, False, None and nan. Values are those of encoding/json with numbers as json.Number.
func ParsePython(s string) (v any, ok bool) {
	p := &pythonParser{s: s}
	v, ok = p.value(0)
	p.blank()
	return v, ok && p.s == ""
}

// pythonParser consumes s from its start.
type pythonParser struct{ s string }

func (p *pythonParser) blank() { p.s = strings.TrimLeft(p.s, " \t\r\n") }

// take consumes c if it comes next, after white space.
func (p *pythonParser) take(c byte) bool {
	p.blank()
	if p.s == "" || p.s[0] != c {
		return false
	}
	p.s = p.s[1:]
	return true
}

func (p *pythonParser) value(depth int) (any, bool) {
	if p.blank(); p.s == "" || depth > maxLiteralDepth {
		return nil, false
	}
	switch p.s[0] {
	case '[':
		return p.list('[', ']', depth)
	case '(':
		return p.list('(', ')', depth)
	case '{':
		return p.dict(depth)
	case '\'', '"':
		return p.str()
	}
	end := strings.IndexAny(p.s, ",]})")
	if end < 0 {
		end = len(p.s)
	}
	word := strings.TrimSpace(p.s[:end])
	p.s = p.s[end:]
	switch word {
	case "True":
		return true, true
	case "False":
		return false, true
	case "None", "nan":
		return nil, true
	}
	if _, err := strconv.ParseFloat(word, 64); err != nil || strings.ContainsAny(word, "xXpPiIn_") {
		return nil, false
	}
	return json.Number(word), true
}

func (p *pythonParser) list(open, closing byte, depth int) (any, bool) {
	items := []any{}
	for p.take(open); !p.take(closing); {
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		items = append(items, v)
		if p.take(',') {
			continue
		}
		return items, p.take(closing)
	}
	return items, true
}

func (p *pythonParser) dict(depth int) (any, bool) {
	entries := map[string]any{}
	for p.take('{'); !p.take('}'); {
		if p.blank(); p.s == "" || p.s[0] != '\'' && p.s[0] != '"' {
			return nil, false
		}
		key, ok := p.str()
		if !ok || !p.take(':') {
			return nil, false
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		entries[key.(string)] = v
		if p.take(',') {
			continue
		}
		return entries, p.take('}')
	}
	return entries, true
}

// simpleEscapes are the escapes of one character; the line end continues a string on the next line.
var simpleEscapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': `"`, '\n': ""}

// str reads a string in single or double quotation marks.
func (p *pythonParser) str() (any, bool) {
	quote := p.s[0]
	var b strings.Builder
	for i := 1; i < len(p.s); i++ {
		c := p.s[i]
		switch {
		case c == quote:
			p.s = p.s[i+1:]
			return b.String(), true
		case c != '\\':
			b.WriteByte(c)
		case i+1 >= len(p.s):
			return nil, false
		default:
			i++
			if text, ok := simpleEscapes[p.s[i]]; ok {
				b.WriteString(text)
				continue
			}
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[p.s[i]]
			if digits == 0 { // Python keeps the backslash of an escape it does not know
				b.WriteByte('\\')
				b.WriteByte(p.s[i])
				continue
			}
			if i+digits >= len(p.s) {
				return nil, false
			}
			code, err := strconv.ParseUint(p.s[i+1:i+1+digits], 16, 32)
			if err != nil || !utf8.ValidRune(rune(code)) {
				return nil, false
			}
			b.WriteRune(rune(code))
			i += digits
		}
	}
	return nil, false
}
