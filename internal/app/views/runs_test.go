package views

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store"
)

// listedRuns is a store with so many runs that differ in everything a list shows, with ties and absent values, and setups of some size.
func listedRuns(t testing.TB, dsn string, n, setupBytes int) *Views {
	t.Helper()
	s, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &app.Workbench{Store: s, Whole: s, Options: app.Options{Now: time.Now}}
	random := rand.New(rand.NewPCG(1, uint64(n))) //nolint:gosec // a seed
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	monday := time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)
	parent, sweep := "", ""
	for range n {
		run := experiments.Run{Kind: experiments.KindEvaluate,
			CreatedAt: monday.Add(time.Duration(random.IntN(n)) * 1500 * time.Microsecond)}
		run.Setup = experiments.Setup{
			Experiment: one("faq", "FAQ", "問い合わせ", "Ｆａｑ", "é", "É"), Revision: random.IntN(4), LowScore: 2.5, Offline: random.IntN(2) == 0,
			Dataset: experiments.Ref{Name: one("a", "a@", "ä", "A"), Version: random.IntN(12), Digest: one("d1", "d2")},
			Settled: random.IntN(2) == 0,
			Judge: metrics.JudgeConfig{Model: rag.Model{Provider: "offline", Name: one("judge", "other")},
				Prompts: map[string]string{"verify": strings.Repeat("x", setupBytes)}},
		}
		if random.IntN(3) > 0 {
			run.Setup.Corpus = experiments.Ref{Name: one("manual", "手引き"), Version: 1, Digest: "c"}
		}
		if random.IntN(3) == 0 {
			run.Params = []experiments.Param{{Name: "chunk.size", Value: 100 * random.IntN(5)}, {Name: "rerank", Value: one("none", "LLM")}}
		}
		switch random.IntN(10) {
		case 0, 1:
			run.ParentID, run.Kind = parent, experiments.KindVerify
		case 2:
			run.Kind = experiments.KindSweep
		case 3, 4:
			run.SweepID = sweep
		}
		stored, err := s.CreateRun(t.Context(), run, nil)
		if err != nil {
			t.Fatal(err)
		}
		if parent == "" {
			parent = stored.ID
		}
		if run.Kind == experiments.KindSweep {
			sweep = stored.ID
		}
		if random.IntN(4) > 0 {
			finish(t, s, stored.ID, random)
		} else if err := s.RequestState(t.Context(), stored.ID, experiments.Cancelled, monday); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetBaseline(t.Context(), experiments.Baseline{Dataset: "a", RunID: parent, SetAt: monday}); err != nil {
		t.Fatal(err)
	}
	return NewViews(w)
}

// finish finishes a run with totals, in which scores may be missing.
func finish(t testing.TB, s *store.Store, id string, random *rand.Rand) {
	t.Helper()
	now := time.Date(2026, 11, 3, 6, 0, 0, 0, time.UTC)
	if _, err := s.ClaimRun(t.Context(), id, "test", now, now); err != nil {
		t.Fatal(err)
	}
	totals := experiments.Totals{LowScoreCount: random.IntN(4), Questions: 10, Scores: map[string]experiments.Mean{}}
	for _, metric := range []string{"correctness", "trust"} {
		if random.IntN(3) > 0 {
			totals.Scores[metric] = experiments.Mean{Mean: float64(random.IntN(40)) / 7, N: 10}
		}
	}
	if err := s.FinishRun(t.Context(), id, "test", totals, "chain", now); err != nil {
		t.Fatal(err)
	}
}

// readRuns finds runs with all that they hold.
type readRuns func(context.Context, experiments.RunFilter) ([]experiments.Run, error)

// once reads what each filter finds a single time, of a store that does not change: to decode all runs for every page is most of the work.
func once(read readRuns) readRuns {
	found := map[string][]experiments.Run{}
	return func(ctx context.Context, f experiments.RunFilter) ([]experiments.Run, error) {
		key := fmt.Sprintf("%+v", f)
		if runs, known := found[key]; known {
			return runs, nil
		}
		runs, err := read(ctx, f)
		if err == nil {
			found[key] = runs
		}
		return runs, err
	}
}

// runsInMemory is [Views.Runs] as it was before the database sorted: every run decoded, filtered and sorted here.
func runsInMemory(ctx context.Context, v *Views, read readRuns, q RunQuery) (listing.Listed[app.RunRow], error) {
	runs, err := read(ctx, experiments.RunFilter{
		Experiment: q.Experiment, Dataset: q.Dataset, SweepID: q.Sweep, ParentID: q.Parent, State: experiments.RunState(q.State),
		Kind: experiments.Kind(q.Kind),
	})
	if err != nil {
		return listing.Listed[app.RunRow]{}, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return listing.Listed[app.RunRow]{}, err
	}
	family, err := read(ctx, experiments.RunFilter{})
	if err != nil {
		return listing.Listed[app.RunRow]{}, err
	}
	named := func(r experiments.Run) bool {
		return listing.Contains(q.Text, r.Setup.Experiment, experiments.Describe(r.Params), r.Setup.Corpus.String(),
			r.Setup.Dataset.String())
	}
	someNamed := slices.ContainsFunc(family, named)
	rows := make([]app.RunRow, 0, len(runs))
	for _, r := range runs {
		found := someNamed && named(r) || !someNamed && strings.HasPrefix(r.ID, q.Text)
		if !found || !q.Children && q.Parent == "" && r.ParentID != "" {
			continue
		}
		rows = append(rows, app.RunRowOf(r, baselines))
	}
	out, err := listing.List(rows, runOrder, q.Page)
	for i := range out.Items {
		for _, r := range family { // none of these has a parent that is a child
			if r.ParentID == out.Items[i].RunID {
				out.Items[i].Children++
			}
		}
		if out.Items[i].Progress, err = v.runs().progress(ctx, out.Items[i].RunID, out.Items[i].State); err != nil {
			return out, err
		}
	}
	return out, err
}

