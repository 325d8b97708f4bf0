-- +goose Up
-- What was made under which idempotency key, so that a request which is sent again, after a restart too, makes nothing new.

CREATE TABLE idempotency_keys (
    scope      TEXT NOT NULL,
    key        TEXT NOT NULL,
    digest     TEXT NOT NULL,
    made       TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (scope, key)
);
