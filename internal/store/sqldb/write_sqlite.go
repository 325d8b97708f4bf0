package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"gorm.io/gorm"
)

// Bench is the connection on which a SQLite store writes, with the statements that were prepared on it. It is used by one
// goroutine at a time.
type Bench struct {
	store    *DB
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
	kept     keptStatements
}

var (
	_ Statements = (*Bench)(nil)
	_ gorm.Tx    = (*benchTx)(nil)
)

// stmt prepares a query once. The queries written by hand are constants, so there are few.
func (b *Bench) stmt(query string) (*sql.Stmt, error) {
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

// Exec implements [Statements].
func (b *Bench) Exec(query string, args ...any) (int64, error) {
	st, err := b.stmt(query) //nolint:sqlclosecheck // prepared once; the database closes it
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(context.Background(), Clean(args)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Row implements [Statements].
func (b *Bench) Row(dest []any, query string, args ...any) (bool, error) {
	st, err := b.stmt(query) //nolint:sqlclosecheck // prepared once; the database closes it
	if err != nil {
		return false, err
	}
	return Scanned(st.QueryRowContext(context.Background(), Clean(args)...).Scan(dest...))
}

// Locking is nothing: a write transaction of SQLite has the database for itself.
func (b *Bench) Locking() string { return "" }

// Marker implements [Statements].
func (b *Bench) Marker() Marker { return b.store.marker }

// Gorm is a handle for the transaction that runs on the connection. What it began it ends, whatever becomes of ctx.
func (b *Bench) Gorm(ctx context.Context) *gorm.DB {
	tx := b.store.Orm.Session(&gorm.Session{Context: context.WithoutCancel(ctx), NewDB: true})
	tx.Statement.ConnPool = &benchTx{bench: b}
	return tx
}

// close closes the statements and the connection for good: a transaction that was left open must not go back to the pool.
func (b *Bench) close() {
	for _, st := range b.prepared {
		_ = st.Close() // nothing depends on a statement that is not used any more
	}
	b.kept.close()
	_ = b.conn.Raw(func(any) error { return driver.ErrBadConn }) // takes the connection out of the pool
	_ = b.conn.Close()
}

// benchTx is the connection as gorm sees a transaction. It cleans arguments.
type benchTx struct{ bench *Bench }

var errGroup = errors.New("a grouped transaction is ended by the writer only")

// Commit is refused: the writer commits.
func (*benchTx) Commit() error { return errGroup }

// Rollback is refused: an error makes the writer roll back.
func (*benchTx) Rollback() error { return errGroup }

// StmtContext is never needed: gorm prepares nothing here.
func (*benchTx) StmtContext(_ context.Context, st *sql.Stmt) *sql.Stmt { return st }

func (t *benchTx) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return t.bench.conn.PrepareContext(ctx, query)
}

func (t *benchTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if len(query) > longestKept {
		return t.bench.conn.ExecContext(ctx, query, Clean(args)...)
	}
	st, err := t.bench.kept.prepared(ctx, t.bench.conn, query) //nolint:sqlclosecheck // it stays
	if err != nil {
		return nil, err
	}
	return st.ExecContext(ctx, Clean(args)...)
}

func (t *benchTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.bench.conn.QueryContext(ctx, query, Clean(args)...)
}

func (t *benchTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.bench.conn.QueryRowContext(ctx, query, Clean(args)...)
}

// mostKept bounds the statements of gorm that stay prepared, and longestKept their texts. Those that write are mostly the same: a run
// saves as many results each time, and each has as many cells.
const (
	mostKept    = 32
	longestKept = 16 << 10
)

// keptStatements are those of gorm that were used last, by their text. Queries are not among them: while the rows of one are read it may
// be asked again.
type keptStatements struct {
	list  map[string]*keptStatement
	count uint64
}

type keptStatement struct {
	st   *sql.Stmt
	used uint64
}

// prepared is the statement of a text, which takes the place of the one that was not used for longest.
func (k *keptStatements) prepared(ctx context.Context, conn *sql.Conn, query string) (*sql.Stmt, error) {
	k.count++
	if known, ok := k.list[query]; ok {
		known.used = k.count
		return known.st, nil
	}
	st, err := conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if k.list == nil {
		k.list = make(map[string]*keptStatement, mostKept)
	}
	if len(k.list) == mostKept {
		oldest := ""
		for text, other := range k.list {
			if oldest == "" || other.used < k.list[oldest].used {
				oldest = text
			}
		}
		_ = k.list[oldest].st.Close() // nothing depends on a statement that is not used any more
		delete(k.list, oldest)
	}
	k.list[query] = &keptStatement{st: st, used: k.count}
	return st, nil
}

// close closes them all.
func (k *keptStatements) close() {
	for _, kept := range k.list {
		_ = kept.st.Close() // nothing depends on a statement that is not used any more
	}
	k.list = nil
}
