package main

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// completed asks bash what the script offers for a line; the last word is the one under the cursor.
func completed(t *testing.T, script string, words ...string) []string {
	t.Helper()
	var line strings.Builder
	for _, w := range append([]string{"workbench"}, words...) {
		line.WriteString(" " + single(w))
	}
	program := script + "\nCOMP_WORDS=(" + line.String() + ")\nCOMP_CWORD=" + strconv.Itoa(len(words)) +
		"\n_workbench\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
	out, err := exec.CommandContext(t.Context(), "bash", "-u", "-c", program).CombinedOutput()
	if err != nil {
		t.Fatalf("bash: %v\n%s", err, out)
	}
	return strings.Fields(string(out))
}

func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	script := newBench(t).must("completion", "bash").stdout
	for _, test := range []struct {
		words []string
		want  []string // all of these, and nothing else where exact
		exact bool
	}{
		{[]string{"backu"}, []string{"backup"}, true},
		{[]string{"runs", "l"}, []string{"list"}, true},
		{[]string{"--json", "runs", "pa"}, []string{"pause"}, true},
		{[]string{"runs", "list", "--"}, []string{"--limit", "--json", "--data", "--help"}, false},
		{[]string{"completion", ""}, []string{"bash", "zsh", "fish"}, false},
		{[]string{"restore", "a.zip", "--v"}, []string{"--verify"}, true},
		{[]string{"restore", "--into", "x"}, nil, true}, // a file: the shell's own completion
		{[]string{"fake"}, nil, true},                   // hidden verbs are not offered
	} {
		got := completed(t, script, test.words...)
		for _, w := range test.want {
			if !slices.Contains(got, w) {
				t.Errorf("workbench %v offers %v, not %s", test.words, got, w)
			}
		}
		if test.exact && len(got) != len(test.want) {
			t.Errorf("workbench %v offers %v, want %v", test.words, got, test.want)
		}
	}
}

// TestCompletionOfOtherShells: the scripts name every verb, and the shells that are here read them.
func TestCompletionOfOtherShells(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := b.must("completion", shell).stdout
		for _, verb := range []string{"/runs/list", "/backup", "/restore", "/dataset/import"} {
			if !strings.Contains(script, verb) {
				t.Errorf("%s: no %s", shell, verb)
			}
		}
		if strings.Contains(script, "parse-upload") {
			t.Errorf("%s offers a hidden verb", shell)
		}
		file := b.path("script." + shell)
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("%s is not here: its script was not read by it", shell)
			continue
		}
		if out, err := exec.CommandContext(t.Context(), shell, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s does not read the script: %v\n%s", shell, err, out)
		}
	}
	if o := b.run("completion", "tcsh"); o.code != program.ExitUsage {
		t.Errorf("tcsh: exit %d", o.code)
	}
}
