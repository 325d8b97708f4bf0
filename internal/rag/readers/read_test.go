package readers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// folder writes files by slash path and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestReadCorpusFolder(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{
		"b.txt":       "Plain text.\r\nSecond line.",
		"a/guide.md":  "# The guide\n\nHello.",
		"a/page.html": "<title>T</title><p>Body",
		"faq.jsonl": `{"id":7,"body":"返品は30日以内です。","url":"https://example.com/7","page":3,"draft":false,"lang":"Japanese"}` +
			"\n\n" + `{"doc_id":"x","text":"A","title":"X","source":"s","tags":["t"],"lang":""}` + "\n",
		".hidden.txt":       "no",
		".git/config.txt":   "no",
		"img/logo.png":      "\x89PNG",
		"img/photo.png":     "\x89PNG",
		"LICENSE":           "MIT",
		"z/deep/er/note.md": "no heading",
	})
	if err := os.Symlink(filepath.Join(root, "b.txt"), filepath.Join(root, "link.txt")); err != nil {
		t.Fatal(err)
	}
	corpus, said, err := ReadCorpus(root, "manual")
	notes := text.InEnglish(said)
	if err != nil {
		t.Fatal(err)
	}
	want := []rag.Document{
		{ID: "a/guide.md", Title: "The guide", Text: "The guide\n\nHello.", Lang: "en", Source: "a/guide.md"},
		{ID: "a/page.html", Title: "T", Text: "Body", Lang: "en", Source: "a/page.html"},
		{ID: "b.txt", Title: "b", Text: "Plain text.\nSecond line.", Lang: "en", Source: "b.txt"},
		{ID: "7", Text: "返品は30日以内です。", Lang: "ja", Source: "https://example.com/7",
			Metadata: map[string]string{"page": "3", "draft": "false"}},
		{ID: "x", Title: "X", Text: "A", Lang: "en", Source: "s"},
		{ID: "z/deep/er/note.md", Title: "note", Text: "no heading", Lang: "en", Source: "z/deep/er/note.md"},
	}
	if diff := cmp.Diff(want, corpus.Documents); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	wantNotes := []string{
		"not read (.png, a kind that is not read): img/logo.png, img/photo.png",
		"not read (links and devices, which are not followed): link.txt",
		"not read (no extension, a kind that is not read): LICENSE",
		`faq.jsonl: the field "tags" holds lists or objects in 1 documents and was not kept`,
	}
	if diff := cmp.Diff(wantNotes, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if corpus.Name != "manual" || corpus.Version != 0 || corpus.Digest == "" {
		t.Errorf("corpus is %s@%d digest %q", corpus.Name, corpus.Version, corpus.Digest)
	}
}

