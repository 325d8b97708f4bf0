package studies

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// onBothEngines runs a test over a world in each database.
func onBothEngines(t *testing.T, test func(t *testing.T, w *apptest.World)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, apptest.NewWorld(t, "")) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, apptest.NewWorld(t, apptest.Postgres(t))) })
}

// comparing has two runs and their comparison; %s is how many passages the second one reads.
const comparing = notebookHead + "```\n```rag config change\nextends: base\nretrieve: {k: %s}\n```\n```rag run r0\nconfigs: base\ndataset: qa\n```\n" +
	"```rag run r1\nconfigs: change\ndataset: qa\n```\n```rag compare c\nbaseline: r0\ncandidate: r1\n```\n"

// TestANotebookRemembersWhatItWas saves, runs, edits the file outside, compares two versions with their results, and goes back: what was
// bought for the earlier text is there again.
func TestANotebookRemembersWhatItWas(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, w *apptest.World) {
		s, ctx := books(w, t), t.Context()
		first := fmt.Sprintf(comparing, "3")
		saved, err := s.Create(ctx, NewNotebook{Name: "study", Text: first, By: "Ann"})
		if err != nil {
			t.Fatal(err)
		}
		run := func() {
			t.Helper()
			if _, err := s.Run(ctx, "study", NotebookOrder{By: "Ann"}, ""); err != nil {
				t.Fatal(err)
			}
			ended(t, s, "study")
		}
		run()
		if _, err = s.Save(ctx, "study", fmt.Sprintf(comparing, "1, mode: dense"), saved.Digest, "Ben"); err != nil {
			t.Fatal(err)
		}
		run()
		path, _ := s.path("study")
		if err := os.WriteFile(path, []byte(first+"\nWritten outside.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := s.Versions(ctx, "study")
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, v := range list {
			told = append(told, fmt.Sprintf("%d %q %s ran=%t", v.Number, v.By, v.Origin, v.Ran))
		}
		if diff := cmp.Diff([]string{`3 "" disk ran=false`, `2 "Ben" saved ran=true`, `1 "Ann" saved ran=true`}, told); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		d, err := s.Diff(ctx, "study", 1, 2, true)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(d.Text, "--- study.rag.md@1\n+++ study.rag.md@2\n") ||
			!strings.Contains(d.Text, "-retrieve: {k: 3}\n+retrieve: {k: 1, mode: dense}\n") {
			t.Errorf("the texts differ by\n%s", d.Text)
		}
		changed := map[string]notebooks.CellChange{}
		for _, c := range d.Results {
			changed[c.Cell] = c
		}
		if c := changed["c"]; c.Kind != "changed" || c.Before == c.After || len(c.Questions) == 0 ||
			c.Questions[0].Before != "no_change" || changed["r1"].Before == changed["r1"].After || changed["r0"].Cell != "" {
			t.Errorf("the results differ by %+v", d.Results)
		}
		now, err := s.Get(ctx, "study", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Revert(ctx, "study", 2, "another digest", "Cy"); problem.CodeOf(err) != "notebook_changed" {
			t.Errorf("a text that nobody saw was replaced: %v", err)
		}
		if _, err := s.Revert(ctx, "study", 2, now.Digest, "Cy"); err != nil {
			t.Fatal(err)
		}
		if cells := s.state(t, "study"); cells["r1"].State != notebooks.Fresh || cells["c"].State != notebooks.Fresh {
			t.Errorf("the results of version 2 are not back: r1 is %s %v", cells["r1"].State, cells["r1"].Why)
		}
		if _, err := s.NameVersion(ctx, "study", 2, "  dense  "); err != nil {
			t.Fatal(err)
		}
		if _, err := s.NameVersion(ctx, "study", 2, strings.Repeat("n", 81)); problem.CodeOf(err) != "version_name" {
			t.Errorf("a long name: %v", err)
		}
		if _, err := s.Rename(ctx, "study", "renamed"); err != nil {
			t.Fatal(err)
		}
		list, err = s.Versions(ctx, "renamed")
		if err != nil || len(list) != 4 || list[0].Origin != "restored" || list[0].By != "Cy" || list[2].Name != "dense" {
			t.Errorf("%v: %+v", err, list)
		}
	})
}

// TestARemovedCellComesBackWithItsResult takes a paid cell out, saves, and puts it back a day later in another process: the same result,
// and no call more. After thirty days it is gone.
func TestARemovedCellComesBackWithItsResult(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, w *apptest.World) {
		s, ctx := books(w, t), t.Context()
		saved, err := s.Create(ctx, NewNotebook{Name: "paid", Text: paidNotebook + "```rag failures low\nof: r\n```\n"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(ctx, "paid", NotebookOrder{Budget: "500calls"}, ""); err != nil {
			t.Fatal(err)
		}
		ended(t, s, "paid")
		bought := w.Billed("")
		before, err := s.Get(ctx, "paid", nil)
		if err != nil {
			t.Fatal(err)
		}
		cell := before.Blocks[len(before.Blocks)-2].Text
		without := strings.Replace(before.Text, cell, "", 1)
		renamed := strings.Replace(without, "rag failures low", "rag failures lowest", 1)
		if saved, err = s.Save(ctx, "paid", without, saved.Digest, "Ann"); err != nil {
			t.Fatal(err)
		}
		if saved, err = s.Save(ctx, "paid", renamed, saved.Digest, "Ann"); err != nil {
			t.Fatal(err)
		}
		clock := &apptest.Watch{Time: w.Options.Now().Add(24 * time.Hour)}
		w.Options.Now = clock.Now
		again := books(w, t)
		list, err := again.Removed(ctx, "paid")
		if err != nil || len(list) != 1 || list[0].Cell != "r" || list[0].By != "Ann" || list[0].Behind != "base" || list[0].Text != cell {
			t.Fatalf("%v: the removed cells are %+v", err, list)
		}
		if _, err := again.PutBack(ctx, "paid", list[0].ID, "another", ""); problem.CodeOf(err) != "notebook_changed" {
			t.Errorf("put into a text that nobody saw: %v", err)
		}
		added, err := again.PutBack(ctx, "paid", list[0].ID, saved.Digest, "Ben")
		if err != nil || added.Cell != "r" {
			t.Fatalf("%v: %+v", err, added)
		}
		if r := again.state(t, "paid")["r"]; r.State != notebooks.Fresh || r.Spend.Calls != bought || w.Billed("") != bought {
			t.Errorf("the cell came back as %s %v, with %d of %d calls", r.State, r.Why, w.Billed(""), bought)
		}
		if list, err := again.Removed(ctx, "paid"); err != nil || len(list) != 0 {
			t.Errorf("%v: it can be put back twice: %+v", err, list)
		}
		now, _ := again.Get(ctx, "paid", nil)
		if saved, err = again.Save(ctx, "paid", renamed, now.Digest, ""); err != nil {
			t.Fatal(err)
		}
		clock.Add(30 * 24 * time.Hour)
		if list, err := again.Removed(ctx, "paid"); err != nil || len(list) != 0 {
			t.Errorf("%v: thirty days later there are %+v", err, list)
		}
	})
}

// TestWhatIsTypedAgainIsNotRemoved: a cell that undo brings back is in the list no more.
func TestWhatIsTypedAgainIsNotRemoved(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	s, ctx := books(w, t), t.Context()
	text := "---\nragnb: 1\ntitle: x\n---\n\n```rag note a\nen: one\n```\n\n```rag note b\nen: two\n```\n"
	saved, err := s.Create(ctx, NewNotebook{Name: "n", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		text string
		left int
	}{{strings.Replace(text, "```rag note a\nen: one\n```\n", "", 1), 1}, {text, 0}} {
		if saved, err = s.Save(ctx, "n", step.text, saved.Digest, ""); err != nil {
			t.Fatal(err)
		}
		if list, err := s.Removed(ctx, "n"); err != nil || len(list) != step.left {
			t.Errorf("%v: %+v", err, list)
		}
	}
}

// TestWhoLooksAtANotebook follows it from two pages, saves in one, and changes the file outside.
func TestWhoLooksAtANotebook(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	clock := &apptest.Watch{Time: w.Options.Now()}
	w.Options.Now = clock.Now
	s, ctx := books(w, t), t.Context()
	saved, err := s.Create(ctx, NewNotebook{Name: "n", Text: "---\nragnb: 1\ntitle: x\n---\n", By: "Ann"})
	if err != nil {
		t.Fatal(err)
	}
	follow := func(tab, by string) *NotebookFollow {
		t.Helper()
		f, err := s.Follow("n", tab, by, 0)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	next := func(f *NotebookFollow) (told string) {
		t.Helper()
		events, err := f.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Seen != nil {
				told += "seen"
				for _, r := range e.Seen.People {
					told += " " + r.Tab + " " + r.By + " " + r.Cell
				}
				told += ";"
			}
			if e.Saved != nil {
				told += "saved by " + e.Saved.By + ";"
			}
		}
		return told
	}
	a, b := follow("a", "Ann"), follow("b", "Ben")
	want := func(f *NotebookFollow, said string) {
		t.Helper()
		if told := next(f); told != said {
			t.Errorf("told %q, want %q", told, said)
		}
	}
	want(a, "seen;saved by Ann;")
	want(b, "seen a Ann ;saved by Ann;")
	want(a, "seen b Ben ;")
	if seen, err := s.Choose("n", "b", "Ben", "c1"); err != nil || len(seen.People) != 1 {
		t.Errorf("%v: %+v", err, seen)
	}
	want(a, "seen b Ben c1;")
	want(a, "")
	if saved, err = s.Save(ctx, "n", "---\nragnb: 1\ntitle: y\n---\nmore\n", saved.Digest, "Ben"); err != nil {
		t.Fatal(err)
	}
	want(a, "saved by Ben;")
	path, _ := s.path("n")
	if err := os.WriteFile(path, []byte("---\nragnb: 1\ntitle: z\n---\noutside\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want(a, "saved by ;")
	clock.Add(stillThere + time.Second)
	want(a, "seen;")
}
