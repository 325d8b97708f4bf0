-- +goose Up
-- What a run shows and is sorted by is pooled with the votes of its children. Its own totals stay as they were closed; the pooled ones stand
-- beside them, '' where it has no finished children of its kind. The postgres folder holds the same columns.

ALTER TABLE runs ADD COLUMN pooled TEXT NOT NULL DEFAULT '';

DROP INDEX runs_by_correctness;
DROP INDEX runs_by_trust;
DROP INDEX runs_by_low_scores;
ALTER TABLE runs DROP COLUMN low_score_count;
ALTER TABLE runs DROP COLUMN correctness;
ALTER TABLE runs DROP COLUMN trust;
ALTER TABLE runs ADD COLUMN low_score_count BIGINT GENERATED ALWAYS AS
    (json_extract(CASE WHEN pooled = '' THEN totals ELSE pooled END, '$.low_score_count')) VIRTUAL;
ALTER TABLE runs ADD COLUMN correctness DOUBLE PRECISION GENERATED ALWAYS AS
    (json_extract(CASE WHEN pooled = '' THEN totals ELSE pooled END, '$.scores.correctness.mean')) VIRTUAL;
ALTER TABLE runs ADD COLUMN trust DOUBLE PRECISION GENERATED ALWAYS AS
    (json_extract(CASE WHEN pooled = '' THEN totals ELSE pooled END, '$.scores.trust.mean')) VIRTUAL;
CREATE INDEX runs_by_correctness ON runs (parent_id, correctness DESC, id);
CREATE INDEX runs_by_trust ON runs (parent_id, trust DESC, id);
CREATE INDEX runs_by_low_scores ON runs (parent_id, low_score_count DESC, id);
