package archive

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// honest is what honest people and machines do to a place, in any order. Each gives the world that it ends in.
var honest = []struct {
	name string
	do   func(t *testing.T, w *apptest.World) *apptest.World
}{
	{"part", func(t *testing.T, w *apptest.World) *apptest.World { does(w, t, 2); return w }},
	{"whole", func(t *testing.T, w *apptest.World) *apptest.World { does(w, t, asking); return w }},
	{"renamed", func(t *testing.T, w *apptest.World) *apptest.World {
		works(w, t, strings.Replace(stateStudy, "name: ", fmt.Sprintf("name: n%d-", len(runsOf(w, t))), 1), asking)
		return w
	}},
	{"trouble", func(t *testing.T, w *apptest.World) *apptest.World {
		served(w, func(r fakeprovider.Request) fakeprovider.Behaviour {
			if r.Path == "chat/completions" && strings.Contains(r.User, "Saver ticket") {
				return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
			}
			return fakeprovider.Behaviour{}
		})
		run := works(w, t, changes["prompt changed"](t, w), asking)
		served(w, nil)
		if len(run.Totals.Errors) > 0 {
			if _, err := w.RetryErrors(t.Context(), run.ID, false, experiments.Budget{}); err != nil {
				t.Fatal(err)
			}
		}
		return w
	}},
	{"votes", func(t *testing.T, w *apptest.World) *apptest.World {
		if _, err := w.Replicates(t.Context(), does(w, t, asking).ID, 2, "q0", "q1"); err != nil {
			t.Fatal(err)
		}
		return w
	}},
	{"baseline", func(t *testing.T, w *apptest.World) *apptest.World {
		if _, err := w.SetBaseline(t.Context(), does(w, t, asking).ID); err != nil {
			t.Fatal(err)
		}
		return w
	}},
	{"page", func(t *testing.T, w *apptest.World) *apptest.World {
		works(w, t, changes["corpus changed"](t, w), asking)
		return w
	}},
	{"killed", func(t *testing.T, w *apptest.World) *apptest.World {
		w.Write(t, "answer.md", fmt.Sprintf("Answer in %d words, from the passages only.", 20+len(runsOf(w, t))))
		yaml := strings.Replace(stateStudy, "model: writer-1}", "model: writer-1, prompt: answer.md}", 1)
		left := killed(w, t, asks(w, t, yaml, asking))
		unaccused(w, t, "killed, not resumed")
		for _, id := range left {
			if run, err := w.Store.Run(t.Context(), id); err == nil && run.State == experiments.Finished {
				continue // it bought so little that it was done before
			}
			if _, err := w.Resume(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		return w
	}},
	{"pruned", func(t *testing.T, w *apptest.World) *apptest.World {
		if _, err := app.Prune(t.Context(), w.Workbench, 0, false); err != nil {
			t.Fatal(err)
		}
		return w
	}},
	{"imported", func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, 2) // there is something to export
		return importedTo(t, w, sameEngine(t, w))
	}},
	{"imported elsewhere", func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, 2)
		return importedTo(t, w, otherEngine(t, w))
	}},
	{"imported again", func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, 2)
		if _, err := Import(t.Context(), w.Workbench, exported(w, t).path); err != nil {
			t.Fatal(err)
		}
		return w
	}},
	{"older study", func(t *testing.T, w *apptest.World) *apptest.World {
		if _, err := Import(t.Context(), w.Workbench, filepath.Join("testdata", "format1-study.zip")); err != nil {
			t.Fatal(err)
		}
		return w
	}},
	{"restored", func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, 2)
		return restoredTo(t, w, sameEngine(t, w))
	}},
	{"restored elsewhere", func(t *testing.T, w *apptest.World) *apptest.World {
		does(w, t, 2)
		return restoredTo(t, w, otherEngine(t, w))
	}},
	{"clock set back", func(_ *testing.T, w *apptest.World) *apptest.World {
		now := w.Options.Now
		w.Options.Now = func() time.Time { return now().Add(-36 * time.Hour) }
		w.Providers.Now = w.Options.Now
		return w
	}},
}

