package server

import "github.com/rag-workbench/workbench/internal/reports"

// register lists every route of the API with its permission. Nothing else adds one.
func (s *Server) register(r *router) {
	s.session(r)
	s.accounts(r)
	s.runs(r)
	s.comparisons(r)
	s.library(r)
	s.people(r)
	s.machine(r)
	s.files(r)
	s.sheets(r)
	s.validations(r)
	s.data(r)
	s.notebooks(r)
	s.notices(r)
	s.schedules(r)
	s.shares(r)
}

func (s *Server) session(r *router) {
	get(r, "/me", Public, "Who is asking, and where the user interface opens", s.me)
	post(r, "/session", Public, "Sign in with a name and a password, or with a token", s.login)
	remove(r, "/session", Public, "End the session", s.logout)
	get(r, "/catalogue", Read, "The names of everything, in both languages", s.catalogue)
	stream(r, "/openapi.json", Read, "This contract", "application/json", s.contract)
}

func (s *Server) runs(r *router) {
	get(r, "/runs", Read, "Runs, newest first", s.listRuns)
	get(r, "/parameters", Read, "Which parameters differ between the runs of a list, by the filters of /runs", s.listParameters)
	start(r, "/runs", Run, "Start a run", s.startRun)
	post(r, "/runs/plan", Run, "What a run would buy", s.planRun)
	get(r, "/runs/{id}", Read, "One run with its setup and headline numbers", s.getRun)
	patch(r, "/runs/{id}", Edit, "Pin a run", s.changeRun)
	patch(r, "/runs/{id}/notes", Edit, "Write a note beside a run, or give it tags", s.changeNotes)
	get(r, "/run-tags", Read, "Tags that runs have", s.listRunTags)
	get(r, "/run-views", Read, "Saved views of the list of runs", s.listRunViews)
	put(r, "/run-views/{name}", Edit, "Save a view of the list of runs for everybody", s.putRunView)
	remove(r, "/run-views/{name}", Edit, "Take a saved view away", s.removeRunView)
	post(r, "/run-views/{name}/restore", Edit, "Put a saved view back that was taken away", s.restoreRunView)
	remove(r, "/runs/{id}", Admin, "Delete a run with its answers and scores", s.deleteRun)
	start(r, "/runs/{id}/pause", Run, "Ask a run to pause", s.pauseRun)
	start(r, "/runs/{id}/cancel", Run, "Ask a run to end", s.cancelRun)
	start(r, "/runs/{id}/resume", Run, "Go on with what is missing", s.resumeRun)
	start(r, "/runs/{id}/retry-errors", Run, "Ask questions with errors again", s.retryErrors)
	start(r, "/runs/{id}/replicate", Run, "Ask all questions again", s.replicateRun)
	get(r, "/runs/{id}/bill", Read, "What a run has cost", s.getBill)
	get(r, "/runs/{id}/points", Read, "All questions in columns, for charts", s.getPoints)
	get(r, "/runs/{id}/questions", Read, "Questions of a run", s.listQuestions)
	table(r, "/runs/{id}/questions", Read, "Questions of a run as a file", s.exportQuestions)
	get(r, "/runs/{id}/questions/{question}", Read, "One question with everything its scores rest on", s.getAnswer)
	get(r, "/runs/{id}/questions/{question}/history", Read, "What other runs answered", s.getHistory)
	get(r, "/runs/{id}/causes", Read, "Why answers are low, where that was looked for", s.getCauses)
	start(r, "/runs/{id}/diagnose", Run, "Look for the causes of low scores", s.diagnose)
	start(r, "/runs/{id}/recommendations", Run, "Try the recommended changes on answers of the run, or say what that would take",
		s.tryRecommendations)
	post(r, "/runs/{id}/recommendations/{nth}", Edit, "Register a recommended change as an experiment", s.applyRecommendation)
	stream(r, "/runs/{id}/study.zip", Read, "A run with everything it rests on", studyType, s.exportStudy)
	get(r, "/runs/{id}/question-report", Read, "Categories, themes and keywords, where the questions were analysed", s.getQuestionReport)
	start(r, "/runs/{id}/analyse-questions", Run, "Give the questions categories, themes and keywords", s.analyseQuestions)
	stream(r, "/runs/{id}/events", Read, "What happens to a run, as server-sent events", "text/event-stream", s.events)
}

