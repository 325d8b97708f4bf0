package compare

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	experimentsforeign "github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// fileFlags say how two files of scores are read and compared.
type fileFlags struct {
	Metric        []string           `help:"Of two score files: compare only this column. Repeatable." placeholder:"NAME" group:"Score files:"`
	Lower         []string           `help:"Of two score files: less is better in this column. Repeatable." placeholder:"NAME" group:"Score files:"`
	Higher        []string           `help:"Of two score files: more is better in this column. Repeatable." placeholder:"NAME" group:"Score files:"`
	From          string             `help:"Of two score files: the tool that wrote them, where it is not recognised: ragas, deepeval, promptfoo, ragchecker, mlflow, langfuse, table." placeholder:"TOOL" group:"Score files:"`
	Variant       []string           `help:"Of results of several systems, prompts or providers: a part of the name of the one to read. Twice: that of the first file, then of the second." placeholder:"NAME" sep:"none" group:"Score files:"`
	Sheet         []string           `help:"Of workbooks of scores: the sheet to read; default the one that looks most like a table of scores. Twice: the sheet of the first file, then of the second." placeholder:"NAME" sep:"none" group:"Score files:"`
	Encoding      string             `help:"Of score files that are not in UTF-8: their encoding, such as CP932 or Windows-1252; default what their bytes say beyond doubt." placeholder:"NAME" group:"Score files:"`
	VoteColumns   string             `help:"Of score columns that differ by a number alone, such as faithfulness run 1, run 2: fold reads them as votes of one metric, apart as metrics of their own. Default: votes where their names leave no doubt." placeholder:"WAY" group:"Score files:"`
	Map           map[string]string  `help:"Of a tool's results: read a column or variable as a field, as ask=question. Repeatable." placeholder:"COLUMN=FIELD" group:"Score files:"`
	Value         map[string]float64 `help:"Of two score files: the number that a sign or word counts as, where people wrote such, as ○=1. Repeatable." placeholder:"SIGN=X" group:"Score files:"`
	Delta         map[string]float64 `help:"Of two score files: the smallest difference on one question that matters, as faithfulness=0.1." placeholder:"NAME=X" group:"Score files:"`
	Deterministic bool               `help:"Of two score files: asking again would give the same scores, so one of them settles a question." group:"Score files:"`
}

func (f fileFlags) rules() compare.FileRules {
	return compare.FileRules{Deterministic: f.Deterministic, Metrics: f.Metric, Lower: f.Lower, Higher: f.Higher, Deltas: f.Delta}
}

// reading says how the file at a place is read.
func (f fileFlags) reading(place int) experimentsforeign.ForeignOptions {
	return experimentsforeign.ForeignOptions{From: f.From, Variant: ofPlace(f.Variant, place), Sheet: ofPlace(f.Sheet, place),
		Encoding: f.Encoding, Columns: f.Map, Lower: f.Lower, Higher: f.Higher, VoteColumns: f.VoteColumns, Values: f.Value}
}

// ofPlace is what an option says of the file at a place: said once, it is meant for both.
func ofPlace(said []string, place int) string {
	if len(said) == 0 {
		return ""
	}
	return said[min(place, len(said)-1)]
}

// scoreFiles reports whether the arguments name files of scores rather than runs.
func scoreFiles(names []string) bool {
	return slices.ContainsFunc(names, isScoreFile)
}

func isScoreFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".jsonl", ".json", ".xlsx":
		return true
	}
	return false
}

// compared reads and compares two files. No data directory is opened.
func (f fileFlags) compared(verb string, names []string) (compare.FileComparison, error) {
	if len(names) != 2 || !isScoreFile(names[0]) || !isScoreFile(names[1]) {
		return compare.FileComparison{}, problem.New(problem.Invalid, "usage",
			"%s takes two runs or two files of scores, not one of each: %s", verb, strings.Join(names, " ")).
			WithHint("workbench %s old.csv new.csv", verb)
	}
	tables := make([]*experimentsforeign.ScoreTable, 2)
	for i, name := range names {
		var err error
		if tables[i], err = experimentsforeign.ReadScores(name, f.reading(i).Beside(name, names[1-i])); err != nil {
			return compare.FileComparison{}, err
		}
	}
	if err := f.reading(0).CheckMapped(tables...); err != nil {
		return compare.FileComparison{}, err
	}
	for _, said := range [][]string{f.Sheet, f.Variant} { // one file that holds both runs
		if names[0] == names[1] && ofPlace(said, 0) != ofPlace(said, 1) {
			for i, t := range tables {
				t.File += " [" + said[i] + "]"
			}
		}
	}
	return compare.CompareScores(tables[0], tables[1], f.rules())
}

// labelsOf turns words as people write them into labels.
func labelsOf(words []string) ([]compare.Label, error) {
	known := compare.Labels()
	out := make([]compare.Label, len(words))
	for i, word := range words {
		out[i] = compare.Label(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(word))))
		if !slices.Contains(known, out[i]) {
			return nil, problem.New(problem.Invalid, "label_unknown", "%q is no label", word).
				WithHint("labels are worse, mixed, needs check, no change and better")
		}
	}
	return out, nil
}

