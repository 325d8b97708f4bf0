// Million builds an index over a million chunks as a run does, and searches it with 300 questions, by vectors
// one after the other and then together:
//
//	go run ./bench/retrieval/million [-chunks 1000000] [-questions 300] bm25 FOLDER…
//	go run ./bench/retrieval/million [-chunks 1000000] [-questions 300] dense FOLDER…
//
// A folder holds corpus.jsonl and questions.jsonl. A chunk is 55 words of a real text from a place that a seed chooses, one word in
// twenty replaced by one of 200,000 made ones, so that rare words are as many as in a large corpus. The vectors of dense are random, of
// 384 dimensions: an exact search takes as long whatever they are. One core is used. Printed are the processor's seconds that the parts
// took, the time of a question, and the most memory that the process had, documents included.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/search"
)

const (
	words      = 55
	paragraphs = 100 // of a document
	dimensions = 384
)

func main() {
	runtime.GOMAXPROCS(1)
	chunks := flag.Int("chunks", 1_000_000, "chunks")
	asked := flag.Int("questions", 300, "questions")
	flag.Parse()
	if flag.NArg() < 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := measure(flag.Arg(0), flag.Args()[1:], *chunks, *asked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// values are the strings under a key, of every line of a file.
func values(path, key string) (all []string, err error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(body)) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return nil, err
		}
		if s, ok := one[key].(string); ok {
			all = append(all, s)
		}
	}
	return all, nil
}

// read returns a corpus whose paragraphs are the chunks, and questions in turns of the folders.
func read(folders []string, chunks, asked int) (*rag.Corpus, []string, error) {
	random := rand.New(rand.NewPCG(20, 1_000_000))
	var real []string
	var lists [][]string
	for _, folder := range folders {
		texts, err := values(filepath.Join(folder, "corpus.jsonl"), "text")
		if err != nil {
			return nil, nil, err
		}
		for _, t := range texts {
			real = append(real, strings.Fields(t)...)
		}
		list, err := values(filepath.Join(folder, "questions.jsonl"), "question")
		if err != nil {
			return nil, nil, err
		}
		lists = append(lists, list)
	}
	var questions []string
	for i := 0; len(questions) < asked; i++ {
		list := lists[i%len(lists)]
		questions = append(questions, list[i/len(lists)%len(list)])
	}
	var docs []rag.Document
	for made := 0; made < chunks; {
		var b strings.Builder
		for n := 0; n < paragraphs && made < chunks; n, made = n+1, made+1 {
			if n > 0 {
				b.WriteString("\n\n")
			}
			for i, word := range real[random.IntN(len(real)-words):][:words] {
				if i > 0 {
					b.WriteByte(' ')
				}
				if random.IntN(20) == 0 {
					word = fmt.Sprintf("made%d", random.IntN(200_000))
				}
				b.WriteString(word)
			}
		}
		docs = append(docs, rag.Document{ID: fmt.Sprint("d", len(docs)), Text: b.String()})
	}
	return rag.NewCorpus("million", docs), questions, nil
}

// seeded is the offline provider with random vectors, the same for the same text.
type seeded struct{ llm.Provider }

// only is the one provider there is.
type only struct{ provider llm.Provider }

// Provider returns it, whatever the name.
func (o only) Provider(string) (llm.Provider, error) { return o.provider, nil }

// Embed makes a vector of each text.
func (seeded) Embed(_ context.Context, _ llm.Embedding, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		digest := fnv.New64a()
		_, _ = digest.Write([]byte(t)) // a digest takes everything
		random := rand.New(rand.NewPCG(digest.Sum64(), dimensions))
		out[i] = make([]float32, dimensions)
		for j := range out[i] {
			out[i][j] = random.Float32()*2 - 1
		}
	}
	return out, nil
}

// used are the seconds of processor since the process began, and the most megabytes that it had.
func used() (seconds float64, megabytes int64) {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it has no way to fail for the process itself
	return float64(u.Utime.Nano()+u.Stime.Nano()) / float64(time.Second), u.Maxrss >> 10
}

func measure(mode string, folders []string, chunks, asked int) error {
	corpus, questions, err := read(folders, chunks, asked)
	if err != nil {
		return err
	}
	runtime.GC()
	ctx, config := context.Background(), rag.DefaultConfig()
	config.Embedding.Name, config.Chunk = "seeded", rag.Chunking{By: "paragraphs", Size: 1}
	config.Retrieve = rag.Retrieve{Mode: mode, K: 10}
	if mode == "bm25" {
		config.Retrieve.BM25 = search.DefaultBM25()
	}
	provider := only{seeded{llm.NewOffline(offline.Handlers(), offline.Embedders())}}
	begun, before := used()
	system, err := rag.Open(ctx, config, corpus, provider, rag.NewIndexes(1), &rag.MemoryStages{})
	if err != nil {
		return err
	}
	defer system.Close()
	built, peak := used()
	fmt.Printf("%s: %d documents of %d chunks of %d words, %d MB before; cut and indexed in %.1f s of processor, %d MB at most\n", mode,
		len(corpus.Documents), chunks, words, before, built-begun, peak)
	alone, err := timed(func() error { return ask(ctx, system, questions) })
	if err != nil {
		return err
	}
	_, peak = used()
	fmt.Printf("%d questions in %.1f s, %.1f ms each, %d MB at most\n", len(questions), alone, alone*1000/float64(len(questions)), peak)
	if mode == "bm25" {
		return nil
	}
	others := make([]string, len(questions)) // what was asked is remembered
	for i, q := range questions {
		others[i] = q + " once more"
	}
	together, err := timed(func() error {
		if err := system.Expect(ctx, others); err != nil {
			return err
		}
		return ask(ctx, system, others)
	})
	if err != nil {
		return err
	}
	fmt.Printf("as many together in %.1f s, %.2f of that\n", together, together/alone)
	return nil
}

// timed is how many seconds of processor something takes.
func timed(do func() error) (float64, error) {
	before, _ := used()
	err := do()
	after, _ := used()
	return after - before, err
}

func ask(ctx context.Context, system *rag.System, questions []string) error {
	for _, q := range questions {
		if _, _, err := system.Retrieve(ctx, q); err != nil {
			return err
		}
	}
	return nil
}
