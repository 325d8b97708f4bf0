package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"gorm.io/gorm"
)

// bench is the connection on which a SQLite store writes, with the statements that were prepared on it. It is used by one
// goroutine at a time.
type bench struct {
	store    *DB
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
}

var (
	_ statements = (*bench)(nil)
	_ gorm.Tx    = (*benchTx)(nil)
)

// stmt prepares a query once. The queries written by hand are constants, so there are few.
func (b *bench) stmt(query string) (*sql.Stmt, error) {
	if st, ok := b.prepared[query]; ok {
		return st, nil
	}
	st, err := b.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	b.prepared[query] = st
	return st, nil
}

func (b *bench) exec(query string, args ...any) (int64, error) {
	st, err := b.stmt(query) //nolint:sqlclosecheck // prepared once; the database closes it
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(context.Background(), clean(args)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (b *bench) row(dest []any, query string, args ...any) (bool, error) {
	st, err := b.stmt(query) //nolint:sqlclosecheck // prepared once; the database closes it
	if err != nil {
		return false, err
	}
	return scanned(st.QueryRowContext(context.Background(), clean(args)...).Scan(dest...))
}

// locking is nothing: a write transaction of SQLite has the database for itself.
func (b *bench) locking() string { return "" }

// gorm is a handle for the transaction that runs on the connection. What it began it ends, whatever becomes of ctx.
func (b *bench) gorm(ctx context.Context) *gorm.DB {
	tx := b.store.db.Session(&gorm.Session{Context: context.WithoutCancel(ctx), NewDB: true})
	tx.Statement.ConnPool = &benchTx{b.conn}
	return tx
}

// close closes the statements and the connection for good: a transaction that was left open must not go back to the pool.
func (b *bench) close() {
	for _, st := range b.prepared {
		_ = st.Close() // nothing depends on a statement that is not used any more
	}
	_ = b.conn.Raw(func(any) error { return driver.ErrBadConn }) // takes the connection out of the pool
	_ = b.conn.Close()
}

// benchTx is the connection as gorm sees a transaction. It cleans arguments.
type benchTx struct{ conn *sql.Conn }

var errGroup = errors.New("a grouped transaction is ended by the writer only")

// Commit is refused: the writer commits.
func (*benchTx) Commit() error { return errGroup }

// Rollback is refused: an error makes the writer roll back.
func (*benchTx) Rollback() error { return errGroup }

// StmtContext is never needed: gorm prepares nothing here.
func (*benchTx) StmtContext(_ context.Context, st *sql.Stmt) *sql.Stmt { return st }

func (t *benchTx) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return t.conn.PrepareContext(ctx, query)
}

func (t *benchTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.conn.ExecContext(ctx, query, clean(args)...)
}

func (t *benchTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.conn.QueryContext(ctx, query, clean(args)...)
}

func (t *benchTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.conn.QueryRowContext(ctx, query, clean(args)...)
}
