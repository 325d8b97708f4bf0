package records

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// sharedPrefix begins the owner of a run that the workers of a queue hold together. The epoch of the claim follows, so that a
// job of an earlier submission speaks for nobody.
const sharedPrefix = "queue:"

func sharedOwner(owner string) bool { return strings.HasPrefix(owner, sharedPrefix) }

// SubmitRun gives a queued, paused or abandoned run to the workers of a queue: it moves to Running for an owner that stands for
// all of them and for no earlier submission. What enqueue writes with tx, the jobs for the missing questions, is committed
// together with that or not at all. A run that the workers have already stays as it is, and enqueue is not called. Conflict
// when another process owns the run or it is over. PostgreSQL only.
func (s *RunTables) SubmitRun(ctx context.Context, id string, now, staleBefore time.Time,
	enqueue func(ctx context.Context, tx pgx.Tx, owner string, missing []string) error,
) (run experiments.Run, owner string, err error) {
	if s.Engine() != sqldb.PostgresEngine {
		return run, "", problem.New(problem.Invalid, "needs_postgresql", "only PostgreSQL keeps jobs for several processes")
	}
	err = s.joint(ctx, "submit run "+id, func(tx *gorm.DB, px pgx.Tx) error {
		row, err := lockRun(tx, id, sqldb.ForUpdate)
		if err != nil {
			return err
		}
		if row.State == string(experiments.Running) && sharedOwner(row.Owner) {
			owner = row.Owner
			run, err = FromRunRow(row)
			return err
		}
		owner = fmt.Sprint(sharedPrefix, row.Epoch+1)
		if run, err = claim(tx, row, owner, now, staleBefore); err != nil {
			return err
		}
		// Who submits wants it worked: a wish that its last owner died over is not the workers' to fulfil.
		if err := tx.Model(&RunRow{}).Where("id = ?", id).Update("wanted_state", "").Error; err != nil {
			return err
		}
		if err := noteStart(tx, id, owner, now); err != nil {
			return err
		}
		missing, err := pending(tx, id, nil)
		if err != nil {
			return err
		}
		return enqueue(ctx, px, owner, missing)
	})
	return run, owner, err
}

// noteStart adds to the history of a run that workers have it from now on. It is there before any of them can send a call.
func noteStart(tx *gorm.DB, id, owner string, now time.Time) error {
	body, err := json.Marshal(map[string]string{"owner": owner})
	if err != nil {
		return err
	}
	return appendEvent(tx, &EventRow{RunID: id, Kind: string(experiments.EventStarted), Body: string(body), At: now})
}

// joint runs f in one transaction that gorm and pgx share, on one connection. f may run again from the start, as in write.
func (s *RunTables) joint(ctx context.Context, doing string, f func(tx *gorm.DB, px pgx.Tx) error) error {
	return sqldb.Wrap(doing, sqldb.Again(func() error { return s.jointly(ctx, f) }))
}

func (s *RunTables) jointly(ctx context.Context, f func(tx *gorm.DB, px pgx.Tx) error) error {
	return s.Orm.WithContext(ctx).Connection(func(tx *gorm.DB) (err error) {
		conn, ok := tx.Statement.ConnPool.(*sql.Conn)
		if !ok {
			return fmt.Errorf("gorm gave a %T instead of a connection", tx.Statement.ConnPool)
		}
		var below *pgx.Conn
		if err := conn.Raw(func(driver any) error {
			below = driver.(*stdlib.Conn).Conn()
			return nil
		}); err != nil {
			return err
		}
		// The connection belongs to this function until it returns, so pgx may use it between the statements of gorm.
		px, err := below.Begin(ctx)
		if err != nil {
			return err
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, ignoreClosed(px.Rollback(context.WithoutCancel(ctx))))
			}
		}()
		tx.Statement.ConnPool = borderConn{conn}
		if err := f(tx.Session(&gorm.Session{NewDB: false}), px); err != nil {
			return err
		}
		return px.Commit(ctx)
	})
}

func ignoreClosed(err error) error {
	if errors.Is(err, pgx.ErrTxClosed) {
		return nil
	}
	return err
}

// borderConn is one connection that cleans arguments.
type borderConn struct{ *sql.Conn }

var _ gorm.ConnPool = borderConn{}

func (c borderConn) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return c.Conn.ExecContext(ctx, query, sqldb.Clean(args)...)
}

func (c borderConn) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return c.Conn.QueryContext(ctx, query, sqldb.Clean(args)...)
}

func (c borderConn) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return c.Conn.QueryRowContext(ctx, query, sqldb.Clean(args)...)
}

// MissingOf is Missing for some questions of a run.
func (s *RunTables) MissingOf(ctx context.Context, id string, questions []string) ([]string, error) {
	out, err := pending(s.Read(ctx), id, questions)
	return out, sqldb.Wrap("find missing results of run "+id, err)
}

// pending returns the questions with pending cells in dataset order: those of the run, or those among questions unless it is
// nil.
func pending(tx *gorm.DB, id string, questions []string) ([]string, error) {
	out := []string{}
	sql, args := "SELECT question_id FROM cells WHERE run_id = ? AND state = 'pending'", []any{id}
	if questions != nil {
		sql, args = sql+" AND question_id IN ?", append(args, questions)
	}
	err := tx.Raw(sql+" GROUP BY question_id ORDER BY MIN(position)", args...).Scan(&out).Error
	return out, err
}
