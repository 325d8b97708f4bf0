package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build output; "path [path.test]" for the test variant of a package
	Test        string
	Elapsed     float64 // seconds
	Output      string
	FailedBuild string // ImportPath of what did not build
}

// test names one test, or with an empty name everything a package does outside its tests.
type test struct{ pkg, name string }

// summary gathers events of several runs, which follow each other.
type summary struct {
	out      io.Writer
	failures []failure
	passed   map[test]bool // in any run
	failed   map[test]bool
	skipped  map[test]string // reason
	flaky    map[test]string // output of the first try
	section
}

// section is one run of go test.
type section struct {
	name     string
	running  map[test]*strings.Builder // output of what has not ended
	builds   map[string]*strings.Builder
	blamed   map[string]bool // packages with a failed test
	packages int
}

func newSection(name string) section {
	return section{name: name, running: map[test]*strings.Builder{}, builds: map[string]*strings.Builder{}, blamed: map[string]bool{}}
}

type failure struct {
	test
	title, output string
}

func newSummary(out io.Writer) *summary {
	return &summary{
		out: out, passed: map[test]bool{}, failed: map[test]bool{}, skipped: map[test]string{}, flaky: map[test]string{},
		section: newSection(""),
	}
}

// read takes in lines until the end.
func (s *summary) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			s.line(bytes.TrimRight(line, "\n"))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) line(line []byte) {
	var e event
	if bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &e) == nil && e.Action != "" {
		s.event(e)
		return
	}
	if name, ok := strings.CutPrefix(string(line), "== "); ok {
		if s.name != "" {
			s.sectionEnd()
		}
		s.section = newSection(name)
	}
	if what, ok := strings.CutPrefix(string(line), "!! "); ok {
		s.fail(test{pkg: what}, what, "")
	}
	fmt.Fprintf(s.out, "%s\n", line)
}

func (s *summary) event(e event) {
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		write(s.builds, e.ImportPath, e.Output)
	case "run", "output":
		write(s.running, t, e.Output)
	case "flaky":
		s.flaky[t] = e.Output
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.packageEnd(e)
		} else {
			s.testEnd(t, e)
		}
	}
}

func write[K comparable](to map[K]*strings.Builder, key K, text string) {
	if to[key] == nil {
		to[key] = &strings.Builder{}
	}
	to[key].WriteString(text)
}

func (s *summary) testEnd(t test, e event) {
	output := s.take(t)
	switch e.Action {
	case "pass":
		s.passed[t] = true
	case "fail":
		s.fail(t, short(t.pkg)+" "+t.name, output)
	case "skip":
		s.skipped[t] = reason(output)
	}
}

// packageEnd prints the line of a package. When the package failed, whatever it was still running failed with it.
func (s *summary) packageEnd(e event) {
	s.packages++
	own := s.take(test{pkg: e.Package})
	word := map[string]string{"pass": "ok  ", "fail": "FAIL", "skip": "none"}[e.Action]
	fmt.Fprintf(s.out, "%s  %-32s %7.2fs\n", word, short(e.Package), e.Elapsed)
	if e.Action != "fail" {
		return
	}
	if e.FailedBuild != "" {
		output := own
		if b := s.builds[e.FailedBuild]; b != nil {
			output = b.String()
		}
		s.fail(test{pkg: e.Package}, short(e.Package)+" does not build", output)
		return
	}
	for _, t := range slices.SortedFunc(maps.Keys(s.running), byName) {
		if t.pkg == e.Package {
			s.fail(t, short(t.pkg)+" "+t.name+" did not end", s.take(t)+own)
		}
	}
	if !s.blamed[e.Package] {
		s.fail(test{pkg: e.Package}, short(e.Package)+" fails outside its tests", own)
	}
}

// sectionEnd fails a run that tested nothing: go test itself did not start.
func (s *summary) sectionEnd() {
	if s.packages == 0 {
		s.fail(test{pkg: "== " + s.name}, "no package was tested", "")
	}
}

func byName(a, b test) int { return strings.Compare(a.pkg+" "+a.name, b.pkg+" "+b.name) }

func (s *summary) take(t test) string {
	b := s.running[t]
	delete(s.running, t)
	if b == nil {
		return ""
	}
	return b.String()
}

func (s *summary) fail(t test, title, output string) {
	s.failed[t] = true
	if t.name != "" {
		s.blamed[t.pkg] = true
	}
	if s.name != "" {
		title += " (" + s.name + ")"
	}
	s.failures = append(s.failures, failure{t, title, output})
}

