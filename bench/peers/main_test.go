package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheTableHasItsPlace: writing the table replaces the one in docs/claims.md and nothing else.
func TestTheTableHasItsPlace(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("../../docs/claims.md")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "claims.md")
	if err := os.WriteFile(copied, body, 0o600); err != nil {
		t.Fatal(err)
	}
	r := &rig{questions: 1, latency: time.Second}
	if err := replaced(copied, r.table([]row{{peer: peers[0], failed: "not installed: no network"}})); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(body), begin)
	got, after, _ := strings.Cut(string(now), begin)
	if got != before || strings.Count(after, "\n| ") != 2 || !strings.Contains(after, "faithfulness | not installed: no network") {
		t.Errorf("the file became\n%s", now)
	}
}
