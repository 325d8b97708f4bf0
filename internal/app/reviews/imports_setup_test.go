package reviews

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestSetupRecordsTheAgreement: a run says which version of the agreement was in force; runs without one keep the digest, and so the
// id, that they always had.
func TestSetupRecordsTheAgreement(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	before := w.Worked(t, "name: flat\nsuite: [hit]\n")
	if before.Setup.Agreement != 0 {
		t.Errorf("an agreement that there is not: %+v", before.Setup)
	}
	plain := experiments.Setup{Experiment: "flat", Revision: 1, LowScore: 2}
	if got, want := plain.Digest(), "405f6a08a1788d6d757414052f30884d649c2fa591d219185fbce49b0f3ed0b3"; got != want {
		t.Errorf("the digest of a setup changed: %s, and with it the ids of runs", got)
	}
	for _, threshold := range []float64{1, 2} {
		change := AgreementChange{File: experiments.AgreementFile{LowScore: &threshold, AgreedBy: &[]string{"A"}}}
		if _, _, err := SetAgreement(t.Context(), w.Workbench, "asked", change); err != nil {
			t.Fatal(err)
		}
	}
	after := w.Worked(t, "name: flat\nsuite: [hit]\n")
	if after.Setup.Agreement != 2 || after.Setup.LowScore != 2 {
		t.Errorf("agreement %d, threshold %v", after.Setup.Agreement, after.Setup.LowScore)
	}
	a, err := w.Store.Results(t.Context(), before.ID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := w.Store.Results(t.Context(), after.ID)
	if err != nil || a[0].Answer.GenerationKey != b[0].Answer.GenerationKey || a[0].Answer.RetrievalKey != b[0].Answer.RetrievalKey {
		t.Errorf("an agreement changed stage keys: %v", err)
	}
}
