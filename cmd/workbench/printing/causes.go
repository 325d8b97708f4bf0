package printing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// CausePrinter tells why answers are low, and what questions have in common.
type CausePrinter struct{ *program.Program }

// Causes tells why answers are low, and what questions have in common.
func Causes(p *program.Program) CausePrinter { return CausePrinter{p} }

// Healed says how many of the answers that a change was to repair are good now.
func (p CausePrinter) Healed(change causes.Recommendation, both [2]experiments.Evaluation) {
	good := 0
	for _, id := range change.Heals {
		if r, ok := both[1].Result(id); ok && r.Answer != nil && !r.Low(both[1].Run.Setup.LowRule()) {
			good++
		}
	}
	if change.Forecast() {
		p.Say("")
		p.Say("%d of the %s that this change was to repair are good now", good, p.Lang().Many(len(change.Heals), "answer"))
	}
}

// DiagnosePlan prints which answers would be diagnosed, and what that costs.
func (p CausePrinter) DiagnosePlan(plan analyses.DiagnosePlan) error {
	if p.Flags.JSON {
		return p.PrintJSON(plan)
	}
	p.Say("%s of run %s, method %s", p.Lang().Many(plan.LowScores, "low-score answer"), plan.RunID, plan.Method)
	switch {
	case plan.Known != "":
		p.Say("run %s has diagnosed them: nothing would be bought", plan.Known)
	case plan.Free:
		p.Say("every model is offline: nothing is bought")
	case plan.Least == 0: // a judge that always says the same makes no noise
		p.Say("about %d calls (up to %d with double faults), price about %s; replies that are there already are not bought again",
			plan.Typical, plan.Most, p.Lang().Price(plan.Micros, plan.PriceKnown, plan.Currency))
	default:
		p.Say("about %d calls (%d if all is the judge's noise, up to %d with double faults), price about %s",
			plan.Typical, plan.Least, plan.Most, p.Lang().Price(plan.Micros, plan.PriceKnown, plan.Currency))
	}
	return nil
}

// Facts prints what is low, why, and what would help most, a fact in each line.
func (p CausePrinter) Facts(r causes.CauseReport, lang string) {
	for _, fact := range r.Facts {
		p.Say("  - %s", program.Printable(fact.In(lang)))
	}
}

// CauseReport prints the bars, the patterns and what to change.
func (p CausePrinter) CauseReport(r causes.CauseReport, lang string) {
	words := causes.CauseWords(lang)
	if r.Offline { // before what it qualifies
		p.Note("%s", findings.Word(string(p.Lang()), "judge.offline"))
	}
	p.Say("run %s: %s, %d diagnosed in run %s (%s)", r.RunID, p.Lang().
		Many(r.LowScores, "low-score answer"), r.Diagnosed, r.DiagnoseID, words["method."+string(r.Method)])
	p.Facts(r, lang)
	rows := make([][]string, len(r.Counts))
	for i, c := range r.Counts {
		param := "-"
		if c.Param != "" {
			param = experiments.ParamName(c.Param).In(lang)
		}
		rows[i] = []string{words["data."+string(c.Data)], words["component."+string(c.Component)], param, strconv.Itoa(c.Count),
			standings(p.Lang(), c.Stands, words), strings.Join(c.Questions, " ")}
	}
	p.Say("")
	heads := []string{"CAUSE", "COMPONENT", "PARAMETER", "ANSWERS", "HOW KNOWN", "QUESTIONS"}
	if !slices.ContainsFunc(r.Counts, func(c causes.CauseCount) bool { return c.Param != "" }) {
		heads = slices.Delete(heads, 2, 3)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
	}
	p.Table(heads, rows)
	rows = make([][]string, len(r.Patterns))
	for i, c := range r.Patterns {
		rows[i] = []string{words["corner."+string(c.Corner)], words["pattern."+string(c.Pattern)], strconv.Itoa(c.Count)}
	}
	p.Say("")
	p.Table([]string{"LOW", "HOW IT FAILS", "ANSWERS"}, rows)
	if by := r.PatternsBy.In(lang); by != "" {
		p.Say("%s", program.Printable(by))
	}
	if len(r.Recommendations) > 0 {
		p.recommendations(r, lang)
	}
	if need := r.NeedsReference; need != nil {
		p.Say("%s", need.Text.In(lang))
		p.Say("next: %s", need.Command)
	}
	p.besideTested(r, lang)
}

