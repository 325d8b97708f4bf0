package archive

import (
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
)

// aState is a history, a change and a way of working.
type aState struct{ history, change, way string }

func (s aState) String() string {
	return strings.ReplaceAll(s.history+", "+s.change+", "+s.way, " ", "_")
}

// stateStudy is what is worked in every state.
const stateStudy = apptest.Bought + "suite: compact\n"

// asking is how many questions of the world it asks.
const asking = 4

// histories are what can have happened. Each gives the world that it ends in, and the runs that are finished there.
var histories = map[string]func(t *testing.T, w *apptest.World) *apptest.World{
	"nothing":       func(_ *testing.T, w *apptest.World) *apptest.World { return w },
	"partly bought": func(t *testing.T, w *apptest.World) *apptest.World { does(w, t, 2); return w },
	"errored cells": func(t *testing.T, w *apptest.World) *apptest.World { inTrouble(w, t); return w },
	"retried": func(t *testing.T, w *apptest.World) *apptest.World {
		run := inTrouble(w, t)
		if _, err := w.RetryErrors(t.Context(), run.ID, false, experiments.Budget{}); err != nil {
			t.Fatal(err)
		}
		return w
	},
	"pooled votes": func(t *testing.T, w *apptest.World) *apptest.World {
		if _, err := w.Replicates(t.Context(), does(w, t, asking).ID, 2, "q0", "q1"); err != nil {
			t.Fatal(err)
		}
		return w
	},
	"pruned": func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, asking)
		if report, err := app.Prune(t.Context(), w.Workbench, 0, false); err != nil || report.Replies == 0 {
			t.Fatalf("nothing was pruned: %+v, %v", report, err)
		}
		return w
	},
	"imported": func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, asking)
		return exported(w, t).imported(t)
	},
	"restored": func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, asking)
		file, _ := saved(w, t, "b.zip")
		other, _ := restored(w, t, file, RestoreTo{Verify: true})
		return movedTo(w, t, other)
	},
	"moved between engines": func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, asking)
		file, _ := saved(w, t, "b.zip")
		other, _ := restored(w, t, file, RestoreTo{DatabaseURL: apptest.Postgres(t)})
		return movedTo(w, t, other)
	},
}

// changes are what may be other than before. Each gives the study that is worked next.
var changes = map[string]func(t *testing.T, w *apptest.World) string{
	"corpus changed": func(t *testing.T, w *apptest.World) string {
		w.Write(t, "docs/more.jsonl", apptest.Lines(1, func(int) any {
			return map[string]any{"doc_id": "new", "text": "A new page about refunds of Flex tickets."}
		}))
		corpus(w, t)
		return stateStudy
	},
	"dataset changed": func(t *testing.T, w *apptest.World) string {
		path := w.Write(t, "more.jsonl", apptest.Lines(asking, func(i int) any {
			return map[string]any{"question_id": fmt.Sprintf("q%d", i),
				"question":  apptest.AskedQuestions[(i+1)%len(apptest.AskedQuestions)],
				"reference": apptest.RightAnswers[(i+1)%len(apptest.AskedQuestions)]}
		}))
		if _, _, err := w.ImportDataset(t.Context(), path, "asked", "rules", nil); err != nil {
			t.Fatal(err)
		}
		return stateStudy
	},
	"price changed": func(_ *testing.T, w *apptest.World) string {
		w.Price()
		for model, p := range w.Config.Prices {
			p.Input, p.Output = 3*p.Input, 5*p.Output
			w.Config.Prices[model] = p
		}
		return stateStudy
	},
	"prompt changed": func(t *testing.T, w *apptest.World) string {
		w.Write(t, "answer.md", "Answer in one short sentence, from the passages only.")
		return strings.Replace(stateStudy, "model: writer-1}", "model: writer-1, prompt: answer.md}", 1)
	},
}

