package rag

import (
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

	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/text"
)

func chunksOf(all []search.Ranked) []int {
	out := make([]int, len(all))
	for i, r := range all {
		out[i] = r.Chunk
	}
	return out
}

// roots searches as files that say nothing about retrieve.bm25 have it.
type roots struct{ *search.Postings }

func lexical(t *testing.T, texts []string) roots {
	t.Helper()
	index, err := search.NewPostings(search.AnalyzerAuto, len(texts), func(i int) string { return texts[i] })
	if err != nil {
		t.Fatal(err)
	}
	return roots{index}
}

func (r roots) search(ctx context.Context, query string, n int) ([]search.Ranked, error) {
	return r.Find(ctx, query, search.BM25{}, nil, n)
}

// bleveRanks is what bleve itself finds, the best first: runs of before there were postings have these ranks and scores.
func bleveRanks(t *testing.T, texts []string, queries []string) [][]search.Ranked {
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
	out := make([][]search.Ranked, len(queries))
	for i, q := range queries {
		match := bleve.NewMatchQuery(text.Fold(q))
		match.SetField("text")
		match.Analyzer = cjk.AnalyzerName
		res, err := index.Search(bleve.NewSearchRequestOptions(match, len(texts), 0, false))
		if err != nil {
			t.Fatal(err)
		}
		all := make([]search.Ranked, len(res.Hits))
		for k, hit := range res.Hits {
			chunk, err := strconv.Atoi(hit.ID)
			if err != nil {
				t.Fatal(err)
			}
			all[k] = search.Ranked{Chunk: chunk, Score: float64(float32(hit.Score))}
		}
		out[i] = search.Top(all, len(all))
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
		if len(found) == 0 || found[0].Chunk != want {
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
		if a, b := longest[i-1], longest[i]; a.Score < b.Score || a.Score == b.Score && a.Chunk >= b.Chunk {
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
	var first []search.Ranked
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
	dense := []search.Ranked{{Chunk: 4, Score: 0.9}, {Chunk: 2, Score: 0.8}, {Chunk: 7, Score: 0.7}}
	lexical := []search.Ranked{{Chunk: 2, Score: 12}, {Chunk: 5, Score: 9}, {Chunk: 4, Score: 1}}
	got := search.Fuse(10, search.RRFConstant, nil, dense, lexical)
	place := func(n float64) float64 { return 1 / (60 + n) }
	want := []search.Ranked{
		{Chunk: 2, Score: place(2) + place(1)}, {Chunk: 4, Score: place(1) + place(3)}, {Chunk: 5, Score: place(2)},
		{Chunk: 7, Score: place(3)},
	}
	if !slices.Equal(want, got) {
		t.Errorf("fused to %v, want %v", got, want)
	}
	if got := search.Fuse(2, search.RRFConstant, nil, dense, lexical); !slices.Equal(want[:2], got) {
		t.Errorf("the best two are %v", got)
	}
	nine, three := []search.Ranked{{Chunk: 9}}, []search.Ranked{{Chunk: 3}}
	if got := search.Fuse(2, search.RRFConstant, nil, nine, three); got[0].Chunk != 3 || got[0].Score != got[1].Score {
		t.Errorf("equals are not in chunk order: %v", got)
	}
	if got := search.Fuse(3, search.RRFConstant, nil, nil, nil); len(got) != 0 {
		t.Errorf("nothing fused to %v", got)
	}
}
