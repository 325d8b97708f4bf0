package records

import (
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// The tail of a run that is over is how many events it has and what its calls cost: see [integrity.Tail]. What comes late, an event or the
// reply to a call that was under way, changes it and seals it anew.

// tailOf is what the tail of a run is made of.
const tailOf = `SELECT id, state, guard_spent, guard_reserved, guard_calls,
	(SELECT COUNT(*) FROM events WHERE events.run_id = runs.id) FROM runs`

type tail struct {
	id, state                       string
	spent, reserved, calls, written int64
}

func (t *tail) dest() []any {
	return []any{&t.id, &t.state, &t.spent, &t.reserved, &t.calls, &t.written}
}

func (t *tail) over() bool { return Ended(experiments.RunState(t.state)) }

func (t *tail) seal() seals.Row {
	d := integrity.TailDigest(t.id, t.written, t.spent, t.reserved, t.calls)
	return seals.Row{Kind: integrity.Tail, Key: t.id, Digest: d[:]}
}

// CloseTail seals the tail of a run, where it is over.
func CloseTail(tx *gorm.DB, id string) error {
	var t tail
	found, err := sqldb.Scanned(tx.Raw(tailOf+" WHERE id = ?", id).Row().Scan(t.dest()...))
	if err != nil || !found || !t.over() {
		return err
	}
	return seals.Put(tx, []seals.Row{t.seal()}, true)
}

// moveTail is CloseTail for statements written by hand.
func moveTail(tx sqldb.Statements, id string) error {
	var t tail
	found, err := tx.Row(t.dest(), tailOf+" WHERE id = ?", id)
	if err != nil || !found || !t.over() {
		return err
	}
	return putSeal(tx, t.seal())
}

// EachTail hands over the tails of all runs that are over.
func EachTail(tx *gorm.DB, do func(seals.Row)) error {
	rows, err := tx.Raw(tailOf).Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		var t tail
		if err := rows.Scan(t.dest()...); err != nil {
			return err
		}
		if t.over() {
			do(t.seal())
		}
	}
	return rows.Err()
}

// CloseTails seals the tails of all runs that are over, as they are.
func CloseTails(tx *gorm.DB) error {
	var all []seals.Row
	if err := EachTail(tx, func(s seals.Row) { all = append(all, s) }); err != nil {
		return err
	}
	return seals.Put(tx, all, true)
}