// ways are how the work is done. Each gives the runs that it made; whatever it buys has to be within the plan.
var ways = map[string]func(t *testing.T, w *apptest.World, job app.Job) []experiments.Run{
	"one process": func(t *testing.T, w *apptest.World, job app.Job) []experiments.Run {
		run, err := w.Run(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		return []experiments.Run{run}
	},
	"two processes": func(t *testing.T, w *apptest.World, job app.Job) []experiments.Run {
		second := *w
		second.OpenAgain(t, w.Options.DatabaseURL)
		repriced(&second, w)
		runs, errs := make([]experiments.Run, 2), make([]error, 2)
		var works sync.WaitGroup
		for i, one := range []*apptest.World{w, &second} {
			works.Go(func() { runs[i], errs[i] = one.Run(t.Context(), job) })
		}
		works.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		return runs
	},
	"worker killed": func(t *testing.T, w *apptest.World, job app.Job) []experiments.Run {
		left := killed(w, t, job)
		plan, err := w.Plan(t.Context(), []app.Job{job})
		if err != nil {
			t.Fatalf("the plan after a kill: %v", err)
		}
		before := len(w.Provider.Ledger())
		var runs []experiments.Run
		for _, id := range left {
			if run, err := w.Store.Run(t.Context(), id); err == nil && run.State == experiments.Finished {
				return []experiments.Run{run} // it bought so little that it was done before
			}
			resumed, err := w.Resume(t.Context(), id)
			if err != nil {
				t.Fatalf("go on with run %s: %v", id, err)
			}
			runs = append(runs, resumed...)
		}
		within(w, t, plan, before)
		return runs
	},
}

// TestLawsHoldInEveryState goes through a few states, and through all of them with WORKBENCH_SLOW_TESTS=1. WORKBENCH_STATE names one.
func TestLawsHoldInEveryState(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("works many databases; owners and queues have their own tests for goroutines")
	}
	var all []aState
	for history := range histories {
		for change := range changes {
			for way := range ways {
				all = append(all, aState{history, change, way})
			}
		}
	}
	chosen := os.Getenv("WORKBENCH_STATE")
	for _, s := range sampled(all, chosen != "" || os.Getenv("WORKBENCH_SLOW_TESTS") == "1") {
		if chosen != "" && chosen != s.String() {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			w := apptest.NewPriced(t)
			w = histories[s.history](t, w)
			yaml := changes[s.change](t, w)
			obeys(w, t, s, yaml)
		})
	}
}

// sampled is all states, or a few in which every change and way occurs, each with another history. Which ones go together differs from
// one version of the tables to the next.
func sampled(all []aState, whole bool) []aState {
	rank := func(s aState) uint64 {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, store.KnownSchema(), " ", s) // it never fails
		return h.Sum64()
	}
	slices.SortFunc(all, func(a, b aState) int {
		if rank(a) < rank(b) {
			return -1
		}
		return 1
	})
	if whole {
		return all
	}
	var out []aState
	seen := map[string]int{}
	for _, s := range all {
		if len(out) == max(len(changes), len(ways)) {
			break
		}
		if seen[s.history] == 0 && seen[s.change] <= len(out)/len(changes) && seen[s.way] <= len(out)/len(ways) {
			out = append(out, s)
			seen[s.history], seen[s.change], seen[s.way] = 1, seen[s.change]+1, seen[s.way]+1
		}
	}
	return out
}

// obeys holds a world to the laws.
func obeys(w *apptest.World, t *testing.T, s aState, yaml string) {
	t.Helper()
	served(w, nil)
	job := asks(w, t, yaml, asking)
	before := len(w.Provider.Ledger())
	plan, err := w.Plan(t.Context(), []app.Job{job})
	if err != nil {
		t.Fatalf("the plan failed: %v", err)
	}
	if n := len(w.Provider.Ledger()); n != before {
		t.Fatalf("planning made %d calls", n-before)
	}
	runs := ways[s.way](t, w, job)
	if s.way != "worker killed" { // which is planned anew
		within(w, t, plan, before)
	}
	for _, run := range runs {
		if run.State != experiments.Finished || len(run.Totals.Errors) > 0 {
			t.Fatalf("run %s is %s: %+v", run.ID, run.State, run.Totals)
		}
	}
	before = len(w.Provider.Ledger())
	again, err := w.Run(t.Context(), asks(w, t, yaml, asking))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(w.Provider.Ledger()) - before; n > 0 {
		t.Errorf("the same work again bought %d calls", n)
	}
	readWhole(w, t, runs[0].ID, again.ID)

	study := exported(w, t)
	study.verified(t, s.history != "pruned")
	there := study.imported(t)
	same(there, t, w)
	exported(there, t).verified(t, s.history != "pruned")
	file, m := saved(w, t, "state.zip")
	restored, _ := restored(w, t, file, RestoreTo{Verify: true})
	same(restored, t, w)
	_, n := saved(restored, t, "again.zip")
	if why := m.Contents.Difference(n.Contents); why != "" {
		t.Errorf("what was restored is other than what was saved: %s", why)
	}
	if s.history != "moved between engines" {
		readOnly(w, t, runs[0].ID, again.ID)
	}
	forged(restored, t, s, runs[0].ID)
}

