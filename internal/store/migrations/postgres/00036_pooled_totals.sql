-- +goose Up
-- What a run shows and is sorted by is pooled with the votes of its children. Its own totals stay as they were closed; the pooled ones stand
-- beside them, '' where it has no finished children of its kind. The sqlite folder holds the same columns.

ALTER TABLE runs ADD COLUMN pooled TEXT NOT NULL DEFAULT '';

ALTER TABLE runs DROP COLUMN low_score_count, DROP COLUMN correctness, DROP COLUMN trust;
ALTER TABLE runs
    ADD COLUMN low_score_count BIGINT GENERATED ALWAYS AS
        (((CASE WHEN pooled = '' THEN totals ELSE pooled END)::jsonb #>> '{low_score_count}')::BIGINT) STORED,
    ADD COLUMN correctness DOUBLE PRECISION GENERATED ALWAYS AS
        (((CASE WHEN pooled = '' THEN totals ELSE pooled END)::jsonb #>> '{scores,correctness,mean}')::DOUBLE PRECISION) STORED,
    ADD COLUMN trust DOUBLE PRECISION GENERATED ALWAYS AS
        (((CASE WHEN pooled = '' THEN totals ELSE pooled END)::jsonb #>> '{scores,trust,mean}')::DOUBLE PRECISION) STORED;
CREATE INDEX runs_by_correctness ON runs (parent_id, correctness DESC NULLS LAST, id);
CREATE INDEX runs_by_trust ON runs (parent_id, trust DESC NULLS LAST, id);
CREATE INDEX runs_by_low_scores ON runs (parent_id, low_score_count DESC NULLS LAST, id);
