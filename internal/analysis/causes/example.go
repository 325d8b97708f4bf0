package causes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// The bounds of worked examples.
const (
	examplesShown   = 3   // causes, the most frequent first
	exampleContexts = 3   // contexts of each
	exampleChars    = 160 // code points of a text that a reader of a summary reads
)

// CauseExample is one low-score answer of a frequent cause, told through: what was asked, what was retrieved, what was tried, what
// healed it.
type CauseExample struct {
	Component  Component             `json:"component"`
	Count      int                   `json:"count"` // low-score answers with this cause
	QuestionID string                `json:"question_id"`
	Question   string                `json:"question"`
	Reference  string                `json:"reference"`
	Answer     string                `json:"answer"`
	Needed     []ExampleText         `json:"needed"`    // where what the answer needs stands, as far as it is known
	Retrieved  []ExampleText         `json:"retrieved"` // the first contexts, best first
	Tried      []ExampleStep         `json:"tried"`
	Healed     bool                  `json:"healed"` // a replacement made the answer good
	Rationale  experiments.Rationale `json:"rationale"`
	Certainty  Certainty             `json:"certainty"`
}

// ExampleText is a piece of a document.
type ExampleText struct {
	DocID string `json:"doc_id"`
	Text  string `json:"text"`
	Holds bool   `json:"holds"` // of a context: it holds a part of what is needed; of what is needed: it was in the contexts
}

// ExampleStep is one thing that was tried on the answer.
type ExampleStep struct {
	What   experiments.Rationale `json:"what"`
	Passes int                   `json:"passes"` // good answers, or votes for a good one
	Trials int                   `json:"trials"` // of so many; 0 where nothing was answered
}

// Healed reports whether at least half of the trials of the step were good.
func (s ExampleStep) Healed() bool { return s.Trials > 0 && 2*s.Passes >= s.Trials }

// ExamplesOf tells one low-score answer of each of the most frequent causes of a report through: one that a replacement healed, with the
// highest confidence, the earliest of the dataset between equals. corpus, which may be nil, gives the contexts their text.
func ExamplesOf(r CauseReport, e experiments.Evaluation, corpus *rag.Corpus) []CauseExample {
	out := []CauseExample{}
	for _, c := range r.Counts {
		if c.Component == NoFault || len(out) == examplesShown {
			continue
		}
		var best *Diagnosis
		for i := range r.Diagnoses {
			if d := &r.Diagnoses[i]; d.Component == c.Component && (best == nil || toldBefore(*d, *best) < 0) {
				best = d
			}
		}
		if best != nil {
			out = append(out, exampleOf(*best, c.Count, e, corpus))
		}
	}
	return out
}

// toldBefore orders diagnoses by how well they serve as an example.
func toldBefore(a, b Diagnosis) int {
	return cmp.Or(-cmp.Compare(counted(a.healed()), counted(b.healed())),
		-cmp.Compare(counted(len(a.Repairs) > 0), counted(len(b.Repairs) > 0)), -cmp.Compare(a.Confidence, b.Confidence))
}

// healed reports whether something that was tried made the answer good.
func (d Diagnosis) healed() bool {
	return slices.ContainsFunc(d.Steps, func(s CauseStep) bool {
		return answersAgain[s.Step] && (ExampleStep{Passes: s.Passes, Trials: s.Trials}).Healed()
	})
}

// answersAgain are the steps that generate an answer with something replaced.
var answersAgain = map[string]bool{
	"regenerate": true, "oracle": true, "prompt": true, "model": true, "both": true, "deep": true, "facts": true, "raw_answer": true,
}

func exampleOf(d Diagnosis, count int, e experiments.Evaluation, corpus *rag.Corpus) CauseExample {
	x := CauseExample{Component: d.Component, Count: count, QuestionID: d.QuestionID, Rationale: d.Rationale, Certainty: d.Certainty,
		Healed: d.healed(), Needed: []ExampleText{}, Retrieved: []ExampleText{}, Tried: []ExampleStep{}}
	for i, q := range e.Questions {
		if q.ID != d.QuestionID {
			continue
		}
		x.Question, x.Reference = brief(q.Text), brief(q.Reference)
		if a := e.Results[i].Answer; a != nil {
			x.Answer = brief(a.Text)
			for _, h := range a.Hits[:min(exampleContexts, len(a.Hits))] {
				x.Retrieved = append(x.Retrieved, retrievedText(h, d.Evidence, corpus))
			}
		}
		break
	}
	for _, s := range d.Evidence {
		if !s.Contradicts && len(x.Needed) < exampleContexts {
			x.Needed = append(x.Needed, ExampleText{DocID: s.DocID, Text: brief(s.Quote), Holds: s.InContext})
		}
	}
	for _, s := range d.Steps {
		x.Tried = append(x.Tried, ExampleStep{What: s.words(), Passes: s.Passes, Trials: s.Trials})
	}
	return x
}

func retrievedText(h rag.Hit, evidence []QuotedSpan, corpus *rag.Corpus) ExampleText {
	out := ExampleText{DocID: h.DocID, Text: h.Text}
	if out.Text == "" && corpus != nil {
		out.Text = corpus.Text(h.Span)
	}
	out.Text = brief(out.Text)
	out.Holds = slices.ContainsFunc(evidence, func(s QuotedSpan) bool { return !s.Contradicts && s.Overlap(h.Span) > 0 })
	return out
}

// words say what was tried, and with which change.
func (s CauseStep) words() experiments.Rationale {
	out := experiments.Rationale{EN: causeWord("en", "step."+s.Step), JA: causeWord("ja", "step."+s.Step)}
	param, values, ok := strings.Cut(s.Change, " ")
	from, to, changed := strings.Cut(values, " -> ")
	if ok && changed && !strings.Contains(to, " -> ") {
		r := Repair{Param: param, From: from, To: to}
		out.EN += ": " + r.Words("en")
		out.JA += "：" + r.Words("ja")
	}
	return out
}

// brief is a text on one line, cut where a reader of a summary stops.
func brief(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > exampleChars {
		return string(runes[:exampleChars]) + "…"
	}
	return s
}
