// Package stats holds the statistics of the workbench: intervals, paired tests, the regression guard, agreement, and
// figures of rankings. It knows numbers and no words of evaluation: callers say what a value means.
//
// # Conventions
//
//   - A difference is candidate minus baseline. Tests are two-sided and intervals cover 95 % unless a name says
//     otherwise.
//   - What cannot be computed is NaN or an error, as each function says, and never 0: an undefined value must not look
//     like a bad one.
//   - Functions are pure. Those that draw random numbers take a seed, so the same input gives the same output on every
//     machine.
//   - Results agree with testdata/cases/stat_vectors.json to 1e-9. Where a library is less exact than that, the
//     function says what it does instead.
package stats
