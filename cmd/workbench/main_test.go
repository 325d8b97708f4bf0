package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// bench is a folder with a small corpus, a question sheet and experiment files, and the command run in it.
type bench struct {
	t   *testing.T
	dir string
	env map[string]string

	interactive bool   // somebody sits at a terminal
	together    bool   // both streams come as stdout, in the order in which a terminal shows them
	stdin       string // and types this
}

type outcome struct {
	code           int
	stdout, stderr string
}

// newBench has an empty database, which takes longer to make than most commands take to run.
func newBench(t *testing.T) *bench {
	t.Helper()
	b := bareBench(t)
	if err := apptest.LayEmpty(b.path("data")); err != nil {
		t.Fatal(err)
	}
	return b
}

// bareBench has no data directory yet.
func bareBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), env: map[string]string{}}
	if err := os.CopyFS(b.dir, os.DirFS(filepath.Join("testdata", "faq"))); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// run runs the command as a shell would, with {} in arguments standing for the folder.
func (b *bench) run(args ...string) outcome {
	b.t.Helper()
	return b.runIn(b.t.Context(), args...)
}

// today is when commands run: a Friday. A server's clock starts there too and goes on, so that no slot of a schedule and no end of a
// link passes between a command and a server, whatever day the tests run on.
var today = time.Date(2026, 11, 20, 15, 0, 0, 0, time.FixedZone("JST", 9*3600))

func (b *bench) runIn(ctx context.Context, args ...string) outcome {
	b.t.Helper()
	var stdout, stderr bytes.Buffer
	p := program.Program{
		Version: version,
		Stdin:   strings.NewReader(b.stdin), Stdout: &stdout, Stderr: &stderr, Interactive: b.interactive,
		Getenv: func(name string) string { return b.env[name] },
		Now:    func() time.Time { return today },
	}
	if b.together {
		p.Stderr = &stdout
	}
	args = slices.Clone(args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "{}", b.dir)
	}
	code := run(ctx, &p, append([]string{"--data", b.path("data")}, args...))
	if wrong := apptest.ValuesOfUnscored(stdout.Bytes()); len(wrong) > 0 {
		b.t.Errorf("workbench %s gives scores a value that were not scored: %s", strings.Join(args, " "), wrong)
	}
	clean := func(s string) string { return strings.ReplaceAll(s, b.dir, "DIR") }
	return outcome{code, clean(stdout.String()), clean(stderr.String())}
}

// must runs and fails the test on any exit code but 0.
func (b *bench) must(args ...string) outcome {
	b.t.Helper()
	o := b.run(args...)
	if o.code != program.ExitDone {
		b.t.Fatalf("workbench %s: exit %d\n%s%s", strings.Join(args, " "), o.code, o.stdout, o.stderr)
	}
	return o
}

func (b *bench) imported() *bench {
	b.t.Helper()
	b.must("corpus", "import", "{}/docs", "--name", "faq")
	b.must("dataset", "import", "{}/questions.csv", "--name", "faq", "--corpus", "faq")
	return b
}

// golden compares text with a file in testdata/golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); rewrite with: make golden\n%s", path, diff)
	}
}

