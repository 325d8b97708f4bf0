package app

import (
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/text"
)

// The founding paper's change, in parameters of the sweep.
var (
	DemoBaseline  = map[string]string{"chunk.size": "1000", "chunk.overlap": "0", "retrieve.k": "3", "embedding.model": "hash"}
	DemoCandidate = map[string]string{"chunk.size": "800", "chunk.overlap": "200", "retrieve.k": "4", "embedding.model": "ngram"}
)

// NoFolder is a place in which no file is: relative names of files find nothing.
const NoFolder = "/dev/null/none"

// NotebooksDir is the folder of notebooks in the data directory.
func NotebooksDir(w *Workbench) string { return filepath.Join(w.Options.DataDir, "notebooks") }

// NotebookEnding ends the names of notebook files.
const NotebookEnding = ".rag.md"

// NotebookName reports whether a notebook may have this name.
func NotebookName(name string) bool { return text.Named(name, "_-", 64) }
