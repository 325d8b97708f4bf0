package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/requests"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// numbers are what Prometheus reads at /metrics. Every label has a fixed set of values: names that people give stand in none.
type numbers struct {
	now      func() time.Time
	requests durations
	inFlight atomic.Int64
	vitals   vitals
}

func newNumbers(o Options) *numbers {
	return &numbers{now: o.Now, vitals: vitals{workbench: o.Workbench, now: o.Now, log: o.Log}}
}

// observed measures requests. The pattern of a route is one of those that are registered, or "other".
func (n *numbers) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.inFlight.Add(1)
		defer n.inFlight.Add(-1)
		began, answer := n.now(), &answered{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(answer, r)
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
			n.requests.observe(keyOf(r, answer.status), n.now().Sub(began).Seconds())
		}
	})
}

// answered remembers the status of a reply.
type answered struct {
	http.ResponseWriter
	status int
	sent   bool
}

// WriteHeader keeps the status and sends it on. A second one, by which the library tells that nobody took the reply (499), is kept only.
func (a *answered) WriteHeader(status int) {
	a.status = status
	if !a.sent {
		a.sent = status >= http.StatusOK
		a.ResponseWriter.WriteHeader(status)
	}
}

// Write sends the status first.
func (a *answered) Write(body []byte) (int, error) {
	a.sent = true
	return a.ResponseWriter.Write(body)
}

// Unwrap lets whoever streams reach the connection.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// keyOf is where a request is counted: under the pattern of the route that answered it.
func keyOf(r *http.Request, status int) durationKey {
	key := durationKey{route: "other", method: r.Method, status: strconv.Itoa(status/100) + "xx"}
	if route := chi.RouteContext(r.Context()).RoutePattern(); route != "" {
		key.route = route
	}
	if !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		key.method) {
		key.method = "other"
	}
	return key
}

// metrics answers Prometheus: whoever may read, or has the token of the metrics, which opens nothing else.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	header := r.Header.Get("Authorization")
	if !carries(header, s.MetricsToken) {
		if !s.access.Reads(r) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			requests.WriteProblem(w, r, requests.NewProblem(http.StatusUnauthorized, "token_missing", "this needs a token",
				"send a token of a viewer, or WORKBENCH_METRICS_TOKEN, as Authorization: Bearer"))
			return
		}
	}
	var e exposition
	e.family("workbench_build_info", "gauge", "Always 1.")
	e.sample("workbench_build_info", 1, "version", s.Version)
	s.numbers.requests.write(&e, "workbench_http_request_duration_seconds",
		"Time to answer a request, by the pattern of its route. Streams of events are left out.")
	e.gauge("workbench_http_requests_in_flight", "Requests that are being answered.", float64(s.numbers.inFlight.Load()))
	s.numbers.vitals.write(&e)
	writeRuntime(&e)
	w.Header().Set("Cache-Control", "no-store")
	send(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", e.b.Bytes())
}