// asks is the study for the first questions.
func asks(w *apptest.World, t *testing.T, yaml string, n int) app.Job {
	t.Helper()
	job, err := w.Job(t.Context(), w.Registered(t, yaml), app.Select{Limit: n})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// does works the study for the first questions.
func does(w *apptest.World, t *testing.T, n int) experiments.Run {
	t.Helper()
	return works(w, t, stateStudy, n)
}

// works works a study for the first questions.
func works(w *apptest.World, t *testing.T, yaml string, n int) experiments.Run {
	t.Helper()
	run, err := w.Run(t.Context(), asks(w, t, yaml, n))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// inTrouble works it while the provider fails for one question.
func inTrouble(w *apptest.World, t *testing.T) experiments.Run {
	t.Helper()
	served(w, func(r fakeprovider.Request) fakeprovider.Behaviour {
		if r.Path == "chat/completions" && strings.Contains(r.User, "Saver ticket") {
			return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
		}
		return fakeprovider.Behaviour{}
	})
	run := does(w, t, asking)
	if len(run.Totals.Errors) == 0 {
		t.Fatal("the trouble left no trace")
	}
	served(w, nil)
	return run
}

// served puts another provider behind the address.
func served(w *apptest.World, behave func(fakeprovider.Request) fakeprovider.Behaviour) {
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(), Dimension: 32,
		Behave: behave})
	w.Host.Provider = w.Provider
}

// repriced gives a workbench the prices of another.
func repriced(w *apptest.World, of *apptest.World) {
	w.Config.Prices = of.Config.Prices
	w.Providers.Config.Prices = of.Config.Prices
}

// movedTo is a restored place with the files and prices of this world.
func movedTo(w *apptest.World, t *testing.T, other *apptest.World) *apptest.World {
	t.Helper()
	if err := os.CopyFS(filepath.Join(other.Dir, "docs"), os.DirFS(filepath.Join(w.Dir, "docs"))); err != nil {
		t.Fatal(err)
	}
	repriced(other, w)
	return other
}

// within holds what was bought since then against a plan.
func within(w *apptest.World, t *testing.T, plan app.Plan, since int) {
	t.Helper()
	completions, texts := 0, 0
	for _, s := range plan.Stages {
		if s.Stage == "embed" {
			texts += s.Buy
		} else {
			completions += s.Buy
		}
	}
	times := map[string]int{}
	for _, e := range w.Provider.Ledger()[since:] {
		if times[e.Hash]++; times[e.Hash] > 1 {
			t.Errorf("bought twice: a request to %s for %s", e.Path, e.Purpose)
		}
		if strings.HasSuffix(e.Path, "chat/completions") {
			completions--
		} else {
			texts--
		}
	}
	if completions < 0 || texts < 0 {
		t.Errorf("bought %d completions and %d embeddings more than the plan %+v says", max(0, -completions), max(0, -texts), plan.Stages)
	}
}

// killedAt is the request at which a process dies.
const killedAt = 3

