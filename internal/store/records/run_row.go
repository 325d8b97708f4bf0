package records

import (
	"cmp"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// RunRow is a run, as it is stored.
type RunRow struct {
	Seq         int64      `gorm:"column:seq;->"` // counts insertions; given by the database
	ID          string     `gorm:"column:id;primaryKey"`
	Kind        string     `gorm:"column:kind"`
	ParentID    string     `gorm:"column:parent_id"`
	SweepID     string     `gorm:"column:sweep_id"`
	Ordinal     int        `gorm:"column:ordinal"` // the n of the id
	Params      string     `gorm:"column:params"`
	Setup       string     `gorm:"column:setup"`
	SetupDigest string     `gorm:"column:setup_digest"`
	Experiment  string     `gorm:"column:experiment"` // of the setup, to filter by
	Dataset     string     `gorm:"column:dataset"`    // of the setup, to filter by
	State       string     `gorm:"column:state"`
	Cause       string     `gorm:"column:cause"`
	Owner       string     `gorm:"column:owner"`
	Epoch       int        `gorm:"column:epoch"` // counts claims
	HeartbeatAt *time.Time `gorm:"column:heartbeat_at"`
	WantedState string     `gorm:"column:wanted_state"` // what somebody asked for and the owner has not done yet
	Budget      int64      `gorm:"column:budget_micros"`
	BudgetCalls int        `gorm:"column:budget_calls"`
	Spent       int64      `gorm:"column:guard_spent"`
	Reserved    int64      `gorm:"column:guard_reserved"`
	Attempts    int        `gorm:"column:guard_calls"`
	Pinned      bool       `gorm:"column:pinned"` // its replies are kept when old ones are pruned
	Created     time.Time  `gorm:"column:created_at"`
	StartedAt   *time.Time `gorm:"column:started_at"`
	FinishedAt  *time.Time `gorm:"column:finished_at"`
	Totals      string     `gorm:"column:totals"`
	Pooled      string     `gorm:"column:pooled"` // totals with the votes of its children; "" without such
	Chain       string     `gorm:"column:chain"`
}

// TableName tells gorm where the rows are.
func (RunRow) TableName() string { return "runs" }

// ToRunRow translates everything but the id's ordinal and the columns that only the store uses.
func ToRunRow(r experiments.Run) (RunRow, error) {
	params, err := sqldb.EncodeJSON(r.Params)
	if err != nil {
		return RunRow{}, err
	}
	setup, err := sqldb.EncodeJSON(r.Setup)
	if err != nil {
		return RunRow{}, err
	}
	totals, err := sqldb.EncodeJSON(r.Totals)
	if err != nil {
		return RunRow{}, err
	}
	return RunRow{
		ID: r.ID, Kind: string(r.Kind), ParentID: r.ParentID, SweepID: r.SweepID, Params: params, Setup: setup, SetupDigest: r.SetupDigest,
		Experiment: r.Setup.Experiment, Dataset: r.Setup.Dataset.Name, State: string(r.State), Cause: r.Cause, Budget: r.Budget.Micros,
		BudgetCalls: r.Budget.Calls,
		Created:     r.CreatedAt, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt, Totals: totals, Chain: r.Chain,
	}, nil
}

// OwnTotals are the totals that a run was closed with, without what its children found; nil before it is.
func OwnTotals(row RunRow) (*experiments.Totals, error) {
	return sqldb.DecodeJSON[*experiments.Totals]("totals of run "+row.ID, row.Totals)
}

// FromRunRow reads a run. Its totals are those with the votes of its children.
func FromRunRow(row RunRow) (experiments.Run, error) {
	r := experiments.Run{
		ID: row.ID, Kind: experiments.Kind(row.Kind), ParentID: row.ParentID, SweepID: row.SweepID, SetupDigest: row.SetupDigest,
		State: experiments.RunState(row.State), Cause: row.Cause, CreatedAt: row.Created.UTC(),
		Budget: experiments.Budget{Micros: row.Budget, Calls: row.BudgetCalls}, StartedAt: sqldb.UTC(row.StartedAt),
		FinishedAt: sqldb.UTC(row.FinishedAt), Chain: row.Chain,
	}
	var err error
	if r.Params, err = paramsOf(row.ID, row.Params); err != nil {
		return r, err
	}
	if r.Setup, err = sqldb.DecodeJSON[experiments.Setup]("setup of run "+row.ID, row.Setup); err != nil {
		return r, err
	}
	sqldb.Plain(map[string]any(r.Setup.Config.Retrieve.Filter))
	r.Totals, err = sqldb.DecodeJSON[*experiments.Totals]("totals of run "+row.ID, cmp.Or(row.Pooled, row.Totals))
	return r, err
}

// paramsOf reads the parameters of a run.
func paramsOf(id, body string) ([]experiments.Param, error) {
	params, err := sqldb.DecodeJSON[[]experiments.Param]("parameters of run "+id, body)
	for i := range params {
		params[i].Value = sqldb.Plain(params[i].Value)
	}
	return params, err
}

// FindRun returns the row of a run, or NotFound.
func FindRun(tx *gorm.DB, id string) (RunRow, error) {
	var row RunRow
	res := tx.Where("id = ?", id).Limit(1).Find(&row)
	if res.Error == nil && res.RowsAffected == 0 {
		return row, NoRun(id)
	}
	return row, res.Error
}

// lockRun is FindRun that keeps the row from changing until the transaction ends.
func lockRun(tx *gorm.DB, id string, lock clause.Locking) (RunRow, error) {
	return FindRun(tx.Clauses(lock), id)
}
