// Command hops measures what splitting questions does to retrieval: how much of the evidence of each hop of two-hop questions is found,
// by the question alone and by the parts that a large language model made of it, with equally many hits.
//
//	go run ./bench/retrieval/hops [-shared ../shared] [-folder FOLDER]
//
// The questions are all of hotpotqa_100 (../shared/data), each with evidence in two documents: its hops, in the order of the data set.
// The model's replies are recorded ones; docs/evidence.md says how they were made. With FOLDER, requests without a reply are left
// in it (`workbench record --help`). Chunks, searches and numbers of hits were settled before anything was answered.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/bench/retrieval/evidence"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/stats"
)

//go:embed replies.jsonl
var replies []byte

func main() {
	shared := flag.String("shared", cmp.Or(os.Getenv("WORKBENCH_SHARED"), "../shared"), "folder of the shared data")
	folder := flag.String("folder", "", "folder of a recording; none plays what was recorded")
	flag.Parse()
	played := replies
	if *folder != "" {
		played = nil
	}
	ctx := context.Background()
	err := recorded.In(ctx, *folder, played, func(w *app.Workbench) error {
		return measure(ctx, w, filepath.Join(*shared, "data", "hotpotqa_100"))
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "hops:", err)
		os.Exit(1)
	}
}

// hops are the documents in which the evidence of a question lies, in its order.
func hops(q evidence.Question) (docs []string, spans map[string][]rag.Span) {
	spans = map[string][]rag.Span{}
	for _, e := range q.Evidence {
		if spans[e.DocID] == nil {
			docs = append(docs, e.DocID)
		}
		spans[e.DocID] = append(spans[e.DocID], e)
	}
	return docs, spans
}

func measure(ctx context.Context, w *app.Workbench, folder string) error {
	corpus, err := evidence.Corpus(folder)
	if err != nil {
		return err
	}
	questions, err := evidence.Questions(folder)
	if err != nil {
		return err
	}
	fmt.Printf("%d questions of two hops, %d documents\n\n| search | hits | first hop | second hop | both hops whole | evidence recall "+
		"| difference, 95%% interval |\n|---|---|---|---|---|---|---|\n", len(questions), len(corpus.Documents))
	for _, mode := range []string{"dense", "bm25", "hybrid"} {
		for _, k := range []int{2, 4, 8} {
			plain, split, err := compare(ctx, w, corpus, questions, mode, k)
			if err == nil {
				err = report(mode, k, plain, split)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// found is how much of the evidence was found: of each hop, and of all, by question.
type found struct {
	first, second, whole float64
	recall               []float64
}

// compare searches for the questions alone and for their parts.
func compare(ctx context.Context, w *app.Workbench, corpus *rag.Corpus, questions []evidence.Question, mode string, k int) (
	plain, split found, err error) {
	config := rag.DefaultConfig()
	config.Embedding.Name, config.Chunk = "ngram", rag.Chunking{By: rag.ByRecursive, Size: 500}
	config.Retrieve = rag.Retrieve{Mode: mode, K: k}
	if mode != "dense" {
		config.Retrieve.BM25 = search.DefaultBM25()
	}
	if plain, err = find(ctx, w, corpus, questions, config); err != nil {
		return plain, split, err
	}
	config.Rewrite = rag.Rewrite{Mode: prompts.Decompose, Model: rag.Model{Provider: "reader", Name: "llm"}}
	split, err = find(ctx, w, corpus, questions, config)
	return plain, split, err
}

// report prints a row: before and after the arrow, without and with splitting.
func report(mode string, k int, plain, split found) error {
	differences, labels := make([]float64, len(plain.recall)), make([]int, len(plain.recall))
	for i := range differences {
		differences[i], labels[i] = split.recall[i]-plain.recall[i], i
	}
	means, err := stats.ClusterBootstrapMeans(differences, labels, 24, 4000)
	if err != nil {
		return err
	}
	interval := stats.PercentileInterval(means, .95)
	both := func(a, b float64) string { return fmt.Sprintf("%.3f → %.3f", a, b) }
	fmt.Printf("| %s | %d | %s | %s | %s | %s | %+.3f [%+.3f, %+.3f] |\n", mode, k, both(plain.first, split.first),
		both(plain.second, split.second), both(plain.whole, split.whole), both(stats.Mean(plain.recall), stats.Mean(split.recall)),
		stats.Mean(differences), interval.Low, interval.High)
	return nil
}

// errWaiting says that requests were left in the folder.
var errWaiting = errors.New("requests wait for replies")

func find(ctx context.Context, w *app.Workbench, corpus *rag.Corpus, questions []evidence.Question, c rag.Config) (f found, err error) {
	system, err := rag.Open(ctx, c, corpus, w.Providers, w.Indexes, &app.Memory{})
	if err != nil {
		return f, err
	}
	defer system.Close()
	waiting := 0
	for _, q := range questions {
		got, _, err := system.Retrieve(ctx, q.Question)
		if llm.CauseOf(err) == llm.CauseNotRecorded {
			waiting++
			continue
		}
		if err != nil {
			return f, err
		}
		docs, spans := hops(q)
		var shown []rag.Span
		for _, h := range got.Hits {
			shown = append(shown, h.Span)
		}
		first, second := evidence.Share(spans[docs[0]], shown), evidence.Share(spans[docs[1]], shown)
		f.first, f.second = f.first+first/float64(len(questions)), f.second+second/float64(len(questions))
		if first == 1 && second == 1 {
			f.whole += 1 / float64(len(questions))
		}
		f.recall = append(f.recall, evidence.Share(q.Evidence, shown))
	}
	if waiting > 0 {
		return f, fmt.Errorf("%d %w", waiting, errWaiting)
	}
	return f, nil
}
