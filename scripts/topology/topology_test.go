package topology

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/rag-workbench/workbench/scripts/architecture"
)

// pause is how long the test waits before it asks again, so that it does not take the machine from what it watches.
const pause = 50 * time.Millisecond

// stack is the services of the Compose file that run our program, as processes.
type stack struct {
	t        *testing.T
	services map[string]architecture.Service
	program  string
	data     string // stands for the volume at /data
	database string // stands for the service postgres
	url      string
	token    string
}

// process is one container as a process.
type process struct {
	*exec.Cmd
	name string
	out  *bytes.Buffer
}

// need skips without PostgreSQL and without the wish for slow tests.
func need(t *testing.T) string {
	t.Helper()
	if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
		t.Skip("takes two minutes: set WORKBENCH_SLOW_TESTS=1")
	}
	admin := os.Getenv("WORKBENCH_TEST_POSTGRES")
	if admin == "" {
		if os.Getenv("WORKBENCH_REQUIRE_POSTGRES") == "1" {
			t.Fatal("WORKBENCH_REQUIRE_POSTGRES=1, but WORKBENCH_TEST_POSTGRES is not set")
		}
		t.Skip("no PostgreSQL: WORKBENCH_TEST_POSTGRES is not set")
	}
	return admin
}

func newStack(t *testing.T) *stack {
	t.Helper()
	admin := need(t)
	body, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	compose, err := architecture.ReadCompose(body)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &stack{t: t, services: compose.Services, program: filepath.Join(dir, "workbench"), data: filepath.Join(dir, "data")}
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", s.program, "../../cmd/workbench")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s.database = s.newDatabase(admin)
	return s
}

// newDatabase is an empty database of the server of the tests.
func (s *stack) newDatabase(admin string) string {
	s.t.Helper()
	u, err := url.Parse(admin)
	if err != nil {
		s.t.Fatal(err)
	}
	name := fmt.Sprintf("topology_%d", os.Getpid())
	s.ask(admin, "CREATE DATABASE "+name)
	s.t.Cleanup(func() { s.askIn(context.WithoutCancel(s.t.Context()), admin, "DROP DATABASE "+name+" WITH (FORCE)") })
	u.Path = "/" + name
	return u.String()
}

func (s *stack) ask(address, statement string) {
	s.t.Helper()
	s.askIn(s.t.Context(), address, statement)
}

func (s *stack) askIn(ctx context.Context, address, statement string) {
	s.t.Helper()
	db, err := sql.Open("pgx", address)
	if err == nil {
		_, err = db.ExecContext(ctx, statement)
		_ = db.Close() // it was only for this
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

var variable = regexp.MustCompile(`\$\{(\w+)(?::[?-][^}]*)?\}`)

// environment is that of a service, with our database in the place of the service postgres and our folder in that of /data.
func (s *stack) environment(service architecture.Service) []string {
	s.t.Helper()
	out := []string{"WORKBENCH_DATA=" + s.data} // the image says /data
	for _, name := range slices.Sorted(maps.Keys(service.Environment)) {
		value := variable.ReplaceAllStringFunc(service.Environment[name], func(v string) string {
			return map[string]string{"POSTGRES_PASSWORD": "secret"}[variable.FindStringSubmatch(v)[1]]
		})
		if u, err := url.Parse(value); err == nil && u.Hostname() == "postgres" {
			value = s.database
		}
		out = append(out, name+"="+value)
	}
	return out
}

// local is an argument with a port that is free in the place of the container's.
func (s *stack) local(arg string) string {
	arg = strings.ReplaceAll(arg, "0.0.0.0:7700", "0.0.0.0:0")
	return strings.ReplaceAll(arg, "http://127.0.0.1:7700", s.url)
}

func (s *stack) command(name string, args []string) *exec.Cmd {
	for i := range args {
		args[i] = s.local(args[i])
	}
	cmd := exec.CommandContext(s.t.Context(), s.program, args...)
	cmd.Env, cmd.Dir = s.environment(s.services[name]), filepath.Dir(s.program)
	return cmd
}

// start starts a service as the Compose file says.
func (s *stack) start(name string, read func(line string)) *process {
	s.t.Helper()
	p := &process{Cmd: s.command(name, slices.Clone(s.services[name].Command)), name: name, out: &bytes.Buffer{}}
	out, err := p.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	p.Stderr = p.out
	if err := p.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = p.Process.Kill() })
	if read != nil {
		lines := bufio.NewScanner(out)
		for s.url == "" && lines.Scan() {
			read(lines.Text())
		}
		if s.url == "" {
			s.t.Fatalf("%s printed no address: %v\n%s", name, p.Wait(), p.out)
		}
	}
	return p
}

