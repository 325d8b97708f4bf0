// Recall measures how much of the evidence of real questions lies within a number of context tokens, for ways of cutting and searching:
// the best of those that files could say before there was more to say, and the best of the new ones.
//
//	go run ./bench/retrieval/recall [-tokens 1000] [-questions 150] [-shared FOLDER] [SET…]
//
// A set is a folder below the shared data (-shared, or WORKBENCH_SHARED) that holds corpus.jsonl and questions.jsonl. Without any, those
// of docs/retrieval.md are measured: five, and the two of lowest SHA-256 of their name among the others with at least 60 questions whose
// evidence is labelled. Of a set with more questions, those of lowest SHA-256 are taken.
//
// Each way reads its hits best first as long as they fit into the tokens. The best way of each kind is chosen on every second question,
// and its figures are those of the other half, with a 95% bootstrap interval of the paired difference. Nothing is bought: the embedder
// is the offline one.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rag-workbench/workbench/bench/retrieval/evidence"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/text"
)

// named are the sets that are always measured.
var named = []string{"nta_tax_qa", "covid_qa", "hotpotqa_100", "jaquad", "clapnq"}

func main() {
	tokens := flag.Int("tokens", 1000, "context tokens (o200k) of each question")
	most := flag.Int("questions", 150, "most questions of a data set")
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder of the shared data")
	flag.Parse()
	if err := run(filepath.Join(*shared, "data"), flag.Args(), *tokens, *most); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(data string, sets []string, tokens, most int) error {
	if len(sets) == 0 {
		others, err := keptBack(data)
		if err != nil {
			return err
		}
		sets = slices.Concat(named, others)
	}
	fmt.Println("| set | documents, questions | best before | best now | recall before → now | difference, 95% interval |\n" +
		"|---|---|---|---|---|---|")
	for _, set := range sets {
		if err := measure(filepath.Join(data, set), tokens, most); err != nil {
			return err
		}
	}
	return nil
}

// keptBack are two sets that nobody chose.
func keptBack(data string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(data, "*", "corpus.jsonl"))
	if err != nil {
		return nil, err
	}
	var sets []string
	for _, file := range files {
		folder := filepath.Dir(file)
		if slices.Contains(named, filepath.Base(folder)) {
			continue
		}
		questions, err := labelled(folder)
		if err != nil {
			return nil, err
		}
		if len(questions) >= 60 {
			sets = append(sets, filepath.Base(folder))
		}
	}
	slices.SortFunc(sets, byDigest)
	return sets[:min(2, len(sets))], nil
}

// byDigest orders texts in a way that nobody chose.
func byDigest(a, b string) int {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return bytes.Compare(x[:], y[:])
}

// labelled are the questions of a folder whose evidence is labelled, in the order of their digests.
func labelled(folder string) ([]evidence.Question, error) {
	questions, err := evidence.Questions(folder)
	slices.SortStableFunc(questions, func(a, b evidence.Question) int { return byDigest(a.Question, b.Question) })
	return questions, err
}

// way is one configuration with its name.
type way struct {
	name   string
	config rag.Config
	recall []float64 // by question
}

func ways() (old, recent []way) {
	searches := func(list []way, name string, c rag.Chunking, own bool) []way {
		for _, mode := range []string{"dense", "bm25", "hybrid"} {
			config := rag.DefaultConfig()
			config.Embedding.Name, config.Chunk = "ngram", c
			config.Retrieve = rag.Retrieve{Mode: mode, K: 60}
			if own && mode != "dense" {
				config.Retrieve.BM25 = search.DefaultBM25()
			}
			list = append(list, way{name: name + " " + mode, config: config})
			if own && mode == "hybrid" {
				config.Retrieve.Fusion = search.FusionConvex
				list = append(list, way{name: name + " convex", config: config})
			}
		}
		return list
	}
	for _, size := range []int{250, 500, 1000} {
		for _, share := range []int{0, 5} {
			overlap := 0
			if share > 0 {
				overlap = size / share
			}
			c := rag.Chunking{By: "chars", Size: size, Overlap: overlap}
			old = searches(old, fmt.Sprintf("chars %d/%d", size, overlap), c, false)
			c.By = rag.ByRecursive
			recent = searches(recent, fmt.Sprintf("recursive %d/%d", size, overlap), c, true)
			if overlap == 0 {
				c.Header = rag.HeaderTitle
				hidden := false
				c.HeaderInPrompt = &hidden
				recent = searches(recent, fmt.Sprintf("recursive %d/%d title", size, overlap), c, true)
			}
		}
	}
	for _, n := range []int{2, 4, 8} {
		old = searches(old, fmt.Sprintf("sentences %d", n), rag.Chunking{By: "sentences", Size: n}, false)
	}
	for _, c := range []struct {
		name  string
		chunk rag.Chunking
	}{
		{"headings 500", rag.Chunking{By: rag.ByRecursive, Size: 500, Heading: rag.HeadingPath, Header: rag.HeaderPath}},
		{"merged to 800", rag.Chunking{By: rag.ByRecursive, Size: 200, Parent: rag.Parent{Mode: rag.ParentMerge, Size: 800}}},
	} {
		recent = searches(recent, c.name, c.chunk, true)
	}
	recent = append(recent, neighboured(recent)...)
	for _, set := range []search.BM25{{K1: 0.9, B: 0.4}, {K1: 1.5, B: 0.75}, {K1: 2, B: 0.9}} {
		set.Analyzer = search.AnalyzerAuto
		config := rag.DefaultConfig()
		config.Embedding.Name, config.Chunk = "ngram", rag.Chunking{By: rag.ByRecursive, Size: 500}
		config.Retrieve = rag.Retrieve{Mode: "bm25", K: 60, BM25: set}
		recent = append(recent, way{name: fmt.Sprintf("recursive 500/0 bm25 %v/%v", set.K1, set.B), config: config})
	}
	window := rag.Chunking{By: "sentences", Size: 1, Parent: rag.Parent{Mode: rag.ParentWindow, N: 2}}
	recent = searches(recent, "sentence window 2", window, true)
	small := rag.Chunking{By: rag.ByRecursive, Size: 150, Parent: rag.Parent{Mode: rag.ParentSize, Size: 600}}
	recent = searches(recent, "150 within 600", small, true)
	return old, recent
}

// neighboured are the ways that cut smallest, with the chunk before and the one behind each hit.
func neighboured(list []way) (out []way) {
	for _, w := range list {
		if c := w.config.Chunk; c.Size == 250 && c.Overlap == 0 && c.Header == "" {
			w.name, w.config.Retrieve.Neighbours = w.name+" + neighbours", 1
			out = append(out, w)
		}
	}
	return out
}

// onlyOffline is the one provider there is.
type onlyOffline struct{ provider llm.Provider }

// Provider returns it, whatever the name.
func (p onlyOffline) Provider(string) (llm.Provider, error) { return p.provider, nil }

func measure(folder string, tokens, most int) error {
	corpus, err := evidence.Corpus(folder)
	if err != nil {
		return err
	}
	questions, err := labelled(folder)
	if err != nil {
		return err
	}
	questions = questions[:min(most, len(questions))]
	count := text.TokenCounter("")
	fmt.Printf("| %s | %d, %d ", corpus.Name, len(corpus.Documents), len(questions))
	old, recent := ways()
	for _, list := range [][]way{old, recent} {
		for i := range list {
			if err := list[i].run(corpus, questions, tokens, count); err != nil {
				return err
			}
		}
	}
	return report(old, recent)
}
