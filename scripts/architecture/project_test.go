package architecture_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rag-workbench/workbench/scripts/architecture"
)

func TestRecords(t *testing.T) {
	t.Parallel()
	record := func(number string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("# " + number + " Title\n\n## Context\n\n## Decision\n\n## Consequences\n")}
	}
	index := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const both = "[a](0001-a.md) [b](0002-b.md)"
	for _, c := range []struct {
		name string
		dir  fstest.MapFS
		want []string
	}{
		{"in order", fstest.MapFS{"README.md": index(both), "0001-a.md": record("0001"), "0002-b.md": record("0002")}, nil},
		{"gap", fstest.MapFS{"README.md": index("[a](0001-a.md) [b](0003-b.md)"), "0001-a.md": record("0001"), "0003-b.md": record("0003")},
			[]string{"should be number 0002"}},
		{"twice", fstest.MapFS{"README.md": index("[a](0001-a.md) [b](0001-b.md)"), "0001-a.md": record("0001"),
			"0001-b.md": record("0001")}, []string{"0001-b.md should be number 0002"}},
		{"not listed", fstest.MapFS{"README.md": index("[a](0001-a.md)"), "0001-a.md": record("0001"), "0002-b.md": record("0002")},
			[]string{"does not list 0002-b.md"}},
		{"listed in vain", fstest.MapFS{"README.md": index(both), "0001-a.md": record("0001")},
			[]string{"lists 0002-b.md, which does not exist"}},
		{"misnamed", fstest.MapFS{"README.md": index("[a](0001_A.md)"), "0001_A.md": record("0001")}, []string{"not named NNNN-title.md"}},
		{"part missing", fstest.MapFS{"README.md": index("[a](0001-a.md)"), "0001-a.md": index("# 0001 A\n## Context\n## Decision\n")},
			[]string{`no "## Consequences"`}},
		{"long", fstest.MapFS{"README.md": index("[a](0001-a.md)"),
			"0001-a.md": index("# 0001 A\n## Context\n## Decision\n## Consequences\n" + strings.Repeat("\n", 57))},
			[]string{"has 61 lines"}},
		{"no index", fstest.MapFS{"0001-a.md": record("0001")}, []string{"README.md"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, architecture.Records(c.dir), c.want...)
		})
	}
}

func TestLintRules(t *testing.T) {
	t.Parallel()
	doors := []architecture.Door{{Library: "gorm.io", Holders: []string{"internal/store"}}}
	passes := []architecture.TestPass{{Package: "internal/app", Library: "gorm.io", Why: "shown"}}
	config := func(files, deny string) []byte {
		return []byte("linters: {settings: {depguard: {rules: {store: {files: [" + files + "], deny: [" + deny + "]}}}}}")
	}
	const files = `$all, "!**/internal/store/**", "!**/scripts/**", "!**/bench/**", "!**/internal/app/*_test.go"`
	for _, c := range []struct {
		name   string
		config []byte
		want   []string
	}{
		{"equal", config(files, "{pkg: gorm.io, desc: d}"), nil},
		{"rule missing", config(files, ""), []string{"should deny gorm.io"}},
		{"door too wide", config(files+`, "!**/internal/rag/**"`, "{pkg: gorm.io}"), []string{"should deny gorm.io"}},
		{"rule without door", config(files, "{pkg: gorm.io}, {pkg: other.org/x}"), []string{"denies other.org/x, which has no door"}},
		{"denied twice", config(files, "{pkg: gorm.io}, {pkg: gorm.io}"), []string{"denies gorm.io twice"}},
		{"not YAML", []byte("linters: ["), []string{"["}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, architecture.LintRules(c.config, doors, passes), c.want...)
		})
	}
}

