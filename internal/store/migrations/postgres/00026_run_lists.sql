-- +goose Up
-- What lists of runs are filtered by, beside each other, because the rows themselves are long; what they are sorted by; and the newest run
-- of an experiment.
-- Parameters may be longer than an entry of an index here.

CREATE INDEX runs_listed ON runs (parent_id, created_at DESC, id, sweep_id, experiment, dataset, state, kind);
CREATE INDEX runs_by_correctness ON runs (parent_id, correctness DESC NULLS LAST, id);
CREATE INDEX runs_by_trust ON runs (parent_id, trust DESC NULLS LAST, id);
CREATE INDEX runs_by_low_scores ON runs (parent_id, low_score_count DESC NULLS LAST, id);
CREATE INDEX runs_by_experiment ON runs (experiment, created_at DESC);
CREATE INDEX runs_by_kind ON runs (kind, dataset, created_at DESC);
