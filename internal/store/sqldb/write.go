package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

// SQLite has one writer at a time and pays for every commit with a flush of the disk. So all writes of a store go through
// one queue: whoever works it runs up to groupSize logical transactions in one database transaction, and nobody is told of success
// before that one commit. Each is in a savepoint of its own, but for the short ones while all goes well: a savepoint copies every page
// that is written in it. PostgreSQL does the same inside its log; there every logical transaction is a plain one.

// groupSize bounds the logical transactions of one commit.
const groupSize = 64

// A commit costs a flush and a copy of every page that it touches, however few transactions share it. Where many hands write at
// once and not all of them are back, the queue waits so long for the others, as commit_delay and commit_siblings of PostgreSQL do
// (postgresql.org/docs/current/runtime-config-wal.html): half as many commits, for a pause that no call of a model notices.
const (
	busyGroup = 4                // transactions in the last commit that make it worth while; a few hands never wait
	gathering = time.Millisecond // of some 50 to 5,000 that a call takes
)

// Statements runs statements written by hand in one transaction. Arguments pass the border.
type Statements interface {
	// exec returns how many rows were changed.
	Exec(query string, args ...any) (int64, error)
	// row scans the first row into dest; found is false without one.
	Row(dest []any, query string, args ...any) (found bool, err error)
	// locking is what makes a SELECT lock its rows here.
	Locking() string
	// Marker is what marks seals here; nil where nothing does.
	Marker() Marker
}

// Write runs f in one transaction. On SQLite it holds the write lock from its start, so it never fails half-way for a
// lock it could not upgrade. When ctx ends before f has begun, nothing is written; once f has begun it is carried to its end on
// SQLite, and write returns what came of it. When a group fails, or on a deadlock, f may run again from the start, so it must
// set, not add to, what it hands out. f must not write through the store itself.
func (s *DB) Write(ctx context.Context, doing string, f func(tx *gorm.DB) error) error {
	f = s.counting(f)
	if s.Writer != nil {
		return Wrap(doing, s.Writer.Do(ctx, func(b *Bench) error { return f(b.Gorm(ctx)) }))
	}
	return Wrap(doing, Again(func() error { return s.Orm.WithContext(ctx).Transaction(f) }))
}

// WriteSQL is write for statements written by hand, which are short: once begun they are carried to their end on both engines. They
// run again where another of their group fails.
func (s *DB) WriteSQL(ctx context.Context, doing string, f func(tx Statements) error) error {
	if s.Writer != nil {
		return Wrap(doing, s.Writer.do(ctx, &entry{f: func(b *Bench) error { return f(b) }, short: true}))
	}
	return Wrap(doing, Again(func() error { return s.plainTransaction(ctx, f) }))
}

// rolledBack are the codes of PostgreSQL for a transaction that it gave up on for no fault of its statements: a deadlock, a serialization
// failure, and a pause between two statements that was longer than the server waits, as on a machine that is very busy.
var rolledBack = map[string]bool{"40P01": true, "40001": true, "25P03": true}

// Again runs a transaction of PostgreSQL once more when the server has rolled it back for no fault of its statements.
func Again(transaction func() error) error {
	const attempts = 10
	var err error
	for range attempts {
		if err = transaction(); err == nil {
			return nil
		}
		e, ok := errors.AsType[*pgconn.PgError](err)
		if !ok || !rolledBack[e.Code] {
			return err
		}
	}
	return err
}

// plainTransaction runs f in a transaction of PostgreSQL. It begins when there is a connection for it.
func (s *DB) plainTransaction(ctx context.Context, f func(tx Statements) error) error {
	conn, err := s.Pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // only gives it back
	ctx = context.WithoutCancel(ctx)
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			_ = tx.Rollback() // the first error, or the panic, is the one to tell
		}
	}()
	if err := f(plainStatements{ctx, tx, s.marker}); err != nil {
		return err
	}
	done = true
	return tx.Commit()
}

// plainStatements are those of a transaction of PostgreSQL; its driver keeps prepared statements by their text.
type plainStatements struct {
	ctx    context.Context
	tx     *sql.Tx
	marker Marker
}

