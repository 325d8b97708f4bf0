package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/problem"
)

// moreLanguages are what some verbs take with --lang besides en and ja.
var moreLanguages = map[string]string{"report": "both", "demo": "en,ja"}

// checkLang refuses a language that a verb does not know.
func checkLang(p *program.Program, verb string) error {
	known := []string{"en", "ja"}
	if more := moreLanguages[verb]; more != "" {
		known = append(known, more)
	}
	if p.Flags.Lang == "" || slices.Contains(known, p.Flags.Lang) {
		return nil
	}
	return problem.New(problem.Invalid, "language", "--lang %s: there is no such language", p.Flags.Lang).
		WithHint("--lang takes %s; workbench %s --help", strings.Join(known, " or "), verb)
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

// translate puts the help of verbs, arguments and flags into this language.
func translate(l program.Language, node *kong.Node) {
	if l != program.Japanese {
		return
	}
	node.Help = l.Help(node.Help)
	if detail := l.Help(detailKey(node)); detail != detailKey(node) {
		node.Detail = detail
	}
	for _, f := range node.Flags {
		f.Help = l.Help(f.Help)
	}
	for _, a := range node.Positional {
		a.Help = l.Help(a.Help)
	}
	for _, child := range node.Children {
		translate(l, child)
	}
}
