// Package metrics scores answers.
//
// A [Suite] turns a [Sample] (question, reference, evidence, answer, contexts) into one [Score] for each metric of the
// [Catalogue]. A score is a value, not applicable with a reason, or an error with a cause; it is never a silent zero.
//
// Judge prompts are native in English and Japanese and ask for verdicts, not for numbers we could compute ourselves:
// claims are listed, verified against every context, and the shares are counted here. The two rubrics, correctness and
// trust (1–5), are the founding paper's. Judge replies are stage outputs, so metrics that need the same reply share it, and
// so do runs. The offline judge ([OfflineHandlers]) compares words; its scores are for wiring and trial.
package metrics
