package main

import (
	"github.com/alecthomas/kong"

	"github.com/rag-workbench/workbench/cmd/workbench/analyses"
	"github.com/rag-workbench/workbench/cmd/workbench/compare"
	"github.com/rag-workbench/workbench/cmd/workbench/demo"
	"github.com/rag-workbench/workbench/cmd/workbench/library"
	"github.com/rag-workbench/workbench/cmd/workbench/machine"
	"github.com/rag-workbench/workbench/cmd/workbench/notebook"
	"github.com/rag-workbench/workbench/cmd/workbench/people"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/cmd/workbench/reviews"
	"github.com/rag-workbench/workbench/cmd/workbench/runs"
	"github.com/rag-workbench/workbench/cmd/workbench/serve"
)

var groups = []kong.Group{
	{Key: "first", Title: "First day:"},
	{Key: "library", Title: "Corpora, datasets, experiments:"},
	{Key: "runs", Title: "Runs:"},
	{Key: "machine", Title: "This machine:"},
}

type cli struct {
	program.Globals

	Demo    demo.Cmd          `cmd:"" group:"first" help:"Evaluate the built-in help centre and show what changed."`
	Init    library.InitCmd   `cmd:"" group:"first" help:"Import your documents and questions and write a first experiment."`
	Run     runs.RunCmd       `cmd:"" group:"first" help:"Run experiments and score the answers."`
	Sweep   runs.SweepCmd     `cmd:"" group:"first" help:"Run every combination of an experiment's parameters and name the winner."`
	Compare compare.Cmd       `cmd:"" group:"first" help:"Compare two runs question by question."`
	Ask     runs.AskCmd       `cmd:"" group:"first" help:"Answer one question and show contexts and scores."`
	Search  library.SearchCmd `cmd:"" group:"first" help:"Search a corpus and show the hits with their scores."`
	Serve   serve.Cmd         `cmd:"" group:"first" help:"Show the user interface in a browser and serve the API."`
	Report  compare.ReportCmd `cmd:"" group:"first" help:"Write an Excel workbook or a Markdown summary."`

	Notebook notebook.Cmd `cmd:"" group:"first" help:"Evaluation notebooks: new, run, check, render."`

	Corpus     library.CorpusCmd        `cmd:"" group:"library" help:"Documents: import, list, show, chunks."`
	Dataset    library.DatasetCmd       `cmd:"" group:"library" help:"Question sets: import, draft, list, show."`
	Endpoint   library.EndpointCmd      `cmd:"" group:"library" help:"Systems that run behind HTTP: add, test, list, show, remove."`
	Answers    library.ImportAnswersCmd `cmd:"" name:"import-answers" group:"library" help:"Import answers that a system logged, as an experiment."`
	Results    library.ImportResultsCmd `cmd:"" name:"import-results" group:"library" help:"Import results of Ragas, DeepEval, promptfoo or RAGChecker, scores included."`
	Experiment library.ExperimentCmd    `cmd:"" group:"library" help:"Registered configurations: add, list, show, archive."`
	Agreement  reviews.AgreementCmd     `cmd:"" group:"library" help:"What was agreed about a dataset: show, set, history."`
	Reviews    reviews.ImportReviewCmd  `cmd:"" name:"import-review" group:"library" help:"Read back a report that people have filled in."`
	Queue      reviews.Cmd              `cmd:"" name:"reviews" group:"library" help:"What people say about answers: queue, next, say, skip, undo, show, align."`
	Gate       compare.GateCmd          `cmd:"" group:"runs" help:"Decide whether a candidate may replace its baseline: PASS, FAIL or INCONCLUSIVE."`
	Baseline   compare.BaselineCmd      `cmd:"" group:"runs" help:"The run that a dataset's candidates are compared with: set, show, clear."`
	Runs       runs.Cmd                 `cmd:"" group:"runs" help:"Past and unfinished runs: list, show, resume, pause, cancel, delete."`
	Diagnose   analyses.DiagnoseCmd     `cmd:"" group:"runs" help:"Why answers are low: causes tested by replacing one part at a time, and what to change."`
	Questions  analyses.QuestionsCmd    `cmd:"" group:"runs" help:"What questions are about: categories, themes, keywords, and what they do not test."`
	Validate   analyses.ValidateCmd     `cmd:"" group:"runs" help:"Measure the instruments themselves: the judge, the word worse."`
	Worker     serve.WorkerCmd          `cmd:"" group:"runs" help:"Work the runs that others submit to the same PostgreSQL database."`

	Schedule serve.ScheduleCmd `cmd:"" group:"runs" help:"Evaluate again and again: add, list, show, remove, pause, resume, run-now, next, fires."`

	Traces library.TracesCmd `cmd:"" group:"runs" help:"Questions that were really asked, from programs that send traces: status, take."`

	Trend  serve.TrendCmd  `cmd:"" group:"runs" help:"How an experiment or the fires of a schedule went over time."`
	Notify serve.NotifyCmd `cmd:"" group:"machine" help:"Messages of schedules: test a channel, list, deliver."`

	Export machine.ExportCmd `cmd:"" group:"machine" help:"Write runs with everything they rest on into a study file."`
	Import machine.ImportCmd `cmd:"" group:"machine" help:"Read a study file."`
	Verify machine.VerifyCmd `cmd:"" group:"machine" help:"Compute every score of a study again from its raw replies."`
	Record machine.RecordCmd `cmd:"" group:"machine" help:"Stand in for a model that this machine cannot reach: list, sitting, take."`
	Doctor machine.DoctorCmd `cmd:"" group:"machine" help:"Check that runs, scores and bills agree with each other."`

	Backup  machine.BackupCmd  `cmd:"" group:"machine" help:"Write everything into one file and read it back, while others go on working."`
	Restore machine.RestoreCmd `cmd:"" group:"machine" help:"Put a backup into an empty place, on either engine."`

	Providers machine.ProvidersCmd `cmd:"" group:"machine" help:"Models before they are paid for: test, list."`

	ShowConfig machine.ConfigCmd  `cmd:"" name:"config" group:"machine" help:"Show the configuration in force, without secrets."`
	Version    machine.VersionCmd `cmd:"" group:"machine" help:"Print the version."`
	Completion completionCmd      `cmd:"" group:"machine" help:"Print a script with which bash, zsh or fish completes verbs and flags."`

	User  people.UserCmd  `cmd:"" group:"machine" help:"People who sign in to a server: add, list, role, disable, enable, reset-link."`
	Token people.TokenCmd `cmd:"" group:"machine" help:"Tokens of programs: add, list, revoke."`
	Share people.ShareCmd `cmd:"" group:"machine" help:"Links that show one page to whoever has them: create, list, revoke."`
	Audit people.AuditCmd `cmd:"" group:"machine" help:"Who did what, when and from where."`

	ParseUpload  serve.ParseUploadCmd    `cmd:"" name:"parse-upload" hidden:"" help:"Read an uploaded file with limits."`
	Health       serve.HealthCmd         `cmd:"" hidden:"" help:"Exit with 0 when a server or the database answers, for health checks."`
	FakeProvider machine.FakeProviderCmd `cmd:"" name:"fake-provider" hidden:"" help:"Serve a misbehaving provider with a bill, for tests and benchmarks."`
}
