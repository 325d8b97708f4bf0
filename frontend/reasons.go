package frontend

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/problem"
)

//go:embed src/pages/schedules/reasons.json
var reasonPatterns []byte

// reason is a sentence that the program writes about a slot of a schedule, with the words that the pages have for it.
type reason struct {
	pattern *regexp.Regexp
	key     string   // below schedules.why
	names   []string // of the parts; one with @ is a moment, one with = a reason itself
}

var reasons = sync.OnceValue(func() []reason {
	var read struct {
		Moment string
		Known  [][]string
	}
	if err := json.Unmarshal(reasonPatterns, &read); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	list := make([]reason, len(read.Known))
	for i, k := range read.Known {
		list[i] = reason{regexp.MustCompile(strings.ReplaceAll(k[0], "{moment}", read.Moment)), k[1], k[2:]}
	}
	return list
})

// Reason is why a slot of a schedule ended as it did, or a schedule is paused, in the words of the pages; at writes a moment of it. A
// problem is said in its own words of the language; what others wrote, such as the words of a provider, stays as it is.
func Reason(lang, written string, at func(moment string) string) string {
	if said, ok := knownReason(lang, written, at); ok {
		return said
	}
	parts := strings.Split(written, "; ")
	for i, part := range parts {
		if said, ok := knownReason(lang, part, at); ok {
			parts[i] = said
		} else if lang == "ja" {
			parts[i], _ = problem.Japanese(part)
		}
	}
	return strings.Join(parts, Words(lang, "schedules.joint"))
}

func knownReason(lang, written string, at func(moment string) string) (string, bool) {
	for _, r := range reasons() {
		found := r.pattern.FindStringSubmatch(written)
		if found == nil {
			continue
		}
		said := Words(lang, "schedules.why."+r.key)
		for i, name := range r.names {
			value := found[i+1]
			switch {
			case strings.HasPrefix(name, "@"):
				name, value = name[1:], at(value)
			case strings.HasPrefix(name, "="):
				name, value = name[1:], Reason(lang, value, at)
			case name == "why" && lang == "ja":
				value, _ = problem.Japanese(value)
			}
			said = strings.ReplaceAll(said, "{{"+name+"}}", value)
		}
		return said, true
	}
	return "", false
}
