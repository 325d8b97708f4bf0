// Package architecture holds the project's shape as data, and the checks that keep the tree in it.
//
// [Ladder] says which package may import which, [Doors] which package speaks to which library. [Load] parses every Go file
// of a tree, whatever its build tags, and the methods of [Tree] return one line for each thing that is wrong. The other
// functions check the files around the code: decision records, linter rules, container files. The test at the root of the
// repository runs them all on the repository; the tests here run them on trees that are wrong on purpose.
package architecture

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path of the project's Go module.
const Module = "github.com/rag-workbench/workbench"

// Ladder lists the packages in the order they may import each other: a package imports only packages that stand before it.
// A room, that is a sub-package with a rung of its own, follows the same rule; where it has none it stands on its parent's rung
// and may import its parent's other sub-packages.
var Ladder = []string{
	"internal/problem",
	"internal/sealed",
	"internal/text",
	"internal/text/yaml",
	"internal/stats",
	"internal/charts",
	"internal/outbound",
	"internal/llm/replies",
	"internal/llm/breaker",
	"internal/llm",
	"internal/pgvector",
	"internal/rag/search",
	"internal/rag/remote",
	"internal/rag/prompts",
	"internal/rag/offline",
	"internal/rag",
	"internal/rag/mappings",
	"internal/rag/readers",
	"internal/metrics/textual",
	"internal/metrics/formula",
	"internal/metrics",
	"internal/fakeprovider",
	"internal/experiments",
	"internal/experiments/intake",
	"internal/experiments/foreign",
	"internal/experiments/timetable",
	"internal/analysis/compare",
	"internal/analysis/causes",
	"internal/analysis/causes/laboratory",
	"internal/analysis/questions",
	"internal/analysis/progress",
	"internal/analysis/validation",
	"internal/analysis/simulation",
	"internal/analysis/findings",
	"internal/reports/wording",
	"internal/reports/spreadsheet",
	"internal/reports/reviewform",
	"internal/reports",
	"internal/uploads",
	"internal/notebooks/sqlbox",
	"internal/notebooks/document",
	"internal/notebooks/templates",
	"internal/notebooks",
	"internal/integrity",
	"internal/store/sqldb",
	"internal/store/seals",
	"internal/store/people",
	"internal/store/machine",
	"internal/store/notebooks",
	"internal/store/schedules",
	"internal/store/library",
	"internal/store/compact",
	"internal/store/records",
	"internal/store/contents",
	"internal/store/doctor",
	"internal/store/studies",
	"internal/store",
	"internal/queue",
	"demo",
	"internal/app/listing",
	"internal/app",
	"internal/app/analyses",
	"internal/app/votes",
	"internal/app/sweeps",
	"internal/app/validations",
	"internal/app/reviews",
	"internal/app/reporting",
	"internal/app/checkup",
	"internal/app/people",
	"frontend",
	"internal/app/notify",
	"internal/app/archive",
	"internal/app/jobs",
	"internal/app/views",
	"internal/app/studies",
	"internal/app/sharing",
	"internal/app/traces",
	"internal/app/schedules",
	"internal/app/demo",
	"internal/app/apptest",
	"internal/server/meters",
	"internal/server/requests",
	"internal/server/api",
	"internal/server",
	"cmd/workbench/program",
	"cmd/workbench/printing",
	"cmd/workbench/library",
	"cmd/workbench/runs",
	"cmd/workbench/analyses",
	"cmd/workbench/compare",
	"cmd/workbench/reviews",
	"cmd/workbench/notebook",
	"cmd/workbench/serve",
	"cmd/workbench/people",
	"cmd/workbench/machine",
	"cmd/workbench/demo",
	"cmd/workbench",
}

// Apart are packages that know nothing of each other, although the ladder would let one import those before it: the rooms of verbs
// share what stands in the program and in printing, never each other.
var Apart = [][]string{{
	"cmd/workbench/library", "cmd/workbench/runs", "cmd/workbench/analyses", "cmd/workbench/compare", "cmd/workbench/reviews",
	"cmd/workbench/notebook", "cmd/workbench/serve", "cmd/workbench/people", "cmd/workbench/machine", "cmd/workbench/demo",
}}

// Tools are folders of programs that are not linked into the product. They may import anything; nothing imports them.
var Tools = []string{"scripts", "bench"}

// Door is a library with the only packages that may import it.
type Door struct {
	Library string   // import path of a module or of a part of one; covers everything below it
	Holders []string // folders of the packages, sorted
}

