package studies

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestPeopleAreToldOfComments: whoever is named gets one message, a viewer too; the author, somebody who may not sign in, a name that
// nobody has and somebody without a channel get none, and the comment says so. The same words are told once, and nothing else of a
// comment's life tells anybody.
func TestPeopleAreToldOfComments(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	w.Config.PublicURL = "https://bench.example.org/"
	w.Config.Notifications = app.NotificationsConfig{Channels: map[string]app.ChannelConfig{"ben": {}, "team": {}}}
	for i, name := range []string{"Ann", "Ben", "田中", "Gone"} {
		a := experiments.Account{ID: name, Name: name, Role: experiments.RoleEditor, Disabled: name == "Gone"}
		if i == 2 {
			a.Role = experiments.RoleViewer
		}
		if err := w.Whole.CreateAccount(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	s := books(w, t)
	const text0 = "---\nragnb: 1\ntitle: T\n---\n```rag note n\nen: Hi\n```\n"
	if _, err := s.Create(t.Context(), NewNotebook{Name: "study", Text: text0}); err != nil {
		t.Fatal(err)
	}
	on, err := s.Comments("study")
	if err != nil {
		t.Fatal(err)
	}
	say := func(text string) (Comment, string) {
		t.Helper()
		c, err := on.Add(t.Context(), CommentOn{Cell: "n", Run: "r1", Question: "q-1", Text: text, By: "a token", Account: "Ann"})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range c.Mentions {
			out = append(out, m.Name+" "+m.State)
		}
		return c, strings.Join(out, ", ")
	}
	told := func() (list []experiments.Notice) {
		t.Helper()
		list, _, err := w.Whole.Notices(t.Context(), experiments.NoticeFilter{}, experiments.Part{Sort: "created_at"})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if _, got := say("@Ben?"); got != "Ben silent" || len(told()) != 0 {
		t.Errorf("without a channel: %q, %d messages", got, len(told()))
	}
	w.Config.Notifications.Mentions = app.MentionsConfig{Channel: "team", People: map[string]string{"BEN": "ben"}}
	const text = "@Ben と@田中さん, see `@Ben`; @ann @Gone @nobody"
	const want = "Ben told, 田中 told, Ann author, Gone unknown, nobody unknown"
	first, got := say(text)
	if got != want {
		t.Errorf("%q; want %q", got, want)
	}
	all := told()
	slices.SortFunc(all, func(a, b experiments.Notice) int { return strings.Compare(a.Channel, b.Channel) })
	if len(all) != 2 || all[0].Channel != "ben" || all[0].Facts.Mention.Person != "Ben" || all[1].Channel != "team" ||
		all[1].Facts.Mention.Person != "田中" || all[0].Kind != experiments.NoticeMention || all[0].Facts.Mention.Text != text ||
		all[0].Facts.Link != "https://bench.example.org/notebooks/study?cell=n" {
		t.Errorf("messages: %+v", all)
	}
	if _, got := say(text); got != strings.ReplaceAll(want, "told", "again") || len(told()) != 2 {
		t.Errorf("the same words again: %q, %d messages", got, len(told()))
	}
	for _, resolved := range []bool{true, false, true} {
		if _, err := on.Settle(t.Context(), first.ID, "Ben", resolved); err != nil {
			t.Fatal(err)
		}
	}
	list, err := on.List(t.Context())
	if err != nil || len(list) != 3 || list[1].Mentions != nil || len(told()) != 2 {
		t.Errorf("%v: %d messages after it was resolved, reopened and listed: %+v", err, len(told()), list)
	}
	var crowd strings.Builder
	for i := range 21 {
		fmt.Fprintf(&crowd, "@p%d ", i)
	}
	about := CommentOn{Cell: "n", Text: crowd.String(), By: "Ann"}
	if _, err := on.Add(t.Context(), about); problem.CodeOf(err) != "comment_mentions" {
		t.Errorf("a comment that names 21 people: %v", err)
	}
	if list, err := on.List(t.Context()); err != nil || len(list) != 3 {
		t.Errorf("%v: %d comments; the one that was refused is kept", err, len(list))
	}
}
