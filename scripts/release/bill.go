package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// component is a part of the program, in the words of CycloneDX 1.6.
type component struct {
	Type    string `json:"type"`
	BOMRef  string `json:"bom-ref"` //nolint:tagliatelle // CycloneDX spells it so
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl,omitempty"`
	Scope   string `json:"scope,omitempty"`
}

// bill writes what is in a program: the Go modules that its linker recorded, the standard library, and the packages that its pages
// are built from. There is no serial number, so that the same program has the same list.
func bill(w io.Writer, program, version string, at time.Time) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	std := "pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go")
	parts := []component{{Type: "library", BOMRef: std, Name: "stdlib", Version: info.GoVersion, PURL: std, Scope: "required"}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + url.PathEscape(m.Version)
		parts = append(parts, component{Type: "library", BOMRef: purl, Name: m.Path, Version: m.Version, PURL: purl, Scope: "required"})
	}
	pages, err := packages("frontend/package-lock.json")
	if err != nil {
		return err
	}
	self := component{Type: "application", BOMRef: "workbench", Name: info.Main.Path, Version: version}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"timestamp": at.Format(time.RFC3339), "component": self},
		"components": append(parts, pages...),
	})
}

// packages are those of a lock file that reach the browser.
func packages(lock string) ([]component, error) {
	body, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var file struct {
		Packages map[string]struct {
			Version string `json:"version"`
			Dev     bool   `json:"dev"`
			Link    bool   `json:"link"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(body, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", lock, err)
	}
	seen := map[string]component{}
	for place, p := range file.Packages {
		i := strings.LastIndex(place, "node_modules/")
		if i < 0 || p.Dev || p.Link {
			continue
		}
		name := place[i+len("node_modules/"):]
		purl := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		seen[purl] = component{Type: "library", BOMRef: purl, Name: name, Version: p.Version, PURL: purl, Scope: "required"}
	}
	out := make([]component, 0, len(seen))
	for _, purl := range slices.Sorted(maps.Keys(seen)) {
		out = append(out, seen[purl])
	}
	return out, nil
}