// Exec implements [Statements].
func (p plainStatements) Exec(query string, args ...any) (int64, error) {
	res, err := p.tx.ExecContext(p.ctx, numbered(query), Clean(args)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Row implements [Statements].
func (p plainStatements) Row(dest []any, query string, args ...any) (bool, error) {
	return Scanned(p.tx.QueryRowContext(p.ctx, numbered(query), Clean(args)...).Scan(dest...))
}

// Locking implements [Statements].
func (p plainStatements) Locking() string { return " FOR UPDATE" }

// Marker implements [Statements].
func (p plainStatements) Marker() Marker { return p.marker }

// Scanned tells a missing row from an error.
func Scanned(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

var numberedQueries sync.Map // query with ? → query with $1, $2, …; as many as there are constants below

// numbered writes the parameters of a query as PostgreSQL wants them. Queries written by hand contain no other question marks.
func numbered(query string) string {
	if known, ok := numberedQueries.Load(query); ok {
		return known.(string)
	}
	parts := strings.Split(query, "?")
	var b strings.Builder
	for i, part := range parts[:len(parts)-1] {
		b.WriteString(part + "$" + strconv.Itoa(i+1))
	}
	b.WriteString(parts[len(parts)-1])
	numberedQueries.Store(query, b.String())
	return b.String()
}

// Writer is the queue of a SQLite store. Its goroutine is started by the write that finds nobody at work and ends when the
// queue is empty, so an idle store has none; close waits for it.
type Writer struct {
	store *DB

	mu     sync.Mutex
	rested *sync.Cond // work became false
	queue  []*entry
	work   bool // a goroutine works the queue
	closed bool

	bench *Bench // its goroutine's: the connection and its prepared statements

	// Pause waits for the others of a busy group. Tests put their own here before the first write.
	Pause func()
}

func newWriter(s *DB) *Writer {
	w := &Writer{store: s, Pause: func() { time.Sleep(gathering) }}
	w.rested = sync.NewCond(&w.mu)
	return w
}

// The fates of an entry, decided once: its owner stops waiting, or its transaction begins.
const (
	waiting int32 = iota
	begun
	abandoned
)

// entry is one logical transaction in the queue.
type entry struct {
	f     func(*Bench) error
	short bool // it costs little to run again
	fate  atomic.Int32
	err   error
	panic any
	done  chan struct{}
}

// ErrClosed is what writes get after the store was closed.
var ErrClosed = errors.New("the store is closed")

// Waiting is how many writes have not begun, and whether somebody works the queue.
func (w *Writer) Waiting() (n int, working bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue), w.work
}

// Rest returns when nobody works the queue.
func (w *Writer) Rest() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest()
}

// rest is Rest for who holds the lock.
func (w *Writer) rest() {
	for w.work {
		w.rested.Wait()
	}
}

// Do runs f as one logical transaction and returns after the commit that holds it.
func (w *Writer) Do(ctx context.Context, f func(*Bench) error) error { return w.do(ctx, &entry{f: f}) }

// do is Do for an entry.
func (w *Writer) do(ctx context.Context, e *entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.done = make(chan struct{})
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return ErrClosed
	}
	w.queue = append(w.queue, e)
	if !w.work {
		w.work = true
		go w.serve() //nolint:contextcheck // it writes for many callers, so no caller's context may end it
	}
	w.mu.Unlock()
	select {
	case <-e.done:
	case <-ctx.Done():
		if e.fate.CompareAndSwap(waiting, abandoned) {
			return ctx.Err()
		}
		<-e.done // it has begun: only its outcome is true
	}
	if e.panic != nil {
		panic(e.panic)
	}
	return e.err
}

// serve works the queue until it is empty.
func (w *Writer) serve() {
	last := 0
	for {
		// Whoever was just told of its commit has its next write at hand: letting it run first makes groups larger and
		// commits fewer.
		runtime.Gosched()
		if queued, _ := w.Waiting(); last >= busyGroup && queued < last {
			w.Pause()
		}
		w.mu.Lock()
		n := min(groupSize, len(w.queue))
		if n == 0 {
			w.queue, w.work = nil, false
			w.rested.Broadcast()
			w.mu.Unlock()
			return
		}
		group := w.queue[:n:n]
		w.queue = w.queue[n:]
		w.mu.Unlock()
		w.commit(group)
		last = n
	}
}

// commit decides the fate of a group and tells its owners.
func (w *Writer) commit(group []*entry) {
	live := make([]*entry, 0, len(group))
	for _, e := range group {
		if e.fate.CompareAndSwap(waiting, begun) {
			live = append(live, e)
		}
	}
	if len(live) == 0 {
		return
	}
	if err := w.begin(); err != nil { // somebody else holds the file: alone they would not fare better
		for _, e := range live {
			e.err = err
		}
	} else if err := w.transaction(live); err != nil {
		w.alone(live, err)
	}
	for _, e := range live {
		close(e.done)
	}
}

