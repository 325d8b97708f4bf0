// Testsummary reads the output of go test -json from standard input and says what happened.
//
// While it reads, it prints one line for each package, and every line that is not an event as it is; a line that begins
// with "== " names the section that follows, so several runs can be piped in one after the other. At the end it prints the
// whole output of everything that failed, then every skipped test with its reason, every test that passed only at its second try with
// the error of the first, once more what failed, in at most 25 lines with the beginning of each error, and last, alone on a line,
//
//	N passed, N failed, N skipped
//
// An event of the action "flaky", which go test does not write, names a test that passed at its second try.
//
// A test counts once, however many runs it was part of: failed when it failed in any, skipped when it was skipped in all.
// A test with subtests does not count beside them, unless it failed on its own account. A package that does not build, or
// that fails outside its tests, counts as one failed, and so does a line that begins with "!! ", which the caller writes
// for a check that is not a test. The exit code is 1 when anything failed, or when no package was seen.
package main

import (
	"fmt"
	"os"
)

func main() {
	s := newSummary(os.Stdout)
	if err := s.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testsummary:", err)
		os.Exit(1)
	}
	if !s.close() {
		os.Exit(1)
	}
}
