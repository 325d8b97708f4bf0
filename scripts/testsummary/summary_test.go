package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRealRun runs go test on a module in which everything that can happen to a test happens.
func TestRealRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, body := range map[string]string{
		"go.mod":              "module example.org/team/x\n\ngo 1.26\n",
		"good/good_test.go":   "package good\nimport \"testing\"\nfunc TestA(t *testing.T) { t.Run(\"one\", func(*testing.T) {}); t.Run(\"two\", func(*testing.T) {}) }\nfunc TestB(*testing.T) {}\nfunc TestC(t *testing.T) { t.Skip(\"there is no database\") }\nfunc TestD(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { t.SkipNow() }) }\n",
		"bad/bad_test.go":     "package bad\nimport \"testing\"\nfunc TestA(t *testing.T) { t.Run(\"one\", func(t *testing.T) { t.Error(\"wrong by one\") }); t.Run(\"two\", func(*testing.T) {}) }\n",
		"own/own_test.go":     "package own\nimport \"testing\"\nfunc TestA(t *testing.T) { t.Run(\"one\", func(*testing.T) {}); t.Error(\"after all\") }\n",
		"panic/panic_test.go": "package panic\nimport \"testing\"\nfunc TestA(*testing.T) {}\nfunc TestB(*testing.T) { var m map[string]int; m[\"a\"] = 1 }\n",
		"exit/exit_test.go":   "package exit\nimport (\"os\"; \"testing\")\nfunc TestA(*testing.T) { os.Exit(3) }\n",
		"start/start_test.go": "package start\nimport (\"fmt\"; \"os\"; \"testing\")\nfunc TestMain(*testing.M) { fmt.Println(\"cannot start\"); os.Exit(1) }\n",
		"build/build_test.go": "package build\nfunc f() int { return \"text\" }\n",
		"empty/empty.go":      "package empty\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-json", "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off")
	events, err := cmd.Output()
	if len(events) == 0 {
		t.Fatalf("go test: %v", err)
	}
	out, ok := run(t, string(events))
	if ok {
		t.Error("a failed run is called good")
	}
	for _, want := range []string{
		`(?m)^ok    good `, `(?m)^FAIL  bad `, `(?m)^none  empty `,
		`--- FAILED: bad TestA/one\n(.*\n)*.*wrong by one`,
		`--- FAILED: own TestA\n(.*\n)*.*after all`,
		`--- FAILED: panic TestB.*\n(.*\n)*.*assignment to entry in nil map`,
		`--- FAILED: exit TestA did not end\n(.*\n)*FAIL\s+example.org/team/x/exit`,
		`--- FAILED: start fails outside its tests\n(.*\n)*cannot start`,
		`--- FAILED: build does not build\n(.*\n)*.*build_test.go:2`,
		`(?m)^  good TestC: there is no database$`, `(?m)^  good TestD/sub: no reason given$`,
		`\n\n6 passed, 6 failed, 2 skipped\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the summary has no %s", want)
		}
	}
	if strings.Contains(out, "FAILED: bad TestA\n") {
		t.Error("a test that failed only because its subtest did is printed beside it")
	}
	if t.Failed() {
		t.Log(out)
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	const (
		begin  = `{"Action":"start","Package":"p"}` + "\n"
		pass   = begin + `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"p"}` + "\n"
		fail   = begin + `{"Action":"fail","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"fail","Package":"p"}` + "\n"
		skip   = begin + `{"Action":"skip","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"p"}` + "\n"
		outage = begin + `{"Action":"output","Package":"p","Output":"no memory\n"}` + "\n" + `{"Action":"fail","Package":"p"}` + "\n"
	)
	for _, c := range []struct {
		name, in, last string
		ok             bool
	}{
		{"one run", pass, "1 passed, 0 failed, 0 skipped", true},
		{"two runs count once", "== tests\n" + pass + "== race\n" + pass, "1 passed, 0 failed, 0 skipped", true},
		{"failed in the second run only", "== tests\n" + pass + "== race\n" + fail, "0 passed, 1 failed, 0 skipped", false},
		{"skipped in the second run only", "== tests\n" + pass + "== race\n" + skip, "1 passed, 0 failed, 0 skipped", true},
		{"skipped in both", "== tests\n" + skip + "== race\n" + skip, "0 passed, 0 failed, 1 skipped", true},
		{"failed test, then a crash outside tests", "== tests\n" + fail + "== race\n" + outage, "0 passed, 2 failed, 0 skipped", false},
		{"second run did not start", "== tests\n" + pass + "== race\n", "1 passed, 1 failed, 0 skipped", false},
		{"nothing at all", "", "0 passed, 1 failed, 0 skipped", false},
		{"no JSON", "go: cannot find main module\n", "0 passed, 1 failed, 0 skipped", false},
		{"another check failed", "!! go vet\n" + pass, "1 passed, 1 failed, 0 skipped", false},
		{"text between events", "hello\n" + pass + "{\"Action\":1}\n", "1 passed, 0 failed, 0 skipped", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, ok := run(t, c.in)
			lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
			if diff := cmp.Diff(c.last, lines[len(lines)-1]); diff != "" || ok != c.ok {
				t.Errorf("ok is %v, want %v; last line (-want +got):\n%s\nof\n%s", ok, c.ok, diff, out)
			}
		})
	}
}

