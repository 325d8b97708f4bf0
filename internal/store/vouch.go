package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Key is what a place knows outside of its database: a secret, and which database it has marked here.
type Key struct {
	Secret []byte
	Marked string // the identity of the database; "" where there was none
	Rows   int64  // that were there before the key was
	Since  string // the day on which that was
}

// PlaceOf tells a PostgreSQL database from others by its address, without who asks and the password.
func PlaceOf(databaseURL string) string {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return "postgres" // it was opened, so it is one
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s %s", config.Host, config.Port, config.Database, config.RuntimeParams["search_path"]))
	return "postgres-" + hex.EncodeToString(sum[:8])
}

// Vouch has the key of a place mark what is written from now on, and what is there already where it has marked nothing here yet: then
// identity is that of the database, and the place must remember it, with the rows that were there. It is called before anybody else uses
// the store. What is read only is not marked.
func (s *Store) Vouch(ctx context.Context, key Key, writing bool) (identity string, rows int64, err error) {
	secret, err := s.secret(ctx, writing)
	if err != nil {
		return "", 0, err
	}
	marks := seals.NewMarks(key.Secret, secret)
	mine, former := hex.EncodeToString(marks.Identity()), hex.EncodeToString(marks.Former())
	known := key.Marked == mine || key.Marked == former || key.Marked == ""
	there, err := seals.MarkedBy(s.Read(ctx))
	if err != nil {
		return "", 0, sqldb.Wrap("read whose marks there are", err)
	}
	switch {
	case there == mine && known:
		s.keyed(marks, key.Rows, key.Since)
		if key.Marked != mine && writing { // another process was first, or somebody was killed before it could remember
			return mine, key.Rows, nil
		}
		return "", 0, nil
	case there == former && key.Marked != mine && known:
		if writing {
			return s.adoptMore(ctx, marks, key)
		}
		marks.AsFormer()
		s.keyed(marks, key.Rows, key.Since)
		return "", 0, nil
	case key.Marked != "":
		s.Vouched.State = sqldb.Replaced
		if empty, err := s.unsealed(ctx); err != nil || !empty || !writing { // nothing can be believed wrongly where there is nothing
			return "", 0, err
		}
	case there != "" && s.Engine() == PostgreSQL:
		s.foreign()
		if !writing {
			return "", 0, nil
		}
		return "", 0, s.Write(ctx, "note that there are programs without the key", seals.Share)
	case !writing:
		s.Vouched.State = sqldb.Keyless
		return "", 0, nil
	}
	return s.adopt(ctx, marks, key)
}

// adopt marks what is there.
func (s *Store) adopt(ctx context.Context, marks *seals.Marks, key Key) (identity string, rows int64, err error) {
	done := false
	err = s.Write(ctx, "mark the seals", func(tx *gorm.DB) (err error) {
		rows, done, err = marks.Adopt(tx, s.Engine() == SQLite || key.Marked != "")
		return err
	})
	if err != nil {
		return "", 0, err
	}
	if !done { // on PostgreSQL another process was first
		key.Marked = ""
		return s.Vouch(ctx, key, true)
	}
	s.keyed(marks, rows, "")
	return hex.EncodeToString(marks.Identity()), rows, nil
}

// adoptMore marks what an older program did not seal.
func (s *Store) adoptMore(ctx context.Context, marks *seals.Marks, key Key) (identity string, rows int64, err error) {
	done := false
	err = s.Write(ctx, "mark more seals", func(tx *gorm.DB) (err error) {
		rows, done, err = marks.AdoptMore(tx)
		return err
	})
	if err != nil {
		return "", 0, err
	}
	if !done {
		return s.Vouch(ctx, key, true)
	}
	if rows == 0 {
		s.keyed(marks, key.Rows, key.Since)
	} else {
		s.keyed(marks, key.Rows+rows, "")
	}
	return hex.EncodeToString(marks.Identity()), s.Vouched.Rows, nil
}

// foreign has nothing marked where the key of another place does that.
func (s *Store) foreign() {
	s.Vouched.State = sqldb.Foreign
	s.MarkBy(seals.Unmarked{})
}

// keyed has the key vouch for the database. since is the day on which rows were marked as they were found last; "" is today.
func (s *Store) keyed(marks *seals.Marks, rows int64, since string) {
	s.Vouched = sqldb.Vouched{State: sqldb.Keyed, Rows: rows, Since: since}
	s.MarkBy(marks)
}

// secret is the install secret, which is made where something may be written.
func (s *Store) secret(ctx context.Context, writing bool) ([]byte, error) {
	if writing {
		return s.InstallSecret(ctx)
	}
	return s.KnownSecret(ctx)
}

// unsealed says that nothing was sealed here yet.
func (s *Store) unsealed(ctx context.Context) (bool, error) {
	var some bool
	err := s.Read(ctx).Raw("SELECT EXISTS (SELECT 1 FROM seals)").Row().Scan(&some)
	return !some, sqldb.Wrap("look for seals", err)
}

// Unvouched notes that this place has no key.
func (s *Store) Unvouched(ctx context.Context) error {
	there, err := seals.MarkedBy(s.Read(ctx))
	s.Vouched.State = sqldb.Keyless
	if there != "" {
		s.foreign()
	}
	return sqldb.Wrap("read whose marks there are", err)
}

// Sealed is how many seals there are, and Unmarked how many of them nobody has marked.
func (s *Store) Sealed(ctx context.Context) (n int64, err error) {
	err = s.Read(ctx).Raw("SELECT COUNT(*) FROM seals").Row().Scan(&n)
	return n, sqldb.Wrap("count seals", err)
}

// Unmarked is how many seals have no mark at all.
func (s *Store) Unmarked(ctx context.Context) (n int64, err error) {
	err = s.Read(ctx).Raw("SELECT COUNT(*) FROM seals WHERE mark IS NULL").Row().Scan(&n)
	return n, sqldb.Wrap("count seals", err)
}
