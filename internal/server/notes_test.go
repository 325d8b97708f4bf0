package server

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// cancelled stores a run that nobody has begun and nobody will.
func cancelled(t *testing.T, w *app.Workbench, experiment string) string {
	t.Helper()
	run, err := w.Store.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, CreatedAt: testNow,
		Setup: experiments.Setup{Experiment: experiment, Dataset: experiments.Ref{Name: "faq", Version: 1}}}, nil)
	if err == nil {
		err = w.Store.RequestState(t.Context(), run.ID, experiments.Cancelled, testNow)
	}
	if err != nil {
		t.Fatal(err)
	}
	return run.ID
}

// An editor writes beside a run and saves a view; a viewer sees both and may change neither; the audit log has who did what.
func TestNotesAndViewsOfATeam(t *testing.T) {
	t.Parallel()
	x := newTeam(t, fresh(t))
	run := cancelled(t, x.workbench, "one")
	cancelled(t, x.workbench, "two")
	c := serve(t, x.options())
	c.token = x.tokens[requests.Editor]
	var changed app.NotesChanged
	c.send("PATCH", "/runs/"+run+"/notes", `{"note":" 候補 ","add":["prod","良い"]}`, http.StatusOK, &changed)
	want := experiments.Notes{Note: "候補", Tags: []string{"prod", "良い"}}
	if diff := cmp.Diff(want, changed.Notes); diff != "" {
		t.Error(diff)
	}
	if back := changed.Back; back.Note == nil || *back.Note != "" || !slices.Equal(back.Remove, want.Tags) || back.Add != nil {
		t.Errorf("what takes it back is %+v", back)
	}
	if p := c.refused("PATCH", "/runs/"+run+"/notes", `{"add":["a,b"]}`, http.StatusUnprocessableEntity); p.Code != "tag" {
		t.Errorf("%+v", p)
	}
	var view experiments.RunView
	c.send("PUT", "/run-views/"+"For%20Monday", `{"query":"sort=-trust&tag=prod&q="}`, http.StatusOK, &view)
	if view.Name != "For Monday" || view.Query != "sort=-trust&tag=prod" || view.MadeBy != "editor@team.example · editor" {
		t.Errorf("%+v", view)
	}
	if p := c.refused("PUT", "/run-views/x", `{"query":"password=1"}`, http.StatusUnprocessableEntity); p.Code != "view_query" {
		t.Errorf("%+v", p)
	}

	c.token = x.tokens[requests.Viewer]
	var list listing.Listed[app.RunRow]
	c.get("/runs?tag=prod,"+"%E8%89%AF%E3%81%84", &list)
	if len(list.Items) != 1 || list.Items[0].RunID != run || list.Items[0].Note != "候補" {
		t.Errorf("%+v", list)
	}
	for _, asked := range [][3]string{
		{"PATCH", "/runs/" + run + "/notes", `{"note":""}`}, {"PUT", "/run-views/x", `{"query":""}`},
		{"DELETE", "/run-views/For%20Monday", ""}, {"POST", "/run-views/For%20Monday/restore", "{}"},
	} {
		c.refused(asked[0], asked[1], asked[2], http.StatusForbidden)
	}

	c.token = x.tokens[requests.Editor]
	c.send("DELETE", "/run-views/For%20Monday", "", http.StatusNoContent, nil)
	c.refused("DELETE", "/run-views/For%20Monday", "", http.StatusNotFound)
	c.send("POST", "/run-views/For%20Monday/restore", "{}", http.StatusOK, &view)
	var views api.ItemsOf[experiments.RunView]
	c.get("/run-views", &views)
	if len(views.Items) != 1 || views.Items[0] != view {
		t.Errorf("%+v", views)
	}

	c.token = x.tokens[requests.Administrator]
	var log listing.Listed[experiments.AuditEntry]
	c.get("/audit?limit=50&outcome=done", &log)
	done := map[string]string{}
	for _, e := range log.Items {
		done[e.Action+" "+e.Target] = e.Detail
	}
	if got := done["patch-runs-id-notes /runs/"+run+"/notes"]; got != "a note +prod +良い" {
		t.Errorf("the audit log says %q, of %v", got, done)
	}
	if _, ok := done["delete-run-views-name /run-views/For Monday"]; !ok {
		t.Errorf("the audit log does not say who took the view away: %v", done)
	}
}
