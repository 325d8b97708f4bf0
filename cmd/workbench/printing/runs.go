package printing

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// RunTable prints runs; with differing, what differs between them stands in columns of its own.
func (p RunPrinter) RunTable(runs []app.RunRow, differ views.Parameters, differing bool) {
	header := []string{"RUN", "KIND", "CHILDREN", "STATE", "EXPERIMENT", "DATASET", "LOW", "CORRECTNESS", "TRUST", "STARTED (UTC)"}
	imported := slices.ContainsFunc(runs, func(r app.RunRow) bool { return p.importedMeans(r.Totals) != "" })
	if imported {
		header = append(header, "IMPORTED MEANS")
	}
	if differing {
		for _, name := range differ.Differing {
			header = append(header, experiments.ParamName(name).In(string(p.Lang())))
		}
	} else {
		header = append(header, "PARAMETERS")
	}
	tagged := slices.ContainsFunc(runs, func(r app.RunRow) bool { return len(r.Tags) > 0 })
	if tagged {
		header = append(header, "TAGS")
	}
	rows := make([][]string, len(runs))
	for i, r := range runs {
		low := "-"
		if r.Totals != nil && !r.Kind.LooksInto() && r.Totals.Rated() {
			low = fmt.Sprintf("%d/%d", r.Totals.LowScoreCount, cmp.Or(r.Totals.RatedCount(), r.Totals.Questions))
		}
		correctness, trust, set := program.MeanCell("correctness", r.Totals), program.MeanCell("trust", r.Totals), p.params(r.RunHead)
		if r.Group != nil && r.Group.Best != "" {
			low, correctness, trust = spread(r, "low_score_count"), spread(r, "correctness"), spread(r, "trust")
			set = p.Lang().Text("best of %d: %s %s", r.Group.Runs, r.Group.Best, p.sets(r.Group.Params))
		}
		rows[i] = []string{
			strings.Repeat("  ", r.Depth) + r.RunID, p.Lang().Word("kind", string(r.Kind)), belonging(r.Children),
			p.Lang().Word("state", string(r.State)), r.Experiment, r.Dataset.String(), low, correctness, trust,
			r.CreatedAt.Format("01-02 15:04"),
		}
		if imported {
			rows[i] = append(rows[i], cmp.Or(p.importedMeans(r.Totals), "-"))
		}
		if !differing {
			rows[i] = append(rows[i], set)
		} else {
			for _, name := range differ.Differing {
				rows[i] = append(rows[i], cmp.Or(differ.Runs[r.RunID][name], "-"))
			}
		}
		if tagged {
			rows[i] = append(rows[i], program.Printable(strings.Join(r.Tags, ", ")))
		}
	}
	if at := slices.Index(header, "PARAMETERS"); at >= 0 && !slices.ContainsFunc(rows, func(r []string) bool { return r[at] != "" }) {
		header = slices.Delete(header, at, at+1) // nothing set any
		for i := range rows {
			rows[i] = slices.Delete(rows[i], at, at+1)
		}
	}
	p.Table(header, rows)
	if differing && len(differ.Differing) == 0 {
		p.Say("no parameter differs between these runs")
	}
}

// importedMeans are the means that decide a comparison of imported scores, two at most; "" of other runs.
func (p RunPrinter) importedMeans(t *experiments.Totals) string {
	if t == nil {
		return ""
	}
	var own []metrics.Spec
	for _, id := range slices.Sorted(maps.Keys(t.Scores)) {
		if _, _, imported := metrics.ImportedTitle(id); imported {
			own = append(own, metrics.Spec{ID: id, Group: metrics.GroupImported})
		}
	}
	if len(own) == 0 {
		return ""
	}
	var out []string
	for _, id := range experiments.UsualDecideBy(own) {
		out = append(out, p.Lang().Metric(id)+" "+program.MeanCell(id, t))
	}
	return strings.Join(out[:min(2, len(out))], "; ")
}

// spread is a figure of the best run of a sweep, and between what values those of all its runs lie.
func spread(r app.RunRow, figure string) string {
	s, ok := r.Group.Spread[figure]
	if !ok {
		return "-"
	}
	if figure == "low_score_count" {
		return fmt.Sprintf("%.0f (%.0f … %.0f)", s.Best, s.From, s.To)
	}
	return fmt.Sprintf("%s (%s … %s)", program.Number(figure, s.Best), program.Number(figure, s.From), program.Number(figure, s.To))
}