func TestReadCorpusProblems(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		files map[string]string
		path  string // below the folder; "" is the folder
		code  string
		say   string // part of the message
	}{
		{"nothing there", nil, "missing", "corpus_missing", "missing"},
		{"empty folder", nil, "", "corpus_empty", "no document"},
		{"only other kinds", map[string]string{"a.png": "x"}, "", "corpus_empty", "1 files of other kinds"},
		{"one file of another kind", map[string]string{"a.png": "x"}, "a.png", "corpus_file_kind", "a.png"},
		{"blank text", map[string]string{"a.txt": " \n\t"}, "", "corpus_empty_document", "a.txt"},
		{"page without text", map[string]string{"a.html": "<script>var x</script>"}, "", "corpus_empty_document", "a.html"},
		{"binary", map[string]string{"a.txt": "a\x00b"}, "", "text_binary", "a.txt: this is binary data"},
		{"pdf named txt", map[string]string{"a.txt": "%PDF-1.7 x"}, "", "text_binary", "a PDF file"},
		{"no encoding fits", map[string]string{"a.txt": "ok\nodpowied\x9f prawid\xb3owa"}, "", "text_encoding_unknown", "line 2"},
		{"no id", map[string]string{"a.jsonl": "{\"text\":\"a\"}"}, "a.jsonl", "corpus_field_missing",
			"a.jsonl line 1: the document has no id"},
		{"null id", map[string]string{"a.jsonl": "\n{\"id\":null,\"text\":\"a\"}"}, "", "corpus_field_missing", "line 2"},
		{"no text", map[string]string{"a.jsonl": "{\"id\":\"1\",\"txt\":\"a\"}"}, "", "corpus_field_missing", "has no text"},
		{"text is a list", map[string]string{"a.jsonl": "{\"id\":\"1\",\"text\":[\"a\"]}"}, "", "corpus_text_type", "not a string"},
		{"empty text", map[string]string{"a.jsonl": "{\"id\":\"1\",\"text\":\"\"}"}, "", "corpus_empty_document", "line 1"},
		{"same id in a file", map[string]string{"a.jsonl": "{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":\"1\",\"text\":\"b\"}"}, "",
			"corpus_duplicate_id", "a.jsonl line 2: the document id \"1\" was already used at a.jsonl line 1"},
		{"same id in two files", map[string]string{"a.txt": "a", "b.jsonl": "{\"id\":\"a.txt\",\"text\":\"b\"}"}, "", "corpus_duplicate_id",
			"already used at a.txt"},
		{"broken line", map[string]string{"a.jsonl": "{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":"}, "", "corpus_line_json", "a.jsonl line 2"},
		{"list line", map[string]string{"a.jsonl": "[1]"}, "", "corpus_line_json", "line 1"},
		{"two objects on a line", map[string]string{"a.jsonl": "{\"id\":1,\"text\":\"a\"} {\"id\":2,\"text\":\"a\"}"}, "",
			"corpus_line_json", "more text follows"},
		{"jsonl without lines", map[string]string{"a.jsonl": "\n"}, "", "corpus_empty_document", "no line"},
		{"escaped NUL", map[string]string{"a.jsonl": `{"id":"1","text":"a\u0000b"}`}, "", "corpus_nul", "line 1"},
		{"NUL in a field", map[string]string{"a.jsonl": `{"id":"1","text":"a","note":"b\u0000"}`}, "", "corpus_nul", "line 1"},
		{"NUL in the source", map[string]string{"a.jsonl": `{"id":"1","text":"a","url":"b\u0000"}`}, "", "corpus_nul", "line 1"},
		{"control character in a name", map[string]string{"a\x1b[2J.txt": "x"}, "", "corpus_file_name", `a\x1b[2J.txt`},
		{"name that is not UTF-8", map[string]string{"\x83\x65.txt": "x"}, "", "corpus_file_name", `\x83e.txt`},
		{"deep HTML", map[string]string{"a.html": strings.Repeat("<div>", 600) + "x"}, "", "corpus_html", "a.html"},
		{"deep quotes", map[string]string{"a.md": strings.Repeat(">", 1000) + "x"}, "", "corpus_markdown", "quotes"},
		{"formatting never closed", map[string]string{"a.html": "<p>" + unclosed(400) + "</p>" + strings.Repeat("<p>x</p>", 20000)}, "",
			"corpus_html", "a.html"},
		{"wide table of short rows", map[string]string{"a.md": strings.Repeat("|a", 2000) + "\n" + strings.Repeat("|-", 2000) + "\n" +
			strings.Repeat("a\n", 1000)}, "", "corpus_markdown", "tables"},
		{"many brackets", map[string]string{"a.md": strings.Repeat("![](", 6000)}, "", "corpus_markdown", "brackets"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := ReadCorpus(filepath.Join(folder(t, c.files), c.path), "c")
			if got := problem.CodeOf(err); got != c.code {
				t.Fatalf("code = %q (%v), want %q", got, err, c.code)
			}
			p := problem.From(err)
			if !strings.Contains(p.Message, c.say) {
				t.Errorf("message %q does not say %q", p.Message, c.say)
			}
			if p.Hint == "" {
				t.Error("no hint")
			}
			evaltest.InJapanese(t, err)
		})
	}
}

