package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// TestASharedNotebookIsSealed: a link to a notebook shows one version in reading mode. What people say about its cells is in it only
// where somebody asked; other runs, other notebooks, earlier texts, names of people and prices never. Nothing that is done to the notebook
// afterwards changes the page, until its link is revoked.
func TestASharedNotebookIsSealed(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c, _ := desk(t)
	text := func(prose string) string {
		return "---\nragnb: 1\ntitle: Sealed\nlang: [en, ja]\n---\n\n" + prose + "\n\n```rag failures low\nof: run:" + w.after().ID +
			"\nlimit: 5\n```\n"
	}
	var saved studies.NotebookSaved
	save := func(prose string) {
		t.Helper()
		c.send(http.MethodPut, "/notebooks/sealed", jsonOf(t, map[string]any{"text": text(prose), "digest": saved.Digest}), 200, &saved)
	}
	c.send(http.MethodPost, "/notebooks", `{"name": "other", "text": "---\nragnb: 1\ntitle: O\n---\n\nOf another notebook.\n"}`, 200, nil)
	c.send(http.MethodPost, "/notebooks", `{"name": "sealed", "text": `+jsonOf(t, text("An earlier text."))+`}`, 200, &saved)
	save("What is shared.")
	var said studies.Comment
	c.send(http.MethodPost, "/notebooks/sealed/comments", `{"cell": "low", "text": "**Between us** <script>x</script>"}`, 200, &said)
	plain := c.shares(`{"kind": "notebook", "notebook": "sealed"}`)
	commented := c.shares(`{"kind": "notebook", "notebook": "sealed", "comments": true}`)
	shown := func(made api.MadeShare) (pages string) {
		t.Helper()
		for _, lang := range []string{"en", "ja"} {
			status, _, body := c.opened(made.Path + "?lang=" + lang)
			if status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
			pages += body
		}
		return pages
	}
	first, talk := shown(plain), shown(commented)
	for _, page := range []string{first, talk} {
		if strings.Count(page, "What is shared.") != 2 || !strings.Contains(page, `<section id="low">`) {
			t.Errorf("the page does not show the notebook: %.600s", page)
		}
		for _, hidden := range []string{"An earlier text", "Of another notebook", w.before().ID, "<script", "rag failures", saved.Digest,
			"USD"} {
			if strings.Contains(page, hidden) {
				t.Errorf("the page shows %q", hidden)
			}
		}
	}
	for _, word := range []string{"Between us", said.By, "Comments (1)", "コメント（1件）"} {
		if strings.Contains(first, word) || !strings.Contains(talk, word) {
			t.Errorf("%q is on the page without comments, or not on that with them", word)
		}
	}
	if want := "<strong>Between us</strong> &lt;script&gt;x"; !strings.Contains(talk, want) {
		t.Errorf("the comment is not %q: %s", want, talk)
	}
	save("What came later.")
	c.send(http.MethodDelete, "/notebooks/sealed/comments/"+said.ID, "", http.StatusNoContent, nil)
	c.send(http.MethodPost, "/notebooks/sealed/rename", `{"name": "renamed"}`, 200, nil)
	c.send(http.MethodDelete, "/notebooks/renamed", "", http.StatusNoContent, nil)
	if shown(plain) != first || shown(commented) != talk {
		t.Error("a page that was shared has changed")
	}
	c.send(http.MethodDelete, "/shares/"+plain.Share.ID, "", http.StatusNoContent, nil)
	if status, _, body := c.opened(plain.Path); status != http.StatusNotFound || strings.Contains(body, "What is shared") {
		t.Errorf("revoked: %d", status)
	}
	if shown(commented) != talk {
		t.Error("revoking one link changed another")
	}
}

// TestFilesHoldCommentsWhereAsked: the page and the snapshot of a notebook have what people say about its cells where somebody asks; other
// files refuse to.
func TestFilesHoldCommentsWhereAsked(t *testing.T) {
	t.Parallel()
	c, _ := desk(t)
	c.send(http.MethodPost, "/notebooks", `{"name": "talk", "text": "---\nragnb: 1\ntitle: T\n---\n`+"```rag note n\\nen: Hi\\n```"+`\n"}`, 200, nil)
	c.send(http.MethodPost, "/notebooks/talk/comments", `{"cell": "n", "text": "Between us"}`, 200, nil)
	for _, asked := range []bool{false, true} {
		status, _, body := c.do(http.MethodGet, fmt.Sprintf("%s/notebooks/talk/notebook.html?comments=%t", requests.Prefix, asked), "")
		if status != 200 || strings.Contains(body, "Between us") != asked {
			t.Errorf("asked for comments: %t; %d, %s", asked, status, body)
		}
	}
	if p := c.refused(http.MethodGet, "/notebooks/talk/notebook.ipynb?comments=true", "", 422); p.Code != "comments_format" {
		t.Errorf("%+v", p)
	}
	var sealed studies.SealedNotebook
	c.send(http.MethodPost, "/notebooks/talk/snapshots?comments=true", "{}", 200, &sealed)
	var read struct{ Comments []struct{ HTML string } }
	c.get("/notebooks/snapshots/"+sealed.ID+"/read", &read)
	if len(read.Comments) != 1 || !strings.Contains(read.Comments[0].HTML, "Between us") {
		t.Errorf("the snapshot says %+v", read)
	}
}
