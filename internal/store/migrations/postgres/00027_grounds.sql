-- +goose Up
-- One row for each finished run: what the judge found in its answers beyond their grades, which comparisons ask of every question. It is
-- made when a run closes; of runs that closed before, the stages are read.

CREATE TABLE grounds (
    run_id TEXT PRIMARY KEY REFERENCES runs (id),
    body   BYTEA NOT NULL
);
