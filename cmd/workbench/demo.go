package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/demo"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
)

type demoCmd struct{}

// Help shows examples.
func (demoCmd) Help() string {
	return `Evaluates the help centre of a fictional airline, in English and Japanese, offline: 16 configurations of chunk size,
overlap, k and embedder, three versions of the help centre, three generators. Leaves everything in the data directory:
the pages, questions and experiment files below demo/, the runs, and a report in each language.

Examples:
  workbench demo
  workbench demo --data ./demo-data --lang ja`
}

// Run evaluates and tells what it found.
func (c demoCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		stories := map[string]any{}
		for _, lang := range strings.Split(cmp.Or(p.flags.Lang, "en,ja"), ",") {
			story, err := demo.Demo(p.ctx, w, lang, filepath.Join(p.flags.Data, "demo", lang))
			if err != nil {
				return err
			}
			report, err := reporting.Report(p.ctx, w, story.Comparison.Baseline.ID, story.Comparison.Candidate.ID, lang, version)
			if err != nil {
				return err
			}
			file := filepath.Join(p.flags.Data, "demo-report-"+lang+".xlsx")
			if err := writeWhole(file, report.WriteXLSX); err != nil {
				return err
			}
			if p.flags.JSON {
				stories[lang] = map[string]any{
					"report": file, "sweep": summaries(story.Sweep), "corpora": summaries(story.Corpora),
					"writers": summaries(story.Writers),
					"winner":  story.Winner.ID, "baseline": story.Comparison.Baseline.ID, "candidate": story.Comparison.Candidate.ID,
				}
				continue
			}
			p.tell(w, story, file)
		}
		if p.flags.JSON {
			return p.printJSON(stories)
		}
		p.offlineBadge(experiments.Run{Setup: experiments.Setup{Offline: true}})
		return nil
	})
}

func summaries(runs []experiments.Run) []app.Summary {
	list := make([]app.Summary, len(runs))
	for i, r := range runs {
		list[i] = app.Summarize(r)
	}
	return list
}

var languageNames = map[string]string{"en": "ENGLISH", "ja": "JAPANESE"}

// tell prints what came of the comparison, the winner, and three answers that got worse, with evidence.
func (p *program) tell(w *app.Workbench, s demo.DemoStory, report string) {
	before, after := s.Comparison.Baseline, s.Comparison.Candidate
	p.say("%s help centre: %d pages, %d questions, %d configurations", p.lang().
		format(languageNames[s.Lang]), s.Pages, s.Questions, len(s.Sweep))
	p.say("")
	p.say("From %s to %s:", short(before), short(after))
	p.said(w, s.Comparison, s.Both)
	p.say("")
	p.say("With the same settings, the smaller help centre gives %d low scores and the outdated one %d; answering without looking gives %d.",
		s.Corpora[1].Totals.LowScoreCount, s.Corpora[2].Totals.LowScoreCount, s.Writers[2].Totals.LowScoreCount)
	p.say("")
	p.say("winner of %d: %s (run %s), %d low scores of %d", len(s.Sweep), experiments.Describe(s.Winner.Params), s.Winner.ID,
		s.Winner.Totals.LowScoreCount, s.Questions)
	p.say("Why answers are still low, tested by replacing one part at a time: %s", s.Causes.Summary.In(string(p.lang())))
	p.worseWithEvidence(s, 3)
	p.say("")
	p.say("report: %s", report)
	p.say("look closer: workbench --data %s compare %s %s", p.flags.Data, before.ID, after.ID)
	p.say("             workbench --data %s diagnose %s --show", p.flags.Data, after.ID)
	p.say("")
}

// short is "1000/0/k3/hash".
func short(r experiments.Run) string {
	c := r.Setup.Config
	return fmt.Sprintf("%d/%d/k%d/%s", c.Chunk.Size, c.Chunk.Overlap, c.Retrieve.K, c.Embedding.Name)
}

// worseWithEvidence prints answers that became less correct, those first that were not low before and whose evidence is known: both
// answers, where the evidence stood, and the judge's reason.
func (p *program) worseWithEvidence(s demo.DemoStory, most int) {
	var known, unknown []compare.QuestionVerdict
	for _, v := range s.Comparison.With(compare.Worse) {
		switch {
		case v.First.Metric != "correctness" || v.First.Movement != compare.Fell:
		case v.First.Baseline > s.Comparison.Candidate.Setup.LowScore && len(questionOf(s.Both[1], v.QuestionID).Evidence) > 0:
			known = append(known, v)
		default:
			unknown = append(unknown, v)
		}
	}
	worse := slices.Concat(known, unknown)
	if len(worse) == 0 {
		p.say("no answer became less correct")
	}
	for _, q := range worse[:min(most, len(worse))] {
		p.worseAnswer(s, q)
	}
}

func (p *program) worseAnswer(s demo.DemoStory, v compare.QuestionVerdict) {
	q := v.First
	before, _ := s.Both[0].Result(v.InBaseline())
	after, _ := s.Both[1].Result(v.QuestionID)
	question := questionOf(s.Both[1], v.QuestionID)
	p.say("")
	p.say("worse: %s  correctness %.0f → %.0f%s", v.QuestionID, q.Baseline, q.Candidate, critical(v, p.lang()))
	p.say("  question  %s", oneLine(question.Text, 120))
	p.say("  reference %s", oneLine(question.Reference, 120))
	for _, e := range question.Evidence {
		p.say("  evidence  %s: %s", e.DocID, oneLine(e.Quote, 100))
	}
	if len(question.Evidence) > 0 {
		p.say("  found     before %s, after %s of the evidence", covers(before), covers(after))
	}
	p.say("  before    %s", p.lang().answer(before))
	p.say("  after     %s", p.lang().answer(after))
	if score, ok := after.Score(q.Metric); ok {
		p.say("  why       %s", oneLine(score.Reason, 140))
	}
}

// covers says how much of the evidence was retrieved.
func covers(r experiments.Result) string {
	if v, ok := r.Value("span_coverage"); ok {
		return fmt.Sprintf("%.0f%%", v*100)
	}
	return "-"
}

func questionOf(e experiments.Evaluation, id string) experiments.Question {
	for _, q := range e.Questions {
		if q.ID == id {
			return q
		}
	}
	return experiments.Question{}
}
