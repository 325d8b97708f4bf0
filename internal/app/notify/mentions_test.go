package notify

import (
	"fmt"
	"net/mail"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestAMentionIsRead: who is named gets a mail of their own where the account is an address, in both languages, with the comment as data;
// otherwise the channel gets it.
func TestAMentionIsRead(t *testing.T) {
	t.Parallel()
	server := newSMTP(t, &smtpServer{})
	n := newNotified(t, fmt.Sprintf(mailTo, "127.0.0.1", server.port, "none", true, ", lang: both"), nil)
	for person, to := range map[string]string{"ann@example.org": "<ann@example.org>", "Ben": "<owner@example.org>",
		"Ann <ann@example.org>": "<owner@example.org>"} {
		r := Remark{Place: "notebooks/study.rag.md", Notebook: "study", Page: "study",
			Said: experiments.NotebookComment{Cell: "c1", Run: "r1", Question: "q-1", Text: "@x see\n\n<b>this</b>", By: "Ann"}}
		notice := r.notice(n.World.Workbench, experiments.Account{ID: person, Name: person}, "mail")
		if _, err := n.Whole.AddNotices(t.Context(), []experiments.Notice{notice}); err != nil {
			t.Fatal(err)
		}
		before := len(server.took())
		if _, err := NewNotifier(n.World.Workbench).Deliver(t.Context()); err != nil || len(server.took()) != before+1 {
			t.Fatalf("%v: %d mails", err, len(server.took()))
		}
		m, err := mail.ReadMessage(strings.NewReader(server.took()[before].Raw))
		if err != nil || m.Header.Get("To") != to {
			t.Errorf("%v: a mail about %s is sent to %s", err, person, m.Header.Get("To"))
		}
		got := tell(notice, "both")
		if want := "Ann mentions " + person + " in study / study：Annさんのコメントに" + person + "さんへの言及があります"; got.Title != want {
			t.Errorf("title %q; want %q", got.Title, want)
		}
		for _, want := range []string{"Notebook study, cell c1\nQuestion q-1 of run r1\n", "ノートブック study、セル c1\n質問 q-1（実行 r1）\n",
			"Comment\n@x see <b>this</b>\n"} {
			if !strings.Contains(got.plain(), want) {
				t.Errorf("%q is not in %q", want, got.plain())
			}
		}
		if page, _, err := got.page(notice, "en"); err != nil || strings.Contains(page, "<b>this") {
			t.Errorf("%v: the page of the mail has the comment as HTML: %s", err, page)
		}
	}
}
