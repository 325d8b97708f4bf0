-- One row for each batch that is not settled. River's jobs name a row and hold nothing else.
CREATE TABLE IF NOT EXISTS queue_batches (
    id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id    TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    owner     TEXT NOT NULL,             -- of the run at this submission
    questions TEXT[] NOT NULL,
    job_id    BIGINT NOT NULL DEFAULT 0, -- the River job that is to work it
    worker    TEXT NOT NULL DEFAULT '',  -- who works it, '' when nobody does
    seen_at   TIMESTAMPTZ                -- when its worker last said so, or gave it back; by the clock of this database
);
CREATE INDEX IF NOT EXISTS queue_batches_by_run ON queue_batches (run_id);
