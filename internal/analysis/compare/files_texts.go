package compare

import (
	"cmp"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/text"
)

// The bounds of the texts that a comparison of two files carries: pages show them, and a file may hold books.
const (
	MostFileTexts    = 500
	longestFileText  = 2000 // code points
	mostFileContexts = 20   // of one answer
)

// FileText is what two files say of a question that both have, beside its scores.
type FileText struct {
	ID        string   `json:"id"`
	Question  string   `json:"question,omitempty"`
	Reference string   `json:"reference,omitempty"`
	Baseline  FileSide `json:"baseline,omitzero"`
	Candidate FileSide `json:"candidate,omitzero"`
}

// FileSide is what one file says was answered, and from which passages. Of several votes it is the first.
type FileSide struct {
	Answer   string   `json:"answer,omitempty"`
	Contexts []string `json:"contexts,omitempty"`
}

// tellTexts keeps the texts of the questions with a verdict, in the order of these.
func (c *FileComparison) tellTexts(pairs []filePair) {
	of := make(map[string]filePair, len(pairs))
	for _, p := range pairs {
		of[p.before.ID] = p
	}
	for _, v := range c.Verdicts {
		p, known := of[v.QuestionID]
		if !known || len(c.Texts) == MostFileTexts {
			continue
		}
		before, after := p.before.Texts, p.after.Texts
		one := FileText{ID: v.QuestionID, Question: text.Cut(cmp.Or(before.Question, after.Question), longestFileText),
			Reference: text.Cut(cmp.Or(before.Reference, after.Reference), longestFileText),
			Baseline:  sideOf(before), Candidate: sideOf(after)}
		if one.Question != "" || one.Baseline.Answer != "" || one.Candidate.Answer != "" {
			c.Texts = append(c.Texts, one)
		}
	}
}

func sideOf(texts foreign.ItemTexts) FileSide {
	side := FileSide{Answer: text.Cut(texts.Answer, longestFileText)}
	for _, s := range texts.Contexts[:min(len(texts.Contexts), mostFileContexts)] {
		side.Contexts = append(side.Contexts, text.Cut(s, longestFileText))
	}
	return side
}
