package store

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/store/doctor"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// sealing is the number of the migration that seals what was stored before there were seals. It is the only one that is no SQL,
// because it hashes rows. Whoever changes the rules of package integrity for rows that exist adds a migration of this kind that seals them
// again, with the next number, and leaves this one empty: it runs on the tables as they were at its number, and reads no column that
// came later.
const sealing = 14

// sealAll is the migration. It believes what it finds, so that what was changed before stays unfound by seals; the digests that rows had
// already, and recomputing a study, tell of that.
func (s *migrator) sealAll() *goose.Migration {
	return goose.NewGoMigration(sealing, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		tables, err := s.tables(ctx)
		if err != nil {
			return err
		}
		return doctor.SealEverything(s.within(ctx, tx), tables)
	}}, nil)
}

// ofRows is a migration that works on the rows themselves, within its transaction.
func (s *migrator) ofRows(number int64, work func(*gorm.DB) error) *goose.Migration {
	return goose.NewGoMigration(number, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		return work(s.within(ctx, tx))
	}}, nil)
}

// within is the database within the transaction of a migration.
func (s *migrator) within(ctx context.Context, tx *sql.Tx) *gorm.DB {
	db := s.Orm.Session(&gorm.Session{Context: ctx, NewDB: true})
	db.Statement.ConnPool = &sqldb.BorderTx{Tx: tx}
	return db
}

// compacting is the number of the migration that makes the compact results of runs that are finished already. Like [sealing] it is no SQL
// and reads no column that came later.
const compacting = 25

func (s *migrator) compactAll() *goose.Migration {
	return s.ofRows(compacting, records.CompactFinished)
}

// keeping is the number of the migration that keeps what comparisons ask of runs that closed before that was kept: without it each
// comparison of two of 10,000 questions measures and reads anew for seconds. Like [sealing] it is no SQL and reads no column that came
// later.
const keeping = 30

func (s *migrator) keepAll() *goose.Migration { return s.ofRows(keeping, records.KeepFinished) }

// pooling is the number of the migration that keeps the totals of runs with the votes that their children added before that was kept. Like
// [sealing] it is no SQL and reads no column that came later.
const pooling = 37

func (s *migrator) poolAll() *goose.Migration { return s.ofRows(pooling, records.RepoolAll) }

// missing is the number of the migration that keeps which rows are named and not there, because they were deleted or left out by a study
// before that was kept. Like [sealing] it believes what it finds, is no SQL and reads no column that came later.
const missing = 35

func (s *migrator) keepAbsent() *goose.Migration {
	return s.ofRows(missing, func(db *gorm.DB) error { return doctor.KeepAbsent(db, nil) })
}

// sealingMore is the number of the migration that seals what was not sealed before it: fires that have ended, and the order of runs. Like
// [sealing] it believes what it finds, is no SQL and reads no column that came later.
const sealingMore = 38

func (s *migrator) sealMore() *goose.Migration { return s.sealing(sealingMore, "fires", "runs_seq") }

// sealing is a migration that seals the rows of some kinds.
func (s *migrator) sealing(number int64, kinds ...string) *goose.Migration {
	return goose.NewGoMigration(number, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		tables, err := s.tables(ctx)
		if err != nil {
			return err
		}
		return doctor.SealKinds(s.within(ctx, tx), tables, kinds...)
	}}, nil)
}

// marking is the number of the migration that makes room for the marks of a key, and seals how many events each run that is over has and
// what its calls cost. Like [sealing] it believes what it finds.
const marking = 39

func (s *migrator) makeMarks() *goose.Migration {
	return s.ofRows(marking, func(db *gorm.DB) error {
		kind := "BLOB"
		if s.Engine() == PostgreSQL {
			kind = "BYTEA"
		}
		if err := db.Exec("ALTER TABLE seals ADD COLUMN mark " + kind).Error; err != nil {
			return err
		}
		return records.CloseTails(db)
	})
}

// moving is the number of the migration that seals rows which people and processes change. Like [sealing] it believes what it finds, and
// reads no column that came later; where there is a key, it marks them at the first start.
const moving = 40

func (s *migrator) sealMoving() *goose.Migration {
	return s.sealing(moving, "schedules", "share_links", "notebook_versions", "notebook_comments", "run_notes", "run_tags")
}
