-- +goose Up
-- What an experiment's trend tells of its runs is found by them, and not by going through every fire.
-- Every call of a run changes its row twice, because budgets are counted there, and each change writes the row anew. So what is long and
-- never changes, the setup, stands outside of it, and pages have room for the next versions, which then need no entries in the indexes and
-- are tidied in passing. Lists read few pages that way, even where nobody vacuums. Runs of before stay as they were written.

CREATE INDEX fires_by_run ON fires (run_id);
ALTER TABLE runs SET (toast_tuple_target = 1024, fillfactor = 50);
