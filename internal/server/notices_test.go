package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/notify"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// TestNoticesOverHTTP: channels are named and tested, messages listed with what was tried, and no address or key is ever told.
func TestNoticesOverHTTP(t *testing.T) {
	t.Parallel()
	var arrived int
	receiver := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if arrived++; !strings.Contains(r.URL.Path, canary) {
			rw.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(receiver.Close)
	dir := t.TempDir()
	config := filepath.Join(dir, "workbench.yaml")
	text := "notifications:\n  channels:\n    hook: {kind: webhook, url: '" + receiver.URL + "/" + canary +
		"', secret_env: HOOK_KEY, allow_private: true}\n" +
		"    gone: {kind: slack, url_env: GONE_URL, allow_private: true}\n    unset: {kind: teams, url_env: UNSET_URL}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	now := testNow
	w, err := app.Open(context.Background(), app.Options{
		DataDir: filepath.Join(dir, "data"), ConfigPath: config, Now: func() time.Time { now = now.Add(time.Second); return now },
		Getenv: func(name string) string {
			return map[string]string{"HOOK_KEY": canary, "GONE_URL": receiver.URL + "/other?x=" + "other-" + canary[:4]}[name]
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	c := serve(t, Options{Workbench: w})

	var channels api.ItemsOf[notify.ChannelRow]
	c.get("/notices/channels", &channels)
	if len(channels.Items) != 3 || !channels.Items[1].Ready || !channels.Items[1].Signed || channels.Items[2].Ready ||
		channels.Items[2].Missing != "UNSET_URL" {
		t.Errorf("the channels are %+v", channels.Items)
	}
	for name, want := range map[string]string{"hook": "delivered", "gone": "http_404", "unset": "channel_secret"} {
		var row notify.NoticeRow
		c.send(http.MethodPost, "/notices/test", `{"channel":"`+name+`"}`, http.StatusOK, &row)
		if len(row.Attempts) != 1 || row.Attempts[0].Outcome.Code != want || row.Attempts[0].Outcome.JA == "" {
			t.Errorf("the test of %s gives %+v", name, row)
		}
	}
	c.refused(http.MethodPost, "/notices/test", `{"channel":"nobody"}`, http.StatusNotFound)
	for _, given := range []string{`{"channel":"hook","url":"https://evil.example/"}`,
		`{"channel":"https://evil.example/hook-that-is-longer-than-a-name"}`, `{}`} {
		c.refused(http.MethodPost, "/notices/test", given, http.StatusUnprocessableEntity)
	}
	if arrived != 2 {
		t.Errorf("%d requests arrived; want 2", arrived)
	}
	var list listing.Listed[notify.NoticeRow]
	c.get("/notices?state=given_up", &list)
	if list.Total != 2 || list.Items[0].State != experiments.NoticeGivenUp {
		t.Errorf("the list is %+v", list)
	}
	c.get("/notices?channel=hook&limit=1", &list)
	if list.Total != 1 || list.Items[0].Title.JA == "" {
		t.Errorf("the list is %+v", list)
	}
	for _, path := range []string{"/notices", "/notices/channels", "/settings"} {
		if _, _, body := c.do(http.MethodGet, requests.Prefix+path, ""); strings.Contains(body, canary) ||
			strings.Contains(body, receiver.URL) {
			t.Errorf("%s tells an address or a key:\n%s", path, body)
		}
	}
}

func TestTrendOverHTTP(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c := serve(t, Options{Workbench: w.workbench})
	name := w.after().Setup.Experiment
	var trend progress.Trend
	c.get("/experiments/"+name+"/trend?limit=5", &trend)
	if trend.Experiment != name || len(trend.Metrics) == 0 && len(trend.Points) > 0 {
		t.Errorf("the trend of %s is %+v", name, trend)
	}
	c.refused(http.MethodGet, "/experiments/nobody/trend", "", http.StatusNotFound)
	c.refused(http.MethodGet, "/schedules/nobody/trend", "", http.StatusNotFound)
	c.refused(http.MethodGet, "/schedules/nobody/trend?limit=501", "", http.StatusUnprocessableEntity)
}
