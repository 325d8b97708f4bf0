package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/machine"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// grouped lets the writer of s commit these logical transactions as one group: the first keeps it busy until the others
// have queued up behind. It returns their errors.
func grouped(t *testing.T, s *Store, fs ...func(*sqldb.Bench) error) []error {
	t.Helper()
	writes := make([]func() error, len(fs))
	for i, f := range fs {
		writes[i] = func() error { return s.Writer.Do(t.Context(), f) }
	}
	return groupedWrites(t, s, writes...)
}

// groupedWrites is grouped for writes of any kind.
func groupedWrites(t *testing.T, s *Store, writes ...func() error) []error {
	t.Helper()
	errs := make([]error, len(writes))
	var wg sync.WaitGroup
	ok(t, s.Writer.Do(t.Context(), func(*sqldb.Bench) error {
		for i, write := range writes {
			wg.Go(func() { errs[i] = write() })
			for queued := 0; queued <= i; runtime.Gosched() {
				queued, _ = s.Writer.Waiting()
			}
		}
		return nil
	}))
	wg.Wait()
	return errs
}

// install writes a fact that tests look for.
func install(name string) func(*sqldb.Bench) error {
	return func(b *sqldb.Bench) error {
		_, err := b.Exec("INSERT INTO install (name, value) VALUES (?, ?)", name, []byte{1})
		return err
	}
}

func installed(t *testing.T, s *Store) string {
	t.Helper()
	var names []string
	ok(t, s.Read(t.Context()).Model(&machine.InstallRow{}).Order("name").Pluck("name", &names).Error)
	return strings.Join(names, " ")
}

// TestGroupSparesTheOthers puts a refused, a half-done and a twice-written entry between good ones.
func TestGroupSparesTheOthers(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	refusal := errors.New("no")
	errs := grouped(t, s, install("a"), func(b *sqldb.Bench) error {
		ok(t, install("half")(b))
		return refusal
	}, install("b"), install("a"), func(b *sqldb.Bench) error {
		return b.Gorm(t.Context()).Transaction(func(tx *gorm.DB) error { // nested: a savepoint in the savepoint
			return tx.Create(&machine.InstallRow{Name: "c", Value: []byte{2}}).Error
		})
	})
	if errs[0] != nil || !errors.Is(errs[1], refusal) || errs[2] != nil || errs[3] == nil || errs[4] != nil {
		t.Errorf("errors are %v", errs)
	}
	if got := installed(t, s); got != "a b c" {
		t.Errorf("stored are %q", got)
	}
}

// TestShortWritesShareATransaction: short writes are run as they are, without savepoints. Where one is refused or panics, nothing of it is
// kept and all of the others are, which were run again for that.
func TestShortWritesShareATransaction(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	var ran int
	short := func(name string, fate error) func() error {
		return func() (err error) {
			defer func() {
				if r := recover(); r != nil {
					err = fmt.Errorf("caught %v", r)
				}
			}()
			return s.WriteSQL(t.Context(), "write shortly", func(tx sqldb.Statements) error {
				ran++
				if _, err := tx.Exec("INSERT INTO install (name, value) VALUES (?, ?)", name, []byte{1}); err != nil {
					return err
				}
				if name == "slips" {
					panic("slipped")
				}
				return fate
			})
		}
	}
	if errs := groupedWrites(t, s, short("a", nil), short("b", nil), short("c", nil)); errors.Join(errs...) != nil || ran != 3 {
		t.Errorf("three good ones ran %d times: %v", ran, errs)
	}
	ran = 0
	refusal := errors.New("no")
	errs := groupedWrites(t, s, short("d", nil), short("half", refusal), short("e", nil), short("slips", nil), short("a", nil),
		short("f", nil))
	if errs[0] != nil || !errors.Is(errs[1], refusal) || errs[2] != nil || errs[3] == nil || errs[4] == nil || errs[5] != nil {
		t.Errorf("errors are %v", errs)
	}
	if got := installed(t, s); got != "a b c d e f" || ran != 8 {
		t.Errorf("stored are %q after %d runs; two of them begin again", got, ran)
	}
}

