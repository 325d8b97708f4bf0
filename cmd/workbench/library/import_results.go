package library

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	experimentsforeign "github.com/rag-workbench/workbench/internal/experiments/foreign"
)

// ImportResultsCmd is the verb import-results.
type ImportResultsCmd struct {
	File    string `arg:"" help:"Results that another tool exported: .json .jsonl .csv .tsv .xlsx, or .pb .binpb .otlp of traces."`
	From    string `help:"Tool: ragas, deepeval, promptfoo, ragchecker, mlflow, langfuse, otel, phoenix, langsmith, mlflow-traces, table, or auto." default:"auto" placeholder:"TOOL"`
	Name    string `help:"Name of the answers and of their experiment; default the file's name." placeholder:"NAME"`
	Dataset string `help:"Dataset whose questions were asked. Where there is none called so, one with the same questions is taken, else one is made." placeholder:"NAME"`
	Corpus  string `help:"Corpus in which the contexts are looked for, so that evidence can be compared." placeholder:"NAME"`
	Suite   string `help:"Our metrics beside the tool's. Default: none where the file holds scores." placeholder:"SUITE"`
	Model   string `help:"Model that judges beside the tool, as provider/model, with the suite standard." placeholder:"MODEL"`
	Variant string `help:"Of results of several systems, prompts or providers: a part of the name of the one to read." placeholder:"NAME"`
	Sheet   string `help:"Of a workbook: the sheet to read; default the one that looks most like a table of results." placeholder:"NAME"`
	encodingFlag
	Map         map[string]string  `help:"Read a column or variable as a field: --map \"ask=question\". Repeatable." placeholder:"COLUMN=FIELD"`
	Lower       []string           `help:"Less is better in this metric of the tool. Repeatable." placeholder:"METRIC"`
	Higher      []string           `help:"More is better in this metric of the tool. Repeatable." placeholder:"METRIC"`
	Low         []string           `help:"What a low score is in the tool's scores: --low 'faithfulness<=0.5'. Repeatable once, then either counts; none takes it back. Default: what an earlier import of the name said." sep:"none" placeholder:"METRIC<=SCORE"`
	VoteColumns string             `help:"Of score columns that differ by a number alone, such as faithfulness run 1, run 2: fold reads them as votes of one metric, apart as metrics of their own. Default: votes where their names leave no doubt." placeholder:"WAY"`
	Value       map[string]float64 `help:"The number that a sign or word counts as, where people wrote such: --value ○=1 --value △=0.5 --value ×=0. Repeatable." placeholder:"SIGN=X"`
	Sample      int                `help:"Take only so many of the questions; the same file gives the same ones." placeholder:"N" type:"count"`
	Mask        []string           `help:"Hide email, card, phone, or NAME=REGEXP. Repeatable. Traces: all three unless it is none." sep:"none" placeholder:"RULE"`
}

// Help shows examples.
func (ImportResultsCmd) Help() string {
	return `Questions, right answers, answers, contexts and scores of Ragas, DeepEval, promptfoo, RAGChecker, MLflow, Langfuse, and of experiments of
LangSmith and Phoenix. Their scores stay theirs: they become metrics such as ragas.faithfulness, and decide by themselves. NaN and failed
metrics are missing, never 0.
A table of questions and answers without a name of Ragas is a plain table, such as a workbook in which people score; its scores are called
table.NAME.
Which of the answers are low-score answers is not guessed: say it in the scores' own terms with --low, and page 1, themes, targets and
comparisons count them.
Which files these are: docs/imports.md. Two such files are also compared as they are: workbench compare OLD NEW.

Traces of OpenTelemetry (otel: OTLP in JSON or protobuf with the attributes of OpenInference or of generative AI), Phoenix, LangSmith and
MLflow (mlflow-traces) are questions that were really asked, each once, with personal data masked; they hold no right answers and no scores.

The answers become an experiment whose run is made at once and buys nothing. With --model a judge of ours stands beside the tool, and
workbench run makes the run.

Examples:
  workbench import-results ragas-april.csv --name april
  workbench import-results ragas-may.csv --name may
  workbench compare april may
  workbench import-results ragas-may.csv --name may --low 'faithfulness<=0.5'
  workbench import-results traces.json --name last-week --sample 200
  workbench import-results promptfoo.json --name bot --variant gpt-4.1 --map "ask=question"`
}