func TestATestThatPassedAtItsSecondTryIsNamed(t *testing.T) {
	t.Parallel()
	out, ok := run(t, `{"Action":"start","Package":"frontend/e2e"}
{"Action":"pass","Package":"frontend/e2e","Test":"work: a run is followed"}
{"Action":"flaky","Package":"frontend/e2e","Test":"work: a run is followed","Output":"work.spec.ts:40: Error: not visible\n\nLocator: x\n"}
{"Action":"pass","Package":"frontend/e2e"}
`)
	want := "\npassed at the second try: frontend/e2e work: a run is followed\n    work.spec.ts:40: Error: not visible\n    Locator: x\n\n" +
		"1 passed, 0 failed, 0 skipped\n"
	if !ok || !strings.HasSuffix(out, want) {
		t.Errorf("ok is %v, the summary ends\n%s\nwant\n%s", ok, out, want)
	}
}

// TestFailuresAreNamedAtTheEnd fails one, several and many tests: the end of the log names all that have room.
func TestFailuresAreNamedAtTheEnd(t *testing.T) {
	t.Parallel()
	failing := func(n int) string {
		var in strings.Builder
		in.WriteString(`{"Action":"start","Package":"p"}` + "\n")
		for i := range n {
			fmt.Fprintf(&in, `{"Action":"output","Package":"p","Test":"Test%02d","Output":"=== RUN\n    --- FAIL: x\n"}`+"\n", i)
			fmt.Fprintf(&in, `{"Action":"output","Package":"p","Test":"Test%02d","Output":"%s"}`+"\n", i,
				strings.Repeat("wrong "+strings.Repeat("x", 300)+`\n\n`, 20))
			fmt.Fprintf(&in, `{"Action":"fail","Package":"p","Test":"Test%02d"}`+"\n", i)
		}
		return in.String() + `{"Action":"fail","Package":"p"}` + "\nmeasured in the browser:\n  a figure\n"
	}
	for _, c := range []struct{ failed, names, errors int }{{1, 1, 7}, {3, 3, 18}, {11, 11, 11}, {20, 20, 0}, {23, 23, 0}, {40, 23, 0}} {
		out, _ := run(t, failing(c.failed))
		_, last, found := strings.Cut(out, "\nfailed:\n")
		names, errors := strings.Count(last, "  p Test"), strings.Count(last, "\n      wrong xxx")
		if lines := strings.Count(last, "\n") - 1; !found || lines > 25 || names != c.names || errors != c.errors {
			t.Errorf("%d failed: %d lines, %d names and %d errors at the end, want at most 25, %d and %d:\n%s",
				c.failed, lines, names, errors, c.names, c.errors, last)
		}
		if c.failed > c.names && !strings.Contains(last, fmt.Sprintf("and %d more, above", c.failed-c.names)) {
			t.Errorf("%d failed, and those without room are not counted:\n%s", c.failed, last)
		}
		if !strings.HasSuffix(last, fmt.Sprintf("\n\n0 passed, %d failed, 0 skipped\n", c.failed)) {
			t.Errorf("the counts are not last:\n%s", last)
		}
	}
}

func TestLinesThatAreNotEventsArePrinted(t *testing.T) {
	t.Parallel()
	out, _ := run(t, "race skipped: no C compiler\n")
	if !strings.HasPrefix(out, "race skipped: no C compiler\n") {
		t.Errorf("the line is missing from %q", out)
	}
}

func run(t *testing.T, in string) (out string, ok bool) {
	t.Helper()
	var b bytes.Buffer
	s := newSummary(&b)
	if err := s.read(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	ok = s.close()
	return b.String(), ok
}
