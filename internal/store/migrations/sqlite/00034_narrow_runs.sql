-- +goose Up
-- What an experiment's trend tells of its runs is found by them, and not by going through every fire. The postgres folder also keeps the
-- rows of runs narrow.

CREATE INDEX fires_by_run ON fires (run_id);
