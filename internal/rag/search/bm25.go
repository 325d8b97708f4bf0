package search

import (
	"fmt"
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

// eachTerm visits the terms of s in order, repeats included. An unknown analyzer is the automatic one. A term is only lent.
func eachTerm(analyzer, s string, visit func(term []byte)) error {
	var stream analysis.TokenStream
	switch analyzer {
	case AnalyzerWhitespace:
		for term := range strings.FieldsSeq(s) {
			visit([]byte(term))
		}
		return nil
	case AnalyzerStandard:
		stream = unicode.NewUnicodeTokenizer().Tokenize([]byte(text.Fold(s)))
	default:
		all, err := bleveAnalyzers()
		if err != nil {
			return err
		}
		if analyzer != AnalyzerEnglish {
			analyzer = AnalyzerAuto
		}
		stream = all[analyzer].Analyze([]byte(text.Fold(s)))
	}
	for _, t := range stream {
		visit(t.Term)
	}
	return nil
}