// standings says how the causes of a bar are known: "tested 10, searched, not replaced 1".
func standings(l program.Language, n map[causes.Standing]int, words map[string]string) string {
	var out []string
	for _, s := range causes.Standings() {
		if n[s] > 0 {
			out = append(out, fmt.Sprintf("%s %d", words["stands."+string(s)], n[s]))
		}
	}
	return l.Parts(out)
}

// besideTested prints the tested causes beside those of the paper's method.
func (p CausePrinter) besideTested(r causes.CauseReport, lang string) {
	if r.Method != causes.PaperWay {
		return
	}
	if r.Beside == nil {
		p.Say("next: workbench diagnose %s   sets tested causes beside these", r.RunID)
		return
	}
	rows := make([][]string, len(r.Beside.Rows))
	for i, b := range r.Beside.Rows {
		same := ""
		if b.Control == b.Tested {
			same = "="
		}
		rows[i] = []string{b.QuestionID, b.Control.Word(lang), same, b.Tested.Word(lang)}
	}
	p.Say("")
	p.Say("beside the tested causes of run %s: the same for %d of %s", r.Beside.DiagnoseID, r.Beside.Agree, p.Lang().
		Many(len(rows), "answer"))
	p.Table([]string{"QUESTION", "PAPER'S METHOD", "", "TESTED"}, rows)
	if !r.Beside.SameJudge {
		p.Note("The two asked different judges; differences may be theirs.")
	}
}

