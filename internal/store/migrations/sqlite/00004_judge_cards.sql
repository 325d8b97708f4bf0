-- +goose Up
-- What was measured of judges. Cards are kept: the newest of a judge and prompt version is in force.

CREATE TABLE judge_cards (
    judge          TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    measured_at    TIMESTAMP NOT NULL,
    status         TEXT NOT NULL,
    body           TEXT NOT NULL,
    PRIMARY KEY (judge, prompt_version, measured_at)
);
