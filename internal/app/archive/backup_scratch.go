package archive

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store"
)

// untouchedFor is how long a scratch folder of an older program, which held no lock, must have been left alone to count as left behind.
const untouchedFor = 24 * time.Hour

// scratchIn makes a scratch folder that is known to be ours as long as this process lives, after removing those that killed processes left
// behind there. done removes it.
func scratchIn(dir, prefix string, now time.Time) (scratch string, done func(), err error) {
	sweepScratch(dir, prefix, now)
	if scratch, err = os.MkdirTemp(dir, prefix); err != nil {
		return "", nil, err
	}
	release, err := store.Held(scratch)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(scratch))
	}
	return scratch, func() {
		release()
		_ = os.RemoveAll(scratch) // the next start tries again
	}, nil
}

// sweepScratch removes scratch folders that nobody works in any more. What cannot be removed is only room on the disk.
func sweepScratch(dir, prefix string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix) && store.LeftBehind(at, now.Add(-untouchedFor)) {
			_ = os.RemoveAll(at)
		}
	}
}

// KeepBackups removes the oldest backups beside a new one that was found good, so that at most keep are left, the new one among them.
// Only files that are backups by their manifests count and are removed, and the new one must be one of them: whoever has no good backup
// loses none. It returns the names of what was removed.
func KeepBackups(ctx context.Context, newest string, keep int) (removed []string, err error) {
	if keep < 1 {
		return nil, problem.New(problem.Invalid, "backup_keep", "%d backups cannot be kept; at least 1 must be", keep)
	}
	entries, err := os.ReadDir(filepath.Dir(newest))
	if err != nil {
		return nil, err
	}
	type one struct {
		path string
		at   time.Time
	}
	var all []one
	sound := false
	for _, e := range entries {
		at := filepath.Join(filepath.Dir(newest), e.Name())
		if !e.Type().IsRegular() || filepath.Ext(at) != ".zip" || ctx.Err() != nil {
			continue
		}
		b, err := openBackup(at)
		if err != nil {
			continue // another file of somebody's
		}
		all = append(all, one{at, b.manifest.CreatedAt})
		_ = b.Close() // it was only read
		sound = sound || filepath.Base(at) == filepath.Base(newest)
	}
	if !sound || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	slices.SortStableFunc(all, func(a, b one) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.path, a.path)) })
	for i, b := range all {
		if i < keep || filepath.Base(b.path) == filepath.Base(newest) {
			continue
		}
		if err := os.Remove(b.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, err
		}
		removed = append(removed, b.path)
	}
	return removed, nil
}
