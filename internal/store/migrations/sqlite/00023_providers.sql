-- +goose Up
-- Servers of models that people added while the program runs. No key is in here: only the name of an environment variable, and the origin
-- that it was bound to. A provider that was removed is kept, so that it can be taken back.

CREATE TABLE providers (
    name                TEXT PRIMARY KEY,
    dialect             TEXT NOT NULL,
    base_url            TEXT NOT NULL,
    models              TEXT NOT NULL,
    requests_per_minute INTEGER NOT NULL,
    concurrency         INTEGER NOT NULL,
    key_env             TEXT NOT NULL,
    key_origin          TEXT NOT NULL,
    added_by            TEXT NOT NULL,
    added_at            TIMESTAMP NOT NULL,
    changed_at          TIMESTAMP NOT NULL,
    removed_at          TIMESTAMP
);
