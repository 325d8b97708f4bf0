package studies

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Runs loads finished runs as a run cell publishes them.
func (n *NotebookEngine) Runs(ctx context.Context, bought []notebooks.BoughtRun) (document.RunSet, error) {
	out := document.RunSet{Count: len(bought)}
	var runs []experiments.Run
	for _, b := range bought {
		run, err := n.W.Store.Run(ctx, b.ID)
		if err != nil {
			return out, err
		}
		if run.State != experiments.Finished {
			return out, problem.New(problem.Conflict, "run_unfinished", "run %s is %s", run.ID, run.State).
				WithHint("workbench runs resume %s", run.ID)
		}
		children, err := n.votes(ctx, run)
		if err != nil {
			return out, err
		}
		r := cellRun(run, b.Label)
		for _, c := range children {
			if c.State == experiments.Finished {
				r.Votes++
				r.Chain = shortHash(r.Chain + c.Chain)
			}
		}
		out.Runs, runs = append(out.Runs, r), append(runs, run)
	}
	if len(runs) == 0 {
		return out, problem.New(problem.NotFound, "no_runs", "the cell has no runs")
	}
	out.First = &out.Runs[0]
	best, err := app.Winner(runs)
	for i := range out.Runs {
		if out.Runs[i].ID == best.ID {
			out.Best = &out.Runs[i]
		}
	}
	return out, err
}

func cellRun(run experiments.Run, label string) document.Run {
	if label == "" {
		if label = experiments.Describe(run.Params); label == "" {
			label = run.Setup.Experiment
		}
	}
	out := document.Run{ID: run.ID, Label: label, Chain: run.Chain, Votes: 1, Scores: map[string]float64{}, Offline: run.Setup.ByOffline()}
	if t := run.Totals; t != nil {
		out.Questions, out.LowScores, out.Coverage = t.Questions, t.LowScoreCount, t.Coverage.Share()
		for id, m := range t.Scores {
			out.Scores[id] = m.Mean
		}
	}
	return out
}

// Compare sets two runs side by side.
func (n *NotebookEngine) Compare(ctx context.Context, baseline, candidate string, limits document.Limits) (document.Comparison, error) {
	if err := named(candidate); err != nil {
		return document.Comparison{}, err
	}
	rules, err := askedByCell(limits).Rules()
	if err != nil {
		return document.Comparison{}, err
	}
	c, both, err := n.W.Compare(ctx, baseline, candidate)
	if err != nil {
		return document.Comparison{}, err
	}
	found, err := reporting.Findings(ctx, n.W, c, both, rules)
	if err != nil {
		return document.Comparison{}, err
	}
	out := document.Comparison{
		Baseline: cellRun(both[0].Run, ""), Candidate: cellRun(both[1].Run, ""), Matched: c.Matched, LowBefore: c.LowBefore,
		LowAfter: c.LowAfter, LowUntold: c.Matched > 0 && (c.RatedBefore == 0 || c.RatedAfter == 0),
		Metrics: map[string]document.Change{}, Sentences: notebookWords(found), Headline: wordsOf(found.Headline),
		Found: foundParts(found),
	}
	for id, m := range c.Metrics {
		out.Metrics[id] = document.Change{Baseline: m.Baseline, Candidate: m.Candidate, Diff: stats.Difference(m.Baseline, m.Candidate)}
	}
	out.Answers = comparedRows(c)
	for word, counted := range map[compare.Label]*document.Counted{
		compare.Worse: &out.Worse, compare.Mixed: &out.Mixed, compare.NeedsCheck: &out.NeedsCheck, compare.Better: &out.Better,
	} {
		counted.Count, counted.Questions = c.VerdictCounts.Of(word), []string{}
		for _, v := range c.With(word) {
			counted.Questions = append(counted.Questions, v.QuestionID)
		}
	}
	return out, nil
}

// comparedRows are the questions of a comparison as a table: verdict, the metric that decided, its means over votes, and the remark.
// Where questions have votes, noise is the change that one question makes by chance, and the interval is the difference give or take it.
func comparedRows(c compare.Comparison) [][]any {
	out := [][]any{}
	for _, v := range c.Verdicts {
		d := v.Decider()
		verdict := string(v.Verdict)
		if v.Verdict == compare.NoChange {
			verdict = "same"
		}
		diff := d.Candidate - d.Baseline
		var low, high, noise any
		if g := c.Metrics[d.Metric].Guard; g != nil && g.Pairs > 0 {
			low, high, noise = diff-g.SameQuestion, diff+g.SameQuestion, g.SameQuestion
		}
		out = append(out, []any{v.QuestionID, verdict, d.Metric, d.Baseline, d.Candidate, diff, low, high, noise, orNil(string(v.Detail))})
	}
	return out
}

// Found says what came of a run by itself.
func (n *NotebookEngine) Found(ctx context.Context, run string) (document.Report, error) {
	if err := named(run); err != nil {
		return document.Report{}, err
	}
	e, err := n.W.Evaluation(ctx, run)
	if err != nil {
		return document.Report{}, err
	}
	found, err := reporting.FindingsAlone(ctx, n.W, e)
	return document.Report{Headline: wordsOf(found.Headline), Summary: notebookWords(found), Found: foundParts(found)}, err
}

