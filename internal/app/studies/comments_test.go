package studies

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestWhatPeopleSayGoesAlong says something about a cell and about a row of it: whoever follows hears of it, it is HTML without scripts,
// it goes along when the cell and the notebook are renamed, waits while the cell is removed, and is nowhere in the file.
func TestWhatPeopleSayGoesAlong(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	s := books(w, t)
	const text = "---\nragnb: 1\ntitle: T\n---\n```rag params p\nk: 4\n```\n\n```rag note n\nen: Hello\n```\n"
	saved, err := s.Create(t.Context(), NewNotebook{Name: "study", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	follow, err := s.Follow("study", "tab", "Ben", 0)
	if err != nil {
		t.Fatal(err)
	}
	heard := func() (cells string) {
		t.Helper()
		list, err := follow.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.Kind == "comment" {
				cells += e.Comment.Cell
			}
		}
		return cells
	}
	on := func(name string) Comments {
		t.Helper()
		c, err := s.Comments(name)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if got := heard(); got != "" {
		t.Errorf("nobody said anything, and %q was heard", got)
	}
	about := CommentOn{Cell: "n", Run: "r1", Question: "q-1", Text: "*Why?* <script>x</script>", By: "Ann"}
	first, err := on("study").Add(t.Context(), about)
	if err != nil || heard() != "n" || heard() != "" {
		t.Errorf("%v: who follows heard nothing, or twice", err)
	}
	if !strings.Contains(first.HTML, "<em>Why?</em>") || strings.Contains(first.HTML, "<script") || first.Gone {
		t.Errorf("%+v", first)
	}
	for code, wrong := range map[string]CommentOn{
		"cell_unknown": {Cell: "x", Text: "a"}, "comment_empty": {Cell: "n", Text: " \n"}, "comment_row": {Cell: "n", Run: "r", Text: "a"},
		"comment_long": {Cell: "n", Text: strings.Repeat("あ", experiments.LongestComment+1)},
	} {
		if _, err := on("study").Add(t.Context(), wrong); problem.CodeOf(err) != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	save := func(text string) {
		t.Helper()
		if saved, err = s.Save(t.Context(), saved.Name, text, saved.Digest, "Ann"); err != nil {
			t.Fatal(err)
		}
	}
	only := func(name string) Comment {
		t.Helper()
		list, err := on(name).List(t.Context())
		if err != nil || len(list) != 1 {
			t.Fatalf("%v: %+v", err, list)
		}
		return list[0]
	}
	save(strings.Replace(text, "rag note n", "rag note hello", 1))
	if c := only("study"); c.Cell != "hello" || c.Gone || c.Run != "r1" || c.Question != "q-1" {
		t.Errorf("after the cell was renamed: %+v", c)
	}
	save(strings.Replace(text, "```rag note n\nen: Hello\n```\n", "", 1))
	if c := only("study"); !c.Gone {
		t.Errorf("after the cell was removed: %+v", c)
	}
	save(strings.Replace(text, "rag note n", "rag note hello", 1))
	if saved, err = s.Rename(t.Context(), "study", "other"); err != nil {
		t.Fatal(err)
	}
	if c := only("other"); c.Cell != "hello" || c.Gone {
		t.Errorf("after the notebook was renamed: %+v", c)
	}
	done, err := on("other").Settle(t.Context(), first.ID, "Ben", true)
	if err != nil || done.ResolvedBy != "Ben" || done.ResolvedAt == nil {
		t.Errorf("%v: %+v", err, done)
	}
	again, err := on("other").Settle(t.Context(), first.ID, "Ben", false)
	if err != nil || again.ResolvedBy != "" || again.ResolvedAt != nil {
		t.Errorf("%v: %+v", err, again)
	}
	ben := people.Actor{Name: "Ben", Role: experiments.RoleEditor}
	if err := on("other").Forget(t.Context(), first.ID, ben); problem.CodeOf(err) != "comment_author" {
		t.Errorf("Ben removed what Ann said: %v", err)
	}
	ben.Role = experiments.RoleAdmin
	if err := on("other").Forget(t.Context(), first.ID, ben); err != nil {
		t.Error(err)
	}
	if f, err := s.file("other"); err != nil || strings.Contains(string(f.text), "Why") {
		t.Errorf("%v: what was said is in the file", err)
	}
}
