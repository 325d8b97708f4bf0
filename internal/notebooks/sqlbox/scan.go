package sqlbox

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// token is a piece of a statement. kind is w for a word, q for a name in quotes, s for a string, 0 for a number, : for a parameter,
// and otherwise the character itself.
type token struct {
	text string // of a name in quotes: without them
	kind byte
	at   int // byte of the statement
}

// tokens walks a statement without its blanks and comments. It is right about where names, strings and comments end and begin, and
// knows no grammar: that is the library's.
func tokens(sql string) iter.Seq[token] {
	return func(yield func(token) bool) {
		for at := 0; at < len(sql); {
			end, kind := piece(sql, at)
			if kind != ' ' {
				text := sql[at:end]
				if kind == 'q' && len(text) > 1 {
					text = strings.ReplaceAll(text[1:len(text)-1], `""`, `"`)
				}
				if !yield(token{text, kind, at}) {
					return
				}
			}
			at = end
		}
	}
}

// piece is where the piece at a byte ends, and its kind; a blank for what means nothing.
func piece(sql string, at int) (end int, kind byte) {
	until := func(from int, mark string) int {
		if i := strings.Index(sql[min(from, len(sql)):], mark); i >= 0 {
			return from + i + len(mark)
		}
		return len(sql)
	}
	switch c, rest := sql[at], sql[at:]; {
	case strings.IndexByte(" \t\r\n\f", c) >= 0:
		return at + 1, ' '
	case strings.HasPrefix(rest, "--"):
		return until(at, "\n"), ' '
	case strings.HasPrefix(rest, "/*"):
		return until(at+2, "*/"), ' '
	case c == '\'' || c == '"' || c == '`':
		end = at + 1
		for {
			if end = until(end, string(c)); end >= len(sql) || sql[end] != c {
				break
			}
			end++
		}
		return end, map[byte]byte{'\'': 's', '"': 'q', '`': 'q'}[c]
	case c == '[':
		return until(at, "]"), 'q'
	case wordByte(c):
		for end = at + 1; end < len(sql) && wordByte(sql[end]); {
			end++
		}
		if c >= '0' && c <= '9' {
			return end, '0'
		}
		return end, 'w'
	case strings.IndexByte(":@$?", c) >= 0:
		for end = at + 1; end < len(sql) && wordByte(sql[end]); {
			end++
		}
		return end, ':'
	default:
		return at + 1, c
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// ordered reports whether a statement ends with ORDER BY: outside of all parentheses it can stand nowhere else.
func ordered(sql string) bool {
	depth, before := 0, ""
	for t := range tokens(sql) {
		switch t.kind {
		case '(':
			depth++
		case ')':
			depth--
		}
		word := ""
		if t.kind == 'w' && depth == 0 {
			word = strings.ToUpper(t.text)
		}
		if before == "ORDER" && word == "BY" {
			return true
		}
		before = word
	}
	return false
}

// namedInside are the names, in lower case, that a statement gives itself: what stands before AS and a parenthesis, with or without a
// list of columns between.
func namedInside(sql string) map[string]bool {
	out := map[string]bool{}
	var open []token // the names before the parentheses that are open
	var last, name token
	for t := range tokens(sql) {
		switch {
		case t.kind == '(':
			open = append(open, last)
		case t.kind == ')' && len(open) > 0:
			last, open = open[len(open)-1], open[:len(open)-1]
			continue
		case t.kind == 'w' && strings.EqualFold(t.text, "as"):
			name = last
		}
		if t.kind == '(' && name.kind != 0 && strings.Contains("as materialized", lower(last.text)) && last.kind == 'w' {
			out[lower(name.text)] = true
		}
		last = t
	}
	return out
}

// RenameTable gives a table that a statement reads another name: where a table stands, and before the point of a column.
func RenameTable(sql, old, name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < utf8.RuneSelf && !wordByte(byte(r)) }) {
		name = quoted(name)
	}
	var all []token
	for t := range tokens(sql) {
		all = append(all, t)
	}
	stands, inFrom, last := map[int]bool{}, false, token{} // places of tokens
	var before []int
	for i, t := range all {
		switch word := strings.ToUpper(t.text); {
		case t.kind == 'w' && (word == "FROM" || word == "JOIN"):
			inFrom = true
		case t.kind == 'w' && strings.Contains(" SELECT WHERE GROUP ORDER HAVING LIMIT ON USING UNION ", " "+word+" "):
			inFrom = false
		case t.kind != 'w' && t.kind != 'q' || lower(t.text) != lower(old) || last.kind == '.':
		case i+1 < len(all) && all[i+1].kind == '.':
			before = append(before, t.at)
		case inFrom && (last.kind == ',' || strings.EqualFold(last.text, "from") || strings.EqualFold(last.text, "join")):
			stands[t.at] = true
		}
		last = t
	}
	if len(stands) > 0 { // else it is another table's short name
		for _, at := range before {
			stands[at] = true
		}
	}
	var out strings.Builder
	from := 0
	for _, t := range all {
		if stands[t.at] {
			out.WriteString(sql[from:t.at] + name)
			from, _ = piece(sql, t.at)
		}
	}
	return out.String() + sql[from:]
}