// notebookWords are the sentences of the findings as one text.
func notebookWords(f findings.Findings) document.Words {
	return document.Words{
		EN: strings.Join(f.Open(findings.Notebook, "en").Sentences, " "), JA: strings.Join(f.Open(findings.Notebook, "ja").Sentences, ""),
	}
}

// foundParts are the parts of the findings as cells publish them.
func foundParts(f findings.Findings) []document.Found {
	out := []document.Found{}
	for _, p := range f.Parts() {
		part := document.Found{Name: p.Name, Title: wordsOf(p.Title)}
		for _, l := range p.Lines {
			part.Lines = append(part.Lines, wordsOf(l))
		}
		out = append(out, part)
	}
	return out
}

func wordsOf(t findings.Text) document.Words { return document.Words{EN: t.EN, JA: t.JA} }

// named refuses the pinned baseline where a run must be named.
func named(run string) error {
	if run == "" {
		return problem.New(problem.Invalid, "run_unnamed", "pinned stands only for a baseline").WithHint("name a run cell, or run:ID")
	}
	return nil
}

// Failures lists the low-score answers of a run.
func (n *NotebookEngine) Failures(ctx context.Context, run string, limit int) (document.Failures, error) {
	if err := named(run); err != nil {
		return document.Failures{}, err
	}
	e, err := n.W.Evaluation(ctx, run)
	if err != nil {
		return document.Failures{}, err
	}
	out := document.Failures{Run: cellRun(e.Run, ""), Threshold: e.Run.Setup.LowScore, Answers: []document.Answer{}}
	rule := e.Run.Setup.LowRule()
	if rule.Own {
		out.Line = wordsOf(findings.LowText(rule))
		for _, line := range rule.Said() {
			out.By = append(out.By, document.LowMetric{ID: line.Metric, Name: wordsOf(findings.MetricTitle(line.Metric))})
		}
	}
	out.Bubbles, _ = app.BubbleTable(e.Results, e.Run.Setup.LowScore)
	standing, _ := experiments.Standing(e.Results)
	asked := questionsByID(e)
	rated := false
	for _, r := range standing {
		out.Questions++
		rated = rated || r.Rated(rule)
		if r.Low(rule) {
			out.Count++
			answer := answerOf(asked[r.QuestionID], r)
			for _, line := range rule.Said() {
				if v, ok := r.Value(line.Metric); ok {
					answer.Scores = scoreIn(answer.Scores, line.Metric, v)
				}
			}
			out.Answers = append(out.Answers, answer)
		}
	}
	out.Untold = !rated && out.Questions > 0 && rule.Unsaid
	if rule.Own {
		slices.SortStableFunc(out.Answers, func(a, b document.Answer) int { return cmp.Compare(lowestBy(a, rule), lowestBy(b, rule)) })
		out.Answers = out.Answers[:min(len(out.Answers), max(0, limit))]
		return out, nil
	}
	slices.SortStableFunc(out.Answers, func(a, b document.Answer) int {
		x, y := lowness(a), lowness(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	out.Answers = out.Answers[:min(len(out.Answers), max(0, limit))]
	return out, nil
}

func questionsByID(e experiments.Evaluation) map[string]experiments.Question {
	out := make(map[string]experiments.Question, len(e.Questions))
	for _, q := range e.Questions {
		out[q.ID] = q
	}
	return out
}

// scoreIn sets a score in a map that may not be there yet.
func scoreIn(scores map[string]float64, metric string, v float64) map[string]float64 {
	if scores == nil {
		scores = map[string]float64{}
	}
	scores[metric] = v
	return scores
}

// lowestBy is the score of the first metric that a run calls low, the worst first whichever way is better.
func lowestBy(a document.Answer, rule experiments.LowRule) float64 {
	for _, line := range rule.Said() {
		v, ok := a.Scores[line.Metric]
		switch {
		case !ok:
		case line.Above:
			return -v
		default:
			return v
		}
	}
	return math.Inf(1)
}

func lowness(a document.Answer) float64 {
	sum := 0.0
	for _, v := range []*float64{a.Correctness, a.Trust} {
		if v != nil {
			sum += *v
		} else {
			sum += 5
		}
	}
	return sum
}

func answerOf(q experiments.Question, r experiments.Result) document.Answer {
	out := document.Answer{ID: q.ID, Question: q.Text, Reference: q.Reference}
	if r.Answer != nil {
		out.Answer = r.Answer.Text
	}
	for metric, to := range map[string]**float64{"correctness": &out.Correctness, "trust": &out.Trust} {
		if v, ok := r.Value(metric); ok {
			*to = &v
		}
	}
	return out
}

// Answer is one question of a run with contexts and reasons.
func (n *NotebookEngine) Answer(ctx context.Context, run, question string) (document.Answer, error) {
	if err := named(run); err != nil {
		return document.Answer{}, err
	}
	e, err := n.W.Evaluation(ctx, run)
	if err != nil {
		return document.Answer{}, err
	}
	standing, _ := experiments.Standing(e.Results)
	for _, r := range standing {
		if r.QuestionID != question {
			continue
		}
		out := answerOf(questionsByID(e)[question], r)
		if r.Answer != nil {
			for _, h := range r.Answer.Hits {
				out.Contexts = append(out.Contexts, h.Text)
			}
		}
		for _, s := range r.Scores {
			if s.State == metrics.Scored && s.Reason != "" {
				out.Reasons = append(out.Reasons, document.Words{EN: s.Metric + ": " + s.Reason, JA: s.Metric + ": " + s.Reason})
			}
		}
		return out, nil
	}
	return document.Answer{}, problem.New(problem.NotFound, "question_unknown", "run %s has no question %q", e.Run.ID, question).
		With("question", question)
}

// askedByCell are the limits of a cell as a release check is asked for them.
func askedByCell(limits document.Limits) reporting.GateAsked {
	return reporting.AskedOf(&limits.Limits, compare.Setter{Where: compare.SetByCell, Name: limits.Cell})
}

// Gate decides.
func (n *NotebookEngine) Gate(ctx context.Context, baseline, candidate string, limits document.Limits) (document.Verdict, error) {
	rules, err := askedByCell(limits).Rules()
	if err != nil {
		return document.Verdict{}, err
	}
	r, err := reporting.Gate(ctx, n.W, baseline, candidate, rules)
	if err != nil {
		return document.Verdict{}, err
	}
	out := document.Verdict{Decision: string(r.Decision), Worse: r.Counts.Worse, Mixed: r.Counts.Mixed, Reasons: r.Reasons}
	for _, reason := range findings.GateReasons(r.GateResult) {
		out.Why = append(out.Why, document.Words{EN: reason.EN, JA: reason.JA})
	}
	if r.Caution != nil {
		out.Caution = document.Words{EN: r.Caution.EN, JA: r.Caution.JA}
	}
	return out, nil
}

// effectOf is what the repair of the part that is named first would change, such as "retrieve.k 2 → 6"; nil without one. Tables that queries read have ids.
func effectOf(d causes.Diagnosis) any {
	i := slices.IndexFunc(d.Repairs, func(r causes.Repair) bool { return r.Component == d.Component && r.Param != "" })
	if i < 0 {
		return nil
	}
	r := d.Repairs[i]
	return r.Param + " " + causes.Written(r.From) + " → " + causes.Written(r.To)
}

// documentOf is the document that holds what the answer needed; nil where it is not known.
func documentOf(d causes.Diagnosis) any {
	if len(d.Evidence) == 0 {
		return nil
	}
	return orNil(d.Evidence[0].DocID)
}

// Causes loads the newest diagnosis of a run.
func (n *NotebookEngine) Causes(ctx context.Context, run, method string) (document.CauseSet, error) {
	r, err := analyses.CauseReport(ctx, n.W, run, causes.CauseMethod(method))
	if err != nil {
		return document.CauseSet{}, err
	}
	out := document.CauseSet{
		RunID: r.RunID, Method: string(r.Method), LowScores: r.LowScores, Diagnosed: r.Diagnosed, Counts: []document.CauseCount{},
		Summary: document.Words{EN: r.Summary.In("en"), JA: r.Summary.In("ja")},
	}
	for _, fact := range r.Facts {
		out.Facts = append(out.Facts, document.Words{EN: fact.In("en"), JA: fact.In("ja")})
	}
	for _, d := range r.Diagnoses {
		out.Answers = append(out.Answers, []any{d.QuestionID, r.RunID, string(d.Component), string(d.Method), string(d.Certainty),
			d.Confidence, d.Standing() == causes.StandsTested, effectOf(d), documentOf(d)})
	}
	for _, c := range r.Counts {
		out.Counts = append(out.Counts, document.CauseCount{Component: string(c.Component),
			Name: document.Words{EN: c.Component.Word("en"), JA: c.Component.Word("ja")}, Count: c.Count,
			Probable: c.Stands[causes.StandsProbable]})
	}
	if len(out.Counts) > 0 && r.Counts[0].Known() {
		out.Top = &out.Counts[0]
	}
	for i, change := range r.Recommendations {
		if change.Applies {
			out.Recommendations = append(out.Recommendations, document.Recommended{Number: i + 1,
				Name:   analyses.RecommendationName(change),
				Change: document.Words{EN: change.Words("en"), JA: change.Words("ja")}, Repairs: len(change.Heals)})
		}
	}
	if len(r.Recommendations) > 0 {
		top := r.Recommendations[0]
		out.Change, out.Repairs = document.Words{EN: top.Words("en"), JA: top.Words("ja")}, len(top.Heals)
		came := top.Came()
		out.Told = document.Words{EN: came.EN, JA: came.JA}
	}
	return out, nil
}
