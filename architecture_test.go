package workbench_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/scripts/architecture"
)

// TestCode holds the Go files to the shape of the project. The checks, the ladder and the doors are in
// scripts/architecture; an exception is made there, with its reason.
func TestCode(t *testing.T) {
	t.Parallel()
	tree, err := architecture.Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Packages) < len(architecture.Ladder)/2 {
		t.Fatalf("only %d packages were found; is this the root of the repository?", len(tree.Packages))
	}
	for name, found := range map[string][]string{
		"Imports":   tree.Imports(),
		"Libraries": tree.Libraries(architecture.Doors, architecture.TestPasses),
		"Comments":  tree.Comments(),
		"Columns":   tree.Columns(),
		"Sizes":     tree.Sizes(architecture.LongCode),
		"Names":     tree.Names(),
		"RaceList":  tree.RaceList(read(t, "scripts/race.txt")),
		"TurnList":  tree.TurnList(read(t, "scripts/turns.txt")),
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); none(t, found) })
	}
}

func TestLinterHasTheSameDoors(t *testing.T) {
	t.Parallel()
	none(t, architecture.LintRules(read(t, ".golangci.yaml"), architecture.Doors, architecture.TestPasses))
}

func TestDecisionRecords(t *testing.T) {
	t.Parallel()
	none(t, architecture.Records(os.DirFS("docs/adr")))
}

func TestContainerFiles(t *testing.T) {
	t.Parallel()
	version := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(read(t, "go.mod"))
	if version == nil {
		t.Fatal("go.mod has no go line")
	}
	program, found := architecture.Dockerfile(read(t, "Dockerfile"), string(version[1]))
	none(t, append(found, architecture.ComposeFile(read(t, "docker-compose.yml"), program)...))
}

func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(".github/workflows")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	for _, f := range files {
		none(t, architecture.Workflow(f.Name(), read(t, ".github/workflows/"+f.Name()), read(t, "Makefile")))
	}
	for name, wants := range map[string]string{"test.yml": `(?m)^  pull_request:(.*\n)+ +run: make test$`,
		"full.yml": `(?m)^  schedule:\n +- cron: (.*\n)+ +- run: make test-full$`} {
		if !regexp.MustCompile(wants).Match(read(t, ".github/workflows/"+name)) {
			t.Errorf("%s does not match %s", name, wants)
		}
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("deploy")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".service") {
			_, found := architecture.Unit(f.Name(), read(t, "deploy/"+f.Name()))
			none(t, found)
		}
	}
}

// modernc.org/sqlite is generated against one exact version of modernc.org/libc; with another one it may break at run
// time only.
func TestLibcIsTheOneSQLiteWasMadeFor(t *testing.T) {
	t.Parallel()
	file := strings.TrimSpace(goList(t, "{{.GoMod}}", "modernc.org/sqlite"))
	wanted := regexp.MustCompile(`modernc\.org/libc (v\S+)`).FindSubmatch(read(t, file))
	if wanted == nil {
		t.Fatalf("%s does not name modernc.org/libc", file)
	}
	if got := strings.TrimSpace(goList(t, "{{.Version}}", "modernc.org/libc")); got != string(wanted[1]) {
		t.Errorf("modernc.org/libc is %s; modernc.org/sqlite needs exactly %s: pin it in go.mod, and the module that raised it too",
			got, wanted[1])
	}
}

func TestArchitectureIsOnePage(t *testing.T) {
	t.Parallel()
	body := string(read(t, "ARCHITECTURE.md"))
	if n := strings.Count(body, "\n"); n > 165 {
		t.Errorf("ARCHITECTURE.md has %d lines; one page is at most 165", n)
	}
	for _, rung := range architecture.Ladder {
		if !strings.Contains(body, "`"+rung+"`") {
			t.Errorf("ARCHITECTURE.md does not say what `%s` is for", rung)
		}
	}
}

// TestThingsAreWhereThePageSays: each file that a name leads to declares it.
func TestThingsAreWhereThePageSays(t *testing.T) {
	t.Parallel()
	places := regexp.MustCompile("\\[`(\\w+)`\\]\\((\\S+\\.go)\\)").FindAllSubmatch(read(t, "ARCHITECTURE.md"), -1)
	if len(places) < 20 {
		t.Fatalf("only %d places were found", len(places))
	}
	for _, p := range places {
		if !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type )` + string(p[1]) + `\b`).Match(read(t, string(p[2]))) {
			t.Errorf("%s declares no %s", p[2], p[1])
		}
	}
}

// TestNothingBuiltIsTracked: a program or data that a command makes does not belong into the repository.
func TestNothingBuiltIsTracked(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(".git"); err != nil {
		t.Skip("this is no clone: an archive of the sources has no list of tracked files")
	}
	out, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z").Output()
	if err != nil {
		t.Fatal(err)
	}
	const most = 1_500_000 // bytes
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if info, err := os.Stat(name); err == nil && info.Size() > most {
			t.Errorf("%s has %d bytes, more than %d: was it built, or can a command make it?", name, info.Size(), most)
		}
	}
}

func none(t *testing.T, found []string) {
	t.Helper()
	for _, f := range found {
		t.Error(f)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func goList(t *testing.T, format, module string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", format, module)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -m %s: %v", module, err)
	}
	return string(out)
}

// TestReasonsAreAskedOfTheResult: a result that was loaded in short holds the judge's words beside its scores, so whoever has a result asks
// it, and not one of its scores, why.
func TestReasonsAreAskedOfTheResult(t *testing.T) {
	t.Parallel()
	direct := regexp.MustCompile(`(\.Scores\[[^\]]+\]|\.ScoreAt\([^)]*\))\.Reason\b( \+?= )?`)
	const itself = "internal/experiments/reasons.go"
	var found []string
	asked := 0
	for _, root := range []string{"internal", "cmd"} {
		err := fs.WalkDir(os.DirFS("."), root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for n, line := range strings.Split(string(read(t, path)), "\n") {
				for _, match := range direct.FindAllStringSubmatch(line, -1) {
					if asked++; path != itself && match[2] == "" {
						found = append(found, fmt.Sprintf("%s:%d reads a score's reason: use Result.Reason or Result.Score", path, n+1))
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if none(t, found); asked == 0 {
		t.Error("not even Result.Reason reads a reason: the pattern is an old one")
	}
}
