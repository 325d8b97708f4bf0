-- +goose Up
-- What people write beside runs, which is no part of them, and lists of runs as they saved them. A view that was removed is kept until
-- another one takes its name, so that it can be put back.

CREATE TABLE run_notes (
    run_id     TEXT PRIMARY KEY,
    note       TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    changed_at TIMESTAMP NOT NULL
);

CREATE TABLE run_tags (
    run_id     TEXT NOT NULL,
    tag        TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    changed_at TIMESTAMP NOT NULL,
    PRIMARY KEY (run_id, tag)
);

CREATE INDEX run_tags_by_tag ON run_tags (tag);

CREATE TABLE run_views (
    name       TEXT PRIMARY KEY,
    query      TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    saved_at   TIMESTAMP NOT NULL,
    removed_at TIMESTAMP
);
