package records

import (
	"context"
	"encoding/json"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Vitals are the numbers by which somebody watches an installation from outside.
type Vitals struct {
	Runs      map[experiments.Kind]map[experiments.RunState]int
	Waiting   int            // questions of queued and running runs that have a cell without a state yet
	Calls     int64          // attempts at a model that belong to a run
	Spent     int64          // what they cost, in millionths of the currency of the prices
	Reserved  int64          // what those under way may cost
	Errors    map[string]int // cells of finished runs without a score, by cause
	Fires     map[experiments.FireState]int
	Schedules int // that are not paused
}

// Vitals counts. It reads the rows of runs and the cells of those under way, so it takes no longer when much is stored.
func (s *RunTables) Vitals(ctx context.Context) (v Vitals, err error) {
	v = Vitals{Runs: map[experiments.Kind]map[experiments.RunState]int{}, Errors: map[string]int{}, Fires: map[experiments.FireState]int{}}
	err = s.Snapshot(ctx, "count for the metrics", func(tx *gorm.DB) error {
		for _, count := range []func(*gorm.DB, *Vitals) error{countRuns, countErrors, countFires} {
			if err := count(tx, &v); err != nil {
				return err
			}
		}
		// A sweep's guard holds the numbers of its runs too.
		err := tx.Raw("SELECT CAST(COALESCE(SUM(guard_calls), 0) AS BIGINT), CAST(COALESCE(SUM(guard_spent), 0) AS BIGINT), CAST(COALESCE(SUM(guard_reserved), 0) AS BIGINT) FROM runs WHERE sweep_id = ''").
			Row().Scan(&v.Calls, &v.Spent, &v.Reserved)
		if err != nil {
			return err
		}
		return tx.Raw(`SELECT COUNT(*) FROM (SELECT DISTINCT run_id, question_id, replicate FROM cells
			WHERE state = 'pending' AND run_id IN (SELECT id FROM runs WHERE state IN ('queued', 'running'))) AS waiting`).Row().Scan(&v.Waiting)
	})
	return v, err
}

func countRuns(tx *gorm.DB, v *Vitals) error {
	var rows []struct {
		Kind  experiments.Kind
		State experiments.RunState
		N     int
	}
	err := tx.Raw("SELECT kind, state, COUNT(*) AS n FROM runs GROUP BY kind, state").Scan(&rows).Error
	for _, r := range rows {
		if v.Runs[r.Kind] == nil {
			v.Runs[r.Kind] = map[experiments.RunState]int{}
		}
		v.Runs[r.Kind][r.State] = r.N
	}
	return err
}

// countErrors adds up what the totals of finished runs say.
func countErrors(tx *gorm.DB, v *Vitals) error {
	rows, err := tx.Raw("SELECT totals FROM runs WHERE state = 'finished' AND totals LIKE '%\"errors\"%'").Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return err
		}
		var totals struct {
			Errors map[string]int `json:"errors"`
		}
		if json.Unmarshal([]byte(body), &totals) != nil {
			continue // the doctor tells
		}
		for cause, n := range totals.Errors {
			v.Errors[cause] += n
		}
	}
	return rows.Err()
}

func countFires(tx *gorm.DB, v *Vitals) error {
	var rows []struct {
		State experiments.FireState
		N     int
	}
	if err := tx.Raw("SELECT state, COUNT(*) AS n FROM fires GROUP BY state").Scan(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		v.Fires[r.State] = r.N
	}
	return tx.Raw("SELECT COUNT(*) FROM schedules WHERE NOT paused").Row().Scan(&v.Schedules)
}

// OwnedRuns are the ids of the runs that a process works at this moment.
func (s *RunTables) OwnedRuns(ctx context.Context, owner string) (ids []string, err error) {
	err = s.Read(ctx).Model(&RunRow{}).Where("state = ? AND owner = ?", experiments.Running, owner).Order("seq").Pluck("id", &ids).Error
	return ids, sqldb.Wrap("find the runs of "+owner, err)
}
