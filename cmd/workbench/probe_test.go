package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
)

// save writes a file into the folder.
func (b *bench) save(name, content string) {
	b.t.Helper()
	if err := os.WriteFile(b.path(name), []byte(content), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// corpusOf imports documents, one JSON object a line, under the name given.
func (b *bench) corpusOf(name string, lines ...string) {
	b.t.Helper()
	b.save(name+".jsonl", strings.Join(lines, "\n")+"\n")
	b.must("corpus", "import", "{}/"+name+".jsonl", "--name", name)
}

func jsonOf[T any](t *testing.T, o outcome) (out T) {
	t.Helper()
	if err := json.Unmarshal([]byte(o.stdout), &out); err != nil {
		t.Fatalf("%v\n%s", err, o.stdout)
	}
	return out
}

func TestCorpusChunks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.corpusOf("rules", `{"doc_id":"a","text":"経費は月末に締めます。領収書が要ります。"}`, `{"doc_id":"b","text":"Short."}`)
	pieces := jsonOf[[]app.Piece](t, b.must("corpus", "chunks", "rules", "--chunk", "{by: chars, size: 11}", "--json"))
	want := []app.Piece{{Document: "a", End: 11, Text: "経費は月末に締めます。"}, {Document: "a", Start: 11, End: 20, Text: "領収書が要ります。"},
		{Document: "b", End: 6, Text: "Short."}}
	if diff := cmp.Diff(want, pieces); diff != "" {
		t.Errorf("chunks (-want +got):\n%s", diff)
	}
	if o := b.must("corpus", "chunks", "rules", "--chunk", "{by: chars, size: 11}"); !strings.Contains(o.stdout, "3 chunks") {
		t.Errorf("said\n%s", o.stdout)
	}
	if o := b.must("--lang", "ja", "corpus", "chunks", "rules"); !strings.Contains(o.stdout, "チャンク2件") {
		t.Errorf("said in Japanese\n%s", o.stdout)
	}
	for _, c := range []struct{ chunk, want string }{
		{"{by: words}", "chunk.by"}, {"{size: 3, overlap: 3}", "less than chunk.size, which is 3"}, {"{sise: 3}", "did you mean size"},
		{"{by: [", "chunk"},
	} {
		if o := b.run("corpus", "chunks", "rules", "--chunk", c.chunk); o.code != program.ExitUsage || !strings.Contains(o.stderr, c.want) {
			t.Errorf("--chunk %s: exit %d\n%s", c.chunk, o.code, o.stderr)
		}
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.corpusOf("rules", `{"doc_id":"a","text":"経費は月末に締めます。"}`, `{"doc_id":"b","text":"領収書は七年間保存します。"}`,
		`{"doc_id":"c","text":"The warranty covers two years."}`)
	for _, mode := range []string{"bm25", "dense", "hybrid"} {
		hits := jsonOf[[]app.Found](t, b.must("search", "rules", "領収書の保存", "--retrieve", "{mode: "+mode+", k: 2}", "--json"))
		if len(hits) == 0 || len(hits) > 2 || hits[0].Document != "b" || hits[0].Score <= 0 || hits[0].Text != "領収書は七年間保存します。" {
			t.Errorf("%s found %+v", mode, hits)
		}
	}
	if o := b.must("--lang", "ja", "search", "rules", "warranty", "--retrieve", "{mode: bm25, k: 1}"); !strings.Contains(o.stdout, "スコア") {
		t.Errorf("said in Japanese\n%s", o.stdout)
	}
	if o := b.must("search", "rules", "zzz", "--retrieve", "{mode: bm25, k: 1}"); !strings.Contains(o.stdout, "nothing found") {
		t.Errorf("said\n%s", o.stdout)
	}
}

// A search buys nothing: a model with a price is refused, and nobody calls it.
func TestASearchBuysNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.corpusOf("rules", `{"doc_id":"a","text":"Receipts."}`)
	b.save("workbench.yaml", "providers:\n  paid: {kind: openai, base_url: \"http://127.0.0.1:1/v1\", api_key_env: NO_KEY}\n")
	b.env["NO_KEY"] = "x"
	o := b.run("--config", "{}/workbench.yaml", "search", "rules", "receipts", "--embedding", "{provider: paid, model: m}")
	if o.code != program.ExitUsage || !strings.Contains(o.stderr, "a search is free, and the models of provider paid cost money") {
		t.Errorf("exit %d\n%s", o.code, o.stderr)
	}
}
