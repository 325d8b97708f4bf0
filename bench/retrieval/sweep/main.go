// Sweep measures what a sweep of 28 configurations takes of memory and processor, offline:
//
//	go run ./bench/retrieval/sweep [-workbench bin/workbench] [-megabytes 8] [-questions 150] FOLDER…
//
// A folder holds corpus.jsonl and questions.jsonl. The documents of all folders are the corpus, and are so again, with one word in ten
// replaced by a made one, until it is as large as is asked for. Swept are four sizes of chunks, with and without overlap, searched by words
// and by vectors of the offline embedder ngram, for 3 and 4 chunks. Printed are the most memory that the process had, and its seconds.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rag-workbench/workbench/bench/jsonlines"
)

const experiment = `name: sweep
corpus: texts
dataset: questions
base: {embedding: {provider: offline, model: ngram}, retrieve: {mode: bm25, k: 3, bm25: {k1: 1.2, b: 0.75, analyzer: auto}}}
sweep:
  retrieve.mode: [bm25, dense]
  chunk.size: [200, 400, 800, 1000]
  chunk.overlap: [0, 200]
  retrieve.k: [3, 4]
`

func main() {
	binary := flag.String("workbench", "bin/workbench", "the program that is measured")
	size := flag.Int("megabytes", 8, "size of the documents' texts")
	asked := flag.Int("questions", 150, "questions")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := measure(*binary, flag.Args(), *size<<20, *asked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(binary string, folders []string, size, asked int) (err error) {
	if binary, err = filepath.Abs(binary); err != nil { // it runs elsewhere
		return err
	}
	work, err := os.MkdirTemp("", "sweep")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	documents, err := writeCorpus(filepath.Join(work, "corpus.jsonl"), folders, size)
	if err != nil {
		return err
	}
	if err := writeQuestions(filepath.Join(work, "questions.jsonl"), folders, asked); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "sweep.yaml"), []byte(experiment), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{{"corpus", "import", "corpus.jsonl", "--name", "texts"},
		{"dataset", "import", "questions.jsonl", "--name", "questions", "--corpus", "texts"}, {"sweep", "sweep.yaml"}} {
		cmd := exec.Command(binary, append([]string{"--data", "data", "--quiet"}, args...)...)
		cmd.Dir, cmd.Stderr = work, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(args[:1], " "), err)
		}
		used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if ok {
			fmt.Printf("%s: %d MB at most, %.1f s of processor (%d documents of %d MB, %d questions)\n", args[0], used.Maxrss>>10,
				(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), documents, size>>20, asked)
		}
	}
	return nil
}

func writeLines(path string, write func(out *json.Encoder) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(json.NewEncoder(f))
}

// writeCorpus writes the documents and returns how many there are.
func writeCorpus(path string, folders []string, size int) (n int, err error) {
	random := rand.New(rand.NewPCG(8, 28))
	return n, writeLines(path, func(out *json.Encoder) error {
		for written, round := 0, 0; written < size; round++ {
			for _, folder := range folders {
				documents, err := jsonlines.Read[map[string]any](folder, "corpus.jsonl")
				if err != nil {
					return err
				}
				for _, d := range documents {
					text, ok := d["text"].(string)
					if !ok || written >= size {
						continue
					}
					if round > 0 {
						d["doc_id"], text = fmt.Sprint(d["doc_id"], "-", round), altered(text, random)
					}
					d["text"] = text
					written += len(text)
					n++
					if err := out.Encode(d); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// altered replaces words.
func altered(text string, random *rand.Rand) string {
	words := strings.Split(text, " ")
	for i := range words {
		if random.IntN(10) == 0 {
			words[i] = fmt.Sprint("made", random.IntN(20_000))
		}
	}
	return strings.Join(words, " ")
}

// writeQuestions takes questions in turns of the folders.
func writeQuestions(path string, folders []string, asked int) error {
	return writeLines(path, func(out *json.Encoder) error {
		for _, folder := range folders {
			questions, err := jsonlines.Read[map[string]any](folder, "questions.jsonl")
			if err != nil {
				return err
			}
			for _, q := range questions[:min(len(questions), asked/len(folders))] {
				if err := out.Encode(q); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
