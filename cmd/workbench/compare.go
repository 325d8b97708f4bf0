package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
)

type compareCmd struct {
	Runs   []string `arg:"" help:"BASELINE CANDIDATE; CANDIDATE alone; BASELINE and up to five others; or two files of scores."`
	Worst  int      `help:"Show the N worst answers." default:"10" placeholder:"N"`
	Ask    string   `name:"question" help:"Show what changed for this question: contexts, answer, scores." placeholder:"ID"`
	Anchor []string `name:"anchors" help:"Two runs over answers that never change, or one with replicates: they tell a judge's drift." placeholder:"RUN"`
	Only   []string `help:"List only answers with this verdict: worse, mixed, needs_check, no_change, better. Repeatable." placeholder:"LABEL"`
	verifyFlags
	fileFlags
}

// Help shows examples.
func (compareCmd) Help() string {
	return `CANDIDATE alone is compared with the pinned baseline; up to five others stand side by side with BASELINE. Runs are named by their
ids, the beginnings of these, or experiments (newest finished run); files of scores come from any tool.

Questions are matched by id, or by text where ids changed, and must have an equal reference. Each gets one of five verdicts:
worse, mixed, needs check, no change, better. Correctness decides and trust guards it, unless the experiment says otherwise
(decide_by). Where generator and judge are deterministic one vote settles a verdict; otherwise a difference of one vote needs a
check, until replicates of the question decide.

Examples:
  workbench compare 3f2a 9c41
  workbench compare faq-old faq-new
  workbench compare 9c41                   against the pinned baseline
  workbench compare 3f2a 9c41 77d0         side by side: the verdict of each against the first
  workbench compare faq-old faq-new --question q17     contexts and answers side by side
  workbench compare faq-old faq-new --json --only worse
  workbench compare faq-old faq-new --verify --plan    what checking would cost; without --plan it checks

Two files (.csv, .tsv, .jsonl, .json, .xlsx) with a column id, optionally replicate, and one column of numbers for each
metric are compared without a data directory; so are result files of Ragas, DeepEval, promptfoo, RAGChecker, MLflow and
Langfuse, as they are. Their scores decide; no judge of ours is asked.
  workbench compare old.csv new.csv
  workbench compare ragas-april.csv ragas-may.csv

Exit codes: 0 done, 5 checking stopped early, 6 not comparable.`
}

// Run compares.
func (c compareCmd) Run(p *program) error {
	if scoreFiles(c.Runs) {
		return c.files(p)
	}
	if len(c.Runs) > 2 {
		return c.beside(p)
	}
	rules, err := c.verifyFlags.rules()
	if err != nil {
		return err
	}
	baseline, candidate := "", c.Runs[len(c.Runs)-1]
	if len(c.Runs) == 2 {
		baseline = c.Runs[0]
	}
	open := p.reading
	if c.Verify {
		open = p.with // it buys
	}
	return open(func(w *app.Workbench) error {
		if done, err := c.verify(p, w, baseline, candidate, rules); done || err != nil {
			return err
		}
		comparison, both, err := app.CompareInShort(p.ctx, w, baseline, candidate, c.Anchor...)
		if err != nil {
			return err
		}
		if c.Ask != "" {
			return p.comparisons().compareQuestion(comparison, both, c.Ask)
		}
		if err := onlyLabels(&comparison, c.Only); err != nil {
			return err
		}
		for _, warning := range comparison.Warnings {
			p.warn("%s", warning)
		}
		p.comparisons().notCompared(comparison)
		if len(c.Only) > 0 && !p.flags.JSON {
			p.comparisons().listed(comparison, both, comparison.Verdicts, c.Worst)
			return nil
		}
		return c.print(p, w, comparison, both)
	})
}

// notCompared names the metrics that could not be compared, in one line for each reason.
func (p comparisonPrinter) notCompared(c compare.Comparison) {
	metrics, reasons := map[string][]string{}, []string{}
	for _, e := range c.Excluded {
		why := e.Note.Text(string(p.lang()))
		if metrics[why] == nil {
			reasons = append(reasons, why)
		}
		metrics[why] = append(metrics[why], e.Metric)
	}
	for _, why := range reasons {
		if list := metrics[why]; len(list) == 1 {
			p.warn("%s is not compared: %s", list[0], why)
		} else {
			p.warn("%d metrics are not compared: %s: %s", len(list), why, strings.Join(list, ", "))
		}
	}
}

// print says what came of a comparison.
func (c compareCmd) print(p *program, w *app.Workbench, comparison compare.Comparison, both [2]experiments.Evaluation) error {
	found, err := reporting.Findings(p.ctx, w, comparison, both)
	if err != nil {
		return err
	}
	if p.flags.JSON {
		return p.printJSON(struct {
			Baseline  string `json:"baseline"`
			Candidate string `json:"candidate"`
			compare.Comparison
			Sentences findings.Sentences `json:"sentences"`
			Findings  findings.Findings  `json:"findings"`
		}{comparison.Baseline.ID, comparison.Candidate.ID, comparison, found.Said(), found})
	}
	p.say("baseline %s (%s), candidate %s (%s)", comparison.Baseline.ID, nameOf(comparison.Baseline), comparison.Candidate.ID,
		nameOf(comparison.Candidate))
	p.comparisons().opening(found.Open(findings.CommandText, string(p.lang())))
	p.comparisons().verdicts(comparison)
	p.comparisons().changeTable(comparison)
	p.comparisons().why(comparison)
	if err := p.causes().causeChanges(w, both); err != nil {
		return err
	}
	p.comparisons().worseAnswers(comparison, both, c.Worst)
	c.verifyHint(p, comparison)
	p.runs().judgeBadge(comparison.Candidate)
	return nil
}

