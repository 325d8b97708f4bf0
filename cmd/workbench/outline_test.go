package main

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// "help VERB" is "VERB --help"; a value or an argument that reads "help" stays one.
func TestHelpIsAVerbToo(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"help": "--help", "help gate": "gate --help", "help schedule add": "schedule add --help",
		"--lang ja help gate": "--lang ja gate --help",
		"-q help runs":        "-q runs --help", "--data help gate a b": "--data help gate a b", "runs show help": "runs show help",
		"ask help": "ask help", "-- help": "-- help", "--data=help help": "--data=help --help", "": "",
	} {
		if got := strings.Join(asVerbs(strings.Fields(asked)), " "); got != want {
			t.Errorf("workbench %s is read as %q, not %q", asked, got, want)
		}
	}
	for _, path := range pathsIn(reflect.TypeFor[cli]()) {
		if got := strings.Join(asVerbs(strings.Fields("help "+path)), " "); got != path+" --help" {
			t.Errorf("help %s is read as %q", path, got)
		}
	}
}

// Help and mistakes read the same whether the tree of verbs is whole or only what the arguments ask for.
func TestPartOfTheTreeSaysWhatTheWholeSays(t *testing.T) {
	t.Parallel()
	lines := []string{"", "--help", "-h -q", "--lang", "--lang ja --help", "--data run --help", "--data=run compare", "-j 4 --json",
		"-j4 compare --help", "--json runs", "rnu --help", "--limit 3 run", "run --nonsense", "compare --help before",
		"runs lst", "runs show", "-- run", "version extra",
		"--quiet --data", "parse-upload --help", "health -q --nonsense", "-", "baseline clear", "notebook"}
	for _, path := range pathsIn(reflect.TypeFor[cli]()) {
		lines = append(lines, path+" --help", "--lang=ja "+path+" --help")
	}
	if len(lines) < 150 {
		t.Fatalf("only %d lines: where are the verbs?", len(lines))
	}
	narrow := 0
	for _, line := range lines {
		args := strings.Fields(line)
		part := treeFor(args)
		if _, all := part.verbs.(*cli); !all {
			narrow++
		}
		got, want := saying(t, args, part), saying(t, args, whole())
		if got != want {
			t.Errorf("workbench %s exits with %d, the whole tree with %d (-whole +part):\n%s", line, got.code, want.code,
				cmp.Diff(want.stdout+want.stderr, got.stdout+got.stderr))
		}
	}
	if narrow < len(lines)-9 {
		t.Errorf("%d of %d lines had a part of the tree", narrow, len(lines))
	}
}

// pathsIn are the verbs of a struct and those below them.
func pathsIn(t reflect.Type) (paths []string) {
	for _, f := range verbsIn(t) {
		paths = append(paths, nameIn(f))
		for _, below := range pathsIn(f.Type) {
			paths = append(paths, nameIn(f)+" "+below)
		}
	}
	return paths
}

// saying is what arguments that run no verb print, with the exit code.
func saying(t *testing.T, args []string, verbs tree) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := program.Program{Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
	code := runOf(t.Context(), &p, args, verbs)
	return outcome{code, stdout.String(), stderr.String()}
}
