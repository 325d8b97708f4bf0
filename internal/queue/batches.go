package queue

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

//go:embed schema.sql
var schema string

// The sizes of a batch. Small runs are cut finer, so that several workers have something to do.
const (
	batchAtMost  = 20
	batchAtLeast = 10
	batchesIdeal = 8 // of a run, when their size is between the two
)

const (
	claimBeat   = 5 * time.Second  // between two renewals of a claim, and two searches for silent workers
	silentAfter = 45 * time.Second // without renewal, a worker is taken for dead or frozen
)

// silent is silentAfter in SQL.
var silent = fmt.Sprintf("interval '%d seconds'", int(silentAfter.Seconds()))

// batch is a claimed row.
type batch struct {
	id        int64
	run       string
	owner     string
	questions []string
	worker    string // this claim
}

// job is what River keeps.
type job struct {
	Batch int64 `json:"batch"`
}

// Kind names the jobs of batches.
func (job) Kind() string { return "batch" }

// cut divides questions into batches.
func cut(questions []string) [][]string {
	size := max(batchAtLeast, min(batchAtMost, (len(questions)+batchesIdeal-1)/batchesIdeal))
	var out [][]string
	for start := 0; start < len(questions); start += size {
		out = append(out, questions[start:min(start+size, len(questions))])
	}
	return out
}

// enqueue writes the batches of a run and their jobs with tx.
func (s *shared) enqueue(ctx context.Context, tx pgx.Tx, run, owner string, missing []string) error {
	parts := cut(missing)
	if len(parts) == 0 {
		return nil
	}
	rows := &pgx.Batch{}
	ids := make([]int64, len(parts))
	for i, questions := range parts {
		rows.Queue("INSERT INTO queue_batches (run_id, owner, questions) VALUES ($1, $2, $3) RETURNING id", run, owner, questions).
			QueryRow(func(row pgx.Row) error { return row.Scan(&ids[i]) })
	}
	if err := tx.SendBatch(ctx, rows).Close(); err != nil {
		return fmt.Errorf("insert batches: %w", err)
	}
	return s.insertJobs(ctx, tx, ids)
}

// insertJobs gives each of the batches a new job.
func (s *shared) insertJobs(ctx context.Context, tx pgx.Tx, batches []int64) error {
	params := make([]river.InsertManyParams, len(batches))
	for i, id := range batches {
		params[i] = river.InsertManyParams{Args: job{Batch: id}}
	}
	jobs, err := s.inserter.InsertManyTx(ctx, tx, params)
	if err != nil {
		return fmt.Errorf("insert jobs: %w", err)
	}
	ids := make([]int64, len(jobs))
	for i, j := range jobs {
		ids[i] = j.Job.ID
	}
	_, err = tx.Exec(ctx, `UPDATE queue_batches b SET job_id = new.job, worker = '', seen_at = NULL
		FROM unnest($1::bigint[], $2::bigint[]) AS new (batch, job) WHERE b.id = new.batch`, batches, ids)
	return err
}

// claim takes a batch that nobody works on; nil when somebody does, or it is settled. A claim of this process that it does not
// know of was left by a connection that broke.
func (s *shared) claim(ctx context.Context, id int64, worker string, mine []string) (*batch, error) {
	b := &batch{id: id, worker: worker}
	err := s.pool.QueryRow(ctx, `UPDATE queue_batches SET worker = $2, seen_at = now()
		WHERE id = $1 AND (worker = '' OR seen_at < now() - `+silent+` OR starts_with(worker, $3) AND worker <> ALL ($4))
		RETURNING run_id, owner, questions`, id, worker, s.Owner+claimSign, mine).
		Scan(&b.run, &b.owner, &b.questions)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return b, err
}

// renew says that the batch is being worked; false when the claim is gone.
func (s *shared) renew(ctx context.Context, b *batch) (bool, error) {
	tag, err := s.pool.Exec(ctx, "UPDATE queue_batches SET seen_at = now() WHERE id = $1 AND worker = $2", b.id, b.worker)
	return err != nil || tag.RowsAffected() == 1, err
}

// release gives the batch back to the queue.
func (s *shared) release(ctx context.Context, b *batch) error {
	_, err := s.pool.Exec(ctx, "UPDATE queue_batches SET worker = '', seen_at = now() WHERE id = $1 AND worker = $2", b.id, b.worker)
	return err
}

// drop removes a batch that nothing is left to do of, and reports whether it was the last one of this submission of its run.
func (s *shared) drop(ctx context.Context, b *batch) (last bool, err error) {
	if _, err = s.pool.Exec(ctx, "DELETE FROM queue_batches WHERE id = $1 AND worker = $2", b.id, b.worker); err != nil {
		return false, err
	}
	var left bool
	err = s.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM queue_batches WHERE run_id = $1 AND owner = $2)", b.run, b.owner).Scan(&left)
	return !left, err
}

// abandoned is a batch that its worker, or its job, is silent about.
type abandoned struct {
	id          int64
	run, worker string
	questions   int
}

// takeOver gives the batches of silent workers, and those whose job is gone, new jobs.
func (s *shared) takeOver(ctx context.Context) ([]abandoned, error) {
	var found []abandoned
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT b.id, b.run_id, b.worker, cardinality(b.questions)
			FROM queue_batches b LEFT JOIN river_job j ON j.id = b.job_id
			WHERE CASE WHEN b.worker <> '' THEN b.seen_at < now() - `+silent+`
				ELSE (b.seen_at IS NULL OR b.seen_at < now() - `+silent+`) AND (j.id IS NULL
					OR j.state IN ('completed', 'cancelled', 'discarded') OR j.state = 'running' AND j.attempted_at < now() - `+silent+`) END
			ORDER BY b.id LIMIT 100 FOR UPDATE OF b SKIP LOCKED`)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (a abandoned, err error) {
			return a, row.Scan(&a.id, &a.run, &a.worker, &a.questions)
		})
		if err != nil || len(found) == 0 {
			return err
		}
		ids := make([]int64, len(found))
		for i, a := range found {
			ids[i] = a.id
		}
		return s.insertJobs(ctx, tx, ids)
	})
	return found, err
}

// orphans returns running runs of the queue that have no batch, with their owners: their last batch was settled by a worker that
// died before it could finish the run.
func (s *shared) orphans(ctx context.Context) (map[string]string, error) {
	rows, err := s.pool.Query(ctx, `SELECT r.id, r.owner FROM runs r WHERE r.state = 'running' AND r.owner LIKE 'queue:%'
		AND NOT EXISTS (SELECT FROM queue_batches b WHERE b.run_id = r.id AND b.owner = r.owner)`)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	var id, owner string
	_, err = pgx.ForEachRow(rows, []any{&id, &owner}, func() error {
		out[id] = owner
		return nil
	})
	return out, err
}

// again gives new batches to a run of this owner that has none, although questions are missing.
func (s *shared) again(ctx context.Context, run, owner string, missing []string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var alone bool
		err := tx.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM queue_batches WHERE run_id = r.id AND owner = r.owner)
			FROM runs r WHERE r.id = $1 AND r.owner = $2 AND r.state = 'running' FOR UPDATE`, run, owner).Scan(&alone)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && !alone {
			return nil
		}
		if err != nil {
			return err
		}
		return s.enqueue(ctx, tx, run, owner, missing)
	})
}
