package server

import "github.com/rag-workbench/workbench/internal/reports/spreadsheet"

// register lists every route of the API with its permission. Nothing else adds one.
func (s *rooms) register(r *router) {
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

func (s *rooms) sessionRoutes(r *router) {
	get(r, "/me", Public, "Who is asking, and where the user interface opens", s.sessions.me)
	post(r, "/session", Public, "Sign in with a name and a password, or with a token", s.sessions.login)
	remove(r, "/session", Public, "End the session", s.sessions.logout)
	get(r, "/catalogue", Read, "The names of everything, in both languages", s.sessions.catalogue)
	stream(r, "/openapi.json", Read, "This contract", "application/json", r.contract)
}

func (s *rooms) runsRoutes(r *router) {
	get(r, "/runs", Read, "Runs, newest first", s.runs.listRuns)
	get(r, "/parameters", Read, "Which parameters differ between the runs of a list, by the filters of /runs", s.runs.listParameters)
	start(r, "/runs", Run, "Start a run", s.runs.startRun)
	post(r, "/runs/plan", Run, "What a run would buy", s.runs.planRun)
	get(r, "/runs/{id}", Read, "One run with its setup and headline numbers", s.runs.getRun)
	patch(r, "/runs/{id}", Edit, "Pin a run", s.runs.changeRun)
	patch(r, "/runs/{id}/notes", Edit, "Write a note beside a run, or give it tags", s.runs.changeNotes)
	get(r, "/run-tags", Read, "Tags that runs have", s.runs.listRunTags)
	get(r, "/run-views", Read, "Saved views of the list of runs", s.runs.listRunViews)
	put(r, "/run-views/{name}", Edit, "Save a view of the list of runs for everybody", s.runs.putRunView)
	remove(r, "/run-views/{name}", Edit, "Take a saved view away", s.runs.removeRunView)
	post(r, "/run-views/{name}/restore", Edit, "Put a saved view back that was taken away", s.runs.restoreRunView)
	remove(r, "/runs/{id}", Admin, "Delete a run with its answers and scores", s.runs.deleteRun)
	start(r, "/runs/{id}/pause", Run, "Ask a run to pause", s.runs.pauseRun)
	start(r, "/runs/{id}/cancel", Run, "Ask a run to end", s.runs.cancelRun)
	start(r, "/runs/{id}/resume", Run, "Go on with what is missing", s.runs.resumeRun)
	start(r, "/runs/{id}/retry-errors", Run, "Ask questions with errors again", s.runs.retryErrors)
	start(r, "/runs/{id}/replicate", Run, "Ask all questions again", s.runs.replicateRun)
	get(r, "/runs/{id}/bill", Read, "What a run has cost", s.runs.getBill)
	get(r, "/runs/{id}/points", Read, "All questions in columns, for charts", s.runs.getPoints)
	get(r, "/runs/{id}/charts", Read, "The charts of a run under filters", s.runs.getCharts)
	get(r, "/runs/{id}/questions", Read, "Questions of a run", s.runs.listQuestions)
	table(r, "/runs/{id}/questions", Read, "Questions of a run as a file", s.runs.exportQuestions)
	get(r, "/runs/{id}/questions/{question}", Read, "One question with everything its scores rest on", s.runs.getAnswer)
	get(r, "/runs/{id}/questions/{question}/history", Read, "What other runs answered", s.runs.getHistory)
	get(r, "/runs/{id}/causes", Read, "Why answers are low, where that was looked for", s.causes.getCauses)
	start(r, "/runs/{id}/diagnose", Run, "Look for the causes of low scores", s.causes.diagnose)
	start(r, "/runs/{id}/recommendations", Run, "Try the recommended changes on answers of the run, or say what that would take",
		s.causes.tryRecommendations)
	post(r, "/runs/{id}/recommendations/{nth}", Edit, "Register a recommended change as an experiment", s.causes.applyRecommendation)
	stream(r, "/runs/{id}/study.zip", Read, "A run with everything it rests on", studyType, s.runs.exportStudy)
	get(r, "/runs/{id}/question-report", Read, "Categories, themes and keywords, where the questions were analysed", s.causes.getQuestionReport)
	start(r, "/runs/{id}/analyse-questions", Run, "Give the questions categories, themes and keywords", s.causes.analyseQuestions)
	stream(r, "/runs/{id}/events", Read, "What happens to a run, as server-sent events", "text/event-stream", s.runs.events)
}

func (s *rooms) comparisonsRoutes(r *router) {
	get(r, "/comparisons", Read, "Two runs compared", s.comparisons.getComparison)
	get(r, "/comparisons/movement", Read, "Both runs as bubbles, and where chosen ones went", s.comparisons.getMovement)
	get(r, "/comparisons/questions", Read, "Questions of a comparison, worst first", s.comparisons.listChanges)
	table(r, "/comparisons/questions", Read, "Questions of a comparison as a file", s.comparisons.exportChanges)
	get(r, "/comparisons/regressions", Read, "Only the answers that got worse", s.comparisons.listRegressions)
	get(r, "/comparisons/questions/{question}", Read, "One question in both runs, with what differs", s.comparisons.getChange)

	get(r, "/beside", Read, "Up to five runs beside one baseline", s.comparisons.getBeside)
	get(r, "/beside/questions", Read, "Questions of runs side by side, those first on which they disagree most", s.comparisons.listBeside)
	start(r, "/comparisons/verify", Run, "Check what a comparison is in doubt about", s.comparisons.verify)
	get(r, "/comparisons/gate", Read, "May the candidate replace the baseline", s.comparisons.getGate)
	stream(r, "/comparisons/report.xlsx", Read, "The report as a workbook", fileTypes["xlsx"], s.comparisons.reportAs("xlsx"))
	stream(r, "/comparisons/report.html", Read, "The report as one page that prints", fileTypes["html"], s.comparisons.reportAs("html"))
	stream(r, "/comparisons/report.md", Read, "The report as a short summary", fileTypes["md"], s.comparisons.reportAs("md"))
	stream(r, "/comparisons/report.jsonl", Read, "Every question of the report, a line of JSON each", fileTypes["jsonl"],
		s.comparisons.reportAs("jsonl"))
	stream(r, "/comparisons/report.csv", Read, "Every question of the report as a table", fileTypes["csv"], s.comparisons.reportAs("csv"))
	s.jobsRoutes(r)

	start(r, "/sweeps", Run, "Start a sweep, or the search for its winner", s.sweeps.startSweep)
	post(r, "/sweeps/plan", Run, "What a sweep, or the search for its winner, would buy", s.sweeps.planSweep)
	get(r, "/sweeps/{id}", Read, "A sweep with its effects and its winner", s.sweeps.getSweep)
}

func (s *rooms) libraryRoutes(r *router) {
	get(r, "/experiments", Read, "Registered experiments", s.experiments.listExperiments)
	get(r, "/experiments/{name}", Read, "One experiment with its file and runs", s.experiments.getExperiment)

	put(r, "/experiments/{name}", Edit, "Register an experiment, or its next revision", s.experiments.putExperiment)
	post(r, "/experiments/{name}/archive", Edit, "Archive an experiment, or take it back", s.experiments.archiveExperiment)
	post(r, "/experiments/preview", Edit, "Read an experiment without storing it", s.experiments.previewExperiment)

	get(r, "/datasets", Read, "Datasets by their newest version", s.datasets.listDatasets)
	form(r, uploadPath, Edit, "Upload a question sheet and see how it is read", s.datasets.previewDataset)
	post(r, "/datasets", Edit, "Store an uploaded question sheet", s.datasets.commitDataset)
	get(r, "/datasets/{ref}", Read, "The versions of a dataset", s.datasets.getDataset)
	get(r, "/datasets/{ref}/questions", Read, "Questions of a dataset", s.datasets.listDatasetQuestions)
	table(r, "/datasets/{ref}/questions", Read, "Questions of a dataset as a file", s.datasets.exportDataset)
	get(r, "/datasets/{ref}/questions/{question}", Read, "One question of a dataset", s.datasets.getDatasetQuestion)

	patch(r, "/datasets/{ref}/questions/{question}", Edit, "Change a question, as the next version", s.datasets.editQuestion)

	get(r, "/datasets/{ref}/taxonomies", Read, "What the questions of a dataset are assigned to", s.datasets.listTaxonomies)
	put(r, "/datasets/{ref}/taxonomies/{taxonomy}", Edit, "Lock an edited taxonomy, as the next version", s.datasets.putTaxonomy)

	get(r, "/corpora", Read, "Corpora by their newest version", s.corpora.listCorpora)
	form(r, corpusPath, Edit, "Upload documents as the next version of a corpus", s.corpora.importCorpus)
	get(r, "/corpora/{ref}", Read, "The versions of a corpus", s.corpora.getCorpus)
	remove(r, "/corpora/{ref}/index", Edit, "Forget the index of a team behind a corpus", s.corpora.detachIndex)
	get(r, "/corpora/{ref}/documents", Read, "Documents of a corpus", s.corpora.listDocuments)
	get(r, "/corpora/{ref}/documents/{document}", Read, "A document with marked evidence", s.corpora.getDocument)
	get(r, "/corpora/{ref}/chunks", Read, "How a document would be cut", s.corpora.getChunks)
}

func (s *rooms) peopleRoutes(r *router) {
	get(r, "/agreements", Read, "What was agreed, one row for each dataset", s.agreements.listAgreements)
	get(r, "/datasets/{ref}/agreement", Read, "What was agreed about a dataset, all versions", s.agreements.getAgreement)
	put(r, "/datasets/{ref}/agreement", Edit, "Record what was agreed, as the next version", s.agreements.putAgreement)
	get(r, "/datasets/{ref}/agreement/progress", Read, "Where a run stands against what was agreed", s.agreements.getStanding)
	form(r, reviewsPath, Edit, "Upload a filled-in workbook: see what it would change, or merge it", s.agreements.importReviews)
	describeReviews(r)
	get(r, "/runs/{id}/reviews", Read, "What people say about the answers, beside the judge", s.agreements.getReviews)
	post(r, "/runs/{id}/reviews", Edit, "Say something about one answer", s.agreements.postReview)
	s.reviewQueueRoutes(r)
}

func (s *rooms) machineRoutes(r *router) {
	get(r, "/baselines", Read, "The runs that datasets are compared with", s.datasets.listBaselines)
	put(r, "/baselines/{dataset}", Edit, "Choose a baseline", s.datasets.setBaseline)
	remove(r, "/baselines/{dataset}", Edit, "Have no baseline any more", s.datasets.clearBaseline)
	get(r, "/endpoints", Read, "Systems that run elsewhere", s.machine.listEndpoints)
	post(r, "/endpoints/{name}/test", Run, "Ask an endpoint one question", s.machine.testEndpoint)
	post(r, "/ask", Run, "Answer one question and score the answer", s.machine.ask)
	get(r, "/doctor", Admin, "Whether runs, scores and bills agree with each other", s.machine.doctor)
	get(r, "/judge-cards", Read, "What was measured of the judges", s.machine.listJudgeCards)
	start(r, "/judge-cards", Run, "Measure a judge, or only say what that would buy", s.machine.validateJudge)
	get(r, "/judge-cards/{judge}", Read, "What was measured of one judge", s.machine.getJudgeCard)
	get(r, "/settings", Read, "What is in force, without secrets", s.machine.getSettings)
	put(r, "/settings/providers/{name}", Admin, "Add a server of models, or change one that was added", s.machine.putProvider)
	remove(r, "/settings/providers/{name}", Admin, "Remove a server of models that was added; runs keep what they have", s.machine.removeProvider)
	post(r, "/settings/providers/{name}/restore", Admin, "Take back that a server of models was removed", s.machine.restoreProvider)
	post(r, "/settings/providers/{name}/test", Admin, "Ask a provider for a few tokens", s.machine.testProvider)
}

func (s *rooms) notebooksRoutes(r *router) {
	get(r, "/notebooks", Read, "Notebooks", s.notebooks.listNotebooks)
	post(r, "/notebooks", Edit, "Write a new notebook, or one of a template", s.notebooks.createNotebook)
	get(r, "/notebooks/gallery", Read, "Templates that new notebooks are made of", s.notebooks.listGallery)
	post(r, "/notebooks/gallery", Edit, "Save a notebook as a template of the team", s.notebooks.saveTemplate)
	post(r, "/notebooks/gallery/quote", Read, "What a notebook of a template would make and cost", s.notebooks.quoteTemplate)
	get(r, "/notebooks/schemas", Read, "What each type of cells may say", s.notebooks.listSchemas)
	post(r, "/notebooks/evaluate", Read, "How the cells of a text stand that is not saved", s.notebooks.evaluateNotebook)
	post(r, "/notebooks/prose", Read, "One stretch of prose as HTML, without evaluating", s.notebooks.renderProse)
	post(r, "/notebooks/edit", Read, "One edit of a text, which is not saved", s.notebooks.editNotebook)
	get(r, "/notebooks/snapshots", Read, "Sealed notebooks", s.notebooks.listSealed)
	get(r, "/notebooks/snapshots/{id}", Read, "A sealed notebook, to be read", s.notebooks.getSealed)
	get(r, "/notebooks/snapshots/{id}/read", Read, "A sealed notebook without its cells", s.notebooks.readSealed)
	stream(r, "/notebooks/snapshots/{id}/snapshot.ragsnap", Read, "A sealed notebook as a file", fileTypes["ragsnap"],
		s.notebooks.exportSealed)
	get(r, "/notebooks/{name}", Read, "A notebook with its cells and how they stand", s.notebooks.getNotebook)
	put(r, "/notebooks/{name}", Edit, "Save the text of a notebook", s.notebooks.saveNotebook)
	remove(r, "/notebooks/{name}", Edit, "Put a notebook into the trash", s.notebooks.deleteNotebook)
	post(r, "/notebooks/{name}/restore", Edit, "Take a notebook out of the trash", s.notebooks.restoreNotebook)
	post(r, "/notebooks/{name}/rename", Edit, "Give a notebook another name", s.notebooks.renameNotebook)
	post(r, "/notebooks/{name}/cells", Edit, "Put a cell behind another one, or behind the last", s.notebooks.addCell)
	post(r, "/notebooks/{name}/snapshots", Edit, "Seal a notebook with its results", s.notebooks.sealNotebook)
	get(r, "/notebooks/{name}/read", Read, "A notebook without its cells", s.notebooks.readNotebook)
	stream(r, "/notebooks/{name}/notebook.html", Read, "A notebook without its cells, as one page", fileTypes["html"],
		s.notebooks.notebookAs("html"))
	stream(r, "/notebooks/{name}/notebook.xlsx", Read, "The workbook of a notebook's report", fileTypes["xlsx"],
		s.notebooks.notebookAs("xlsx"))
	stream(r, "/notebooks/{name}/notebook.ipynb", Read, "A notebook without its cells, for Jupyter", fileTypes["ipynb"],
		s.notebooks.notebookAs("ipynb"))
	for _, format := range spreadsheet.Formats() {
		stream(r, "/notebooks/{name}/rows."+format, Read, "The rows of a query, table or chart cell, as a file", fileTypes[format],
			s.notebooks.cellAs(format))
	}
	stream(r, "/notebooks/{name}/notebook.ragsnap", Read, "A notebook sealed with its results, as a file", fileTypes["ragsnap"],
		s.notebooks.notebookAs("ragsnap"))
	post(r, "/notebooks/{name}/plan", Run, "What running a notebook would buy", s.notebooks.planNotebook)
	start(r, "/notebooks/{name}/run", Run, "Run a notebook, or some of its cells", s.notebooks.runNotebook)
	start(r, "/notebooks/{name}/stop", Run, "Stop a notebook; what is done is kept", s.notebooks.stopNotebook)
	stream(r, "/notebooks/{name}/events", Read, "What happens to a notebook, as server-sent events", "text/event-stream", s.notebooks.notebookEvents)
}

func (s *rooms) schedulesRoutes(r *router) {
	get(r, "/schedules", Read, "Schedules, by name", s.schedules.listSchedules)
	post(r, "/schedules/preview", Read, "What a timetable means, before it is stored", s.schedules.previewSchedule)
	get(r, "/schedules/zones", Read, "Names of time zones", s.schedules.listZones)
	post(r, "/schedules/from-notebook", Run, "Register what the front matter of a notebook says", s.schedules.putNotebookSchedules)
	get(r, "/schedules/{name}", Read, "One schedule with its newest slot", s.schedules.getSchedule)
	put(r, "/schedules/{name}", Run, "Register a schedule, or change it", s.schedules.putSchedule)
	remove(r, "/schedules/{name}", Edit, "Forget a schedule; its fires and their runs stay", s.schedules.removeSchedule)
	post(r, "/schedules/{name}/pause", Run, "Keep a schedule from firing", s.schedules.pauseSchedule)
	post(r, "/schedules/{name}/resume", Run, "Let a schedule fire again", s.schedules.resumeSchedule)
	start(r, "/schedules/{name}/run-now", Run, "Fire a schedule at this moment", s.schedules.runScheduleNow)
	get(r, "/schedules/{name}/next", Read, "The next slots of a schedule", s.schedules.nextSlots)
	get(r, "/schedules/{name}/fires", Read, "What became of the slots of a schedule, newest first", s.schedules.listFires)
	stream(r, "/schedules/{name}/fires/{fire}/workbook.xlsx", Read, "The workbook that a fire wrote", fileTypes["xlsx"],
		s.schedules.fireWorkbook)
}
