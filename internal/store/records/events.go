package records

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// EventRow is something that happened to a run, as it is stored.
type EventRow struct {
	RunID string    `gorm:"column:run_id;primaryKey"`
	Seq   int64     `gorm:"column:seq;primaryKey;autoIncrement:false"`
	Kind  string    `gorm:"column:kind"`
	Body  string    `gorm:"column:body"`
	At    time.Time `gorm:"column:at"`
}

// TableName tells gorm where the rows are.
func (EventRow) TableName() string { return "events" }

func toEventRow(e experiments.Event) (EventRow, error) {
	body := string(sqldb.CleanJSON(e.Body))
	if body == "" {
		body = "{}"
	}
	if !json.Valid([]byte(body)) || body[0] != '{' {
		return EventRow{}, problem.New(problem.Internal, "event_body", "the body of a %s event of run %s is not a JSON object",
			e.Kind, e.RunID)
	}
	return EventRow{RunID: e.RunID, Seq: e.Seq, Kind: string(e.Kind), Body: body, At: e.At}, nil
}

func fromEventRow(r EventRow) experiments.Event {
	return experiments.Event{RunID: r.RunID, Seq: r.Seq, Kind: experiments.EventKind(r.Kind), At: r.At.UTC(), Body: json.RawMessage(r.Body)}
}

// AppendEvent implements [experiments.EventStore]. An empty body is stored as an empty object.
func (s *RunTables) AppendEvent(ctx context.Context, e experiments.Event) (experiments.Event, error) {
	row, err := toEventRow(e)
	if err != nil {
		return experiments.Event{}, err
	}
	err = s.Write(ctx, "add an event to run "+e.RunID, func(tx *gorm.DB) error { return appendEvent(tx, &row) })
	if err != nil {
		return experiments.Event{}, err
	}
	return fromEventRow(row), nil
}

// appendEvent gives the row its number and inserts it. The lock on the run makes writers take their numbers in the order
// in which they commit, and a number whose transaction fails is taken again by the next.
func appendEvent(tx *gorm.DB, row *EventRow) error {
	run, err := lockRun(tx, row.RunID, sqldb.ForUpdate)
	if err != nil {
		return err
	}
	var last int64
	if err := tx.Raw("SELECT COALESCE(MAX(seq), 0) FROM events WHERE run_id = ?", row.RunID).Row().Scan(&last); err != nil {
		return err
	}
	row.Seq, row.At = last+1, sqldb.StoredTime(row.At)
	if err := tx.Create(row).Error; err != nil || !Ended(experiments.RunState(run.State)) {
		return err
	}
	return CloseTail(tx, row.RunID)
}

// Events implements [experiments.EventStore].
func (s *RunTables) Events(ctx context.Context, runID string, after int64, limit int) ([]experiments.Event, error) {
	q := s.Read(ctx).Where("run_id = ? AND seq > ?", runID, after).Order("seq")
	if limit > 0 {
		q = q.Limit(limit)
	}
	var rows []EventRow
	if err := q.Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("read the events of run "+runID, err)
	}
	out := make([]experiments.Event, len(rows))
	for i, r := range rows {
		out[i] = fromEventRow(r)
	}
	if len(out) == 0 {
		_, err := FindRun(s.Read(ctx), runID)
		return out, sqldb.Wrap("read the events of run "+runID, err)
	}
	return out, nil
}
