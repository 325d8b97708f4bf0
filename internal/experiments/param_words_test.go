package experiments

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestSetsTextSaysEachParameter: what a sweep set is said as each parameter is by itself, in both languages.
func TestSetsTextSaysEachParameter(t *testing.T) {
	t.Parallel()
	params := []Param{{"chunk.size", 800}, {"retrieve.mode", "bm25"}, {"embedding", map[string]any{"provider": "p", "model": "m"}}}
	got := SetsText(params)
	want := Rationale{"chunk size: 800, search: by keyword (BM25), embedding model: p/m",
		"チャンクサイズ：800、検索方法：キーワードで検索（BM25）、埋め込みモデル：p/m"}
	if got != want || SetsText(nil) != (Rationale{}) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, unit := range rag.ChunkUnits()[:4] { // recursive counts characters
		got, want := SetsTextIn(params[:2], rag.Chunking{By: unit.Code}), "chunk size: 800 "+unit.EN+", search: by keyword (BM25)"
		if got.EN != want || got.JA != "チャンクサイズ：800"+unit.JA+"、検索方法：キーワードで検索（BM25）" {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

// TestASizeOfChunksSaysWhatItCounts: 1000 may be characters or tokens. Every unit of the one list is said, once where it stayed.
func TestASizeOfChunksSaysWhatItCounts(t *testing.T) {
	t.Parallel()
	for _, unit := range rag.ChunkUnits() {
		was := rag.Config{Chunk: rag.Chunking{By: unit.Code, Size: 1000, Overlap: 100}, Retrieve: rag.Retrieve{Mode: "bm25", K: 3}}
		is := was
		is.Chunk.Size, is.Chunk.Overlap = 1_000_000, 1
		en, ja := unit.EN, unit.JA
		if unit.Code == rag.ByRecursive {
			en, ja = "characters", "文字"
		}
		want := []Rationale{
			{"chunk size 1000 → 1000000 " + en, "チャンクサイズ 1000 → 1000000" + ja},
			{"overlap of chunks 100 → 1 " + en[:len(en)-1], "チャンクの重なり 100 → 1" + ja},
		}
		var got []Rationale
		for _, c := range ChangedParams(was, is) {
			got = append(got, c.Text())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", unit.Code, diff)
		}
	}
	was := rag.Config{Chunk: rag.Chunking{By: "chars", Size: 1000}}
	is := rag.Config{Chunk: rag.Chunking{By: rag.ByRecursive, Count: rag.CountTokens, Size: 400}}
	for _, c := range ChangedParams(was, is) {
		if want := "chunk size 1000 characters → 400 tokens"; c.Param == "chunk.size" && c.Text().EN != want {
			t.Errorf("%q, want %q", c.Text().EN, want)
		}
	}
}
