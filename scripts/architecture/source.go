package architecture

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// The bounds of a file and of a function outside tests, in lines. They are a smell with a number: code past them is split
// by idea, or gets a line in LongCode that says why not.
const (
	MaxFileLines     = 600
	MaxFunctionLines = 80
	MaxColumns       = 140 // of a line; a tab is four, and a long literal is not cut
	longLiteral      = 50  // columns from which a literal excuses its line
)

// LongCode excuses files ("internal/text/tables.go") and functions ("internal/text/tables.go Fold") that are longer, with
// the reason. An excuse that is not needed any more is reported.
var LongCode = map[string]string{}

// Drawers are names that say nothing about what is inside.
var Drawers = []string{"util", "utils", "helper", "helpers", "model", "models", "service", "services", "common"}

// Comments reports exported names without a doc comment and packages without a package comment.
func (t *Tree) Comments() []string {
	var found []string
	for _, p := range t.Packages {
		files := p.product()
		if len(files) == 0 {
			continue
		}
		found = append(found, packageComment(p.Dir, files)...)
		for _, f := range files {
			for _, d := range f.Syntax.Decls {
				for _, name := range undocumented(d) {
					found = append(found, fmt.Sprintf("%s: exported %s has no doc comment", t.line(name), name.Name))
				}
			}
		}
	}
	return found
}

func packageComment(dir string, files []File) []string {
	name := files[0].Syntax.Name.Name
	for _, f := range files {
		doc := f.Syntax.Doc.Text()
		if name == "main" && doc != "" || strings.HasPrefix(doc, "Package "+name+" ") {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: package %s has no package comment that says what it is for", dir, name)}
}

// undocumented returns the exported names of a declaration that no comment describes. A comment on a group of constants
// or variables describes all of them.
func undocumented(d ast.Decl) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || receiver(d).IsExported()) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var bare []*ast.Ident
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && s.Doc == nil && (d.Lparen.IsValid() || d.Doc == nil) {
					bare = append(bare, s.Name)
				}
			case *ast.ValueSpec:
				if d.Doc == nil && s.Doc == nil && s.Comment == nil {
					bare = append(bare, exported(s.Names)...)
				}
			}
		}
		return bare
	}
	return nil
}

func exported(names []*ast.Ident) []*ast.Ident {
	return slices.DeleteFunc(slices.Clone(names), func(n *ast.Ident) bool { return !n.IsExported() })
}

// receiver is the name of a method's type, without pointer and type parameters.
func receiver(d *ast.FuncDecl) *ast.Ident {
	name := ast.NewIdent("")
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name.Name == "" {
			name = id
		}
		return name.Name == ""
	})
	return name
}

// Sizes reports files and functions over the bounds that excuses does not name, and excuses that are not needed.
func (t *Tree) Sizes(excuses map[string]string) []string {
	var found []string
	needed := map[string]bool{}
	measure := func(what string, lines, bound int) {
		switch {
		case lines <= bound:
		case excuses[what] != "":
			needed[what] = true
		default:
			found = append(found, fmt.Sprintf("%s has %d lines, more than %d: split it by idea", what, lines, bound))
		}
	}
	for _, p := range t.Packages {
		for _, f := range p.product() {
			measure(f.Path, f.Lines, MaxFileLines)
			for _, d := range f.Syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					measure(f.Path+" "+fn.Name.Name, t.lines(fn), MaxFunctionLines)
				}
			}
		}
	}
	for what := range excuses {
		if !needed[what] {
			found = append(found, what+" is excused from the size bounds but is not over them, or gives no reason")
		}
	}
	slices.Sort(found)
	return found
}

func (t *Tree) lines(n ast.Node) int {
	line := func(p token.Pos) int { return t.files.Position(p).Line }
	return line(n.End()) - line(n.Pos()) + 1
}

// Columns reports lines over MaxColumns that hold no long literal, so that a function does not stay short by being wide.
func (t *Tree) Columns() []string {
	var found []string
	for _, p := range t.Packages {
		for _, f := range p.Files {
			if ast.IsGenerated(f.Syntax) || len(f.Wide) == 0 {
				continue
			}
			excused := t.literalLines(f.Syntax)
			for _, line := range f.Wide {
				if !excused[line] {
					found = append(found, fmt.Sprintf("%s:%d is wider than %d columns: break it", f.Path, line, MaxColumns))
				}
			}
		}
	}
	return found
}

// literalLines are the lines on which a long literal begins, goes on or ends.
func (t *Tree) literalLines(file *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && len(lit.Value) >= longLiteral {
			for line := t.files.Position(lit.Pos()).Line; line <= t.files.Position(lit.End()).Line; line++ {
				lines[line] = true
			}
		}
		return true
	})
	return lines
}

// Names reports packages and files whose name is a drawer.
func (t *Tree) Names() []string {
	var found []string
	for _, p := range t.Packages {
		for _, f := range p.Files {
			file := strings.TrimSuffix(strings.TrimSuffix(path.Base(f.Path), ".go"), "_test")
			for _, name := range []string{f.Syntax.Name.Name, path.Base(p.Dir), file} {
				if slices.Contains(Drawers, name) {
					found = append(found, fmt.Sprintf("%s: %q says nothing about what is inside; name the idea", f.Path, name))
					break
				}
			}
		}
	}
	return found
}
