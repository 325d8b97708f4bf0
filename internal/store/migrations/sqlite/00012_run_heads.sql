-- +goose Up
-- What lists of runs show and sort by, taken out of setup and totals by the database itself, so that it cannot say anything else. The
-- postgres folder holds the same columns; there they are stored, because PostgreSQL 15 has no others.

ALTER TABLE runs ADD COLUMN revision BIGINT GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.revision'), 0)) VIRTUAL;
ALTER TABLE runs ADD COLUMN dataset_version BIGINT GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.dataset.version'), 0)) VIRTUAL;
ALTER TABLE runs ADD COLUMN dataset_digest TEXT GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.dataset.digest'), '')) VIRTUAL;
ALTER TABLE runs ADD COLUMN corpus TEXT GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.corpus.name'), '')) VIRTUAL;
ALTER TABLE runs ADD COLUMN corpus_version BIGINT GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.corpus.version'), 0)) VIRTUAL;
ALTER TABLE runs ADD COLUMN corpus_digest TEXT GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.corpus.digest'), '')) VIRTUAL;
ALTER TABLE runs ADD COLUMN judge_provider TEXT GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.judge.provider'), '')) VIRTUAL;
ALTER TABLE runs ADD COLUMN judge_model TEXT GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.judge.model'), '')) VIRTUAL;
ALTER TABLE runs ADD COLUMN offline BOOLEAN GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.offline'), FALSE)) VIRTUAL;
ALTER TABLE runs ADD COLUMN settled BOOLEAN GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.settled'), FALSE)) VIRTUAL;
ALTER TABLE runs ADD COLUMN low_score DOUBLE PRECISION GENERATED ALWAYS AS (COALESCE(json_extract(setup, '$.low_score'), 0)) VIRTUAL;

-- Absent of runs without totals, or without such a score.
ALTER TABLE runs ADD COLUMN low_score_count BIGINT GENERATED ALWAYS AS (json_extract(totals, '$.low_score_count')) VIRTUAL;
ALTER TABLE runs ADD COLUMN correctness DOUBLE PRECISION GENERATED ALWAYS AS (json_extract(totals, '$.scores.correctness.mean')) VIRTUAL;
ALTER TABLE runs ADD COLUMN trust DOUBLE PRECISION GENERATED ALWAYS AS (json_extract(totals, '$.scores.trust.mean')) VIRTUAL;

CREATE INDEX runs_newest ON runs (parent_id, created_at DESC, id);
