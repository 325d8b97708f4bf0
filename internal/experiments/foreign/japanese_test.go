package foreign

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestNotesAreJapanese reads every file of results and traces that there is, and files made to bring out the other notes, and finds no
// English in what is noted.
func TestNotesAreJapanese(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "foreign", "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]string{}
	for _, path := range files {
		raw, err := os.ReadFile(path) //nolint:gosec // our own test data
		if err != nil {
			t.Fatal(err)
		}
		bodies[filepath.Base(path)] = string(raw)
	}
	bodies["forms.csv"] = "question,response,faithfulness,mine,word,mixed,latency_ms\n" +
		"q,a,85%,\"0,5\",good,1%,10\nr,b,,\"0,7\",bad,\"0,4\",12\ns,,0.5,1,fine,2,9\n"
	bodies["votes.csv"] = "question_id,question,response,faithfulness\n" +
		"q1,q,a,0.5\n" +
		"q1,q,b,0.7\nq2,q,b,0.7\nq3,mail a@example.org or 4111 1111 1111 1111,b,\n"
	bodies["plain.csv"] = "question,answer\nq,a\nr,b\n"
	notes := 0
	for name, body := range bodies {
		for _, options := range []ForeignOptions{
			{}, {Sample: 1, Mask: []string{"email", "card"}}, {Lower: []string{"nothing"}}, {Variant: "bot-b"},
		} {
			read, err := readForeign([]byte(body), name, options)
			if err != nil {
				continue
			}
			said := map[string]string{}
			for _, s := range slices.Concat(read.Sheet, read.Told) {
				said[s.EN] = s.JA
			}
			for _, note := range read.Notes {
				notes++
				ja, known := said[note]
				if !known {
					ja, known = problem.Japanese(note)
				}
				if english := evaltest.EnglishIn(ja, columnsOf(read)...); !known || len(english) > 0 {
					t.Errorf("%s: %q is %q in Japanese: %q", name, note, ja, english)
				}
			}
		}
	}
	if notes < 60 {
		t.Errorf("only %d notes", notes)
	}
}

// columnsOf are names of a file's own in its notes.
func columnsOf(f *Foreign) (names []string) {
	names = append(names, f.Unread...)
	names = append(names, f.Operation...)
	names = append(names, "question", "answer", "response", "user_input", "retrieved_contexts", "reference")
	for _, m := range f.Metrics {
		names = append(names, m.Source)
	}
	return append(names, "word", "nothing", "DeepEval", "email", "card", "phone")
}
