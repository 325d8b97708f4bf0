package timetable

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestZoneRules(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there a program has only its own")
	}
	none, named, silent, short := filepath.Join(t.TempDir(), "none"), t.TempDir(), t.TempDir(), t.TempDir()
	for folder, text := range map[string]string{named: "# version 2026a\n# This zic input file is in the public domain.\n",
		silent: "R A 1 2\n", short: "# version 20"} {
		if err := os.WriteFile(filepath.Join(folder, "tzdata.zi"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for want, got := range map[string]string{
		"mine.zip":                             zoneRules("mine.zip", []string{named}),
		named + " 2026a":                       zoneRules("", []string{none, named, silent}),
		silent:                                 zoneRules("", []string{silent, named}),
		short:                                  zoneRules("", []string{short}),
		"built in (" + runtime.Version() + ")": zoneRules("", []string{none}),
	} {
		if got != want {
			t.Errorf("rules are %q, want %q", got, want)
		}
	}
}
