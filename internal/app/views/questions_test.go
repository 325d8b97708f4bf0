package views

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/uploads"
)

// TestNoRunAsksADraft reads a drafted sheet as an upload is read, and asks its questions: those that nobody has reviewed are left out.
func TestNoRunAsksADraft(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	out := filepath.Join(w.Dir, "draft.jsonl")
	d, err := analyses.DraftDataset(t.Context(), w.Workbench, "rules", analyses.DraftRules{N: 8, Out: out})
	if err != nil || d.Questions < 3 {
		t.Fatalf("%+v, %v", d, err)
	}
	w.Write(t, "draft.jsonl", strings.Replace(w.Read(t, "draft.jsonl"), `"proposed"`, `"accepted"`, 1))
	asked, err := json.Marshal(uploads.Request{Kind: uploads.Dataset, Path: out, Name: "drafted", Corpus: filepath.Join(w.Dir, "docs")})
	if err != nil {
		t.Fatal(err)
	}
	var read bytes.Buffer
	if err := uploads.Read(bytes.NewReader(asked), &read); err != nil {
		t.Fatal(err)
	}
	var up uploads.Upload
	if err := json.Unmarshal(read.Bytes(), &up); err != nil || up.Problem != nil {
		t.Fatalf("%+v, %v", up.Problem, err)
	}
	if all := (app.Select{}).From(up.Questions); len(up.Questions) != d.Questions || len(all) != 1 {
		t.Errorf("%d of %d questions would be asked", len(all), len(up.Questions))
	}
	if drafts := (app.Select{Filter: []string{experiments.DraftTag}}).From(up.Questions); len(drafts) != d.Questions-1 {
		t.Errorf("the filter finds %d drafts of %d", len(drafts), d.Questions-1)
	}
}

// TestAFailedQuestionShowsWhatWasRetrieved lets the writer fail at one question: its page has the contexts all the same.
func TestAFailedQuestionShowsWhatWasRetrieved(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Responder: apptest.Respond,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			if strings.Contains(r.User, "pet cage") && r.Schema == nil {
				return fakeprovider.Behaviour{Fault: fakeprovider.ServerError}
			}
			return fakeprovider.Behaviour{}
		}})
	w.OpenAgain(t, "")
	run := w.Worked(t, apptest.Bought)
	d, err := NewViews(w.Workbench).runs().Answer(t.Context(), run.ID, "q4", "")
	if err != nil || d.Result.Failure == nil || len(d.Contexts) != 2 || d.Contexts[0].Text == "" || len(d.Claims) != 0 {
		t.Errorf("%v: %+v", err, d)
	}
}