// said says in words what came of a comparison, without what analyses and people add.
func (p comparisonPrinter) said(w *app.Workbench, c compare.Comparison, both [2]experiments.Evaluation) {
	p.opening(reporting.Said(p.ctx, w, c, both).Open(findings.CommandText, string(p.lang())))
}

// opening says in words what came of a comparison.
func (p comparisonPrinter) opening(o findings.Opening) {
	p.say("%s", printable(o.Headline))
	for _, sentence := range o.Sentences {
		p.say("%s", printable(sentence))
	}
}

// verdicts counts the questions by the five words, and says what decided.
func (p comparisonPrinter) verdicts(c compare.Comparison) {
	n := c.VerdictCounts
	ties := ""
	if c.TieBreaks > 0 {
		ties = p.lang().text(" (%s by looking at both answers together, where grades tie; %s by comparing them in both orders)", p.lang().
			many(c.TieBreaks, "question"), p.lang().many(c.ByBothOrders, "question"))
	}
	p.say("By %s: %d worse, %d mixed, %d need a check, %d without change, %d better%s.",
		p.lang().decided(c), n.Worse, n.Mixed, n.NeedsCheck, n.NoChange, n.Better, ties)
}

func (p comparisonPrinter) changeTable(c compare.Comparison) {
	var rows [][]string
	for _, s := range c.Baseline.Setup.Suite {
		m, ok := c.Metrics[s.ID]
		if !ok {
			continue
		}
		interval := "-"
		if m.CI95 != nil {
			interval = fmt.Sprintf("%+.3f … %+.3f", m.CI95[0], m.CI95[1])
		}
		n := c.Counts[s.ID]
		rows = append(rows, []string{
			s.ID + lowerMark(s.LowerIsBetter), number(s.ID, m.Baseline), number(s.ID, m.Candidate), fmt.Sprintf("%+.3f", m.Diff), interval,
			strconv.Itoa(m.N),
			strconv.Itoa(n.Worse), strconv.Itoa(n.NeedsCheck), strconv.Itoa(n.NoChange), strconv.Itoa(n.Better),
		})
	}
	p.say("")
	p.runs().metricTable([]string{"METRIC", "BASELINE", "CANDIDATE", "DIFF", "95 % INTERVAL", "N", "FOR THE WORSE", "NOT SETTLED",
		"AS BEFORE",
		"FOR THE BETTER"}, rows)
}

type baselineCmd struct {
	Set   baselineSetCmd   `cmd:"" help:"Pin a finished run as the baseline of its dataset."`
	Show  baselineShowCmd  `cmd:"" help:"Show the pinned baselines."`
	Clear baselineClearCmd `cmd:"" help:"Unpin the baseline of a dataset."`
}

type baselineSetCmd struct {
	Run_       string `arg:"" name:"run" help:"Run id, its beginning, or an experiment's name."` //nolint:revive // Run is the verb
	Replicates int    `help:"Ask and judge again until every question has N votes: later comparisons then need fewer. 3 is recommended." placeholder:"N"`
	Plan       bool   `help:"With --replicates: show what that costs, and stop. Makes no call."`
}

// Run pins.
func (c baselineSetCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		if done, err := c.replicates(p, w); done || err != nil {
			return err
		}
		b, err := w.SetBaseline(p.ctx, c.Run_)
		if err != nil {
			return err
		}
		if p.flags.JSON {
			return p.printJSON(b)
		}
		p.say("run %s is the baseline of dataset %s", b.RunID, b.Dataset)
		return nil
	})
}

type baselineShowCmd struct{}

// Run shows.
func (baselineShowCmd) Run(p *program) error {
	return p.reading(func(w *app.Workbench) error {
		list, err := w.Store.Baselines(p.ctx)
		if err != nil {
			return err
		}
		if p.flags.JSON {
			return p.printJSON(list)
		}
		if len(list) == 0 {
			p.say("none; pin one with: workbench baseline set RUN")
			return nil
		}
		rows := make([][]string, len(list))
		for i, b := range list {
			rows[i] = []string{b.Dataset, b.RunID, b.SetAt.Format("2006-01-02 15:04")}
		}
		p.table([]string{"DATASET", "RUN", "SET (UTC)"}, rows)
		return nil
	})
}

type baselineClearCmd struct {
	Dataset string `arg:"" help:"Name of the dataset."`
}

// Run unpins.
func (c baselineClearCmd) Run(p *program) error {
	return p.with(func(w *app.Workbench) error {
		if err := w.Store.ClearBaseline(p.ctx, c.Dataset); err != nil {
			return err
		}
		p.say("dataset %s has no baseline any more; the run itself stays", c.Dataset)
		return nil
	})
}