// killed works a job in a process that dies: its calls in flight stay as they are, and so does its run. It returns the runs that are
// left, and the world is that of a new process.
func killed(w *apptest.World, t *testing.T, job app.Job) (left []string) {
	t.Helper()
	known := map[string]bool{}
	for _, r := range runsOf(w, t) {
		known[r.ID] = true
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	victim := *w
	victim.OpenAgain(t, w.Options.DatabaseURL)
	repriced(&victim, w)
	victim.Owner = host + ":4194305:dead" // no process has a number so high
	victim.Providers.Owner = victim.Owner
	kept := w.Provider
	var reached atomic.Bool // not told from the provider's ledger, whose last line may come after the end of the run
	die := sync.OnceFunc(func() { reached.Store(true); _ = victim.Whole.Close() })
	served(w, func(r fakeprovider.Request) fakeprovider.Behaviour {
		if r.N >= killedAt {
			die()
		}
		return fakeprovider.Behaviour{}
	})
	_, err = victim.Run(t.Context(), job)
	if reached.Load() == (err == nil) {
		t.Fatalf("the process that was killed: %v", err)
	}
	w.Provider, w.Host.Provider = kept, kept
	prices := *w
	w.OpenAgain(t, w.Options.DatabaseURL)
	repriced(w, &prices)
	for _, r := range runsOf(w, t) {
		if !known[r.ID] {
			left = append(left, r.ID)
		}
	}
	if len(left) != 1 {
		t.Fatalf("runs left by the process that was killed: %v", left)
	}
	return left
}

func runsOf(w *apptest.World, t *testing.T) []experiments.Run {
	t.Helper()
	runs, err := w.Store.Runs(t.Context(), experiments.RunFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// same compares every finished run with those of another place.
func same(w *apptest.World, t *testing.T, other *apptest.World) {
	t.Helper()
	for _, r := range runsOf(other, t) {
		if r.State == experiments.Finished && w.EvaluationFile(t, r.ID) != other.EvaluationFile(t, r.ID) {
			t.Errorf("run %s is another one there", r.ID)
		}
	}
}

// readWhole goes through the verbs that read.
func readWhole(w *apptest.World, t *testing.T, first, second string) {
	t.Helper()
	if found, err := w.Whole.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("the doctor: %v, %+v", err, found)
	}
	if len(runsOf(w, t)) == 0 {
		t.Error("there are no runs")
	}
	c, both, err := w.Compare(t.Context(), first, second)
	if err != nil {
		t.Fatalf("compare: %v", err)
	}
	found, err := reporting.Findings(t.Context(), w.Workbench, c, both, compare.DefaultGateRules())
	if err != nil {
		t.Fatalf("findings: %v", err)
	}
	if found.Verdicts.Worse+found.Verdicts.Better > 0 {
		t.Errorf("the same work twice is not the same: %+v", found.Verdicts)
	}
	if _, err := reporting.Report(t.Context(), w.Workbench, first, second, "ja", "test", reporting.GateAsked{}); err != nil {
		t.Errorf("report: %v", err)
	}
	if _, err := reporting.Gate(t.Context(), w.Workbench, first, second, compare.GateRules{}); err != nil {
		t.Errorf("gate: %v", err)
	}
}

// readOnly goes through them in a copy in which nothing may be changed.
func readOnly(w *apptest.World, t *testing.T, first, second string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(w.Options.DataDir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil { //nolint:gosec // a folder must be entered
		t.Fatal(err)
	}
	o := w.Options
	o.DataDir = dir
	r, err := app.OpenReading(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	before := contentOf(t, dir)
	readWhole((&apptest.World{Workbench: r, Dir: w.Dir}), t, first, second)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if contentOf(t, dir) != before {
		t.Error("reading changed the folder")
	}
}

// contentOf is every name and byte of a folder.
func contentOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path) //nolint:gosec // in the test's folder
		_, _ = fmt.Fprintf(&b, "%s\x00%s\x00", d.Name(), body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// aStudy is an exported study, and the world that it comes from.
type aStudy struct {
	*apptest.World
	path string
}

func exported(w *apptest.World, t *testing.T) aStudy {
	t.Helper()
	path := filepath.Join(t.TempDir(), "study.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	return aStudy{w, path}
}

func (s aStudy) verified(t *testing.T, complete bool) {
	t.Helper()
	v, err := VerifyStudy(t.Context(), s.path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || !v.Equal || v.Complete != complete {
		t.Errorf("verify: %v, %+v", err, v)
	}
}

// imported is a new place that holds the study and nothing else.
func (s aStudy) imported(t *testing.T) *apptest.World { t.Helper(); return s.importedIn(t, "") }

// importedIn is imported in a database as for [apptest.NewWorld].
func (s aStudy) importedIn(t *testing.T, database string) *apptest.World {
	t.Helper()
	other := apptest.NewPricedIn(t, database)
	other.Env, other.Provider, other.Address, other.Host = s.Env, s.Provider, s.Address, s.Host
	other.OpenAgain(t, database)
	other.Price()
	if _, err := Import(t.Context(), other.Workbench, s.path); err != nil {
		t.Fatalf("import: %v", err)
	}
	return other
}

// forged changes one row that a run rests on: the doctor finds it, and so does whoever is given the study.
func forged(w *apptest.World, t *testing.T, s aState, run string) {
	t.Helper()
	forgeries := []string{
		"UPDATE cells SET value = value + 1 WHERE state = 'scored' AND run_id = ?",
		"UPDATE answers SET latency_ms = latency_ms + 1 WHERE run_id = ?",
		"UPDATE runs SET totals = REPLACE(totals, '1', '2') WHERE id = ?",
		"UPDATE documents SET text = text || '.' WHERE corpus = 'rules' AND ? <> ''",
		"UPDATE questions SET body = REPLACE(body, '?', '!') WHERE ? <> ''",
		"UPDATE stages SET body = REPLACE(CAST(body AS TEXT), 'e', 'E') WHERE kind = 'generate' AND ? <> ''",
		"DELETE FROM answers WHERE run_id = ?",
	}
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, s)
	forgery := forgeries[int(h.Sum32()%uint32(len(forgeries)))]
	db, err := sql.Open("sqlite", filepath.Join(w.Options.DataDir, app.DatabaseFile))
	if err == nil {
		_, err = db.ExecContext(t.Context(), forgery, run)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if found, err := w.Whole.Check(t.Context()); err != nil || len(found) == 0 {
		t.Errorf("the doctor does not find %q: %v", forgery, err)
	}
	path := filepath.Join(t.TempDir(), "forged.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test", run); err != nil {
		if problem.CodeOf(err) == "internal" {
			t.Errorf("export after %q: %v", forgery, err)
		}
		return // what cannot be exported cannot be believed
	}
	if v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()}); err == nil && v.Equal {
		t.Errorf("verify does not find %q", forgery)
	}
}
