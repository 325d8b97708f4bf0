package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// translated are the files whose texts all have Japanese: the verbs of a first day and what they share.
var translated = []string{
	"bill.go", "choose.go", "cli.go", "columns.go", "compare.go", "compare_beside.go",
	"compare_files.go", "compare_question.go", "compare_verify.go",
	"corpus_index.go",
	"demo.go",
	"diagnose.go", "gate.go", "language.go", "library.go",
	"main.go", "notebook.go", "notebook_history.go", "notebook_print.go", "notebook_template.go", "notes.go",
	"print.go", "probe.go", "providers.go",
	"providers_add.go",
	"record.go",
	"report.go", "reviews.go", "run.go", "runs.go", "serve.go", "share.go", "start.go", "sweep.go",
	"sweep_search.go", "traces.go", "validate.go",
}

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
		case "say", "note", "warn", "text", "format":
			literal(call.Args[0], "")
		case "many":
			literal(call.Args[1], "%d ")
		case "table":
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

// TestEveryTextOfAFirstDayIsJapaneseToo reads the texts from the source: one without Japanese fails, and so does Japanese of a text that is
// nowhere said or takes other arguments.
func TestEveryTextOfAFirstDayIsJapaneseToo(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, s := range spokenIn(t, file) {
			said[s] = true
			_, ok := japaneseTexts()[s]
			if slices.Contains(translated, file) && !ok && letters.MatchString(verbs.ReplaceAllString(s, "")) {
				t.Errorf("%s says %q; japanese.json has no Japanese for it", file, s)
			}
		}
	}
	source := sourceOf(t, files)
	for en, ja := range japaneseTexts() {
		if !said[en] && !strings.Contains(source, strconv.Quote(en)) && !helpTexts(t)[en] {
			t.Errorf("japanese.json has %q, which nothing says", en)
		}
		if want, got := argumentsOf(en), argumentsOf(ja); !slices.Equal(want, got) && !helpTexts(t)[en] {
			t.Errorf("%q takes %v; its Japanese %q takes %v", en, want, ja, got)
		}
	}
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
	return b.String()
}

func TestLanguageOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  map[string]string
		want language
	}{
		{nil, english}, {map[string]string{"LANG": "ja_JP.UTF-8"}, japanese}, {map[string]string{"LANG": "C"}, english},
		{map[string]string{"LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"}, english},
		{map[string]string{"LC_MESSAGES": "ja", "LANG": "en_US"}, japanese},
	} {
		if got := localeOf(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %s, want %s", c.env, got, c.want)
		}
	}
}

func TestColumnsOfEastAsia(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"abc": 3, "正解": 4, "ｱ": 1, "e\u0301": 1, "": 0} {
		if got := columnsOf(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}

// helpTexts are the help of all verbs, flags and arguments.
func helpTexts(t *testing.T) map[string]bool {
	t.Helper()
	var c cli
	parser, err := kong.New(&c, kong.Name("workbench"), kong.Description(description), kong.ExplicitGroups(groups),
		kong.Vars{"data": "", "database": "", "config": "", "memory": ""})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		texts[n.Help], texts[detailKey(n)] = true, true
		for _, f := range n.Flags {
			texts[f.Help] = true
		}
		for _, a := range n.Positional {
			texts[a.Help] = true
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
	return texts
}
