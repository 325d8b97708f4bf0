package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestEvidenceThatIsGoneIsToldBeforeTheMoneyIsSpent: of any set of documents that are deleted or rewritten, the plan names the questions
// whose evidence stood in them, and no other.
func TestEvidenceThatIsGoneIsToldBeforeTheMoneyIsSpent(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	ctx := context.Background()
	names, words := []string{"a", "b", "c"}, []string{"The office opens at nine.", "Parking is free.", "Dogs stay outside."}
	folder := func(change func(i int) string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "z.md"), []byte("Nothing of it.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			if body := change(i); body != "" {
				if err := os.WriteFile(filepath.Join(dir, name+".md"), []byte("Notes.\n\n"+body+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		return dir
	}
	corpus := func(dir string) *rag.Corpus {
		c, err := w.ResolveCorpus(ctx, dir, "")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	labelled := corpus(folder(func(i int) string { return words[i] }))
	var questions []experiments.Question
	for i, name := range names {
		at := strings.Index("Notes.\n\n"+words[i], words[i])
		questions = append(questions, experiments.Question{ID: "q" + name, Text: "What of " + name + "?", Answerable: true,
			Reference: words[i],
			Evidence:  []experiments.Evidence{{Span: rag.Span{DocID: name + ".md", Start: at, End: at + len(words[i])}, Quote: words[i]}}})
	}
	questions = append(questions, experiments.Question{ID: "plain", Text: "Why?", Answerable: true})
	for set := range 1 << (2 * len(names)) { // each document stays, is deleted, is rewritten, or is moved on by a paragraph
		state := func(i int) int { return set >> (2 * i) & 3 }
		c := labelled
		if set > 0 {
			c = corpus(folder(func(i int) string {
				return []string{words[i], "", "Everything is different.", "A new paragraph.\n\n" + words[i]}[state(i)]
			}))
		}
		job := app.Job{Questions: questions}
		job.Setup.Corpus = experiments.Ref{Name: c.Name, Version: c.Version, Digest: c.Digest}
		said, err := w.EvidenceGone(ctx, []app.Job{job, job})
		if err != nil {
			t.Fatal(err)
		}
		var gone []string
		for i, name := range names {
			if state(i) == 1 || state(i) == 2 {
				gone = append(gone, "q"+name)
			}
		}
		switch {
		case len(gone) == 0 && said != nil:
			t.Errorf("%06b: %q", set, said.EN)
		case len(gone) > 0 && (said == nil || !strings.Contains(said.EN, strings.Join(gone, ", ")+".") ||
			!strings.Contains(said.JA, "3問のうち"+string(rune('0'+len(gone)))+"問")):
			t.Errorf("%06b: gone is %v, and it says %+v", set, gone, said)
		}
	}
}
