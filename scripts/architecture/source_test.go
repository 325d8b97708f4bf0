package architecture_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/scripts/architecture"
)

// load parses a tree given as path → source.
func load(t *testing.T, sources map[string]string) *architecture.Tree {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, body := range sources {
		fsys[name] = &fstest.MapFile{Data: []byte(body)}
	}
	tree, err := architecture.Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// expect fails unless there is exactly one finding for each wanted fragment, in order, and it holds the fragment.
func expect(t *testing.T, found []string, want ...string) {
	t.Helper()
	if len(found) != len(want) {
		t.Fatalf("findings: %v\nwant %d: %v", strings.Join(found, "\n"), len(want), want)
	}
	for i := range want {
		if !strings.Contains(found[i], want[i]) {
			t.Errorf("finding %d is %q; want it to hold %q", i, found[i], want[i])
		}
	}
}

func importing(pkg string, paths ...string) string {
	return "package " + pkg + "\nimport (\n\t_ \"" + strings.Join(paths, "\"\n\t_ \"") + "\"\n)\n"
}

func TestImports(t *testing.T) {
	t.Parallel()
	const ours = architecture.Module + "/"
	for _, c := range []struct {
		name, path, source string
		want               []string
	}{
		{"to the left", "internal/rag/a.go", importing("rag", ours+"internal/llm", "fmt"), nil},
		{"to the right", "internal/llm/a.go", importing("llm", ours+"internal/rag"), []string{"internal/llm/a.go imports internal/rag"}},
		{"sub-package of the parent", "internal/rag/a.go", importing("rag", ours+"internal/rag/html"), nil},
		{"sub-package to the right", "internal/rag/html/a.go", importing("html", ours+"internal/store"),
			[]string{"imports internal/store"}},
		{"from a test", "internal/llm/a_test.go", importing("llm_test", ours+"internal/fakeprovider"), nil},
		{"the root", "doc.go", importing("workbench", ours+"internal/rag"), []string{"doc.go imports internal/rag"}},
		{"a tool", "scripts/x/a.go", importing("main", ours+"internal/store"), nil},
		{"of a tool", "internal/rag/a.go", importing("rag", ours+"scripts/x"), []string{"imports scripts/x"}},
		{"behind a build tag", "internal/llm/a.go", "//go:build plan9\n\n" + importing("llm", ours+"internal/app"),
			[]string{"imports internal/app"}},
		{"unknown package", "internal/magic/a.go", "package magic", []string{"adding a package needs a decision record in docs/adr"}},
		{"unknown program", "cmd/other/a.go", "package main", []string{"cmd/other is not on the ladder"}},
		{"a name that only begins alike", "internal/ragged/a.go", "package ragged", []string{"internal/ragged is not on the ladder"}},
		{"one room of verbs from another", "cmd/workbench/serve/a.go", importing("serve", ours+"cmd/workbench/runs"),
			[]string{"cmd/workbench/serve/a.go imports cmd/workbench/runs, and the two know nothing of each other"}},
		{"what the rooms of verbs share", "cmd/workbench/serve/a.go", importing("serve", ours+"cmd/workbench/program"), nil},
		{"testdata", "internal/rag/testdata/a.go", "package nowhere", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, load(t, map[string]string{c.path: c.source}).Imports(), c.want...)
		})
	}
}

func TestLibraries(t *testing.T) {
	t.Parallel()
	pass := architecture.TestPass{Package: "internal/llm", Library: "gorm.io", Why: "shows the exception"}
	for _, c := range []struct {
		name, path, library string
		passes              []architecture.TestPass
		want                []string
	}{
		{"through its door", "internal/store/a.go", "gorm.io/gorm", nil, nil},
		{"below its door", "internal/store/sqlite/a.go", "gorm.io/gorm", nil, nil},
		{"past its door", "internal/app/a.go", "gorm.io/driver/postgres", nil,
			[]string{"internal/app/a.go imports gorm.io/driver/postgres; only internal/store may"}},
		{"second holder", "internal/reports/a.go", "github.com/xuri/excelize/v2", nil, nil},
		{"part of a module", "internal/rag/a.go", "gonum.org/v1/gonum/stat/distuv", nil, []string{"only internal/stats may"}},
		{"another part of it", "internal/rag/a.go", "gonum.org/v1/gonum/blas/blas32", nil, nil},
		{"in a test", "internal/llm/a_test.go", "gorm.io/gorm", nil, []string{"only internal/store may"}},
		{"in a test with a pass", "internal/llm/a_test.go", "gorm.io/gorm", []architecture.TestPass{pass}, nil},
		{"outside tests with a pass", "internal/llm/a.go", "gorm.io/gorm", []architecture.TestPass{pass},
			[]string{"only internal/store may", "do not use"}},
		{"a pass without a reason", "internal/llm/a_test.go", "gorm.io/gorm",
			[]architecture.TestPass{{Package: "internal/llm", Library: "gorm.io"}}, []string{"only internal/store may", "gives no reason"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, load(t, map[string]string{c.path: importing("p", c.library)}).Libraries(architecture.Doors, c.passes), c.want...)
		})
	}
}

