package rag

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/registry"

	"github.com/rag-workbench/workbench/internal/text"
)

// BM25 says how words decide which chunks are found: Lucene's formula (version 8 and later). With N chunks, df of them holding a
// term, tf occurrences in a chunk of length |d| and the mean length avgdl, a chunk's score is the sum over the query's terms, repeats
// counted, of ln(1 + (N − df + 0.5)/(df + 0.5)) · tf / (tf + k1·(1 − b + b·|d|/avgdl)).
//
// The zero value is the index of files that say nothing about it: bleve's scoring, which takes roots of frequencies and squares of
// weights, and whose k1 and b are those of the whole process.
type BM25 struct {
	K1       float64 `json:"k1" yaml:"k1"`             // 0–10: how soon more occurrences stop to count; 0 counts presence only
	B        float64 `json:"b" yaml:"b"`               // 0–1: how much long chunks are held back; 0 not at all
	Analyzer string  `json:"analyzer" yaml:"analyzer"` // auto | whitespace | standard | english
}

// DefaultBM25 is what Lucene, OpenSearch and Elasticsearch begin with.
func DefaultBM25() BM25 { return BM25{K1: 1.2, B: 0.75, Analyzer: AnalyzerAuto} }

// The analyzers: how a text becomes terms.
const (
	AnalyzerAuto       = "auto"       // folded; pairs of characters in Chinese, Japanese and Korean, words elsewhere
	AnalyzerWhitespace = "whitespace" // what white space separates, as written
	AnalyzerStandard   = "standard"   // words of Unicode's rules, in lower case
	AnalyzerEnglish    = "english"    // the same without stop words, cut to their stems (Porter)
)

// Analyzers lists the analyzers.
func Analyzers() []string {
	return []string{AnalyzerAuto, AnalyzerWhitespace, AnalyzerStandard, AnalyzerEnglish}
}

var bleveAnalyzers = sync.OnceValues(func() (map[string]analysis.Analyzer, error) {
	cache, out := registry.NewCache(), map[string]analysis.Analyzer{}
	for name, theirs := range map[string]string{AnalyzerAuto: cjk.AnalyzerName, AnalyzerEnglish: en.AnalyzerName} {
		a, err := cache.AnalyzerNamed(theirs)
		if err != nil {
			return nil, fmt.Errorf("analyzer %s: %w", name, err)
		}
		out[name] = a
	}
	return out, nil
})

// Analyze returns the terms of s in order, repeats included. An unknown analyzer is the automatic one.
func Analyze(analyzer, s string) ([]string, error) {
	switch analyzer {
	case AnalyzerWhitespace:
		return strings.Fields(s), nil
	case AnalyzerStandard:
		return termsOf(unicode.NewUnicodeTokenizer().Tokenize([]byte(text.Fold(s)))), nil
	case AnalyzerEnglish:
	default:
		analyzer = AnalyzerAuto
	}
	all, err := bleveAnalyzers()
	if err != nil {
		return nil, err
	}
	return termsOf(all[analyzer].Analyze([]byte(text.Fold(s)))), nil
}

func termsOf(stream analysis.TokenStream) []string {
	terms := make([]string, len(stream))
	for i, t := range stream {
		terms[i] = string(t.Term)
	}
	return terms
}

// postings are the terms of all chunks: what any k1 and b can search.
type postings struct {
	analyzer string
	terms    map[string][]posting
	lengths  []int32 // terms of each chunk
	mean     float64
}

// posting is one chunk that holds a term, and how often.
type posting struct{ chunk, count int32 }

func newPostings(analyzer string, texts []string) (*postings, error) {
	x := &postings{analyzer: analyzer, terms: map[string][]posting{}, lengths: make([]int32, len(texts))}
	total := 0
	for i, t := range texts {
		terms, err := Analyze(analyzer, t)
		if err != nil {
			return nil, err
		}
		x.lengths[i] = int32(len(terms))
		total += len(terms)
		for _, term := range terms {
			list := x.terms[term]
			if n := len(list); n > 0 && list[n-1].chunk == int32(i) {
				list[n-1].count++
				continue
			}
			x.terms[strings.Clone(term)] = append(list, posting{int32(i), 1})
		}
	}
	for term, list := range x.terms {
		x.terms[term] = slices.Clip(list)
	}
	x.mean = float64(total) / float64(max(1, len(texts)))
	return x, nil
}

// search returns the n best of the chunks that are allowed and hold a term of the query; nil allows all.
func (x *postings) search(query string, set BM25, allowed []bool, n int) ([]ranked, error) {
	terms, err := Analyze(x.analyzer, query)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(x.lengths))
	for _, term := range terms {
		list := x.terms[term]
		held, missing := float64(len(list)), float64(len(x.lengths)-len(list))
		idf := math.Log(1 + (missing+0.5)/(held+0.5))
		for _, p := range list {
			tf := float64(p.count)
			length := 1 - set.B + set.B*float64(x.lengths[p.chunk])/x.mean
			scores[p.chunk] += idf * tf / (tf + set.K1*length)
		}
	}
	found := newShortlist(n, len(scores))
	for chunk, score := range scores {
		if score > 0 && (allowed == nil || allowed[chunk]) {
			found.add(ranked{chunk: chunk, score: score})
		}
	}
	return found.best(), nil
}

// checks are the rules of the settings.
func (s BM25) checks() []check {
	return []check{
		{s.K1 >= 0 && s.K1 <= 10, "retrieve.bm25.k1", s.K1, "a number from 0 to 10"},
		{s.B >= 0 && s.B <= 1, "retrieve.bm25.b", s.B, "a number from 0 to 1"},
		{slices.Contains(Analyzers(), cmp.Or(s.Analyzer, AnalyzerAuto)), "retrieve.bm25.analyzer", s.Analyzer,
			"auto, whitespace, standard or english"},
	}
}
