package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/contents"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/resealtest"
)

// judgedBy is a provider whose judge gives this grade.
func judgedBy(w *apptest.World, grade string) {
	answer := fakeprovider.Offline()
	w.Provider = fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Dimension: 32,
		Answer: func(r fakeprovider.Request) (string, error) {
			if strings.Contains(string(r.Schema), `"score"`) {
				return `{"reason":"so it seems","score":` + grade + `}`, nil
			}
			return answer(r)
		}})
	w.Host.Provider = w.Provider
}

// mixable is a place in which the same work was done as in another, by a judge that graded otherwise: the same runs, with other results.
func mixable(t *testing.T, w *apptest.World, grade string) *apptest.World {
	t.Helper()
	judgedBy(w, grade)
	one := does(w, t, asking)
	_, err := w.Replicates(t.Context(), one.ID, 1, "q0", "q1")
	_, pinned := w.SetBaseline(t.Context(), one.ID)
	agreed := experiments.Agreement{Dataset: "asked", LowScore: 2, AgreedBy: []string{"by " + grade}, AgreedOn: "2026-11-20", RunID: one.ID,
		RunChain: one.Chain}
	_, _, put := w.Whole.PutAgreement(t.Context(), agreed)
	_, reviewed := w.Whole.PutReviews(t.Context(), []experiments.Review{{RunID: one.ID, QuestionID: "q0", Reviewer: "A", Comment: grade,
		At: w.Options.Now()}})
	if err := errors.Join(err, pinned, put, reviewed); err != nil {
		t.Fatal(err)
	}
	unaccused(w, t, "honest work")
	return w
}

// twinned is another place with the same documents, questions and addresses.
func twinned(t *testing.T, w *apptest.World) *apptest.World {
	t.Helper()
	other := apptest.NewPriced(t)
	other.Env, other.Provider, other.Address, other.Host = w.Env, w.Provider, w.Address, w.Host
	other.OpenAgain(t, "")
	repriced(other, w)
	return other
}

// alone are the tables whose rows can be those of the other place without the doctor finding it, with the reason. Nothing but the rows
// themselves says what they were: docs/security.md says so.
var alone = map[string]string{
	"agreements": "noted where they were signed on other results", "baselines": "a pin that people may set",
	"reviews": "a review of another answer is left out of the figures", "events": "what was told while it ran", "audit_log": "who did what",
	"grounds": "equal in both places: what an answer claims does not depend on its grade",
}

// TestMixedDatabases puts the rows of tables of one place, with their seals or sealed anew, into another in which the same work gave other
// results. WORKBENCH_SLOW_TESTS=1 takes every pair of tables too.
func TestMixedDatabases(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("looks through many databases")
	}
	first := mixable(t, apptest.NewPriced(t), "5")
	second := mixable(t, twinned(t, first), "3")
	if a, b := runsOf(first, t), runsOf(second, t); len(a) != len(b) || a[0].ID != b[0].ID || a[0].Chain == b[0].Chain {
		t.Fatalf("the places are not alike: %v, %v", a, b)
	}
	tables, err := first.Whole.ReadTables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := &mixing{t: t, tables: tables, first: savedOf(t, first), second: savedOf(t, second)}
	names := []string{"runs", "answers", "cells", "stages", "calls", "cache", "results", "agreements", "baselines", "reviews", "events",
		"audit_log", "grounds"}
	for i, a := range names {
		for _, resealed := range []bool{false, true} {
			found := m.try(resealed, a)
			if a == "events" { // how many a run has is sealed beside it, and the same work may tell of more of them on a busy day
				found = slices.DeleteFunc(found, func(f doctor.Finding) bool { return f.Invariant == "tail" })
			}
			if (len(found) == 0) != (alone[a] != "") {
				t.Errorf("%s, sealed anew %v: found are %v", a, resealed, found)
			}
			if a == "agreements" && (len(m.notes) != 1 || m.notes[0].Invariant != "agreement") {
				t.Errorf("an agreement on other results is not noted: %+v", m.notes)
			}
			if os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
				continue
			}
			for _, b := range names[i+1:] {
				if found := m.try(resealed, a, b); len(found) == 0 && (alone[a] == "" || alone[b] == "") {
					t.Errorf("%s and %s, sealed anew %v: nothing is found", a, b, resealed)
				}
			}
		}
	}
	if found := m.try(false, names...); len(found) == 0 {
		t.Error("all but the roots of the runs: nothing is found")
	}
}

// mixing mixes the databases of two places, which are kept as files.
type mixing struct {
	t             *testing.T
	tables        []contents.Table
	first, second string
	notes         []doctor.Finding // of the last one
}

// savedOf is a copy of the database of a place.
func savedOf(t *testing.T, w *apptest.World) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.db")
	w.Tamper(t, "VACUUM INTO '"+path+"'")
	return path
}

