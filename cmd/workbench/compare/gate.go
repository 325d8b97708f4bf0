package compare

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	experimentsforeign "github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// GateCmd is the verb gate.
type GateCmd struct {
	Runs []string `arg:"" help:"BASELINE CANDIDATE, or only CANDIDATE to hold it against the pinned baseline. Run ids, their beginnings, or experiment names. Or two files of scores, or one with --min."`
	program.LimitFlags
	Strict   bool   `help:"End with code 4 when the release check is inconclusive."`
	JUnit    string `help:"Write JUnit XML to this file; - writes it to standard output in place of the text." name:"junit" placeholder:"FILE"`
	Markdown string `help:"Write a comment for a pull request to this file; - writes it to standard output in place of the text." placeholder:"FILE"`
	verifyFlags
	fileFlags
}

// Help shows examples.
func (GateCmd) Help() string {
	return `The release check: PASS, FAIL or INCONCLUSIVE, with reasons. It fails on a threshold that is not reached, a mean (correctness and trust,
else the first metric) that is worse by more than the margin, a critical question that is worse, too many worse answers, or a
tag that is worse. It passes only when 98% of the answers have scores on both sides. A score that only the
candidate lacks counts as the worst one; one that the baseline lacks shows no fall and counts in that share alone.
Questions that one run alone was asked, because the other was over a part of them (--limit, --filter), count as missing.
Questions that the candidate's dataset dropped or changed since the baseline are named and count in no share; a critical one among them makes it
INCONCLUSIVE.

Examples:
  workbench gate faq                                       against the pinned baseline
  workbench gate faq-old faq-new --min 'faithfulness >= 0.85' --junit gate.xml
  workbench gate faq --verify --budget 2.50                check what is in doubt first
  workbench gate old.csv new.csv --strict --markdown gate.md

Exit codes: 0 PASS, or INCONCLUSIVE without --strict; 3 FAIL; 4 INCONCLUSIVE with --strict; 5 less than 95% scored;
6 not comparable.`
}

// Run decides.
func (c GateCmd) Run(p *program.Program) error {
	asked, err := c.Asked("gate")
	if err != nil {
		return err
	}
	rules, err := asked.Rules()
	if err != nil {
		return err
	}
	if err := c.oneOutput(p); err != nil {
		return err
	}
	var view reporting.GateView
	planned := false
	if scoreFiles(c.Runs) {
		view.GateResult, err = c.ofFiles(p, rules)
	} else {
		view, planned, err = c.ofRuns(p, rules)
	}
	if err != nil || planned {
		return err
	}
	if err := c.print(p, view); err != nil {
		return err
	}
	return c.verdict(p, view.GateResult)
}

func (c GateCmd) ofFiles(p *program.Program, rules compare.GateRules) (compare.GateResult, error) {
	if err := c.noFiles(); err != nil {
		return compare.GateResult{}, err
	}
	if len(c.Runs) == 1 {
		table, err := experimentsforeign.ReadScores(c.Runs[0], c.reading(0))
		if err == nil {
			err = c.reading(0).CheckMapped(table)
		}
		if err != nil {
			return compare.GateResult{}, err
		}
		for _, n := range compare.ReadBeside(table) {
			p.Note("note: %s", program.Printable(n.Text(string(p.Lang()))))
		}
		for _, n := range compare.ReadingNotes(table) {
			p.Warn("%s", program.Printable(n.Text(string(p.Lang()))))
		}
		return reporting.DecideFiles(compare.TableGate(table), rules)
	}
	comparison, err := c.compared("gate", c.Runs)
	if err != nil {
		return compare.GateResult{}, err
	}
	fileWarnings(p, comparison)
	return reporting.DecideFiles(compare.FileGate(comparison), rules)
}

func (c GateCmd) ofRuns(p *program.Program, rules compare.GateRules) (view reporting.GateView, planned bool, err error) {
	if len(c.Runs) > 2 {
		return view, false, problem.New(problem.Invalid, "usage", "gate takes one or two runs, not %d", len(c.Runs)).
			WithHint("workbench gate --help")
	}
	baseline, candidate := "", c.Runs[len(c.Runs)-1]
	if len(c.Runs) == 2 {
		baseline = c.Runs[0]
	}
	bounds, err := c.verifyFlags.rules()
	if err != nil {
		return view, false, err
	}
	open := p.Reading
	if c.Verify {
		open = p.With // it buys
	}
	err = open(func(w *app.Workbench) error {
		if planned, err = c.verify(p, w, baseline, candidate, bounds); planned || err != nil {
			return err
		}
		view, err = reporting.Gate(p.Context, w, baseline, candidate, rules)
		return err
	})
	return view, planned, err
}

// standardOutput is how a file option names standard output.
const standardOutput = "-"

// oneOutput refuses two things that would stand in each other on standard output.
func (c GateCmd) oneOutput(p *program.Program) error {
	var asked []string
	for _, one := range []struct {
		flag string
		is   bool
	}{{"--json", p.Flags.JSON}, {"--junit -", c.JUnit == standardOutput}, {"--markdown -", c.Markdown == standardOutput}} {
		if one.is {
			asked = append(asked, one.flag)
		}
	}
	if len(asked) < 2 {
		return nil
	}
	return problem.New(problem.Invalid, "usage", "only one of these can be written to standard output: %s", strings.Join(asked, ", ")).
		WithHint("name a file for the others")
}

