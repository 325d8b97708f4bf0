// Package helpcentre lays the demo's help centre and questions into a folder, with experiments over them, for measurements.
package helpcentre

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/demo"
)

// Experiments are the configurations before and after the change that the demo compares, by their files, with a generator of one's own.
func Experiments(suite, judge, generator string) map[string][]byte {
	out := map[string][]byte{}
	for name, parts := range map[string]string{
		"before": "chunk: {by: chars, size: 1000, overlap: 0}, embedding: {provider: offline, model: hash}, retrieve: {mode: dense, k: 3}",
		"after":  "chunk: {by: chars, size: 800, overlap: 200}, embedding: {provider: offline, model: ngram}, retrieve: {mode: dense, k: 4}",
	} {
		out[name+".yaml"] = fmt.Appendf(nil, "name: %s\ncorpus: corpus\ndataset: questions.jsonl\nsuite: [%s]\njudge: %s\nbase: {%s, generate: %s}\n",
			name, suite, judge, parts, generator)
	}
	return out
}

// Write lays corpus/ and questions.jsonl of a language, "en" or "ja", into an existing folder, and the files beside them.
func Write(dir, lang string, files map[string][]byte) error {
	pages, err := fs.Sub(demo.Files, lang+"/corpus")
	if err != nil {
		return err
	}
	questions, err := demo.Files.ReadFile(lang + "/questions.jsonl")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "questions.jsonl"), questions, 0o600); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	return os.CopyFS(filepath.Join(dir, "corpus"), pages)
}
