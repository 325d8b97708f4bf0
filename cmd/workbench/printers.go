package main

// What the verbs print, and how they ask, is in one type for each thing that is told of. Each has the program, with its streams and its
// language, and nothing of its own.
type (
	// comparisonPrinter tells of two runs, or of several beside one.
	comparisonPrinter struct{ *program }
	// runPrinter tells of runs: plans, results, single answers, bills.
	runPrinter struct{ *program }
	// sweepPrinter tells of sweeps, and of searches for the best.
	sweepPrinter struct{ *program }
	// causePrinter tells why answers are low, and what questions have in common.
	causePrinter struct{ *program }
	// reviewPrinter tells what people agreed, said and have yet to look at.
	reviewPrinter struct{ *program }
	// demoPrinter tells the story of the demo, and of a first folder.
	demoPrinter struct{ *program }
	// libraryPrinter tells what was read and stored, and asks how a file is meant.
	libraryPrinter struct{ *program }
	// judgePrinter tells what was measured of judges, and of the words "cause" and "worse".
	judgePrinter struct{ *program }
	// schedulePrinter tells of schedules, of what became of their slots, and of trends.
	schedulePrinter struct{ *program }
	// notebookPrinter tells of notebooks.
	notebookPrinter struct{ *program }
	// copyPrinter tells what was found in studies, backups and databases.
	copyPrinter struct{ *program }
)

func (p *program) comparisons() comparisonPrinter { return comparisonPrinter{p} }
func (p *program) runs() runPrinter               { return runPrinter{p} }
func (p *program) sweeps() sweepPrinter           { return sweepPrinter{p} }
func (p *program) causes() causePrinter           { return causePrinter{p} }
func (p *program) reviews() reviewPrinter         { return reviewPrinter{p} }
func (p *program) demos() demoPrinter             { return demoPrinter{p} }
func (p *program) library() libraryPrinter        { return libraryPrinter{p} }
func (p *program) judges() judgePrinter           { return judgePrinter{p} }
func (p *program) schedulesOf() schedulePrinter   { return schedulePrinter{p} }
func (p *program) notebook() notebookPrinter      { return notebookPrinter{p} }
func (p *program) copies() copyPrinter            { return copyPrinter{p} }