// TestTranscripts runs one command after the other and compares all they print.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	steps := []struct {
		name string
		args []string
	}{
		{"empty-corpora", []string{"corpus", "list"}},
		{"empty-experiments", []string{"experiment", "list"}},
		{"empty-runs", []string{"runs", "list"}},
		{"empty-baselines", []string{"baseline", "show"}},
		{"corpus-import", []string{"corpus", "import", "{}/docs", "--name", "faq"}},
		{"corpus-import-again", []string{"corpus", "import", "{}/docs", "--name", "faq"}},
		{"corpus-join", []string{"corpus", "import", "{}/docs", "--name", "faq-joined", "--join"}},
		{"corpus-list", []string{"corpus", "list"}},
		{"corpus-show", []string{"corpus", "show", "faq"}},
		{"dataset-import", []string{"dataset", "import", "{}/questions.csv", "--name", "faq", "--corpus", "faq"}},
		{"dataset-show", []string{"dataset", "show", "faq"}},
		{"experiment-add", []string{"experiment", "add", "{}/sweep.yaml"}},
		{"experiment-list", []string{"experiment", "list"}},
		{"plan", []string{"sweep", "faq", "--plan"}},
		{"run", []string{"run", "faq"}},
		{"sweep", []string{"sweep", "faq"}},
		{"runs-list", []string{"runs", "list"}},
		{"runs-list-differing", []string{"runs", "list", "--differing"}},
		{"runs-list-sweeps", []string{"runs", "list", "--sweeps", "--sort=-correctness"}},
		{"runs-list-sorted", []string{"runs", "list", "--sort=-setup.chunk.size"}},
		{"baseline-set", []string{"baseline", "set", "faq"}},
		{"run-closed", []string{"run", "{}/closed.yaml"}},
		{"compare", []string{"compare", "closed"}},
		{"compare-three", []string{"compare", "chunk size: 200, overlap of chunks: 0, passages given to the model (k): 1",
			"chunk size: 100, overlap of chunks: 0, passages given to the model (k): 1", "closed"}},
		{"compare-only", []string{"compare", "closed", "--only", "worse", "--worst", "2"}},
		{"compare-question", []string{"compare", "closed", "--question", "q2"}},
		{"runs-show", []string{"runs", "show", "closed"}},
		{"explain", []string{"runs", "show", "faq", "--question", "q2"}},
		{"runs-note", []string{"runs", "note", "closed", "Answers without looking: a floor."}},
		{"runs-tag", []string{"runs", "tag", "closed", "+floor", "keep", "-gone"}},
		{"runs-tag-back", []string{"runs", "tag", "closed", "-keep"}},
		{"runs-list-tag", []string{"runs", "list", "--tag", "floor"}},
		{"runs-views-save", []string{"runs", "views", "--save", "floors", "--query", "tag=floor&sort=-trust&cols=run,setup.retrieve.k"}},
		{"runs-list-view", []string{"runs", "list", "--view", "floors"}},
		{"runs-views-remove", []string{"runs", "views", "--remove", "floors"}},
		{"runs-views-restore", []string{"runs", "views", "--restore", "floors"}},
		{"archive", []string{"experiment", "archive", "closed"}},
		{"baseline-clear", []string{"baseline", "clear", "faq"}},
		{"config", []string{"config"}},
	}
	listed := ""
	for _, s := range steps {
		for i, arg := range s.args { // ids move with whatever a setup is made of
			if !strings.Contains(arg, ": ") { // it names no run by what a sweep set
				continue
			}
			if id := regexp.MustCompile(`(?m)^([0-9a-f]{12}) .* ` + regexp.QuoteMeta(arg) + `$`).FindStringSubmatch(listed); id != nil {
				s.args[i] = id[1]
			}
		}
		o := b.must(s.args...)
		if s.name == "runs-list" {
			listed = o.stdout
		}
		golden(t, s.name+".txt", o.stdout+"-- stderr --\n"+o.stderr)
	}
	b.must("doctor") // finds nothing after all of that
}

