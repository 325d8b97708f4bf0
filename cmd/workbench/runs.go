package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

type runsCmd struct {
	List      runsListCmd      `cmd:"" help:"List runs, newest first."`
	Show      runsShowCmd      `cmd:"" help:"Show a run, or everything behind the scores of one question."`
	Resume    runsResumeCmd    `cmd:"" help:"Go on with an interrupted or paused run."`
	Pause     runsPauseCmd     `cmd:"" help:"Ask a running run to pause after its present batch."`
	Cancel    runsCancelCmd    `cmd:"" help:"Ask a run to stop for good; what is done stays."`
	Retry     runsRetryCmd     `cmd:"" name:"retry-errors" help:"Ask again what ended in an error, in a child run."`
	Replicate runsReplicateCmd `cmd:"" help:"Ask and judge a finished run again, to tell change from noise."`
	Note      runsNoteCmd      `cmd:"" help:"Write a note beside a run."`
	Tag       runsTagCmd       `cmd:"" help:"Give a run tags, or take them away."`
	Views     runsViewsCmd     `cmd:"" help:"List the saved views of the list of runs, or change them."`
	Delete    runsDeleteCmd    `cmd:"" help:"Delete a run, or a sweep with its runs. The bill of its calls stays."`
	Prune     runsPruneCmd     `cmd:"" help:"Drop the raw replies of old calls, after saying what is lost."`
	Pin       runsPinCmd       `cmd:"" help:"Keep the replies of a run from being pruned."`
	Unpin     runsUnpinCmd     `cmd:"" help:"Let the replies of a run be pruned again."`
}

type runsListCmd struct {
	Experiment string   `help:"Only runs of this experiment."`
	Dataset    string   `help:"Only runs over this dataset."`
	Sweep      string   `help:"Only the runs of this sweep." placeholder:"RUN"`
	Tag        []string `help:"Only runs with this tag. Repeatable: all of them." placeholder:"TAG"`
	View       string   `help:"The list as it was saved under this name; other flags narrow it further." placeholder:"NAME"`
	Sweeps     bool     `help:"Fold the runs of a sweep into its row, with its best and the spread of all."`
	Sort       string   `help:"By a field or a parameter, as correctness or setup.retrieve.k; --sort=-FIELD for the largest first." placeholder:"FIELD"`
	All        bool     `help:"Also the runs that belong to another one, each below it: retries, votes, diagnoses, analyses."`
	Differing  bool     `help:"A column for each parameter that differs between these runs, instead of what sweeps set."`
	Limit      int      `help:"At most N runs, without those that belong to another one; 0 is all." default:"50" placeholder:"N"`
}

// listed is a run in `runs list --json`.
type listed struct {
	app.Summary
	experiments.Notes
	Kind      experiments.Kind     `json:"kind"`
	State     experiments.RunState `json:"state"`
	Cause     string               `json:"cause,omitempty"`
	SweepID   string               `json:"sweep_id,omitempty"`
	ParentID  string               `json:"parent_id,omitempty"`
	Children  int                  `json:"children"`        // runs that belong to it, and to those
	Group     *app.SweepGroup      `json:"group,omitempty"` // with --sweeps
	Corpus    string               `json:"corpus"`
	Dataset   string               `json:"dataset"`
	CreatedAt string               `json:"created_at"`
	Differing map[string]string    `json:"differing,omitempty"` // with --differing: what differs between the runs of the list
}

// Run lists.
func (c runsListCmd) Run(p *program) error {
	return p.reading(func(w *app.Workbench) error {
		query, columns, err := c.query(p, w)
		if err != nil {
			return err
		}
		runs, err := views.NewViews(w).Runs(p.ctx, query)
		if err == nil && c.All {
			runs.Items, err = views.NewViews(w).Unfolded(p.ctx, runs.Items)
		}
		if err != nil {
			return err
		}
		var differ views.Parameters
		if c.Differing || len(columns) > 0 {
			if differ, err = views.NewViews(w).Parameters(p.ctx, runs.Items); err != nil {
				return err
			}
		}
		if p.flags.JSON {
			return p.printJSON(listedRuns(runs.Items, differ))
		}
		if len(runs.Items) == 0 {
			p.say("none yet; start one with: workbench run EXPERIMENT")
			return nil
		}
		if len(columns) > 0 {
			differ.Differing = slices.DeleteFunc(differ.Differing, func(name string) bool { return !slices.Contains(columns, name) })
		}
		p.runs().runTable(runs.Items, differ, c.Differing || len(columns) > 0)
		return nil
	})
}

