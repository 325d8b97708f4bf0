package archive

import (
	"path/filepath"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
)

// TestAStudyOfAnEndpointIsRecomputed asks nothing again: neither the system that runs elsewhere nor its key is at hand.
func TestAStudyOfAnEndpointIsRecomputed(t *testing.T) {
	t.Parallel()
	w, p := apptest.NewWorld(t, ""), apptest.NewProduction(t)
	if _, err := w.Run(t.Context(), w.JobOf(t, w.Endpoint(t, p, nil, "corpus: rules\nsuite: standard\n"))); err != nil {
		t.Fatal(err)
	}
	asked := p.Calls.Load()
	path := filepath.Join(w.Dir, "study.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || !v.Equal || len(v.Runs) != 1 || v.Runs[0].Verified != len(apptest.Rules) {
		t.Errorf("%v %+v", err, v)
	}
	if p.Calls.Load() != asked {
		t.Error("the endpoint was asked again")
	}
}
