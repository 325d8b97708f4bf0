package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// language is that of what the program prints: "en" or "ja".
type language string

const (
	english  language = "en"
	japanese language = "ja"
)

// lang is the language asked for with --lang, else that of the locale.
func (p *program) lang() language {
	if p.flags != nil && (p.flags.Lang == "en" || p.flags.Lang == "ja") {
		return language(p.flags.Lang)
	}
	return localeOf(p.getenv)
}

// localeOf is the language of the environment, by the rules of POSIX: LC_ALL before LC_MESSAGES before LANG.
func localeOf(getenv func(string) string) language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			if strings.HasPrefix(strings.ToLower(v), "ja") {
				return japanese
			}
			return english
		}
	}
	return english
}

// moreLanguages are what some verbs take with --lang besides en and ja.
var moreLanguages = map[string]string{"report": "both", "demo": "en,ja"}

// checkLang refuses a language that a verb does not know.
func (p *program) checkLang(verb string) error {
	known := []string{"en", "ja"}
	if more := moreLanguages[verb]; more != "" {
		known = append(known, more)
	}
	if p.flags.Lang == "" || slices.Contains(known, p.flags.Lang) {
		return nil
	}
	return problem.New(problem.Invalid, "language", "--lang %s: there is no such language", p.flags.Lang).
		WithHint("--lang takes %s; workbench %s --help", strings.Join(known, " or "), verb)
}

// written is the language of what the verb writes: the one asked for, else that of the locale.
func (p *program) written() string {
	if p.flags.Lang != "" {
		return p.flags.Lang
	}
	return string(p.lang())
}

//go:embed japanese.json
var japaneseJSON []byte

// japaneseTexts holds the Japanese of every English text, by the English one. Formats take the same arguments; where their order differs
// they are numbered, as in %[2]s.
var japaneseTexts = sync.OnceValue(func() map[string]string {
	texts := map[string]string{}
	if err := json.Unmarshal(japaneseJSON, &texts); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return texts
})

// format is an English format in this language; one that is not translated stays English.
func (l language) format(english string) string {
	if l == japanese {
		if text, ok := japaneseTexts()[english]; ok {
			return text
		}
	}
	return english
}

// text is an English format in this language, filled in.
func (l language) text(format string, args ...any) string {
	return fmt.Sprintf(l.format(format), args...)
}

// many is "1 call" or "3 calls".
func (l language) many(n int, noun string) string {
	if l == japanese {
		if counted, ok := japaneseTexts()["%d "+noun]; ok {
			return fmt.Sprintf(counted, n)
		}
	}
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// metric is the name of a metric: its id in English, because tables and files have it; its title in Japanese.
func (l language) metric(id string) string {
	if spec, ok := metrics.Find(id); ok && l == japanese {
		return spec.TitleJA
	}
	return id
}

// decided names the metrics that decide a comparison, the first one first.
func (l language) decided(c compare.Comparison) string {
	names := make([]string, len(c.DecideBy))
	for i, id := range c.DecideBy {
		names[i] = printable(l.metric(id))
	}
	return strings.Join(names, l.format(", then "))
}

// list joins parts as the language does.
func (l language) list(parts []string) string {
	if l == japanese {
		return strings.Join(parts, "、")
	}
	return strings.Join(parts, ", ")
}

// problem is a problem in this language: what is wrong, and in Japanese below it the English sentence, which says where.
func (l language) problem(what *problem.Problem) (message, detail, hint string) {
	if l != japanese {
		return what.Message, "", what.Hint
	}
	title := frontend.ProblemTitle(string(l), what.Code, what.Params)
	if title == "" {
		return what.Message, "", what.Hint
	}
	return title, what.Message, what.Hint
}

// langAmong is what --lang says among arguments that nobody has parsed: help and mistakes come before parsing ends.
func langAmong(args []string) string {
	for i, a := range args {
		if a == "--lang" && i+1 < len(args) {
			return args[i+1]
		}
		if lang, ok := strings.CutPrefix(a, "--lang="); ok {
			return lang
		}
	}
	return ""
}

// detailKey is where the longer help of a verb stands among the Japanese texts.
func detailKey(n *kong.Node) string { return "help of " + n.FullPath() }

// translate puts the help of the verbs of a first day, and of the flags that all verbs have, into this language.
func (l language) translate(node *kong.Node) {
	if l != japanese {
		return
	}
	node.Help = l.format(node.Help)
	if detail := l.format(detailKey(node)); detail != detailKey(node) {
		node.Detail = detail
	}
	for _, f := range node.Flags {
		f.Help = l.format(f.Help)
	}
	for _, a := range node.Positional {
		a.Help = l.format(a.Help)
	}
	for _, child := range node.Children {
		l.translate(child)
	}
}
