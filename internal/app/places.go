package app

import (
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/text"
)

// DemoStory names the experiments of the demo's recorded story in a language: before the founding paper's change, after it, and with
// the first recommendation for it applied. They are counted, since the second is "after" in one comparison and "before" in the other.
func DemoStory(lang string) (before, after, repaired string) {
	name := "airline-" + lang + "-recorded-"
	return name + "first", name + "second", name + "third"
}

// DemoShown names the two experiments of the story that people see first: of its two comparisons the one in which answers got worse. In
// English the change did that, in Japanese its repair.
func DemoShown(lang string) (before, after string) {
	before, after, repaired := DemoStory(lang)
	if lang == "ja" {
		return after, repaired
	}
	return before, after
}

// NoFolder is a place in which no file is: relative names of files find nothing.
const NoFolder = "/dev/null/none"

// NotebooksDir is the folder of notebooks in the data directory.
func NotebooksDir(w *Workbench) string { return filepath.Join(w.Options.DataDir, "notebooks") }

// NotebookEnding ends the names of notebook files.
const NotebookEnding = ".rag.md"

// NotebookName reports whether a notebook may have this name.
func NotebookName(name string) bool { return text.Named(name, "_-", 64) }