// try mixes tables and returns what the doctor finds.
func (m *mixing) try(resealed bool, names ...string) []doctor.Finding {
	m.t.Helper()
	path := filepath.Join(m.t.TempDir(), "mixed.db")
	body, err := os.ReadFile(m.first)
	if err == nil {
		err = os.WriteFile(path, body, 0o600)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	s, err := store.OpenCopy(m.t.Context(), path)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	m.mix(s, names)
	if resealed {
		err = resealtest.Everything(m.t.Context(), s.DB, s.ReadTables)
	}
	r, checked := checkup.Check(m.t.Context(), checkup.Place{Store: s, Version: "test", Now: apptest.SteadyClock()})
	if err := errors.Join(err, checked); err != nil {
		m.t.Fatal(err)
	}
	m.notes = r.Notes
	return r.Findings
}

// mix puts the rows of tables of the second place in the place of those of the first, with their seals.
func (m *mixing) mix(s *store.Store, names []string) {
	t := m.t
	db, err := s.Pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	statements := []string{"PRAGMA foreign_keys = OFF", "ATTACH '" + m.second + "' AS other"}
	for _, table := range m.tables {
		if !slices.Contains(names, table.Name) {
			continue
		}
		columns := strings.Join(table.Names(), ", ")
		statements = append(statements, "DELETE FROM main."+table.Name,
			fmt.Sprintf("INSERT INTO main.%[1]s (%[2]s) SELECT %[2]s FROM other.%[1]s", table.Name, columns))
		for _, rule := range integrity.Of(table.Name) {
			statements = append(statements, "DELETE FROM main.seals WHERE kind = '"+rule.Kind+"'",
				"INSERT INTO main.seals SELECT * FROM other.seals WHERE kind = '"+rule.Kind+"'")
		}
	}
	statements = append(statements, "DETACH other", "PRAGMA foreign_keys = ON")
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// TestResultsOfAnotherRun gives a run the answers and scores of another one, of another prompt, closes it over them and seals everything
// anew: what the answers were made with is not what the run asked with, and both doctor and verify compute that.
func TestResultsOfAnotherRun(t *testing.T) {
	t.Parallel()
	w := apptest.NewPriced(t)
	to := works(w, t, changes["prompt changed"](t, w), asking)
	judgedBy(w, "5")
	from := does(w, t, asking)
	if to.ID == from.ID || to.Chain == from.Chain {
		t.Fatal("the runs are alike")
	}
	statements := []string{}
	tables, err := w.Whole.ReadTables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if !slices.Contains([]string{"answers", "cells", "results", "grounds"}, table.Name) {
			continue
		}
		columns := strings.Join(table.Names(), ", ")
		statements = append(statements, fmt.Sprintf("DELETE FROM %s WHERE run_id = '%s'", table.Name, to.ID),
			fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s WHERE run_id = '%s'", table.Name, columns,
				strings.Replace(columns, `"run_id"`, "'"+to.ID+"'", 1), table.Name, from.ID))
	}
	w.Forge(t, append(statements, fmt.Sprintf(`UPDATE runs SET (totals, pooled, chain) = (SELECT totals, pooled, chain FROM runs WHERE id = '%s')
		WHERE id = '%s'`, from.ID, to.ID))...)
	r, err := checkup.Check(t.Context(), checkup.Of(w.Workbench, "test"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Invariant != "made" || r.Findings[0].Subject != "run "+to.ID ||
		!strings.Contains(r.Findings[0].Message, "4 of its answers") {
		t.Errorf("the doctor: %+v", r)
	}
	study := exported(w, t)
	v, err := VerifyStudy(t.Context(), study.path, Verifier{Version: "test", Now: apptest.SteadyClock()})
	if err != nil || v.Equal {
		t.Fatalf("verify: %v, %+v", err, v)
	}
	for _, one := range v.Runs {
		if (len(one.Different) > 0) != (one.ID == to.ID) {
			t.Errorf("run %s: %v", one.ID, one.Different)
		}
	}
}

// TestThemesOfAColleagueAreNoGap: a place that took a list of themes over at version 3 imports a study with version 1 of it.
func TestThemesOfAColleagueAreNoGap(t *testing.T) {
	t.Parallel()
	themes := experiments.Taxonomy{ID: "theme", Labels: []experiments.TaxonomyLabel{{ID: "money", EN: "Money", JA: "お金",
		Include: "what it costs", Exclude: "-"}}}
	w := apptest.NewPriced(t)
	does(w, t, 2)
	other := twinned(t, w)
	for place, version := range map[*apptest.World]int{w: 1, other: 3} {
		themes.Version = version
		if _, err := place.Whole.PutTaxonomy(t.Context(), "asked", themes, w.Options.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Import(t.Context(), other.Workbench, exported(w, t).path); err != nil {
		t.Fatal(err)
	}
	unaccused(other, t, "a study with earlier themes")
	other.Tamper(t, "DELETE FROM seals WHERE kind = 'gone'")
	r, err := checkup.Check(t.Context(), checkup.Of(other.Workbench, "test"))
	if err != nil || len(r.Findings) == 0 {
		t.Errorf("a gap that nobody knows of is not found: %v", err)
	}
}