// TestABusyGroupWaitsForTheOthers: after a commit that four hands shared, the next one waits for those who are not back, once, and whoever
// comes meanwhile shares it. Few hands never wait, and neither does a group that is back already.
func TestABusyGroupWaitsForTheOthers(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	pauses, late := 0, 0
	var seen [2]int // how many had run when each was told
	var others sync.WaitGroup
	s.Writer.Pause = func() {
		pauses++
		for i := range 2 {
			others.Go(func() {
				ok(t, s.Writer.Do(t.Context(), func(*sqldb.Bench) error { late++; return nil }))
				seen[i] = late
			})
			for queued := 0; queued <= i; runtime.Gosched() {
				queued, _ = s.Writer.Waiting()
			}
		}
	}
	nothing := func(*sqldb.Bench) error { return nil }
	for range 3 {
		grouped(t, s, nothing, nothing, nothing)
	}
	if pauses != 0 {
		t.Errorf("three hands waited %d times", pauses)
	}
	grouped(t, s, nothing, nothing, nothing, nothing)
	s.Writer.Rest()
	others.Wait()
	if pauses != 1 || seen != [2]int{2, 2} {
		t.Errorf("%d pauses; those who came meanwhile were told when %v had run", pauses, seen)
	}
	pauses, late = 0, 0
	back := sync.WaitGroup{}
	grouped(t, s, nothing, nothing, nothing, func(*sqldb.Bench) error {
		for i := range 4 {
			back.Go(func() { ok(t, s.Writer.Do(t.Context(), nothing)) })
			for queued := 0; queued <= i; runtime.Gosched() {
				queued, _ = s.Writer.Waiting()
			}
		}
		return nil
	})
	back.Wait()
	s.Writer.Rest()
	others.Wait()
	if pauses != 1 { // after the second four, of whom nobody came back
		t.Errorf("four who were back at once: %d pauses", pauses)
	}
}

// TestGroupOutlivesItsTransaction loses the whole database transaction in the middle of a group, as a full disk does: every
// entry is tried again alone, and only the culprit fails.
func TestGroupOutlivesItsTransaction(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	full := errors.New("disk full")
	errs := grouped(t, s, install("a"), func(b *sqldb.Bench) error {
		_, err := b.Exec("ROLLBACK")
		return errors.Join(full, err)
	}, install("b"))
	if errs[0] != nil || !errors.Is(errs[1], full) || errs[2] != nil {
		t.Errorf("errors are %v", errs)
	}
	ok(t, s.Writer.Do(t.Context(), install("c"))) // on a fresh connection
	if got := installed(t, s); got != "a b c" {
		t.Errorf("stored are %q", got)
	}
}

// TestGroupPanic expects a panic where it was caused, and nowhere else.
func TestGroupPanic(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	var caught any
	errs := grouped(t, s, install("a"), func(b *sqldb.Bench) error { return errors.Join(install("half")(b), errors.New("no")) },
		install("b"))
	func() {
		defer func() { caught = recover() }()
		_ = s.Writer.Do(t.Context(), func(b *sqldb.Bench) error {
			ok(t, install("panicking")(b))
			panic("slipped")
		})
	}()
	if !strings.Contains(fmt.Sprint(caught), "slipped") || errs[0] != nil || errs[2] != nil {
		t.Errorf("caught %v; errors are %v", caught, errs)
	}
	if got := installed(t, s); got != "a b" {
		t.Errorf("stored are %q", got)
	}
}

// TestMoreStatementsThanStayPrepared: those that were given up are prepared again, and one that failed can be used again.
func TestMoreStatementsThanStayPrepared(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	for range 2 {
		ok(t, s.Write(t.Context(), "write in many ways", func(tx *gorm.DB) error {
			for rows := 1; rows <= 100; rows++ {
				args := []any{}
				for i := range rows {
					args = append(args, fmt.Sprint("way ", rows, " row ", i), []byte{1})
				}
				query := "INSERT INTO install (name, value) VALUES " + sqldb.Tuples("(?, ?)", rows)
				if err := tx.Exec(query+" ON CONFLICT DO NOTHING", args...).Error; err != nil {
					return err
				}
				if err := tx.Session(&gorm.Session{NewDB: true}).Exec(query, args...).Error; err == nil {
					return fmt.Errorf("%d names were stored twice", rows)
				}
			}
			return nil
		}))
	}
	if n := strings.Count(installed(t, s), "way"); n != 5050 {
		t.Errorf("%d rows are stored, want 5050", n)
	}
}

