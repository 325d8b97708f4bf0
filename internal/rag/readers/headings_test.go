package readers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/rag"
)

// paths are the heading paths of a document's chunks.
func paths(t *testing.T, corpus *rag.Corpus) (out []string) {
	t.Helper()
	chunks := rag.Chunking{By: rag.ByRecursive, Size: 500, Heading: rag.HeadingPath}.Chunks(corpus)
	for _, c := range chunks {
		out = append(out, strings.Join(c.Path, " > ")+" | "+strings.ReplaceAll(corpus.Text(c.Span), "\n", "/"))
	}
	return out
}

// Whatever marks the headings of a file, chunks know what they stand under: those of Markdown, of a page and of a document are the same.
func TestHeadingsOfFilesAreKept(t *testing.T) {
	t.Parallel()
	numbered := func(level string) string { return `<w:outlineLvl w:val="` + level + `"/>` }
	for name, body := range map[string][]byte{
		"a.md": []byte("\n# か\u3099い\n\nWho pays.\n\n## *Abroad*\n\n- # no\n\n```\n# no\n```\n\nAt home\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
		"a.html": []byte("<body>\n<h1> か\u3099い</h1><p>Who pays.<h2><em>Abroad</em></h2><ul><li># no</ul><pre># no</pre><h2></h2><h2>At <b>home" +
			"</b></h2><table><tr><td>a<td>b<tr><td>1<td>2</table>"),
		"a.docx": pack(t, docx(par(numbered("0"), "か\u3099い")+par("", "Who pays.")+par(numbered("1"), "Abroad")+par("", "- # no")+
			par("", "# no")+par(numbered("1"))+par(numbered("1"), "At home")+par("", "a\tb")+par("", "1\t2"))),
	} {
		d, _, err := readOne(t, name, body)
		if err != nil {
			t.Fatal(err)
		}
		got := paths(t, rag.NewCorpus("c", []rag.Document{d}))
		for i, want := range []string{"がい | がい//Who pays.", "がい > Abroad | Abroad//", "がい > At home | At home/"} {
			if i >= len(got) || !strings.HasPrefix(got[i], want) {
				t.Errorf("%s: section %d of %q is not %q", name, i, got, want)
			}
		}
		if len(got) != 3 {
			t.Errorf("%s: sections %q", name, got)
		}
		joined := rag.JoinCorpus(rag.NewCorpus("c", []rag.Document{{ID: "0", Text: "before"}, d}), "all")
		if diff := cmp.Diff(append([]string{" | before"}, got...), paths(t, joined)); diff != "" {
			t.Errorf("%s joined (-want +got):\n%s", name, diff)
		}
	}
}

// A corpus that is read without the places of its headings is what it always was, and so is its digest.
func TestPlainCorporaAreAsBefore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, []byte("---\nyear: 2024\n---\n# One\n\ntext\n\n## Two\n\nmore\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	marked, _, err := ReadFolder(path, "c", FolderRules{})
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := ReadFolder(path, "c", FolderRules{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	before := rag.Document{ID: "a.md", Title: "One", Text: "One\n\ntext\n\nTwo\n\nmore", Lang: "en", Source: "a.md",
		Metadata: map[string]string{"year": "2024"}}
	if plain.Digest != rag.NewCorpus("c", []rag.Document{before}).Digest {
		t.Errorf("plain: %+v", plain.Documents)
	}
	if marked.Digest == plain.Digest || !slices.Equal(paths(t, marked), []string{"One | One//text", "One > Two | Two//more"}) {
		t.Errorf("headings are not kept: %v", marked.Documents)
	}
	if diff := cmp.Diff(plain.Documents[0], marked.Documents[0].Plain()); diff != "" {
		t.Errorf("plain (-read +made):\n%s", diff)
	}
}
