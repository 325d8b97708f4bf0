package intake

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// TestDoubtsAboutQuestionsAreSaid: one question with two right answers is named with its rows, and questions without one are counted.
func TestDoubtsAboutQuestionsAreSaid(t *testing.T) {
	t.Parallel()
	const twice = "the same question has different right answers; correct them, or say in the question what differs: "
	for name, c := range map[string]struct{ sheet, en, ja string }{
		"contradiction": {"id,question,reference\na,How long?,Two years.\nb,How much?,Nine.\nc,how long?,Three years.\n" +
			"d,How long?,two years.\n",
			twice + `"How long?" (line 2, line 4, line 5)`, "同じ質問に異なる正解があります"},
		"answer and none": {"id,question,reference\na,How long?,Two years.\nb,How long?,N/A\n",
			twice + `"How long?" (line 2, line 3)`, "同じ質問に異なる正解があります"},
		"the same twice": {"id,question,reference\na,How long?,Two years.\nb,How long?,two  years.\n", "", ""},
		"missing": {"id,question,reference\na,How long?,\nb,How much?,Nine.\nc,Why?,N/A\n",
			"no right answer for 1 of 3 questions: correctness is not measured for them", "3件の質問のうち1件に正解がない"},
		"no column": {"id,question\na,How long?\nb,How much?\n",
			"no right answer for 2 of 2 questions: correctness is not measured for them", "2件の質問のうち2件に正解がない"},
	} {
		_, report, err := read("q.csv", c.sheet, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var ja []string
		for _, note := range report.Notes {
			ja = append(ja, note.JA)
		}
		if en := strings.Join(text.InEnglish(report.Notes), "\n"); c.en == "" && strings.Contains(en, "right answer") ||
			!strings.Contains(en, c.en) || !strings.Contains(strings.Join(ja, "\n"), c.ja) {
			t.Errorf("%s: notes %s %s, want %q", name, en, ja, c.en)
		}
	}
}

// TestEvidenceOfWhatHasNoAnswerIsDoubted: of a question that the documents are said not to answer, evidence is named all the same.
func TestEvidenceOfWhatHasNoAnswerIsDoubted(t *testing.T) {
	t.Parallel()
	corpus := rag.NewCorpus("c", []rag.Document{{ID: "noise.md", Text: "A hum of up to 42 decibels is usual."}})
	const said = "the documents are said to hold no answer, and evidence is named all the same; correct one of the two: line 1"
	for line, want := range map[string]bool{
		`{"id":"a","question":"How loud?","answerable":false,"evidence":[{"doc_id":"noise.md","quote":"A hum"}]}`:   true,
		`{"id":"a","question":"How loud?","answerable":false}`:                                                      false,
		`{"id":"a","question":"How loud?","reference":"A hum.","evidence":[{"doc_id":"noise.md","quote":"A hum"}]}`: false,
	} {
		_, report, err := read("q.jsonl", line+"\n", corpus, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(text.InEnglish(report.Notes), "\n"), said); got != want {
			t.Errorf("%s: %v", line, text.InEnglish(report.Notes))
		}
	}
}