// unclosed opens n formatting elements that all differ.
func unclosed(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<b id=%d>", i)
	}
	return b.String()
}

func TestCorpusLimits(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"a.txt": "12345678", "b.txt": "12345678"})
	cases := []struct {
		name              string
		maxFile, maxTotal int64
		code              string
	}{
		{"within both", 8, 16, ""},
		{"one file too large", 7, 100, "file_too_large"},
		{"together too large", 8, 15, "corpus_too_large"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := corpusReader{maxFile: c.maxFile, maxTotal: c.maxTotal, seen: map[string]string{}}
			if got := problem.CodeOf(r.read(root)); got != c.code {
				t.Errorf("code = %q, want %q", got, c.code)
			}
		})
	}
}

// Offsets of evidence count in the text as it was given, so that text must come through untouched.
func TestReadCorpusKeepsJSONLText(t *testing.T) {
	t.Parallel()
	given := "  leading,\r\n\ttabs\u00a0and trailing  \n\n"
	line, err := json.Marshal(map[string]string{"id": "1", "text": given})
	if err != nil {
		t.Fatal(err)
	}
	corpus, notes, err := ReadCorpus(filepath.Join(folder(t, map[string]string{"a.jsonl": string(line)}), "a.jsonl"), "c")
	if err != nil {
		t.Fatal(err)
	}
	if got := corpus.Documents[0].Text; got != given {
		t.Errorf("text = %q, want %q", got, given)
	}
	if len(notes) != 0 {
		t.Errorf("notes = %q, want none", notes)
	}
}

func TestReadCorpusNormalises(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"a.jsonl": `{"id":"1","text":"か\u3099き"}`, "b.txt": "cafe\u0301"})
	corpus, notes, err := ReadCorpus(root, "c")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := corpus.Documents[0].Text, corpus.Documents[1].Text; a != "がき" || b != "café" {
		t.Errorf("texts = %q, %q", a, b)
	}
	if len(notes) != 1 || !strings.Contains(notes[0].EN, "a.jsonl line 1") || !strings.Contains(notes[0].EN, "NFC") {
		t.Errorf("notes = %q, want one about NFC", notes)
	}
}

func TestSkippedFilesAreCounted(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.txt": "a"}
	for i := range 25 {
		files[fmt.Sprintf("%02d.png", i)] = "x"
	}
	_, notes, err := ReadCorpus(folder(t, files), "c")
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0].EN, "19.png and 5 more") {
		t.Errorf("notes = %q", notes)
	}
}

