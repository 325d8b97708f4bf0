-- +goose Up
-- What rows were when they came to stay as they are, kept apart from them: see package integrity. The next migration fills it.

CREATE TABLE seals (
    kind   TEXT NOT NULL,
    key    TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (kind, key)
) WITHOUT ROWID;
