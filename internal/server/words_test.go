package server

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Where a code stands in the calls that make a problem of the server's own.
var codeAt = map[string]int{"NewProblem": 1, "Invalid": 0, "TooMany": 0, "problem.New": 1, "up.Decode": 2, "r.refuse": 0, "f.refuse": 0,
	"requests.NewProblem": 1, "requests.Invalid": 0, "requests.TooMany": 0}

// ownCodes are the codes of all problems that this package and the packages api and requests make, with a place where they do.
func ownCodes(t *testing.T) map[string]string {
	t.Helper()
	codes := map[string]string{}
	look := func(n ast.Node, note func(ast.Expr, string, map[string]string)) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if at, ok := codeAt[calleeOf(n)]; ok && at < len(n.Args) {
				note(n.Args[at], "", codes)
			}
		case *ast.ValueSpec:
			if len(n.Names) == 1 && n.Names[0].Name == "requestCodes" {
				for _, e := range n.Values[0].(*ast.CompositeLit).Elts { //nolint:forcetypeassert // it is a map of texts
					note(e.(*ast.KeyValueExpr).Value, "", codes) //nolint:forcetypeassert // see above
				}
			}
		}
	}
	inspect(t, ".", look)
	inspect(t, "api", look)
	inspect(t, "requests", look)
	results := map[string]string{}
	inspect(t, filepath.Join("..", "experiments", "foreign"), func(n ast.Node, note func(ast.Expr, string, map[string]string)) {
		look(n, func(e ast.Expr, prefix string, _ map[string]string) { note(e, prefix, results) })
	})
	for code, place := range results { // uploads of results are refused in the words of their reader
		if strings.HasPrefix(code, "results_") {
			codes[code] = place
		}
	}
	return codes
}

// inspect shows every node of the package in a folder, without its tests. note keeps a literal behind a prefix, with its place.
func inspect(t *testing.T, dir string, visit func(n ast.Node, note func(e ast.Expr, prefix string, in map[string]string))) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal(dir, err)
	}
	files := token.NewFileSet()
	note := func(e ast.Expr, prefix string, in map[string]string) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return // a parameter: those who give it are looked at
		}
		said, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		in[prefix+said] = files.Position(lit.Pos()).String()
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			visit(n, note)
			return true
		})
	}
}

// calleeOf is f or x.f.
func calleeOf(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// Whatever this package refuses, a page says in the language of its reader.
func TestOwnProblemsHaveWordsInBothLanguages(t *testing.T) {
	t.Parallel()
	codes := ownCodes(t)
	for _, known := range []string{"permission", "upload_files", "request_invalid", "too_large", "upload_parser", "oidc_off",
		"results_unknown"} {
		if codes[known] == "" {
			t.Errorf("the code %s was not found: does this test still see how problems are made?", known)
		}
	}
	for _, lang := range []string{"en", "ja"} {
		words := catalogue(t, lang)
		var missing []string
		for code, place := range codes {
			if w := words[code]; w.Title == "" || w.Hint == "" {
				missing = append(missing, code+" ("+place+")")
			}
		}
		slices.Sort(missing)
		if len(missing) > 0 {
			t.Errorf("%s.json has no problem.CODE.title and .hint for:\n%s", lang, strings.Join(missing, "\n"))
		}
	}
}

// catalogue are the words that the pages have for problems, by code.
func catalogue(t *testing.T, lang string) map[string]struct{ Title, Hint string } {
	t.Helper()
	raw, err := os.ReadFile("../../frontend/src/locales/" + lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var words struct {
		Problem map[string]struct{ Title, Hint string }
	}
	if err := json.Unmarshal(raw, &words); err != nil {
		t.Fatal(err)
	}
	return words.Problem
}