func (s *Server) comparisons(r *router) {
	get(r, "/comparisons", Read, "Two runs compared", s.getComparison)
	get(r, "/comparisons/questions", Read, "Questions of a comparison, worst first", s.listChanges)
	table(r, "/comparisons/questions", Read, "Questions of a comparison as a file", s.exportChanges)
	get(r, "/comparisons/regressions", Read, "Only the answers that got worse", s.listRegressions)
	get(r, "/comparisons/questions/{question}", Read, "One question in both runs, with what differs", s.getChange)

	get(r, "/beside", Read, "Up to five runs beside one baseline", s.getBeside)
	get(r, "/beside/questions", Read, "Questions of runs side by side, those first on which they disagree most", s.listBeside)
	start(r, "/comparisons/verify", Run, "Check what a comparison is in doubt about", s.verify)
	get(r, "/comparisons/gate", Read, "May the candidate replace the baseline", s.getGate)
	stream(r, "/comparisons/report.xlsx", Read, "The report as a workbook", fileTypes["xlsx"], s.reportAs("xlsx"))
	stream(r, "/comparisons/report.html", Read, "The report as one page that prints", fileTypes["html"], s.reportAs("html"))
	stream(r, "/comparisons/report.md", Read, "The report as a short summary", fileTypes["md"], s.reportAs("md"))
	stream(r, "/comparisons/report.jsonl", Read, "Every question of the report, a line of JSON each", fileTypes["jsonl"],
		s.reportAs("jsonl"))
	stream(r, "/comparisons/report.csv", Read, "Every question of the report as a table", fileTypes["csv"], s.reportAs("csv"))
	s.jobs(r)

	start(r, "/sweeps", Run, "Start a sweep, or the search for its winner", s.startSweep)
	post(r, "/sweeps/plan", Run, "What a sweep, or the search for its winner, would buy", s.planSweep)
	get(r, "/sweeps/{id}", Read, "A sweep with its effects and its winner", s.getSweep)
}

func (s *Server) library(r *router) {
	get(r, "/experiments", Read, "Registered experiments", s.listExperiments)
	get(r, "/experiments/{name}", Read, "One experiment with its file and runs", s.getExperiment)

	put(r, "/experiments/{name}", Edit, "Register an experiment, or its next revision", s.putExperiment)
	post(r, "/experiments/{name}/archive", Edit, "Archive an experiment, or take it back", s.archiveExperiment)
	post(r, "/experiments/preview", Edit, "Read an experiment without storing it", s.previewExperiment)

	get(r, "/datasets", Read, "Datasets by their newest version", s.listDatasets)
	form(r, uploadPath, Edit, "Upload a question sheet and see how it is read", s.previewDataset)
	post(r, "/datasets", Edit, "Store an uploaded question sheet", s.commitDataset)
	get(r, "/datasets/{ref}", Read, "The versions of a dataset", s.getDataset)
	get(r, "/datasets/{ref}/questions", Read, "Questions of a dataset", s.listDatasetQuestions)
	table(r, "/datasets/{ref}/questions", Read, "Questions of a dataset as a file", s.exportDataset)
	get(r, "/datasets/{ref}/questions/{question}", Read, "One question of a dataset", s.getDatasetQuestion)

	patch(r, "/datasets/{ref}/questions/{question}", Edit, "Change a question, as the next version", s.editQuestion)

	get(r, "/datasets/{ref}/taxonomies", Read, "What the questions of a dataset are assigned to", s.listTaxonomies)
	put(r, "/datasets/{ref}/taxonomies/{taxonomy}", Edit, "Lock an edited taxonomy, as the next version", s.putTaxonomy)

	get(r, "/corpora", Read, "Corpora by their newest version", s.listCorpora)
	form(r, corpusPath, Edit, "Upload documents as the next version of a corpus", s.importCorpus)
	get(r, "/corpora/{ref}", Read, "The versions of a corpus", s.getCorpus)
	remove(r, "/corpora/{ref}/index", Edit, "Forget the index of a team behind a corpus", s.detachIndex)
	get(r, "/corpora/{ref}/documents", Read, "Documents of a corpus", s.listDocuments)
	get(r, "/corpora/{ref}/documents/{document}", Read, "A document with marked evidence", s.getDocument)
	get(r, "/corpora/{ref}/chunks", Read, "How a document would be cut", s.getChunks)
}