// alone is for a group that the database gave up on: whoever can be saved alone is. A full disk may have room for the small
// ones.
func (w *Writer) alone(group []*entry, err error) {
	if len(group) == 1 {
		group[0].err = err
		return
	}
	begun := true
	for _, e := range group {
		e.err, e.panic = nil, nil
		if begun {
			err = w.begin()
			begun = err == nil
		}
		if begun {
			err = w.transaction([]*entry{e})
		}
		if err != nil {
			e.err = err
		}
	}
}

// begin opens a transaction that holds the write lock.
func (w *Writer) begin() error {
	if err := w.open(); err != nil {
		return err
	}
	_, err := w.bench.Exec("BEGIN IMMEDIATE")
	if err != nil {
		w.shut() // perhaps the connection is broken: the next group gets another
	}
	return err
}

// transaction runs a group in the transaction that was begun and ends it. It returns an error when nothing of the group was
// kept. What is wrong with one entry stands in that entry, and nothing of that entry is kept.
func (w *Writer) transaction(group []*entry) (err error) {
	if len(group) == 1 { // the transaction is its savepoint
		if group[0].run(w.bench); group[0].err != nil || group[0].panic != nil {
			_, err = w.bench.Exec("ROLLBACK")
		} else {
			_, err = w.bench.Exec("COMMIT")
		}
	} else if err = w.together(group); err == nil {
		_, err = w.bench.Exec("COMMIT")
	}
	if err != nil {
		w.shut() // closing the connection rolls back what is left
		if own := group[0].err; len(group) == 1 && own != nil {
			return own // it is why the database gave up
		}
	}
	return err
}

// together runs the entries of a group. An error means that the transaction is lost. Short ones, of which hardly any fails, are run as
// they are; when one fails all of them are undone, and run in savepoints.
func (w *Writer) together(group []*entry) error {
	if slices.ContainsFunc(group, func(e *entry) bool { return !e.short }) {
		return w.savepoints(group)
	}
	for _, e := range group {
		if e.run(w.bench); e.err == nil && e.panic == nil {
			continue
		}
		if _, err := w.bench.Exec("ROLLBACK"); err != nil {
			return err
		}
		if _, err := w.bench.Exec("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		return w.savepoints(group)
	}
	return nil
}

// savepoints runs each entry in a savepoint. An error means that the transaction is lost.
func (w *Writer) savepoints(group []*entry) error {
	for _, e := range group {
		if _, err := w.bench.Exec("SAVEPOINT entry"); err != nil {
			return err
		}
		if e.run(w.bench); e.err != nil || e.panic != nil {
			if _, err := w.bench.Exec("ROLLBACK TO entry"); err != nil {
				return err
			}
		}
		if _, err := w.bench.Exec("RELEASE entry"); err != nil {
			return err
		}
	}
	return nil
}

// run calls the entry's function, whatever came of it before. A panic belongs to the entry's owner.
func (e *entry) run(b *Bench) {
	e.err, e.panic = nil, nil
	defer func() {
		if r := recover(); r != nil {
			e.panic = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	e.err = e.f(b)
}

// writing are the settings of the connection that writes.
var writing = []string{
	// What a savepoint may have to undo is kept in memory: it is bounded by what one group writes, and needs no file.
	"temp_store = MEMORY",
	// As many pages of the log, 16 MB, go into the file at once. Keys are digests, so that each commit writes all over the tables: the
	// longer pages wait, the more of them were written again by then. Commits reach the disk as before.
	"wal_autocheckpoint = 4000",
}

// open makes sure that there is a connection.
func (w *Writer) open() error {
	if w.bench != nil {
		return nil
	}
	conn, err := w.store.Pool.Conn(context.Background())
	if err != nil {
		return err
	}
	for _, setting := range writing {
		if _, err := conn.ExecContext(context.Background(), "PRAGMA "+setting); err != nil {
			_ = conn.Close() // the first error is the one to tell
			return err
		}
	}
	w.bench = &Bench{store: w.store, conn: conn, prepared: map[string]*sql.Stmt{}}
	return nil
}

// shut gives the connection up. Closing it at the driver rolls back a transaction that is still open.
func (w *Writer) shut() {
	if w.bench == nil {
		return
	}
	w.bench.close()
	w.bench = nil
}

// close lets the queue empty itself, refuses further writes and gives the connection back.
func (w *Writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.rest()
	w.shut()
}
