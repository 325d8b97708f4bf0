package experiments

import "testing"

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
}
