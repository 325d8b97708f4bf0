package machine

import (
	"os"
	"path/filepath"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/problem"
)

// leastEvery is the shortest time between two backups, and mostRetry the longest between a backup that failed and the next try.
const (
	leastEvery = time.Minute
	mostRetry  = time.Hour
)

// regularly backs up into the folder until it is told to stop. What goes wrong with one backup is said on standard error, and tried again
// soon. The exit code is that of the last backup: a service that ends after a failed one ends with a failure.
func (c BackupCmd) regularly(p *program.Program) error {
	if c.Every < leastEvery {
		return problem.New(problem.Invalid, "usage", "--every %s is below %s", c.Every, leastEvery).WithHint("workbench backup --help")
	}
	if err := os.MkdirAll(c.File, 0o700); err != nil {
		return problem.New(problem.Invalid, "file_write", "%s is not a folder that backups can be written into", c.File).Because(err).
			WithHint("with --every the argument is a folder; workbench backup --help")
	}
	code := program.ExitDone
	for wait := c.first(p); sleep(p, wait); {
		err := c.once(p, filepath.Join(c.File, p.Now().UTC().Format("20060102T150405Z")+".zip"))
		if p.Context.Err() != nil {
			break // broken off: nothing is left of it
		}
		wait, code = c.Every, program.ExitDone
		if err != nil {
			wait, code = min(c.Every, mostRetry), p.Fail(err)
			p.Note("the next try is in %s; no backup was removed", wait)
		}
	}
	if code != program.ExitDone {
		return program.ExitError(program.ExitBroken)
	}
	return nil
}

// first is how long the first backup waits: a process that was started again keeps the rhythm of the last good backup.
func (c BackupCmd) first(p *program.Program) (wait time.Duration) {
	_ = p.Looking(false, func(w *app.Workbench) error { // what is wrong with the database the first backup says
		last, ok, err := archive.LastBackup(p.Context, w)
		if err == nil && ok {
			wait = max(0, last.Add(c.Every).Sub(p.Now()))
		}
		return err
	})
	return wait
}

// sleep waits, and reports whether the time is over; false when the program is to stop.
func sleep(p *program.Program, d time.Duration) bool {
	if p.Wait != nil {
		return p.Wait(d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.Context.Done():
		return false
	case <-timer.C:
		return p.Context.Err() == nil
	}
}
