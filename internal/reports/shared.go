package reports

import (
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// Frame is what stands above a page that is shared by a link: what it is, and the way to the same page in the other language.
type Frame struct {
	Lines    []string
	Href     string // of the other language's page
	Lang     string // of that page
	Language string // its name, in itself
}

// SharedFrame is the frame of a page in "en" or "ja": when it was made, how long its link works, and whether texts of questions and
// answers are left out of it.
func SharedFrame(lang string, at, until time.Time, texts bool) *Frame {
	words, other, name := wording.Catalogues()[lang], "ja", "日本語"
	if lang == "ja" {
		other, name = "en", "English"
	}
	moment := func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
	f := &Frame{Lines: []string{words.Say("shared.about", "at", moment(at), "until", moment(until))}, Href: "?lang=" + other, Lang: other,
		Language: name}
	if !texts {
		f.Lines = append(f.Lines, words.Say("shared.no_texts"))
	}
	return f
}

// withoutWords leaves out what servers and models said about calls that failed: they repeat what they were sent.
func (r Report) withoutWords() Report {
	r.Troubles = slices.Clone(r.Troubles)
	for i := range r.Troubles {
		r.Troubles[i].Server, r.Troubles[i].Reply = "", ""
	}
	return r
}

// withoutTexts leaves out the texts of questions, right answers, answers and passages, and what judges and diagnoses say about them.
// Counts, scores and names stay.
func (r Report) withoutTexts() Report {
	r.Candidate = textless(r.Candidate)
	if r.Baseline != nil {
		baseline := textless(*r.Baseline)
		r.Baseline = &baseline
	}
	for _, report := range []**causes.CauseReport{&r.Causes, &r.BaselineCauses} {
		if *report == nil {
			continue
		}
		bare := **report
		bare.Examples, bare.Diagnoses = nil, slices.Clone(bare.Diagnoses)
		for i := range bare.Diagnoses {
			bare.Diagnoses[i].Rationale, bare.Diagnoses[i].Evidence = experiments.Rationale{}, nil
		}
		*report = &bare
	}
	return r
}

func textless(e experiments.Evaluation) experiments.Evaluation {
	e.Questions, e.Results = slices.Clone(e.Questions), slices.Clone(e.Results)
	for i, q := range e.Questions {
		e.Questions[i] = experiments.Question{ID: q.ID, Lang: q.Lang, Answerable: q.Answerable, Critical: q.Critical, Tags: q.Tags}
	}
	for i, r := range e.Results {
		e.Results[i].Retrieved, e.Results[i].Reasons = nil, ""
		if r.Answer != nil {
			e.Results[i].Answer = &rag.Answer{}
		}
		e.Results[i].Scores = slices.Clone(r.Scores)
		for k := range r.Scores {
			if r.Scores[k].State == metrics.Scored { // otherwise the reason is a code
				e.Results[i].Scores[k].Reason = ""
			}
		}
	}
	return e
}

// textlessExamples leaves the texts of examples out; which they are, and why, stays.
func textlessExamples(list []findings.Example) []findings.Example {
	list = slices.Clone(list)
	none := ""
	for i := range list {
		list[i].Question, list[i].Reference, list[i].Before, list[i].After = "", "", &none, &none
	}
	return list
}