func TestTwinsAreNoted(t *testing.T) {
	t.Parallel()
	_, notes, err := ReadCorpus(folder(t, map[string]string{"a.txt": "same", "b.txt": "other", "c.txt": "same", "d.txt": "same"}), "c")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the same text stands in another document already: c.txt = a.txt, d.txt = a.txt"}
	if diff := cmp.Diff(want, text.InEnglish(notes)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestLockFilesArePassedOver(t *testing.T) {
	t.Parallel()
	corpus, notes, err := ReadCorpus(folder(t, map[string]string{"a.txt": "a", "~$a.docx": "owner", ".~lock.a.docx#": "owner"}), "c")
	if err != nil || len(corpus.Documents) != 1 || len(notes) != 0 {
		t.Errorf("%v, notes %q", err, notes)
	}
}

func TestJoinCorpus(t *testing.T) {
	t.Parallel()
	c := rag.NewCorpus("c", []rag.Document{
		{ID: "a", Text: "日本の首都", Lang: "ja"}, {ID: "b", Text: "Tokyo 𠮷野家", Lang: "en"}, {ID: "c", Text: "東京都庁です", Lang: "ja"},
	})
	joined := rag.JoinCorpus(c, "one")
	if got, want := joined.Documents[0].Text, "日本の首都\n\nTokyo 𠮷野家\n\n東京都庁です"; got != want {
		t.Errorf("text = %q, want %q", got, want)
	}
	if d := joined.Documents[0]; d.ID != rag.JoinedID || d.Lang != "ja" || len(joined.Documents) != 1 {
		t.Errorf("joined document is %q in %q, %d documents", d.ID, d.Lang, len(joined.Documents))
	}
	for _, s := range []rag.Span{{DocID: "a", Start: 0, End: 2}, {DocID: "b", Start: 6, End: 9}, {DocID: "c", Start: 0, End: 6}} {
		if got, want := joined.Text(joined.Locate(s)), c.Text(s); got != want || want == "" {
			t.Errorf("%v moved to %v: %q, want %q", s, joined.Locate(s), got, want)
		}
	}
	if s := (rag.Span{DocID: "unknown", Start: 1, End: 2}); joined.Locate(s) != s {
		t.Errorf("unknown document: %v became %v", s, joined.Locate(s))
	}
}

// sharedData returns the folder of the real data sets, which are not part of the project.
func sharedData(t *testing.T) string {
	t.Helper()
	shared := os.Getenv("WORKBENCH_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	data := filepath.Join(shared, "data")
	if _, err := os.Stat(data); err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_SHARED") == "1" {
			t.Fatalf("the real data sets are required: %v", err)
		}
		t.Skipf("the real data sets are not here: %v", err)
	}
	return data
}

func TestReadRealCorpora(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(sharedData(t), "*", "corpus*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpora found: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			corpus, notes, err := ReadCorpus(file, "c")
			if err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
			if len(lines) != len(corpus.Documents) {
				t.Fatalf("%d documents, want %d", len(corpus.Documents), len(lines))
			}
			for i, line := range lines {
				var want struct {
					ID   string `json:"doc_id"`
					Text string `json:"text"`
					Lang string `json:"lang"`
				}
				if err := json.Unmarshal([]byte(line), &want); err != nil {
					t.Fatal(err)
				}
				got := corpus.Documents[i]
				if got.ID != want.ID || got.Text != want.Text || got.Lang != want.Lang {
					t.Fatalf("document %d: %s (%s) differs from line", i, got.ID, got.Lang)
				}
				if guess := text.Language(want.Text); guess != want.Lang {
					t.Errorf("%s: language of the text is %s, the file says %s", want.ID, guess, want.Lang)
				}
			}
			texts := map[string]bool{}
			for _, d := range corpus.Documents {
				texts[d.Text] = true
			}
			if repeats := len(texts) < len(lines); len(notes) > 1 || repeats != (len(notes) == 1) || repeats &&
				!strings.HasPrefix(notes[0].EN, "the same text") {
				t.Errorf("%d different texts in %d documents, notes: %q", len(texts), len(lines), notes)
			}
			joined := rag.JoinCorpus(corpus, "j")
			for _, d := range corpus.Documents {
				whole := rag.Span{DocID: d.ID, Start: 0, End: corpus.Index(d.ID).Len()}
				if joined.Text(joined.Locate(whole)) != d.Text {
					t.Fatalf("%s is not where the joined text should have it", d.ID)
				}
			}
		})
	}
}

// TestTablesAsText: people who bring a table as text are told what to do with it.
func TestTablesAsText(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "faq.CSV")
	if err := os.WriteFile(path, []byte("x,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := ReadCorpus(path, "c")
	p := problem.From(err)
	if p.Code != "corpus_file_kind" || !strings.Contains(p.Hint, ".xlsx") || !strings.Contains(p.Hint, "dataset import faq.CSV") ||
		!strings.Contains(p.In("ja").Hint, "表を .xlsx で保存") {
		t.Errorf("%v: %s", err, p.Hint)
	}
}
