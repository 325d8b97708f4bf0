package records

import (
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// A run's own totals are closed with it and never change. What lists, pages and files show of it rests on the votes of its children too, so
// the totals of all of them are kept beside its own whenever a child finishes or is deleted: lists read and sort by one narrow column
// (docs/adr/0064-a-run-has-one-mean.md).

// PooledTotals are the totals of a finished run with those of its finished children, as its row holds them: "" without such children.
func PooledTotals(tx *gorm.DB, row RunRow) (string, error) {
	children, err := votingChildren(tx, row)
	if err != nil || len(children) == 0 {
		return "", err
	}
	results, err := pooledResults(tx, row)
	if err != nil {
		return "", err
	}
	run, err := FromRunRow(row)
	if err != nil {
		return "", err
	}
	return sqldb.EncodeJSON(experiments.Total(results, run.Setup.LowRule()))
}

// votingChildren are the finished children of a finished run that are of its kind, the oldest first.
func votingChildren(tx *gorm.DB, row RunRow) (rows []RunRow, err error) {
	if row.State != string(experiments.Finished) {
		return nil, nil
	}
	return rows, tx.Where("parent_id = ? AND kind = ? AND state = ?", row.ID, row.Kind, experiments.Finished).
		Order("created_at, seq").Find(&rows).Error
}

// pooledResults are the results of a run with those of its finished children, as [experiments.Pool] joins them.
func pooledResults(tx *gorm.DB, row RunRow) ([]experiments.Result, error) {
	run, err := FromRunRow(row)
	if err != nil {
		return nil, err
	}
	results, err := loadResults(tx, run)
	if err != nil {
		return nil, err
	}
	rows, err := votingChildren(tx, row)
	if err != nil || len(rows) == 0 {
		return results, err
	}
	children := make([]experiments.ChildVotes, len(rows))
	for i, child := range rows {
		of, err := FromRunRow(child)
		if err != nil {
			return nil, err
		}
		votes, err := pooledResults(tx, child)
		if err != nil {
			return nil, err
		}
		children[i] = experiments.ChildVotes{Replicate: of.Setup.Replicate, Results: votes}
	}
	return experiments.Pool(results, run.Setup.Replicate, children), nil
}

// Repool keeps the pooled totals of a run, and of those that it belongs to, as they are now. A run that is not there is none. An error
// of the database ends the next statement too.
func Repool(tx *gorm.DB, id string) error {
	for id != "" {
		var rows []RunRow
		if err := tx.Clauses(sqldb.ForUpdate).Where("id = ?", id).Find(&rows).Error; err != nil || len(rows) == 0 {
			return err
		}
		pooled, err := PooledTotals(tx, rows[0])
		if err != nil {
			pooled = "" // what they rest on is not all there, as in the copy that recomputes a study: its own totals stand
		}
		if pooled != rows[0].Pooled {
			if err := tx.Model(&RunRow{}).Where("id = ?", id).Update("pooled", pooled).Error; err != nil {
				return err
			}
		}
		id = rows[0].ParentID
	}
	return nil
}

// RepoolAll keeps the pooled totals of every run that has children. A run whose results cannot be read stays as it was, as the doctor says.
func RepoolAll(tx *gorm.DB) error {
	var ids []string
	err := tx.Raw(`SELECT DISTINCT child.parent_id FROM runs child JOIN runs parent ON parent.id = child.parent_id AND parent.kind = child.kind
		WHERE child.state = ?`, experiments.Finished).Scan(&ids).Error
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := Repool(tx, id); err != nil {
			continue
		}
	}
	return tx.Exec("SELECT 1").Error // PostgreSQL takes no statement after one that failed
}
