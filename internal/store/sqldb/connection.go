// Package sqldb is the connection to a database, SQLite or PostgreSQL, whatever its tables are: how it is opened, read and written.
//
// Everything that enters a database passes one border (border.go): times become UTC with microseconds, NUL becomes U+2400 and invalid
// UTF-8 becomes U+FFFD, so both databases answer alike. On SQLite the writes of one connection share commits (write.go): each is
// kept or undone on its own, and returns after the commit that holds it.
package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// The engines a database can run on.
const (
	SQLiteEngine   = "sqlite"
	PostgresEngine = "postgres"
)

// PoolSize bounds the open connections of one store. Eight writers queue well on SQLiteEngine; an unbounded pool does not.
const PoolSize = 8

// DB is a connection to a database: how it is read and written, whatever its tables are.
type DB struct {
	Orm     *gorm.DB
	Pool    *sql.DB
	engine  string
	Writer  *Writer      // nil on PostgreSQL
	Scratch bool         // the file is nobody's: no copy is made before its tables are changed
	Still   func() error // of one that is only read: ends the reading
	Saved   bool         // somebody says that there is a backup to go back to
	Vouched Vouched      // what a key outside of the database says of its seals
	marker  Marker       // nil where there is no key

	reading sync.Mutex
	reads   map[string]*sql.Stmt // queries that are asked for every call
}

// Watching is told of statements of gorm.
type Watching struct {
	Created  func(*gorm.DB) // of those that have inserted rows
	Changing func(*gorm.DB) // of those that are about to change rows or take them away, and may refuse them
}

// NewDB puts gorm on a pool of connections.
func NewDB(engine string, pool *sql.DB, dialector gorm.Dialector, watching Watching) (*DB, error) {
	db, err := gorm.Open(dialector, &gorm.Config{
		Logger:                 logger.Discard,
		SkipDefaultTransaction: true,
		TranslateError:         true,
		DisableAutomaticPing:   true,
		QueryFields:            true, // never *, which would have the database make columns that nobody reads
	})
	if err != nil {
		return nil, Wrap("open the database", err)
	}
	err = errors.Join(
		db.Callback().Create().After("gorm:create").Register("workbench:created", watching.Created),
		db.Callback().Update().Before("gorm:update").Register("workbench:changing", watching.Changing),
		db.Callback().Delete().Before("gorm:delete").Register("workbench:changing", watching.Changing),
	)
	if err != nil {
		return nil, Wrap("open the database", err)
	}
	c := &DB{Orm: db, Pool: pool, engine: engine, reads: map[string]*sql.Stmt{}}
	if engine == SQLiteEngine {
		c.Writer = newWriter(c)
	}
	return c, nil
}

// Close waits for the writes that were asked for and releases the connections. The store cannot be used afterwards.
func (s *DB) Close() error {
	if s.Writer != nil {
		s.Writer.close()
	}
	err := Wrap("close the database", s.Pool.Close())
	if s.Still != nil {
		err = errors.Join(err, s.Still())
	}
	return err
}

// Engine is the database in use: [SQLiteEngine] or [PostgresEngine].
func (s *DB) Engine() string { return s.engine }

// Prepared returns a query written by hand as a statement that every connection prepares once. The database closes it.
func (s *DB) Prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if st, ok := s.reads[query]; ok {
		return st, nil
	}
	text := query
	if s.engine == PostgresEngine {
		text = numbered(query)
	}
	st, err := s.Pool.PrepareContext(ctx, text) //nolint:sqlclosecheck // prepared once; the database closes it
	if err == nil {
		s.reads[query] = st
	}
	return st, err
}

// First scans the first row of a query written by hand, by [DB.Prepared], into dest; found is false without one. It is for a few rows
// by their keys: on SQLite it is not broken off when ctx ends, since to watch for that takes a goroutine of the pool and one of the
// driver for each query, which is longer than the query.
func (s *DB) First(ctx context.Context, dest []any, query string, args ...any) (found bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	st, err := s.Prepared(ctx, query) //nolint:sqlclosecheck // prepared once; the database closes it
	if err != nil {
		return false, err
	}
	if s.engine == SQLiteEngine {
		ctx = context.WithoutCancel(ctx)
	}
	return Scanned(st.QueryRowContext(ctx, Clean(args)...).Scan(dest...))
}

// Read returns a handle for statements outside a transaction.
func (s *DB) Read(ctx context.Context) *gorm.DB { return s.Orm.WithContext(ctx) }

// Snapshot runs f over one unchanging state of the database.
func (s *DB) Snapshot(ctx context.Context, doing string, f func(tx *gorm.DB) error) error {
	opts := &sql.TxOptions{ReadOnly: true}
	if s.engine == PostgresEngine {
		opts.Isolation = sql.LevelRepeatableRead // SQLiteEngine has nothing weaker and no name for it
	}
	return Wrap(doing, s.Orm.WithContext(ctx).Transaction(f, opts))
}