// sameEngine is the address of an empty database of the engine of a place, otherEngine of the other one where there is a server.
func sameEngine(t *testing.T, w *apptest.World) string {
	t.Helper()
	if w.Engine == store.PostgreSQL {
		return apptest.Postgres(t)
	}
	return ""
}

func otherEngine(t *testing.T, w *apptest.World) string {
	t.Helper()
	if w.Engine != store.PostgreSQL && os.Getenv(pgtest.Address) != "" {
		return apptest.Postgres(t)
	}
	return ""
}

func importedTo(t *testing.T, w *apptest.World, database string) *apptest.World {
	t.Helper()
	other := exported(w, t).importedIn(t, database)
	repriced(other, w)
	return other
}

func restoredTo(t *testing.T, w *apptest.World, database string) *apptest.World {
	t.Helper()
	file, _ := saved(w, t, fmt.Sprintf("b%d.zip", len(runsOf(w, t))))
	other, _ := restored(w, t, file, RestoreTo{DatabaseURL: database, Verify: true})
	return movedTo(w, t, other)
}

// upgraded is a place that began as a database of the first program, with tables of its time.
func upgraded(t *testing.T, database string) *apptest.World {
	t.Helper()
	w := apptest.NewPriced(t)
	other, _ := restored(w, t, filepath.Join("testdata", "format1-backup.zip"), RestoreTo{DatabaseURL: database, Verify: true})
	other = movedTo(w, t, other)
	corpus(other, t)
	other.Write(t, "questions.jsonl", w.Read(t, "questions.jsonl"))
	if _, _, err := other.ImportDataset(t.Context(), filepath.Join(other.Dir, "questions.jsonl"), "asked", "rules", nil); err != nil {
		t.Fatal(err)
	}
	return other
}

// unaccused fails when the doctor accuses a place.
func unaccused(w *apptest.World, t *testing.T, after string) {
	t.Helper()
	report, err := checkup.Check(t.Context(), checkup.Of(w.Workbench, "test"))
	if err != nil || len(report.Findings) > 0 {
		t.Fatalf("after %s: %v, %+v", after, err, report.Findings)
	}
}

// TestHonestMixturesAreNotAccused does honest things in orders that a seed gives: after each the doctor finds nothing, and at the end
// verify finds nothing that differs. Every third place began as a database of an older program. WORKBENCH_SEED names one seed,
// WORKBENCH_SLOW_TESTS=1 tries forty.
func TestHonestMixturesAreNotAccused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("works many databases")
	}
	mixtures(t, 3, func(*testing.T) string { return "" })
}

// TestHonestMixturesOnPostgreSQL is the same on the other engine.
func TestHonestMixturesOnPostgreSQL(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("works many databases")
	}
	pgtest.Need(t)
	mixtures(t, 1, apptest.Postgres)
}

// mixtures tries as many seeds, each in an empty database.
func mixtures(t *testing.T, seeds uint64, database func(*testing.T) string) {
	t.Helper()
	first := uint64(1)
	if one, err := strconv.ParseUint(os.Getenv("WORKBENCH_SEED"), 10, 64); err == nil {
		first, seeds = one, one
	} else if os.Getenv("WORKBENCH_SLOW_TESTS") == "1" {
		seeds = 40
	}
	for seed := first; seed <= seeds; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 9)) //nolint:gosec // an order, no secret
			var w *apptest.World
			var done []string
			if seed%3 == 0 {
				w, done = upgraded(t, database(t)), []string{"upgraded"}
			} else {
				w = apptest.NewPricedIn(t, database(t))
			}
			for range 7 {
				one := honest[random.IntN(len(honest))]
				done = append(done, one.name)
				w = one.do(t, w)
				if len(runsOf(w, t)) > 0 {
					unaccused(w, t, strings.Join(done, ", "))
				}
			}
			does(w, t, 2)
			v, err := VerifyStudy(t.Context(), exported(w, t).path, Verifier{Version: "test", Now: apptest.SteadyClock()})
			if err != nil || !v.Equal {
				t.Errorf("verify after %s: %v, %+v", strings.Join(done, ", "), err, v)
			}
		})
	}
}
