package experiments

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// Job is something that goes on after a server has replied, and is not one run: several runs, or something that is written.
type Job struct {
	ID      string // follows from the request, so that asking twice finds the same
	Kind    string // verify, replicate, search …
	Request json.RawMessage
	State   JobState
	Done    int
	Total   int              // 0 while nobody knows
	Problem *problem.Problem // why it failed
	Runs    []string         // that it made so far
	Result  json.RawMessage  // what it found, as the command line prints it; nil without
	File    string           // name of what it wrote; "" without
	Content []byte           // of that file

	Owner     string    // the process that works it, as host:pid
	CreatedAt time.Time // when it was begun, the last time
	SeenAt    time.Time // when the owner last said that it is alive
}

// JobState is how a job stands.
type JobState string

// The states of a job. A job that is running and whose owner is gone was interrupted: nobody goes on with it.
const (
	JobRunning JobState = "running"
	JobDone    JobState = "done"
	JobFailed  JobState = "failed"
)

// JobStore keeps jobs.
type JobStore interface {
	// PutJob stores a job in the place of one with the same id, and forgets the oldest that have ended, so that keep of those stay.
	PutJob(ctx context.Context, j Job, keep int) error
	// Job returns a job with its result and file; NotFound with code job_unknown otherwise.
	Job(ctx context.Context, id string) (Job, error)
}