func (s *Server) people(r *router) {
	get(r, "/agreements", Read, "What was agreed, one row for each dataset", s.listAgreements)
	get(r, "/datasets/{ref}/agreement", Read, "What was agreed about a dataset, all versions", s.getAgreement)
	put(r, "/datasets/{ref}/agreement", Edit, "Record what was agreed, as the next version", s.putAgreement)
	get(r, "/datasets/{ref}/agreement/progress", Read, "Where a run stands against what was agreed", s.getStanding)
	form(r, reviewsPath, Edit, "Upload a filled-in workbook: see what it would change, or merge it", s.importReviews)
	describeReviews(r)
	get(r, "/runs/{id}/reviews", Read, "What people say about the answers, beside the judge", s.getReviews)
	post(r, "/runs/{id}/reviews", Edit, "Say something about one answer", s.postReview)
	s.reviewQueue(r)
}

func (s *Server) machine(r *router) {
	get(r, "/baselines", Read, "The runs that datasets are compared with", s.listBaselines)
	put(r, "/baselines/{dataset}", Edit, "Choose a baseline", s.setBaseline)
	remove(r, "/baselines/{dataset}", Edit, "Have no baseline any more", s.clearBaseline)
	get(r, "/endpoints", Read, "Systems that run elsewhere", s.listEndpoints)
	post(r, "/endpoints/{name}/test", Run, "Ask an endpoint one question", s.testEndpoint)
	post(r, "/ask", Run, "Answer one question and score the answer", s.ask)
	get(r, "/doctor", Admin, "Whether runs, scores and bills agree with each other", s.doctor)
	get(r, "/judge-cards", Read, "What was measured of the judges", s.listJudgeCards)
	start(r, "/judge-cards", Run, "Measure a judge, or only say what that would buy", s.validateJudge)
	get(r, "/judge-cards/{judge}", Read, "What was measured of one judge", s.getJudgeCard)
	get(r, "/settings", Read, "What is in force, without secrets", s.getSettings)
	put(r, "/settings/providers/{name}", Admin, "Add a server of models, or change one that was added", s.putProvider)
	remove(r, "/settings/providers/{name}", Admin, "Remove a server of models that was added; runs keep what they have", s.removeProvider)
	post(r, "/settings/providers/{name}/restore", Admin, "Take back that a server of models was removed", s.restoreProvider)
	post(r, "/settings/providers/{name}/test", Admin, "Ask a provider for a few tokens", s.testProvider)
}

