// Package metrics scores answers.
//
// A [Suite] turns a [Sample] (question, reference, evidence, answer, contexts) into one [Score] for each metric of the
// [Catalogue] that [Resolve] picked. A score is a value, not applicable with a reason, or an error with a cause; it is never a
// silent zero. [DocOf] says what a metric means, how it is computed and what it usually means when it gets worse;
// docs/metrics.md is written from it.
//
// Judge prompts are native in English and Japanese and ask for verdicts, not for numbers we could compute ourselves. The claims
// of the answer are listed once for an answer, those of the reference once for a dataset version. Both are verified against the
// contexts and against each other: the claim matrix. Each verdict is supported, contradicted or neither; the first two need a
// quote that is found again in the passage. Verdicts are kept by the words of claim, passage and prompt, across runs, so that
// a larger k asks about the added chunks only; cells that a judge left out or did not prove are asked for again by themselves,
// at most twice, and then fail by name. Verdicts are reduced to values by the formulas of a [textual.Profile].
//
// The two rubrics, correctness and trust (1–5), are the founding paper's. An experiment may bring metrics of its own
// ([Custom]) and instructions of its own ([JudgeConfig]). Judge replies are stage outputs, so metrics that need the same reply
// share it, and so do runs; [Explain] rebuilds from them what a score rests on. The offline judge ([OfflineHandlers]) compares
// words; its scores are for wiring and trial.
package metrics