// TestCloseDrains closes a store while writes are queued: each is stored or refused, and says which.
func TestCloseDrains(t *testing.T) {
	t.Parallel()
	d := newSQLite(t)
	s, err := Open(t.Context(), d.dsn)
	ok(t, err)
	const n = 200
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = s.Writer.Do(t.Context(), install(fmt.Sprintf("%03d", i))) })
	}
	ok(t, s.Close())
	wg.Wait()
	var want []string
	for i, err := range errs {
		switch {
		case err == nil:
			want = append(want, fmt.Sprintf("%03d", i))
		case !errors.Is(err, sqldb.ErrClosed):
			t.Errorf("write %d: %v", i, err)
		}
	}
	if got := installed(t, d.open(t)); got != strings.Join(want, " ") {
		t.Errorf("stored are %q, but told were %q", got, want)
	}
	if err := s.Begin(t.Context(), call("late", "", 1)); !errors.Is(err, sqldb.ErrClosed) {
		t.Errorf("a closed store says %v", err)
	}
}

// TestIdleStoreHasNoWriter expects no goroutine of a store that has nothing to write.
func TestIdleStoreHasNoWriter(t *testing.T) {
	t.Parallel()
	s := newSQLite(t).open(t)
	if _, working := s.Writer.Waiting(); working {
		t.Error("opening a store starts its writer")
	}
	ok(t, s.Writer.Do(t.Context(), install("a")))
	for working := true; working; runtime.Gosched() { // the test ends by its time limit otherwise
		_, working = s.Writer.Waiting()
	}
}

// TestRandomCancels lets many calls race through the ledger while their contexts end at random moments. Whatever a caller is
// told must be what the database holds: a write that was refused for its context has left nothing, and no write that had
// begun is lost.
func TestRandomCancels(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		run := budgeted(t, s, 1<<40)
		const n = 300
		var mu sync.Mutex
		want := map[string]llm.CallState{}
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				id := fmt.Sprintf("c%03d", i)
				if i%10 == 0 { // on a fast machine no other context may end in time
					gone, cancel := context.WithCancel(t.Context())
					cancel()
					if err := s.Begin(gone, call(id, run, 7)); !errors.Is(err, context.Canceled) {
						t.Errorf("a call whose context had ended was booked: %v", err)
					}
					return
				}
				state := lifeWithCancels(t, s, run, id, rand.New(rand.NewPCG(7, uint64(i))))
				mu.Lock()
				defer mu.Unlock()
				if state != "" {
					want[id] = state
				}
			})
		}
		wg.Wait()
		got := map[string]llm.CallState{}
		for _, c := range must[[]llm.Call](t)(s.Calls(t.Context(), run)) {
			got[c.ID] = c.State
		}
		diff(t, want, got)
		if len(want) == n || len(want) == 0 {
			t.Errorf("%d of %d calls were booked: the contexts did not end in between", len(want), n)
		}
		row := must[records.RunRow](t)(records.FindRun(s.Read(t.Context()), run))
		if summed := must[records.GuardNumbers](t)(records.SumGuard(s.Read(t.Context()),
			run)); summed != (records.GuardNumbers{Spent: row.Spent, Reserved: row.Reserved,
			Calls: row.Attempts}) {
			t.Errorf("summed from the calls the guard is %+v; kept is %+v", summed, row)
		}
		diff(t, []doctor.Finding(nil), must[[]doctor.Finding](t)(stocked(t, s).Check(t.Context())))
	})
}

