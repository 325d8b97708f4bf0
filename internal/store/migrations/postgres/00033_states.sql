-- +goose Up
-- Calls that may be pruned are named state by state, as the sqlite folder has them.

DROP INDEX calls_to_prune;
CREATE INDEX calls_to_prune ON calls (COALESCE(done_at, sent_at))
    WHERE (state = 'usable' OR state = 'unusable' OR state = 'failed') AND NOT pruned;
