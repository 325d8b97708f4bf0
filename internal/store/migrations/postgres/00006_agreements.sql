-- +goose Up
-- What was agreed about datasets. Versions are kept: the newest of a dataset is in force.

CREATE TABLE agreements (
    dataset    TEXT NOT NULL,
    version    BIGINT NOT NULL,
    digest     TEXT NOT NULL,
    body       TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (dataset, version)
);
