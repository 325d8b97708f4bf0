-- +goose Up
-- Budgets of calls, budgets of sweeps, the calls behind stage outputs, and what pruning has taken.

ALTER TABLE runs ADD COLUMN budget_calls BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN guard_calls BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN pinned BOOLEAN NOT NULL DEFAULT FALSE;

-- calls is the JSON of a list of ids.
ALTER TABLE stages ADD COLUMN calls TEXT NOT NULL DEFAULT 'null';

-- sweep_id repeats that of the run, because a run may be deleted and its sweep still has to pay for it.
ALTER TABLE calls ADD COLUMN sweep_id TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN pruned BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX calls_by_sweep ON calls (sweep_id) WHERE sweep_id <> '';

UPDATE calls SET sweep_id = COALESCE((SELECT runs.sweep_id FROM runs WHERE runs.id = calls.run_id), '')
WHERE run_id IN (SELECT id FROM runs WHERE runs.sweep_id <> '');

-- A sweep's guard covers its runs from now on; the other numbers of guards are right already.
UPDATE runs SET
    guard_calls = (SELECT COUNT(*) FROM calls WHERE calls.run_id = runs.id OR calls.sweep_id = runs.id AND calls.sweep_id <> ''),
    guard_spent = guard_spent + (SELECT COALESCE(SUM(r.guard_spent), 0) FROM runs AS r WHERE r.sweep_id = runs.id),
    guard_reserved = guard_reserved + (SELECT COALESCE(SUM(r.guard_reserved), 0) FROM runs AS r WHERE r.sweep_id = runs.id);