// query is what the flags ask for, and the parameters that a saved view has columns for.
func (c runsListCmd) query(p *program, w *app.Workbench) (q views.RunQuery, columns []string, err error) {
	if c.View != "" {
		v, err := w.Whole.RunView(p.ctx, c.View)
		if err != nil {
			return q, nil, err
		}
		if q, columns, err = views.SavedQuery(v); err != nil {
			return q, nil, err
		}
	}
	q.Experiment, q.Dataset, q.Sweep = cmp.Or(c.Experiment, q.Experiment), cmp.Or(c.Dataset, q.Dataset), cmp.Or(c.Sweep, q.Sweep)
	if c.Sweeps {
		q.Group = views.BySweep
	}
	q.Sort = cmp.Or(c.Sort, q.Sort)
	q.Tags, q.Limit = append(q.Tags, c.Tag...), pageOf(c.Limit).Limit
	return q, columns, nil
}

// listedRuns are runs for programs.
func listedRuns(runs []app.RunRow, differ views.Parameters) []listed {
	list := make([]listed, len(runs))
	for i, r := range runs {
		list[i] = listed{
			Summary: app.SummaryOf(r.RunHead), Notes: r.Notes, Kind: r.Kind, State: r.State, Cause: r.Cause, SweepID: r.SweepID,
			ParentID: r.ParentID, Children: r.Children, Corpus: r.Corpus.String(), Dataset: r.Dataset.String(),
			CreatedAt: r.CreatedAt.Format("2006-01-02T15:04:05Z"), Group: r.Group, Differing: differ.Runs[r.RunID],
		}
	}
	return list
}

// runTable prints runs; with differing, what differs between them stands in columns of its own.
func (p runPrinter) runTable(runs []app.RunRow, differ views.Parameters, differing bool) {
	header := []string{"RUN", "KIND", "CHILDREN", "STATE", "EXPERIMENT", "DATASET", "LOW", "CORRECTNESS", "TRUST", "STARTED (UTC)"}
	if differing {
		header = append(header, differ.Differing...)
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
		if r.Totals != nil {
			low = fmt.Sprintf("%d/%d", r.Totals.LowScoreCount, r.Totals.Questions)
		}
		correctness, trust, set := meanCell("correctness", r.Totals), meanCell("trust", r.Totals), params(r.RunHead)
		if r.Group != nil && r.Group.Best != "" {
			low, correctness, trust = spread(r, "low_score_count"), spread(r, "correctness"), spread(r, "trust")
			set = p.lang().text("best of %d: %s %s", r.Group.Runs, r.Group.Best, experiments.Describe(r.Group.Params))
		}
		rows[i] = []string{
			strings.Repeat("  ", r.Depth) + r.RunID, string(r.Kind), belonging(r.Children), string(r.State), r.Experiment,
			r.Dataset.String(), low, correctness, trust, r.CreatedAt.Format("01-02 15:04"),
		}
		if !differing {
			rows[i] = append(rows[i], set)
		} else {
			for _, name := range differ.Differing {
				rows[i] = append(rows[i], cmp.Or(differ.Runs[r.RunID][name], "-"))
			}
		}
		if tagged {
			rows[i] = append(rows[i], printable(strings.Join(r.Tags, ", ")))
		}
	}
	p.table(header, rows)
	if differing && len(differ.Differing) == 0 {
		p.say("no parameter differs between these runs")
	}
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
	return fmt.Sprintf("%s (%s … %s)", number(figure, s.Best), number(figure, s.From), number(figure, s.To))
}