// TestVersion: what somebody is asked for who reports a fault. It names the machine's time zones, so there is no golden file.
func TestVersion(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	want := "workbench " + version + " (" + runtime.Version() + "); time zones: " + timetable.ZoneRules() + "\n"
	if got := b.must("version").stdout; got != want {
		t.Errorf("version says %q, want %q", got, want)
	}
	var said map[string]string
	if err := json.Unmarshal([]byte(b.must("version", "--json").stdout), &said); err != nil {
		t.Fatal(err)
	}
	if said["version"] != version || said["go"] != runtime.Version() || said["time_zones"] == "" {
		t.Errorf("version --json says %v", said)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, args := range map[string][]string{
		"help": {"--help"}, "help-run": {"run", "--help"}, "help-experiment-add": {"experiment", "add", "--help"},
		"help-dataset-import": {"dataset", "import", "--help"}, "help-config": {"config", "--help"},
	} {
		o := b.must(args...)
		golden(t, name+".txt", o.stdout)
		if !strings.Contains(o.stdout, "workbench") {
			t.Errorf("%s: %s", name, o.stdout)
		}
	}
}

func TestExitCodesAndErrors(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	other := b.path("other.jsonl")
	if err := os.WriteFile(other, []byte(`{"question_id":"z1","question":"Else?","reference":"No."}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.must("dataset", "import", other, "--name", "other")
	elsewhere := "name: elsewhere\ncorpus: faq\ndataset: other\nbase: {retrieve: {mode: bm25, k: 1}}\n"
	if err := os.WriteFile(b.path("elsewhere.yaml"), []byte(elsewhere), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, body := range map[string]string{"panics.yaml": "goals:\n  ! #0000\n", "panic.yaml": "targets:\n  ! #0000\n"} {
		if err := os.WriteFile(b.path(file), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.must("run", "{}/elsewhere.yaml")
	tests := []struct {
		name string
		args []string
		code int
		says string
		hint string
	}{
		{"no verb", nil, program.ExitUsage, "no command is given, such as demo, init, run, sweep, compare", "workbench --help"},
		{"unknown verb", []string{"frobnicate"}, program.ExitUsage, "frobnicate", "workbench --help"},
		{"unknown flag", []string{"run", "faq", "--fast"}, program.ExitUsage, "--fast", "workbench run --help"},
		{"missing argument", []string{"corpus", "import"}, program.ExitUsage, "<path>", "workbench corpus import --help"},
		{"unknown corpus", []string{"corpus", "show", "nope"}, program.ExitUsage, `"nope"`, ""},
		{"unknown version", []string{"corpus", "show", "faq@9"}, program.ExitUsage, "faq@9", ""},
		{"unknown document", []string{"corpus", "show", "faq", "--document", "x"}, program.ExitUsage, `"x"`, "corpus show faq"},
		{"missing path", []string{"corpus", "import", "{}/nowhere"}, program.ExitUsage, "nowhere", ""},
		{"unknown experiment", []string{"run", "nope"}, program.ExitUsage, `"nope"`, "experiment list"},
		{"missing file", []string{"run", "{}/nope.yaml"}, program.ExitUsage, "nope.yaml", "check the path"},
		{"not an experiment file", []string{"experiment", "add", "{}/questions.csv"}, program.ExitUsage, "must end in .yaml", ""},
		{"an experiment that the YAML library panics on", []string{"experiment", "add", "{}/panics.yaml"}, program.ExitUsage,
			"panics.yaml: line 2: the YAML cannot be read", "a line is a name, a colon, a space and a value"},
		{"the same in an agreement", []string{"agreement", "set", "closed", "{}/panic.yaml"}, program.ExitUsage,
			"panic.yaml: line 2: the YAML cannot be read", "a line is a name, a colon, a space and a value"},
		{"no sweep", []string{"sweep", "closed"}, program.ExitUsage, "has no sweep", "chunk.size"},
		{"unknown run", []string{"runs", "show", "ffffff"}, program.ExitUsage, `"ffffff"`, "runs list"},
		{"a tag with a comma", []string{"runs", "tag", "closed", "a,b"}, program.ExitUsage, `"a,b"`, "no comma"},
		{"a tag with two signs", []string{"runs", "tag", "closed", "-a", "--b"}, program.ExitUsage, `"-b"`, "neither + nor -"},
		{"unknown view", []string{"runs", "list", "--view", "none"}, program.ExitUsage, `"none"`, "runs views"},
		{"a view of nothing known", []string{"runs", "views", "--save", "x", "--query", "password=1"}, program.ExitUsage, "password",
			"q, tag"},
		{"two things about views", []string{"runs", "views", "--save", "x", "--remove", "x"}, program.ExitUsage, "--save", "--query"},
		{"unknown question", []string{"runs", "show", "closed", "--question", "zz"}, program.ExitUsage, `"zz"`,
			"dataset show faq@1 lists them"},
		{"no baseline", []string{"compare", "closed"}, program.ExitUsage, "no baseline", "baseline set"},
		{"seven runs", []string{"compare", "a", "b", "c", "d", "e", "f", "g"}, program.ExitUsage, "1 to 5 other runs", "at most 6"},
		{"a run twice", []string{"compare", "closed", "closed", "elsewhere"}, program.ExitUsage, "named twice",
			"the first is the baseline"},
		{"verify three", []string{"compare", "a", "b", "c", "--verify"}, program.ExitUsage, "about two runs", "compare a b"},
		{"not comparable", []string{"compare", "closed", "elsewhere"}, program.ExitNotComparable, "share no question", "same dataset"},
		{"filter without match", []string{"run", "closed", "--filter", "theme:none"}, program.ExitUsage, "no question", "dataset show"},
		{"report format", []string{"report", "closed", "-o", "{}/r.pdf"}, program.ExitUsage, ".xlsx or .md", ""},
		{"report language", []string{"report", "closed", "--lang", "fr"}, program.ExitUsage, "fr", "report --help"},
		{"delete without asking", []string{"runs", "delete", "closed"}, program.ExitUsage, "", ""},
		{"bad rows", []string{"dataset", "import", "{}/bad.csv", "--corpus", "faq"}, program.ExitUsage,
			"line 3 (b1), question_id: line 2 has the same id", "nothing was imported"},
		{"memory that is no amount", []string{"--memory", "lots", "run", "closed"}, program.ExitUsage, `"lots" is no amount`,
			"write 500MB"},
		{"missing config", []string{"--config", "{}/none.yaml", "version"}, program.ExitDone, "", ""},
		{"missing config used", []string{"--config", "{}/none.yaml", "config"}, program.ExitUsage, "none.yaml", ""},
		{"unknown provider", []string{"run", "{}/unknown.yaml"}, program.ExitUsage, `no provider "mystery"`, "offline, openai"},
		{"provider without key", []string{"run", "{}/openai.yaml"}, program.ExitUsage, "OPENAI_API_KEY is empty", "export OPENAI_API_KEY"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := b.run(tt.args...)
			if o.code != tt.code || !strings.Contains(o.stderr, tt.says) || !strings.Contains(o.stderr, tt.hint) {
				t.Errorf("exit %d, want %d; stderr should say %q and hint %q:\n%s", o.code, tt.code, tt.says, tt.hint, o.stderr)
			}
			if strings.Contains(o.stderr, "goroutine") || strings.Contains(o.stderr, ".go:") {
				t.Errorf("a stack trace reached the user:\n%s", o.stderr)
			}
		})
	}
}

func TestInterruptedRunExitsWith130AndResumes(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	// Opening the database fails first when everything is cancelled; both ways must end in 130 and a database that works.
	if o := b.runIn(ctx, "run", "{}/closed.yaml"); o.code != program.ExitInterrupted {
		t.Errorf("exit %d\n%s", o.code, o.stderr)
	}
	b.must("run", "{}/closed.yaml")
}

func TestJSONContracts(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	var one map[string]any
	decode(t, b.must("run", "{}/sweep.yaml", "--json"), &one)
	keys(t, "run", one, "run_id", "experiment", "coverage", "scores", "low_score_count")
	keys(t, "coverage", one["coverage"].(map[string]any), "scored", "applicable")
	keys(t, "score", one["scores"].(map[string]any)["correctness"].(map[string]any), "mean", "n")

	var several []map[string]any
	decode(t, b.must("run", "faq", "{}/closed.yaml", "--json"), &several)
	if len(several) != 2 || several[1]["experiment"] != "closed" {
		t.Errorf("run of two = %v", several)
	}
	var sweep []map[string]any
	o := b.must("sweep", "faq", "--json")
	decode(t, o, &sweep)
	if len(sweep) != 6 || !strings.Contains(o.stderr, "skipped chunk size: 100, overlap of chunks: 100") {
		t.Errorf("%d combinations; stderr:\n%s", len(sweep), o.stderr)
	}
	keys(t, "sweep", sweep[0], "run_id", "experiment", "params", "coverage", "scores", "low_score_count")
	keys(t, "params", sweep[0]["params"].(map[string]any), "chunk.size", "chunk.overlap", "retrieve.k")

	var comparison struct {
		Baseline, Candidate string
		Metrics             map[string]map[string]any
		Questions           []map[string]any
	}
	decode(t, b.must("compare", "faq", "closed", "--json"), &comparison)
	if comparison.Baseline == "" || comparison.Candidate == "" || len(comparison.Questions) == 0 {
		t.Fatalf("comparison = %+v", comparison)
	}
	for _, name := range []string{"baseline", "candidate", "diff"} {
		if _, ok := comparison.Metrics["correctness"][name]; !ok {
			t.Errorf("metrics.correctness has no %s", name)
		}
	}
	for _, name := range []string{"question_id", "metric", "baseline", "candidate", "label"} {
		if _, ok := comparison.Questions[0][name]; !ok {
			t.Errorf("questions[0] has no %s", name)
		}
	}
	for _, q := range comparison.Questions {
		if q["baseline"] == q["candidate"] {
			t.Errorf("%v does not differ", q)
		}
	}
	for _, args := range [][]string{{"runs", "list"}, {"corpus", "list"}, {"dataset", "list"}, {"experiment", "list"},
		{"baseline", "show"}} {
		var list []any
		decode(t, b.must(append(args, "--json")...), &list)
		if list == nil {
			t.Errorf("%v: null instead of an array", args)
		}
	}
}

func decode(t *testing.T, o outcome, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(o.stdout), into); err != nil {
		t.Fatalf("%v in %s", err, o.stdout)
	}
}

func keys(t *testing.T, what string, m map[string]any, want ...string) {
	t.Helper()
	var got []string
	for k := range m {
		got = append(got, k)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestSameRunTwicePrintsTheSame(t *testing.T) {
	t.Parallel()
	var printed [2]string
	for i := range printed {
		b := newBench(t).imported()
		printed[i] = b.must("sweep", "{}/sweep.yaml", "--json").stdout + b.must("runs", "list", "--json").stdout
	}
	if diff := cmp.Diff(printed[0], printed[1]); diff != "" {
		t.Errorf("two fresh directories differ:\n%s", diff)
	}
}

func TestReportFiles(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml", "{}/closed.yaml")
	o := b.must("report", "closed", "--baseline", "faq", "--lang", "ja", "-o", "{}/r.xlsx")
	if !strings.Contains(o.stdout, "DIR/r.xlsx を書き出しました") {
		t.Error(o.stdout)
	}
	f, err := excelize.OpenFile(b.path("r.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := len(f.GetSheetList()); n != 12 { // eleven to read, and the hidden lists of the drop-downs
		t.Errorf("sheets = %v", f.GetSheetList())
	}
	if o := b.run("report", "closed", "-o", "{}/r.xlsx"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "--force") {
		t.Errorf("overwriting silently: exit %d, %s", o.code, o.stderr)
	}
	b.must("report", "closed", "-o", "{}/r.xlsx", "--force")
	b.must("report", "closed", "-o", "{}/r.md")
	left, err := filepath.Glob(b.path(".r.*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v %v", left, err)
	}
}

func TestDeleteAsksFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	var runs []map[string]any
	decode(t, b.must("runs", "list", "--json"), &runs)
	id := runs[0]["run_id"].(string)
	if o := b.run("runs", "delete", id); o.code != program.ExitUsage || !strings.Contains(o.stderr, "--yes") {
		t.Errorf("exit %d: %s", o.code, o.stderr)
	}
	b.must("runs", "delete", id[:8], "--yes")
	decode(t, b.must("runs", "list", "--json"), &runs)
	if len(runs) != 0 {
		t.Errorf("left: %v", runs)
	}
}

// TestDotEnv checks that .env stands in for what the environment lacks, and never overrides it.
func TestDotEnv(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, ".env")
	if err := os.WriteFile(file, []byte("# keys\nOPENAI_BASE_URL=http://localhost:9999/v1\nOPENAI_API_KEY=\"from file\"\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	p := program.Program{Getenv: func(name string) string { return map[string]string{"OPENAI_API_KEY": "from environment"}[name] }}
	if err := readDotEnv(&p, file); err != nil {
		t.Fatal(err)
	}
	if key, url := p.Getenv("OPENAI_API_KEY"), p.Getenv("OPENAI_BASE_URL"); key != "from environment" || url != "http://localhost:9999/v1" {
		t.Errorf("key %q, url %q", key, url)
	}
	if err := readDotEnv(&p, filepath.Join(dir, "none")); err != nil {
		t.Errorf("a missing .env is an error: %v", err)
	}
	if err := os.WriteFile(file, []byte("OPENAI_API_KEY=\"no end"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := readDotEnv(&p, file); err == nil {
		t.Error("a broken .env passes silently")
	}
}

// TestRealModelInOneLine runs an experiment whose file names one model, against a server on this machine that wants no key.
func TestRealModelInOneLine(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	server := httptest.NewServer(fakeprovider.New(fakeprovider.Options{Answer: fakeprovider.Offline()}))
	defer server.Close()
	b.env["OPENAI_BASE_URL"] = server.URL + "/v1"
	definition := "name: real\ncorpus: faq\ndataset: faq\nmodel: openai/gpt-4.1-mini\nbase: {retrieve: {mode: bm25, k: 1}}\n"
	if err := os.WriteFile(b.path("real.yaml"), []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	plan := b.must("run", "{}/real.yaml", "--plan")
	if !strings.Contains(plan.stdout, "price unknown") {
		t.Errorf("plan:\n%s", plan.stdout)
	}
	var run struct {
		Coverage struct{ Scored, Applicable int }
	}
	decode(t, b.must("run", "{}/real.yaml", "--json"), &run)
	if run.Coverage.Scored == 0 || run.Coverage.Scored != run.Coverage.Applicable {
		t.Errorf("coverage = %+v", run.Coverage)
	}
	again := b.must("run", "{}/real.yaml", "--plan")
	if !strings.Contains(again.stdout, "at most 0 calls") {
		t.Errorf("bought twice:\n%s", again.stdout)
	}
}
