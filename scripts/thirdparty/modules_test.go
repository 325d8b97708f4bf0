package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mit = "Copyright (c) 2024 Somebody\n\nPermission is hereby granted, free of charge, to any\nperson obtaining a copy\n"
	bsd = "Redistribution and use in source and\nbinary forms\n"
)

func TestKind(t *testing.T) {
	t.Parallel()
	for want, body := range map[string]string{
		"MIT":          mit,
		"BSD-2-Clause": bsd,
		"BSD-3-Clause": bsd + "   * may be used to endorse or promote products derived\n",
		"Apache-2.0":   "   Apache License\n        Version 2.0, January 2004\n",
		"":             "All rights reserved.\n",
	} {
		if got := kind(body); got != want {
			t.Errorf("kind is %q, want %q", got, want)
		}
	}
}

func TestLicences(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, body := range map[string]string{
		"LICENSE": "one  \r\ntwo\r\n\r\n", "NOTICE.txt": "notice", "licence-3rd-party.md": "other", "license.go": "package x",
		"README.md": "no",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := licences(module{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) != 3 || texts[0].body != "one\ntwo\n" {
		t.Errorf("texts are %q", texts)
	}
	if _, err := licences(module{Path: "example.org/x", Version: "v1", Dir: t.TempDir()}); err == nil ||
		!strings.Contains(err.Error(), "example.org/x v1 has no licence") {
		t.Errorf("error is %v; a module without a licence must be refused by name", err)
	}
}

func TestRenderPrintsEqualTextsOnce(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	err := render(&b, []module{
		{Path: "example.org/a", Version: "v1", texts: []text{{"LICENSE", mit}}},
		{Path: "example.org/b", Version: "v2", texts: []text{{"COPYING", mit}, {"NOTICE", "``` fenced\n"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for want, n := range map[string]int{
		"| example.org/b | v2 | MIT |":                          1,
		"## example.org/a (LICENSE), example.org/b (COPYING)\n": 1,
		"Permission is hereby granted":                          1,
		"## example.org/b (NOTICE)\n\n````\n``` fenced\n````\n": 1,
	} {
		if got := strings.Count(b.String(), want); got != n {
			t.Errorf("%q is there %d times, want %d, in\n%s", want, got, n, b.String())
		}
	}
}

// A real package of this repository with dependencies: what it links must all be found in the module cache.
func TestLinked(t *testing.T) {
	t.Parallel()
	modules, err := linked(t.Context(), "../architecture")
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) != 2 || modules[0].kinds() != "BSD-3-Clause" || modules[1].Path != "github.com/goccy/go-yaml" ||
		modules[1].kinds() != "MIT" || modules[1].Version == "" {
		t.Errorf("modules are %+v", modules)
	}
}

func TestNoticesAreCurrent(t *testing.T) {
	t.Parallel()
	modules, err := linked(t.Context(), "../../cmd/workbench", copied...)
	if err != nil {
		t.Fatal(err)
	}
	packages, err := bundled("../../frontend")
	if err != nil {
		if _, missing := os.Stat("../../frontend/node_modules"); missing != nil && os.Getenv("WORKBENCH_REQUIRE_BROWSER") != "1" {
			t.Skip("the packages of the pages are not installed (make frontend)")
		}
		t.Fatal(err)
	}
	var want strings.Builder
	if err := render(&want, append(modules, packages...)); err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want.String() {
		t.Errorf("%s is not what the program links; run make notices", file)
	}
}