// belonging is how many runs belong to one.
func belonging(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func (p RunPrinter) params(r experiments.RunHead) string {
	if r.Kind == experiments.KindSweep {
		return ""
	}
	return p.sets(r.Params)
}

// sets is what a sweep set, by the names that everything else has for it.
func (p RunPrinter) sets(params []experiments.Param) string {
	return program.Printable(experiments.SetsText(params).In(string(p.Lang())))
}

// ShowRun prints one run: what it rests on, what came of it, and what went wrong.
func (p RunPrinter) ShowRun(e experiments.Evaluation, troubles []findings.Trouble) error {
	r := e.Run
	if r.Kind.LooksInto() {
		p.analysis(e, troubles)
		return nil
	}
	p.Say("%s", strings.TrimRight(p.Lang().Text("run %s  %s  %s %s", r.ID, p.Lang().Word("state", string(r.State)), r.Setup.Experiment,
		program.Printable(experiments.SetsTextIn(r.Params, r.Setup.Config.Chunk).In(string(p.Lang())))), " "))
	if tools := r.Setup.Tools(); len(tools) > 0 {
		p.Say("corpus %s, dataset %s, scores of %s", program.OrNone(r.Setup.Corpus.String()), r.Setup.Dataset,
			findings.ToolNames(tools).In(string(p.Lang())))
	} else {
		p.Say("corpus %s, dataset %s, judge %s", program.OrNone(r.Setup.Corpus.String()), r.Setup.Dataset, r.Setup.Judge.Model)
	}
	if near := findings.SearchOf(e.Results); near.EN != "" {
		p.Say("%s", program.Printable(near.In(string(p.Lang()))))
	}
	p.troubles(e, troubles)
	if r.Totals != nil {
		if err := p.Results([]experiments.Run{r}, true); err != nil {
			return err
		}
		table, unscored := app.BubbleTable(e.Results, e.Run.Setup.LowScore)
		switch {
		case len(r.Setup.Tools()) > 0 && r.Totals.Rated():
			p.Say("%s", findings.SquaresLack().In(string(p.Lang())))
		case r.Totals.Rated():
			p.bubbles(table, unscored)
		}
	}
	rows, rule := [][]string{}, r.Setup.LowRule()
	standing, _ := experiments.Standing(e.Results)
	texts := make(map[string]string, len(e.Questions))
	for _, q := range e.Questions {
		texts[q.ID] = q.Text
	}
	for _, result := range standing {
		if result.Failure != nil {
			rows = append(rows, p.lowRow(result, rule, "failed: "+result.Failure.Cause, texts[result.QuestionID]))
		} else if result.Low(rule) {
			rows = append(rows, p.lowRow(result, rule, "", texts[result.QuestionID]))
		}
	}
	if len(rows) == 0 && r.Totals != nil && !r.Totals.Rated() { // which of them are low cannot be told
		return nil
	}
	p.Say("")
	p.Say("%s failed or low in score:", p.Lang().Many(len(rows), "question"))
	header := []string{"QUESTION", "CORRECTNESS", "TRUST", "TEXT"}
	if rule.Own {
		header = []string{"QUESTION"}
		for _, metric := range rule.Metrics() {
			header = append(header, p.Lang().Metric(metric))
		}
		header = append(header, "TEXT")
	}
	p.Table(header, rows)
	return nil
}

// lowRow is an answer that is low, with the scores by which answers can be, or why it failed.
func (p RunPrinter) lowRow(r experiments.Result, rule experiments.LowRule, failed, text string) []string {
	row := []string{r.QuestionID}
	for i, metric := range rule.Metrics() {
		switch {
		case failed == "":
			row = append(row, p.Cell(r, metric))
		case i == 0:
			row = append(row, failed)
		default:
			row = append(row, "")
		}
	}
	return append(row, text)
}

// analysis tells of a run that looks into another one. It has no answers: what it found stands with the run that it is of.
func (p RunPrinter) analysis(e experiments.Evaluation, troubles []findings.Trouble) {
	r, of := e.Run, e.Run.Setup.Analysis.Of
	what, verb := p.Lang().Format("causes"), "diagnose"
	if r.Kind == experiments.KindQuestions {
		what, verb = p.Lang().Format("questions"), "questions"
	}
	p.Say("run %s  %s  analysis of run %s: %s", r.ID, p.Lang().Word("state", string(r.State)), of, what)
	p.troubles(e, troubles)
	p.Say("%s looked into; such a run has no answers and no low scores of its own", p.Lang().Many(len(e.Questions), "question"))
	p.Say("what it found: workbench %s %s --show; its cost: workbench runs show %s --bill", verb, of, r.ID)
}

// troubles prints why a run stands still, how many cells have no score and why, and what went wrong with its calls.
func (p RunPrinter) troubles(e experiments.Evaluation, troubles []findings.Trouble) {
	if e.Run.State != experiments.Finished && e.Run.Cause != "" {
		p.Say("it stopped: %s (%s)", findings.CauseText(e.Run.Cause).In(string(p.Lang())), e.Run.Cause)
	}
	totals := experiments.Total(e.Results, e.Run.Setup.LowRule())
	if without := totals.Coverage.Applicable - totals.Coverage.Scored; without > 0 && e.Run.State != experiments.Queued {
		causes := []string{}
		for _, cause := range slices.Sorted(maps.Keys(totals.Errors)) {
			causes = append(causes, fmt.Sprintf("%s %d", cause, totals.Errors[cause]))
		}
		p.Say("%d of %d scores have no value: %s", without, totals.Coverage.Applicable, strings.Join(causes, ", "))
	}
	for _, t := range troubles {
		p.Say("! %s", program.Printable(t.Text.In(string(p.Lang()))))
	}
}

// bubbles prints the counts behind the bubble chart, trust 5 on top.
func (p RunPrinter) bubbles(table [5][5]int, unscored int) {
	p.Say("")
	p.Say("questions by trust (down) and correctness (across):")
	rows := make([][]string, 0, 5)
	for t := 4; t >= 0; t-- {
		row := []string{p.Lang().Text("trust %d", t+1)}
		for c := range 5 {
			row = append(row, strconv.Itoa(table[t][c]))
		}
		rows = append(rows, row)
	}
	p.Table([]string{"", "1", "2", "3", "4", "5"}, rows)
	if unscored > 0 {
		p.Say("%d questions lack one of the two scores", unscored)
	}
}

// Cell is a score in a table, or why there is none.
func (p RunPrinter) Cell(r experiments.Result, metric string) string {
	s, ok := r.Score(metric)
	switch {
	case !ok:
		return "-"
	case s.State == metrics.Scored:
		return program.Number(metric, s.Value)
	}
	return p.Lang().Text("%s: %s", p.Lang().Said("cell", string(s.State)), p.Lang().Said("reason", s.Reason))
}

// Explain prints question, answer, contexts, and every score with its reason and the judge's replies.
func (p RunPrinter) Explain(w *app.Workbench, e experiments.Evaluation, id string) error {
	result, ok := e.Result(id)
	if !ok {
		return program.NotThere("question", id, "workbench dataset show "+e.Run.Setup.Dataset.String())
	}
	var question experiments.Question
	for _, q := range e.Questions {
		if q.ID == id {
			question = q
		}
	}
	explanation, err := app.Explain(p.Context, w, result.Scores)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(map[string]any{"run_id": e.Run.ID, "question": question, "result": result, "explanation": explanation})
	}
	p.Say("question   %s", program.Printable(question.Text))
	if question.Reference == "" && !question.Answerable {
		p.Say("reference  none: the documents do not answer the question")
	} else {
		p.Say("reference  %s", program.Printable(question.Reference))
	}
	if result.Failure != nil {
		p.Say("no answer  %s: %s", result.Failure.Cause, program.Printable(result.Failure.Message))
		if result.Retrieved != nil {
			p.Contexts(e.Run.Setup.Config, result.Retrieved.Hits)
		}
		return nil
	}
	if result.Answer == nil {
		p.Say("not answered yet")
		return nil
	}
	p.Say("answer     %s", program.Printable(result.Answer.Text))
	if result.Answer.Query != question.Text {
		p.Say("searched   %s", program.Printable(result.Answer.Query))
	}
	p.Contexts(e.Run.Setup.Config, result.Answer.Hits)
	said := wording.Catalogues()[string(p.Lang())]
	for i := range explanation.Scores { // a score that is missing has a code for a reason, which reports and pages say in words too
		if s := &explanation.Scores[i]; s.State != metrics.Scored {
			s.Reason = cmp.Or(said["reason."+s.Reason], said["word."+s.Reason], s.Reason)
		} else if covered, all, ok := strings.Cut(s.Reason, "/"); ok && metrics.CountsEvidence(s.Metric) {
			s.Reason = p.Lang().Text("%s of %s characters of the evidence", covered, all)
		}
	}
	for _, line := range explanation.Lines(string(p.Lang())) {
		p.Say("%s", program.Printable(line))
	}
	return nil
}

// Contexts prints the passages that an answer rests on. What a system elsewhere retrieved has an order and no score that anybody gave.
func (p RunPrinter) Contexts(c rag.Config, hits []rag.Hit) {
	for i, h := range hits {
		if !c.RetrievesHere() {
			p.Say("context %d  %s\n  %s", i+1, p.Place(h.Span), program.OneLine(h.Text, 300))
			continue
		}
		p.Say("context %d  %s  score %.4f\n  %s", i+1, p.Place(h.Span), h.Score, program.OneLine(h.Text, 300))
	}
}

// Place is where a context stands in its document; of an index that knows no places, the document only.
func (p RunPrinter) Place(s rag.Span) string {
	if s.Placed() {
		return s.String()
	}
	return strings.TrimSpace(s.DocID + " " + p.Lang().Text("(place unknown)"))
}
