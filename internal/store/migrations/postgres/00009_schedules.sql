-- +goose Up
-- Schedules, and one row for each of their slots. The sqlite folder holds the same tables.

CREATE TABLE schedules (
    name       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    body       TEXT NOT NULL,
    paused     BOOLEAN NOT NULL,
    paused_why TEXT NOT NULL,
    next_at    TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

-- The unique pair makes several servers, restarts and changes of the clock harmless: a slot is claimed by whoever writes it first.
CREATE TABLE fires (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    schedule   TEXT COLLATE "C" NOT NULL,
    nominal_at TIMESTAMPTZ NOT NULL,
    state      TEXT COLLATE "C" NOT NULL,
    worker     TEXT COLLATE "C" NOT NULL,
    seen_at    TIMESTAMPTZ,
    cancel     BOOLEAN NOT NULL,
    run_id     TEXT COLLATE "C" NOT NULL,
    body       TEXT NOT NULL,
    UNIQUE (schedule, nominal_at)
);
CREATE INDEX fires_open ON fires (nominal_at) WHERE state IN ('due', 'running');

-- When a scheduler was last alive: one row.
CREATE TABLE scheduler_clock (
    id         BIGINT NOT NULL PRIMARY KEY,
    seen_at    TIMESTAMPTZ NOT NULL
);
