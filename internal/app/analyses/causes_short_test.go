package analyses

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestCausesInShort reads the causes of a run in short, made anew and as they were kept, when one of its answers is diagnosed and when all
// are: they are those of the whole diagnoses.
func TestCausesInShort(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, database string) {
		w := apptest.NewWorld(t, database)
		run := w.Worked(t, shallow)
		e, err := w.Evaluation(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, rules := range []DiagnoseRules{{Select: app.Select{Limit: 1}}, {}, {Method: causes.Observed}} {
			done, err := Diagnose(t.Context(), w.Workbench, run.ID, rules)
			if err != nil {
				t.Fatal(err)
			}
			method := causes.CauseMethod(done.Setup.Analysis.Method)
			want, err := CausesOf(t.Context(), w.Workbench, e, method)
			if err != nil || want.DiagnoseID != done.ID {
				t.Fatalf("the causes are of %s, not of %s: %v", want.DiagnoseID, done.ID, err)
			}
			told := want.Diagnoses
			want.Diagnoses = make([]causes.Diagnosis, len(told))
			for i := range told {
				want.Diagnoses[i] = told[i].InShort()
			}
			got := sameInShort(t, w, e, method, want)
			store := &forgetful{Store: w.Store}
			w.Store = store
			sameInShort(t, w, e, method, want)
			w.Reading = true
			sameInShort(t, w, e, method, want)
			if w.Reading, w.Store = false, store.Store; store.asked == "" || store.put != 1 {
				t.Errorf("what was forgotten is kept %d times by a writer and a reader", store.put)
			}
			if _, kept, err := w.Store.Stage(t.Context(), store.asked); !kept {
				t.Errorf("a finished diagnosis is not kept in short: %v", err)
			}
			if err := TellCauses(t.Context(), w.Workbench, &got); err != nil {
				t.Fatal(err)
			}
			for i, d := range got.Diagnoses {
				if d.Rationale != told[i].Rationale || d.Rationale.EN == "" {
					t.Errorf("%s is told as %q, not %q", d.QuestionID, d.Rationale.EN, told[i].Rationale.EN)
				}
			}
		}
	}
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, "") })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, apptest.Postgres(t)) })
}

func sameInShort(t *testing.T, w *apptest.World, e experiments.Evaluation, method causes.CauseMethod,
	want causes.CauseReport) causes.CauseReport {
	t.Helper()
	got, err := CausesInShort(t.Context(), w.Workbench, e, method)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in short: %s", diff)
	}
	return got
}

// forgetful is a store without what is kept in short.
type forgetful struct {
	experiments.Store
	asked string
	put   int
}

func (f *forgetful) Stage(ctx context.Context, key string) ([]byte, bool, error) {
	body, found, err := f.Store.Stage(ctx, key)
	if found && (f.asked == "" || f.asked == key) && bytes.Contains(body, []byte(`"which":`)) {
		f.asked = key
		return nil, false, nil
	}
	return body, found, err
}

func (f *forgetful) PutStage(ctx context.Context, s rag.Stage) error {
	f.put++
	return f.Store.PutStage(ctx, s)
}
