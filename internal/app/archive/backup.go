package archive

import (
	"compress/flate"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/sealed"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// A backup is a sealed file with the whole database as one SQLite file, whichever engine it was taken from, and the folders of the
// data directory that people fill. It holds no key, no secret and no session. Restoring it into the other engine is the move from one to
// the other.

// backupFolders are the folders of a data directory that a backup holds. Everything else there is the database, or is a secret, or
// is made again.
var backupFolders = []string{"fires", "notebooks", "uploads"}

const (
	backupDatabase  = "workbench.db"
	mostBackupBytes = 1 << 46 // what a backup may unpack to; the disk is the bound
)

// BackupManifest says what a backup holds.
type BackupManifest struct {
	sealed.Head
	Engine   string         `json:"engine"` // it was taken from: sqlite or postgres
	Contents store.Contents `json:"contents"`
}

// Backup writes a backup into a new file while others go on working. The file appears under its name when it has been read back,
// restored into a scratch folder and found good by the doctor; its time is then remembered. Conflict when the file exists.
// When the doctor finds something, the file is kept, because the copy is as good as the database, and the error says so.
func Backup(ctx context.Context, w *app.Workbench, file, version string) (m BackupManifest, err error) {
	if _, err := os.Lstat(file); err == nil {
		return m, problem.New(problem.Conflict, "file_exists", "%s exists already", file).With("path", file).
			WithHint("choose another name or remove it first")
	}
	scratch, done, err := scratchIn(filepath.Dir(file), ".workbench-backup-", w.Options.Now())
	if err != nil {
		return m, problem.New(problem.Invalid, "file_write", "cannot write beside %s", file).Because(err).
			WithHint("name a folder that exists and that you may write to")
	}
	defer done()
	m = BackupManifest{Head: sealed.NewHead(sealed.Backup, version, w.Options.Now()), Engine: w.Engine}
	copied := filepath.Join(scratch, backupDatabase)
	if m.Contents, err = w.Whole.Copy(ctx, copied); err != nil {
		return m, err
	}
	if m.Contents.Rows() == 0 {
		return m, problem.New(problem.Invalid, "backup_empty", "there is nothing to back up: the database holds no row").
			WithHint("is it the right place? name it with --data or --database; earlier backups stay as they are")
	}
	whole := filepath.Join(scratch, "backup.zip")
	if err := m.write(whole, copied, w.Options.DataDir); err != nil {
		return m, problem.New(problem.Unavailable, "backup_write", "the backup could not be written").Because(err).
			WithHint("is there room on the disk for the database once more?")
	}
	if err := os.Remove(copied); err != nil {
		return m, err
	}
	checked, report, err := checkBackup(ctx, whole, "", version, filepath.Join(scratch, "check"))
	if err != nil {
		return m, err
	}
	m = checked
	if err := settle(whole, file); err != nil {
		return m, problem.New(problem.Conflict, "file_exists", "the backup cannot get the name %s", file).Because(err).
			WithHint("choose another name")
	}
	if len(report.Findings) > 0 {
		return m, unhealthy(file, report.Findings)
	}
	return m, w.Whole.NoteBackup(ctx, m.CreatedAt)
}

// unhealthy says that a backup is a true copy of a database in which something is wrong.
func unhealthy(file string, findings []doctor.Finding) error {
	f := findings[0]
	return problem.New(problem.Unavailable, "backup_doctor",
		"%s is written, but the doctor finds %d things in it that must not be so; the first: %s: %s", file, len(findings),
		f.Subject, f.Message).
		With("path", file).With("findings", len(findings)).WithHint("`workbench doctor` lists them; keep the backups from before")
}

// LastBackup is when the last good backup was made; false when there was none.
func LastBackup(ctx context.Context, w *app.Workbench) (time.Time, bool, error) {
	return w.Whole.LastBackup(ctx)
}

// write puts the copy of the database and the folders of a data directory into a zip file.
func (m *BackupManifest) write(file, database, dataDir string) (err error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := sealed.NewWriter(f, &m.Head, flate.BestSpeed)
	if err := put(z, backupDatabase, database); err != nil {
		return err
	}
	for _, folder := range backupFolders {
		err := filepath.WalkDir(filepath.Join(dataDir, folder), func(at string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // no such folder, or a file that was removed meanwhile
			}
			if err != nil || !d.Type().IsRegular() { // links lead out of the folder
				return err
			}
			name, err := filepath.Rel(dataDir, at)
			if err == nil {
				err = put(z, filepath.ToSlash(name), at)
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return errors.Join(z.Close(m), f.Sync())
}

// put adds a file.
func put(z *sealed.Writer, name, file string) error {
	in, err := os.Open(file) //nolint:gosec // in the data directory
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	out, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return err
}

// backup is an open backup file.
type backup struct {
	*sealed.File
	path     string
	manifest BackupManifest
}

// BackupDigest is the digest of a backup: one value for all files in it.
func BackupDigest(file string) (string, error) {
	b, err := openBackup(file)
	if err != nil {
		return "", err
	}
	defer func() { _ = b.Close() }() // it was only read
	return b.Digest(), nil
}

// badBackup says what is wrong with a file that should be a backup.
func badBackup(file, format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "backup_file", "%s: "+format, append([]any{file}, args...)...).With("path", file).
		WithHint("a backup is the zip file that `workbench backup` writes; use another one")
}

// openBackup opens a backup and looks at its manifest.
func openBackup(file string) (*backup, error) {
	f, err := sealed.Open(file, mostBackupBytes, func(format string, args ...any) *problem.Problem {
		return badBackup(file, format, args...)
	}, sealed.Backup)
	if err != nil {
		return nil, err
	}
	b := &backup{File: f, path: file}
	if err := b.look(); err != nil {
		_ = f.Close() // the first error is the one to tell
		return nil, err
	}
	return b, nil
}

func (b *backup) look() error {
	if err := b.Decode(&b.manifest); err != nil {
		return err
	}
	b.manifest.Head = b.Head // an older one does not say its kind
	m := b.manifest
	if known := store.KnownSchema(); m.Contents.Schema > known {
		return problem.New(problem.Conflict, "database_newer",
			"SCHEMA_NEWER (%d > %d): a newer workbench wrote %s, and this one cannot read it", m.Contents.Schema, known, b.path).
			With("stored", m.Contents.Schema).With("known", known).WithHint("use a workbench of version %s or newer", m.Version)
	}
	if _, ok := m.Files[backupDatabase]; !ok {
		return badBackup(b.path, "it holds no database")
	}
	for name := range m.Files {
		folder, _, _ := strings.Cut(name, "/")
		if name != backupDatabase && (!slices.Contains(backupFolders, folder) || !fs.ValidPath(name) ||
			!filepath.IsLocal(filepath.FromSlash(name))) {
			return badBackup(b.path, "it holds %q, which no backup does", name)
		}
	}
	return nil
}

// extract writes the files of a backup into an empty folder and compares each with its digest. Names come from the manifest, which
// was looked at.
func (b *backup) extract(into string) error {
	for name := range b.manifest.Files {
		if err := b.extractOne(name, filepath.Join(into, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

func (b *backup) extractOne(name, file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // a checked name in our folder
	if err != nil {
		return err
	}
	if err := b.WriteTo(out, name); err != nil {
		return errors.Join(err, out.Close())
	}
	return errors.Join(out.Sync(), out.Close())
}
