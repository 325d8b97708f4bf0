package architecture

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

// RaceList reports what is wrong with the list of what runs under the race detector: entries without a reason, entries that are
// no package, filters that find no test, and packages whose code starts goroutines and that are not in it. A line is
// "./folder why" for one package, "./folder/... why" for those below it too, "./folder -run=A|B why" for those tests of it whose
// names hold one of the words, or "- folder why" for a package that is left out on purpose.
func (t *Tree) RaceList(list []byte) []string {
	var found []string
	named := map[string]bool{} // folders, and whether those below them are meant too
	n := 0
	for line := range strings.Lines(string(list)) {
		n++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		dir, filter := fields[0], ""
		switch {
		case dir == "-" && len(fields) > 1:
			fields = fields[1:]
			dir = "./" + fields[0] + "/..."
		case !strings.HasPrefix(dir, "./"):
			found = append(found, fmt.Sprintf("line %d is neither ./folder nor - folder", n))
			continue
		case len(fields) > 1 && strings.HasPrefix(fields[1], "-run="):
			filter, fields = strings.TrimPrefix(fields[1], "-run="), fields[1:]
		}
		if len(fields) < 3 {
			found = append(found, fmt.Sprintf("line %d does not say why", n))
		}
		dir, below := strings.CutSuffix(strings.TrimPrefix(dir, "./"), "/...")
		if !t.has(dir, below) {
			found = append(found, fmt.Sprintf("line %d names %s, in which there is no package", n, dir))
		} else if filter != "" {
			found = append(found, t.unmatched(n, dir, filter)...)
		}
		named[dir] = below
	}
	for _, p := range t.Packages {
		if at := t.goroutine(p); at != "" && !isTool(p.Dir) && !covered(named, p.Dir) {
			found = append(found, fmt.Sprintf("%s starts a goroutine (%s) and is not in the list", p.Dir, at))
		}
	}
	return found
}

// TurnList reports what is wrong with the list of what has a turn: lines that are not "./folder TestName what holds the same code" or
// "./folder all why", for a folder with those below it when its name ends in "/...", names that are not those of one test, and tests
// that never run, because their folder has its turn on other commits.
func (t *Tree) TurnList(list []byte) []string {
	var found []string
	part := ""
	whole, ofPart := map[string]bool{}, map[string]map[string]bool{} // folders, and whether those below them are meant too
	type single struct {
		line            int
		part, dir, name string
	}
	var tests []single
	n := 0
	for line := range strings.Lines(string(list)) {
		n++
		fields := strings.Fields(line)
		if strings.HasPrefix(line, "# turn ") {
			part = fields[2]
		}
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) < 3 || !strings.HasPrefix(fields[0], "./") {
			found = append(found, fmt.Sprintf("line %d is not ./folder TestName what holds the same code", n))
			continue
		}
		dir := strings.TrimPrefix(fields[0], "./")
		if fields[1] != "all" {
			tests = append(tests, single{n, part, dir, fields[1]})
			continue
		}
		dir, below := strings.CutSuffix(dir, "/...")
		if !t.has(dir, below) {
			found = append(found, fmt.Sprintf("line %d names %s, in which there is no package", n, dir))
		}
		if ofPart[part] == nil {
			ofPart[part] = map[string]bool{}
		}
		whole[dir], ofPart[part][dir] = below, below
	}
	for _, s := range tests {
		found = append(found, t.oneTest(s.line, s.dir, s.name)...)
		if covered(whole, s.dir) && !covered(ofPart[s.part], s.dir) {
			found = append(found, fmt.Sprintf("line %d: %s never runs, %s has its turn on other commits", s.line, s.name, s.dir))
		}
	}
	return found
}

// oneTest reports a name that is not that of one test, in a folder.
func (t *Tree) oneTest(line int, dir, test string) (found []string) {
	name := regexp.MustCompile("^" + regexp.QuoteMeta(test) + "$")
	if !t.hasTest(dir, name) {
		found = append(found, fmt.Sprintf("line %d: %s has no test %s", line, dir, test))
	}
	for _, p := range t.Packages {
		if p.Dir != dir && t.hasTest(p.Dir, name) {
			found = append(found, fmt.Sprintf("line %d: %s has a test %s too", line, p.Dir, test))
		}
	}
	return found
}

func covered(named map[string]bool, dir string) bool {
	for d, below := range named {
		if d == dir || below && within(dir, d) {
			return true
		}
	}
	return false
}

// has reports whether there is a package in a folder, or below it.
func (t *Tree) has(dir string, below bool) bool {
	for _, p := range t.Packages {
		if p.Dir == dir || below && within(p.Dir, dir) {
			return true
		}
	}
	return false
}

// unmatched reports the words of a filter that no name of a test in a package holds.
func (t *Tree) unmatched(line int, dir, filter string) (found []string) {
	for word := range strings.SplitSeq(filter, "|") {
		name := regexp.MustCompile("^Test.*" + regexp.QuoteMeta(word))
		if !t.hasTest(dir, name) {
			found = append(found, fmt.Sprintf("line %d: no test in %s has %s in its name", line, dir, word))
		}
	}
	return found
}

func (t *Tree) hasTest(dir string, name *regexp.Regexp) bool {
	for _, p := range t.Packages {
		for _, f := range p.Files {
			if p.Dir != dir || !f.Test {
				continue
			}
			for _, d := range f.Syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && name.MatchString(fn.Name.Name) {
					return true
				}
			}
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
