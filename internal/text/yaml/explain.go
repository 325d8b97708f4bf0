package yaml

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// explained says of a text that the library refused what a person did: where a bracket is open, a line stands too far right, a colon is
// missing. line is where the library stopped, which may be far behind the slip, and theirs what it said there.
func explained(raw []byte, line int, theirs string) *Mistake {
	lines := strings.Split(strings.ReplaceAll(string(raw), "\r", ""), "\n")
	if twice := writtenTwice.FindStringSubmatch(theirs); twice != nil {
		return wrong(line, "%s is written twice", problem.Both(twice[1], twice[1])).write("leave one of the two out")
	}
	for _, look := range []func([]string, int) *Mistake{tabbed, unclosed, misindented, withoutColon, colonInText, reservedStart} {
		if m := look(lines, line); m != nil {
			return m
		}
	}
	return wrong(line, "the line cannot be read")
}

var writtenTwice = text.Lazy(`(?:mapping|duplicate) key "(.+?)"`)

// at is a line by its number from 1; "" beyond the text.
func at(lines []string, number int) string {
	if number < 1 || number > len(lines) {
		return ""
	}
	return lines[number-1]
}

// near are the numbers of the lines about a place, the place first: the library may stop a line before or behind the slip.
func near(line int) []int { return []int{line, line - 1, line + 1} }

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// tabbed finds a line that is indented with a tab.
func tabbed(lines []string, line int) *Mistake {
	for _, number := range near(line) {
		if strings.Contains(indentOf(at(lines, number)), "\t") {
			return wrong(number, "the line is indented with a tab, and YAML takes spaces").
				write("put spaces in place of the tab, two for each step")
		}
	}
	return nil
}

// codeOf is a line without its comment, with what stands in quotation marks blanked out.
func codeOf(line string) (code string, open rune) {
	var out strings.Builder
	before := ' '
	for _, c := range line {
		switch {
		case open != 0:
			if c == open && before != '\\' {
				open = 0
			}
			out.WriteByte('_')
		case (c == '"' || c == '\'') && strings.ContainsRune(" [{,:", before):
			open = c
			out.WriteByte('_')
		case c == '#' && (before == ' ' || before == '\t'):
			return out.String(), 0
		default:
			out.WriteRune(c)
		}
		before = c
	}
	return out.String(), open
}

// blocks marks the lines of texts of several lines, which begin behind | or >: they mean nothing to YAML.
func blocks(lines []string) []bool {
	out := make([]bool, len(lines))
	within := -1
	for i, line := range lines {
		indent := len(indentOf(line))
		if strings.TrimSpace(line) == "" {
			out[i] = within >= 0
			continue
		}
		if within >= 0 && indent > within {
			out[i] = true
			continue
		}
		within = -1
		code, _ := codeOf(line)
		if blockStart.MatchString(strings.TrimRight(code, " ")) {
			within = indent
		}
	}
	return out
}

var blockStart = text.Lazy(`(?:^|[:\-] )[|>][+\-0-9]*$`)

// unclosed finds a bracket or a quotation mark that is open at the end of the text, and one too many.
func unclosed(lines []string, line int) *Mistake {
	type bracket struct {
		sign rune
		line int
	}
	var open []bracket
	inBlock := blocks(lines)
	pairs := map[rune]rune{'}': '{', ']': '['}
	closing := map[rune]string{'{': "}", '[': "]"}
	for i, text := range lines {
		code, quote := codeOf(text)
		if inBlock[i] {
			continue
		}
		if quote != 0 && i+1 <= line+1 && i+1 >= line-1 {
			return wrong(i+1, "a quotation mark is opened and not closed").write("end the text with %c too", quote)
		}
		if len(open) == 0 && !strings.Contains(code, ": {") && !strings.Contains(code, ": [") && !strings.Contains(code, "- {") &&
			!strings.Contains(code, "- [") && !strings.HasPrefix(strings.TrimSpace(code), "{") &&
			!strings.HasPrefix(strings.TrimSpace(code), "[") {
			continue // a bracket within a text
		}
		for _, c := range code {
			switch c {
			case '{', '[':
				open = append(open, bracket{c, i + 1})
			case '}', ']':
				if len(open) == 0 {
					return wrong(i+1, "there is one %c too many", c).write("take it out, or open it before")
				}
				last := open[len(open)-1]
				if last.sign != pairs[c] {
					return wrong(last.line, "the bracket %c is not closed", last.sign).write("end it with %s", closing[last.sign])
				}
				open = open[:len(open)-1]
			}
		}
	}
	if len(open) == 0 {
		return nil
	}
	last := open[len(open)-1]
	return wrong(last.line, "the bracket %c is not closed", last.sign).write("end it with %s", closing[last.sign])
}

