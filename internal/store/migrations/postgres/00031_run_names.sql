-- +goose Up
-- What people know a run by, in one text: few runs of a history differ in it. A list is searched for a text by these names, each looked
-- at once, and not by the runs. The sqlite folder holds the same column, and has itself in its index.

ALTER TABLE runs ADD COLUMN named TEXT COLLATE "C" GENERATED ALWAYS AS (experiment || chr(31) || dataset || chr(31)
    || COALESCE(setup::jsonb #>> '{dataset,version}', '0') || chr(31) || COALESCE(setup::jsonb #>> '{corpus,name}', '') || chr(31)
    || COALESCE(setup::jsonb #>> '{corpus,version}', '0') || chr(31) || params) STORED;
CREATE INDEX runs_named ON runs (md5(named), parent_id, created_at DESC, id);
