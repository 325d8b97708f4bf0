package architecture

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

var recordName = regexp.MustCompile(`^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md$`)

// Records reports decision records that are misnamed, misnumbered, over one screen, without one of their parts, or not in
// the index, and entries of the index that lead nowhere. dir is docs/adr.
func Records(dir fs.FS) []string {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return []string{err.Error()}
	}
	index, err := fs.ReadFile(dir, "README.md")
	if err != nil {
		return []string{"the index of decision records: " + err.Error()}
	}
	var found []string
	names := map[string]bool{}
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		names[e.Name()] = true
		if m := recordName.FindStringSubmatch(e.Name()); m == nil {
			found = append(found, e.Name()+" is not named NNNN-title.md")
		} else if want := fmt.Sprintf("%04d", len(names)); m[1] != want {
			found = append(found, fmt.Sprintf("%s should be number %s: numbers have no gaps and none is given twice", e.Name(), want))
		}
		if !strings.Contains(string(index), "]("+e.Name()+")") {
			found = append(found, "README.md does not list "+e.Name())
		}
		found = append(found, recordParts(dir, e.Name())...)
	}
	for _, m := range regexp.MustCompile(`\]\((\d{4}-[^)]*)\)`).FindAllStringSubmatch(string(index), -1) {
		if !names[m[1]] {
			found = append(found, "README.md lists "+m[1]+", which does not exist")
		}
	}
	return found
}

func recordParts(dir fs.FS, name string) []string {
	body, err := fs.ReadFile(dir, name)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	for _, part := range []string{"# " + name[:min(4, len(name))], "## Context", "## Decision", "## Consequences"} {
		if !strings.Contains("\n"+string(body), "\n"+part) {
			found = append(found, fmt.Sprintf("%s has no %q", name, part))
		}
	}
	if n := strings.Count(string(body), "\n"); n > 60 {
		found = append(found, fmt.Sprintf("%s has %d lines; a record is one screen, at most 60", name, n))
	}
	return found
}

type lintRule struct {
	Files []string
	Deny  []struct{ Pkg, Desc string }
}

// LintRules reports differences between doors and the depguard rules of a golangci-lint configuration.
func LintRules(config []byte, doors []Door, passes []TestPass) []string {
	var c struct {
		Linters struct {
			Settings struct {
				Depguard struct{ Rules map[string]lintRule }
			}
		}
	}
	if err := yaml.Unmarshal(config, &c); err != nil {
		return []string{err.Error()}
	}
	want, have := map[string]string{}, map[string]string{}
	for _, d := range doors {
		files := []string{"$all"}
		for _, f := range slices.Concat(d.Holders, Tools) {
			files = append(files, "!**/"+f+"/**")
		}
		for _, p := range passes {
			if p.Library == d.Library {
				files = append(files, "!**/"+p.Package+"/*_test.go")
			}
		}
		want[d.Library] = sorted(files)
	}
	var found []string
	rules := c.Linters.Settings.Depguard.Rules
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		for _, deny := range rules[name].Deny {
			if have[deny.Pkg] != "" {
				found = append(found, "depguard denies "+deny.Pkg+" twice")
			}
			have[deny.Pkg] = sorted(rules[name].Files)
		}
	}
	for _, lib := range slices.Sorted(maps.Keys(want)) {
		if have[lib] != want[lib] {
			found = append(found, fmt.Sprintf("depguard should deny %s in files [%s]; it has [%s]", lib, want[lib], have[lib]))
		}
	}
	for _, lib := range slices.Sorted(maps.Keys(have)) {
		if want[lib] == "" {
			found = append(found, "depguard denies "+lib+", which has no door")
		}
	}
	return found
}

func sorted(s []string) string {
	return strings.Join(slices.Sorted(slices.Values(s)), " ")
}

// pinned reports whether a container image names a tag other than latest, or a digest.
func pinned(image string) bool {
	if strings.Contains(image, "@sha256:") {
		return true
	}
	_, tag, ok := strings.Cut(path.Base(image), ":")
	return ok && tag != "" && tag != "latest"
}
