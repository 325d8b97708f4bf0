-- +goose Up
-- What lists of runs show and sort by, taken out of setup and totals by the database itself, so that it cannot say anything else. The
-- sqlite folder holds the same columns; there they are computed when they are read, because SQLite adds no others to a table that exists.

ALTER TABLE runs ADD COLUMN revision BIGINT GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{revision}')::BIGINT, 0)) STORED;
ALTER TABLE runs ADD COLUMN dataset_version BIGINT GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{dataset,version}')::BIGINT, 0)) STORED;
ALTER TABLE runs ADD COLUMN dataset_digest TEXT COLLATE "C" GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{dataset,digest}'), '')) STORED;
ALTER TABLE runs ADD COLUMN corpus TEXT COLLATE "C" GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{corpus,name}'), '')) STORED;
ALTER TABLE runs ADD COLUMN corpus_version BIGINT GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{corpus,version}')::BIGINT, 0)) STORED;
ALTER TABLE runs ADD COLUMN corpus_digest TEXT COLLATE "C" GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{corpus,digest}'), '')) STORED;
ALTER TABLE runs ADD COLUMN judge_provider TEXT COLLATE "C" GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{judge,provider}'), '')) STORED;
ALTER TABLE runs ADD COLUMN judge_model TEXT COLLATE "C" GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{judge,model}'), '')) STORED;
ALTER TABLE runs ADD COLUMN offline BOOLEAN GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{offline}')::BOOLEAN, FALSE)) STORED;
ALTER TABLE runs ADD COLUMN settled BOOLEAN GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{settled}')::BOOLEAN, FALSE)) STORED;
ALTER TABLE runs ADD COLUMN low_score DOUBLE PRECISION GENERATED ALWAYS AS (COALESCE((setup::jsonb #>> '{low_score}')::DOUBLE PRECISION, 0)) STORED;

-- Absent of runs without totals, or without such a score.
ALTER TABLE runs ADD COLUMN low_score_count BIGINT GENERATED ALWAYS AS ((totals::jsonb #>> '{low_score_count}')::BIGINT) STORED;
ALTER TABLE runs ADD COLUMN correctness DOUBLE PRECISION GENERATED ALWAYS AS ((totals::jsonb #>> '{scores,correctness,mean}')::DOUBLE PRECISION) STORED;
ALTER TABLE runs ADD COLUMN trust DOUBLE PRECISION GENERATED ALWAYS AS ((totals::jsonb #>> '{scores,trust,mean}')::DOUBLE PRECISION) STORED;

CREATE INDEX runs_newest ON runs (parent_id, created_at DESC, id);
