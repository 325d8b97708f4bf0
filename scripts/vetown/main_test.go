package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestOnlyTheCodeOfOthersIsSpared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path, module string
		factsOnly          bool
		spared             bool
	}{
		{"of others, asked for what it tells", "example.org/others/fmt", "example.org/others", true, true},
		{"ours", "example.org/ours/p", "example.org/ours", false, false},
		{"what prints in the standard library", "fmt", "", true, false},
		{"what ends a test", "testing", "std", true, false},
		{"the rest of the standard library", "net/http", "", true, true},
		{"what the standard library has of others", "vendor/golang.org/x/net/idna", "std", true, true},
	} {
		dir := t.TempDir()
		facts := filepath.Join(dir, "vet.out")
		unit := filepath.Join(dir, "vet.cfg")
		text := fmt.Sprintf(`{"ImportPath":%q,"ModulePath":%q,"VetxOnly":%v,"VetxOutput":%q}`, c.path, c.module, c.factsOnly, facts)
		if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		spared, err := spare(unit)
		if _, none := os.Stat(facts); err != nil || spared != c.spared || spared == (none != nil) {
			t.Errorf("%s: spared %v, want %v (%v, %v)", c.name, spared, c.spared, err, none)
		}
	}
}

func TestWhatIsKeptIsNotTakenForWhatVetFound(t *testing.T) {
	t.Parallel()
	for of, want := range map[string]string{
		"vet version go1.26.8 buildID=ab\n": "vetown version own2 go1.26.8 buildID=ab",
		"vet version devel x buildID=ab\n":  "vetown version own2 devel x buildID=ab",
		"":                                  "vetown version own2",
	} {
		if got := ownVersion(of); got != want {
			t.Errorf("%q became %q, want %q", of, got, want)
		}
	}
}
