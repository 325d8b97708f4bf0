package text

import (
	"slices"
	"strings"
	"unicode"
)

// Section is a part of a text between two headings.
type Section struct {
	Span
	Path []string // titles of the headings it stands under, the outermost first
}

// Heading is where a heading begins.
type Heading struct {
	Start int    // code point of its line
	Level int    // 1 is the outermost
	Title string // without its marks
}

// Headings finds the headings that Markdown marks in s: lines that begin with one to six # and a space, and lines that are underlined
// with = or -. Inside code fences there are none.
func Headings(s string) []Heading {
	var found []Heading
	fence, before, beforeAt, at := "", "", 0, 0
	for line := range strings.Lines(s) {
		bare := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch mark := fenceOf(bare); {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
			bare = ""
		case mark != "" && indent < 4:
			fence, bare = mark, ""
		case indent < 4 && hashes(bare) > 0:
			level := hashes(bare)
			found = append(found, Heading{Start: at, Level: level, Title: titleOf(bare[level:])})
			bare = ""
		case before != "" && bare != "" && (strings.Trim(bare, "=") == "" || len(bare) > 2 && strings.Trim(bare, "-") == ""):
			level := 1
			if bare[0] == '-' {
				level = 2
			}
			found = append(found, Heading{Start: beforeAt, Level: level, Title: before})
			bare = ""
		}
		before, beforeAt = paragraphLine(bare), at
		at += len([]rune(line))
	}
	return found
}

// fenceOf is the mark that opens a code fence: three or more ` or ~.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 && !strings.Contains(line[n:], "`") {
			return strings.Repeat(mark, n)
		}
	}
	return ""
}

// hashes is the level of a heading that is marked with #; 0 of any other line.
func hashes(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n == 0 || n > 6 || n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// titleOf takes closing marks off a title.
func titleOf(s string) string {
	s = strings.TrimSpace(s)
	if open := strings.TrimRight(s, "#"); open == "" || strings.HasSuffix(open, " ") {
		s = strings.TrimSpace(open)
	}
	return s
}

// paragraphLine is a line that can be underlined; "" of one that is a list item, a quote or a row of a table.
func paragraphLine(bare string) string {
	if bare == "" || strings.ContainsRune(">|-*+=", []rune(bare)[0]) {
		return ""
	}
	return bare
}

// Sections cuts s at its headings. A heading belongs to the section that it opens; one without a text of its own belongs to the next
// section, or is one itself at the end. White space alone is no section.
func Sections(s string, headings []Heading) []Section {
	runes := []rune(s)
	var out []Section
	var path []Heading
	start := 0
	flush := func(end int) {
		if span, ok := trim(runes, start, end); ok {
			titles := make([]string, len(path))
			for i, h := range path {
				titles[i] = h.Title
			}
			out = append(out, Section{Span: span, Path: titles})
		}
		start = end
	}
	for i, h := range headings {
		if i == 0 || !onlyHeading(runes, start, h.Start, headings[:i]) {
			flush(h.Start)
		}
		path = slices.DeleteFunc(slices.Clone(path), func(p Heading) bool { return p.Level >= h.Level })
		path = append(path, h)
	}
	flush(len(runes))
	return out
}

// onlyHeading reports whether nothing but lines of headings, and white space, stands in [start, end).
func onlyHeading(runes []rune, start, end int, headings []Heading) bool {
	last := headings[len(headings)-1].Start
	if last < start {
		return false
	}
	at := last
	for at < end && runes[at] != '\n' {
		at++
	}
	rest := strings.TrimLeftFunc(string(runes[at:end]), unicode.IsSpace)
	if rest == "" {
		return true
	}
	return !strings.HasPrefix(string(runes[last:]), "#") && strings.Trim(strings.TrimSpace(rest), "=-") == "" // underlined
}
