package requests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// TestEverySentenceOfTheMachineryHasPlainWords: each sentence that the library can say of a request is replaced, and what
// replaces it is known in Japanese and takes as many values.
func TestEverySentenceOfTheMachineryHasPlainWords(t *testing.T) {
	t.Parallel()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/danielgtaylor/huma/v2").Output()
	if err != nil {
		t.Skip("there is no go command here")
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "validation", "messages.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	theirs := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, is := n.(*ast.ValueSpec); is {
			theirs[spec.Values[0].(*ast.BasicLit).Value] = true
		}
		return true
	})
	if len(theirs) != len(plainWords) {
		t.Errorf("the library has %d sentences, and %d are replaced", len(theirs), len(plainWords))
	}
	programmers := regexp.MustCompile(`(?i)\bexpected\b|\barray\b|\bobject\b|\bproperty\b|integer|boolean|\bfloat\b|schema|RFC|\bstring\b`)
	check := func(ours string) {
		said := strings.NewReplacer("%v", "7", "%d", "7", "%s", "zeta").Replace(ours)
		if ja, ok := problem.Japanese(said); !ok || ja == said || programmers.MatchString(ours) {
			t.Errorf("%q is said in Japanese as %q", ours, ja)
		}
	}
	for at, ours := range plainWords {
		check(ours)
		if *at != ours {
			t.Errorf("the library still says %q", *at)
		}
	}
	for _, s := range plainStarts {
		check(s.ours)
		if plain(s.theirs+" more") != s.ours {
			t.Errorf("%q stays", s.theirs)
		}
	}
	check(plain("invalid character 'a' looking for beginning of value"))
	check(plain("required query parameter is missing"))
}
