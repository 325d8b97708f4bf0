-- +goose Up
-- Schedules, and one row for each of their slots.

CREATE TABLE schedules (
    name       TEXT NOT NULL PRIMARY KEY,
    body       TEXT NOT NULL,
    paused     BOOLEAN NOT NULL,
    paused_why TEXT NOT NULL,
    next_at    TIMESTAMP NOT NULL,
    created_at TIMESTAMP NOT NULL
);

-- The unique pair makes several servers, restarts and changes of the clock harmless: a slot is claimed by whoever writes it first.
CREATE TABLE fires (
    id         TEXT NOT NULL PRIMARY KEY,
    schedule   TEXT NOT NULL,
    nominal_at TIMESTAMP NOT NULL,
    state      TEXT NOT NULL,
    worker     TEXT NOT NULL,
    seen_at    TIMESTAMP,
    cancel     BOOLEAN NOT NULL,
    run_id     TEXT NOT NULL,
    body       TEXT NOT NULL,
    UNIQUE (schedule, nominal_at)
);
CREATE INDEX fires_open ON fires (nominal_at) WHERE state IN ('due', 'running');

-- When a scheduler was last alive: one row.
CREATE TABLE scheduler_clock (
    id      BIGINT NOT NULL PRIMARY KEY,
    seen_at TIMESTAMP NOT NULL
);
