-- +goose Up
-- What people know a run by, in one text: few runs of a history differ in it. A list is searched for a text by these names, each looked
-- at once, and not by the runs. The postgres folder holds the same column; its index has a digest of it, because entries there are short.

ALTER TABLE runs ADD COLUMN named TEXT GENERATED ALWAYS AS (experiment || char(31) || dataset || char(31) || dataset_version || char(31)
    || corpus || char(31) || corpus_version || char(31) || params) VIRTUAL;
CREATE INDEX runs_named ON runs (named, parent_id, created_at DESC, id, state, kind);