// Doors lists the libraries that one package hides from the rest. The linter has the same list.
var Doors = []Door{
	{"github.com/ikawaha/kagome", []string{"internal/text"}},
	{"github.com/ikawaha/kagome-dict", []string{"internal/text"}},
	{"github.com/tiktoken-go/tokenizer", []string{"internal/text"}},
	{"gonum.org/v1/gonum/stat", []string{"internal/stats"}},
	{"gonum.org/v1/gonum/floats", []string{"internal/stats"}},
	{"gonum.org/v1/gonum/mathext", []string{"internal/stats"}},
	{"gonum.org/v1/gonum/blas", []string{"internal/rag"}},
	{"github.com/sashabaranov/go-openai", []string{"internal/llm"}},
	{"github.com/santhosh-tekuri/jsonschema", []string{"internal/llm"}},
	{"github.com/blevesearch/bleve", []string{"internal/rag"}},
	{"github.com/blevesearch/bleve_index_api", []string{"internal/rag"}},
	{"go.opentelemetry.io/proto", []string{"internal/experiments/foreign"}},
	{"github.com/robfig/cron", []string{"internal/experiments/timetable"}},
	{"github.com/goccy/go-yaml", []string{"internal/text/yaml"}},
	{"github.com/xuri/excelize", []string{"internal/experiments/intake", "internal/rag/readers", "internal/reports"}},
	{"gorm.io", []string{"internal/store"}},
	{"github.com/pressly/goose", []string{"internal/store"}},
	{"modernc.org/libc", []string{"internal/notebooks/sqlbox"}},
	{"modernc.org/sqlite", []string{"internal/notebooks/sqlbox", "internal/store"}},
	{"github.com/jackc/pgx", []string{"internal/pgvector", "internal/queue", "internal/store"}},
	{"github.com/riverqueue", []string{"internal/queue"}},
	{"github.com/wneessen/go-mail", []string{"internal/app/notify"}},
	{"github.com/hashicorp/golang-lru", []string{"internal/app"}},
	{"golang.org/x/crypto", []string{"internal/app/people"}},
	{"github.com/go-chi/chi", []string{"internal/server"}},
	{"github.com/danielgtaylor/huma", []string{"internal/server"}},
	{"github.com/alexedwards/scs", []string{"internal/server"}},
	{"github.com/coreos/go-oidc", []string{"internal/server"}},
	{"golang.org/x/oauth2", []string{"internal/server"}},
	{"github.com/alecthomas/kong", []string{"cmd/workbench"}},
}

// TestPass lets the tests of one package through a door.
type TestPass struct {
	Package string // folder
	Library string // as in the Door
	Why     string
}

// TestPasses are the exceptions for test files. One that nobody uses any more is reported.
var TestPasses = []TestPass{
	{"internal/experiments/foreign", "github.com/xuri/excelize", "writes the workbooks that it reads scores from"},
	{"internal/fakeprovider", "github.com/santhosh-tekuri/jsonschema",
		"checks that the fake provider's replies satisfy the schema they were asked for"},
	{"internal/notebooks", "github.com/santhosh-tekuri/jsonschema", "checks exported notebooks against the schema of Jupyter's format"},
	{"internal/app/demo", "github.com/xuri/excelize", "opens the workbook that a fire wrote"},
	{"cmd/workbench", "github.com/xuri/excelize", "opens the workbook that the command wrote"},
}

// Imports reports imports against the ladder, and packages that have no place on it.
func (t *Tree) Imports() []string {
	var found []string
	for _, p := range t.Packages {
		if p.Dir != "." && !isTool(p.Dir) && rung(p.Dir) < 0 {
			found = append(found, fmt.Sprintf("%s is not on the ladder: adding a package needs a decision record in docs/adr, "+
				"and then a place in scripts/architecture/ladder.go", p.Dir))
			continue
		}
		for _, f := range p.Files {
			if !f.Test {
				found = append(found, importsOf(p.Dir, f)...)
			}
		}
	}
	return found
}

func importsOf(from string, f File) []string {
	if isTool(from) {
		return nil
	}
	var found []string
	for _, path := range f.imports() {
		to, ours := strings.CutPrefix(path, Module+"/")
		if ours && apart(from, to) {
			found = append(found, fmt.Sprintf("%s imports %s, and the two know nothing of each other", f.Path, to))
			continue
		}
		if !ours || from != "." && rung(to) >= 0 && (rung(to) < rung(from) || rung(to) == rung(from) && to != from) {
			continue
		}
		found = append(found, fmt.Sprintf("%s imports %s, which is not to its left on the ladder", f.Path, to))
	}
	return found
}

func apart(from, to string) bool {
	return from != to && slices.ContainsFunc(Apart, func(rooms []string) bool {
		return slices.Contains(rooms, from) && slices.Contains(rooms, to)
	})
}

// Libraries reports libraries imported past their door, and passes that nobody uses.
func (t *Tree) Libraries(doors []Door, passes []TestPass) []string {
	var found []string
	used := make([]bool, len(passes))
	for _, p := range t.Packages {
		if isTool(p.Dir) {
			continue
		}
		for _, f := range p.Files {
			for _, path := range f.imports() {
				door, ok := doorOf(doors, path)
				if !ok || slices.ContainsFunc(door.Holders, func(h string) bool { return within(p.Dir, h) }) {
					continue
				}
				pass := slices.IndexFunc(passes, func(s TestPass) bool {
					return s.Package == p.Dir && s.Library == door.Library &&
						s.Why != ""
				})
				if f.Test && pass >= 0 {
					used[pass] = true
					continue
				}
				found = append(found, fmt.Sprintf("%s imports %s; only %s may", f.Path, path, strings.Join(door.Holders, " and ")))
			}
		}
	}
	for i, s := range passes {
		if !used[i] {
			found = append(found, fmt.Sprintf("the tests of %s have a pass for %s that they do not use, or that gives no reason",
				s.Package, s.Library))
		}
	}
	return found
}

func doorOf(doors []Door, path string) (Door, bool) {
	i := slices.IndexFunc(doors, func(d Door) bool { return within(path, d.Library) })
	if i < 0 {
		return Door{}, false
	}
	return doors[i], true
}

func isTool(dir string) bool {
	return slices.ContainsFunc(Tools, func(tool string) bool { return within(dir, tool) })
}

// rung is the place of a folder on the ladder, counted from the left, or -1: that of the longest entry it lies within.
func rung(dir string) int { return rungOf(Ladder, dir) }

func rungOf(ladder []string, dir string) int {
	at := -1
	for i, r := range ladder {
		if within(dir, r) && (at < 0 || len(r) > len(ladder[at])) {
			at = i
		}
	}
	return at
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
