package archive

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/checkup"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
)

// RestoreTo names the place that a backup is restored into.
type RestoreTo struct {
	DataDir     string // gets the folders, and the SQLite file unless DatabaseURL is set; made when absent
	DatabaseURL string // a PostgreSQL database without rows
	Verify      bool   // run the doctor before anything is put into its place
	Version     string // of the program
	Digest      string // of the backup, as it was printed when it was made; "" checks nothing
}

// Restored says what a restored place holds.
type Restored struct {
	Manifest BackupManifest `json:"manifest"`
	Engine   string         `json:"engine"` // it was restored into
	Rows     int64          `json:"rows"`
	Files    int            `json:"files"`
	Paused   int            `json:"paused"` // runs that were under way when the backup was made
	Verified bool           `json:"verified"`
}

// CheckBackup restores a backup into a scratch folder, compares every file and every table with the manifest, runs the doctor and
// removes it all. The report is the doctor's, of a program of this version. With a digest, another backup than the one that it
// belongs to is refused.
func CheckBackup(ctx context.Context, file, digest, version string) (BackupManifest, checkup.Report, error) {
	scratch, err := os.MkdirTemp("", "workbench-restore-")
	if err != nil {
		return BackupManifest{}, checkup.Report{}, err
	}
	defer func() { _ = os.RemoveAll(scratch) }() // the folder of temporary files is emptied by the system at the latest
	return checkBackup(ctx, file, digest, version, filepath.Join(scratch, "check"))
}

func checkBackup(ctx context.Context, file, digest, version, scratch string) (BackupManifest, checkup.Report, error) {
	b, err := openBackup(file)
	if err != nil {
		return BackupManifest{}, checkup.Report{}, err
	}
	defer func() { _ = b.Close() }() // it was only read
	defer func() { _ = os.RemoveAll(scratch) }()
	if err := b.CheckDigest(digest, otherDigest("backup_digest", file)); err != nil {
		return BackupManifest{}, checkup.Report{}, err
	}
	_, report, err := b.unpack(ctx, scratch, true, version)
	return b.manifest, report, err
}