// writeTo writes to the file of an option, if there is one, or to standard output.
func writeTo(p *program.Program, file string, write func(io.Writer) error) error {
	switch file {
	case "":
		return nil
	case standardOutput:
		return write(p.Stdout)
	}
	return program.WriteWhole(file, write)
}

func (c GateCmd) print(p *program.Program, view reporting.GateView) error {
	r := view.GateResult
	if err := writeTo(p, c.JUnit, func(w io.Writer) error { return r.WriteJUnit(w, p.Written(), c.Strict) }); err != nil {
		return err
	}
	if err := writeTo(p, c.Markdown, func(w io.Writer) error { return r.WriteMarkdown(w, p.Written()) }); err != nil {
		return err
	}
	if c.JUnit == standardOutput || c.Markdown == standardOutput {
		return nil
	}
	if p.Flags.JSON {
		if scoreFiles(c.Runs) { // nothing ran here
			return p.PrintJSON(r)
		}
		return p.PrintJSON(view)
	}
	lang := string(p.Lang())
	p.Say("%s", compare.DecisionWord(r.Decision, lang))
	p.Say("%s", program.Printable(r.Between(lang)))
	for _, sentence := range r.SaidIn(lang) {
		p.Say("%s", program.Printable(sentence))
	}
	widest := program.ColumnsOf(compare.DecisionWord(stats.Inconclusive, lang))
	for _, check := range r.Checks {
		word := compare.DecisionWord(check.Decision, lang)
		p.Say("  %s%s %s", word, strings.Repeat(" ", widest-program.ColumnsOf(word)), program.Printable(check.Text(lang)))
	}
	if len(r.Preset) > 0 {
		p.Say("to set limits of your own, for example: %s", p.Lang().List(limitOptions(p.Lang(), r)))
	}
	if len(r.Worse) > 0 {
		rows := [][]string{}
		for _, q := range r.Worse[:min(len(r.Worse), 10)] {
			var marks []string
			if q.Critical {
				marks = []string{p.Lang().Format("critical")}
			}
			row := []string{q.ID, p.Lang().Metric(q.Metric), strconv.FormatFloat(q.Baseline, 'g', 4, 64),
				strconv.FormatFloat(q.Candidate, 'g', 4, 64), p.Lang().Parts(marks)}
			if q.ByTie != "" { // the grades are equal: they decided nothing
				row = []string{q.ID, p.Lang().Text("statements"), "-", "-",
					p.Lang().Parts(append(marks, program.Printable(q.Decided(lang))))}
			}
			rows = append(rows, row)
		}
		p.Say("")
		p.Table([]string{"QUESTION", "METRIC", "BASELINE", "CANDIDATE", ""}, rows)
		if more := len(r.Worse) - 10; more > 0 {
			p.Say("%d more; --json lists them all", more)
		}
	}
	return nil
}

// limitOptions are the options that set the limits that nobody set, each with what it limits.
func limitOptions(l program.Language, r compare.GateResult) (options []string) {
	limits := r.Preset
	if !slices.ContainsFunc(r.Checks, func(c compare.GateCheck) bool { return c.Name == "threshold" }) {
		limits = append(slices.Clone(limits), "min")
	}
	for _, name := range limits {
		options = append(options, map[string]string{
			"margin":    l.Text("%s (a mean may get worse by less than 3%% of its scale)", "--margin 3%"),
			"allowance": l.Text("%s (at most 5%% of the answers may be worse)", "--allowance 5%"),
			"min":       l.Text("%s (the candidate's own mean)", "--min '"+decidingMetric(r)+" >= VALUE'"),
		}[name])
	}
	return options
}

// decidingMetric is the metric of which an example speaks: the first that decided, or where only thresholds were looked at, theirs.
func decidingMetric(r compare.GateResult) string {
	for _, c := range r.Checks {
		if c.Metric != "" {
			return program.Printable(c.Metric)
		}
	}
	return "correctness"
}

// verdict turns the result into the end of the command.
func (c GateCmd) verdict(p *program.Program, r compare.GateResult) error {
	switch r.Outcome() {
	case compare.OutcomeFail:
		return program.ExitError(program.ExitGateFail)
	case compare.OutcomeIncomplete:
		missing := problem.New(problem.Incomplete, "coverage", "%s",
			p.Lang().Text("%d of %d scores are there in baseline and candidate", r.Scored, r.Questions))
		if r.Unasked() > 0 {
			return missing.WithHint("%s",
				p.Lang().Text("let both runs ask the same questions, without --limit and --filter, and run the release check again"))
		}
		return missing.WithHint("%s", p.Lang().Text("score what is missing and run the release check again; "+
			"where a question has no answer, nothing can be scored"))
	case compare.OutcomeInconclusive:
		if c.Strict {
			return program.ExitError(program.ExitGateInconclusive)
		}
		p.SayUndecided(p.Flags.JSON || c.JUnit == standardOutput || c.Markdown == standardOutput)
	case compare.OutcomePass:
	}
	return nil
}