// close prints what failed, what was skipped, what passed only when it was tried again, what failed once more in short, and the counts. It
// reports whether all is well.
func (s *summary) close() bool {
	s.sectionEnd()
	failures := s.told()
	for _, f := range failures {
		fmt.Fprintf(s.out, "\n--- FAILED: %s\n%s", f.title, f.output)
		if f.output != "" && !strings.HasSuffix(f.output, "\n") {
			fmt.Fprintln(s.out)
		}
	}
	passed, failed, skipped := s.count()
	if len(skipped) > 0 {
		fmt.Fprintln(s.out, "\nskipped:")
	}
	for _, t := range skipped {
		fmt.Fprintf(s.out, "  %s %s: %s\n", short(t.pkg), t.name, s.skipped[t])
	}
	if len(s.flaky) > 0 {
		fmt.Fprintln(s.out)
	}
	for _, t := range slices.SortedFunc(maps.Keys(s.flaky), byName) {
		fmt.Fprintf(s.out, "passed at the second try: %s %s\n", short(t.pkg), t.name)
		for _, line := range firstLines(s.flaky[t], 3) {
			fmt.Fprintf(s.out, "    %s\n", line)
		}
	}
	s.again(failures)
	fmt.Fprintf(s.out, "\n%d passed, %d failed, %d skipped\n", passed, failed, len(skipped))
	return failed == 0
}

// told returns the failures without tests that failed only because a subtest did.
func (s *summary) told() []failure {
	above := parents(maps.Keys(s.failed))
	return slices.DeleteFunc(slices.Clone(s.failures), func(f failure) bool { return above[f.test] && len(words(f.output)) == 0 })
}

// lastLines is how many lines the failures take when they are named once more: of a long log often only the end is kept.
const lastLines = 25

// again names what failed, each with the first lines of its output, in at most lastLines lines.
func (s *summary) again(failures []failure) {
	if len(failures) == 0 {
		return
	}
	fmt.Fprintln(s.out, "\nfailed:")
	room := lastLines - 2 // one for the heading, one for those that find no room
	each := max(0, min(7, room/len(failures)-1))
	for i, f := range failures {
		if i == room {
			fmt.Fprintf(s.out, "  and %d more, above\n", len(failures)-i)
			break
		}
		fmt.Fprintf(s.out, "  %s\n", f.title)
		for _, line := range firstLines(f.output, each) {
			fmt.Fprintf(s.out, "      %s\n", line)
		}
	}
}

// longestLine is where a line is cut that is named once more, in characters.
const longestLine = 200

// firstLines returns the first lines that say something, at most n.
func firstLines(output string, n int) []string {
	var first []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if len(first) == n {
			break
		}
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if r := []rune(line); len(r) > longestLine {
			line = string(r[:longestLine]) + "…"
		}
		first = append(first, line)
	}
	return first
}

func (s *summary) count() (passed, failed int, skipped []test) {
	withBelow := parents(slices.Values(slices.Concat(keys(s.passed), keys(s.failed), keys(s.skipped))))
	failedBelow := parents(maps.Keys(s.failed))
	for t := range s.failed {
		if !failedBelow[t] {
			failed++
		}
	}
	for t := range s.passed {
		if !s.failed[t] && !withBelow[t] {
			passed++
		}
	}
	for t := range s.skipped {
		if !s.failed[t] && !s.passed[t] && !withBelow[t] {
			skipped = append(skipped, t)
		}
	}
	slices.SortFunc(skipped, byName)
	return passed, failed, skipped
}

func keys[V any](m map[test]V) []test { return slices.Collect(maps.Keys(m)) }

// parents returns every test that some test is a subtest of.
func parents(tests iter.Seq[test]) map[test]bool {
	above := map[test]bool{}
	for t := range tests {
		for i, r := range t.name {
			if r == '/' {
				above[test{t.pkg, t.name[:i]}] = true
			}
		}
	}
	return above
}

// reason is what a test printed before it was skipped, on one line.
func reason(output string) string {
	if w := words(output); len(w) > 0 {
		return strings.Join(w, " ")
	}
	return "no reason given"
}

// words returns the lines that a test printed itself, without their file names.
func words(output string) []string {
	var own []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if place, rest, ok := strings.Cut(line, ": "); ok && strings.Contains(place, ".go:") {
			line = rest
		}
		own = append(own, line)
	}
	return own
}

// short is an import path inside its module, when the module's path has three parts; "." is its root.
func short(pkg string) string {
	parts := strings.SplitN(pkg, "/", 4)
	switch {
	case len(parts) < 3 || !strings.Contains(parts[0], "."):
		return pkg
	case len(parts) == 3:
		return "."
	}
	return parts[3]
}
