// Package experiments is where to start reading: the nouns of the workbench and the engine that runs them.
//
// An [Experiment] is a registered [Definition]: a configuration of the system under test, a corpus, a [Dataset] of
// questions, a suite of metrics and a judge. Starting it freezes a [Setup] and creates a [Run] with one pending cell for
// each question and metric. The [Runner] works what is missing, in batches that are committed whole; what is missing is
// always asked from the [Store], so resuming a run is starting it again. A finished run never changes: its totals are
// recomputed from its cells and its chain closes over them.
//
// A sweep expands a definition into one run for each combination of its axes ([Definition.Expand]). An [Evaluation] is a
// run with its questions and results, all that analysis and reports need.
package experiments
