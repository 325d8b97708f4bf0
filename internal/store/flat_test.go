package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// Neither a part of the list of runs, nor which runs are in it, nor the newest ones of an experiment take more statements with a hundred
// times the runs, or other ways to find them: an index has what is looked for, in the order that is shown.
func TestAPartOfTheListIsFlatInHistory(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	first := queued(t, s, "a")
	roots := experiments.RunList{RunFilter: experiments.RunFilter{Roots: true}}
	trend := experiments.RunList{RunFilter: experiments.RunFilter{Experiment: first.Setup.Experiment, Roots: true, Alone: true}}
	asked, before := noted(t, s), 0
	for _, runs := range []int{50, 5000} {
		manyRuns(t, s, runs)
		*asked = nil
		for _, part := range []struct {
			of    experiments.RunList
			part  experiments.Part
			index string // in the order of which the runs are found
		}{
			{roots, experiments.Part{Sort: "created_at", Down: true, Limit: 2}, "COVERING INDEX runs_newest"},
			{roots, experiments.Part{Sort: "correctness", Down: true, Limit: 51}, "INDEX runs_by_correctness"},
			{roots, experiments.Part{Sort: "created_at", Down: true, Limit: 501, Bare: true, Uncounted: true},
				"COVERING INDEX runs_listed"},
			{trend, experiments.Part{Sort: "created_at", Down: true, Limit: 52, Uncounted: true}, "COVERING INDEX runs_listed"},
		} {
			from := len(*asked)
			heads, _, err := s.RunHeads(t.Context(), part.of, part.part)
			ok(t, err)
			if want := min(part.part.Limit, runs); len(heads) != want {
				t.Errorf("%d runs, want %d", len(heads), want)
			}
			plans := plansOf(t, s, (*asked)[from:])
			walked := slices.ContainsFunc((*asked)[from:], func(q string) bool { return walks(t, s, q) })
			if !strings.Contains(plans, part.index) || walked || strings.Contains(plans, "ORDER BY") {
				t.Errorf("of %d runs, %+v are found so:\n%s", runs, part.part, plans)
			}
		}
		if before > 0 && len(*asked) != before {
			t.Errorf("%d statements for %d runs, %d for fewer", len(*asked), runs, before)
		}
		before = len(*asked)
	}
}

// What an experiment's trend tells of its runs is found by them.
func TestFiresAreFoundByTheirRuns(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	asked := noted(t, s)
	_, err := s.Fires(t.Context(), experiments.FireList{Runs: []string{"one", "two"}, States: experiments.FireEnds})
	ok(t, err)
	if plans := plansOf(t, s, *asked); !strings.Contains(plans, "INDEX fires_by_run") {
		t.Error(plans)
	}
}

// On PostgreSQL the setup of a run, which is long, stands outside its row, which every call changes.
func TestRowsOfRunsAreNarrow(t *testing.T) {
	t.Parallel()
	s := newPostgres(t).open(t)
	run := experiments.Run{Kind: experiments.KindEvaluate, Setup: setup("a"), CreatedAt: at(0)}
	for i := range 1000 {
		run.Setup.Config.Generate.Prompt += fmt.Sprintf("%d ", i%250) // compressed, it would fit into the row
	}
	must[experiments.Run](t)(s.CreateRun(t.Context(), run, nil))
	var outside int64
	ok(t, s.Read(t.Context()).Raw("SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE oid = 'runs'::regclass").Scan(&outside).Error)
	if outside == 0 {
		t.Error("nothing stands outside of the row")
	}
}

// manyRuns copies the only run until there are so many, each newer than those before.
func manyRuns(t *testing.T, s *Store, n int) {
	t.Helper()
	const columns = `kind, parent_id, sweep_id, params, setup, experiment, dataset, state, cause, owner, epoch, wanted_state,
		budget_micros, budget_calls, guard_spent, guard_reserved, guard_calls, pinned, totals, chain, setup_digest`
	ok(t, s.Read(t.Context()).Exec(`WITH RECURSIVE n(i) AS (SELECT (SELECT COUNT(*) FROM runs) UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
		INSERT INTO runs (id, ordinal, created_at, `+columns+`)
		SELECT printf('copy%08d', i), i, datetime(created_at, '+' || i || ' minutes') || '+00:00', `+columns+`
		FROM (SELECT * FROM runs ORDER BY seq LIMIT 1), n`, n).Error)
}

// walks reports whether SQLite goes through all runs for a statement.
func walks(t *testing.T, s *Store, statement string) bool {
	t.Helper()
	return strings.Contains(plansOf(t, s, []string{statement}), "SCAN runs") && !addsUp(t, s, statement)
}

// addsUp reports whether SQLite counts all rows of a table and goes through none: its plan says that it scans them, but it adds up how many
// stand on each page.
func addsUp(t *testing.T, s *Store, statement string) bool {
	t.Helper()
	var steps []struct{ Opcode string }
	ok(t, s.Read(t.Context()).Raw("EXPLAIN "+statement).Scan(&steps).Error)
	counts := false
	for _, step := range steps {
		if step.Opcode == "Rewind" { // the beginning of a walk
			return false
		}
		counts = counts || step.Opcode == "Count"
	}
	return counts
}

// plansOf are the plans of SQLite for statements.
func plansOf(t *testing.T, s *Store, statements []string) string {
	t.Helper()
	var out strings.Builder
	for _, q := range slices.Clone(statements) {
		var plan []struct{ Detail string }
		ok(t, s.Read(t.Context()).Raw("EXPLAIN QUERY PLAN "+q).Scan(&plan).Error)
		for _, step := range plan {
			fmt.Fprintln(&out, step.Detail)
		}
	}
	return out.String()
}
