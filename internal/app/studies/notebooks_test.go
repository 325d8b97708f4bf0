package studies

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// books are the notebooks of a server over a world, as a process that was just started has them.
func books(w *apptest.World, t *testing.T) *Notebooks {
	t.Helper()
	b := jobs.NewBackground(w.Workbench, func(message string, args ...any) { t.Log(append([]any{message}, args...)...) })
	t.Cleanup(b.Close)
	return NewNotebooks(w.Workbench, views.NewViews(w.Workbench), b, "", "test")
}

// ended waits until nothing is being run any more, and returns everything that was told meanwhile.
func ended(t *testing.T, s *Notebooks, name string) []NotebookEvent {
	t.Helper()
	watch, err := s.Watch(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []NotebookEvent
	for deadline := time.After(3 * time.Minute); ; {
		events, over, err := watch.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if out = append(out, events...); over {
			return out
		}
		select {
		case <-deadline:
			t.Fatal("it does not end")
		case <-time.After(time.Millisecond):
		}
	}
}

func (s *Notebooks) state(t *testing.T, name string) map[string]NotebookCell {
	t.Helper()
	d, err := s.Get(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]NotebookCell{}
	for _, c := range d.Cells {
		out[c.Name] = c
	}
	return out
}

// Every answer counts as a low score here, so that a diagnosis has something to do.
var paidWithCauses = strings.Replace(paidNotebook, "metrics: [correctness]", "metrics: [correctness]\nlow_score: 4.9", 1) +
	"```rag cause why\nof: r\n```\n"

// TestOnlyWhatWasShownIsBought runs a notebook whose second paid cell has no price before the first one is there.
func TestOnlyWhatWasShownIsBought(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	s := books(w, t)
	if _, err := s.Create(t.Context(), NewNotebook{Name: "paid", Text: paidWithCauses}); err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(t.Context(), "paid", NotebookOrder{})
	if err != nil || len(plan.Cells) != 2 || plan.Calls == 0 || strings.Join(plan.Later, " ") != "why" || w.Billed("") != 0 {
		t.Fatalf("%v: %+v, %d calls", err, plan, w.Billed(""))
	}
	if _, err := s.Run(t.Context(), "paid", NotebookOrder{Budget: "many"}, ""); problem.From(err).Params["field"] != "budget" {
		t.Errorf("a budget that is none: %v", err)
	}
	job, err := s.Run(t.Context(), "paid", NotebookOrder{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete("paid"); problem.CodeOf(err) != "notebook_running" {
		t.Errorf("a notebook that is being run was deleted: %v", err)
	}
	if _, err := s.Run(t.Context(), "paid", NotebookOrder{}, ""); problem.CodeOf(err) != "notebook_running" {
		t.Errorf("two at once: %v", err)
	}
	events := ended(t, s, "paid")
	cells := s.state(t, "paid")
	if why := cells["why"]; cells["r"].State != notebooks.Fresh || why.State != notebooks.Stale || why.Price == nil ||
		why.Price.Calls == 0 {
		t.Errorf("r is %s, why %s with the price %+v", cells["r"].State, cells["why"].State, cells["why"].Price)
	}
	last := events[len(events)-1].Job
	if last == nil || last.ID != job.ID || last.State != workDone || last.Spend.Calls != w.Billed("") {
		t.Errorf("the job ended as %+v, and %d calls were billed", last, w.Billed(""))
	}
	most := 0
	for _, e := range events {
		if e.Cell != nil && e.Cell.Name == "r" {
			most = max(most, e.Cell.Total)
		}
	}
	if most != len(apptest.AskedQuestions) {
		t.Errorf("the progress is out of %d, and %d questions are asked", most, len(apptest.AskedQuestions))
	}
	bought := w.Billed("")
	if _, err := s.Run(t.Context(), "paid", NotebookOrder{Cells: []string{"why"}, Budget: "1calls"}, ""); err != nil {
		t.Fatal(err)
	}
	ended(t, s, "paid")
	if more := w.Billed("") - bought; more > 1 || s.state(t, "paid")["why"].State != notebooks.Partial {
		t.Errorf("%d calls under a budget of one; %+v", more, s.state(t, "paid")["why"])
	}
}

// TestAStoppedNotebookGoesOnInAnotherProcess stops a job in its paid cell, forgets everything that the process knew, and sends the same
// request again.
func TestAStoppedNotebookGoesOnInAnotherProcess(t *testing.T) {
	t.Parallel()
	whole := apptest.NewWorld(t, "")
	if _, err := notebook(whole, t, paidNotebook).Run(t.Context(), notebooks.Options{Approve: yes}); err != nil {
		t.Fatal(err)
	}
	want := whole.Billed("")

	w := apptest.NewWorld(t, "")
	s := books(w, t)
	if _, err := s.Create(t.Context(), NewNotebook{Name: "paid", Text: paidNotebook}); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	w.OnProgress = func(p experiments.Progress) {
		if p.Done < 3 {
			return
		}
		once.Do(func() {
			if _, err := s.Stop("paid"); err != nil {
				t.Error(err)
			}
		})
	}
	if _, err := s.Run(t.Context(), "paid", NotebookOrder{}, "key"); err != nil {
		t.Fatal(err)
	}
	events := ended(t, s, "paid")
	if job := events[len(events)-1].Job; job == nil || job.State != workStopped || job.Problem != nil {
		t.Errorf("the job ended as %+v", job)
	}
	if r := s.state(t, "paid")["r"]; r.State != notebooks.Partial || r.Reasons[0].Code != "stopped" {
		t.Errorf("%+v", r)
	}
	w.OnProgress = nil
	again := books(w, t)
	job, err := again.Run(t.Context(), "paid", NotebookOrder{}, "key")
	if err != nil {
		t.Fatal(err)
	}
	ended(t, again, "paid")
	if r := again.state(t, "paid")["r"]; r.State != notebooks.Fresh || w.Billed("") > want+2 || w.Billed("") < want {
		t.Errorf("%s; %d calls were paid, and %d are needed", r.State, w.Billed(""), want)
	}
	if same, err := again.Run(t.Context(), "paid", NotebookOrder{}, "key"); err != nil || same.ID != job.ID || same.State != workDone {
		t.Errorf("the same key: %+v %v", same, err)
	}
	for _, other := range []NotebookOrder{{Cells: []string{"r"}}, {Budget: "5calls"}, {Params: []string{"k=2"}}} {
		if _, err := again.Run(t.Context(), "paid", other, "key"); problem.CodeOf(err) != "idempotency_key_reused" {
			t.Errorf("another order under the same key: %v", err)
		}
	}
}

// TestTheFolderIsReadAsItIs puts what is no notebook into the folder.
func TestTheFolderIsReadAsItIs(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	s := books(w, t)
	if list, err := s.List(t.Context()); err != nil || len(list) != 0 {
		t.Fatalf("without a folder: %v %v", list, err)
	}
	for name, text := range map[string]string{
		"good.rag.md": freeNotebook, "odd name.rag.md": freeNotebook, "notes.md": "x", "broken.rag.md": "```rag run",
		"locked.rag.md":        freeNotebook,
		"locked.rag.lock.yaml": "<<<<<<< ours\n", "folder.rag.md/x": "x", "fake.2026-11-20.ragsnap": "PK",
	} {
		w.Write(t, "data/notebooks/"+name, text)
	}
	list, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range list {
		names = append(names, row.Name)
	}
	if strings.Join(names, " ") != "broken good locked" || list[0].Problems == 0 || list[1].Stale == 0 ||
		list[1].Stale > list[1].Paid || list[1].Paid != 3 {
		t.Errorf("%+v", list)
	}
	_, err = s.Get(t.Context(), "locked", nil)
	if p := problem.From(err); p == nil || p.Code != "lock_file" || strings.Contains(p.Message, w.Dir) {
		t.Errorf("%v", err)
	}
	if sealed, err := s.Sealed(); err != nil || len(sealed) != 0 {
		t.Errorf("%v %v", sealed, err)
	}
	if _, err := s.OpenSealed("fake.2026-11-20"); problem.CodeOf(err) != "snapshot_broken" || strings.Contains(err.Error(), w.Dir) {
		t.Errorf("%v", err)
	}
}

// TestACellIsSentBehindAnother: where somebody wants it, and else at the end.
func TestACellIsSentBehindAnother(t *testing.T) {
	t.Parallel()
	s := books(apptest.NewWorld(t, ""), t)
	const text = "---\nragnb: 1\ntitle: T\n---\n```rag note a\nen: A\n```\n\nProse.\n\n```rag note b\nen: B\n```\n"
	if _, err := s.Create(t.Context(), NewNotebook{Name: "study", Text: text}); err != nil {
		t.Fatal(err)
	}
	for _, sent := range []NotebookCellSent{{Name: "after", After: "a"}, {Name: "last"}, {Name: "behind", After: "b"}} {
		sent.Type, sent.Body = "note", "en: X"
		if _, err := s.AddCell(t.Context(), "study", sent); err != nil {
			t.Fatal(err)
		}
	}
	f, err := s.file("study")
	if err != nil {
		t.Fatal(err)
	}
	d, wrong := document.Read("study", f.text)
	var order []string
	for _, b := range d.Blocks[1:] {
		if b.Cell != nil {
			order = append(order, b.Cell.Name)
		} else if strings.TrimSpace(d.Text(b)) != "" {
			order = append(order, "prose")
		}
	}
	if got := strings.Join(order, " "); got != "a after prose b behind last" || len(wrong) > 0 {
		t.Errorf("the order is %s: %v", got, wrong)
	}
	if _, err := s.AddCell(t.Context(), "study", NotebookCellSent{Type: "note", After: "gone"}); problem.CodeOf(err) != "cell_unknown" {
		t.Errorf("behind a cell that is not there: %v", err)
	}
}
