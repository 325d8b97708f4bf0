-- +goose Up
-- What people say about cells of notebooks, or about a row of one: a question of a run. It is no part of the files. A notebook is named by
-- its place.

CREATE TABLE notebook_comments (
    notebook    TEXT NOT NULL,
    id          TEXT NOT NULL,
    cell        TEXT NOT NULL,
    run_id      TEXT NOT NULL,
    question    TEXT NOT NULL,
    text        TEXT NOT NULL,
    made_by     TEXT NOT NULL,
    made_at     TIMESTAMP NOT NULL,
    resolved_by TEXT NOT NULL,
    resolved_at TIMESTAMP,
    PRIMARY KEY (notebook, id)
);
