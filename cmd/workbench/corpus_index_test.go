package main

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/mappings/mappingstest"
)

// said is what a command says and how it ends.
func said(t *testing.T, b *bench, name string, code int, args ...string) {
	t.Helper()
	o := b.run(args...)
	if o.code != code {
		t.Errorf("%s: exit %d, want %d", name, o.code, code)
	}
	golden(t, name+".txt", o.stdout+"-- stderr --\n"+o.stderr)
}

// TestCorpusAdd registers an index, searches it beside our own, and is told what does not fit.
func TestCorpusAdd(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	var faq rag.Corpus
	decode(t, b.must("corpus", "show", "faq", "--json"), &faq)
	corpus := rag.NewCorpus("faq", faq.Documents)
	server := mappingstest.Serve(t, mappingstest.Rows(t, corpus, rag.Chunking{By: "chars", Size: 80}))
	b.env["CHROMA_TOKEN"] = mappingstest.Token
	write(t, b.path("kb.yaml"), server.File(rag.OffsetsFields))
	write(t, b.path("wrong.yaml"), strings.Replace(server.File(rag.OffsetsFields), "from", "to", 1))
	write(t, b.path("typo.yaml"), strings.Replace(server.File(rag.OffsetsFields), "table:", "tabel:", 1))
	write(t, b.path("sweep.yaml"), "name: sweep\ncorpus: kb\ndataset: faq\nsweep: {chunk.size: [40, 80]}\n")
	for _, step := range []struct {
		name string
		code int
		args []string
	}{
		{"corpus-add", program.ExitDone, []string{"corpus", "add", "kb", "--index", "{}/kb.yaml", "--documents", "faq"}},
		{"corpus-add-show", program.ExitDone, []string{"corpus", "show", "kb"}},
		{"corpus-add-wrong", program.ExitUsage, []string{"corpus", "add", "kb2", "--index", "{}/wrong.yaml", "--documents", "faq"}},
		{"corpus-add-typo", program.ExitUsage, []string{"corpus", "add", "kb2", "--index", "{}/typo.yaml", "--documents", "faq"}},
		{"corpus-add-sweep", program.ExitUsage, []string{"sweep", "{}/sweep.yaml", "--plan"}},
		{"corpus-add-bm25", program.ExitUsage, []string{"search", "kb", "refund fee", "--retrieve", "{mode: bm25, k: 2}"}},
	} {
		said(t, b, step.name, step.code, step.args...)
	}
	const ngram = "{provider: offline, model: ngram}"
	ours := []string{"search", "faq", "refund fee", "--chunk", "{by: chars, size: 80}", "--retrieve", "{mode: dense, k: 3}",
		"--embedding", ngram, "--json"}
	theirs := []string{"search", "kb", "refund fee", "--retrieve", "{mode: dense, k: 3}", "--embedding", ngram, "--json"}
	var found [2][]map[string]any
	for i, args := range [][]string{ours, theirs} {
		decode(t, b.must(args...), &found[i])
	}
	if len(found[0]) != 3 || len(found[1]) != 3 {
		t.Fatalf("%d and %d hits", len(found[0]), len(found[1]))
	}
	for i := range found[0] {
		for _, field := range []string{"document", "start", "end", "text"} {
			if found[0][i][field] != found[1][i][field] {
				t.Errorf("hit %d: %s is %v, of our own index %v", i+1, field, found[1][i][field], found[0][i][field])
			}
		}
	}
	said(t, b, "corpus-detach", program.ExitDone, "corpus", "detach", "kb")
	said(t, b, "corpus-detach-again", program.ExitUsage, "corpus", "detach", "kb")
}
