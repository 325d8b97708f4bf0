package architecture

import (
	"fmt"
	"go/ast"
	"strings"
)

// RaceList reports what is wrong with the list of packages that run under the race detector: entries without a reason, entries
// that are no package, and packages whose code starts goroutines and that are not in it. A line is "./folder/... why", or
// "- folder why" for a package that is left out on purpose.
func (t *Tree) RaceList(list []byte) []string {
	var found []string
	var named []string // folders
	n := 0
	for line := range strings.Lines(string(list)) {
		n++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		dir := fields[0]
		if dir == "-" && len(fields) > 1 {
			fields = fields[1:]
			dir = fields[0]
		} else if !strings.HasPrefix(dir, "./") || !strings.HasSuffix(dir, "/...") {
			found = append(found, fmt.Sprintf("line %d is neither ./folder/... nor - folder", n))
			continue
		}
		dir = strings.TrimSuffix(strings.TrimPrefix(dir, "./"), "/...")
		if len(fields) < 3 {
			found = append(found, fmt.Sprintf("line %d does not say why", n))
		}
		if !t.has(dir) {
			found = append(found, fmt.Sprintf("line %d names %s, in which there is no package", n, dir))
		}
		named = append(named, dir)
	}
	for _, p := range t.Packages {
		if at := t.goroutine(p); at != "" && !isTool(p.Dir) && !covered(named, p.Dir) {
			found = append(found, fmt.Sprintf("%s starts a goroutine (%s) and is not in the list", p.Dir, at))
		}
	}
	return found
}

func covered(dirs []string, dir string) bool {
	for _, d := range dirs {
		if within(dir, d) {
			return true
		}
	}
	return false
}

// has reports whether there is a package in a folder or below it.
func (t *Tree) has(dir string) bool {
	for _, p := range t.Packages {
		if within(p.Dir, dir) {
			return true
		}
	}
	return false
}

// goroutine is where the code of a package first starts one: by a go statement, or by the method Go of a group.
func (t *Tree) goroutine(p Package) string {
	at := ""
	for _, f := range p.product() {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				at = t.line(n)
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" && len(n.Args) == 1 {
					at = t.line(n)
				}
			}
			return at == ""
		})
		if at != "" {
			return at
		}
	}
	return ""
}
