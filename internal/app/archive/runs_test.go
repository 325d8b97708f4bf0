package archive

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// TestARetryOfAGenerationBuysTheRestOnly: a run whose generation failed for some questions, and its retry, buy together what an undisturbed
// run buys, each request once, and a study of both is recomputed. What needs no answer is judged at once, so that for each of these
// questions the contexts go to the judge a second time with the claims of the answer: one request more.
func TestARetryOfAGenerationBuysTheRestOnly(t *testing.T) {
	t.Parallel()
	const failed = 2
	for _, suite := range []string{"", "suite: [compact, retrieval]\n"} {
		var undisturbed int
		for _, fails := range []bool{false, true} {
			w := apptest.NewWorld(t, "")
			var mu sync.Mutex
			failing, paid := fails, map[string]int{}
			w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Responder: apptest.Respond,
				Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
					mu.Lock()
					defer mu.Unlock()
					if failing && r.Schema == nil && r.Path == "chat/completions" &&
						(strings.Contains(r.User, apptest.AskedQuestions[1]) || strings.Contains(r.User, apptest.AskedQuestions[4])) {
						return fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Status: 400}
					}
					paid[r.Hash]++
					return fakeprovider.Behaviour{}
				}})
			w.OpenAgain(t, "")
			run := w.Worked(t, suite+apptest.Bought)
			if !fails {
				undisturbed = len(paid)
				continue
			}
			failing = false
			child, err := w.RetryErrors(t.Context(), run.ID, false, experiments.Budget{})
			if err != nil {
				t.Fatal(err)
			}
			for hash, n := range paid {
				if n > 1 {
					t.Errorf("suite %q: request %s was bought %d times", suite, hash, n)
				}
			}
			if len(paid) != undisturbed+failed {
				t.Errorf("suite %q: %d requests were bought in two parts, %d undisturbed", suite, len(paid), undisturbed)
			}
			path := filepath.Join(w.Dir, "study.zip")
			if _, err := Export(t.Context(), w.Workbench, path, "test", run.ID, child.ID); err != nil {
				t.Fatal(err)
			}
			if v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()}); err != nil || !v.Equal {
				t.Errorf("suite %q: recomputed: %+v, %v", suite, v, err)
			}
		}
	}
}
