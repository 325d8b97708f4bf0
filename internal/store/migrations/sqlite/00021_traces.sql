-- +goose Up
-- Traces that programs send: spans until their trace is complete, with personal data masked before they get here, and what was asked in
-- each trace afterwards. outcome is empty while a trace is open.

CREATE TABLE traces (
    id         TEXT PRIMARY KEY,
    arrived_at TIMESTAMP NOT NULL,
    seen_at    TIMESTAMP NOT NULL,
    ended      BOOLEAN NOT NULL,
    spans      INTEGER NOT NULL,
    bytes      INTEGER NOT NULL,
    outcome    TEXT NOT NULL,
    item       BLOB NOT NULL
);
CREATE INDEX traces_open ON traces (outcome, arrived_at);
CREATE TABLE trace_spans (
    trace_id TEXT NOT NULL REFERENCES traces (id) ON DELETE CASCADE,
    id       TEXT NOT NULL,
    body     BLOB NOT NULL,
    PRIMARY KEY (trace_id, id)
);