// carries reports whether a header carries a token that opens one thing; one that is "" is carried by none.
func carries(header, secret string) bool {
	scheme, token, _ := strings.Cut(header, " ")
	if secret == "" || !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	got, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// vitalsFor is how long counted numbers are told again: whoever asks more often does not make the database work more.
const vitalsFor = 15 * time.Second

// vitals tell what the database counts.
type vitals struct {
	workbench *app.Workbench
	now       func() time.Time
	log       func(string, ...any)

	mu     sync.Mutex
	at     time.Time // of last; zero: never
	last   records.Vitals
	backup time.Time // zero: never
}

// count asks the database, unless it was asked a moment ago.
func (v *vitals) count() (n records.Vitals, backup time.Time, good bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	if age := now.Sub(v.at); !v.at.IsZero() && age >= 0 && age < vitalsFor {
		return v.last, v.backup, true
	}
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
	defer cancel()
	n, err := jobs.Vitals(ctx, v.workbench)
	if err == nil {
		backup, _, err = archive.LastBackup(ctx, v.workbench)
	}
	if err != nil {
		v.log("the numbers for the metrics could not be counted", "error", err)
		return n, backup, false
	}
	v.at, v.last, v.backup = now, n, backup
	return n, backup, true
}

func (v *vitals) write(e *exposition) {
	n, backup, good := v.count()
	up := map[bool]float64{true: 1, false: 0}[good]
	e.gauge("workbench_database_up", "1 when the database answered just now.", up)
	if !good {
		return
	}
	e.family("workbench_runs", "gauge", "Runs by kind and state.")
	for _, kind := range runKinds {
		for _, state := range runStates {
			e.sample("workbench_runs", float64(n.Runs[kind][state]), "kind", string(kind), "state", string(state))
		}
	}
	e.gauge("workbench_questions_waiting", "Questions of queued and running runs that are not settled: the depth of the queue.",
		float64(n.Waiting))
	e.gauge("workbench_calls", "Attempts at a model that belong to a run that is kept.", float64(n.Calls))
	e.gauge("workbench_spent", "What these calls cost, in the currency of the configured prices.", float64(n.Spent)/1e6)
	e.gauge("workbench_reserved", "What the calls under way may cost, in the same currency.", float64(n.Reserved)/1e6)
	causes := map[string]int{}
	for cause, count := range n.Errors {
		causes[causeKind(cause)] += count
	}
	e.family("workbench_errors", "gauge", "Cells of finished runs without a score, by the kind of their cause.")
	for _, kind := range causeKinds {
		e.sample("workbench_errors", float64(causes[kind]), "cause", kind)
	}
	e.family("workbench_schedule_slots", "gauge", "Slots of schedules by what became of them; for missed ones nothing ran.")
	for _, state := range slotStates {
		e.sample("workbench_schedule_slots", float64(n.Fires[state]), "state", string(state))
	}
	e.gauge("workbench_schedules_active", "Schedules that are not paused.", float64(n.Schedules))
	if backup.IsZero() {
		e.gauge("workbench_last_backup_timestamp_seconds", "When the last good backup was made; 0: never.", 0)
		return
	}
	e.gauge("workbench_last_backup_timestamp_seconds", "When the last good backup was made; 0: never.", float64(backup.Unix()))
	e.gauge("workbench_last_backup_age_seconds", "How long ago that was; absent when there was none.", v.now().Sub(backup).Seconds())
}

// The values of labels.
var (
	runKinds = []experiments.Kind{
		experiments.KindEvaluate, experiments.KindSweep, experiments.KindVerify, experiments.KindDiagnose, experiments.KindQuestions,
		experiments.KindValidate,
	}
	runStates = []experiments.RunState{
		experiments.Queued, experiments.Running, experiments.Paused, experiments.Finished, experiments.Cancelled, experiments.Failed,
	}
	slotStates = []experiments.FireState{
		experiments.FireDue, experiments.FireRunning, experiments.FireRan, experiments.FireSkipped, experiments.FireMissed,
		experiments.FireFailed,
	}
	// causeKinds are the beginnings of the names of causes, and what has another one.
	causeKinds = []string{"provider", "endpoint", "model", "reply", "embedding", "verdict", "other"}
)

func causeKind(cause string) string {
	kind, _, _ := strings.Cut(cause, "_")
	if slices.Contains(causeKinds, kind) {
		return kind
	}
	return "other"
}

// writeRuntime tells what the process takes, under the names that Go's programs usually have.
func writeRuntime(e *exposition) {
	samples := []metrics.Sample{{Name: "/sched/goroutines:goroutines"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/total:bytes"}}
	metrics.Read(samples)
	for i, m := range [][2]string{
		{"go_goroutines", "Goroutines that exist."}, {"go_memstats_heap_alloc_bytes", "Bytes of objects on the heap."},
		{"go_memstats_sys_bytes", "Bytes that the runtime has from the system."},
	} {
		if samples[i].Value.Kind() == metrics.KindUint64 {
			e.gauge(m[0], m[1], float64(samples[i].Value.Uint64()))
		}
	}
}
