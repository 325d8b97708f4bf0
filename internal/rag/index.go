package rag

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"

	"github.com/rag-workbench/workbench/internal/text"
)

// ranked is a chunk number with its score.
type ranked struct {
	chunk int
	score float64
}

// byScore sorts best first; equal scores in chunk order, so that results never depend on chance.
func byScore(a, b ranked) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Compare(a.chunk, b.chunk)
}

// top returns the best n, best first.
func top(all []ranked, n int) []ranked {
	s := newShortlist(n, len(all))
	for _, r := range all {
		s.add(r)
	}
	return s.best()
}

// shortlist keeps the best n of those that are added. Where n is a small part of all, only n are ever held: of a million chunks that
// are searched, the others would be garbage of 16 MB a question.
type shortlist struct {
	n    int
	few  bool     // list is sorted and at most n long; otherwise it is all that was added
	list []ranked // best first when few
}

func newShortlist(n, of int) *shortlist {
	n = min(n, of)
	return &shortlist{n: n, few: n <= of/8}
}

func (s *shortlist) add(r ranked) {
	if !s.few {
		s.list = append(s.list, r)
		return
	}
	if len(s.list) == s.n && (s.n == 0 || byScore(s.list[s.n-1], r) < 0) {
		return
	}
	i, _ := slices.BinarySearchFunc(s.list, r, byScore)
	s.list = slices.Insert(s.list, i, r)
	s.list = s.list[:min(s.n, len(s.list))]
}

func (s *shortlist) best() []ranked {
	if !s.few {
		slices.SortFunc(s.list, byScore)
	}
	return s.list[:min(s.n, len(s.list))]
}

// lexicalIndex finds chunks with bleve, over character pairs (Japanese) and words (English): the index of files that say nothing
// about retrieve.bm25. What bleve calls BM25 is not; [postings] is.
type lexicalIndex struct {
	index bleve.Index
}

// newLexicalIndex indexes the texts in memory. They go in as one batch, hence one segment, so that scores do not depend
// on how batches would have been merged. Texts and queries are folded first: the analyzer drops full-width digits and
// separates kana from a combining sound mark.
func newLexicalIndex(texts []string) (*lexicalIndex, error) {
	m := bleve.NewIndexMapping()
	m.ScoringModel = "bm25"
	field := mapping.NewTextFieldMapping()
	field.Analyzer = cjk.AnalyzerName
	field.Store, field.IncludeInAll, field.IncludeTermVectors, field.DocValues = false, false, false, false
	doc := mapping.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("text", field)
	m.DefaultMapping = doc
	index, err := bleve.NewUsing("", m, scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, fmt.Errorf("open lexical index: %w", err)
	}
	batch := index.NewBatch()
	for i, t := range texts {
		if err := batch.Index(strconv.Itoa(i), map[string]any{"text": text.Fold(t)}); err != nil {
			return nil, fmt.Errorf("index chunk %d: %w", i, err)
		}
	}
	if err := index.Batch(batch); err != nil {
		return nil, fmt.Errorf("build lexical index: %w", err)
	}
	return &lexicalIndex{index: index}, nil
}

// search returns the n best. bleve analyses chunks concurrently and adds up the terms of a chunk in an order that depends
// on which was ready first, so its scores vary in the last digits from build to build. Rounded to float32 they do not, and
// since bleve chooses among equals by chance, it is asked for more until no equal of the last one can be missing.
func (x *lexicalIndex) search(ctx context.Context, query string, n int) ([]ranked, error) {
	match := bleve.NewMatchQuery(text.Fold(query))
	match.SetField("text")
	match.Analyzer = cjk.AnalyzerName
	for size := n + ties; ; size *= 4 {
		res, err := x.index.SearchInContext(ctx, bleve.NewSearchRequestOptions(match, size, 0, false))
		if err != nil {
			return nil, fmt.Errorf("search lexical index: %w", err)
		}
		all := make([]ranked, len(res.Hits))
		for i, hit := range res.Hits {
			chunk, err := strconv.Atoi(hit.ID)
			if err != nil {
				return nil, fmt.Errorf("lexical index returned id %q: %w", hit.ID, err)
			}
			all[i] = ranked{chunk: chunk, score: float64(float32(hit.Score))}
		}
		if len(all) < size || all[size-1].score < all[n-1].score {
			return top(all, n), nil
		}
	}
}

// ties is how many further results are read at first, so that equal scores at the border are ordered by us.
const ties = 10
