package store

import (
	"slices"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/compact"
)

// TestOlderRunsKeepWhatComparisonsAsk: what a comparison asks of a run that closed before that was kept is made once, by a migration. What
// an older form says is taken over, the newest one stays, and an unfinished run gets none.
func TestOlderRunsKeepWhatComparisonsAsk(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		question := experiments.Question{ID: "q1", Text: "How long are claims possible?", Answerable: true,
			Reference: "Claims are possible within 21 days of the flight."}
		set := experiments.NewDataset("set-older", []experiments.Question{question, {ID: "q2"}, {ID: "q3"}})
		_, _, err := s.PutDataset(t.Context(), set, at(0))
		ok(t, err)
		of := setup("older")
		of.Offline = true
		run, err := s.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: of, CreatedAt: at(0)},
			[]string{"q2", "q3", "q1"})
		ok(t, err)
		res, stages := refusal("q1")
		ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{res}, stages, at(2)))
		open := queued(t, s, "open")
		over(t, s, run.ID)
		body := func() []byte {
			t.Helper()
			var bodies [][]byte
			ok(t, s.Read(t.Context()).Raw("SELECT body FROM grounds WHERE run_id = ?", run.ID).Scan(&bodies).Error)
			if len(bodies) != 1 {
				t.Fatalf("%d rows", len(bodies))
			}
			return bodies[0]
		}
		want := body()
		first := must[[]experiments.Result](t)(s.Results(t.Context(), run.ID))
		if first[2].Grounds == nil || first[2].Cover == nil {
			t.Fatal("nothing was kept when the run closed")
		}
		migrated := func(query string, args ...any) []byte {
			t.Helper()
			ok(t, s.Read(t.Context()).Exec(query, args...).Error)
			ok(t, s.Read(t.Context()).Exec("DELETE FROM goose_db_version WHERE version_id = ?", keeping).Error)
			_, err := must[*goose.Provider](t)(migratorOf(s.DB).provider()).ApplyVersion(t.Context(), keeping, true)
			ok(t, err)
			return body()
		}
		diff(t, want, migrated("DELETE FROM grounds"))
		diff(t, first, must[[]experiments.Result](t)(s.Results(t.Context(), run.ID)))

		stays := slices.Clone(want)
		stays[2] ^= 0xff // a reader would not take it, and this migration does not look
		diff(t, stays, migrated("UPDATE grounds SET body = ?", stays))

		older := []byte{compact.GroundsAlone, byte(len(first))}
		for _, r := range first {
			if r.Grounds == nil {
				older = append(older, 0)
				continue
			}
			told := *r.Grounds
			told.Opposed = true // which no stage says
			older = compact.AppendGrounds(older, told, true)
		}
		migrated("UPDATE grounds SET body = ?", older)
		again := must[[]experiments.Result](t)(s.Results(t.Context(), run.ID))
		if !again[2].Grounds.Opposed {
			t.Error("what the older form said was not taken over")
		}
		diff(t, first[2].Cover, again[2].Cover)

		var n int
		ok(t, s.Read(t.Context()).Raw("SELECT COUNT(*) FROM grounds WHERE run_id = ?", open.ID).Scan(&n).Error)
		diff(t, 0, n)
	})
}
