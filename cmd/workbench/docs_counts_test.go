package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// TestDocsCountWhatThereIs: how many metrics there are, which verdicts a comparison gives and which documents are read is said in several
// places, and everywhere as it is.
func TestDocsCountWhatThereIs(t *testing.T) {
	t.Parallel()
	all, err := metrics.Resolve([]string{"all"})
	if err != nil {
		t.Fatal(err)
	}
	var labels, labelsJA, words []string
	for _, l := range compare.Labels() {
		labels, labelsJA = append(labels, l.Word("en")), append(labelsJA, l.Word("ja"))
		words = append(words, "*"+l.Word("en")+"*")
	}
	last := len(words) - 1
	n := fmt.Sprint(len(all))
	b := newBench(t)
	for said, wants := range map[string][]string{
		read(t, "README.md"): {"| number of ready-made metrics | " + n + " |"},
		read(t, "docs/commands.md"): {"**" + n + " metrics from", "**Compare** says " + strings.Join(words[:last], ", ") + " or " +
			words[last] + "."},
		read(t, "docs/commands.ja.md"):              {"少ない呼び出しで" + n + "の指標", "「" + strings.Join(labelsJA, "・") + "」"},
		read(t, "docs/metrics.md"):                  {"everything there is. " + n, "すべての指標. " + n},
		read(t, "docs/claims.md"):                   {"docs/metrics.md` | " + n + " |"},
		b.must("compare", "--help").stdout:          {"one of five verdicts", strings.Join(labels, ", ") + "."},
		b.must("corpus", "import", "--help").stdout: {strings.Join(kindsRead(t, b), " ")},
	} {
		for _, want := range wants {
			if !strings.Contains(strings.Join(strings.Fields(said), " "), want) {
				t.Errorf("%q is not in\n%.200s", want, said)
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// kindsRead are the kinds of documents that are read, as the refusal of another kind lists them.
func kindsRead(t *testing.T, b *bench) []string {
	t.Helper()
	if err := os.WriteFile(b.path("a.zip"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`\.[a-z]+\b`).FindAllString(b.run("corpus", "import", "{}/a.zip").stderr, -1)
	kinds = kinds[1:] // the file's own
	if len(kinds) < 5 {
		t.Fatalf("kinds %v", kinds)
	}
	return kinds
}
