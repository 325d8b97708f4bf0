package server

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// scraped reads the text format: samples by name with labels, types by name. It fails the test where the format is broken.
func scraped(t *testing.T, body string) (samples map[string]float64, types map[string]string) {
	t.Helper()
	samples, types = map[string]float64{}, map[string]string{}
	line := regexp.MustCompile(`^([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\.)*"(?:,[a-z]+="(?:[^"\\\n]|\\.)*")*\})? (\S+)$`)
	for l := range strings.Lines(body) {
		l = strings.TrimSuffix(l, "\n")
		if rest, ok := strings.CutPrefix(l, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			if types[name] != "" {
				t.Errorf("%s is declared twice", name)
			}
			types[name] = kind
			continue
		}
		if strings.HasPrefix(l, "# HELP ") {
			continue
		}
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("no sample: %q", l)
		}
		v, err := strconv.ParseFloat(m[3], 64)
		if _, twice := samples[m[1]+m[2]]; err != nil || twice {
			t.Errorf("%q: %v, twice: %v", l, err, twice)
		}
		samples[m[1]+m[2]] = v
		family := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(m[1], "_bucket"), "_sum"), "_count")
		if types[m[1]] == "" && types[family] != "histogram" {
			t.Errorf("%s has no type", m[1])
		}
	}
	return samples, types
}

func TestMetricsSayWhatIsThere(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := serve(t, Options{Workbench: w})
	c.finished("k1")
	c.do("GET", "/nothing/here", "")
	c.do("BREW", requests.Prefix+"/runs", "")
	status, header, body := c.do("GET", "/metrics", "")
	if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %s", status, header.Get("Content-Type"))
	}
	got, types := scraped(t, body)
	for name, want := range map[string]float64{
		`workbench_runs{kind="evaluate",state="finished"}`: 1, `workbench_runs{kind="evaluate",state="running"}`: 0,
		"workbench_questions_waiting": 0, "workbench_database_up": 1,
		`workbench_schedule_slots{state="missed"}`: 0, "workbench_last_backup_timestamp_seconds": 0,
		`workbench_build_info{version="test"}`: 1, "workbench_http_requests_in_flight": 1,
		`workbench_errors{cause="provider"}`: 0, "workbench_calls": 0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s = %v (%v), want %v", name, v, ok, want)
		}
	}
	counted := got[`workbench_http_request_duration_seconds_count{route="/api/v1/runs",method="POST",status="2xx"}`]
	if counted < 1 || types["workbench_http_request_duration_seconds"] != "histogram" {
		t.Errorf("requests that start runs: %v", counted)
	}
	for name := range got {
		if strings.Contains(name, "k1") || strings.Contains(name, "/nothing") || strings.Contains(name, "BREW") {
			t.Errorf("the label of %s comes from outside", name)
		}
	}
}

// TestMetricsNeedPermission: a viewer or the token of the metrics may read them; that token opens nothing else.
func TestMetricsNeedPermission(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	o := x.options()
	o.MetricsToken = "scrape-me"
	c := serve(t, o)
	for token, want := range map[string]int{"": 401, "scrape": 401, "scrape-me": 200, x.tokens[requests.Viewer]: 200,
		x.tokens[requests.Administrator]: 200} {
		c.token = token
		if status, _, _ := c.do("GET", "/metrics", ""); status != want {
			t.Errorf("/metrics with %q = %d, want %d", token, status, want)
		}
	}
	c.token = "scrape-me"
	c.refused("GET", "/runs", "", 401)
	c.token = ""
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, _, body := c.do("GET", path, ""); status != 200 || len(body) > 10 {
			t.Errorf("%s = %d %q", path, status, body)
		}
	}
	c = serve(t, newTeam(t, fresh(t)).options())
	c.token = ""
	c.header = map[string]string{"Authorization": "Bearer "}
	if status, _, _ := c.do("GET", "/metrics", ""); status != 401 {
		t.Errorf("an empty token where none is set = %d", status)
	}
}

// TestReadyNeedsTheDatabase: without its database a server lives, but is not ready, and its metrics say so.
func TestReadyNeedsTheDatabase(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	c := serve(t, Options{Workbench: w})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503} {
		if status, _, body := c.do("GET", path, ""); status != want || strings.Contains(body, "sql") {
			t.Errorf("%s = %d %q", path, status, body)
		}
	}
	_, _, body := c.do("GET", "/metrics", "")
	if got, _ := scraped(t, body); got["workbench_database_up"] != 0 {
		t.Errorf("the database is up: %v", got["workbench_database_up"])
	}
}