// The container files cannot be run in a test, so the checks are tried on the real files with one thing broken at a time.
func TestComposeFile(t *testing.T) {
	t.Parallel()
	const file, program = "../../docker-compose.yml", "/usr/local/bin/workbench"
	for _, c := range []struct{ name, old, new, want string }{
		{"untouched", "", "", ""},
		{"not YAML", "services:", "services: [", "docker-compose.yml"},
		{"no database", "\n  postgres:", "\n  mysql:", "no service postgres"},
		{"latest", "postgres:17-bookworm", "postgres:latest", "without a fixed tag"},
		{"no tag", "postgres:17-bookworm", "postgres", "without a fixed tag"},
		{"no healthcheck", "healthcheck:\n      test: [CMD-SHELL", "checks:\n      test: [CMD-SHELL", "postgres has no healthcheck"},
		{"shell in an image without one", "[CMD, /usr/local/bin/workbench", "[CMD-SHELL, /usr/local/bin/workbench", "no shell"},
		{"other user", "postgres://workbench:", "postgres://other:", `has user "other"`},
		{"other password", ":${POSTGRES_PASSWORD", ":${OTHER_PASSWORD", "has password"},
		{"other database", "/workbench?", "/other?", `has database "other"`},
		{"other host", "@postgres:", "@localhost:", `has host "localhost"`},
		{"other scheme", "postgres://", "mysql://", "not a postgres:// address"},
		{"does not wait", "service_healthy", "service_started", "does not wait"},
		{"killed too early", "stop_grace_period: 100s", "stop_grace_period: 30s", "is killed after"},
		{"writable image", "restart: unless-stopped\n    read_only: true", "restart: unless-stopped", "can change its own image"},
		{"capabilities", "cap_drop: [ALL]\n    cap_add", "cap_add", "keeps capabilities"},
		{"privileges", "security_opt: [\"no-new-privileges:true\"]\n    mem", "mem", "may gain privileges"},
		{"all the memory", "mem_limit: 2g\n    environment", "environment", "has no mem_limit"},
		{"no backups", "command: [backup, ", "command: [doctor, ", "no service makes backups"},
		{"backups without end", ", --keep, \"14\"]", "]", "no service makes backups"},
		{"undeclared volume", "\n  database:\n", "\n  other:\n", "mounts volume database"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := architecture.ComposeFile(broken(t, file, c.old, c.new), program)
			if c.want == "" {
				expect(t, found)
			} else {
				expect(t, found, c.want)
			}
		})
	}
}

func TestDockerfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, want string }{
		{"untouched", "", "", ""},
		{"other Go", "FROM golang:1.26", "FROM golang:1.25", "go.mod asks for golang:1.26"},
		{"with cgo", "CGO_ENABLED=0", "CGO_ENABLED=1", "does not run CGO_ENABLED=0"},
		{"fat image", "FROM scratch", "FROM debian:13", "based on debian:13"},
		{"distroless latest", "FROM scratch", "FROM distroless/static:latest", "based on distroless"},
		{"root", "USER 65532:65532", "USER 0", "runs as root"},
		{"no user", "USER 65532:65532", "", "runs as root"},
		{"no volume", "VOLUME", "LABEL volume=", "no VOLUME"},
		{"program elsewhere", `ENTRYPOINT ["/usr/local/bin/workbench"]`, `ENTRYPOINT ["/bin/workbench"]`, "not a program that is copied"},
		{"program from nowhere", "COPY --from=build /out/workbench", "COPY --from=other /out/workbench", "not a program that is copied"},
		{"no image", "FROM scratch", "LABEL scratch=", "there are 2 stages"},
		{"pages left out", "COPY --from=pages", "COPY --from=other", "the pages are not built"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, found := architecture.Dockerfile(broken(t, "../../Dockerfile", c.old, c.new), "1.26.0")
			if c.want == "" {
				expect(t, found)
			} else {
				expect(t, found, c.want)
			}
		})
	}
}

// broken reads a file and replaces the first old, which must be there, by new.
func broken(t *testing.T, file, old, replacement string) []byte {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(body), old) {
		t.Fatalf("%s does not hold %q, which this test breaks", file, old)
	}
	return []byte(strings.Replace(string(body), old, replacement, 1))
}