// Run imports.
func (c ImportResultsCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		got, err := w.ImportResults(p.Context, c.File, app.ResultsOptions{
			ForeignOptions: experimentsforeign.ForeignOptions{From: c.From, Variant: c.Variant, Sheet: c.Sheet,
				Encoding: c.Encoding, Columns: c.Map,
				Lower: c.Lower, Higher: c.Higher, VoteColumns: c.VoteColumns, Values: c.Value, Sample: c.Sample, Mask: c.Mask},
			Name: c.Name, Dataset: c.Dataset, Corpus: c.Corpus, Model: c.Model, Suite: c.Suite, Low: c.Low,
		})
		if err != nil {
			return err
		}
		return printerOf(p).resultsKept(got)
	})
}

// resultsKept tells what results became.
func (p libraryPrinter) resultsKept(got app.ImportedResults) error {
	notes := got.Notes
	if p.Lang() == program.Japanese {
		notes = got.NotesJA
	}
	for _, n := range notes {
		p.Note("note: %s", program.Printable(n))
	}
	if n := len(got.Missing); n > 0 {
		format := "%d of %d questions of %s have no answer in the file: %s"
		if n == 1 {
			format = "%d of %d questions of %s has no answer in the file: %s"
		}
		p.Warn(format, n, n+got.Answers, got.Dataset, program.Printable(program.FirstOf(got.Missing, 10)))
	}
	if len(got.Unread) > 0 {
		p.Warn("columns of numbers that were not read as scores: %s", program.Printable(strings.Join(got.Unread, ", ")))
	}
	if p.Flags.JSON {
		return p.PrintJSON(got)
	}
	p.resultsImported(got)
	return nil
}

// lowSaid tells how many answers are low and by what, or what it would take to tell.
func (p libraryPrinter) lowSaid(got app.ImportedResults) {
	switch {
	case len(got.Low) > 0:
		rule := experiments.Setup{Low: got.Low}.LowRule()
		p.Say("%d of %d rated answers are low-score answers (%s)", got.LowCount, got.Rated, rule.Short(string(p.Lang())))
	case got.LowUntold:
		example := got.Metrics[0]
		than := "<="
		if example.Lower {
			than = ">="
		}
		p.Say("which answers are low is not known before you say what is: import the file again with --low, such as --low '%s%s…'",
			program.Printable(example.Source), than)
	}
}

func (p libraryPrinter) resultsImported(got app.ImportedResults) {
	made := p.Lang().Format("that was there already")
	if got.NewDataset {
		made = p.Lang().Format("made of the file")
	}
	if got.Created {
		p.Say("imported %d answers from %s as log %s, to dataset %s (%s)", got.Answers, got.Tool, got.Log, got.Dataset, made)
	} else {
		p.Say("unchanged: %d answers from %s as log %s, to dataset %s (%s)", got.Answers, got.Tool, got.Log, got.Dataset, made)
	}
	if len(got.Metrics) > 0 {
		rows := make([][]string, len(got.Metrics))
		for i, m := range got.Metrics {
			better := p.Lang().Format("more")
			if m.Lower {
				better = p.Lang().Format("less")
			}
			scale := fmt.Sprintf(p.Lang().Format("%g to %g"), m.Min, m.Max)
			rows[i] = []string{m.ID, program.Printable(m.Source), scale, better, strconv.Itoa(m.Scored),
				strconv.Itoa(m.Missing)}
		}
		p.Table([]string{"METRIC", "THERE CALLED", "SCALE", "BETTER IS", "SCORED", "MISSING"}, rows)
	}
	if got.RunID == "" {
		p.Say("experiment %s, revision %d, replays them; scoring buys calls: workbench run %s --plan", got.Experiment, got.Revision,
			got.Experiment)
		return
	}
	if len(got.Metrics) == 0 {
		p.Say("experiment %s, revision %d; no scores were read from the file: those of run %s are by RAG Workbench and not the file's",
			got.Experiment, got.Revision, got.RunID)
		return
	}
	p.lowSaid(got)
	p.Say("experiment %s, revision %d; run %s holds the scores: workbench compare OTHER %s", got.Experiment, got.Revision, got.RunID,
		got.Experiment)
}
