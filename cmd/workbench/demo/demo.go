// Package demo holds the verb demo: it evaluates the built-in help centre and tells what changed.
package demo

import (
	"cmp"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/demo"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// demoPrinter tells the story of the demo, and of a first folder.
type demoPrinter struct{ *program.Program }

// demos tells the story of the demo, and of a first folder.
func demos(p *program.Program) demoPrinter { return demoPrinter{p} }

// Cmd is the verb demo.
type Cmd struct{}

// demoMemory is how many bytes the heap may grow to before garbage is collected as often as usual.
const demoMemory = 512 << 20

// Help shows examples.
func (Cmd) Help() string {
	return `Evaluates the help centre of a fictional airline, in English and Japanese, without a network: a change on 40 questions,
answered and judged by recorded replies of a large language model; then, scored offline, 16 configurations of chunk size,
overlap, k and embedder, three versions of the help centre, three generators. Leaves everything in the data directory:
the pages, questions and experiment files below demo/, the runs, and three reports in each language.

Examples:
  workbench demo
  workbench demo --data ./demo-data --lang ja`
}

// Run evaluates and tells what it found.
func (c Cmd) Run(p *program.Program) error {
	// A quarter of the demo's work was collecting garbage: short-lived, of a heap that never grows large.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(demoMemory))
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	return p.With(func(w *app.Workbench) error {
		langs := strings.Split(cmp.Or(p.Flags.Lang, "en,ja"), ",")
		stories, err := demo.Demo(p.Context, w, langs, filepath.Join(p.Flags.Data, "demo"),
			func(story demo.DemoStory) error { return demos(p).reports(w, story) })
		if err != nil {
			return err
		}
		list := map[string]any{}
		for i, story := range stories {
			books := demos(p).books(story)
			file, recorded, repaired := books.comparison, books.recorded, books.repaired
			if p.Flags.JSON {
				list[story.Lang] = map[string]any{
					"report": file, "sweep": summaries(story.Sweep), "corpora": summaries(story.Corpora),
					"writers": summaries(story.Writers),
					"winner":  story.Winner.ID, "baseline": story.Comparison.Baseline.ID, "candidate": story.Comparison.Candidate.ID,
					"recorded": map[string]any{"report": recorded, "repair_report": repaired, "baseline": story.Recorded.Before.ID,
						"candidate": story.Recorded.After.ID, "repaired": story.Recorded.Repaired.ID},
				}
				continue
			}
			demos(p).tellRecorded(w, story, recorded, repaired)
			if i == 0 { // before what it qualifies, once
				printing.Runs(p).JudgeBadge(experiments.Run{Setup: experiments.Setup{Offline: true}})
			}
			demos(p).tell(w, story, file)
		}
		if p.Flags.JSON {
			return p.PrintJSON(list)
		}
		return nil
	})
}

// demoBooks are the files of a story's reports.
type demoBooks struct{ comparison, recorded, repaired string }

// books are where the reports of a story are.
func (p demoPrinter) books(story demo.DemoStory) demoBooks {
	named := func(what string) string { return filepath.Join(p.Flags.Data, "demo-"+what+"-"+story.Lang+".xlsx") }
	return demoBooks{comparison: named("report"), recorded: named("recorded"), repaired: named("repaired")}
}

// reports writes those of a story, side by side.
func (p demoPrinter) reports(w *app.Workbench, story demo.DemoStory) error {
	books := p.books(story)
	var writing errgroup.Group
	for file, c := range map[string]compare.Comparison{books.comparison: story.Comparison,
		books.recorded: story.Recorded.Comparison, books.repaired: story.Recorded.Repair} {
		writing.Go(func() error { return p.demoReport(w, c, story.Lang, file) })
	}
	return writing.Wait()
}

// demoReport writes the report of a comparison.
func (p demoPrinter) demoReport(w *app.Workbench, c compare.Comparison, lang, file string) error {
	report, err := reporting.Report(p.Context, w, c.Baseline.ID, c.Candidate.ID, lang, p.Version, reporting.GateAsked{})
	if err != nil {
		return err
	}
	return program.WriteWhole(file, report.WriteXLSX)
}

func summaries(runs []experiments.Run) []app.Summary {
	list := make([]app.Summary, len(runs))
	for i, r := range runs {
		list[i] = app.Summarize(r)
	}
	return list
}

var languageNames = map[string]string{"en": "ENGLISH", "ja": "JAPANESE"}

// tellRecorded prints what a large language model's recorded replies say of the change, why answers are low, and what one repair does.
func (p demoPrinter) tellRecorded(w *app.Workbench, story demo.DemoStory, report, repaired string) {
	s := story.Recorded
	p.Say("%s help centre, %d of %d questions, answered and judged by recorded replies of a large language model (%s)", p.Lang().
		Format(languageNames[s.Lang]), s.After.Totals.Questions, story.Questions, s.After.Setup.Recorded.Day)
	p.Say("")
	printing.Comparisons(p.Program).Changed(reporting.Said(p.Context, w, s.Comparison, s.Both))
	printing.Comparisons(p.Program).Said(w, s.Comparison, s.Both)
	worseWithEvidence(p.Program, s.Comparison, s.Both, 3)
	p.Say("")
	p.Say("Why answers are still low, tested by replacing one part at a time:")
	printing.Causes(p.Program).Facts(s.Causes, string(p.Lang()))
	p.Say("")
	p.Say("With the first recommendation, %s:", s.Change.Words(string(p.Lang())))
	printing.Comparisons(p.Program).Said(w, s.Repair, s.Mended)
	worseWithEvidence(p.Program, s.Repair, s.Mended, 3)
	p.Say("")
	p.Say("report: %s", report)
	p.Say("report: %s", repaired)
	p.Say("")
	p.Say("The rest is scored offline, on correctness, trust and retrieval: every configuration in between, other documents, other generators.")
	p.Say("")
}

// tell prints what came of the comparison, the winner, and three answers that got worse, with evidence.
func (p demoPrinter) tell(w *app.Workbench, s demo.DemoStory, report string) {
	before, after := s.Comparison.Baseline, s.Comparison.Candidate
	p.Say("%s help centre: %d pages, %d questions, %d configurations", p.Lang().
		Format(languageNames[s.Lang]), s.Pages, s.Questions, len(s.Sweep))
	p.Say("")
	printing.Comparisons(p.Program).Changed(reporting.Said(p.Context, w, s.Comparison, s.Both))
	printing.Comparisons(p.Program).Said(w, s.Comparison, s.Both)
	p.Say("")
	p.Say("With the same settings, the smaller help centre gives %d low scores; answering without looking gives %d.",
		s.Corpora[1].Totals.LowScoreCount, s.Writers[2].Totals.LowScoreCount)
	p.Say("The outdated help centre gives %d, the current one %d. Pages that differ: %d of %d; answers that differ: %d of %d.",
		s.Corpora[2].Totals.LowScoreCount, s.Corpora[0].Totals.LowScoreCount, s.Stale.Pages, s.Pages, s.Stale.Answers, s.Questions)
	p.Say("")
	p.Say("winner of %d: %s (run %s), %d low scores of %d", len(s.Sweep),
		experiments.SetsTextIn(s.Winner.Params, s.Winner.Setup.Config.Chunk).In(string(p.Lang())), s.Winner.ID,
		s.Winner.Totals.LowScoreCount, s.Questions)
	if s.Standing.EN != "" {
		p.Say("%s", s.Standing.In(string(p.Lang())))
	}
	p.Say("Why answers are still low, tested by replacing one part at a time:")
	printing.Causes(p.Program).Facts(s.Causes, string(p.Lang()))
	worseWithEvidence(p.Program, s.Comparison, s.Both, 3)
	p.Say("")
	p.Say("report: %s", report)
	p.Say("look closer: workbench --data %s compare %s %s", p.Flags.Data, before.ID, after.ID)
	p.Say("             workbench --data %s diagnose %s --show", p.Flags.Data, after.ID)
	p.Say("")
}

// worseWithEvidence prints answers that became less correct, those first that were not low before and whose evidence is known: both
// answers, where the evidence stood, and the judge's reason.
func worseWithEvidence(p *program.Program, c compare.Comparison, both [2]experiments.Evaluation, most int) {
	var known, unknown []compare.QuestionVerdict
	for _, v := range c.With(compare.Worse) {
		switch {
		case v.First.Metric != "correctness" || v.First.Movement != compare.Fell:
		case v.First.Baseline > c.Candidate.Setup.LowScore && len(both[1].Question(v.QuestionID).Evidence) > 0:
			known = append(known, v)
		default:
			unknown = append(unknown, v)
		}
	}
	worse := slices.Concat(known, unknown)
	if len(worse) == 0 {
		p.Say("%s", findings.FallsText(c, both).In(string(p.Lang())))
	}
	for _, q := range worse[:min(most, len(worse))] {
		worseAnswer(p, both, q)
	}
	if len(worse) > most {
		p.Say("")
		p.Say("%d more: workbench compare %s %s%s --list %d", len(worse)-most, c.Baseline.ID, c.Candidate.ID,
			" --only "+string(compare.Worse)+" --data "+p.Flags.Data, len(worse))
	}
}

func worseAnswer(p *program.Program, both [2]experiments.Evaluation, v compare.QuestionVerdict) {
	q := v.First
	before, _ := both[0].Result(v.InBaseline())
	after, _ := both[1].Result(v.QuestionID)
	question := both[1].Question(v.QuestionID)
	p.Say("")
	p.Say("worse: %s  correctness %s → %s%s%s", v.QuestionID, program.Number(q.Metric, q.Baseline), program.Number(q.Metric, q.Candidate),
		printing.Voted(both, v, p.Lang()), printing.Critical(v, p.Lang()))
	p.Say("  question  %s", program.OneLine(question.Text, 120))
	p.Say("  reference %s", program.OneLine(question.Reference, 120))
	for _, e := range question.Evidence {
		p.Say("  evidence  %s: %s", e.DocID, program.OneLine(e.Quote, 100))
	}
	if len(question.Evidence) > 0 {
		p.Say("  found     before %s, after %s of the evidence", covers(before), covers(after))
	}
	p.Say("  before    %s", printing.Answer(p.Lang(), before))
	p.Say("  after     %s", printing.Answer(p.Lang(), after))
	if score, ok := after.Score(q.Metric); ok {
		p.Say("  why       %s", program.OneLine(score.Reason, 140))
	}
}

// covers says how much of the evidence was retrieved.
func covers(r experiments.Result) string {
	if v, ok := r.Value("span_coverage"); ok {
		return stats.PerCent(v, 0)
	}
	return "-"
}
