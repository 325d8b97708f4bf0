package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/problem"
)

// HasResult reports whether [Background.WorkResult] has something to give.
func (w Work) HasResult() bool { return w.result != nil }

// FileName is the name of the file that a work wrote; "" without one.
func (w Work) FileName() string {
	if w.file == "" {
		return ""
	}
	return filepath.Base(w.file)
}

// WorkResult returns what a work found, as the JSON that the command line prints. Conflict while it is under way.
func (b *Background) WorkResult(id string) (json.RawMessage, error) {
	w, err := b.Work(id)
	switch {
	case err != nil:
		return nil, err
	case w.result != nil:
		return w.result, nil
	}
	return nil, nothingYet(w, "job_result", "result")
}

// WorkFile returns the path of what a work wrote. Conflict while it is under way.
func (b *Background) WorkFile(id string) (string, error) {
	w, err := b.Work(id)
	switch {
	case err != nil:
		return "", err
	case w.file != "":
		return w.file, nil
	}
	return "", nothingYet(w, "job_file", "file")
}

func nothingYet(w Work, code, what string) error {
	switch w.State {
	case workRunning:
		return problem.New(problem.Conflict, "job_running", "job %s is still under way", w.ID).With("job", w.ID).WithHint("ask again when its state is done")
	case workFailed:
		return problem.New(problem.NotFound, code, "job %s failed and left no %s", w.ID, what).With("job", w.ID).WithHint("the job itself says what was wrong")
	}
	return problem.New(problem.NotFound, code, "job %s has no %s", w.ID, what).With("job", w.ID).WithHint("jobs of kind %s have none", w.Kind)
}

// keepResult keeps what a work found so far, whatever its end.
func keepResult(change func(func(*Work)), value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	change(func(w *Work) { w.result = body })
	return nil
}

// fileFor is a new place for a file of this name, in a folder of its own that ends with the background.
func (b *Background) fileFor(name string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir == "" {
		dir, err := os.MkdirTemp("", "workbench-jobs-")
		if err != nil {
			return "", err
		}
		b.dir = dir
	}
	dir, err := os.MkdirTemp(b.dir, "job-")
	return filepath.Join(dir, name), err
}

func (b *Background) removeFiles() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir != "" {
		_ = os.RemoveAll(b.dir) // the system empties the folder of temporary files at the latest
	}
}

// removeFile removes what a work wrote: the work is about to be forgotten.
func (w *Work) removeFile() {
	if w.file != "" {
		_ = os.RemoveAll(filepath.Dir(w.file))
	}
}

// workOnce starts a work, or returns the one that the same request started before under the same key. Where the process has forgotten
// that work, because it was started again in between, forgotten says what has become of it.
func (b *Background) workOnce(ctx context.Context, scope, key string, request any, begin func(context.Context) (Work, error), forgotten func(ctx context.Context, id string) (Work, error)) (Work, error) {
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
	w, err := b.Work(id)
	if problem.CodeOf(err) == "job_unknown" {
		return forgotten(ctx, id)
	}
	return w, err
}

// workAgain is workOnce for a work that cannot be refused. Where it is forgotten it begins again.
func (b *Background) workAgain(ctx context.Context, scope, key string, request any, begin func() Work) (Work, error) {
	return b.workOnce(ctx, scope, key, request,
		func(context.Context) (Work, error) { return begin(), nil },
		func(context.Context, string) (Work, error) { return begin(), nil })
}
