package architecture

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Tree is a parsed source tree.
type Tree struct {
	Packages []Package // by folder
	files    *token.FileSet
}

// Package is a folder with Go files.
type Package struct {
	Dir   string // slash-separated, from the root of the tree; "." is the root
	Files []File // by name
}

// File is one parsed Go file.
type File struct {
	Path   string // slash-separated, from the root of the tree
	Test   bool   // its name ends in _test.go
	Lines  int
	Wide   []int // the lines over MaxColumns, from 1
	Syntax *ast.File
}

// Load parses all Go files of a tree, leaving out hidden folders, testdata, node_modules and modules of their own (third_party).
func Load(fsys fs.FS) (*Tree, error) {
	t := &Tree{files: token.NewFileSet()}
	dirs := map[string]*Package{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		body, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(t.files, name, body, parser.ParseComments)
		if err != nil {
			return fmt.Errorf("parse: %w", err)
		}
		dir := path.Dir(name)
		if dirs[dir] == nil {
			dirs[dir] = &Package{Dir: dir}
		}
		dirs[dir].Files = append(dirs[dir].Files, File{
			Path: name, Test: strings.HasSuffix(name, "_test.go"), Lines: bytes.Count(body, []byte("\n")), Wide: wide(body), Syntax: syntax,
		})
		return nil
	})
	for _, p := range dirs {
		t.Packages = append(t.Packages, *p)
	}
	slices.SortFunc(t.Packages, func(a, b Package) int { return strings.Compare(a.Dir, b.Dir) })
	return t, err
}

// wide are the numbers of the lines over MaxColumns.
func wide(body []byte) []int {
	var found []int
	number := 0
	for line := range bytes.Lines(body) {
		number++
		if utf8.RuneCount(bytes.TrimRight(line, "\r\n"))+3*bytes.Count(line, []byte("\t")) > MaxColumns {
			found = append(found, number)
		}
	}
	return found
}

func skipped(name string) bool {
	return name != "." && strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		slices.Contains([]string{"testdata", "node_modules", "third_party"}, name)
}

func (f File) imports() []string {
	var paths []string
	for _, spec := range f.Syntax.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// product returns the files that are neither tests nor generated, package by package.
func (p Package) product() []File {
	return slices.DeleteFunc(slices.Clone(p.Files), func(f File) bool { return f.Test || ast.IsGenerated(f.Syntax) })
}

// line is "path:line" of a node.
func (t *Tree) line(n ast.Node) string {
	at := t.files.Position(n.Pos())
	return fmt.Sprintf("%s:%d", at.Filename, at.Line)
}
