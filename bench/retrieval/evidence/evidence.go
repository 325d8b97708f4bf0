// Package evidence reads data sets whose questions have labelled evidence, and says how much of it was found.
package evidence

import (
	"path/filepath"
	"slices"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/bench/jsonlines"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Question is a question with the places that hold its answer.
type Question struct {
	Question string     `json:"question"`
	Evidence []rag.Span `json:"evidence"`
}

// Corpus is the corpus of a data set's folder. Labels count the characters of composed text.
func Corpus(folder string) (*rag.Corpus, error) {
	docs, err := jsonlines.Read[rag.Document](folder, "corpus.jsonl")
	for i := range docs {
		docs[i].Text = norm.NFC.String(docs[i].Text)
	}
	return rag.NewCorpus(filepath.Base(folder), docs), err
}

// Questions are those of a data set's folder whose evidence is labelled.
func Questions(folder string) ([]Question, error) {
	all, err := jsonlines.Read[Question](folder, "questions.jsonl")
	return slices.DeleteFunc(all, func(q Question) bool { return len(q.Evidence) == 0 }), err
}

// Share is the share of the evidence's characters that lie in a span, from 0 to 1. What spans share counts once.
func Share(evidence, shown []rag.Span) float64 {
	held, all := 0, 0
	for _, e := range evidence {
		all += e.End - e.Start
		for at := e.Start; at < e.End; at++ {
			if slices.ContainsFunc(shown, func(s rag.Span) bool { return s.DocID == e.DocID && s.Start <= at && at < s.End }) {
				held++
			}
		}
	}
	return float64(held) / float64(max(1, all))
}