// lifeWithCancels books, banks and settles a call, each with a context of its own that ends at a random moment, and returns
// the state that it was told of last.
func lifeWithCancels(t *testing.T, s *Store, run, id string, random *rand.Rand) (state llm.CallState) {
	steps := []struct {
		do   func(ctx context.Context) error
		then llm.CallState
	}{
		{func(ctx context.Context) error { return s.Begin(ctx, call(id, run, 10)) }, llm.CallSent},
		{func(ctx context.Context) error {
			return s.Bank(ctx, id, llm.Raw{Status: 200, Body: []byte(id), At: at(2)})
		}, llm.CallBanked},
		{func(ctx context.Context) error {
			return s.Settle(ctx, id, llm.Outcome{State: llm.CallUsable, CostMicros: 7, CostKind: "reported"})
		}, llm.CallUsable},
	}
	for _, step := range steps {
		ctx, cancel := context.WithCancel(t.Context())
		go func(spins int) {
			for range spins {
				runtime.Gosched()
			}
			cancel()
		}(random.IntN(2000))
		err := step.do(ctx)
		cancel()
		if errors.Is(err, context.Canceled) {
			return state
		}
		if err != nil {
			t.Errorf("call %s after %q: %v", id, state, err)
			return state
		}
		state = step.then
	}
	return state
}

// TestGroupsAreDurable reads each write back through another store at the moment it is confirmed.
func TestGroupsAreDurable(t *testing.T) {
	t.Parallel()
	d := newSQLite(t)
	s, other := d.open(t), d.open(t)
	run := budgeted(t, s, 200) // for half of them
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			id := fmt.Sprint("c", i)
			err := s.Begin(t.Context(), call(id, run, 10))
			_, readErr := other.Call(t.Context(), id)
			if err == nil && readErr != nil {
				t.Errorf("call %s was confirmed, but reading it gives %v", id, readErr)
			}
			if err != nil && (problem.CodeOf(err) != "budget_spent" || problem.CodeOf(readErr) != "call_unknown") {
				t.Errorf("call %s was refused (%v), but reading it gives %v", id, err, readErr)
			}
		})
	}
	wg.Wait()
	wantGuard(t, other, run, 0, 200)
}

// TestAgain repeats a transaction that was a deadlock's victim, and no other.
func TestAgain(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{"40P01": 3, "40001": 3, "25P03": 3, "23505": 1} {
		n := 0
		err := sqldb.Again(func() error {
			if n++; n == 3 {
				return nil
			}
			return fmt.Errorf("in a statement: %w", &pgconn.PgError{Code: code})
		})
		if n != want || (err == nil) != (want == 3) {
			t.Errorf("%s: %d attempts, then %v", code, n, err)
		}
	}
	n := 0
	if err := sqldb.Again(func() error { n++; return &pgconn.PgError{Code: "40001"} }); err == nil || n != 10 {
		t.Errorf("%d attempts, then %v", n, err)
	}
}

// TestAPauseInATransaction: the server gives up on a transaction in which nothing came for too long, as on a machine that is very
// busy, and it is done again.
func TestAPauseInATransaction(t *testing.T) {
	t.Parallel()
	pgtest.Need(t)
	d := newPostgres(t)
	others := d.open(t)
	impatient := database{d.dsn + map[bool]string{true: "&", false: "?"}[strings.Contains(d.dsn,
		"?")] + sqldb.IdleInTransaction + "=100"}.open(t)
	times := 0
	ok(t, impatient.Write(t.Context(), "pause", func(tx *gorm.DB) error {
		var backend int
		if err := tx.Raw("SELECT pg_backend_pid()").Scan(&backend).Error; err != nil {
			return err
		}
		if times++; times == 1 {
			for there := 1; there > 0; { // until the server has ended it
				if err := others.Read(t.Context()).Raw("SELECT COUNT(*) FROM pg_stat_activity WHERE pid = ?", backend).Scan(&there).
					Error; err != nil {
					return err
				}
			}
		}
		return tx.Create(&machine.InstallRow{Name: "paused", Value: []byte{1}}).Error
	}))
	if times < 2 || !strings.Contains(installed(t, others), "paused") {
		t.Errorf("tried %d times; stored are %s", times, installed(t, others))
	}
}
