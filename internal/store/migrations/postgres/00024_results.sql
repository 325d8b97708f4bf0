-- +goose Up
-- One row for each result of a finished run: what its answer and its cells say, in a form that is read twenty times as fast. They stay what
-- counts; the next migration fills this table, and closing a run adds to it.

CREATE TABLE results (
    run_id    TEXT NOT NULL REFERENCES runs (id),
    position  BIGINT NOT NULL,
    replicate BIGINT NOT NULL,
    body      BYTEA NOT NULL,
    stages    BYTEA NOT NULL,
    PRIMARY KEY (run_id, position, replicate)
);
