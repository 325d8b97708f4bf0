package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Work is something under way that is not one run.
type Work = experiments.Job

const (
	mostWorks  = 200              // jobs that are kept after their end
	jobBeat    = 5 * time.Second  // how often a process says of its jobs that it works them, and how far they are
	jobSilence = 60 * time.Second // after which nobody works a job any more
)

// Work returns a job by its id, whichever server began it. One whose server ended under way has failed.
func (b *Background) Work(ctx context.Context, id string) (Work, error) {
	b.mu.Lock()
	w, ok := b.works[id]
	if ok {
		out := copied(w)
		b.mu.Unlock()
		return out, nil
	}
	b.mu.Unlock()
	stored, err := b.W.Whole.Job(ctx, id)
	if err == nil && stored.State == experiments.JobRunning && !b.worked(stored) {
		stored.State, stored.Problem = experiments.JobFailed, interrupted(id)
	}
	return stored, err
}

// worked reports whether some process works a job that is running.
func (b *Background) worked(j Work) bool {
	return app.Alive(j.Owner) && b.W.Options.Now().Sub(j.SeenAt) < jobSilence
}

func interrupted(id string) *problem.Problem {
	return problem.New(problem.Incomplete, "job_interrupted", "the server ended while job %s was under way", id).With("job", id).
		WithHint("resume its runs, or send the request with another key: what was bought is not bought again")
}

func copied(w *Work) Work {
	out := *w
	out.Runs = append([]string{}, w.Runs...)
	return out
}

// Begin starts something that tells how far it is by changing its job. Where a job of this id is under way it returns that one.
func (b *Background) Begin(kind, id string, request any, work func(ctx context.Context, change func(func(*Work))) error) (Work, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return Work{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if w, ok := b.works[id]; ok {
		return copied(w), nil
	}
	keeping := context.WithoutCancel(b.ctx)
	if there, err := b.W.Whole.Job(keeping, id); err == nil && there.State == experiments.JobRunning && b.worked(there) {
		return there, nil // by another server
	}
	now := b.W.Options.Now()
	w := &Work{ID: id, Kind: kind, Request: body, State: experiments.JobRunning, Runs: []string{}, Owner: b.W.Owner,
		CreatedAt: now, SeenAt: now}
	if err := b.W.Whole.PutJob(keeping, *w, mostWorks); err != nil {
		return Work{}, err
	}
	b.works[id] = w
	first := copied(w)
	b.wait.Go(func() { b.workJob(w, work) })
	return first, nil
}

// workJob works a job to its end and stores how far it is: now and then, when it made a run, and in the end.
func (b *Background) workJob(w *Work, work func(ctx context.Context, change func(func(*Work))) error) {
	store := func() {
		b.mu.Lock()
		w.SeenAt = b.W.Options.Now()
		now := copied(w)
		b.mu.Unlock()
		if err := b.W.Whole.PutJob(context.WithoutCancel(b.ctx), now, mostWorks); err != nil {
			b.log("store job "+w.ID, "error", err)
		}
	}
	beating, rest := context.WithCancel(b.ctx)
	b.wait.Go(func() {
		beat := time.NewTicker(jobBeat)
		defer beat.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-beat.C:
				store()
			}
		}
	})
	err := work(b.ctx, func(f func(*Work)) {
		b.mu.Lock()
		runs := len(w.Runs)
		f(w)
		more := len(w.Runs) != runs
		b.mu.Unlock()
		if more {
			store()
		}
	})
	rest()
	b.mu.Lock()
	w.State = experiments.JobDone
	if err != nil {
		w.State, w.Problem = experiments.JobFailed, problem.From(err)
		if b.ctx.Err() != nil {
			w.Problem = interrupted(w.ID)
		}
	}
	b.mu.Unlock()
	store()
	b.mu.Lock()
	delete(b.works, w.ID)
	b.mu.Unlock()
	b.note(w.Kind+" "+w.ID, err)
}

// WorkResult returns what a job found, as the JSON that the command line prints. Conflict while it is under way.
func (b *Background) WorkResult(ctx context.Context, id string) (json.RawMessage, error) {
	w, err := b.Work(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case w.Result != nil:
		return w.Result, nil
	}
	return nil, nothingYet(w, "job_result", "result")
}

// WorkFile returns the name and content of what a job wrote. Conflict while it is under way.
func (b *Background) WorkFile(ctx context.Context, id string) (name string, content []byte, err error) {
	w, err := b.Work(ctx, id)
	switch {
	case err != nil:
		return "", nil, err
	case w.File != "":
		return w.File, w.Content, nil
	}
	return "", nil, nothingYet(w, "job_file", "file")
}

func nothingYet(w Work, code, what string) error {
	switch w.State {
	case experiments.JobRunning:
		return problem.New(problem.Conflict, "job_running", "job %s is still under way", w.ID).With("job", w.ID).
			WithHint("ask again when its state is done")
	case experiments.JobFailed:
		return problem.New(problem.NotFound, code, "job %s failed and left no %s", w.ID, what).With("job", w.ID).
			WithHint("the job itself says what was wrong")
	case experiments.JobDone:
	}
	return problem.New(problem.NotFound, code, "job %s has no %s", w.ID, what).With("job", w.ID).
		WithHint("jobs of kind %s have none", w.Kind)
}

// KeepResult keeps what a job found so far, whatever its end.
func KeepResult(change func(func(*Work)), value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	change(func(w *Work) { w.Result = body })
	return nil
}

// WorkOnce starts a job, or returns the one that the same request started before under the same key, as it stands now.
func (b *Background) WorkOnce(ctx context.Context, scope, key string, request any,
	begin func(context.Context) (Work, error)) (Work, error) {
	if key == "" {
		return begin(ctx)
	}
	body, err := json.Marshal(request)
	if err != nil {
		return Work{}, err
	}
	digest := sha256.Sum256(body)
	ctx = context.WithoutCancel(ctx) // what was begun must be remembered, whoever is still listening
	id, err := b.keys.once(ctx, scope, key, hex.EncodeToString(digest[:]), func() (string, error) {
		w, err := begin(ctx)
		return w.ID, err
	})
	if err != nil {
		return Work{}, err
	}
	return b.Work(ctx, id)
}

// WorkID follows from the work, so that asking twice finds the same.
func WorkID(parts ...string) string {
	body, err := json.Marshal(parts)
	if err != nil {
		panic("texts are not JSON: " + err.Error()) // texts always are
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:6])
}
