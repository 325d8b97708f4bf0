// Lines counts the lines of a tree by package: product code, tests, and what is generated. It also names the types with the most methods.
//
//	go run ./scripts/lines                     this tree
//	go run ./scripts/lines -before DIR         this tree beside another one, for example of git worktree add DIR COMMIT
//
// A line is a line of the file, blank ones and comments included; the sums by part of the tree say besides how many lines have code.
// Helpers of tests (packages that only tests import) count as tests.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// count is what one package has.
type count struct{ files, product, code, tests, generated int }

// tally is what a tree has.
type tally struct {
	packages map[string]count
	methods  map[string]int // package.type → methods in product code
}

// helpers are folders of packages that only tests import.
var helpers = []string{"apptest", "weekly", "evaltest", "mappingstest", "pgtest"}

func main() {
	before := flag.String("before", "", "the folder of another state of the tree")
	flag.Parse()
	if err := run(os.Stdout, ".", *before); err != nil {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, tree, before string) error {
	now, err := read(os.DirFS(tree))
	if err != nil {
		return err
	}
	var then tally
	if before != "" {
		if then, err = read(os.DirFS(before)); err != nil {
			return err
		}
	}
	write(out, now, then)
	return nil
}

// read counts the Go files of a tree.
func read(tree fs.FS) (tally, error) {
	t := tally{map[string]count{}, map[string]int{}}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() != "." && d.Name()[0] == '.') {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return t.add(name, text)
	})
	return t, err
}

func (t tally) add(name string, text []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	folder := path.Dir(name)
	c, n := t.packages[folder], bytes.Count(text, []byte("\n"))
	c.files++
	switch {
	case ast.IsGenerated(file):
		c.generated += n
	case strings.HasSuffix(name, "_test.go") || slices.ContainsFunc(strings.Split(folder, "/"), isHelper):
		c.tests += n
	default:
		c.product += n
		c.code += codeLines(text)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				t.methods[folder+"."+receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	t.packages[folder] = c
	return nil
}

// codeLines counts the lines of a file that hold more than blanks and comments.
func codeLines(text []byte) int {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	s.Init(file, text, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue // the scanner's own
		}
		first := file.Line(pos)
		for i := range strings.Count(literal, "\n") + 1 {
			lines[first+i] = true
		}
	}
}

// parts are the parts of the tree that a goal is set for, by the first folder of a package.
var parts = []struct {
	name    string
	folders []string
}{
	{"product (cmd, internal)", []string{"cmd", "internal"}},
	{"bench", []string{"bench"}},
	{"scripts", []string{"scripts"}},
	{"frontend, demo, root", []string{"frontend", "demo", "."}},
}

// writeParts prints the sums of the parts of the tree.
func writeParts(out io.Writer, now tally) {
	fmt.Fprintf(out, "\n%-40s %8s %8s %8s %8s\n", "part", "lines", "code", "tests", "made")
	for _, part := range parts {
		var sum count
		for name, c := range now.packages {
			top, _, _ := strings.Cut(name, "/")
			if slices.Contains(part.folders, top) {
				sum = sum.plus(c)
			}
		}
		fmt.Fprintf(out, "%-40s %8d %8d %8d %8d\n", part.name, sum.product, sum.code, sum.tests, sum.generated)
	}
	fmt.Fprintln(out)
}

func isHelper(folder string) bool { return slices.Contains(helpers, folder) }

// receiver is the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// write prints a table of the packages, the largest first, and the types with the most methods.
func write(out io.Writer, now, then tally) {
	names := slices.Collect(maps.Keys(now.packages))
	for name := range then.packages {
		if _, ok := now.packages[name]; !ok {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(now.packages[b].product, now.packages[a].product), cmp.Compare(a, b))
	})
	var sum, was count
	fmt.Fprintf(out, "%-40s %8s %8s %8s %8s %8s\n", "package", "product", "before", "tests", "made", "files")
	for _, name := range names {
		c, b := now.packages[name], then.packages[name]
		fmt.Fprintf(out, "%-40s %8d %8d %8d %8d %8d\n", name, c.product, b.product, c.tests, c.generated, c.files)
		sum, was = sum.plus(c), was.plus(b)
	}
	fmt.Fprintf(out, "%-40s %8d %8d %8d %8d %8d\n", "all", sum.product, was.product, sum.tests, sum.generated, sum.files)
	writeParts(out, now)
	types := slices.SortedFunc(maps.Keys(now.methods), func(a, b string) int {
		return cmp.Or(cmp.Compare(now.methods[b], now.methods[a]), cmp.Compare(a, b))
	})
	for _, name := range types[:min(len(types), 5)] {
		fmt.Fprintf(out, "%s has %d methods\n", name, now.methods[name])
	}
}

func (c count) plus(o count) count {
	return count{c.files + o.files, c.product + o.product, c.code + o.code, c.tests + o.tests, c.generated + o.generated}
}