var namedLine = text.Lazy(`^( *)((?:- +)*)([^\s:#\[{"'][^:#]*|"[^"]*"|'[^']*'):(?: +(.*))?$`)

// misindented finds the first line that stands where no line may begin.
func misindented(lines []string, line int) *Mistake {
	inBlock := blocks(lines)
	begins, above, valued, depth := []int{}, 0, false, 0
	for i, text := range lines {
		code, _ := codeOf(text)
		bare := strings.TrimSpace(code)
		if bare == "" || inBlock[i] || i+1 > line+1 {
			continue
		}
		if depth > 0 { // within brackets lines stand as they like
			depth += strings.Count(code, "{") + strings.Count(code, "[") - strings.Count(code, "}") - strings.Count(code, "]")
			continue
		}
		indent := len(indentOf(text))
		m := namedLine.FindStringSubmatch(strings.TrimRight(code, " "))
		if m != nil && len(begins) > 0 {
			if indent > above && valued {
				return wrong(i+1, "the line is indented further than the line above it, which has a value already").
					write("begin it in the same column as the lines beside it, %d spaces in", above)
			}
			for len(begins) > 0 && begins[len(begins)-1] > indent {
				begins = begins[:len(begins)-1]
			}
			if indent < above && (len(begins) == 0 || begins[len(begins)-1] != indent) {
				return wrong(i+1, "the line is indented as none of the lines above it").
					write("lines that belong together begin in the same column; count the spaces before them")
			}
		}
		depth = max(0, strings.Count(code, "{")+strings.Count(code, "[")-strings.Count(code, "}")-strings.Count(code, "]"))
		if m == nil {
			continue
		}
		above, valued = indent+len(m[2]), strings.TrimSpace(m[4]) != "" && !strings.HasPrefix(strings.TrimSpace(m[4]), "|") &&
			!strings.HasPrefix(strings.TrimSpace(m[4]), ">") && !strings.HasPrefix(strings.TrimSpace(m[4]), "&")
		for _, b := range []int{indent, above} {
			if len(begins) == 0 || begins[len(begins)-1] < b {
				begins = append(begins, b)
			}
		}
	}
	return nil
}

var twoWords = text.Lazy(`^( *(?:- +)?)([\p{L}_][\p{L}\p{N}_.-]*)(:?)\s*(.*)$`)

// withoutColon finds a line without a colon behind its name, or without a space behind that.
func withoutColon(lines []string, line int) *Mistake {
	inBlock := blocks(lines)
	for _, number := range near(line) {
		code, _ := codeOf(at(lines, number))
		code = strings.TrimRight(code, " ")
		m := twoWords.FindStringSubmatch(code)
		if m == nil || inBlock[number-1] || strings.Contains(code, ": ") || strings.HasSuffix(code, ":") ||
			strings.HasPrefix(strings.TrimSpace(code), "- ") {
			continue
		}
		value := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(at(lines, number)), m[2]+m[3]))
		if m[3] == ":" {
			return wrong(number, "there is no space behind the colon").write("with a colon and a space it reads %s: %s", m[2], value)
		}
		if value == "" {
			value = "…"
		}
		return wrong(number, "there is no colon between the name and its value").write("with a colon and a space it reads %s: %s", m[2], text.Cut(value, 60))
	}
	return nil
}

// colonInText finds a text that holds a colon and stands without quotation marks.
func colonInText(lines []string, line int) *Mistake {
	inBlock := blocks(lines)
	for _, number := range near(line) {
		written := at(lines, number)
		code, _ := codeOf(written)
		m := namedLine.FindStringSubmatch(strings.TrimRight(code, " "))
		if m == nil || inBlock[number-1] || m[4] == "" || strings.ContainsAny(m[4][:1], `[{_|>&*!`) ||
			!strings.Contains(m[4], ": ") && !strings.HasSuffix(m[4], ":") {
			continue
		}
		_, value, _ := strings.Cut(written, ":")
		return wrong(number, "the text of %s holds a colon, and stands without quotation marks", problem.Both(m[3], m[3])).
			write("put the text in quotation marks: %s: %q", m[3], text.Cut(strings.TrimSpace(value), 60))
	}
	return nil
}

// reservedStart finds a text that begins with a sign of YAML.
func reservedStart(lines []string, line int) *Mistake {
	for _, number := range near(line) {
		name, value, named := strings.Cut(at(lines, number), ":")
		value = strings.TrimSpace(value)
		if named && value != "" && strings.ContainsAny(value[:1], "@`%*&!|>") {
			name = strings.TrimLeft(strings.TrimSpace(name), "- ")
			return wrong(number, "the text of %s begins with %s, which means something to YAML", problem.Both(name, name), value[:1]).
				write("put the text in quotation marks: %s: %q", name, text.Cut(value, 60))
		}
	}
	return nil
}
