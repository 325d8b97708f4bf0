-- +goose Up
-- What notebooks were: their texts and locks, each once and compressed by what it shares with another one, its base, and the cells that were
-- taken out of them. A notebook is named by its place.

CREATE TABLE notebook_texts (
    notebook TEXT NOT NULL,
    digest   TEXT NOT NULL,
    base     TEXT NOT NULL,
    body     BYTEA NOT NULL,
    PRIMARY KEY (notebook, digest)
);

CREATE TABLE notebook_versions (
    notebook   TEXT NOT NULL,
    number     INTEGER NOT NULL,
    digest     TEXT NOT NULL,
    lock       TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    made_at    TIMESTAMPTZ NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL,
    origin     TEXT NOT NULL,
    name       TEXT NOT NULL,
    params     TEXT NOT NULL,
    ran        BOOLEAN NOT NULL,
    PRIMARY KEY (notebook, number)
);

CREATE TABLE notebook_removed (
    notebook   TEXT NOT NULL,
    id         TEXT NOT NULL,
    cell       TEXT NOT NULL,
    type       TEXT NOT NULL,
    text       TEXT NOT NULL,
    entry      TEXT NOT NULL,
    behind     TEXT NOT NULL,
    made_by    TEXT NOT NULL,
    removed_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (notebook, id)
);