// unpack extracts a backup into a folder, compares the tables with the manifest, brings them up to date and lets go of what was under
// way: nobody works on it any more. The doctor looks before that.
func (b *backup) unpack(ctx context.Context, into string, verify bool, version string) (paused int, report checkup.Report, err error) {
	if err := b.extract(into); err != nil {
		return 0, report, err
	}
	database := filepath.Join(into, backupDatabase)
	have, err := store.ReadContents(ctx, database)
	if err != nil {
		return 0, report, err
	}
	if why := b.manifest.Contents.Difference(have); why != "" {
		return 0, report, badBackup(b.path, "the database in it is not what was saved: %s", why)
	}
	s, err := store.OpenCopy(ctx, database)
	if err != nil {
		return 0, report, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if verify {
		if report, err = checkup.Check(ctx, checkup.Place{Store: s, DataDir: into, Version: version, Now: time.Now}); err != nil {
			return 0, report, err
		}
	}
	nobody := func(string) bool { return false }
	if _, err := s.RecoverCalls(ctx, nobody); err != nil {
		return 0, report, err
	}
	paused, err = s.RecoverRuns(ctx, nobody)
	return paused, report, err
}

// Restore puts a backup into an empty place: a data directory without database and folders, and with DatabaseURL a PostgreSQL
// database without rows. Everything is compared with the manifest first, so a backup that is damaged leaves the place as it was;
// so does one in which the doctor finds something, where he is asked. Conflict with code "restore_not_empty" when something is there.
//
// The place makes an install secret of its own when it is first opened. The secret only fences untrusted text in prompts and is no
// part of the key under which a reply is found again, so nothing that was bought is bought again.
func Restore(ctx context.Context, file string, to RestoreTo) (r Restored, err error) {
	b, err := openBackup(file)
	if err != nil {
		return r, err
	}
	defer func() { _ = b.Close() }() // it was only read
	if err := b.CheckDigest(to.Digest, otherDigest("backup_digest", file)); err != nil {
		return r, err
	}
	if err := emptyPlace(to); err != nil {
		return r, err
	}
	if err := os.MkdirAll(to.DataDir, 0o700); err != nil {
		return r, problem.New(problem.Invalid, "data_dir", "cannot create the data directory %s", to.DataDir).Because(err).
			WithHint("choose another with --into DIR")
	}
	scratch, done, err := scratchIn(to.DataDir, ".restore-", time.Now())
	if err != nil {
		return r, problem.New(problem.Invalid, "data_dir", "cannot write to the data directory %s", to.DataDir).Because(err)
	}
	defer done()
	r = Restored{Manifest: b.manifest, Engine: store.SQLite, Rows: b.manifest.Contents.Rows(), Files: len(b.manifest.Files) - 1,
		Verified: to.Verify}
	var report checkup.Report
	if r.Paused, report, err = b.unpack(ctx, scratch, to.Verify, to.Version); err != nil {
		return r, err
	}
	findings := report.Findings
	if len(findings) > 0 {
		return r, problem.New(problem.Unavailable, "backup_doctor",
			"the doctor finds %d things in %s that must not be so; nothing was restored. The first: %s: %s",
			len(findings), file, findings[0].Subject, findings[0].Message).With("findings", len(findings)).
			WithHint("use another backup, or restore without --verify")
	}
	if to.DatabaseURL != "" {
		r.Engine = store.PostgreSQL
	}
	if err := place(ctx, scratch, to); err != nil {
		return r, err
	}
	return r, app.ForgetMarked(to.DataDir, to.DatabaseURL)
}

// held says in words what a place that is in use holds.
var held = map[string]string{
	"fires": "the folder fires, with what schedules wrote", "notebooks": "the folder notebooks, with notebooks",
	"uploads": "the folder uploads, with files that people sent", backupDatabase: "a database, the file " + backupDatabase,
	backupDatabase + "-wal": "what a database wrote last, the file " + backupDatabase + "-wal",
}

// emptyPlace refuses a data directory that somebody uses.
func emptyPlace(to RestoreTo) error {
	names, flag := slices.Clone(backupFolders), "--data"
	if to.DatabaseURL == "" {
		flag = "--into"
		names = append([]string{backupDatabase, backupDatabase + "-wal"}, names...) // what says most comes first
	}
	for _, name := range names {
		at := filepath.Join(to.DataDir, name)
		info, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.IsDir() {
			if entries, err := os.ReadDir(at); err == nil && len(entries) == 0 {
				continue
			}
		}
		return problem.New(problem.Conflict, "restore_not_empty", "%s is not empty: it holds %s", to.DataDir, held[name]).
			With("place", to.DataDir).
			WithHint("a backup is restored into an empty place only; name another data directory with %s", flag)
	}
	return nil
}

// place moves what was unpacked to where it belongs: the folders first, the database last, so that a place with a database is whole.
func place(ctx context.Context, scratch string, to RestoreTo) (err error) {
	var placed []string
	defer func() {
		if err != nil {
			for _, at := range placed {
				_ = os.RemoveAll(at) // the first error is the one to tell
			}
		}
	}()
	for _, folder := range backupFolders {
		from, at := filepath.Join(scratch, folder), filepath.Join(to.DataDir, folder)
		if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) { // it is empty
			return err
		}
		if err := os.Rename(from, at); err != nil {
			return err
		}
		placed = append(placed, at)
	}
	database := filepath.Join(scratch, backupDatabase)
	if to.DatabaseURL == "" {
		at := filepath.Join(to.DataDir, backupDatabase)
		if err := settle(database, at); err != nil {
			return problem.New(problem.Conflict, "restore_not_empty", "%s could not be put into its place", at).Because(err).
				WithHint("is another process using the data directory?")
		}
		return nil
	}
	s, err := store.Open(ctx, to.DatabaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Engine() != store.PostgreSQL {
		return problem.New(problem.Invalid, "database_address", "a database URL starts with postgres://").
			WithHint("for a SQLite file name its data directory with --into DIR")
	}
	_, err = s.Fill(ctx, database)
	return err
}

// settle gives a file a name that nobody has. Where the file system has no links, somebody who takes the name in the same moment
// loses it.
func settle(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}