// TestRunsAreListedAsInMemory: whatever is asked for, by pages of any size, the database lists what sorting all runs in memory does.
func TestRunsAreListedAsInMemory(t *testing.T) {
	t.Parallel()
	for engine, dsn := range map[string]func(t *testing.T) string{
		"sqlite": func(t *testing.T) string { return filepath.Join(t.TempDir(), "runs.db") }, "postgres": apptest.Postgres,
	} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			v := listedRuns(t, dsn(t), 120, 10)
			sameParameters(t, v)
			sameFolded(t, v)
			read := once(v.w.Store.Runs)
			some, err := v.w.Store.Runs(t.Context(), experiments.RunFilter{Roots: true, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i, narrow := range []RunQuery{
				{}, {Children: true}, {Experiment: "FAQ"}, {Dataset: "a"}, {Kind: "verify"}, {State: "finished"},
				{State: "cancelled", Children: true}, {Parent: some[0].ID},
				{Text: "faq"}, {Text: "ＦＡＱ"}, {Text: "É"}, {Text: "chunk.size=200"}, {Text: "手引き@1"}, {Text: "a@1", Children: true},
				{Text: some[0].ID[:3]}, {Text: some[0].ID[1:]}, {Text: "nowhere"}, {Text: "no\x00where"}, {Text: "FAQ", State: "finished"},
			} {
				for field := range runOrder.Keys {
					if i > 1 && field != "correctness" && field != "dataset" && field != "created_at" {
						continue
					}
					for _, sort := range []string{field, "-" + field} {
						for _, limit := range []int{16, -1} {
							narrow.Page = listing.Page{Sort: sort, Limit: limit}
							samePages(t, v, read, narrow)
						}
					}
				}
			}
		})
	}
}

// sameFolded: the store folds sweeps as [Views.withoutMembers] does.
func sameFolded(t *testing.T, v *Views) {
	t.Helper()
	for _, f := range []experiments.RunFilter{{}, {Roots: true}, {Roots: true, State: experiments.Finished}, {Kind: experiments.KindSweep},
		{Kind: experiments.KindEvaluate, Roots: true}, {Experiment: "FAQ", Dataset: "a"}} {
		all := func(f experiments.RunFilter) []experiments.RunHead {
			heads, _, err := v.w.Whole.RunHeads(t.Context(), experiments.RunList{RunFilter: f}, experiments.Part{Sort: "run_id"})
			if err != nil {
				t.Fatal(err)
			}
			return heads
		}
		want, err := v.runs().withoutMembers(t.Context(), all(f))
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(want, func(a, b experiments.RunHead) int { return strings.Compare(a.RunID, b.RunID) })
		f.Folded = true
		if d := cmp.Diff(want, all(f)); d != "" || len(want) == 0 {
			t.Errorf("%+v: -in memory +in the database:\n%s", f, d)
		}
	}
}

// samePages walks through a list in both ways.
func samePages(t *testing.T, v *Views, read readRuns, q RunQuery) {
	t.Helper()
	for range 100 {
		want, err := runsInMemory(t.Context(), v, read, q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.runs().Runs(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%+v: -in memory +in the database:\n%s", q, d)
		}
		if q.Cursor = got.NextCursor; q.Cursor == "" {
			return
		}
	}
	t.Fatalf("%+v: the list has no end", q)
}

// BenchmarkRunList measures the first page of a list of runs whose setups have 6 KB, sorted by the database and in memory.
func BenchmarkRunList(b *testing.B) {
	for _, n := range []int{50, 5000} {
		v := listedRuns(b, filepath.Join(b.TempDir(), "runs.db"), n, 6000)
		for _, sort := range []string{"-created_at", "-correctness"} {
			q := RunQuery{State: "finished", Page: listing.Page{Limit: 50, Sort: sort}}
			for name, list := range map[string]func(context.Context, *Views, RunQuery) (listing.Listed[app.RunRow], error){
				"database": func(ctx context.Context, v *Views, q RunQuery) (listing.Listed[app.RunRow], error) {
					return v.runs().Runs(ctx, q)
				}, "memory": func(ctx context.Context, v *Views, q RunQuery) (listing.Listed[app.RunRow], error) {
					return runsInMemory(ctx, v, v.w.Store.Runs, q)
				},
			} {
				b.Run(fmt.Sprintf("%d/%s/%s", n, sort, name), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if out, err := list(b.Context(), v, q); err != nil || len(out.Items) == 0 {
							b.Fatal(len(out.Items), err)
						}
					}
				})
			}
		}
		id := ""
		if out, err := v.runs().Runs(b.Context(), RunQuery{}); err == nil {
			id = out.Items[0].RunID
		}
		b.Run(fmt.Sprintf("%d/one by id", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := v.w.Store.Run(b.Context(), id[:10]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
