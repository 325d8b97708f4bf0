package problem

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Catalogue is a file of texts in another language by the English ones: a JSON object with one pair on each line. It is read when something
// is first looked for, and a text is unquoted when it is found: a command says few of them, and starts without waiting for the others.
type Catalogue struct {
	read func() map[string]string
}

// NewCatalogue is the catalogue of a file.
func NewCatalogue(file string) *Catalogue {
	return &Catalogue{read: sync.OnceValue(func() map[string]string {
		quoted := make(map[string]string, strings.Count(file, "\n"))
		for line := range strings.SplitSeq(file, "\n") {
			line = strings.TrimSuffix(strings.TrimSpace(line), ",")
			if key, err := strconv.QuotedPrefix(line); err == nil {
				quoted[unquoted(key)] = strings.TrimPrefix(line[len(key):], ": ")
			}
		}
		return quoted
	})}
}

// Find is the text for an English one.
func (c *Catalogue) Find(english string) (string, bool) {
	text, ok := c.read()[english]
	if !ok {
		return "", false
	}
	return unquoted(text), true
}

// keys are the English texts, in their order.
func (c *Catalogue) keys() []string { return slices.Sorted(maps.Keys(c.read())) }

// unquoted takes a text of the file out of its quotation marks; files are written without escapes that Go lacks, and a test reads them.
func unquoted(text string) string {
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return text
}
