package main

import (
	"bytes"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// TestThreeWeeks lets three weeks go by with few questions on SQLite, and one on PostgreSQL where there is a server.
func TestThreeWeeks(t *testing.T) {
	t.Parallel()
	plays(t, "SQLite", "", 3)
}

func TestAWeekOnPostgreSQL(t *testing.T) {
	t.Parallel()
	pgtest.Need(t)
	plays(t, "PostgreSQL", pgtest.Empty(t), 1)
}

func plays(t *testing.T, engine, database string, weeks int) {
	t.Helper()
	models := httptest.NewServer(newModels())
	t.Cleanup(models.Close)
	var out bytes.Buffer
	o := options{weeks: weeks, questions: 5, experiments: 3, bought: 2, every: 2, rounds: 1, folder: t.TempDir(),
		models: models.URL + "/v1", out: &out, note: t.Logf}
	y, err := o.open(t.Context(), engine, database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = y.Close() }() // the last of several
	if err := y.pass(t.Context(), engine); err != nil {
		t.Fatal(err)
	}
	y.print(engine)
	if rows := regexp.MustCompile(`(?m)^\| \d \|`).FindAllString(out.String(), -1); y.told.ran != 3*weeks || len(rows) != weeks {
		t.Errorf("%d of %d fires ran, and the table has %d of %d weeks:\n%s", y.told.ran, 3*weeks, len(rows), weeks, &out)
	}
	found, err := y.Whole.Check(t.Context())
	if err != nil || len(found) > 0 {
		t.Errorf("the doctor finds %+v %v", found, err)
	}
}
