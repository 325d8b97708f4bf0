-- +goose Up
-- What a reply told besides its words: how it was read although it was not exactly the JSON asked for, and how much of the prompt the
-- provider had in its cache.

ALTER TABLE calls ADD COLUMN repair TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN cached_tokens BIGINT NOT NULL DEFAULT 0;
