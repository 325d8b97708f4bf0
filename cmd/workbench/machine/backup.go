package machine

import (
	"os"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
)

// BackupCmd is the verb backup.
type BackupCmd struct {
	File  string        `arg:"" help:"The backup to write, for example BACKUP.zip. An existing file is not overwritten. With --every: the folder to write into."`
	Every time.Duration `help:"Go on until stopped, with a backup every so often, such as 24h; each is named by its time." placeholder:"TIME"`
	Keep  int           `help:"Once the new backup was found good: remove the oldest backups beside it, so that N are left." placeholder:"N"`
}

// Help shows examples.
func (BackupCmd) Help() string {
	return `Writes everything into one file while others go on working: the database as it is at one moment, the notebooks, and the workbooks of
schedules. The file is restored into a scratch folder and looked through by the doctor before it gets its name. It holds no key and no
secret of this installation; but it holds your data, and the hashes of passwords and tokens: keep it where only you can read it.

Examples:
  workbench backup /backups/monday.zip
  workbench backup /backups/$(date +%F).zip --keep 14       the newest 14 stay; nothing is removed when the new one is not good
  WORKBENCH_DATABASE_URL=postgres://… workbench backup monday.zip     the same format: it can be restored into either engine
  workbench backup /backups --every 24h --keep 14           as a service: a backup now, unless the last good one is younger, and then one a day

With --every, what is wrong with one backup is said on standard error and tried again within the hour; Ctrl-C and SIGTERM end it, with 0, or
with 1 when the last backup failed.

A database that is missing or empty is no backup: nothing is written then, and nothing removed.

Exit codes: 0 the backup is good, 1 it is not (or the doctor found something in the database), 2 the file exists, or there is no database.`
}

// Run backs up.
func (c BackupCmd) Run(p *program.Program) error {
	if c.Keep < 0 {
		return problem.New(problem.Invalid, "usage", "--keep %d is below 0", c.Keep).WithHint("workbench backup --help")
	}
	if c.Every != 0 {
		return c.regularly(p)
	}
	return c.once(p, c.File)
}

// once makes one backup.
func (c BackupCmd) once(p *program.Program, file string) error {
	// A place that is not there must not become an empty one that is backed up.
	if err := p.Looking(true, func(*app.Workbench) error { return nil }); err != nil && problem.CodeOf(err) != "database_changed" {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		m, err := archive.Backup(p.Context, w, file, p.Version)
		if err != nil {
			return err
		}
		if c.Keep > 0 {
			removed, err := archive.KeepBackups(p.Context, file, c.Keep)
			if err != nil {
				return err
			}
			for _, old := range removed {
				p.Note("removed %s", old)
			}
		}
		if p.Flags.JSON {
			return p.PrintJSON(m)
		}
		size := int64(0)
		if info, err := os.Stat(file); err == nil {
			size = info.Size()
		}
		p.Say("wrote %s (%.1f MB): %d rows in %d tables, %d files; restored into a scratch folder, and the doctor found nothing", file,
			float64(size)/1e6,
			m.Contents.Rows(), len(m.Contents.Tables), len(m.Files)-1)
		digest, err := archive.BackupDigest(file)
		if err != nil {
			return err
		}
		p.Say("digest %s: kept apart from the file, it tells later whether the file is still this one: workbench restore FILE --check --digest",
			digest)
		return nil
	})
}

// RestoreCmd is the verb restore.
type RestoreCmd struct {
	File   string `arg:"" help:"A backup written by: workbench backup"`
	Verify bool   `help:"Let the doctor look through the database before anything is put into its place."`
	Check  bool   `help:"Restore into a scratch folder only, and say whether the backup is whole."`
	Digest string `help:"The digest that the backup printed." placeholder:"HEX"`
	Into   string `help:"Where to: a data directory, or the postgres:// address of an empty database. Default: --data and --database." placeholder:"DIR|URL"`
}

// Help shows examples.
func (RestoreCmd) Help() string {
	return `Puts a backup into an empty place, never over something that is there. Every file and every table is compared with the backup's
manifest first: whoever writes the manifest anew can put other files in, and only --digest tells that. Runs that were under way are
paused: workbench runs resume goes on with them. A backup of either engine goes into either engine, so this is also the way from
SQLite to PostgreSQL and back.

Examples:
  workbench restore monday.zip --check                      is it whole?
  workbench restore monday.zip --check --digest 3f2a…       … and is it the one that was written? As printed by: workbench backup
  workbench restore monday.zip --verify --into ./restored
  workbench restore monday.zip --into postgres://workbench:password@db.example/workbench

API keys come from the environment and are in no backup. The restored place makes an install secret of its own: what was bought is
found again all the same.

Exit codes: 0 done, 1 the doctor found something, 2 the file is damaged or newer than this program, or the place is not empty.`
}

// Run restores.
func (c RestoreCmd) Run(p *program.Program) error {
	if c.Check {
		return c.check(p)
	}
	to := archive.RestoreTo{DataDir: p.Flags.Data, DatabaseURL: p.Flags.Database, Verify: c.Verify, Digest: c.Digest, Version: p.Version}
	if strings.Contains(c.Into, "://") {
		to.DatabaseURL = c.Into
	} else if c.Into != "" {
		to.DataDir, to.DatabaseURL = c.Into, ""
	}
	r, err := archive.Restore(p.Context, c.File, to)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(r)
	}
	place := to.DataDir
	if r.Engine == store.PostgreSQL {
		place = "the PostgreSQL database, with the files in " + to.DataDir // its address may hold a password
	}
	p.Say("restored %s (of %s) into %s: %d rows in %d tables, %d files", c.File, r.Manifest.CreatedAt.Format("2006-01-02 15:04 MST"), place,
		r.Rows, len(r.Manifest.Contents.Tables), r.Files)
	if r.Paused > 0 {
		p.Say("%d runs were under way and are paused: workbench runs resume RUN", r.Paused)
	}
	return nil
}

// check says whether a backup is good.
func (c RestoreCmd) check(p *program.Program) error {
	m, report, err := archive.CheckBackup(p.Context, c.File, c.Digest, p.Version)
	if err != nil {
		return err
	}
	err = copies(p).checked(report, func(all checkup.Report) any {
		return map[string]any{"manifest": m, "findings": all.Findings, "notes": all.Notes}
	})
	if err == nil && !p.Flags.JSON {
		p.Say("%s is whole, and the doctor found nothing: written %s by version %s from %s, %d rows in %d tables, %d files", c.File,
			m.CreatedAt.Format("2006-01-02 15:04 MST"), m.Version, m.Engine,
			m.Contents.Rows(), len(m.Contents.Tables), len(m.Files)-1)
	}
	return err
}
