-- +goose Up
-- Calls that may be pruned are named state by state: for a list of three, SQLite makes a table each time that it asks whether a row belongs
-- into the index, five times for a call.

DROP INDEX calls_to_prune;
CREATE INDEX calls_to_prune ON calls (COALESCE(done_at, sent_at))
    WHERE (state = 'usable' OR state = 'unusable' OR state = 'failed') AND NOT pruned;