func (s *Server) notebooks(r *router) {
	get(r, "/notebooks", Read, "Notebooks", s.listNotebooks)
	post(r, "/notebooks", Edit, "Write a new notebook, or one of a template", s.createNotebook)
	get(r, "/notebooks/gallery", Read, "Templates that new notebooks are made of", s.listGallery)
	post(r, "/notebooks/gallery", Edit, "Save a notebook as a template of the team", s.saveTemplate)
	post(r, "/notebooks/gallery/quote", Read, "What a notebook of a template would make and cost", s.quoteTemplate)
	get(r, "/notebooks/schemas", Read, "What each type of cells may say", s.listSchemas)
	post(r, "/notebooks/evaluate", Read, "How the cells of a text stand that is not saved", s.evaluateNotebook)
	post(r, "/notebooks/edit", Read, "One edit of a text, which is not saved", s.editNotebook)
	get(r, "/notebooks/snapshots", Read, "Sealed notebooks", s.listSealed)
	get(r, "/notebooks/snapshots/{id}", Read, "A sealed notebook, to be read", s.getSealed)
	get(r, "/notebooks/snapshots/{id}/read", Read, "A sealed notebook without its cells", s.readSealed)
	stream(r, "/notebooks/snapshots/{id}/snapshot.ragsnap", Read, "A sealed notebook as a file", fileTypes["ragsnap"], s.exportSealed)
	get(r, "/notebooks/{name}", Read, "A notebook with its cells and how they stand", s.getNotebook)
	put(r, "/notebooks/{name}", Edit, "Save the text of a notebook", s.saveNotebook)
	remove(r, "/notebooks/{name}", Edit, "Put a notebook into the trash", s.deleteNotebook)
	post(r, "/notebooks/{name}/restore", Edit, "Take a notebook out of the trash", s.restoreNotebook)
	post(r, "/notebooks/{name}/rename", Edit, "Give a notebook another name", s.renameNotebook)
	post(r, "/notebooks/{name}/cells", Edit, "Put a cell behind the last one", s.addCell)
	post(r, "/notebooks/{name}/snapshots", Edit, "Seal a notebook with its results", s.sealNotebook)
	get(r, "/notebooks/{name}/read", Read, "A notebook without its cells", s.readNotebook)
	stream(r, "/notebooks/{name}/notebook.html", Read, "A notebook without its cells, as one page", fileTypes["html"], s.notebookAs("html"))
	stream(r, "/notebooks/{name}/notebook.xlsx", Read, "The workbook of a notebook's report", fileTypes["xlsx"], s.notebookAs("xlsx"))
	for _, format := range reports.Formats() {
		stream(r, "/notebooks/{name}/rows."+format, Read, "The rows of a query, table or chart cell, as a file", fileTypes[format],
			s.cellAs(format))
	}
	stream(r, "/notebooks/{name}/notebook.ragsnap", Read, "A notebook sealed with its results, as a file", fileTypes["ragsnap"],
		s.notebookAs("ragsnap"))
	post(r, "/notebooks/{name}/plan", Run, "What running a notebook would buy", s.planNotebook)
	start(r, "/notebooks/{name}/run", Run, "Run a notebook, or some of its cells", s.runNotebook)
	start(r, "/notebooks/{name}/stop", Run, "Stop a notebook; what is done is kept", s.stopNotebook)
	stream(r, "/notebooks/{name}/events", Read, "What happens to a notebook, as server-sent events", "text/event-stream", s.notebookEvents)
}

func (s *Server) schedules(r *router) {
	get(r, "/schedules", Read, "Schedules, by name", s.listSchedules)
	post(r, "/schedules/preview", Read, "What a timetable means, before it is stored", s.previewSchedule)
	get(r, "/schedules/zones", Read, "Names of time zones", s.listZones)
	post(r, "/schedules/from-notebook", Run, "Register what the front matter of a notebook says", s.putNotebookSchedules)
	get(r, "/schedules/{name}", Read, "One schedule with its newest slot", s.getSchedule)
	put(r, "/schedules/{name}", Run, "Register a schedule, or change it", s.putSchedule)
	remove(r, "/schedules/{name}", Edit, "Forget a schedule; its fires and their runs stay", s.removeSchedule)
	post(r, "/schedules/{name}/pause", Run, "Keep a schedule from firing", s.pauseSchedule)
	post(r, "/schedules/{name}/resume", Run, "Let a schedule fire again", s.resumeSchedule)
	start(r, "/schedules/{name}/run-now", Run, "Fire a schedule at this moment", s.runScheduleNow)
	get(r, "/schedules/{name}/next", Read, "The next slots of a schedule", s.nextSlots)
	get(r, "/schedules/{name}/fires", Read, "What became of the slots of a schedule, newest first", s.listFires)
	stream(r, "/schedules/{name}/fires/{fire}/workbook.xlsx", Read, "The workbook that a fire wrote", fileTypes["xlsx"], s.fireWorkbook)
}
