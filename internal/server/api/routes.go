package api

import (
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// Register lists every route of the API with its permission. Nothing else adds one.
func (s *Resources) Register(r *requests.Router) {
	s.sessionRoutes(r)
	s.accountsRoutes(r)
	s.runsRoutes(r)
	s.comparisonsRoutes(r)
	s.libraryRoutes(r)
	s.peopleRoutes(r)
	s.machineRoutes(r)
	s.filesRoutes(r)
	s.sheetsRoutes(r)
	s.validationsRoutes(r)
	s.dataRoutes(r)
	s.notebooksRoutes(r)
	s.notebookHistoryRoutes(r)
	s.notebookCommentRoutes(r)
	s.noticesRoutes(r)
	s.schedulesRoutes(r)
	s.sharesRoutes(r)
}

func (s *Resources) sessionRoutes(r *requests.Router) {
	requests.Get(r, "/me", requests.Public, "Who is asking, and where the user interface opens", s.sessions.me)
	requests.Post(r, "/session", requests.Public, "Sign in with a name and a password, or with a token", s.sessions.login)
	requests.Remove(r, "/session", requests.Public, "End the session", s.sessions.logout)
	requests.Get(r, "/catalogue", requests.Read, "The names of everything, in both languages", s.sessions.catalogue)
	requests.Stream(r, "/openapi.json", requests.Read, "This contract", "application/json", r.Contract)
}

func (s *Resources) runsRoutes(r *requests.Router) {
	requests.Get(r, "/runs", requests.Read, "Runs, newest first", s.runs.listRuns)
	requests.Get(r, "/parameters", requests.Read, "Which parameters differ between the runs of a list, by the filters of /runs", s.runs.listParameters)
	requests.Start(r, "/runs", requests.Run, "Start a run", s.runs.startRun)
	requests.Post(r, "/runs/plan", requests.Run, "What a run would buy", s.runs.planRun)
	requests.Get(r, "/runs/{id}", requests.Read, "One run with its setup and headline numbers", s.runs.getRun)
	requests.Patch(r, "/runs/{id}", requests.Edit, "Pin a run", s.runs.changeRun)
	requests.Patch(r, "/runs/{id}/notes", requests.Edit, "Write a note beside a run, or give it tags", s.runs.changeNotes)
	requests.Get(r, "/run-tags", requests.Read, "Tags that runs have", s.runs.listRunTags)
	requests.Get(r, "/run-views", requests.Read, "Saved views of the list of runs", s.runs.listRunViews)
	requests.Put(r, "/run-views/{name}", requests.Edit, "Save a view of the list of runs for everybody", s.runs.putRunView)
	requests.Remove(r, "/run-views/{name}", requests.Edit, "Take a saved view away", s.runs.removeRunView)
	requests.Post(r, "/run-views/{name}/restore", requests.Edit, "Put a saved view back that was taken away", s.runs.restoreRunView)
	requests.Remove(r, "/runs/{id}", requests.Admin, "Delete a run with its answers and scores", s.runs.deleteRun)
	requests.Start(r, "/runs/{id}/pause", requests.Run, "Ask a run to pause", s.runs.pauseRun)
	requests.Start(r, "/runs/{id}/cancel", requests.Run, "Ask a run to end", s.runs.cancelRun)
	requests.Start(r, "/runs/{id}/resume", requests.Run, "Go on with what is missing", s.runs.resumeRun)
	requests.Start(r, "/runs/{id}/retry-errors", requests.Run, "Ask questions with errors again", s.runs.retryErrors)
	requests.Start(r, "/runs/{id}/replicate", requests.Run, "Ask all questions again", s.runs.replicateRun)
	requests.Get(r, "/runs/{id}/bill", requests.Read, "What a run has cost", s.runs.getBill)
	requests.Get(r, "/runs/{id}/points", requests.Read, "All questions in columns, for charts", s.runs.getPoints)
	requests.Get(r, "/runs/{id}/charts", requests.Read, "The charts of a run under filters", s.runs.getCharts)
	requests.Get(r, "/runs/{id}/questions", requests.Read, "Questions of a run", s.runs.listQuestions)
	requests.Table(r, "/runs/{id}/questions", requests.Read, "Questions of a run as a file", s.runs.exportQuestions)
	requests.Get(r, "/runs/{id}/questions/{question}", requests.Read, "One question with everything its scores rest on", s.runs.getAnswer)
	requests.Get(r, "/runs/{id}/questions/{question}/history", requests.Read, "What other runs answered", s.runs.getHistory)
	requests.Get(r, "/runs/{id}/causes", requests.Read, "Why answers are low, where that was looked for", s.causes.getCauses)
	requests.Start(r, "/runs/{id}/diagnose", requests.Run, "Look for the causes of low scores", s.causes.diagnose)
	requests.Start(r, "/runs/{id}/recommendations", requests.Run, "Try the recommended changes on answers of the run, or say what that would take",
		s.causes.tryRecommendations)
	requests.Post(r, "/runs/{id}/recommendations/{nth}", requests.Edit, "Register a recommended change as an experiment",
		s.causes.applyRecommendation)
	requests.Stream(r, "/runs/{id}/study.zip", requests.Read, "A run with everything it rests on", requests.StudyType, s.runs.exportStudy)
	requests.Get(r, "/runs/{id}/question-report", requests.Read, "Categories, themes and keywords, where the questions were analysed", s.causes.getQuestionReport)
	requests.Start(r, "/runs/{id}/analyse-questions", requests.Run, "Give the questions categories, themes and keywords", s.causes.analyseQuestions)
	requests.Stream(r, "/runs/{id}/events", requests.Read, "What happens to a run, as server-sent events", "text/event-stream",
		s.runs.events)
}

func (s *Resources) comparisonsRoutes(r *requests.Router) {
	requests.Get(r, "/comparisons", requests.Read, "Two runs compared", s.comparisons.getComparison)
	requests.Get(r, "/comparisons/movement", requests.Read, "Both runs as bubbles, and where chosen ones went", s.comparisons.getMovement)
	requests.Get(r, "/comparisons/questions", requests.Read, "Questions of a comparison, worst first", s.comparisons.listChanges)
	requests.Table(r, "/comparisons/questions", requests.Read, "Questions of a comparison as a file", s.comparisons.exportChanges)
	requests.Get(r, "/comparisons/regressions", requests.Read, "Only the answers that got worse", s.comparisons.listRegressions)
	requests.Get(r, "/comparisons/questions/{question}", requests.Read, "One question in both runs, with what differs",
		s.comparisons.getChange)

	requests.Get(r, "/beside", requests.Read, "Up to five runs beside one baseline", s.comparisons.getBeside)
	requests.Get(r, "/beside/questions", requests.Read, "Questions of runs side by side, those first on which they disagree most", s.comparisons.listBeside)
	requests.Start(r, "/comparisons/verify", requests.Run, "Check what a comparison is in doubt about", s.comparisons.verify)
	requests.Get(r, "/comparisons/gate", requests.Read, "May the candidate replace the baseline", s.comparisons.getGate)
	requests.Stream(r, "/comparisons/report.xlsx", requests.Read, "The report as a workbook", requests.FileTypes["xlsx"],
		s.comparisons.reportAs("xlsx"))
	requests.Stream(r, "/comparisons/report.html", requests.Read, "The report as one page that prints", requests.FileTypes["html"],
		s.comparisons.reportAs("html"))
	requests.Stream(r, "/comparisons/report.md", requests.Read, "The report as a short summary", requests.FileTypes["md"],
		s.comparisons.reportAs("md"))
	requests.Stream(r, "/comparisons/report.jsonl", requests.Read, "Every question of the report, a line of JSON each", requests.FileTypes["jsonl"],
		s.comparisons.reportAs("jsonl"))
	requests.Stream(r, "/comparisons/report.csv", requests.Read, "Every question of the report as a table", requests.FileTypes["csv"],
		s.comparisons.reportAs("csv"))
	s.jobsRoutes(r)

	requests.Start(r, "/sweeps", requests.Run, "Start a sweep, or the search for its winner", s.sweeps.startSweep)
	requests.Post(r, "/sweeps/plan", requests.Run, "What a sweep, or the search for its winner, would buy", s.sweeps.planSweep)
	requests.Get(r, "/sweeps/{id}", requests.Read, "A sweep with its effects and its winner", s.sweeps.getSweep)
}

func (s *Resources) libraryRoutes(r *requests.Router) {
	requests.Get(r, "/experiments", requests.Read, "Registered experiments", s.experiments.listExperiments)
	requests.Get(r, "/experiments/{name}", requests.Read, "One experiment with its file and runs", s.experiments.getExperiment)

	requests.Put(r, "/experiments/{name}", requests.Edit, "Register an experiment, or its next revision", s.experiments.putExperiment)
	requests.Post(r, "/experiments/{name}/archive", requests.Edit, "Archive an experiment, or take it back",
		s.experiments.archiveExperiment)
	requests.Post(r, "/experiments/preview", requests.Edit, "Read an experiment without storing it", s.experiments.previewExperiment)

	requests.Get(r, "/datasets", requests.Read, "Datasets by their newest version", s.datasets.listDatasets)
	requests.Form(r, requests.UploadPath, requests.Edit, "Upload a question sheet and see how it is read", s.datasets.previewDataset)
	requests.Post(r, "/datasets", requests.Edit, "Store an uploaded question sheet", s.datasets.commitDataset)
	requests.Get(r, "/datasets/{ref}", requests.Read, "The versions of a dataset", s.datasets.getDataset)
	requests.Get(r, "/datasets/{ref}/questions", requests.Read, "Questions of a dataset", s.datasets.listDatasetQuestions)
	requests.Table(r, "/datasets/{ref}/questions", requests.Read, "Questions of a dataset as a file", s.datasets.exportDataset)
	requests.Get(r, "/datasets/{ref}/questions/{question}", requests.Read, "One question of a dataset", s.datasets.getDatasetQuestion)

	requests.Patch(r, "/datasets/{ref}/questions/{question}", requests.Edit, "Change a question, as the next version",
		s.datasets.editQuestion)

	requests.Get(r, "/datasets/{ref}/taxonomies", requests.Read, "What the questions of a dataset are assigned to",
		s.datasets.listTaxonomies)
	requests.Put(r, "/datasets/{ref}/taxonomies/{taxonomy}", requests.Edit, "Lock an edited taxonomy, as the next version",
		s.datasets.putTaxonomy)

	requests.Get(r, "/corpora", requests.Read, "Corpora by their newest version", s.corpora.listCorpora)
	requests.Form(r, requests.CorpusPath, requests.Edit, "Upload documents as the next version of a corpus", s.corpora.importCorpus)
	requests.Get(r, "/corpora/{ref}", requests.Read, "The versions of a corpus", s.corpora.getCorpus)
	requests.Remove(r, "/corpora/{ref}/index", requests.Edit, "Forget the index of a team behind a corpus", s.corpora.detachIndex)
	requests.Get(r, "/corpora/{ref}/documents", requests.Read, "Documents of a corpus", s.corpora.listDocuments)
	requests.Get(r, "/corpora/{ref}/documents/{document}", requests.Read, "A document with marked evidence", s.corpora.getDocument)
	requests.Get(r, "/corpora/{ref}/chunks", requests.Read, "How a document would be cut", s.corpora.getChunks)
}

func (s *Resources) peopleRoutes(r *requests.Router) {
	requests.Get(r, "/agreements", requests.Read, "What was agreed, one row for each dataset", s.agreements.listAgreements)
	requests.Get(r, "/datasets/{ref}/agreement", requests.Read, "What was agreed about a dataset, all versions", s.agreements.getAgreement)
	requests.Put(r, "/datasets/{ref}/agreement", requests.Edit, "Record what was agreed, as the next version", s.agreements.putAgreement)
	requests.Get(r, "/datasets/{ref}/agreement/progress", requests.Read, "Where a run stands against what was agreed",
		s.agreements.getStanding)
	requests.Form(r, ReviewsPath, requests.Edit, "Upload a filled-in workbook: see what it would change, or merge it", s.agreements.importReviews)
	describeReviews(r)
	requests.Get(r, "/runs/{id}/reviews", requests.Read, "What people say about the answers, beside the judge", s.agreements.getReviews)
	requests.Post(r, "/runs/{id}/reviews", requests.Edit, "Say something about one answer", s.agreements.postReview)
	s.reviewQueueRoutes(r)
}

func (s *Resources) machineRoutes(r *requests.Router) {
	requests.Get(r, "/baselines", requests.Read, "The runs that datasets are compared with", s.datasets.listBaselines)
	requests.Put(r, "/baselines/{dataset}", requests.Edit, "Choose a baseline", s.datasets.setBaseline)
	requests.Remove(r, "/baselines/{dataset}", requests.Edit, "Have no baseline any more", s.datasets.clearBaseline)
	requests.Get(r, "/endpoints", requests.Read, "Systems that run elsewhere", s.machine.listEndpoints)
	requests.Post(r, "/endpoints/{name}/test", requests.Run, "Ask an endpoint one question", s.machine.testEndpoint)
	requests.Post(r, "/ask", requests.Run, "Answer one question and score the answer", s.machine.ask)
	requests.Get(r, "/doctor", requests.Admin, "Whether runs, scores and bills agree with each other", s.machine.doctor)
	requests.Get(r, "/judge-cards", requests.Read, "What was measured of the judges", s.machine.listJudgeCards)
	requests.Start(r, "/judge-cards", requests.Run, "Measure a judge, or only say what that would buy", s.machine.validateJudge)
	requests.Get(r, "/judge-cards/{judge}", requests.Read, "What was measured of one judge", s.machine.getJudgeCard)
	requests.Get(r, "/settings", requests.Read, "What is in force, without secrets", s.machine.getSettings)
	requests.Put(r, "/settings/providers/{name}", requests.Admin, "Add a server of models, or change one that was added", s.machine.putProvider)
	requests.Remove(r, "/settings/providers/{name}", requests.Admin, "Remove a server of models that was added; runs keep what they have", s.machine.removeProvider)
	requests.Post(r, "/settings/providers/{name}/restore", requests.Admin, "Take back that a server of models was removed",
		s.machine.restoreProvider)
	requests.Post(r, "/settings/providers/{name}/test", requests.Admin, "Ask a provider for a few tokens", s.machine.testProvider)
}

func (s *Resources) notebooksRoutes(r *requests.Router) {
	requests.Get(r, "/notebooks", requests.Read, "Notebooks", s.notebooks.listNotebooks)
	requests.Post(r, "/notebooks", requests.Edit, "Write a new notebook, or one of a template", s.notebooks.createNotebook)
	requests.Get(r, "/notebooks/gallery", requests.Read, "Templates that new notebooks are made of", s.notebooks.listGallery)
	requests.Post(r, "/notebooks/gallery", requests.Edit, "Save a notebook as a template of the team", s.notebooks.saveTemplate)
	requests.Post(r, "/notebooks/gallery/quote", requests.Read, "What a notebook of a template would make and cost", s.notebooks.quoteTemplate)
	requests.Get(r, "/notebooks/schemas", requests.Read, "What each type of cells may say", s.notebooks.listSchemas)
	requests.Post(r, "/notebooks/evaluate", requests.Read, "How the cells of a text stand that is not saved", s.notebooks.evaluateNotebook)
	requests.Post(r, "/notebooks/prose", requests.Read, "One stretch of prose as HTML, without evaluating", s.notebooks.renderProse)
	requests.Post(r, "/notebooks/edit", requests.Read, "One edit of a text, which is not saved", s.notebooks.editNotebook)
	requests.Get(r, "/notebooks/snapshots", requests.Read, "Sealed notebooks", s.notebooks.listSealed)
	requests.Get(r, "/notebooks/snapshots/{id}", requests.Read, "A sealed notebook, to be read", s.notebooks.getSealed)
	requests.Get(r, "/notebooks/snapshots/{id}/read", requests.Read, "A sealed notebook without its cells", s.notebooks.readSealed)
	requests.Stream(r, "/notebooks/snapshots/{id}/snapshot.ragsnap", requests.Read, "A sealed notebook as a file",
		requests.FileTypes["ragsnap"],
		s.notebooks.exportSealed)
	requests.Get(r, "/notebooks/{name}", requests.Read, "A notebook with its cells and how they stand", s.notebooks.getNotebook)
	requests.Put(r, "/notebooks/{name}", requests.Edit, "Save the text of a notebook", s.notebooks.saveNotebook)
	requests.Remove(r, "/notebooks/{name}", requests.Edit, "Put a notebook into the trash", s.notebooks.deleteNotebook)
	requests.Post(r, "/notebooks/{name}/restore", requests.Edit, "Take a notebook out of the trash", s.notebooks.restoreNotebook)
	requests.Post(r, "/notebooks/{name}/rename", requests.Edit, "Give a notebook another name", s.notebooks.renameNotebook)
	requests.Post(r, "/notebooks/{name}/cells", requests.Edit, "Put a cell behind another one, or behind the last", s.notebooks.addCell)
	requests.Post(r, "/notebooks/{name}/snapshots", requests.Edit, "Seal a notebook with its results", s.notebooks.sealNotebook)
	requests.Get(r, "/notebooks/{name}/read", requests.Read, "A notebook without its cells", s.notebooks.readNotebook)
	requests.Stream(r, "/notebooks/{name}/notebook.html", requests.Read, "A notebook without its cells, as one page",
		requests.FileTypes["html"],
		s.notebooks.notebookAs("html"))
	requests.Stream(r, "/notebooks/{name}/notebook.xlsx", requests.Read, "The workbook of a notebook's report", requests.FileTypes["xlsx"],
		s.notebooks.notebookAs("xlsx"))
	requests.Stream(r, "/notebooks/{name}/notebook.ipynb", requests.Read, "A notebook without its cells, for Jupyter",
		requests.FileTypes["ipynb"],
		s.notebooks.notebookAs("ipynb"))
	for _, format := range spreadsheet.Formats() {
		requests.Stream(r, "/notebooks/{name}/rows."+format, requests.Read, "The rows of a query, table or chart cell, as a file", requests.FileTypes[format],
			s.notebooks.cellAs(format))
	}
	requests.Stream(r, "/notebooks/{name}/notebook.ragsnap", requests.Read, "A notebook sealed with its results, as a file",
		requests.FileTypes["ragsnap"],
		s.notebooks.notebookAs("ragsnap"))
	requests.Post(r, "/notebooks/{name}/plan", requests.Run, "What running a notebook would buy", s.notebooks.planNotebook)
	requests.Start(r, "/notebooks/{name}/run", requests.Run, "Run a notebook, or some of its cells", s.notebooks.runNotebook)
	requests.Start(r, "/notebooks/{name}/stop", requests.Run, "Stop a notebook; what is done is kept", s.notebooks.stopNotebook)
	requests.Stream(r, "/notebooks/{name}/events", requests.Read, "What happens to a notebook, as server-sent events", "text/event-stream", s.notebooks.notebookEvents)
}

func (s *Resources) schedulesRoutes(r *requests.Router) {
	requests.Get(r, "/schedules", requests.Read, "Schedules, by name", s.schedules.listSchedules)
	requests.Post(r, "/schedules/preview", requests.Read, "What a timetable means, before it is stored", s.schedules.previewSchedule)
	requests.Get(r, "/schedules/zones", requests.Read, "Names of time zones", s.schedules.listZones)
	requests.Post(r, "/schedules/from-notebook", requests.Run, "Register what the front matter of a notebook says", s.schedules.putNotebookSchedules)
	requests.Get(r, "/schedules/{name}", requests.Read, "One schedule with its newest slot", s.schedules.getSchedule)
	requests.Put(r, "/schedules/{name}", requests.Run, "Register a schedule, or change it", s.schedules.putSchedule)
	requests.Remove(r, "/schedules/{name}", requests.Edit, "Forget a schedule; its fires and their runs stay", s.schedules.removeSchedule)
	requests.Post(r, "/schedules/{name}/pause", requests.Run, "Keep a schedule from firing", s.schedules.pauseSchedule)
	requests.Post(r, "/schedules/{name}/resume", requests.Run, "Let a schedule fire again", s.schedules.resumeSchedule)
	requests.Start(r, "/schedules/{name}/run-now", requests.Run, "Fire a schedule at this moment", s.schedules.runScheduleNow)
	requests.Get(r, "/schedules/{name}/next", requests.Read, "The next slots of a schedule", s.schedules.nextSlots)
	requests.Get(r, "/schedules/{name}/fires", requests.Read, "What became of the slots of a schedule, newest first", s.schedules.listFires)
	requests.Stream(r, "/schedules/{name}/fires/{fire}/workbook.xlsx", requests.Read, "The workbook that a fire wrote",
		requests.FileTypes["xlsx"],
		s.schedules.fireWorkbook)
}
