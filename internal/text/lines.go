package text

import (
	"fmt"
	"strings"
)

// Lines says how a becomes b line by line: every piece is one line with its end.
func Lines(a, b string) []Change {
	before, after := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	trim := func(list []string) []string {
		if list[len(list)-1] == "" {
			list = list[:len(list)-1]
		}
		return list
	}
	return diffed(trim(before), trim(after))
}

// Unified is the difference of two texts as `diff -u` and Git write it, with three lines around each change; "" for equal texts.
func Unified(from, to, a, b string) string {
	const around = 3
	list := Lines(a, b)
	shown := make([]bool, len(list))
	for i, c := range list {
		if c.Edit != Equal {
			for j := max(0, i-around); j <= min(len(list)-1, i+around); j++ {
				shown[j] = true
			}
		}
	}
	var out strings.Builder
	lineA, lineB := 1, 1
	for i := 0; i < len(list); {
		if !shown[i] {
			i, lineA, lineB = i+1, lineA+1, lineB+1
			continue
		}
		var body strings.Builder
		startA, startB := lineA, lineB
		for ; i < len(list) && shown[i]; i++ {
			c := list[i]
			sign := " "
			switch c.Edit {
			case Equal:
				lineA, lineB = lineA+1, lineB+1
			case Deleted:
				sign, lineA = "-", lineA+1
			case Inserted:
				sign, lineB = "+", lineB+1
			}
			body.WriteString(sign + c.Text)
			if !strings.HasSuffix(c.Text, "\n") {
				body.WriteString("\n\\ No newline at end of file\n")
			}
		}
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n%s", extent(startA, lineA), extent(startB, lineB), body.String())
	}
	return out.String()
}

// extent is where lines begin, and how many they are; of none the line before them.
func extent(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from-1)
	case 1:
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d,%d", from, to-from)
}
