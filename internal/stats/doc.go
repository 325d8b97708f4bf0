// Package stats holds the statistics of the workbench: intervals, paired tests, the regression guard, agreement, and
// figures of rankings. It knows numbers and no words of evaluation: callers say what a value means.
//
// # Conventions
//
//   - A difference is candidate minus baseline. Tests are two-sided and intervals cover 95% unless a name says
//     otherwise.
//   - What cannot be computed is NaN or an error, as each function says, and never 0: an undefined value must not look
//     like a bad one. Tests and intervals refuse values that are NaN or infinite.
//   - Functions are pure. Those that draw random numbers take a seed and use [SplitMix64], so the same input gives the
//     same output on every machine.
//   - Quantiles of values are of type 7, and ranks of equal values are averaged.
//   - Results agree with testdata/cases/stat_vectors.json to 1e-9. Where a library is less exact than that, the
//     function says what it does instead.
//
// # What to use
//
//   - Which items got worse although scores are noisy: [Guard]; without a model, [BettingE] with [EBH].
//   - Whether the mean changed: [ClusterRobust] when items share a source, else [PairedT]; p values without assumptions
//     from [SignFlip]; [Wilcoxon] for ordinal scores; [McNemar] for yes-no outcomes.
//   - Whether a change is small enough to accept: [NonInferiority].
//   - Which slices changed: [StepDown] decides, [PartialPool] shows; [Standardise] when the composition differs.
//   - Many p values: [Holm], [BenjaminiHochberg], [BenjaminiYekutieli].
//   - Rates: [Wilson]; [ClopperPearson] for safety claims.
//   - How large a run must be: [Plan]. How noisy scores are: [Noise], [NestedANOVA].
//   - A judge against people: [TwoRaters], [KrippendorffAlpha], [AUROC]; its aggregate corrected: [CrossFitPPI].
//   - Sweeps: [HalvingSchedule], [MainEffects], [ParetoFront], [ShrunkWinner].
package stats
