package experiments

import (
	"context"
	"slices"
	"time"
)

// How long a notebook remembers what it was.
const (
	MostVersions   = 1000                 // of one notebook
	VersionsLast   = 365 * 24 * time.Hour // from when they were saved
	VersionsFold   = 10 * time.Minute     // what one author saves in this time is one version
	RemovedLast    = 30 * 24 * time.Hour  // cells that were removed
	LongestVersion = 80                   // characters of a name that people give a version
)

// Where a version of a notebook comes from.
const (
	VersionSaved    = "saved"
	VersionDisk     = "disk"     // another program changed the file
	VersionRestored = "restored" // an earlier version, once more
)

// NotebookVersion is a text that a notebook had, with the lock that said what its results rested on.
type NotebookVersion struct {
	Number    int       `json:"number" doc:"from 1, in the order in which they were saved"`
	Digest    string    `json:"digest" doc:"SHA-256 of the text"`
	Lock      string    `json:"lock,omitempty" doc:"SHA-256 of the lock file; absent: there was none"`
	By        string    `json:"by" doc:"name of whoever saved it; empty when it is not known"`
	At        time.Time `json:"at" doc:"when it was begun"`
	ChangedAt time.Time `json:"changed_at" doc:"when it was saved last: what one author saves within 10 minutes is one version"`
	Origin    string    `json:"origin" enum:"saved,disk,restored"`
	Name      string    `json:"name,omitempty" doc:"that people gave it"`
	Params    []string  `json:"params,omitempty" doc:"that it was run with, as cell.name=value"`
	Ran       bool      `json:"ran" doc:"it was run"`
}

// Behind is the version as it is kept behind the newest one, nil for none, and whether anything is to be kept: an equal one is not, a run
// marks a version that was not run, and what its author saves soon after it takes its place unless it was named or run.
func (v NotebookVersion) Behind(newest *NotebookVersion) (kept NotebookVersion, changed bool) {
	if newest == nil {
		v.Number, v.At = 1, v.ChangedAt
		return v, true
	}
	last := *newest
	sameText, sameLock := last.Digest == v.Digest, last.Lock == v.Lock
	switch since := v.ChangedAt.Sub(last.At); {
	case sameText && sameLock && (!v.Ran || last.Ran && slices.Equal(last.Params, v.Params)), sameText && !v.Ran && last.Ran:
		return last, false
	case sameText && !last.Ran:
		last.Lock, last.Ran = v.Lock, v.Ran
		if v.Ran {
			last.Params = v.Params
		}
		return last, true
	case last.Origin == VersionSaved && v.Origin == VersionSaved && last.By == v.By && last.Name == "" && !last.Ran &&
		since >= 0 && since < VersionsFold:
		v.Number, v.At = last.Number, last.At
	default:
		v.Number, v.At = last.Number+1, v.ChangedAt
	}
	return v, true
}

// RemovedCell is a cell that was taken out of a notebook, with what its lock entry said.
type RemovedCell struct {
	ID      string    `json:"id"`
	Cell    string    `json:"cell"`
	Type    string    `json:"type"`
	Text    string    `json:"text" doc:"with its fences"`
	Entry   string    `json:"-"` // of the lock, as a lock of this cell alone; "" when it had none
	Behind  string    `json:"behind,omitempty" doc:"cell that stood before it"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Expires time.Time `json:"expires"`
}

// NotebookStore keeps what notebooks were. A notebook is named by its place: that of its file below the data directory, else the whole
// path. Nothing else in the database rests on it.
type NotebookStore interface {
	// PutVersion keeps a text and its lock as [NotebookVersion.Behind] says, and takes away what is too old or too much. It returns the
	// version as it is kept, and whether it is another one than before.
	PutVersion(ctx context.Context, notebook string, v NotebookVersion, text, lock []byte) (kept NotebookVersion, changed bool, err error)
	// LockVersion says what lock a run left behind.
	LockVersion(ctx context.Context, notebook string, number int, digest string, lock []byte) error
	// Versions lists the versions of a notebook, the newest first.
	Versions(ctx context.Context, notebook string) ([]NotebookVersion, error)
	// Version finds a version with its text and its lock; NotFound when there is none of this number.
	Version(ctx context.Context, notebook string, number int) (v NotebookVersion, text, lock []byte, err error)
	// NameVersion gives a version a name; "" takes it away.
	NameVersion(ctx context.Context, notebook string, number int, name string) (NotebookVersion, error)
	// MoveNotebook gives everything that is kept of a notebook to another place.
	MoveNotebook(ctx context.Context, from, to string) error

	// PutRemoved keeps cells that were removed, and takes away those whose time is over.
	PutRemoved(ctx context.Context, notebook string, cells []RemovedCell, now time.Time) error
	// Removed lists the cells that can be put back, the newest first.
	Removed(ctx context.Context, notebook string, now time.Time) ([]RemovedCell, error)
	// ForgetRemoved takes a cell out of the list and returns it; NotFound when it is not there, or its time is over.
	ForgetRemoved(ctx context.Context, notebook, id string, now time.Time) (RemovedCell, error)
}
