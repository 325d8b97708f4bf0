package pgvector

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Server is a database with the extension. It is safe for concurrent use.
type Server struct {
	name    string
	pool    *pgxpool.Pool
	version Version
}

// Version is that of the extension.
type Version struct{ Major, Minor, Patch int }

// Iterative is the first version that reads on in an index until enough rows pass a filter.
var Iterative = Version{0, 8, 0}

// Older reports whether v is before other.
func (v Version) Older(other Version) bool {
	if v.Major != other.Major {
		return v.Major < other.Major
	}
	if v.Minor != other.Minor {
		return v.Minor < other.Minor
	}
	return v.Patch < other.Patch
}

// String is like 0.8.0.
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

func parseVersion(said string) (v Version) {
	for i, part := range strings.SplitN(said, ".", 3) {
		n, _ := strconv.Atoi(part) // what a future version writes otherwise counts as 0: old, hence exact
		switch i {
		case 0:
			v.Major = n
		case 1:
			v.Minor = n
		case 2:
			v.Patch = n
		}
	}
	return v
}

// connectTimeout is how long a server may take to answer a connection attempt.
const connectTimeout = 10 * time.Second

// CreateExtension is the statement that installs the extension in a database.
const CreateExtension = "CREATE EXTENSION vector"

// Connect opens the connection called name at an address, postgres://… . The extension is created where create is true, and never
// otherwise. The errors are *problem.Problem, none of which shows the address, since it holds a password:
// connection_address, connection_failed, pgvector_missing.
func Connect(ctx context.Context, name, address string, create bool) (*Server, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil || !strings.Contains(address, "://") {
		return nil, problem.New(problem.Invalid, "connection_address", "the address of connection %s is no PostgreSQL URL", name).
			With("connection", name).WithHint("it looks like postgres://user:password@host:5432/database")
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, unreachable(name, err)
	}
	s := &Server{name: name, pool: pool}
	if err := s.findExtension(ctx, create); err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

func unreachable(name string, err error) *problem.Problem {
	return problem.New(problem.Unavailable, "connection_failed", "connection %s did not open its PostgreSQL database", name).
		With("connection", name).Because(err).WithHint("check that the server runs and that the address in its variable is right")
}

func (s *Server) findExtension(ctx context.Context, create bool) error {
	if err := s.pool.Ping(ctx); err != nil {
		return unreachable(s.name, err)
	}
	if create {
		if _, err := s.pool.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS vector"); err != nil && !isCode(err, uniqueViolation) {
			return s.missing().Because(err)
		}
	}
	var said string
	err := s.pool.QueryRow(ctx, "SELECT extversion FROM pg_extension WHERE extname = 'vector'").Scan(&said)
	if errors.Is(err, pgx.ErrNoRows) {
		return s.missing()
	}
	if err != nil {
		return unreachable(s.name, err)
	}
	s.version = parseVersion(said)
	return nil
}

func (s *Server) missing() *problem.Problem {
	return problem.New(problem.Conflict, "pgvector_missing", "the database of connection %s has no extension vector", s.name).
		With("connection", s.name).With("statement", CreateExtension+";").
		WithHint("have somebody who may create extensions run `%s;` in it once, or say create_extension: true for the connection",
			CreateExtension)
}

// Name is what the configuration calls the connection.
func (s *Server) Name() string { return s.name }

// Version is that of the extension in the database.
func (s *Server) Version() Version { return s.version }

// Close closes all connections.
func (s *Server) Close() { s.pool.Close() }

// Setting is a parameter of the server that holds for one transaction.
type Setting struct{ Name, Value string }

// Read runs statements in a transaction that can change nothing, with the settings.
func (s *Server) Read(ctx context.Context, settings []Setting, do func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := set(ctx, tx, settings); err != nil {
			return err
		}
		return do(tx)
	})
}

// set makes settings for the rest of the transaction, all in one statement.
func set(ctx context.Context, tx pgx.Tx, settings []Setting) error {
	if len(settings) == 0 {
		return nil
	}
	calls, args := make([]string, len(settings)), make([]any, 0, 2*len(settings))
	for i, s := range settings {
		calls[i] = fmt.Sprintf("set_config($%d, $%d, true)", 2*i+1, 2*i+2)
		args = append(args, s.Name, s.Value)
	}
	_, err := tx.Exec(ctx, "SELECT "+strings.Join(calls, ", "), args...)
	return err
}

// Codes of PostgreSQL's errors.
const (
	uniqueViolation       = "23505"
	insufficientPrivilege = "42501"
	undefinedTable        = "42P01"
)

func isCode(err error, code string) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == code
}
