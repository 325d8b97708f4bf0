package main

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// TestAMissingFileIsToldOnce: whichever verb is to read it, and in both languages.
func TestAMissingFileIsToldOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, args := range [][]string{
		{"run", "nope.yaml"}, {"corpus", "import", "nope.d"}, {"dataset", "import", "nope.csv"}, {"compare", "nope.csv", "nope.csv"},
		{"experiment", "add", "nope.yaml"},
	} {
		for lang, says := range map[string]string{"en": "there is no file", "ja": "はありません"} {
			o := b.run(append(args, "--lang", lang)...)
			if o.code != program.ExitUsage || strings.Count(o.stderr, says) != 1 || strings.Contains(o.stderr, "no such file") {
				t.Errorf("%v: exit %d\n%s", args, o.code, o.stderr)
			}
		}
	}
}

// TestLinesEndWithoutSpaces: what verbs print of runs that have no parameters and of runs that have some.
func TestLinesEndWithoutSpaces(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	write(t, b.path("old.csv"), "question,answer,reference,quality\nHow long?,Two weeks.,Two weeks.,0.9\nPets?,No pets.,No pets.,0.4\n")
	b.must("import-results", "{}/old.csv", "--name", "old")
	for _, args := range [][]string{{"runs", "show", "old"}, {"runs", "list"}, {"experiment", "list"}, {"dataset", "list"}} {
		for _, lang := range []string{"en", "ja"} {
			o := b.must(append(args, "--lang", lang)...)
			for line := range strings.Lines(o.stdout + o.stderr) {
				if line = strings.TrimRight(line, "\r\n"); strings.TrimRight(line, " \t") != line {
					t.Errorf("%v, %s: %q", args, lang, line)
				}
			}
		}
	}
}
