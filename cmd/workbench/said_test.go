package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var kana = regexp.MustCompile(`[\x{3040}-\x{30ff}\x{4e00}-\x{9fff}]`)

// TestNotesOfReadersAreJapaneseToo reads from the source what the readers of documents and sheets say: both languages take the same
// arguments, and the Japanese is Japanese.
func TestNotesOfReadersAreJapaneseToo(t *testing.T) {
	t.Parallel()
	var files []string
	for _, folder := range []string{"experiments/intake", "rag/readers"} {
		list, err := filepath.Glob(filepath.Join("..", "..", "internal", filepath.FromSlash(folder), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	said := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if pair := saidBy(n); pair != nil {
				said++
				plain := strings.NewReplacer("%q", "%s", "]q", "]s") // Japanese has quotation marks of its own
				if want, got := argumentsOf(plain.Replace(pair[0])), argumentsOf(plain.Replace(pair[1])); !slices.Equal(want, got) {
					t.Errorf("%s: %q takes %v; its Japanese %q takes %v", file, pair[0], want, pair[1], got)
				}
				if letters.MatchString(verbs.ReplaceAllString(pair[0], "")) && len(pair[0]) > 12 && !kana.MatchString(pair[1]) {
					t.Errorf("%s: the Japanese of %q is %q", file, pair[0], pair[1])
				}
			}
			return true
		})
	}
	if said < 40 {
		t.Errorf("only %d notes found", said)
	}
}

// saidBy is the English and the Japanese format of a call that says something, nil for other code.
func saidBy(n ast.Node) []string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	var name string
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
	case *ast.Ident:
		name = f.Name
	}
	var pair []string
	for _, arg := range call.Args {
		if l, ok := arg.(*ast.BasicLit); ok && l.Kind == token.STRING && len(pair) < 2 {
			if s, err := strconv.Unquote(l.Value); err == nil {
				pair = append(pair, s)
			}
		}
	}
	if len(pair) == 2 && slices.Contains([]string{"Say", "say", "remark"}, name) {
		return pair
	}
	return nil
}