func TestComments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"all there", "// Package p is.\npackage p\n// F does.\nfunc F() {}\n", nil},
		{"package", "package p\n", []string{"package p has no package comment"}},
		{"package comment about something else", "// Copyright\npackage p\n", []string{"package p has no package comment"}},
		{"program", "// Workbench runs.\npackage main\n", nil},
		{"function", "// Package p is.\npackage p\nfunc F() {}\n", []string{"p/p.go:3: exported F"}},
		{"method", "// Package p is.\npackage p\n// T is.\ntype T[K any] struct{}\nfunc (t *T[K]) M() {}\n", []string{"exported M"}},
		{"method of an unexported type", "// Package p is.\npackage p\ntype t struct{}\nfunc (t) M() {}\n", nil},
		{"type", "// Package p is.\npackage p\ntype T int\n", []string{"exported T"}},
		{"type in a group", "// Package p is.\npackage p\n// Types.\ntype (\n\tT int\n)\n", []string{"exported T"}},
		{"constants of a group", "// Package p is.\npackage p\n// The kinds.\nconst (\n\tA = 1\n\tB = 2\n)\n", nil},
		{"constants of a bare group", "// Package p is.\npackage p\nconst (\n\tA = 1 // first\n\tB, c = 2, 3\n)\n", []string{"exported B"}},
		{"variable", "// Package p is.\npackage p\nvar V int\n", []string{"exported V"}},
		{"generated", "// Code generated by x. DO NOT EDIT.\n\npackage p\nvar V int\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, load(t, map[string]string{"p/p.go": c.source}).Comments(), c.want...)
		})
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	function := func(lines int) string { return "package p\nfunc F() {" + strings.Repeat("\n", lines-1) + "}\n" }
	file := "package p\n" + strings.Repeat("// line\n", architecture.MaxFileLines)
	for _, c := range []struct {
		name, path, source string
		excuses            map[string]string
		want               []string
	}{
		{"function at the bound", "p/p.go", function(80), nil, nil},
		{"function over it", "p/p.go", function(81), nil, []string{"p/p.go F has 81 lines"}},
		{"function over it, excused", "p/p.go", function(81), map[string]string{"p/p.go F": "a table"}, nil},
		{"excused without a reason", "p/p.go", function(81), map[string]string{"p/p.go F": ""},
			[]string{"p/p.go F has 81", "gives no reason"}},
		{"excused without need", "p/p.go", function(80), map[string]string{"p/p.go F": "a table"}, []string{"is excused"}},
		{"file over the bound", "p/p.go", file, nil, []string{"p/p.go has 601 lines"}},
		{"test over the bound", "p/p_test.go", file, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, load(t, map[string]string{c.path: c.source}).Sizes(c.excuses), c.want...)
		})
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	wide := func(first string) string { return "package p\n" + first + strings.Repeat("1 + ", 40) + "1\n" }
	for _, c := range []struct {
		name, path, source string
		want               []string
	}{
		{"at the bound", "p/p.go", "package p\n\nvar v = " + strings.Repeat("1", architecture.MaxColumns-8) + "\n", nil},
		{"over it", "p/p.go", wide("\nvar v = "), []string{"p/p.go:3 is wider"}},
		{"a test", "p/p_test.go", wide("\nvar v = "), []string{"p/p_test.go:3 is wider"}},
		{"a comment", "p/p.go", "package p\n\n// " + strings.Repeat("word ", 40) + "\n", []string{"p/p.go:3 is wider"}},
		{"tabs are four columns", "p/p.go", "package p\n\nfunc f() {\n\t_ = " + strings.Repeat("1+", 66) + "1\n}\n",
			[]string{"p/p.go:4 is wider"}},
		{"a long literal", "p/p.go", "package p\n\nvar v = `" + strings.Repeat("words ", 40) + "`\n", nil},
		{"a literal of several lines", "p/p.go", "package p\n\nvar v = `\n" + strings.Repeat("words ", 40) + "\n`\n", nil},
		{"short literals", "p/p.go", "package p\n\nvar v = []string{" + strings.Repeat(`"word", `, 20) + "}\n",
			[]string{"p/p.go:3 is wider"}},
		{"generated", "p/p.go", "// Code generated by x. DO NOT EDIT.\n\n" + wide("\nvar v = "), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, load(t, map[string]string{c.path: c.source}).Columns(), c.want...)
		})
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	tree := load(t, map[string]string{
		"internal/rag/utils/a.go":   "package fine",
		"internal/rag/a.go":         "package models",
		"internal/llm/common.go":    "package llm",
		"internal/llm/help_test.go": "package llm",
	})
	expect(t, tree.Names(), `internal/llm/common.go: "common"`, `internal/rag/a.go: "models"`, `internal/rag/utils/a.go: "utils"`)
}

func TestLoadNamesTheFileItCannotParse(t *testing.T) {
	t.Parallel()
	_, err := architecture.Load(fstest.MapFS{"p/p.go": {Data: []byte("package")}})
	if err == nil || !strings.Contains(err.Error(), "p/p.go:1") {
		t.Errorf("error is %v; want the file and line", err)
	}
}

func TestStages(t *testing.T) {
	t.Parallel()
	got := architecture.Stages([]byte("ARG A\nfrom golang:1 as build\n# note\nRUN one \\\n  # inside\n  && two\nFROM scratch\nUSER 1\n"))
	want := []architecture.Stage{
		{Base: "golang:1", Name: "build", Steps: []architecture.Step{{Op: "RUN", Args: "one  && two"}}},
		{Base: "scratch", Steps: []architecture.Step{{Op: "USER", Args: "1"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
}
