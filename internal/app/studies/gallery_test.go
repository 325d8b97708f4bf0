package studies

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ownData imports a manual of three pages and four questions about it.
func ownData(t *testing.T, w *apptest.World) {
	t.Helper()
	w.Write(t, "manual/pump.md", "# Pump\n\nThe pump runs at 40 litres a minute. Clean the filter every second week.\n")
	w.Write(t, "manual/lamp.md", "# Lamp\n\nThe lamp is bought with a warranty of 3 years. It needs 12 volts.\n")
	sheet := w.Write(t, "asked.csv",
		"question,reference\nHow fast does the pump run?,40 litres a minute\nHow often is the filter cleaned?,every second week\n"+
			"How long is the warranty of the lamp?,3 years\nHow many volts does the lamp need?,12 volts\n")
	for i := range 2 {
		if i == 1 {
			w.Write(t, "manual/lamp.md", "# Lamp\n\nThe lamp is bought with a warranty of 5 years. It needs 12 volts.\n")
		}
		if _, err := w.ImportCorpus(t.Context(), filepath.Join(w.Dir, "manual"), "manual", false); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := w.ImportDataset(t.Context(), sheet, "faq", "", nil); err != nil {
		t.Fatal(err)
	}
}

// TestEveryNotebookOfTheGalleryWorksOnOwnData executes each on documents with and without an earlier version, before and after a
// baseline is
// pinned. None may name the demo's data.
func TestEveryNotebookOfTheGalleryWorksOnOwnData(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	ownData(t, w)
	for _, corpus := range []string{"manual@1", "manual"} {
		for _, from := range notebooks.Gallery() {
			text, err := Gallery{From: from, Corpus: corpus, Dataset: "faq"}.Read(t.Context(), w.Workbench)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte("airline")) || bytes.Contains(text, []byte("p.lang")) {
				t.Errorf("%s on own data speaks of the demo's:\n%s", from, text)
			}
			if lacks := bytes.Contains(text, []byte("note lacks")); lacks != (from == "judge" && corpus == "manual@1") {
				t.Errorf("%s on %s: a note about what it lacks is %v", from, corpus, lacks)
			}
			if stands := bytes.Contains(text, []byte("note no_baseline")); stands != (from == "weekly" && corpus == "manual@1") {
				t.Errorf("%s on %s: a note about the baseline is %v", from, corpus, stands)
			}
			name := from + strings.ReplaceAll(corpus, "@", "") + ".rag.md"
			n, err := OpenNotebook(w.Workbench, w.Write(t, name, string(text)), "test")
			if err != nil {
				t.Fatal(err)
			}
			v, err := n.Run(t.Context(), notebooks.Options{})
			if err != nil {
				t.Errorf("%s on %s: %v", from, corpus, err)
				continue
			}
			for _, c := range v.Cells {
				if c.State != notebooks.Fresh || c.Error != nil {
					t.Errorf("%s on %s: cell %s is %s: %v", from, corpus, c.Name, c.State, c.Error)
				}
			}
			if from == "weekly" && corpus == "manual@1" {
				week := v.Cell("week").Value.(notebooks.RunSet).Runs[0]
				if _, err := w.SetBaseline(t.Context(), week.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if w.Billed("") != 0 {
		t.Error("the gallery bought something")
	}
}

// TestTheGallerySaysWhichDataItLacks names half of the data, and data that are not there.
func TestTheGallerySaysWhichDataItLacks(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for want, g := range map[string]Gallery{
		"notebook_data dataset": {From: "sweep", Corpus: "rules"}, "notebook_data corpus": {From: "sweep", Dataset: "asked"},
		"corpus_unknown corpus":   {From: "sweep", Corpus: "none", Dataset: "asked"},
		"dataset_unknown dataset": {From: "sweep", Corpus: "rules", Dataset: "none"},
		"gallery_unknown from":    {From: "weakly", Corpus: "rules", Dataset: "asked"},
	} {
		_, err := g.Read(t.Context(), w.Workbench)
		if p := problem.From(err); err == nil || p.Code+" "+p.Params["field"].(string) != want {
			t.Errorf("%+v: %v, want %s", g, err, want)
		}
	}
	plain, err := Gallery{From: "sweep"}.Read(t.Context(), nil)
	if demo, _ := notebooks.FromGallery("sweep"); err != nil || !bytes.Equal(plain, demo) {
		t.Errorf("without data of one's own: %v", err)
	}
}
