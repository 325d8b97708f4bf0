package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// bundled returns the npm packages that the user interface is built from, by name: those of the lock file that are not for
// development only. Their licences are read from node_modules beside it, so `npm ci` comes first.
func bundled(folder string) ([]module, error) {
	raw, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License           string
			Dev, Optional, DevOptional bool
		}
	}
	if err := json.Unmarshal(raw, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	var out []module
	for path, p := range lock.Packages {
		_, name, ok := strings.Cut(path, "node_modules/")
		if !ok || p.Dev || p.DevOptional || p.Optional || strings.HasPrefix(name, "typescript") || strings.HasPrefix(name, "@types/") {
			continue // types and their compiler leave nothing in the bundle
		}
		m := module{Path: "npm: " + name, Version: p.Version, Dir: filepath.Join(folder, path)}
		if m.texts, err = licences(m); err != nil {
			if _, missing := os.Stat(m.Dir); missing != nil {
				return nil, fmt.Errorf("%s is not installed; run npm ci in %s first: %w", name, folder, err)
			}
			if p.License == "" {
				return nil, err
			}
			m.texts = []text{{"package.json", "Licence: " + p.License + "\n"}} // all that the package says
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}
