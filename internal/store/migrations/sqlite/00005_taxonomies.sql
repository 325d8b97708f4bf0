-- +goose Up
-- What questions are assigned to. A dataset name keeps its taxonomies over dataset versions; versions are insert only, and the
-- newest is in force. Runs freeze what they assign to.

CREATE TABLE taxonomies (
    id           TEXT NOT NULL,
    dataset_name TEXT NOT NULL,
    version      BIGINT NOT NULL,
    body         TEXT NOT NULL,
    created_at   TIMESTAMP NOT NULL,
    PRIMARY KEY (dataset_name, id, version)
);
