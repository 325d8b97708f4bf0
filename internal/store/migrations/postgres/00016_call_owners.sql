-- +goose Up
-- Of calls with one key, one is under way at a time. beat grows while its owner is alive; calls from before hold nothing.

ALTER TABLE calls ADD COLUMN beat BIGINT NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX calls_under_way ON calls (cache_key) WHERE state = 'sent' AND beat > 0 AND cache_key <> '';
