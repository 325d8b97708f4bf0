package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/search"
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
		{"{by: words}", "chunk.by"}, {"{size: 3, overlap: 3}", "less than chunk.size, which is 3"}, {"{sise: 3}", `did you mean "size"`},
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

// A search finds what an experiment with the same settings retrieves, whatever they leave unsaid: places, order and scores.
func TestASearchFindsWhatARunRetrieves(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf(`{"doc_id":"d%d","text":"%s粗大ごみの手数料は%d円です。指定袋は%d枚入りで、袋の料金は%d円です。%s"}`, i,
			strings.Repeat("ごみは朝に出します。", i%4), 100*i, i, 50*i, strings.Repeat("The fee for a bag is due at once. ", i%3)))
	}
	b.corpusOf("rules", lines...)
	b.save("qs.csv", "question,reference\n粗大ごみの手数料はいくらですか,300円\n")
	b.must("dataset", "import", "{}/qs.csv", "--name", "rules")
	const question = "粗大ごみの手数料 fee for a bag"
	rng := rand.New(rand.NewPCG(47, 1))
	one := func(choices ...string) string { return choices[rng.IntN(len(choices))] }
	said := map[string]bool{}
	for i := range 24 {
		retrieve := one("", "{k: 2}", "{mode: bm25, k: 4}", "{mode: bm25}", "{mode: hybrid, k: 5}",
			"{mode: bm25, k: 4, bm25: {k1: 1.2, b: 0.75}}", "{mode: bm25, bm25: {b: 0.3}}", "{mode: bm25, k: 6, per_document: 1}",
			"{mode: hybrid, fusion: convex, alpha: 0.3}")
		chunk := one("", "{by: chars, size: 30, overlap: 9}", "{size: 40}", "{by: recursive, size: 40, overlap: 0}",
			"{by: sentences, size: 2}")
		embedding := one("", "{provider: offline, model: ngram}", "{provider: offline, model: hash}")
		args, base := []string{"search", "rules", question, "--json"}, ""
		for _, part := range [][2]string{{"retrieve", retrieve}, {"chunk", chunk}, {"embedding", embedding}} {
			if part[1] != "" {
				args, base = append(args, "--"+part[0], part[1]), base+"  "+part[0]+": "+part[1]+"\n"
			}
		}
		if said[base] {
			continue
		}
		said[base] = true
		file := fmt.Sprintf("e%d.yaml", i)
		b.save(file, fmt.Sprintf("name: e%d\ncorpus: rules\ndataset: rules\nsuite: retrieval\nbase:\n  rewrite: none\n%s", i, base))
		hits := jsonOf[[]app.Found](t, b.must(args...))
		asked := jsonOf[app.Asked](t, b.must("ask", question, "-e", "{}/"+file, "--json"))
		run := make([]string, len(asked.Answer.Retrieval.Hits))
		for k, h := range asked.Answer.Retrieval.Hits {
			run[k] = fmt.Sprint(h.Span, h.Score)
		}
		found := make([]string, len(hits))
		for k, h := range hits {
			found[k] = fmt.Sprint(rag.Span{DocID: h.Document, Start: h.Start, End: h.End}, h.Score)
		}
		if diff := cmp.Diff(run, found); diff != "" || len(run) == 0 {
			t.Errorf("%s(-run +search):\n%s", base, diff)
		}
	}
}

// The help of search says what is taken for what nobody says.
func TestSearchSaysWhatIsUnsaid(t *testing.T) {
	t.Parallel()
	b, c, words := newBench(t), rag.DefaultConfig(), search.DefaultBM25()
	for _, lang := range []string{"en", "ja"} {
		help := strings.Join(strings.Fields(b.must("--lang", lang, "search", "--help").stdout), " ")
		for _, want := range []string{
			fmt.Sprintf("chunk {by: %s, size: %d}", c.Chunk.By, c.Chunk.Size),
			fmt.Sprintf("embedding {provider: %s, model: %s}", c.Embedding.Provider, c.Embedding.Name),
			fmt.Sprintf("retrieve {mode: %s, k: %d}", c.Retrieve.Mode, c.Retrieve.K),
			fmt.Sprintf("bm25: {k1: %v, b: %v}", words.K1, words.B),
		} {
			if !strings.Contains(help, want) {
				t.Errorf("%s help lacks %q:\n%s", lang, want, help)
			}
		}
	}
}
