package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// isTime says whether a text is how a time is written.
func isTime(layout string) bool { return strings.Contains(layout, "2006") }

// spokenIn are the texts of a file that are said in the language of the person.
func spokenIn(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	literal := func(e ast.Expr, before string) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			s, err := strconv.Unquote(l.Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, before+s)
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		switch method.Sel.Name {
		case "Say", "Note", "Warn", "Text", "Format":
			if l, ok := call.Args[0].(*ast.BasicLit); !ok || !isTime(l.Value) { // else a time is written
				literal(call.Args[0], "")
			}
		case "Many":
			literal(call.Args[1], "%d ")
		case "Table":
			if columns, ok := call.Args[0].(*ast.CompositeLit); ok {
				for _, c := range columns.Elts {
					literal(c, "")
				}
			}
		}
		return true
	})
	return list
}

var (
	verbs   = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?[bcdeEfFgGqsTtvxX%]`)
	letters = regexp.MustCompile(`\pL`)
)

// argumentsOf are the verbs of a format in the order of their arguments.
func argumentsOf(format string) []string {
	type placed struct {
		at   int
		verb string
	}
	var list []placed
	next := 1
	for _, m := range verbs.FindAllStringSubmatch(format, -1) {
		kind := m[0][len(m[0])-1:]
		if kind == "%" {
			continue
		}
		at := next
		if m[1] != "" {
			at, _ = strconv.Atoi(m[1])
		}
		next = at + 1
		list = append(list, placed{at, kind})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].at < list[j].at })
	var out []string
	for _, p := range list {
		out = append(out, p.verb)
	}
	return out
}

// TestEveryTextIsJapaneseToo reads the texts from the source: one without Japanese fails, and so does Japanese of a text that is
// nowhere said or takes other arguments.
func TestEveryTextIsJapaneseToo(t *testing.T) {
	t.Parallel()
	said, japanese := map[string]bool{}, japaneseTexts(t, "japanese.json")
	files, rooms := globbed(t, "*.go"), globbed(t, "*/*.go")
	files = append(files, rooms...)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, s := range spokenIn(t, file) {
			said[s] = true
			_, ok := japanese[s]
			if !ok && letters.MatchString(verbs.ReplaceAllString(s, "")) {
				t.Errorf("%s says %q; japanese.json has no Japanese for it", file, s)
			}
		}
	}
	source := sourceOf(t, append(files, hinting(t)...)) // hints of problems are said by the program, too
	for en, ja := range japanese {
		if got := program.Japanese.Format(en); got != ja {
			t.Errorf("the program reads %q in japanese.json as %q", ja, got)
		}
		if !said[en] && !strings.Contains(source, strconv.Quote(en)) {
			t.Errorf("japanese.json has %q, which nothing says", en)
		}
		if want, got := argumentsOf(en), argumentsOf(ja); !slices.Equal(want, got) {
			t.Errorf("%q takes %v; its Japanese %q takes %v", en, want, ja, got)
		}
	}
}

// japaneseTexts are the texts of a catalogue by the English ones.
func japaneseTexts(t *testing.T, file string) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("program", file))
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

// globbed are the files of a pattern, with slashes.
func globbed(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.ToSlash(files[i])
	}
	return files
}

// sourceOf is the source of the product, in which words of lists and maps stand.
func sourceOf(t *testing.T, files []string) string {
	t.Helper()
	var b strings.Builder
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(raw)
		}
	}
	return joined.ReplaceAllString(b.String(), "")
}

// joined stands between the parts of a text that is longer than a line.
var joined = regexp.MustCompile(`" ?\+\n\s*"`)

// hinting are the files in which problems get the hints that the program says.
func hinting(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("../../internal", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
