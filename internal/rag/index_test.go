package rag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/text"
)

func chunksOf(all []ranked) []int {
	out := make([]int, len(all))
	for i, r := range all {
		out[i] = r.chunk
	}
	return out
}

func TestDenseSearchIsExact(t *testing.T) {
	t.Parallel()
	for _, dim := range []int{1, 2, 3, 7, 16, 130} {
		vectors := unitVectors(uint64(dim), 400, dim)
		index, err := newDenseIndex(vectors)
		if err != nil {
			t.Fatal(err)
		}
		for _, query := range unitVectors(99, 5, dim) {
			type scored struct {
				chunk int
				dot   float64
			}
			want := make([]scored, len(vectors))
			for i, v := range vectors {
				want[i].chunk = i
				for j := range v {
					want[i].dot += float64(v[j]) * float64(query[j])
				}
			}
			slices.SortFunc(want, func(a, b scored) int { return cmp.Compare(b.dot, a.dot) })
			for _, n := range []int{1, 3, 60, 400, 500} {
				got, err := index.search(t.Context(), query, nil, n)
				if err != nil || len(got) != min(n, len(vectors)) {
					t.Fatalf("%d dimensions: %d of %d found, %v", dim, len(got), n, err)
				}
				for i, g := range got { // float32 sums may exchange two that are closer than its precision
					if d := g.score - want[i].dot; d > 1e-5 || d < -1e-5 {
						t.Fatalf("%d dimensions: place %d has %v, brute force %v", dim, i, g, want[i])
					}
				}
			}
		}
	}
}