// healthy runs the health check of a service until it succeeds.
func (s *stack) healthy(name string) {
	s.t.Helper()
	test := s.services[name].Healthcheck.Test
	for {
		cmd := s.command(name, slices.Clone(test[2:])) // CMD, program
		out, err := cmd.CombinedOutput()
		if err == nil {
			return
		}
		if s.t.Context().Err() != nil {
			s.t.Fatalf("%s is not healthy: %v\n%s", name, err, out)
		}
		time.Sleep(pause)
	}
}

// send sends a request with the administrator's token and decodes the reply.
func (s *stack) send(method, path, contentType string, body io.Reader, into any) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		s.t.Fatalf("%s %s = %d %v\n%s", method, path, response.StatusCode, err, got)
	}
	if text, ok := into.(*string); ok {
		*text = string(got)
	} else if into != nil {
		if err := json.Unmarshal(got, into); err != nil {
			s.t.Fatalf("%s %s: %v\n%s", method, path, err, got)
		}
	}
}

func (s *stack) post(path, body string, into any) {
	s.t.Helper()
	s.send(http.MethodPost, "/api/v1"+path, "application/json", strings.NewReader(body), into)
}

// upload sends a file as a form.
func (s *stack) upload(path, field, file, content string, fields map[string]string, into any) {
	s.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			s.t.Fatal(err)
		}
	}
	part, err := form.CreateFormFile(field, file)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.send(http.MethodPost, "/api/v1"+path, form.FormDataContentType(), &b, into)
}

// signIn makes a token as the machine's administrator does.
func (s *stack) signIn() {
	s.t.Helper()
	out, err := s.command("workbench", []string{"token", "add", "topology", "--role", "admin"}).CombinedOutput()
	if s.token = string(regexp.MustCompile(`wbt_\S+`).Find(out)); err != nil || s.token == "" {
		s.t.Fatalf("no token: %v\n%s", err, out)
	}
}

const questions = 800

// library stores documents, questions and an experiment over HTTP.
func (s *stack) library() {
	s.t.Helper()
	var docs, asked strings.Builder
	for i := range 60 {
		fmt.Fprintf(&docs,
			`{"doc_id":"rule-%d","text":"Rule %d. A fare of class %d can be refunded for a fee of %d yen until departure. Bags of %d `+
				`kg are carried."}`+"\n", i, i, i, 100*i+7, i+3)
	}
	for i := range questions {
		fmt.Fprintf(&asked,
			`{"question_id":"q%d","question":"What is the fee to refund a fare of class %d, asked for the %dth time?","reference":"%d `+
				`yen"}`+"\n", i, i%60, i, 100*(i%60)+7)
	}
	s.upload("/corpora", "files", "rules.jsonl", docs.String(), map[string]string{"name": "rules"}, nil)
	var preview struct {
		Token string `json:"token"`
		Total int    `json:"total"`
	}
	s.upload("/datasets/preview", "file", "asked.jsonl", asked.String(), map[string]string{"name": "asked"}, &preview)
	if preview.Total != questions {
		s.t.Fatalf("the preview has %d questions", preview.Total)
	}
	s.post("/datasets", fmt.Sprintf(`{"token":%q,"name":"asked"}`, preview.Token), nil)
	s.send(http.MethodPut, "/api/v1/experiments/fees", "application/json",
		strings.NewReader(`{"yaml":"name: fees\ncorpus: rules\ndataset: asked\nbase: {chunk: {size: 80}, retrieve: {mode: hybrid, k: 3}}\n"}`), nil)
}

