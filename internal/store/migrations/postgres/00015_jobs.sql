-- +goose Up
-- What goes on after a server has replied and is not one run: what was asked, how far it is, and what it found, so that nobody has to
-- guess it back after a restart.

CREATE TABLE jobs (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    request    TEXT NOT NULL,
    state      TEXT NOT NULL,
    body       TEXT NOT NULL,
    result     TEXT NOT NULL,
    file       TEXT NOT NULL,
    content    BYTEA NOT NULL,
    owner      TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    seen_at    TIMESTAMPTZ NOT NULL
);
CREATE INDEX jobs_newest ON jobs (created_at);
