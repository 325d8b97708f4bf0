package store

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/compact"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// finished is a run with two results, closed.
func finished(t *testing.T, s *Store) (run experiments.Run, results []experiments.Result) {
	t.Helper()
	run = queued(t, s, "compact")
	for i, q := range []string{"q3", "q1"} {
		res, stages := result(q, "値 said", float64(i)+0.25)
		ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{res}, stages, at(2)))
	}
	over(t, stocked(t, s), run.ID)
	run = must[experiments.Run](t)(s.Run(t.Context(), run.ID))
	results, _, err := records.LoadCells(s.Read(t.Context()), run.ID, run.Setup.Suite)
	ok(t, err)
	return run, results
}

// copied are the compact results of a run.
func copied(t *testing.T, s *Store, run experiments.Run) []experiments.Result {
	t.Helper()
	out, _, err := records.LoadCompact(s.Read(t.Context()), run.ID, run.Setup.Suite)
	ok(t, err)
	return out
}

// TestOlderRunsAreCopied: runs that were finished before there were compact results get them by a migration.
func TestOlderRunsAreCopied(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		run, want := finished(t, s)
		open := queued(t, s, "open")
		ok(t, s.Write(t.Context(), "forget copies and make them", func(tx *gorm.DB) error {
			if err := records.DropCompact(tx, []string{run.ID}); err != nil {
				return err
			}
			return records.CompactFinished(tx)
		}))
		diff(t, want, copied(t, s, run))
		diff(t, 0, len(copied(t, s, open)))
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(stocked(t, s).Check(t.Context())))
	})
}

// TestCompactResultsStandInAnyOrder: results come in the order of their questions, however their rows stand in the table, and whatever
// stands between them.
func TestCompactResultsStandInAnyOrder(t *testing.T) {
	t.Parallel()
	for name, move := range map[string][]string{
		"turned round": {"CREATE TEMPORARY TABLE kept AS SELECT * FROM results", "DELETE FROM results",
			"INSERT INTO results SELECT * FROM kept ORDER BY position DESC"},
		"apart": {"CREATE TEMPORARY TABLE kept AS SELECT * FROM results WHERE position = 1", "DELETE FROM results WHERE position = 1",
			"INSERT INTO results SELECT 'ID', position + 3, replicate, body, stages FROM kept", "INSERT INTO results SELECT * FROM kept"},
		"behind another run's": {"UPDATE results SET run_id = 'ID' WHERE position = 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEach(t, func(t *testing.T, d database) {
				s := d.open(t)
				run, want := finished(t, s)
				other := queued(t, s, "other")
				ok(t, s.Write(t.Context(), "move rows", func(tx *gorm.DB) error {
					for _, statement := range append(move, "DROP TABLE IF EXISTS kept") {
						if err := tx.Exec(strings.ReplaceAll(statement, "ID", other.ID)).Error; err != nil {
							return err
						}
					}
					return nil
				}))
				diff(t, want, must[[]experiments.Result](t)(s.Results(t.Context(), run.ID)))
				short := must[[]experiments.Result](t)(s.ResultsInShort(t.Context(), run.ID))
				for i := range short {
					diff(t, want[i].QuestionID, short[i].QuestionID)
					diff(t, want[i].Answer, short[i].Answer)
				}
			})
		})
	}
}

// TestDamagedCopyIsNotRead: where compact results are not whole, answers and cells are read, and the doctor tells.
func TestDamagedCopyIsNotRead(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"a row is gone":         "DELETE FROM results WHERE position = 1",
		"a row is put in":       "INSERT INTO results SELECT run_id, position + 9, replicate, body, stages FROM results WHERE position = 1",
		"another version":       "UPDATE results SET body = '' WHERE position = 1",
		"stages of another row": "UPDATE results SET stages = (SELECT stages FROM results WHERE position = 0) WHERE position = 1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEach(t, func(t *testing.T, d database) {
				s := d.open(t)
				run, want := finished(t, s)
				ok(t, s.Read(t.Context()).Exec(damage).Error)
				diff(t, want, must[[]experiments.Result](t)(s.Results(t.Context(), run.ID)))
				found := must[[]doctor.Finding](t)(s.Check(t.Context()))
				if !slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.Invariant == "copy" && f.Subject == "run "+run.ID }) {
					t.Errorf("the doctor says only %v", found)
				}
			})
		})
	}
}

// refusal is a result whose answer the judge called a refusal, with its stages.
func refusal(question string) (experiments.Result, []rag.Stage) {
	res, stages := result(question, "I do not know.", 1)
	key := rag.StageKey("judge", "1", question)
	res.Scores[0].Stages = []string{key}
	return res, append(stages, rag.Stage{Key: key, Kind: "judge", Body: []byte(`{"purpose":"` + metrics.PurposeAnswer +
		`","reply":{"claims":[],"refuses":true,"on_topic":true,"reason":"it gives none"}}`)})
}

