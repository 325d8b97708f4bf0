-- +goose Up
-- What people say about answers. Revisions are kept: the newest of a reviewer is in force. There is no reference to the run, because
-- the work of people outlives it: a run made again has the same id.

CREATE TABLE reviews (
    run_id      TEXT NOT NULL,
    question_id TEXT NOT NULL,
    reviewer    TEXT NOT NULL,
    revision    BIGINT NOT NULL,
    digest      TEXT NOT NULL,
    body        TEXT NOT NULL,
    created_at  TIMESTAMP NOT NULL,
    PRIMARY KEY (run_id, question_id, reviewer, revision),
    UNIQUE (run_id, question_id, reviewer, digest)
);
