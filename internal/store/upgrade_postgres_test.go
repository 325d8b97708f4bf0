package store

import (
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// TestUpgradeOfPostgresNeedsABackup: tables that hold something are not touched unless there is something to go back to.
func TestUpgradeOfPostgresNeedsABackup(t *testing.T) {
	t.Parallel()
	pgtest.Need(t)
	for name, test := range map[string]struct {
		empty  bool
		backup time.Duration // how old the last one is; 0 for none
		said   bool
		want   bool
	}{
		"no backup":          {want: false},
		"a backup too old":   {backup: 25 * time.Hour, want: false},
		"a backup of today":  {backup: time.Hour, want: true},
		"somebody says so":   {said: true, want: true},
		"nothing is in them": {empty: true, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := emptyPostgres(t)
			old := firstVersion(t, d)
			if !test.empty {
				_, err := old.Pool.ExecContext(t.Context(),
					"INSERT INTO corpora (name, version, digest, items, chars, created_at) VALUES ('faq', 1, 'x', 1, 1, $1)", at(0))
				ok(t, err)
			}
			if test.backup > 0 {
				var now time.Time
				ok(t, old.Pool.QueryRowContext(t.Context(), "SELECT now()").Scan(&now))
				ok(t, old.NoteBackup(t.Context(), now.Add(-test.backup)))
			}
			var options []Option
			if test.said {
				options = append(options, BackupDone)
			}
			s, err := Open(t.Context(), d.dsn, options...)
			if s != nil {
				defer func() { ok(t, s.Close()) }()
			}
			want, code := KnownSchema(), ""
			if !test.want {
				want, code = 1, "backup_needed"
			}
			if problem.CodeOf(err) != code {
				t.Errorf("opening says %v, want the code %q", err, code)
			}
			if stored := must[int64](t)(schemaOf(t.Context(), old.Pool, PostgreSQL)); stored != want {
				t.Errorf("the tables are of version %d, want %d", stored, want)
			}
		})
	}
}
