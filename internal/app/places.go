package app

import (
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/text"
)

// DemoStory names the experiments of the demo's recorded story in a language: before the founding paper's change and after it.
func DemoStory(lang string) (before, after string) {
	return "airline-" + lang + "-recorded-before", "airline-" + lang + "-recorded-after"
}

// NoFolder is a place in which no file is: relative names of files find nothing.
const NoFolder = "/dev/null/none"

// NotebooksDir is the folder of notebooks in the data directory.
func NotebooksDir(w *Workbench) string { return filepath.Join(w.Options.DataDir, "notebooks") }

// NotebookEnding ends the names of notebook files.
const NotebookEnding = ".rag.md"

// NotebookName reports whether a notebook may have this name.
func NotebookName(name string) bool { return text.Named(name, "_-", 64) }
