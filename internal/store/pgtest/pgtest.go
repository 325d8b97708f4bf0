// Package pgtest gives tests PostgreSQL databases of their own, on the server that scripts/with-postgres.sh starts.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The environment. A test that needs a server is skipped without one, unless it is required.
const (
	Address   = "WORKBENCH_TEST_POSTGRES"           // URL of a database whose user may create databases
	required  = "WORKBENCH_REQUIRE_POSTGRES"        // 1: its absence is a failure
	throwaway = "WORKBENCH_TEST_POSTGRES_THROWAWAY" // 1: the server goes with all that it has when the tests are over

	requiredVectors = "WORKBENCH_REQUIRE_PGVECTOR" // 1: a server without the pgvector extension is a failure
)

// Need skips a test where there is no server, or fails it where one is required.
func Need(t testing.TB) {
	t.Helper()
	switch {
	case os.Getenv(Address) != "":
	case os.Getenv(required) == "1":
		t.Fatalf("%s is not set, and %s=1 requires it", Address, required)
	default:
		t.Skipf("%s is not set; scripts/with-postgres.sh starts a server for the tests", Address)
	}
}

// NeedVectors skips a test where the server has no pgvector extension, or fails it where a server with one is required.
func NeedVectors(t testing.TB) {
	t.Helper()
	Need(t)
	if vectors() {
		return
	}
	if os.Getenv(requiredVectors) == "1" {
		t.Fatalf("the server has no extension vector, and %s=1 requires it", requiredVectors)
	}
	t.Skip("the server has no extension vector; scripts/with-pgvector.sh, before scripts/with-postgres.sh, builds it for the tests")
}

// vectors reports whether the server could create the extension.
var vectors = sync.OnceValue(func() (there bool) {
	ctx := context.Background()
	c, err := pgx.Connect(ctx, os.Getenv(Address))
	if err == nil {
		err = c.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')").Scan(&there)
		_ = c.Close(ctx)
	}
	return there && err == nil
})

// Vectors is the address of a database with the pgvector extension, gone when the test ends.
func Vectors(t testing.TB) string {
	t.Helper()
	NeedVectors(t)
	address := Empty(t)
	DoAt(t, address, "CREATE EXTENSION vector")
	return address
}

var databases atomic.Int64

// Empty is the address of a database without tables that is gone when the test ends.
func Empty(t testing.TB) string { return database(t, "template0 ENCODING 'UTF8'") }

// Migrated is the address of a database whose tables migrate made, gone when the test ends. The tables are made once for all tests of a
// process that run side by side: the database is a copy.
func Migrated(t testing.TB, migrate func(address string) error) string {
	t.Helper()
	return database(t, copied.take(t, migrate))
}

func database(t testing.TB, template string) string {
	t.Helper()
	Need(t)
	name := fmt.Sprintf("workbench_test_%d_%d", os.Getpid(), databases.Add(1))
	do(t, "CREATE DATABASE "+name+" TEMPLATE "+template)
	t.Cleanup(func() { do(t, "DROP DATABASE "+name+" WITH (FORCE)") })
	return named(t, name)
}

// template is a database that others are copied from. It is there as long as a test uses it; on a server that is thrown away, as long as
// the server.
type template struct {
	mu    sync.Mutex
	users int
	name  string
}

var copied template

// take returns the name of the template, which the first of its users makes.
func (c *template) take(t testing.TB, migrate func(string) error) string {
	t.Helper()
	Need(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users == 0 {
		c.name = fmt.Sprintf("workbench_template_%d_%d", os.Getpid(), databases.Add(1))
		do(t, "CREATE DATABASE "+c.name+" TEMPLATE template0 ENCODING 'UTF8'")
		if err := migrate(named(t, c.name)); err != nil {
			do(t, "DROP DATABASE "+c.name+" WITH (FORCE)")
			t.Fatal(err)
		}
		if os.Getenv(throwaway) == "1" {
			c.users++ // nobody's, so that no test is the last
		}
	}
	c.users++
	t.Cleanup(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.users--; c.users == 0 {
			do(t, "DROP DATABASE "+c.name+" WITH (FORCE)")
		}
	})
	return c.name
}

// do has the server do something; names in statements are made by this package.
func do(t testing.TB, statement string) {
	t.Helper()
	DoAt(t, os.Getenv(Address), statement)
}

// DoAt has a database do something.
func DoAt(t testing.TB, address, statement string) {
	t.Helper()
	ctx := context.Background() // the test's has ended when it cleans up
	c, err := pgx.Connect(ctx, address)
	if err == nil {
		_, err = c.Exec(ctx, statement)
		_ = c.Close(ctx)
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// named is the address of a database of the server.
func named(t testing.TB, name string) string {
	t.Helper()
	u, err := url.Parse(os.Getenv(Address))
	if err != nil {
		t.Fatalf("%s is no URL", Address)
	}
	u.Path = "/" + name
	return u.String()
}
