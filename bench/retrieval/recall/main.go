// Recall measures how much of the evidence of real questions lies within a number of context tokens, for ways of cutting and searching:
// the best of those that files could say before there was more to say, and the best of the new ones.
//
//	go run ./bench/retrieval/recall [-tokens 1000] [-questions 300] FOLDER…
//
// A folder holds corpus.jsonl and questions.jsonl. Each way reads its hits best first as long as they fit into the tokens. The best way
// of each kind is chosen on every second question, and its figures are those of the other half, with a 95 % bootstrap interval of the
// paired difference. Nothing is bought: the embedder is the offline one.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

type question struct {
	Question string     `json:"question"`
	Evidence []rag.Span `json:"evidence"`
}

func main() {
	tokens := flag.Int("tokens", 1000, "context tokens (o200k) of each question")
	most := flag.Int("questions", 300, "most questions of a data set")
	flag.Parse()
	for _, folder := range flag.Args() {
		if err := measure(folder, *tokens, *most); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func lines[T any](path string) (all []T, err error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(body)) {
		var one T
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
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
				config.Retrieve.BM25 = rag.DefaultBM25()
			}
			list = append(list, way{name: name + " " + mode, config: config})
			if own && mode == "hybrid" {
				config.Retrieve.Fusion = rag.FusionConvex
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
	window := rag.Chunking{By: "sentences", Size: 1, Parent: rag.Parent{Mode: rag.ParentWindow, N: 2}}
	recent = searches(recent, "sentence window 2", window, true)
	small := rag.Chunking{By: rag.ByRecursive, Size: 150, Parent: rag.Parent{Mode: rag.ParentSize, Size: 600}}
	recent = searches(recent, "150 within 600", small, true)
	return old, recent
}

// offline is the one provider there is.
type offline struct{ provider llm.Provider }

// Provider returns it, whatever the name.
func (p offline) Provider(string) (llm.Provider, error) { return p.provider, nil }

func measure(folder string, tokens, most int) error {
	docs, err := lines[rag.Document](filepath.Join(folder, "corpus.jsonl"))
	if err != nil {
		return err
	}
	for i := range docs {
		docs[i].Text = norm.NFC.String(docs[i].Text)
	}
	questions, err := lines[question](filepath.Join(folder, "questions.jsonl"))
	if err != nil {
		return err
	}
	questions = slices.DeleteFunc(questions, func(q question) bool { return len(q.Evidence) == 0 })
	r := rand.New(rand.NewPCG(24, 24))
	r.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
	questions = questions[:min(most, len(questions))]
	corpus := rag.NewCorpus(filepath.Base(folder), docs)
	count, err := text.TokenCounter("")
	if err != nil {
		return err
	}
	fmt.Printf("## %s: %d documents, %d questions, %d tokens\n", corpus.Name, len(docs), len(questions), tokens)
	old, recent := ways()
	for _, list := range [][]way{old, recent} {
		for i := range list {
			if err := list[i].run(corpus, questions, tokens, count); err != nil {
				return err
			}
		}
	}
	report(old, recent)
	return nil
}
