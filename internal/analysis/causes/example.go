package causes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
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
	Fixed      bool                  `json:"fixed"` // a replacement made the answer good
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
	Result experiments.Rationale `json:"result"` // empty where there is no figure to tell
	Fixed  bool                  `json:"fixed"`  // it was answered again with something replaced, and good in at least half of the trials
}

// Told are the diagnoses of the answers that are told through, one of each of the most frequent causes: one that a replacement healed,
// with the highest confidence, the earliest of the dataset between equals.
func (r CauseReport) Told() []Diagnosis {
	var out []Diagnosis
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
			out = append(out, *best)
		}
	}
	return out
}

// ExamplesOf tells low-score answers of a report through by their whole diagnoses, see [CauseReport.Told]. corpus, which may be nil, gives
// the contexts their text.
func ExamplesOf(r CauseReport, told []Diagnosis, e experiments.Evaluation, corpus *rag.Corpus) []CauseExample {
	out := []CauseExample{}
	for _, d := range told {
		for _, c := range r.Counts {
			if c.Component == d.Component {
				out = append(out, exampleOf(d, c.Count, e, corpus))
			}
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
func (d Diagnosis) healed() bool { return slices.ContainsFunc(d.Steps, CauseStep.healed) }

func exampleOf(d Diagnosis, count int, e experiments.Evaluation, corpus *rag.Corpus) CauseExample {
	x := CauseExample{Component: d.Component, Count: count, QuestionID: d.QuestionID, Rationale: d.Rationale, Certainty: d.Certainty,
		Fixed: d.healed(), Needed: []ExampleText{}, Retrieved: []ExampleText{}, Tried: []ExampleStep{}}
	for i, q := range e.Questions {
		if q.ID != d.QuestionID {
			continue
		}
		x.Question, x.Reference = text.Brief(q.Text, exampleChars), text.Brief(q.Reference, exampleChars)
		if a := e.Results[i].Answer; a != nil {
			x.Answer = text.Brief(a.Text, exampleChars)
			for _, h := range a.Hits[:min(exampleContexts, len(a.Hits))] {
				x.Retrieved = append(x.Retrieved, retrievedText(h, d.Evidence, corpus))
			}
		}
		break
	}
	for _, s := range d.Evidence {
		if !s.Contradicts && len(x.Needed) < exampleContexts {
			x.Needed = append(x.Needed, ExampleText{DocID: s.DocID, Text: text.Brief(s.Quote, exampleChars), Holds: s.InContext})
		}
	}
	for _, s := range d.Steps {
		step := ExampleStep{What: s.words(), Result: s.result(), Fixed: s.healed()}
		if s.Trials > 0 && !slices.Contains(x.Tried, step) {
			x.Tried = append(x.Tried, step)
		}
	}
	return x
}

func retrievedText(h rag.Hit, evidence []QuotedSpan, corpus *rag.Corpus) ExampleText {
	out := ExampleText{DocID: h.DocID, Text: h.Text}
	if out.Text == "" && corpus != nil {
		out.Text = corpus.Text(h.Span)
	}
	out.Text = text.Brief(out.Text, exampleChars)
	out.Holds = slices.ContainsFunc(evidence, func(s QuotedSpan) bool { // as it was decided whether the contexts hold it
		_, _, rank := heldBy(s, []rag.Hit{h})
		return !s.Contradicts && rank > 0
	})
	return out
}

// words say what was tried, and with which change.
func (s CauseStep) words() experiments.Rationale {
	out := experiments.Rationale{EN: causeWord("en", "step."+s.Step), JA: causeWord("ja", "step."+s.Step)}
	if s.Step == "evidence" {
		return out
	}
	if changed := s.Changed("en"); changed != "" {
		out.EN += ": " + changed
		out.JA += "：" + s.Changed("ja")
	}
	return out
}

// Changed is what a step changed or looked for, in a language: with its name it tells each step of a diagnosis from every other one.
func (s CauseStep) Changed(lang string) string {
	parts := []string{s.changed(lang)}
	if s.On != "" {
		parts = append(parts, causeWord(lang, "on."+s.On))
	}
	if s.Swap != "" {
		parts = append(parts, causeWord(lang, "swap."+s.Swap))
	}
	if s.Again > 0 {
		parts = append(parts, fmt.Sprintf(causeWord(lang, "again"), s.Again))
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, map[bool]string{true: "、", false: ", "}[lang == "ja"])
}

// saidByName are changes that the name of the step says.
var saidByName = []string{"post_process none", "evidence alone", "the reference as a context"}

// changed is the change of a step in words: those of its parameters, or of a code; a claim that was looked for as it is.
func (s CauseStep) changed(lang string) string {
	change := strings.TrimPrefix(s.Change, "evidence alone, ")
	if _, how, found := strings.Cut(change, " -> "+ReferencePart); found {
		change = strings.TrimPrefix(how, ", ")
	}
	switch until, first := strings.CutPrefix(change, deepFirst); {
	case slices.Contains(saidByName, change):
		return ""
	case s.Step == "evidence" && !slices.Contains([]string{"labels", "claims", "again", disputedStep + Contradicts, disputedStep + Entails}, change):
		return s.Change // the claim that was looked for
	case first:
		n, kept := strings.CutSuffix(until, deepKept)
		return fmt.Sprintf(causeWord(lang, map[bool]string{true: "change.first_kept", false: "change.first"}[kept]), n)
	}
	if words, code := causeWords["change."+change]; code {
		return words[rankOf(lang == "ja")]
	}
	var changes []string
	for _, one := range strings.Split(change, " + ") {
		param, values, _ := strings.Cut(one, " ")
		from, to, changed := strings.Cut(values, " -> ")
		if !experiments.NamesParam(param) || !changed {
			return change
		}
		changes = append(changes, Repair{Param: param, From: valueIn(from), To: valueIn(to)}.Words(lang))
	}
	return strings.Join(changes, " + ")
}

// Written is a value of a parameter as data has it, the same in every language: a name as it is, everything else as a file would.
func Written(value any) string {
	if m, is := modelOf(value); is {
		return m.String()
	}
	if name, is := value.(string); is {
		return name
	}
	return experiments.Param{Value: value}.Text()
}

// valueIn is a value that a step has written.
func valueIn(said string) any {
	if said == Written(nil) {
		return nil
	}
	var part map[string]any
	if json.Unmarshal([]byte(said), &part) == nil && part != nil {
		return part
	}
	return said
}

// Result says in a language what came of a step, in the unit that it counts.
func (s CauseStep) Result(lang string) string {
	out := s.result()
	switch {
	case s.Step != "evidence":
	case s.Change == "labels":
		out = experiments.Rationale{EN: fmt.Sprintf("places labelled: %d", s.Trials), JA: fmt.Sprintf("登録された根拠%d件", s.Trials)}
	case s.Change == "claims":
		out = experiments.Rationale{EN: fmt.Sprintf("statements to look for: %d", s.Trials), JA: fmt.Sprintf("探す記述%d件", s.Trials)}
	case s.Change == "again":
		out = experiments.Rationale{EN: fmt.Sprintf("evidence judged again: %d times", s.Trials), JA: fmt.Sprintf("根拠を%d回再判定", s.Trials)}
	case strings.HasPrefix(s.Change, disputedStep):
		out = experiments.Rationale{EN: fmt.Sprintf("yes by %d of %d votes", s.Passes, s.Trials),
			JA: fmt.Sprintf("%d回中%d回、そうだと判定", s.Trials, s.Passes)}
	case s.Passes > 0:
		out = experiments.Rationale{EN: fmt.Sprintf("found, passages searched: %d", s.Trials), JA: fmt.Sprintf("%d箇所を調べて発見", s.Trials)}
	default:
		out = experiments.Rationale{EN: fmt.Sprintf("not found, passages searched: %d", s.Trials),
			JA: fmt.Sprintf("%d箇所を調べたが見つからず", s.Trials)}
	}
	return out.In(lang)
}

// result says in figures what came of a step.
func (s CauseStep) result() experiments.Rationale {
	switch {
	case s.Step == "evidence":
		return experiments.Rationale{}
	case s.Step == "in_context" && s.Passes == 0:
		return experiments.Rationale{EN: "not all of it was in the contexts", JA: "参照箇所に揃っていない"}
	case s.Step == "in_context":
		return experiments.Rationale{EN: "it was in the contexts", JA: "参照箇所に含まれていた"}
	case s.Step == "retrieval":
		return experiments.Rationale{EN: fmt.Sprintf("%d of %d changes bring the evidence", s.Passes, s.Trials),
			JA: fmt.Sprintf("%d通りのうち%d通りで根拠を取得", s.Trials, s.Passes)}
	case s.Step == "question":
		return experiments.Rationale{EN: fmt.Sprintf("clear in %d of %d readings", s.Passes, s.Trials),
			JA: fmt.Sprintf("%d回中%d回、意味は明確", s.Trials, s.Passes)}
	}
	if s.Step == "rejudge" || s.Step == "raw_answer" {
		return experiments.Rationale{EN: fmt.Sprintf("good by %d of %d votes", s.Passes, s.Trials),
			JA: fmt.Sprintf("%d回中%d回、良い回答と判定", s.Trials, s.Passes)}
	}
	return experiments.Rationale{EN: fmt.Sprintf("%d of %s good", s.Passes, answers(s.Trials, "")),
		JA: fmt.Sprintf("%d回中%d回が良い回答", s.Trials, s.Passes)}
}
