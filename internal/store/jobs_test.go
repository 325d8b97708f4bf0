package store

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestJobs: a job comes back with everything, another of its id takes its place, and of those that ended the newest are kept.
func TestJobs(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s, ctx := d.open(t), t.Context()
		job := must[experiments.Job](t)
		_, err := s.Job(ctx, "j")
		wantProblem(t, err, problem.NotFound, "job_unknown")
		want := experiments.Job{
			ID: "j", Kind: "verify", Request: []byte(`{"a":1}`), State: experiments.JobFailed, Done: 1, Total: 2, Runs: []string{"r"},
			Result: []byte(`{"b":"値"}`),
			File:   "x.xlsx", Content: []byte{0, 255}, Owner: "here:1", CreatedAt: at(1), SeenAt: at(2),
			Problem: problem.New(problem.Incomplete, "budget", "spent").With("run", "r").WithHint("more"),
		}
		ok(t, s.PutJob(ctx, want, 10))
		diff(t, want, job(s.Job(ctx, "j")), cmpopts.IgnoreFields(problem.Problem{}, "Format", "Args", "HintFormat", "HintArgs"))
		ok(t, s.PutJob(ctx, experiments.Job{ID: "j", State: experiments.JobRunning, Request: []byte("null"), Runs: []string{},
			CreatedAt: at(0), SeenAt: at(0)}, 10))
		diff(t, experiments.Job{ID: "j", State: experiments.JobRunning, Request: []byte("null"), Runs: []string{}, CreatedAt: at(0),
			SeenAt: at(0)}, job(s.Job(ctx, "j")))
		for i := range 5 {
			ok(t, s.PutJob(ctx, experiments.Job{ID: fmt.Sprint(i), State: experiments.JobDone, Request: []byte("1"), CreatedAt: at(i),
				SeenAt: at(i)}, 3))
		}
		for id, stays := range map[string]bool{"j": true, "0": false, "1": false, "2": true, "3": true, "4": true} {
			if _, err := s.Job(ctx, id); (err == nil) != stays {
				t.Errorf("job %s: %v", id, err)
			}
		}
	})
}
