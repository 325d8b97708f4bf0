package main

import "github.com/alecthomas/kong"

var groups = []kong.Group{
	{Key: "first", Title: "First day:"},
	{Key: "library", Title: "Corpora, datasets, experiments:"},
	{Key: "runs", Title: "Runs:"},
	{Key: "machine", Title: "This machine:"},
}

// globals are the flags of every verb.
type globals struct {
	Data        string `help:"Data directory (WORKBENCH_DATA)." default:"${data}" placeholder:"DIR"`
	Database    string `help:"PostgreSQL address instead of the SQLite file in the data directory (WORKBENCH_DATABASE_URL)." default:"${database}" placeholder:"URL"`
	Config      string `help:"Configuration file with providers and prices; default ./workbench.yaml when there is one (WORKBENCH_CONFIG)." default:"${config}" placeholder:"FILE"`
	Concurrency int    `help:"Questions worked at the same time; default one per processor offline, else twice the calls that the provider takes at once, and 8." short:"j" placeholder:"N"`
	Memory      string `help:"Memory that search indexes may hold, such as 500MB: those that nobody uses are given up and built again when needed. Default: no limit (WORKBENCH_MEMORY)." default:"${memory}" placeholder:"SIZE"`
	JSON        bool   `help:"Print the result as JSON." name:"json"`
	Quiet       bool   `help:"No progress on standard error." short:"q"`
	Lang        string `help:"Language of what is printed and written: en or ja (report: both, too). Default by the locale." placeholder:"LANG"`
}

type cli struct {
	globals

	Demo    demoCmd    `cmd:"" group:"first" help:"Evaluate the built-in help centre and show what changed."`
	Init    initCmd    `cmd:"" group:"first" help:"Import your documents and questions and write a first experiment."`
	Run     runCmd     `cmd:"" group:"first" help:"Run experiments and score the answers."`
	Sweep   sweepCmd   `cmd:"" group:"first" help:"Run every combination of an experiment's parameters and name the winner."`
	Compare compareCmd `cmd:"" group:"first" help:"Compare two runs question by question."`
	Ask     askCmd     `cmd:"" group:"first" help:"Answer one question and show contexts and scores."`
	Search  searchCmd  `cmd:"" group:"first" help:"Search a corpus and show the hits with their scores."`
	Serve   serveCmd   `cmd:"" group:"first" help:"Show the user interface in a browser and serve the API."`
	Report  reportCmd  `cmd:"" group:"first" help:"Write an Excel workbook or a Markdown summary."`

	Notebook notebookCmd `cmd:"" group:"first" help:"Evaluation notebooks: new, run, check, render."`

	Corpus     corpusCmd        `cmd:"" group:"library" help:"Documents: import, list, show, chunks."`
	Dataset    datasetCmd       `cmd:"" group:"library" help:"Question sets: import, draft, list, show."`
	Endpoint   endpointCmd      `cmd:"" group:"library" help:"Systems that run behind HTTP: add, test, list, show, remove."`
	Answers    importAnswersCmd `cmd:"" name:"import-answers" group:"library" help:"Import answers that a system logged, as an experiment."`
	Results    importResultsCmd `cmd:"" name:"import-results" group:"library" help:"Import results of Ragas, DeepEval, promptfoo or RAGChecker, scores included."`
	Experiment experimentCmd    `cmd:"" group:"library" help:"Registered configurations: add, list, show, archive."`
	Agreement  agreementCmd     `cmd:"" group:"library" help:"What was agreed about a dataset: show, set, history."`
	Reviews    importReviewCmd  `cmd:"" name:"import-review" group:"library" help:"Read back a report that people have filled in."`
	Queue      reviewsCmd       `cmd:"" name:"reviews" group:"library" help:"What people say about answers: queue, next, say, skip, undo, show, align."`
	Gate       gateCmd          `cmd:"" group:"runs" help:"Decide whether a candidate may replace its baseline: PASS, FAIL or INCONCLUSIVE."`
	Baseline   baselineCmd      `cmd:"" group:"runs" help:"The run that a dataset's candidates are compared with: set, show, clear."`
	Runs       runsCmd          `cmd:"" group:"runs" help:"Past and unfinished runs: list, show, resume, pause, cancel, delete."`
	Diagnose   diagnoseCmd      `cmd:"" group:"runs" help:"Why answers are low: causes tested by replacing one part at a time, and what to change."`
	Questions  questionsCmd     `cmd:"" group:"runs" help:"What questions are about: categories, themes, keywords, and what they do not test."`
	Validate   validateCmd      `cmd:"" group:"runs" help:"Measure the instruments themselves: the judge, the word worse."`
	Worker     workerCmd        `cmd:"" group:"runs" help:"Work the runs that others submit to the same PostgreSQL database."`

	Schedule scheduleCmd `cmd:"" group:"runs" help:"Evaluate again and again: add, list, show, remove, pause, resume, run-now, next, fires."`

	Traces tracesCmd `cmd:"" group:"runs" help:"Questions that were really asked, from programs that send traces: status, take."`

	Trend  trendCmd  `cmd:"" group:"runs" help:"How an experiment or the fires of a schedule went over time."`
	Notify notifyCmd `cmd:"" group:"machine" help:"Messages of schedules: test a channel, list, deliver."`

	Export exportCmd `cmd:"" group:"machine" help:"Write runs with everything they rest on into a study file."`
	Import importCmd `cmd:"" group:"machine" help:"Read a study file."`
	Verify verifyCmd `cmd:"" group:"machine" help:"Compute every score of a study again from its raw replies."`
	Record recordCmd `cmd:"" group:"machine" help:"Stand in for a model that this machine cannot reach: list, sitting, take."`
	Doctor doctorCmd `cmd:"" group:"machine" help:"Check that runs, scores and bills agree with each other."`

	Backup  backupCmd  `cmd:"" group:"machine" help:"Write everything into one verified file, while others go on working."`
	Restore restoreCmd `cmd:"" group:"machine" help:"Put a backup into an empty place, on either engine."`

	Providers providersCmd `cmd:"" group:"machine" help:"Models before they are paid for: test, list."`

	ShowConfig configCmd     `cmd:"" name:"config" group:"machine" help:"Show the configuration in force, without secrets."`
	Version    versionCmd    `cmd:"" group:"machine" help:"Print the version."`
	Completion completionCmd `cmd:"" group:"machine" help:"Print a script with which bash, zsh or fish completes verbs and flags."`

	User  userCmd  `cmd:"" group:"machine" help:"People who sign in to a server: add, list, role, disable, enable, reset-link."`
	Token tokenCmd `cmd:"" group:"machine" help:"Tokens of programs: add, list, revoke."`
	Share shareCmd `cmd:"" group:"machine" help:"Links that show one page to whoever has them: create, list, revoke."`
	Audit auditCmd `cmd:"" group:"machine" help:"Who did what, when and from where."`

	ParseUpload  parseUploadCmd  `cmd:"" name:"parse-upload" hidden:"" help:"Read an uploaded file with limits."`
	Health       healthCmd       `cmd:"" hidden:"" help:"Exit with 0 when a server or the database answers, for health checks."`
	FakeProvider fakeProviderCmd `cmd:"" name:"fake-provider" hidden:"" help:"Serve a misbehaving provider with a bill, for tests and benchmarks."`
}
