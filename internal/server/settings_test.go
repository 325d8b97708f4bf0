package server

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// TestSettingsTellOfTheLastBackup: nothing before the first one, then when it was made.
func TestSettingsTellOfTheLastBackup(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	c := serve(t, Options{Workbench: w})
	_, _, before := c.do("GET", requests.Prefix+"/settings", "")
	if strings.Contains(before, "last_backup") || !strings.Contains(before, `"time_zones"`) {
		t.Errorf("before the first backup: %s", before)
	}
	bot := remote.Endpoint{Name: "bot", URL: "https://bot.example/ask", Template: `{"q":"{{question}}"}`, Answer: "answer"}
	if _, _, _, err := app.AddEndpoint(t.Context(), w, bot); err != nil { // an empty workbench is not backed up
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

// TestAProviderIsAddedOverHTTP: an administrator adds, changes, removes and takes back a server of models; there is no place for a
// key, what
// is hostile is refused with what was wrong at which field, and the audit log has it.
func TestAProviderIsAddedOverHTTP(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: fresh(t)})
	const place, good = "/settings/providers/gate", `{"base_url":"https://api.example.com/v1/","models":["m-1","m-2"],"concurrency":4}`
	var p views.ProviderSetting
	c.send("PUT", place, good, 200, &p)
	if p.Added == nil || p.Added.BaseURL != "https://api.example.com/v1" || p.Kind != "openai" || p.Concurrency != 4 || p.KeyName != "" {
		t.Errorf("added: %+v", p)
	}
	for body, want := range map[string][2]string{
		`{"base_url":"https://169.254.169.254/","models":["m"]}`:                     {"provider_address_inside", "base_url"},
		`{"base_url":"https://u:hunter2@api.example.com/","models":["m"]}`:           {"provider_address_credentials", "base_url"},
		`{"base_url":"https://api.example.com/\r\nX: hunter2","models":["m"]}`:       {"provider_address_characters", "base_url"},
		`{"base_url":"https://api.example.com/","models":["a\nb"]}`:                  {"provider_model", "models"},
		`{"base_url":"https://api.example.com/","models":[]}`:                        {"provider_model", "models"},
		`{"base_url":"https://api.example.com/","models":["m"],"api_key":"hunter2"}`: {"", ""},
		`{"base_url":"https://api.example.com/","models":["m"],"key_env":"HOME"}`:    {"", ""},
		`{"base_url":"https://api.example.com/","models":["m"],"key_origin":"x"}`:    {"", ""},
		`{"base_url":"` + strings.Repeat("x", 3000) + `","models":["m"]}`:            {"", ""},
	} {
		got := c.refused("PUT", place, body, 422)
		if want[0] != "" && (got.Code != want[0] || got.Field != want[1]) || got.Hint == "" && want[0] != "" ||
			strings.Contains(got.Detail+got.Hint, "hunter2") {
			t.Errorf("%s: %+v", body, got)
		}
	}
	c.refused("PUT", "/settings/providers/offline", good, 409)
	c.send("DELETE", place, "", 204, nil)
	var settings views.Settings
	c.get("/settings", &settings)
	if slices.ContainsFunc(settings.Providers, func(p views.ProviderSetting) bool { return p.Name == "gate" }) {
		t.Errorf("removed: %+v", settings.Providers)
	}
	c.send("POST", place+"/restore", `{}`, 200, &p)
	if p.Added == nil || len(p.Added.Models) != 2 {
		t.Errorf("taken back: %+v", p)
	}
	c.refused("DELETE", "/settings/providers/openai", "", 404)
	var log api.ItemsOf[experiments.AuditEntry]
	c.get("/audit?name=this+machine", &log)
	if len(log.Items) == 0 || !strings.Contains(log.Items[len(log.Items)-1].Detail, "https://api.example.com/v1, m-1 m-2") {
		t.Errorf("audit log: %+v", log.Items)
	}
}
