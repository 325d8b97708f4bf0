package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is a linked module with its licence files.
type module struct {
	Path    string
	Version string
	Dir     string
	texts   []text
}

// text is one licence or notice file.
type text struct{ name, body string }

// copied are packages that are not linked, but from whose modules files of this repository were made: the vocabularies of internal/text.
var copied = []string{"github.com/tiktoken-go/tokenizer/codec"}

// linked returns the modules of the packages that program links, and those of other packages, by path; the Go standard library comes first.
func linked(ctx context.Context, program string, others ...string) ([]module, error) {
	byPath := map[string]module{}
	lists := [][]string{{"-deps", program}}
	if len(others) > 0 {
		lists = append(lists, others)
	}
	for _, packages := range lists {
		if err := modulesOf(ctx, packages, byPath); err != nil {
			return nil, err
		}
	}
	root, err := goTool(ctx, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := []module{{Path: "the Go standard library", Dir: strings.TrimSpace(string(root))}}
	for _, m := range byPath {
		modules = append(modules, m)
	}
	slices.SortFunc(modules[1:], func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	for i := range modules {
		if modules[i].texts, err = licences(modules[i]); err != nil {
			return nil, err
		}
	}
	return modules, nil
}

// modulesOf adds the modules of packages, as the program is built.
func modulesOf(ctx context.Context, packages []string, byPath map[string]module) error {
	out, err := goTool(ctx, append([]string{"list", "-tags=nomsgpack", "-json=Module"}, packages...)...)
	if err != nil {
		return err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
				Replace            *struct{ Version string }
			}
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if m := p.Module; m != nil && !m.Main && (m.Replace == nil || m.Replace.Version != "") { // a folder of ours is no third party's
			byPath[m.Path] = module{Path: m.Path, Version: m.Version, Dir: m.Dir}
		}
	}
}

func goTool(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

var licenceName = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice|copyright)([-._].*)?$`)

// licences reads the licence and notice files at the top of a module. A module without one is an error: it must not be
// linked before somebody has read its terms.
func licences(m module) ([]text, error) {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", m.Path, m.Version, err)
	}
	var texts []text
	for _, e := range entries {
		if e.IsDir() || !licenceName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		body, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text{e.Name(), tidy(string(body))})
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s %s has no licence file", m.Path, m.Version)
	}
	return texts, nil
}

// tidy gives lines one kind of end and no trailing blanks.
func tidy(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimRight(line, " \t\r\n\f"))
		b.WriteByte('\n')
	}
	return strings.Trim(b.String(), "\n") + "\n"
}

var spaces = regexp.MustCompile(`[\s"“”'*]+`)

// kind names a licence by a phrase that only this licence has; "" when none is known.
func kind(body string) string {
	words := spaces.ReplaceAllString(strings.ToLower(body), " ")
	for _, k := range []struct{ name, phrase string }{
		{"Apache-2.0", "apache license version 2.0, january 2004"},
		{"MPL-2.0", "mozilla public license version 2.0"},
		{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
		{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
		{"BSD-3-Clause", "may be used to endorse or promote products derived"},
		{"BSD-2-Clause", "redistribution and use in source and binary forms"},
		{"Unlicense", "this is free and unencumbered software released into the public domain"},
		{"CC0-1.0", "cc0 1.0 universal"},
	} {
		if strings.Contains(words, k.phrase) {
			return k.name
		}
	}
	return ""
}

// kinds names all licences of a module, or says that they are to be read.
func (m module) kinds() string {
	var names []string
	for _, t := range m.texts {
		if k := kind(t.body); k != "" && !slices.Contains(names, k) {
			names = append(names, k)
		}
	}
	if len(names) == 0 {
		return "see text"
	}
	return strings.Join(names, ", ")
}

// render writes the file: a table of the modules, then the texts, each with the modules it belongs to.
func render(w io.Writer, modules []module) error {
	var b strings.Builder
	b.WriteString("# Third-party notices\n\nThe workbench program contains the modules and npm packages below. This file is written by `make notices`.\n\n")
	b.WriteString("| module | version | licence |\n|---|---|---|\n")
	var order []string
	owners := map[string][]string{}
	for _, m := range modules {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Path, m.Version, m.kinds())
		for _, t := range m.texts {
			if owners[t.body] == nil {
				order = append(order, t.body)
			}
			owners[t.body] = append(owners[t.body], m.Path+" ("+t.name+")")
		}
	}
	for _, body := range order {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n%s%s\n", strings.Join(owners[body], ", "), fence(body), body, fence(body))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fence is a Markdown code fence longer than any in the body.
func fence(body string) string {
	f := "```"
	for strings.Contains(body, f) {
		f += "`"
	}
	return f
}