func (p CausePrinter) recommendations(r causes.CauseReport, lang string) {
	rows, risks, unforecast := make([][]string, len(r.Recommendations)), false, false
	open := slices.ContainsFunc(r.Recommendations, func(c causes.Recommendation) bool { return c.MadeIn() == "" })
	for i, c := range r.Recommendations {
		risk, expected := "-", "-"
		if c.Good > 0 && c.Outcome == nil {
			risk, risks = p.Lang().Text("%d of %d", len(c.AtRisk), c.Good-c.Unmeasured), true
		}
		if c.Forecast() && c.MadeIn() == "" { // what came of it is another number, and the one that counts
			expected = strconv.Itoa(len(c.Heals))
		} else {
			unforecast = unforecast || c.MadeIn() == ""
		}
		rows[i] = []string{strconv.Itoa(i + 1), c.Words(lang), expected, happened(p.Lang(), c.Outcome),
			fmt.Sprintf("×%.1f", c.ContextCost()), risk}
	}
	p.Say("")
	heads := []string{"#", "CHANGE", "EXPECTED", "WHEN TRIED", "CONTEXT", "MAY LOSE EVIDENCE"}
	if !risks {
		heads = heads[:5]
	}
	if !open {
		heads = slices.Delete(heads, 2, 3)
	}
	for i := range rows {
		if !open {
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
		rows[i] = rows[i][:len(heads)]
	}
	p.Table(heads, rows)
	if open {
		p.Say("expected: low-score answers, of all %d, that the change may repair", r.Recommendations[0].LowScores)
	}
	if unforecast {
		p.Say("-: no single answer asks for this change; only what happened when it was tried is known")
	}
	p.Say("context: length of what the model reads, compared with this run")
	if risks {
		p.Say("may lose evidence: good answers, of those with known evidence, whose evidence the model would no longer be given")
	}
	for i, c := range r.Recommendations {
		if words := c.Words(lang); program.OneLine(words, program.CellColumns) != words { // which the table has cut
			p.Say("change %d is: %s", i+1, program.Printable(words))
		}
		if c.Outcome != nil && c.MadeIn() == "" { // of a run that was made the table has all answers
			p.Say("change %d: %s", i+1, c.Outcome.InAll().In(lang))
		}
	}
	if choice := r.Choice.In(lang); choice != "" {
		p.Say("%s", choice)
	}
	if r.Recommendations[0].Applies && r.Recommendations[0].Outcome == nil {
		p.Say("next: workbench diagnose %s --try   tries them, and says the price first", r.RunID)
	}
	switch first := r.Recommendations[0]; {
	case first.Outcome != nil && first.Outcome.RunID != "":
		p.Say("next: workbench compare %s %s   sets the run that was made with it beside this one", r.RunID, first.Outcome.RunID)
	case first.Applies:
		p.Say("next: workbench diagnose %s --apply 1   what was tried or made may stand in another place of this list afterwards", r.RunID)
	}
}

// happened says what a recommended configuration did when it was tried.
func happened(l program.Language, o *causes.RepairOutcome) string {
	if o == nil {
		return l.Format("not tried")
	}
	if o.RunID != "" {
		return l.Text("made in run %s: %d of %d no longer low, %d of %d good ones newly low", o.RunID, len(o.Repaired), o.LowBefore,
			len(o.Broken), o.Good)
	}
	return l.Text("%d of %d no longer low, %d of %d good ones newly low", len(o.Repaired), o.TriedLow, len(o.Broken), o.TriedGood)
}

// DiagnosisOf prints one diagnosis with everything that was tried.
func (p CausePrinter) DiagnosisOf(r causes.CauseReport, id, lang string) error {
	for _, d := range r.Diagnoses {
		if d.QuestionID != id {
			continue
		}
		if p.Flags.JSON {
			return p.PrintJSON(d)
		}
		words := causes.CauseWords(lang)
		p.Say("%s: %s → %s (%s, %s %.2f)", id, d.Data.Word(lang), d.Component.Word(lang), words["stands."+string(d.Standing())],
			words["certainty."+string(d.Certainty)], d.Confidence)
		p.Say("%s", program.Printable(d.Rationale.In(lang)))
		rows := make([][]string, len(d.Steps))
		for i, s := range d.Steps {
			rows[i] = []string{words["step."+s.Step], program.OneLine(s.Changed(lang), 120), s.Result(lang), strconv.Itoa(s.Calls)}
		}
		p.Say("")
		p.Table([]string{"TRIED", "CHANGE", "RESULT", "CALLS"}, rows)
		for i, s := range d.Steps {
			if len(s.Given) > 0 {
				p.Say("  given (%s): %s", strings.Trim(rows[i][0]+" / "+rows[i][1], " /"), program.OneLine(spansIn(s.Given), 400))
			}
		}
		for _, e := range d.Evidence {
			p.Say("  %s %d-%d: %s", e.DocID, e.Start, e.End, program.OneLine(e.Quote, 160))
		}
		return nil
	}
	return problem.New(problem.NotFound, "diagnosis_unknown", "run %s has no diagnosis of question %q", r.RunID, id).
		With("question", id).WithHint("only low-score answers are diagnosed: %s of them", p.Lang().Many(r.Diagnosed, "answer"))
}

// spansIn names places of documents: "manual 100-400, faq 0-120".
func spansIn(given []rag.Span) string {
	out := make([]string, len(given))
	for i, g := range given {
		out[i] = fmt.Sprintf("%s %d-%d", g.DocID, g.Start, g.End)
	}
	return strings.Join(out, ", ")
}

// CauseChanges prints how causes moved between two runs that have been diagnosed; nothing where they have not.
func (p CausePrinter) CauseChanges(w *app.Workbench, both [2]experiments.Evaluation) error {
	c, err := analyses.CompareCauses(p.Context, w, both[0], both[1])
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	words := causes.CauseWords(string(p.Lang()))
	rows := make([][]string, len(c.Changes))
	for i, x := range c.Changes {
		rows[i] = []string{x.Data.Word(string(p.Lang())), x.Component.Word(string(p.Lang())), categoryName(p.Lang(), x.Category),
			strconv.Itoa(x.Before), strconv.Itoa(x.After)}
	}
	p.Say("")
	p.Say("causes of low scores (%s):", words["method."+string(c.Method)])
	p.Table([]string{"CAUSE", "COMPONENT", "QUESTIONS", "BEFORE", "AFTER"}, rows)
	for _, m := range c.Moves[:min(8, len(c.Moves))] {
		p.Say("  %s → %s: %s", causeOrGood(p.Lang(), m.From), causeOrGood(p.Lang(), m.To), p.Lang().Many(m.Count, "answer"))
	}
	return nil
}

// categoryName is a category of questions in words.
func categoryName(l program.Language, category string) string {
	if l == program.Japanese {
		return questions.CategoryName(experiments.Category(category), string(l))
	}
	return strings.ReplaceAll(category, "_", " ")
}

func causeOrGood(l program.Language, code string) string {
	switch code {
	case causes.GoodAnswer:
		return l.Format("good")
	case causes.UnknownCause:
		return l.Format("low, not diagnosed")
	}
	return causes.Component(code).Word(string(l))
}
