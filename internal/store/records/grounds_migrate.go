package records

import (
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/store/compact"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// KeepFinished keeps what the answers of finished evaluations rest on, where the newest form of it is not kept. What an older form says is
// taken over. A run that cannot be read is left out, as it is when it is compared; an error of the database ends the next statement too.
func KeepFinished(tx *gorm.DB) error {
	var runs []struct{ ID, Setup string }
	err := tx.Raw("SELECT id, setup FROM runs WHERE state = ? AND kind = ? ORDER BY seq", experiments.Finished, experiments.KindEvaluate).
		Scan(&runs).Error
	if err != nil {
		return err
	}
	for _, r := range runs {
		var bodies [][]byte
		if err := tx.Raw("SELECT body FROM grounds WHERE run_id = ?", r.ID).Scan(&bodies).Error; err != nil {
			return err
		}
		if len(bodies) > 0 && len(bodies[0]) > 0 && bodies[0][0] == compact.GroundsVersion {
			continue
		}
		setup, err := sqldb.DecodeJSON[struct {
			Suite   []metrics.Spec  `json:"suite"`
			Dataset experiments.Ref `json:"dataset"`
			Offline bool            `json:"offline"`
		}]("setup of run "+r.ID, r.Setup)
		if err != nil {
			continue
		}
		results, _, err := LoadCompact(tx, r.ID, setup.Suite)
		if err != nil || len(results) == 0 {
			continue
		}
		if len(bodies) > 0 {
			kept, _ := compact.ExpandGrounds(bodies[0], len(results))
			for i, g := range kept {
				results[i].Grounds = g
			}
		}
		run := experiments.Run{ID: r.ID, Setup: experiments.Setup{Suite: setup.Suite, Dataset: setup.Dataset, Offline: setup.Offline}}
		if err := putGrounds(tx, run, results); err != nil {
			continue
		}
	}
	return tx.Exec("SELECT 1").Error // PostgreSQL takes no statement after one that failed
}
