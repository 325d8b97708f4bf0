// Package formula turns verdicts into values: what a judge said of claims, contexts and ratings comes in, a [Reduction] comes
// out, that is a value, "not applicable" or a failure, each of the last two with a code that says why.
//
// It asks nobody, reads no text but to compare it, and knows neither a sample nor a suite. Every formula takes a
// [textual.Profile]: the fixed one is what the program uses; those of Ragas, legacy and collections, do what its versions do,
// peculiarities included, and the tests play its reference cases on them.
package formula
