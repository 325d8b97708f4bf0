-- +goose Up
-- What grew with the years. Calls that may be pruned are found by when they were settled, and not by looking at all that were ever made;
-- and so is what the cache has of a call, which is asked for each that is taken out.
-- Sweeps with their runs folded are counted in an index that is narrow. The sqlite folder also gives back the pages of pruned calls.

CREATE INDEX calls_to_prune ON calls (COALESCE(done_at, sent_at)) WHERE state IN ('usable', 'unusable', 'failed') AND NOT pruned;
CREATE INDEX cache_by_call ON cache (call_id);
CREATE INDEX cache_pinned ON cache (call_id) WHERE pinned;
DROP INDEX runs_by_sweep;
CREATE INDEX runs_by_sweep ON runs (sweep_id, parent_id);