// onlyLabels keeps the questions of a comparison with one of these labels; all without any.
func onlyLabels(c *compare.Comparison, labels []compare.Label) {
	if len(labels) == 0 {
		return
	}
	c.Verdicts = c.With(labels...)
	left := map[string]bool{}
	for _, v := range c.Verdicts {
		left[v.QuestionID] = true
	}
	c.Questions = slices.DeleteFunc(c.Questions, func(q compare.QuestionChange) bool { return !left[q.QuestionID] })
	c.Triage = slices.DeleteFunc(c.Triage, func(t compare.Triage) bool { return !left[t.QuestionID] })
}

// files compares two files of scores.
func (c Cmd) files(p *program.Program) error {
	only, err := labelsOf(c.Only)
	if err != nil {
		return err
	}
	if err := c.noFiles(); err != nil {
		return err
	}
	if c.Ask != "" {
		return problem.New(problem.Invalid, "usage", "--question shows one question of runs; of files of scores it shows none").
			WithHint("compare the files without --question: the list names every question; or import both with `workbench import-results` and " +
				"compare the runs")
	}
	comparison, err := c.compared("compare", c.Runs)
	if err != nil {
		return err
	}
	fileWarnings(p, comparison)
	shown, most := comparison.Questions, c.Most
	if len(only) > 0 {
		shown, most = comparison.Only(only...), len(comparison.Questions)
	}
	if p.Flags.JSON {
		comparison.Questions = shown
		if len(only) > 0 {
			comparison.Verdicts = slices.DeleteFunc(comparison.Verdicts,
				func(v compare.QuestionVerdict) bool { return !slices.Contains(only, v.Verdict) })
		}
		return p.PrintJSON(comparison)
	}
	if len(only) == 0 {
		shown = comparison.Only(compare.Worse, compare.NeedsCheck)
	}
	fileSummary(p, comparison)
	fileTable(p, comparison)
	fileAnswers(p, shown, most)
	if len(only) > 0 && len(shown) == 0 {
		p.Say("")
		printing.Comparisons(p).NoneOf(only, comparison.VerdictCounts)
	}
	return nil
}

func fileWarnings(p *program.Program, c compare.FileComparison) {
	japanese := p.Lang() == program.Japanese
	warnings, notes := c.Warnings, c.Notes
	if japanese {
		warnings, notes = c.WarningsJA, c.NotesJA
	}
	for _, n := range notes {
		p.Note("note: %s", program.Printable(n))
	}
	for _, warning := range warnings {
		p.Warn("%s", program.Printable(warning))
	}
	for _, e := range c.Excluded {
		why := e.Why
		if japanese {
			why = e.WhyJA
		}
		p.Warn("%s is not compared: %s", program.Printable(p.Lang().Metric(e.Metric)), program.Printable(why))
	}
}

// fileSummary says in words what changed and how sure that is.
func fileSummary(p *program.Program, c compare.FileComparison) {
	p.Say("baseline %s, candidate %s: %d questions in both", program.Printable(c.Baseline), program.Printable(c.Candidate), c.Matched)
	p.Say("by %s: %s", p.Lang().Decided(c.DecideBy),
		printing.VerdictCountsOf(p.Lang(), c.VerdictCounts, c.DecideBy, c.Verdicts))
	single := 0
	for _, m := range c.Metrics {
		n := m.Counts
		p.Say("%s: %d worse, %d need a check%s, %d better, %d without change%s.", program.Printable(p.Lang().Metric(m.ID)), n.Worse,
			n.NeedsCheck, leaning(p, m), n.Better, n.NoChange, sureness(p, m))
		if m.Method == "one_score" && n.NeedsCheck > 0 {
			single++
		}
	}
	if single > 0 {
		p.Say("%s", compare.OneScore(string(p.Lang())))
	}
	if exact := c.Exact(); exact != nil {
		p.Say("%s", exact.Text(string(p.Lang())))
	}
}

// leaning says which way those that need a check moved.
func leaning(p *program.Program, m compare.FileMetric) string {
	if m.Counts.NeedsCheck == 0 || m.Undirected {
		return ""
	}
	return printing.Leaning(p.Lang(), m.CheckBetter, m.CheckWorse)
}

// scaleNote says in the language of the program where the scale of a metric comes from.
func scaleNote(p *program.Program, m compare.FileMetric) string {
	if p.Lang() != program.Japanese {
		return m.Note
	}
	said, _ := problem.Japanese(m.Note)
	return said
}

func sureness(p *program.Program, m compare.FileMetric) string {
	if m.Method != "replicates" || m.Undirected {
		return ""
	}
	words := p.Lang().Text("; about %.1f of the worse are expected to be noise", m.ExpectedFalse)
	if m.Counts.Worse == 0 {
		words = ""
	}
	return words + p.Lang().Text("; about %.1f regressions are expected among the others", m.ExpectedMiss)
}

