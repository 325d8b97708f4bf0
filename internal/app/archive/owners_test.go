package archive

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// TestEqualWorkOfTwoWorkbenchesIsBoughtOnce lets two workbenches, which share nothing but the database, do the same work at the same
// time. What both find is honest: the study of either is recomputed equal.
func TestEqualWorkOfTwoWorkbenchesIsBoughtOnce(t *testing.T) {
	t.Parallel()
	equalWork(t, "")
}

func TestEqualWorkOnPostgreSQLIsBoughtOnce(t *testing.T) {
	t.Parallel()
	equalWork(t, apptest.Postgres(t))
}

func equalWork(t *testing.T, database string) {
	t.Helper()
	first := apptest.NewWorld(t, database)
	first.Provider = fakeprovider.New(fakeprovider.Options{
		Key: first.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(), Dimension: 32, Latency: 5 * time.Millisecond,
	})
	second := *first
	second.OpenAgain(t, database)
	var works sync.WaitGroup
	runs, errs := make([]experiments.Run, 2), make([]error, 2)
	suite := "suite: compact\n"
	if testing.Short() {
		suite = "suite: [correctness, trust, hit]\n" // the race detector sees the same hands at less work
	}
	jobs := []app.Job{first.JobFile(t, apptest.Bought+suite), second.JobFile(t, apptest.Bought+suite)}
	for i, w := range []*apptest.World{first, &second} {
		works.Go(func() { runs[i], errs[i] = w.Run(t.Context(), jobs[i]) })
	}
	works.Wait()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("work %d: %v", i, err)
		}
	}
	asked := map[string]int{}
	twice := 0
	for _, e := range first.Provider.Ledger() {
		if asked[e.Hash]++; asked[e.Hash] > 1 {
			twice++
		}
	}
	if twice > 0 {
		t.Errorf("%d of %d distinct requests were bought twice", twice, len(asked))
	}
	t.Logf("%d distinct requests, %d bought twice", len(asked), twice)
	for i, run := range runs {
		path := filepath.Join(t.TempDir(), "study.zip")
		if _, err := Export(t.Context(), first.Workbench, path, "test", run.ID); err != nil {
			t.Fatal(err)
		}
		v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: first.Options.Now})
		if err != nil || !v.Equal {
			t.Errorf("the study of work %d does not verify: %+v, %v", i, v, err)
		}
	}
}
