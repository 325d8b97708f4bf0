package program

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// indented writes what an encoder of JSON gives it, which is one value without space and a new line, with its parts on lines of their own:
// the bytes are those of [json.Encoder.SetIndent] with two spaces, which takes three times as long and a copy of the whole.
type indented struct{ to io.Writer }

// spaces begin a line; a deeper one takes them again.
var spaces = "\n" + strings.Repeat("  ", 31)

func (w indented) Write(value []byte) (int, error) {
	out := bufio.NewWriterSize(w.to, 1<<16) // its first error is kept, and told in the end
	depth, empty := 0, false                // empty: nothing stands yet in what was opened last
	line := func() {
		_, _ = out.WriteString(spaces[:min(1+2*depth, len(spaces))])
		for more := 2*depth - len(spaces) + 1; more > 0; more -= len(spaces) - 1 {
			_, _ = out.WriteString(spaces[1:min(1+more, len(spaces))])
		}
	}
	for rest := value; len(rest) > 0; {
		c := rest[0]
		closes := c == '}' || c == ']'
		if empty && !closes {
			depth++
			line()
		} else if closes && !empty {
			depth--
			line()
		}
		empty = c == '{' || c == '['
		n := 1
		switch c {
		case '"':
			n = quoted(rest)
		case '{', '[', '}', ']', ',', ':', '\n':
		default: // a number or a word
			if n = bytes.IndexAny(rest, ",}]\n"); n < 0 {
				n = len(rest)
			}
		}
		_, _ = out.Write(rest[:n])
		switch c {
		case ',':
			line()
		case ':':
			_ = out.WriteByte(' ')
		}
		rest = rest[n:]
	}
	return len(value), out.Flush()
}

// quoted is how long the text is that bytes begin with, its quotes included.
func quoted(b []byte) int {
	for n := 1; ; {
		end := bytes.IndexByte(b[n:], '"')
		if end < 0 {
			return len(b)
		}
		n += end + 1
		escapes := 0
		for escapes < n-2 && b[n-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return n
		}
	}
}