func fileTable(p *program.Program, c compare.FileComparison) {
	rows := make([][]string, len(c.Metrics))
	for i, m := range c.Metrics {
		interval := "-"
		if m.CI95 != nil {
			interval = stats.Signed(m.CI95[0], 3) + " … " + stats.Signed(m.CI95[1], 3)
		}
		n := m.Counts
		was, is, difference := stats.Beside(m.Baseline, m.Candidate, 3)
		rows[i] = []string{
			p.Lang().Metric(m.ID) + printing.LowerMark(m.LowerIsBetter), was, is,
			difference, interval, strconv.Itoa(m.N),
			strconv.Itoa(n.Worse), strconv.Itoa(n.NeedsCheck), strconv.Itoa(n.NoChange), strconv.Itoa(n.Better),
			fmt.Sprintf("%.3g", m.Delta),
		}
	}
	p.Say("")
	printing.Runs(p).MetricTable([]string{"METRIC", "BASELINE", "CANDIDATE", "DIFF", "95% INTERVAL", "N", "WORSE", "NEEDS CHECK",
		"NO CHANGE", "BETTER", "COUNTS FROM"}, rows)
	p.Say("COUNTS FROM: by how much the score of one question must change to count as worse or better")
	if slices.ContainsFunc(c.Metrics, func(m compare.FileMetric) bool { return m.CI95 != nil }) {
		p.Say("95%% INTERVAL: where the true change probably lies; a release check decides by the narrower 90%% interval")
	}
	if slices.ContainsFunc(c.Metrics, func(m compare.FileMetric) bool { return m.Method == "replicates" }) {
		p.Say("Where scores are repeated, the change behind their noise counts, and the means shown may differ by a little less.")
	}
	sayScales(p, c.Metrics)
}

// sayScales says for what each metric's scores were taken, once for those that are alike: a column of such sentences would be cut.
func sayScales(p *program.Program, metrics []compare.FileMetric) {
	var notes []string
	alike := map[string][]string{}
	for _, m := range metrics {
		note := scaleNote(p, m)
		if len(alike[note]) == 0 {
			notes = append(notes, note)
		}
		alike[note] = append(alike[note], p.Lang().Metric(m.ID))
	}
	for _, note := range notes {
		p.Say("Scale of %s: %s", p.Lang().List(alike[note]), note)
	}
}

// together puts the metrics of one question below one another, the questions in the order of the worst of each.
func together(shown []compare.FileChange) []compare.FileChange {
	place := map[string]int{}
	for _, q := range shown {
		if _, known := place[q.ID]; !known {
			place[q.ID] = len(place)
		}
	}
	shown = slices.Clone(shown)
	slices.SortStableFunc(shown, func(a, b compare.FileChange) int { return place[a.ID] - place[b.ID] })
	return shown
}

// withoutEmpty leaves out the columns with a name of which no row says anything.
func withoutEmpty(header []string, rows [][]string) (named []string, told [][]string) {
	told = make([][]string, len(rows))
	for i, name := range header {
		if name != "" && !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" && row[i] != "-" }) {
			continue
		}
		named = append(named, name)
		for k, row := range rows {
			told[k] = append(told[k], row[i])
		}
	}
	return named, told
}

func fileAnswers(p *program.Program, shown []compare.FileChange, most int) {
	if len(shown) == 0 {
		return
	}
	rows := [][]string{}
	shown = together(shown)
	before := ""
	for _, q := range shown[:min(most, len(shown))] {
		chance := "-"
		if q.PRegression != nil {
			chance = fmt.Sprintf("%.2f", *q.PRegression)
		}
		marks := []string{}
		if q.Critical {
			marks = append(marks, p.Lang().Format("critical"))
		}
		if q.Flaky {
			marks = append(marks, p.Lang().Format("flaky"))
		}
		id, detail := q.ID, q.Detail.Word(string(p.Lang()))
		if id == before {
			id = "" // another metric of the question above
		}
		if before = q.ID; q.Label == compare.NeedsCheck && q.Detail == compare.Unresolved {
			detail = "" // which says the same
		}
		rows = append(rows, []string{
			id, p.Lang().Metric(q.Metric), strconv.FormatFloat(q.Baseline, 'g', 4, 64), strconv.FormatFloat(q.Candidate, 'g', 4, 64),
			q.Label.Word(string(p.Lang())),
			detail, chance, fmt.Sprintf("%d, %d", q.Replicates[0], q.Replicates[1]), strings.Join(marks, " "),
		})
	}
	p.Say("")
	header := []string{"ID", "METRIC", "BASELINE", "CANDIDATE", "LABEL", "DETAIL", "P(REGRESSION)", "N SCORES", ""}
	header, rows = withoutEmpty(header, rows)
	p.Table(header, rows)
	if slices.Contains(header, "P(REGRESSION)") {
		p.Say("P(REGRESSION): how likely the question is worse by COUNTS FROM or more, judged by its repeated scores")
	}
	if len(shown) > most {
		p.Say("%d more; --list %d shows them all, --only worse only what is sure", len(shown)-most, len(shown))
	}
}