// TestMetricsAreCountedOnceInAWhile: asking often costs the database nothing.
func TestMetricsAreCountedOnceInAWhile(t *testing.T) {
	t.Parallel()
	now := testNow
	n := newNumbers(Options{Workbench: fresh(t), Now: func() time.Time { return now }, Log: func(string, ...any) {}})
	n.vitals.count()
	first := n.vitals.at
	now = now.Add(vitalsFor - 1)
	n.vitals.count()
	if !n.vitals.at.Equal(first) {
		t.Error("it was counted again too early")
	}
	now = now.Add(1)
	n.vitals.count()
	if n.vitals.at.Equal(first) {
		t.Error("it was not counted again")
	}
}

// TestBucketsHoldEveryTime: the last bucket of a histogram is its count.
// TestALeftRequestIsNoMistake: the library tells of a client that has left by a second status, which is counted and not sent.
func TestALeftRequestIsNoMistake(t *testing.T) {
	t.Parallel()
	n := newNumbers(Options{Now: func() time.Time { return testNow }})
	var said bytes.Buffer
	router := chi.NewRouter()
	router.With(n.observed).Get("/half", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "half")
		w.WriteHeader(499)
	})
	web := httptest.NewUnstartedServer(router)
	web.Config.ErrorLog = log.New(&said, "", 0)
	web.Start()
	reply, err := http.Get(web.URL + "/half") //nolint:noctx // one of a test
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(reply.Body)
	_ = reply.Body.Close()
	web.Close() // what it said is complete
	if err != nil || reply.StatusCode != http.StatusAccepted || string(body) != "half" || said.Len() > 0 {
		t.Errorf("%d %q, %v; the server says %q", reply.StatusCode, body, err, said.String())
	}
	var e exposition
	n.requests.write(&e, "x", "help")
	if got, _ := scraped(t, e.b.String()); got[`x_count{route="/half",method="GET",status="4xx"}`] != 1 {
		t.Error(got)
	}
}

func TestBucketsHoldEveryTime(t *testing.T) {
	t.Parallel()
	var d durations
	key := durationKey{"/x", "GET", "2xx"}
	for _, seconds := range []float64{0, .005, .006, 3, 1e9} {
		d.observe(key, seconds)
	}
	var e exposition
	d.write(&e, "x", "help")
	got, _ := scraped(t, e.b.String())
	for le, want := range map[string]float64{"0.005": 2, "0.025": 3, "2.5": 3, "10": 4, "60": 4, "+Inf": 5} {
		if v := got[`x_bucket{route="/x",method="GET",status="2xx",le="`+le+`"}`]; v != want {
			t.Errorf("up to %s s: %v, want %v", le, v, want)
		}
	}
	if got[`x_count{route="/x",method="GET",status="2xx"}`] != 5 {
		t.Errorf("counted %v", got)
	}
}

// TestStopping: while a server stops, it is not ready, begins nothing, and still answers what can be read.
func TestStopping(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	if status, _, _ := c.do("GET", readyPath, ""); status != 200 {
		t.Fatalf("ready = %d", status)
	}
	close(c.server.stopping)
	for path, want := range map[string]int{readyPath: 503, alivePath: 200, requests.Prefix + "/runs": 200} {
		if status, _, _ := c.do("GET", path, ""); status != want {
			t.Errorf("%s = %d, want %d", path, status, want)
		}
	}
	if p := c.refused("POST", "/runs", `{"experiment":"k1"}`, 503); p.Code != "server_stopping" {
		t.Errorf("starting a run: %+v", p)
	}
}

// TestServeLetsQuestionsEnd: a server that is told to stop pauses its run at a question's end, and leaves nothing half done.
func TestServeLetsQuestionsEnd(t *testing.T) {
	t.Parallel()
	w := small(t)
	s, err := New(Options{Workbench: w, Now: func() time.Time { return testNow },
		Log: func(m string, args ...any) { t.Errorf("%s %v", m, args) }})
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	c := &client{t: t, server: s, url: "http://" + l.Addr().String()}
	var run app.RunRow
	c.send("POST", "/runs", `{"experiment":"k1"}`, 202, &run)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	got, err := w.Store.Run(t.Context(), run.RunID)
	if err != nil || got.State != experiments.Paused && got.State != experiments.Finished {
		t.Errorf("the run is %s (%s), %v", got.State, got.Cause, err)
	}
	if findings, err := w.Whole.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("the doctor: %v %v", findings, err)
	}
}
