package server

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestSettingsTellOfTheLastBackup: nothing before the first one, then when it was made.
func TestSettingsTellOfTheLastBackup(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	c := serve(t, Options{Workbench: w})
	_, _, before := c.do("GET", Prefix+"/settings", "")
	if strings.Contains(before, "last_backup") || !strings.Contains(before, `"time_zones"`) {
		t.Errorf("before the first backup: %s", before)
	}
	bot := rag.Endpoint{Name: "bot", URL: "https://bot.example/ask", Template: `{"q":"{{question}}"}`, Answer: "answer"}
	if _, _, _, err := w.AddEndpoint(t.Context(), bot); err != nil { // an empty workbench is not backed up
		t.Fatal(err)
	}
	if _, err := archive.Backup(t.Context(), w, filepath.Join(t.TempDir(), "monday.zip"), "test"); err != nil {
		t.Fatal(err)
	}
	made, _, err := archive.LastBackup(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	var got views.Settings
	c.get("/settings", &got)
	if !got.LastBackup.Equal(made) {
		t.Errorf("the last backup was made at %s, want %s", got.LastBackup, made)
	}
}
