package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// Every verb that is called without what it needs says what that is in words of its own, and shows an example of itself. No mistake is told
// in the parser's words.
func TestAVerbSaysWhatItNeeds(t *testing.T) {
	t.Parallel()
	needed, grouped, shown := 0, 0, 0
	for _, path := range pathsIn(reflect.TypeFor[cli]()) {
		for _, lang := range []string{"en", "ja"} {
			args := append(strings.Fields("--lang "+lang), strings.Fields(path)...)
			verbs := treeFor(args)
			if !refused(t, args) {
				continue // it runs without arguments
			}
			said := saying(t, args, verbs)
			first, rest, _ := strings.Cut(said.stderr, "\n")
			if said.code != program.ExitUsage || strings.Contains(said.stderr, "expected") || !strings.Contains(first, path) &&
				!strings.Contains(first, "--") {
				t.Errorf("workbench %s exits with %d and says %q", path, said.code, said.stderr)
			}
			if lang == "ja" && (strings.Contains(first, " needs ") || strings.Contains(rest, "example:")) {
				t.Errorf("workbench %s says in Japanese: %s", path, said.stderr)
			}
			switch {
			case strings.Contains(first, "needs one of its commands"):
				grouped++
			case strings.Contains(first, " needs "):
				needed++
			}
			for line := range strings.Lines(rest) {
				if example, is := strings.CutPrefix(line, "example: "); is {
					shown++
					if !strings.HasPrefix(example, "workbench "+path+" ") {
						t.Errorf("the example of workbench %s is %s", path, example)
					}
				}
			}
		}
	}
	if needed < 40 || grouped < 10 || shown < 30 {
		t.Errorf("%d verbs say what they need, %d which commands they have, %d show an example", needed, grouped, shown)
	}
}

// refused reports whether the parser refuses these arguments; nothing is run.
func refused(t *testing.T, args []string) bool {
	t.Helper()
	parser, err := kong.New(treeFor(args).verbs, slices.Concat(program.Values(), []kong.Option{kong.ExplicitGroups(groups),
		kong.Exit(func(int) {}), kong.Vars{"data": "", "database": "", "config": "", "memory": ""}})...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return err != nil
}

// A word that is no command is called so, below a command too, and what was meant may be named; one argument too many stays an argument.
func TestAWordThatIsNoCommandIsCalledSo(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"frobnicate":          "workbench: there is no command frobnicate\n",
		"rnu":                 `workbench: there is no command rnu, did you mean one of "run", "runs"?`,
		"runs lst":            `workbench: there is no command lst, did you mean "list"?`,
		"--lang ja runs lst":  `workbench: コマンド lst はありません。"list" ではありませんか`,
		"--lang ja frobnicat": "workbench: コマンド frobnicat はありません\n",
		"version extra":       "workbench: unexpected argument extra\n",
	} {
		if said := saying(t, strings.Fields(line), treeFor(strings.Fields(line))); !strings.HasPrefix(said.stderr, want) {
			t.Errorf("workbench %s says %q", line, said.stderr)
		}
	}
}
