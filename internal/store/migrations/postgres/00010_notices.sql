-- +goose Up
-- Messages of schedules, stored before they are sent. There is one for each thing to tell, channel and kind: the id follows from them.

CREATE TABLE notices (
    id         TEXT PRIMARY KEY,
    channel    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    schedule   TEXT NOT NULL,
    state      TEXT NOT NULL,
    owner      TEXT NOT NULL,
    next_at    TIMESTAMPTZ NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    body       TEXT NOT NULL
);
CREATE INDEX notices_due ON notices (state, next_at);
CREATE INDEX notices_newest ON notices (created_at);

CREATE TABLE notice_attempts (
    notice_id TEXT NOT NULL REFERENCES notices (id) ON DELETE CASCADE,
    nth       BIGINT NOT NULL,
    at        TIMESTAMPTZ NOT NULL,
    outcome   TEXT NOT NULL,
    took_ms   BIGINT NOT NULL,
    PRIMARY KEY (notice_id, nth)
);