// holds waits until a process works a batch of a run.
func (s *stack) holds(p *process) {
	s.t.Helper()
	db, err := sql.Open("pgx", s.database)
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	for n := 0; n == 0; {
		err := db.QueryRowContext(s.t.Context(), "SELECT count(*) FROM queue_batches WHERE worker LIKE '%:' || $1 || '%'",
			strconv.Itoa(p.Process.Pid)).Scan(&n)
		if err != nil {
			s.t.Fatalf("%s works nothing: %v", p.name, err)
		}
		time.Sleep(pause)
	}
}

// end tells a process to stop and wants the exit code 0.
func (s *stack) end(p *process) {
	s.t.Helper()
	began := time.Now()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		s.t.Errorf("%s ended with %v\n%s", p.name, err, p.out)
	}
	s.t.Logf("%s stopped in %v", p.name, time.Since(began).Round(10*time.Millisecond))
}

// TestTopology starts the server and its workers, evaluates over HTTP, kills a worker in the middle, finishes, and stops everything.
func TestTopology(t *testing.T) { //nolint:paralleltest // it takes the machine
	s := newStack(t)
	server := s.start("workbench", func(line string) {
		if port, ok := strings.CutPrefix(line, "http://[::]:"); ok {
			s.url = "http://127.0.0.1:" + port
		}
	})
	s.healthy("workbench")
	s.signIn()
	var workers []*process
	for range s.services["worker"].Deploy.Replicas {
		workers = append(workers, s.start("worker", nil))
	}
	if len(workers) != 2 {
		t.Fatalf("the Compose file has %d workers", len(workers))
	}
	s.healthy("worker")
	s.library()
	type row struct {
		ID     string `json:"run_id"`
		State  string `json:"state"`
		Totals struct {
			Questions int `json:"questions"`
			Coverage  struct{ Scored, Applicable int }
		} `json:"totals"`
	}
	var run row
	began := time.Now()
	s.post("/runs", `{"experiment":"fees"}`, &run)
	s.holds(workers[1])
	s.holds(workers[0])
	if err := workers[0].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = workers[0].Wait() // killed
	struck := time.Now()
	for run.State == "queued" || run.State == "running" {
		time.Sleep(pause)
		var detail struct{ Row row }
		s.send(http.MethodGet, "/api/v1/runs/"+run.ID, "", nil, &detail)
		run = detail.Row
	}
	t.Logf("%d questions in %v; %v after a worker was killed", run.Totals.Questions, time.Since(began).
		Round(time.Second), time.Since(struck).Round(time.Second))
	if run.State != "finished" || run.Totals.Questions != questions || run.Totals.Coverage.Scored != run.Totals.Coverage.Applicable {
		t.Errorf("the run is %+v", run)
	}
	s.afterwards()
	for _, p := range append(workers[1:], server) {
		s.end(p)
	}
}

// afterwards looks at the numbers, lets the doctor look, and takes a backup while the server runs.
func (s *stack) afterwards() {
	s.t.Helper()
	var page string
	s.send(http.MethodGet, "/metrics", "", nil, &page)
	if !strings.Contains(page, `workbench_runs{kind="evaluate",state="finished"} 1`) {
		s.t.Errorf("the metrics do not show the run:\n%s", page)
	}
	for _, args := range [][]string{{"doctor"}, {"backup", filepath.Join(filepath.Dir(s.program), "backup.zip")},
		{"restore", filepath.Join(filepath.Dir(s.program), "backup.zip"), "--check"}} {
		if out, err := s.command("workbench", args).CombinedOutput(); err != nil {
			s.t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