func TestDenseSearchFaults(t *testing.T) {
	t.Parallel()
	if _, err := newDenseIndex([][]float32{{1, 0}, {1}}); err == nil {
		t.Error("vectors of two lengths were accepted")
	}
	index, err := newDenseIndex([][]float32{{1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := index.search(t.Context(), []float32{1}, nil, 1); err == nil {
		t.Error("a query of another length was accepted")
	}
	empty, err := newDenseIndex(nil)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := empty.search(t.Context(), []float32{1}, nil, 3); err != nil || len(found) != 0 {
		t.Errorf("an empty index found %v, %v", found, err)
	}
}

func TestTopKeepsTheOrderOfEquals(t *testing.T) {
	t.Parallel()
	for _, total := range []int{0, 1, 7, 100, 5000} {
		all := make([]ranked, total)
		for i := range all {
			all[i] = ranked{chunk: i, score: float64(i * 7919 % 13)}
		}
		want := slices.Clone(all)
		slices.SortStableFunc(want, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
		for _, n := range []int{0, 1, 5, 50, total} {
			got := top(slices.Clone(all), n)
			if diff := gocmp.Diff(chunksOf(want[:min(n, total)]), chunksOf(got)); diff != "" {
				t.Fatalf("%d of %d (-want +got):\n%s", n, total, diff)
			}
		}
	}
}

// roots searches as files that say nothing about retrieve.bm25 have it.
type roots struct{ *postings }

func lexical(t *testing.T, texts []string) roots {
	t.Helper()
	index, err := newPostings(AnalyzerAuto, len(texts), func(i int) string { return texts[i] })
	if err != nil {
		t.Fatal(err)
	}
	return roots{index}
}

func (r roots) search(ctx context.Context, query string, n int) ([]ranked, error) {
	return r.find(ctx, query, BM25{}, nil, n)
}

// bleveRanks is what bleve itself finds, the best first: runs of before there were postings have these ranks and scores.
func bleveRanks(t *testing.T, texts []string, queries []string) [][]ranked {
	t.Helper()
	m, field, doc := bleve.NewIndexMapping(), mapping.NewTextFieldMapping(), mapping.NewDocumentStaticMapping()
	m.ScoringModel, field.Analyzer = "bm25", cjk.AnalyzerName
	doc.AddFieldMappingsAt("text", field)
	m.DefaultMapping = doc
	index, err := bleve.NewUsing("", m, scorch.Name, scorch.Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = index.Close() }()
	batch := index.NewBatch()
	for i, s := range texts {
		err = errors.Join(err, batch.Index(strconv.Itoa(i), map[string]any{"text": text.Fold(s)}))
	}
	if err := errors.Join(err, index.Batch(batch)); err != nil {
		t.Fatal(err)
	}
	out := make([][]ranked, len(queries))
	for i, q := range queries {
		match := bleve.NewMatchQuery(text.Fold(q))
		match.SetField("text")
		match.Analyzer = cjk.AnalyzerName
		res, err := index.Search(bleve.NewSearchRequestOptions(match, len(texts), 0, false))
		if err != nil {
			t.Fatal(err)
		}
		all := make([]ranked, len(res.Hits))
		for k, hit := range res.Hits {
			chunk, err := strconv.Atoi(hit.ID)
			if err != nil {
				t.Fatal(err)
			}
			all[k] = ranked{chunk: chunk, score: float64(float32(hit.Score))}
		}
		out[i] = top(all, len(all))
	}
	return out
}

// TestLexicalSearchIsBleves compares every rank and score with those of the engine that computed them before.
func TestLexicalSearchIsBleves(t *testing.T) {
	t.Parallel()
	twin, query := twins()
	var world []string
	for _, d := range manual() {
		world = append(world, d.Text)
	}
	queries := []string{query, "warranty", "医療費はいくらから", "close account ログイン close account", "zzz warranty", "",
		"what is the fee of the express delivery and how long does it take until vouchers arrive in the mail"}
	for name, texts := range map[string][]string{"manual": world, "twins": twin, "with an empty text": append(world, "", "。")} {
		want, index := bleveRanks(t, texts, queries), lexical(t, texts)
		for i, q := range queries {
			got, err := index.search(t.Context(), q, len(texts))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(want[i], got) {
				t.Errorf("%s: %q finds\n%v, bleve\n%v", name, q, got, want[i])
			}
		}
	}
}

func TestLexicalSearchFinds(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, d := range manual() {
		texts = append(texts, d.Text)
	}
	texts = append(texts, "令和６年の基礎控除は４８万円です。", "ｶﾞｽ爆発と損害賠償金", "か\u3099くせいの国民年金", "𠮷野家の牛丼")
	index := lexical(t, texts)
	for query, want := range map[string]int{
		"医療費はいくらから":          0,
		"残高証明書":              1,
		"warranty":           6,
		"Express DELIVERY":   7,
		"vouchers":           9,
		"6年":                 10, // full-width digits are digits
		"基礎控除 ４８":            10,
		"ガス爆発":               11, // half-width kana are kana
		"がくせい":               12, // a combining sound mark is part of its character
		"𠮷野":                 13,
		"ＷＡＲＲＡＮＴＹ":           6,
		"close account ログイン": 8,
	} {
		found, err := index.search(t.Context(), query, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 || found[0].chunk != want {
			t.Errorf("%q found %v, want chunk %d first", query, found, want)
		}
	}
	for _, query := range []string{"", "。、!?", "zzz", "🦄"} {
		if found, err := index.search(t.Context(), query, 3); err != nil || len(found) != 0 {
			t.Errorf("%q found %v, %v", query, found, err)
		}
	}
}

// Twins stand in every place of the ranking, more of them than are read beyond the border, and the query is long enough for
// bleve to add up the terms in varying order.
func twins() (texts []string, query string) {
	for i := range 240 {
		texts = append(texts, strings.Repeat("医療費控除の対象となる金額。", 1+i%3)+"確定申告の期限は三月十五日です。the quick brown fox jumps over lazy dogs")
	}
	for i := range 60 {
		texts = append(texts, fmt.Sprintf("医療費の領収書は%d年間保存します。確定申告では番号%dを書きます。", i%7, i%5))
	}
	return texts, "医療費控除の対象と確定申告の期限は何日ですか quick fox over lazy dogs 領収書の保存と番号3"
}

func TestLexicalTiesAreInOrder(t *testing.T) {
	t.Parallel()
	texts, query := twins()
	index := lexical(t, texts)
	longest, err := index.search(t.Context(), query, len(texts))
	if err != nil || len(longest) != len(texts) {
		t.Fatalf("%d found, %v", len(longest), err)
	}
	for i := 1; i < len(longest); i++ {
		if byScore(longest[i-1], longest[i]) >= 0 {
			t.Fatalf("place %d: %v before %v", i, longest[i-1], longest[i])
		}
	}
	for n := 1; n < len(texts); n += 7 {
		short, err := index.search(t.Context(), query, n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(chunksOf(longest[:n]), chunksOf(short)); diff != "" {
			t.Fatalf("the best %d are not the first %d of all (-want +got):\n%s", n, n, diff)
		}
	}
}

func TestLexicalIndexIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	texts, query := twins()
	var first []ranked
	for i := range 6 {
		found, err := lexical(t, texts).search(t.Context(), query, 100)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = found
		}
		if !slices.Equal(first, found) {
			t.Fatalf("build %d ranks or scores differently", i)
		}
	}
}

func TestFuse(t *testing.T) {
	t.Parallel()
	dense := []ranked{{chunk: 4, score: 0.9}, {chunk: 2, score: 0.8}, {chunk: 7, score: 0.7}}
	lexical := []ranked{{chunk: 2, score: 12}, {chunk: 5, score: 9}, {chunk: 4, score: 1}}
	got := fuse(10, rrfConstant, nil, dense, lexical)
	place := func(n float64) float64 { return 1 / (60 + n) }
	want := []ranked{
		{chunk: 2, score: place(2) + place(1)}, {chunk: 4, score: place(1) + place(3)}, {chunk: 5, score: place(2)},
		{chunk: 7, score: place(3)},
	}
	if !slices.Equal(want, got) {
		t.Errorf("fused to %v, want %v", got, want)
	}
	if got := fuse(2, rrfConstant, nil, dense, lexical); !slices.Equal(want[:2], got) {
		t.Errorf("the best two are %v", got)
	}
	if got := fuse(2, rrfConstant, nil, []ranked{{chunk: 9}}, []ranked{{chunk: 3}}); got[0].chunk != 3 || got[0].score != got[1].score {
		t.Errorf("equals are not in chunk order: %v", got)
	}
	if got := fuse(3, rrfConstant, nil, nil, nil); len(got) != 0 {
		t.Errorf("nothing fused to %v", got)
	}
}