// TestGroundsAreCompared: what comparisons read of a finished run is what its stages say, the doctor finds another thing, and bytes that
// are none count as not there.
func TestGroundsAreCompared(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		run := queued(t, s, "grounds")
		res, stages := refusal("q1")
		ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{res}, stages, at(2)))
		over(t, stocked(t, s), run.ID)
		kept := func() *metrics.Grounds {
			all := must[[]experiments.Result](t)(s.Results(t.Context(), run.ID))
			i := slices.IndexFunc(all, func(r experiments.Result) bool { return r.QuestionID == "q1" })
			return all[i].Grounds
		}
		diff(t, &metrics.Grounds{Listed: true, Refuses: true}, kept())
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(t.Context())))
		var body []byte
		ok(t, s.Read(t.Context()).Raw("SELECT body FROM grounds").Row().Scan(&body))
		put := func(body []byte) {
			t.Helper()
			ok(t, s.Read(t.Context()).Exec("UPDATE grounds SET body = ?", body).Error)
		}
		at := bytes.IndexByte(body[2:], compact.GroundsKnown|compact.GroundsListed|compact.GroundsRefuses) + 2
		body[at] &^= compact.GroundsRefuses
		put(body)
		if found := must[[]doctor.Finding](t)(s.Check(t.Context())); len(found) != 1 || found[0].Invariant != "copy" {
			t.Errorf("an answer that is called none of a refusal: %v", found)
		}
		put(body[:at])
		if got := kept(); got != nil {
			t.Errorf("of half the bytes %+v is read", got)
		}
	})
}

// TestCoversAreKept: of a run that the offline judge graded it is kept how much of its reference each answer covers, the doctor finds
// another thing, a row that an older version wrote is read without, and another judge's run has none.
func TestCoversAreKept(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		question := experiments.Question{ID: "q1", Text: "How long are claims possible?", Answerable: true,
			Reference: "Claims are possible within 21 days of the flight."}
		set := experiments.NewDataset("set-covers", []experiments.Question{question, {ID: "q2"}, {ID: "q3"}})
		_, _, err := s.PutDataset(t.Context(), set, at(0))
		ok(t, err)
		res, stages := result("q1", "Claims are possible within 21 days.", 1)
		closed := func(offline bool) string {
			of := setup("covers")
			of.Offline = offline
			run, err := s.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: of, CreatedAt: at(0)},
				[]string{"q2", "q3", "q1"})
			ok(t, err)
			ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{res}, stages, at(2)))
			over(t, s, run.ID)
			return run.ID
		}
		kept := func(run string) *metrics.Cover {
			all := must[[]experiments.Result](t)(s.Results(t.Context(), run))
			return all[slices.IndexFunc(all, func(r experiments.Result) bool { return r.QuestionID == "q1" })].Cover
		}
		diff(t, (*metrics.Cover)(nil), kept(closed(false)))
		run := closed(true)
		want := metrics.CoverOf(question.Sample(nil, rag.Answer{}), res.Answer.Text)
		if diff(t, &want, kept(run)); want.Share <= 0.5 {
			t.Errorf("an answer that says it all covers %v", want.Share)
		}
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(t.Context())))
		var body []byte
		ok(t, s.Read(t.Context()).Raw("SELECT body FROM grounds WHERE run_id = ?", run).Row().Scan(&body))
		put := func(body []byte) {
			t.Helper()
			ok(t, s.Read(t.Context()).Exec("UPDATE grounds SET body = ? WHERE run_id = ?", body, run).Error)
		}
		changed := slices.Clone(body)
		changed[bytes.Index(body, []byte(want.Key))+len(want.Key)+7] ^= 1
		put(changed)
		if found := must[[]doctor.Finding](t)(s.Check(t.Context())); len(found) != 1 || found[0].Invariant != "copy" {
			t.Errorf("a share that is another one: %v", found)
		}
		put(append([]byte{compact.GroundsAlone}, body[1:1+1+3]...)) // how many results there are, and that of none anything is known
		diff(t, (*metrics.Cover)(nil), kept(run))
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(s.Check(t.Context())))
	})
}

// FuzzExpand: no bytes make reading a compact result fail in another way than with an error.
func FuzzExpand(f *testing.F) {
	r, _ := result("q1", "said", 0.5)
	suite := setup("fuzz").Suite
	body, stages := compact.Encode(r, suite, 1)
	f.Add(body, stages)
	f.Fuzz(func(_ *testing.T, body, stages []byte) {
		into := pendingResult("q1")
		_, _ = compact.NewDecoder(suite).Decode(body, compact.ReadKeys(stages), &into)
	})
}