// belonging is how many runs belong to one.
func belonging(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// pageOf is the first part of a list, with at most so many items; 0 is everything.
func pageOf(limit int) listing.Page {
	if limit == 0 {
		limit = -1
	}
	return listing.Page{Limit: limit}
}

func params(r experiments.RunHead) string {
	if r.Kind == experiments.KindSweep {
		return ""
	}
	return experiments.Describe(r.Params)
}

type runsShowCmd struct {
	ID       string `arg:"" name:"run" help:"Run id, its beginning, or an experiment's name."`
	Question string `help:"Explain every score of this question." placeholder:"ID"`
	Bubbles  bool   `name:"multiples" help:"For a sweep: the bubble table of every configuration, side by side on one scale."`
	Bill     bool   `help:"Show what it cost by stage, purpose, model and question."`
}

// Run shows.
func (c runsShowCmd) Run(p *program) error {
	return p.reading(func(w *app.Workbench) error {
		run, err := w.FindRun(p.ctx, c.ID)
		if err != nil {
			return err
		}
		if c.Bill {
			return p.runs().bill(w, run)
		}
		if run.Kind == experiments.KindSweep {
			return p.runs().showSweep(w, run, c.Bubbles)
		}
		e, err := experiments.LoadEvaluation(p.ctx, w.Store, run.ID)
		if err != nil {
			return err
		}
		if c.Question != "" {
			return p.runs().explain(w, e, c.Question)
		}
		troubles, err := w.Whole.Troubles(p.ctx, run.ID)
		if err != nil {
			return err
		}
		written, err := w.Whole.Notes(p.ctx, []string{run.ID})
		if err != nil {
			return err
		}
		notes := written[run.ID]
		if p.flags.JSON {
			return p.printJSON(struct {
				experiments.Evaluation
				experiments.Notes
				Troubles []findings.Trouble `json:"troubles"`
			}{e, notes, findings.TroublesOf(troubles)})
		}
		if notes.Note != "" || len(notes.Tags) > 0 {
			p.writtenBeside(notes)
		}
		return p.runs().showRun(e, findings.TroublesOf(troubles))
	})
}

func (p runPrinter) showSweep(w *app.Workbench, sweep experiments.Run, bubbles bool) error {
	runs, err := w.SweepRuns(p.ctx, sweep.ID)
	if err != nil {
		return err
	}
	winner, err := app.Winner(runs)
	if err != nil {
		return problem.From(err).WithHint("workbench runs resume %s", sweep.ID)
	}
	if p.flags.JSON {
		list := make([]app.Summary, len(runs))
		for i, r := range runs {
			list[i] = app.Summarize(r)
		}
		return p.printJSON(list)
	}
	finished := runs[:0]
	for _, r := range runs {
		if r.Totals != nil {
			finished = append(finished, r)
		}
	}
	if bubbles {
		return p.multiples(w, finished)
	}
	p.sweeps().sweepTable(finished, winner)
	return p.sweeps().standing(w, finished)
}

func (p runPrinter) showRun(e experiments.Evaluation, troubles []findings.Trouble) error {
	r := e.Run
	p.say("run %s  %s  %s %s", r.ID, r.State, r.Setup.Experiment, experiments.Describe(r.Params))
	p.say("corpus %s, dataset %s, judge %s", orNone(r.Setup.Corpus.String()), r.Setup.Dataset, r.Setup.Judge.Model)
	if near := findings.SearchOf(e.Results); near.EN != "" {
		p.say("%s", printable(near.In(string(p.lang()))))
	}
	p.troubles(e, troubles)
	if r.Totals != nil {
		if err := p.results([]experiments.Run{r}, true); err != nil {
			return err
		}
		table, unscored := app.BubbleTable(e.Results, e.Run.Setup.LowScore)
		p.bubbles(table, unscored)
	}
	rows := [][]string{}
	for i, result := range e.Results {
		if result.Replicate > 0 {
			continue // the first vote stands for the question
		}
		if result.Failure != nil {
			rows = append(rows, []string{result.QuestionID, "failed: " + result.Failure.Cause, "", e.Questions[i].Text})
		} else if result.Low(r.Setup.LowScore) {
			rows = append(rows, []string{result.QuestionID, cell(result, "correctness"), cell(result, "trust"), e.Questions[i].Text})
		}
	}
	p.say("")
	p.say("%d questions failed or have a low score:", len(rows))
	p.table([]string{"QUESTION", "CORRECTNESS", "TRUST", "TEXT"}, rows)
	return nil
}

// troubles prints why a run stands still, how many cells have no score and why, and what went wrong with its calls.
func (p runPrinter) troubles(e experiments.Evaluation, troubles []findings.Trouble) {
	if e.Run.State != experiments.Finished && e.Run.Cause != "" {
		p.say("it stopped: %s (%s)", findings.CauseText(e.Run.Cause).In(string(p.lang())), e.Run.Cause)
	}
	totals := experiments.Total(e.Results, e.Run.Setup.LowScore)
	if without := totals.Coverage.Applicable - totals.Coverage.Scored; without > 0 && e.Run.State != experiments.Queued {
		causes := []string{}
		for _, cause := range slices.Sorted(maps.Keys(totals.Errors)) {
			causes = append(causes, fmt.Sprintf("%s %d", cause, totals.Errors[cause]))
		}
		p.say("%d of %d scores have no value: %s", without, totals.Coverage.Applicable, strings.Join(causes, ", "))
	}
	for _, t := range troubles {
		p.say("! %s", printable(t.Text.In(string(p.lang()))))
	}
}

// bubbles prints the counts behind the bubble chart, trust 5 on top.
func (p runPrinter) bubbles(table [5][5]int, unscored int) {
	p.say("")
	p.say("questions by trust (down) and correctness (across):")
	rows := make([][]string, 0, 5)
	for t := 4; t >= 0; t-- {
		row := []string{fmt.Sprintf("trust %d", t+1)}
		for c := range 5 {
			row = append(row, strconv.Itoa(table[t][c]))
		}
		rows = append(rows, row)
	}
	p.table([]string{"", "1", "2", "3", "4", "5"}, rows)
	if unscored > 0 {
		p.say("%d questions lack one of the two scores", unscored)
	}
}

func cell(r experiments.Result, metric string) string {
	s, ok := r.Score(metric)
	switch {
	case !ok:
		return "-"
	case s.State == metrics.Scored:
		return number(metric, s.Value)
	}
	return string(s.State) + ": " + s.Reason
}

// explain prints question, answer, contexts, and every score with its reason and the judge's replies.
func (p runPrinter) explain(w *app.Workbench, e experiments.Evaluation, id string) error {
	result, ok := e.Result(id)
	if !ok {
		return notThere("question", id, "workbench runs show "+e.Run.ID)
	}
	var question experiments.Question
	for _, q := range e.Questions {
		if q.ID == id {
			question = q
		}
	}
	explanation, err := app.Explain(p.ctx, w, result.Scores)
	if err != nil {
		return err
	}
	if p.flags.JSON {
		return p.printJSON(map[string]any{"run_id": e.Run.ID, "question": question, "result": result, "explanation": explanation})
	}
	p.say("question   %s", printable(question.Text))
	p.say("reference  %s", printable(question.Reference))
	if result.Failure != nil {
		p.say("no answer  %s: %s", result.Failure.Cause, printable(result.Failure.Message))
		if result.Retrieved != nil {
			p.contexts(result.Retrieved.Hits)
		}
		return nil
	}
	if result.Answer == nil {
		p.say("not answered yet")
		return nil
	}
	p.say("answer     %s", printable(result.Answer.Text))
	if result.Answer.Query != question.Text {
		p.say("searched   %s", printable(result.Answer.Query))
	}
	p.contexts(result.Answer.Hits)
	for _, line := range explanation.Lines() {
		p.say("%s", printable(line))
	}
	return nil
}

func (p runPrinter) contexts(hits []rag.Hit) {
	for i, h := range hits {
		p.say("context %d  %s  score %.4f\n  %s", i+1, p.place(h.Span), h.Score, oneLine(h.Text, 300))
	}
}

// place is where a context stands in its document; of an index that knows no places, the document only.
func (p runPrinter) place(s rag.Span) string {
	if s.Placed() {
		return s.String()
	}
	return strings.TrimSpace(s.DocID + " " + p.lang().text("(place unknown)"))
}

type runsResumeCmd struct {
	ID     string `arg:"" name:"run" help:"Run or sweep id, or its beginning."`
	Budget string `help:"Another budget from now on, what was spent included: an amount (2.50) or a number of calls (500calls)." placeholder:"AMOUNT"`
}

// Run resumes.
func (c runsResumeCmd) Run(p *program) error {
	budget, err := app.ParseBudget(c.Budget)
	if err != nil {
		return err
	}
	return p.with(func(w *app.Workbench) error {
		run, err := w.Store.Run(p.ctx, c.ID)
		if err != nil {
			return err
		}
		if c.Budget != "" {
			if err := w.SetBudget(p.ctx, run.ID, budget); err != nil {
				return err
			}
		}
		runs, err := w.Resume(p.ctx, run.ID)
		if err != nil {
			return p.runs().stopped(w, run.ID, err)
		}
		p.runs().cost(w, run)
		if err := p.runs().results(runs, len(runs) == 1); err != nil {
			return err
		}
		return covered(runs...)
	})
}

type runsPauseCmd struct {
	ID string `arg:"" name:"run" help:"Run id, or its beginning."`
}

// Run asks for a pause.
func (c runsPauseCmd) Run(p *program) error { return p.request(c.ID, experiments.Paused) }

type runsCancelCmd struct {
	ID string `arg:"" name:"run" help:"Run id, or its beginning."`
}

// Run asks for an end.
func (c runsCancelCmd) Run(p *program) error { return p.request(c.ID, experiments.Cancelled) }

func (p *program) request(id string, want experiments.RunState) error {
	return p.with(func(w *app.Workbench) error {
		run, err := w.Store.Run(p.ctx, id)
		if err != nil {
			return err
		}
		if err := w.Store.RequestState(p.ctx, run.ID, want, p.now().UTC()); err != nil {
			return err
		}
		p.say("run %s will be %s", run.ID, want)
		return nil
	})
}

type runsDeleteCmd struct {
	ID  string `arg:"" name:"run" help:"Run or sweep id, or its beginning."`
	Yes bool   `help:"Do not ask." short:"y"`
}

// Run deletes, after asking.
func (c runsDeleteCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		run, err := w.Store.Run(p.ctx, c.ID)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%s run %s (%s, %s)", run.Kind, run.ID, run.Setup.Experiment, run.State)
		if ok, err := p.confirm(c.Yes, "Delete "+what+" with all its answers and scores"); err != nil || !ok {
			return err
		}
		if err := w.Store.DeleteRun(p.ctx, run.ID); err != nil {
			return err
		}
		p.say("deleted %s", what)
		return nil
	})
}
