-- +goose Up
-- What lists of runs are filtered by, beside each other, because the rows themselves are long; what they are sorted by; and the newest run
-- of an experiment.
-- Columns that the database makes are in none of the first, because with them it would read the rows all the same.

CREATE INDEX runs_listed ON runs (parent_id, created_at DESC, id, sweep_id, experiment, dataset, state, kind, params);
CREATE INDEX runs_by_correctness ON runs (parent_id, correctness DESC, id);
CREATE INDEX runs_by_trust ON runs (parent_id, trust DESC, id);
CREATE INDEX runs_by_low_scores ON runs (parent_id, low_score_count DESC, id);
CREATE INDEX runs_by_experiment ON runs (experiment, created_at DESC);
CREATE INDEX runs_by_kind ON runs (kind, dataset, created_at DESC);
