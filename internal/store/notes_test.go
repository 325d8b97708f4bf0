package store

import (
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// listed are the ids of the runs that a filter leaves, the oldest first.
func listed(t *testing.T, s *Store, f experiments.RunFilter) string {
	t.Helper()
	heads, total, err := s.RunHeads(t.Context(), experiments.RunList{RunFilter: f}, experiments.Part{Sort: "created_at"})
	ok(t, err)
	ids := make([]string, len(heads))
	for i, h := range heads {
		ids[i] = h.RunID
	}
	if total != len(ids) {
		t.Errorf("%d runs are listed, and %d counted", len(ids), total)
	}
	return strings.Join(ids, " ")
}

// TestNotes writes beside two runs, takes it back as the change says, filters by it, and deletes a run with what stands beside it.
func TestNotes(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		a, b := running(t, s, "a").ID, running(t, s, "b").ID
		change := func(run string, c experiments.NoteChange) (before, after experiments.Notes) {
			t.Helper()
			before, after, err := s.ChangeNotes(ctx, run, c, "Ann", at(5))
			ok(t, err)
			return before, after
		}
		note := "候補\nto ship"
		before, after := change(a, experiments.NoteChange{Note: &note, Add: []string{"prod", "重要", "prod"}})
		diff(t, experiments.Notes{}, before)
		diff(t, experiments.Notes{Note: note, Tags: []string{"prod", "重要"}}, after)
		change(b, experiments.NoteChange{Add: []string{"prod"}, Remove: []string{"never there"}})
		diff(t, map[string]experiments.Notes{a: after, b: {Tags: []string{"prod"}}},
			must[map[string]experiments.Notes](t)(s.Notes(ctx, []string{a, b, "nobody"})))
		diff(t, []experiments.TagCount{{Tag: "prod", Runs: 2}, {Tag: "重要", Runs: 1}},
			must[[]experiments.TagCount](t)(s.RunTags(ctx)))
		diff(t, a+" "+b, listed(t, s, experiments.RunFilter{Tags: []string{"prod"}}))
		diff(t, a, listed(t, s, experiments.RunFilter{Tags: []string{"prod", "重要"}}))
		diff(t, "", listed(t, s, experiments.RunFilter{Tags: []string{"PROD"}}))

		var changed experiments.Notes
		before, changed = change(a, experiments.NoteChange{Note: new(string), Remove: []string{"prod"}, Add: []string{"x"}})
		diff(t, experiments.Notes{Tags: []string{"x", "重要"}}, changed)
		_, back := change(a, experiments.Back(before, changed))
		diff(t, after, back)

		many := experiments.NoteChange{}
		for i := range experiments.MostTags {
			many.Add = append(many.Add, strings.Repeat("t", i+1))
		}
		_, _, err := s.ChangeNotes(ctx, a, many, "Ann", at(6))
		wantProblem(t, err, problem.Invalid, "many_tags")
		diff(t, map[string]experiments.Notes{a: after}, must[map[string]experiments.Notes](t)(s.Notes(ctx, []string{a})))
		_, _, err = s.ChangeNotes(ctx, "nobody", experiments.NoteChange{Add: []string{"x"}}, "Ann", at(6))
		wantProblem(t, err, problem.NotFound, "run_unknown")

		ok(t, s.FinishRun(ctx, a, "me", experiments.Totals{}, "", at(7)))
		ok(t, s.DeleteRun(ctx, a))
		diff(t, map[string]experiments.Notes{}, must[map[string]experiments.Notes](t)(s.Notes(ctx, []string{a})))
	})
}

// TestRunViews saves a view, replaces it, removes it and puts it back.
func TestRunViews(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		v := filled1[experiments.RunView]()
		ok(t, s.PutRunView(ctx, v))
		diff(t, v, must[experiments.RunView](t)(s.RunView(ctx, v.Name)))
		v.Query, v.MadeBy, v.SavedAt = "tag=prod", "Ben", at(9)
		ok(t, s.PutRunView(ctx, v))
		diff(t, []experiments.RunView{v}, must[[]experiments.RunView](t)(s.RunViews(ctx)))
		ok(t, s.RemoveRunView(ctx, v.Name, at(10)))
		wantProblem(t, s.RemoveRunView(ctx, v.Name, at(10)), problem.NotFound, "view_unknown")
		diff(t, []experiments.RunView{}, must[[]experiments.RunView](t)(s.RunViews(ctx)))
		diff(t, v, must[experiments.RunView](t)(s.RestoreRunView(ctx, v.Name)))
		_, err := s.RestoreRunView(ctx, v.Name)
		wantProblem(t, err, problem.NotFound, "view_unknown")

		ok(t, s.RemoveRunView(ctx, v.Name, at(11)))
		again := experiments.RunView{Name: v.Name, Query: "q=x", MadeBy: "Cy", SavedAt: at(12).Truncate(time.Microsecond)}
		ok(t, s.PutRunView(ctx, again)) // takes the place of what was removed
		diff(t, []experiments.RunView{again}, must[[]experiments.RunView](t)(s.RunViews(ctx)))
		_, err = s.RestoreRunView(ctx, v.Name)
		wantProblem(t, err, problem.NotFound, "view_unknown")
	})
}
