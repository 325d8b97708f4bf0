package main

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// helpTexts are the English of all that help says, by its key: of all verbs, arguments, flags and groups, and of the printer itself.
func helpTexts(t *testing.T) map[string]string {
	t.Helper()
	parser, err := kong.New(&cli{}, kong.Name("workbench"), kong.Description(description), kong.ExplicitGroups(groups),
		kong.Vars{"data": "", "database": "", "config": "", "memory": ""})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	say := func(keys ...string) {
		for _, key := range keys {
			texts[key] = key
		}
	}
	say("<command>", "[flags]", "Arguments:", "Flags:", "Commands:", "Show what the verb does.")
	for _, group := range groups {
		say(group.Title)
	}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		say(n.Help)
		if n.Detail != "" {
			texts[detailKey(n)] = n.Detail
		}
		for _, f := range n.Flags {
			say(f.Help)
			if f.Group != nil {
				say(f.Group.Title)
			}
		}
		for _, a := range n.Positional {
			say(a.Help)
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
	delete(texts, "")
	return texts
}

var (
	japaneseLetters = regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}]`)
	flagsNamed      = regexp.MustCompile(`--[a-z][a-z-]*`)
	exitCodes       = regexp.MustCompile(`\b\d\b`)
)

// TestEveryHelpIsJapaneseToo walks the verbs as the parser knows them: help without Japanese fails, and so do Japanese of what no help
// says, and Japanese that names other flags, or other codes to exit with.
func TestEveryHelpIsJapaneseToo(t *testing.T) {
	t.Parallel()
	english, japanese := helpTexts(t), japaneseTexts(t, "japanese_help.json")
	if len(english) < 600 {
		t.Fatalf("only %d texts: where is the help?", len(english))
	}
	for key, en := range english {
		ja := japanese[key]
		if !japaneseLetters.MatchString(ja) {
			t.Errorf("japanese_help.json has no Japanese for %q", key)
			continue
		}
		if got := program.Japanese.Help(key); got != ja {
			t.Errorf("the program reads %q in japanese_help.json as %q", ja, got)
		}
		if want, got := flagsIn(en), flagsIn(ja); !slices.Equal(want, got) {
			t.Errorf("%q names the flags %v, its Japanese %v", key, want, got)
		}
		if _, codes, ok := strings.Cut(en, "Exit codes:"); ok {
			_, said, _ := strings.Cut(ja, "終了コード：")
			want, got := exitCodes.FindAllString(codes, -1), exitCodes.FindAllString(said, -1)
			if !slices.Equal(want, got) {
				t.Errorf("%q tells the exit codes %v, its Japanese %v", key, want, got)
			}
		}
	}
	for key := range japanese {
		if english[key] == "" {
			t.Errorf("japanese_help.json has %q, which no help says", key)
		}
	}
}

// flagsIn are the flags that a text names, each once.
func flagsIn(text string) []string {
	return slices.Compact(slices.Sorted(slices.Values(flagsNamed.FindAllString(text, -1))))
}

// TestHelpInJapaneseFitsTheTerminal reads the help of every verb: none of its own lines is wider than the terminal but those that stand as
// they are written, such as examples, and none of the parser's English is left.
func TestHelpInJapaneseFitsTheTerminal(t *testing.T) {
	t.Parallel()
	asWritten := map[string]bool{}
	for _, ja := range japaneseTexts(t, "japanese_help.json") {
		for line := range strings.SplitSeq(ja, "\n") {
			asWritten["  "+line] = strings.HasPrefix(line, " ")
		}
	}
	verbs := append([]string{""}, pathsIn(reflect.TypeFor[cli]())...)
	for _, verb := range verbs {
		args := append(strings.Fields(verb), "--help", "--lang", "ja")
		o := saying(t, args, treeFor(args))
		if o.code != 0 {
			t.Fatalf("%s --help: %s", verb, o.stderr)
		}
		for line := range strings.Lines(o.stdout) {
			line = strings.TrimSuffix(line, "\n")
			if n := program.ColumnsOf(line); n > 80 && !asWritten[line] && !strings.HasPrefix(line, "使い方：") {
				t.Errorf("%s --help: %d columns: %s", verb, n, line)
			}
			if strings.HasSuffix(line, "Flags:") || strings.HasSuffix(line, "Commands:") || strings.HasSuffix(line, "Arguments:") ||
				strings.Contains(line, "Usage") || strings.Contains(line, "[flags]") {
				t.Errorf("%s --help is English: %s", verb, line)
			}
		}
	}
}

// TestHelpSaysItsTextsWhole reads the help of every verb with its line breaks undone: a text of several lines keeps the spaces between its
// words, and no flag is lost where flags stand in groups.
func TestHelpSaysItsTextsWhole(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&cli{}, kong.Name("workbench"), kong.Description(description), kong.ExplicitGroups(groups),
		kong.Vars{"data": "", "database": "", "config": "", "memory": ""})
	if err != nil {
		t.Fatal(err)
	}
	undone := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	leaves := parser.Model.Leaves(false)
	if len(leaves) < 50 {
		t.Fatalf("only %d verbs", len(leaves))
	}
	for _, leaf := range leaves {
		args := append(strings.Fields(leaf.Path()), "--help")
		o := saying(t, args, treeFor(args))
		said := undone(o.stdout)
		want := []string{leaf.Help, leaf.Detail}
		for _, f := range leaf.Flags {
			if !f.Hidden {
				want = append(want, "--"+f.Name, strings.TrimSuffix(f.Help, " ."))
			}
		}
		for _, text := range want {
			if !strings.Contains(said, undone(text)) {
				t.Errorf("%s does not say %q", strings.Join(args, " "), text)
			}
		}
	}
}
