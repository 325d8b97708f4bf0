package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app/notify"
)

func TestNotifyVerb(t *testing.T) {
	t.Parallel()
	var got string
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.Header.Get("Workbench-Event") + string(body)
	}))
	t.Cleanup(receiver.Close)
	b := newBench(t)
	if list := b.must("notify", "list").stdout; !strings.Contains(list, "no channels") {
		t.Errorf("without channels:\n%s", list)
	}
	config := "notifications: {channels: {ops: {kind: slack, url_env: OPS_URL, allow_private: true}, closed: {kind: teams, url_env: OPS_URL}}}\n"
	if err := os.WriteFile(b.path("workbench.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	b.env["OPS_URL"] = receiver.URL + "/secret-path"
	with := func(args ...string) []string { return append([]string{"--config", "{}/workbench.yaml"}, args...) }
	if o := b.must(with("notify", "test", "ops")...); !strings.Contains(o.stdout, "delivered to ops") || !strings.HasPrefix(got, "test{") {
		t.Errorf("the test says %q, and %q arrived", o.stdout, got)
	}
	closed := b.run(with("notify", "test", "closed")...)
	if closed.code != program.ExitBroken || !strings.Contains(closed.stderr, "was not delivered") {
		t.Errorf("a channel that does not work: exit %d\n%s", closed.code, closed.stderr)
	}
	unknown := b.run(with("notify", "test", "nobody")...)
	list := b.must(with("notify", "list")...)
	for _, says := range []string{"ops", "slack", "delivered", "given_up"} {
		if !strings.Contains(list.stdout, says) {
			t.Errorf("the list does not say %q:\n%s", says, list.stdout)
		}
	}
	var listed struct {
		Channels []notify.ChannelRow
		Notices  []notify.NoticeRow
	}
	asJSON := b.must(with("notify", "list", "--json", "-n", "1")...)
	decode(t, asJSON, &listed)
	if len(listed.Channels) != 2 || len(listed.Notices) != 1 {
		t.Errorf("as JSON: %+v", listed)
	}
	if o := b.must(with("notify", "deliver")...); !strings.Contains(o.stdout, "0 attempts") {
		t.Errorf("deliver says %q", o.stdout)
	}
	if unknown.code != program.ExitUsage {
		t.Errorf("an unknown channel: exit %d", unknown.code)
	}
	for _, o := range []outcome{closed, unknown, list, asJSON, b.must(with("config")...)} {
		if strings.Contains(o.stdout+o.stderr, "secret-path") {
			t.Errorf("the address is told:\n%s%s", o.stdout, o.stderr)
		}
	}
}

func TestTrendVerb(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	o := b.must("trend", "closed")
	for _, says := range []string{"CORRECTNESS", " to ", "good for trying the tool"} {
		if !strings.Contains(o.stdout, says) {
			t.Errorf("the trend does not say %q:\n%s", says, o.stdout)
		}
	}
	var trend progress.Trend
	decode(t, b.must("trend", "closed", "--json"), &trend)
	if len(trend.Points) != 1 || trend.Points[0].Run == nil || trend.Experiment != "closed" {
		t.Errorf("as JSON: %+v", trend)
	}
	for name, o := range map[string]outcome{"an unknown name": b.run("trend", "nobody"), "no points": b.run("trend", "closed", "-n", "0")} {
		if o.code != program.ExitUsage {
			t.Errorf("%s: exit %d\n%s", name, o.code, o.stderr)
		}
	}
}
