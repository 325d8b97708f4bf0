package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
)

func readNotifications(t *testing.T, channels string) (app.Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "workbench.yaml")
	if err := os.WriteFile(path, []byte("notifications:\n  channels:\n    ops: "+channels+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return app.ReadConfig(path, true, func(string) string { return "" })
}

func TestChannelsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	for name, channels := range map[string]string{
		"slack":   "{kind: slack, url_env: SLACK_URL, lang: ja}",
		"teams":   "{kind: teams, url: 'https://example.org/hook?sig=abc', lang: both}",
		"webhook": "{kind: webhook, url: 'http://192.168.1.9:8080/x', secret_env: HOOK_KEY, allow_private: true, ca_file: ca.pem}",
		"mail":    "{kind: mail, host: smtp.example.org, user: bench, password_env: MAIL_KEY, from: Bench <b@example.org>, to: [a@example.org]}\n  digest: {channel: ops, day: 28, zone: Asia/Tokyo}\n  mentions: {channel: ops, people: {ann@example.org: ops}}",
	} {
		if _, err := readNotifications(t, channels); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := readNotifications(t, "{kind: mail, host: smtp.example.org, from: b@example.org, to: [a@example.org]}")
	if err != nil {
		t.Fatal(err)
	}
	if mail, err := c.Channel("ops"); err != nil || mail.Port != 587 || mail.TLS != "starttls" || mail.Lang != "en" {
		t.Errorf("the channel is %+v (%v)", mail, err)
	}
	if _, err := c.Channel("other"); problem.CodeOf(err) != "channel_unknown" || !problem.Is(err, problem.NotFound) {
		t.Errorf("an unknown channel: %v", err)
	}
}

func TestWrongChannelsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	const mail = "{kind: mail, host: smtp.example.org, from: b@example.org, to: [a@example.org]"
	for channels, field := range map[string]string{
		"{url: 'https://example.org/top-secret'}":               "ops.kind",
		"{kind: pigeon, url: 'https://example.org/top-secret'}": "ops.kind",
		"{kind: slack}": "ops.url_env",
		"{kind: slack, url: 'https://example.org/top-secret', url_env: X}":    "ops.url_env",
		"{kind: slack, url: 'http://example.org/top-secret'}":                 "ops.url",
		"{kind: slack, url: 'file:///top-secret', allow_private: true}":       "ops.url",
		"{kind: slack, url: 'https://user:top-secret@example.org/'}":          "ops.url",
		"{kind: slack, url: 'https://example.org/top-secret#part'}":           "ops.url",
		"{kind: slack, url: \"https://example.org/top-secret\\r\\nHost: x\"}": "ops.url",
		"{kind: slack, url: 'https:///top-secret'}":                           "ops.url",
		"{kind: slack, url: 'https://example.org\\top-secret'}":               "ops.url",
		"{kind: slack, url: 'https://example.org/top-secret', secret_env: X}": "ops.secret_env",
		"{kind: webhook, url_env: 'https://example.org/top-secret'}":          "ops.url_env",
		"{kind: webhook, url_env: X, lang: fr}":                               "ops.lang",
		"{kind: webhook, url_env: X, host: smtp.example.org}":                 "ops.host",
		"{kind: webhook, url_env: X, to: [a@example.org]}":                    "ops.to",
		mail + ", url_env: X}":                              "ops.url_env",
		mail + ", port: 99999}":                             "ops.port",
		mail + ", tls: maybe}":                              "ops.tls",
		mail + ", user: bench}":                             "ops.password_env",
		mail + ", tls: none, user: bench, password_env: X}": "ops.tls",
		"{kind: mail, host: 'smtp.example.org:25', from: b@example.org, to: [a@e.org]}":                  "ops.host",
		"{kind: mail, host: smtp.example.org, from: nobody, to: [a@example.org]}":                        "ops.from",
		"{kind: mail, host: smtp.example.org, from: b@example.org}":                                      "ops.to",
		"{kind: mail, host: smtp.example.org, from: b@example.org, to: [a@b.org, here]}":                 "ops.to",
		"{kind: mail, host: smtp.example.org, from: b@example.org, to: [\"a@b.org\\r\\nBcc: c@d.org\"]}": "ops.to",
		"{kind: slack, url_env: X}\n    'two words': {kind: slack, url_env: X}":                          "two words",
		"{kind: slack, url_env: X}\n  mentions: {channel: mail}":                                         "mentions.channel",
		"{kind: slack, url_env: X}\n  mentions: {people: {ann: mail}}":                                   "mentions.people.ann",
		"{kind: slack, url_env: X}\n  digest: {channel: mail}":                                           "digest.channel",
		"{kind: slack, url_env: X}\n  digest: {channel: ops, day: 31}":                                   "digest.day",
		"{kind: slack, url_env: X}\n  digest: {channel: ops, zone: Mars/Olympus}":                        "digest.zone",
	} {
		_, err := readNotifications(t, channels)
		if err == nil {
			t.Errorf("%s was accepted", channels)
			continue
		}
		got, _ := problem.From(err).Params["field"].(string)
		if problem.CodeOf(err) != "config_channel" || !strings.HasSuffix(got, field) || strings.Contains(err.Error(), "top-secret") {
			t.Errorf("%s: %v, field %q; want %s", channels, err, got, field)
		}
	}
	if _, err := readNotifications(t, "{kind: slack, url_env: X, colour: red}"); problem.CodeOf(err) != "config_yaml" ||
		!strings.Contains(err.Error(), "colour") {
		t.Errorf("an unknown field: %v", err)
	}
}
