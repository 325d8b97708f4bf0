package store

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// TestOlderRunsArePooled: the votes of children that finished before they were added up are added up by a migration, and again when a child
// goes; the run's own totals stay as they were closed.
func TestOlderRunsArePooled(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		voted := func(parent string, values ...float64) experiments.Run {
			t.Helper()
			of := setup("pooled")
			of.Suite = []metrics.Spec{{ID: "correctness", Version: "1"}}
			of.LowScore = 2
			if parent != "" {
				of.Replicate = 1
			}
			run := must[experiments.Run](t)(s.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, ParentID: parent,
				Setup: of, CreatedAt: at(0)}, []string{"q1", "q2"}))
			_, err := s.ClaimRun(t.Context(), run.ID, "me", at(1), at(1).Add(-time.Hour))
			ok(t, err)
			var results []experiments.Result
			for i, v := range values {
				results = append(results, experiments.Result{QuestionID: []string{"q1", "q2"}[i], Scores: []metrics.Score{
					{Metric: "correctness", Version: "1", State: metrics.Scored, Value: v}}})
			}
			ok(t, s.SaveResults(t.Context(), run.ID, results, nil, at(2)))
			totals := experiments.Total(results, experiments.UsualLow(2))
			ok(t, s.FinishRun(t.Context(), run.ID, "me", totals, experiments.Chain(results), at(3)))
			return run
		}
		run := voted("", 1, 5)
		child := voted(run.ID, 2, 5)
		shown := func(mean float64, low int) {
			t.Helper()
			got := must[experiments.Run](t)(s.Run(t.Context(), run.ID)).Totals
			if got.Scores["correctness"] != (experiments.Mean{Mean: mean, N: 2}) || got.LowScoreCount != low || got.Questions != 2 {
				t.Errorf("%+v, want a mean of %v", got, mean)
			}
			var stored float64
			ok(t, s.Read(t.Context()).Raw("SELECT correctness FROM runs WHERE id = ?", run.ID).Scan(&stored).Error)
			if stored != mean {
				t.Errorf("lists sort by %v", stored)
			}
		}
		shown(3.25, 1)
		ok(t, s.Read(t.Context()).Exec("UPDATE runs SET pooled = ''").Error)
		shown(3, 1)
		ok(t, s.Read(t.Context()).Exec("DELETE FROM goose_db_version WHERE version_id = ?", pooling).Error)
		_, err := must[*goose.Provider](t)(migratorOf(s.DB).provider()).ApplyVersion(t.Context(), pooling, true)
		ok(t, err)
		shown(3.25, 1)
		if s.Engine() == SQLite {
			studiesWithVotes(t, s)
		}
		ok(t, s.DeleteRun(t.Context(), child.ID))
		shown(3, 1)
	})
}

// studiesWithVotes verifies the study of runs that have votes: as an older program wrote it, which kept no pooled totals, and with others
// put in. Only what is said of totals counts: the runs rest on no data set.
func studiesWithVotes(t *testing.T, s *Store) {
	t.Helper()
	m := &mutating{t: t, s: s}
	m.copied()
	column := regexp.MustCompile(`"pooled":"(\\.|[^"\\])+",?`)
	for put, wrong := range map[string]bool{"": false, `"pooled":"{}",`: true} {
		files := maps.Clone(m.honest)
		files["runs"] = column.ReplaceAll(files["runs"], []byte(put))
		if !wrong {
			files["runs"] = bytes.ReplaceAll(files["runs"], []byte(`"pooled":"",`), nil)
		}
		if bytes.Equal(files["runs"], m.honest["runs"]) {
			t.Fatal("no run has totals with votes")
		}
		found := slices.DeleteFunc(m.findings(files), func(f doctor.Finding) bool { return f.Invariant != "V4" })
		if len(found) > 0 != wrong {
			t.Errorf("pooled totals %q: found are %v", put, found)
		}
	}
}
