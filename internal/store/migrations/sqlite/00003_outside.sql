-- +goose Up
-- Systems that run elsewhere, and logs of what they answered.

CREATE TABLE endpoints (
    name       TEXT NOT NULL PRIMARY KEY,
    body       TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    changed_at TIMESTAMP NOT NULL
);

CREATE TABLE logs (
    name       TEXT NOT NULL,
    version    BIGINT NOT NULL,
    digest     TEXT NOT NULL,
    items      BIGINT NOT NULL,
    chars      BIGINT NOT NULL,
    dataset    TEXT NOT NULL DEFAULT '',
    created_at TIMESTAMP NOT NULL,
    PRIMARY KEY (name, version)
);

CREATE TABLE logged_answers (
    log         TEXT NOT NULL,
    version     BIGINT NOT NULL,
    position    BIGINT NOT NULL,
    question_id TEXT NOT NULL,
    body        TEXT NOT NULL,
    PRIMARY KEY (log, version, position),
    UNIQUE (log, version, question_id),
    FOREIGN KEY (log, version) REFERENCES logs (name, version)
);
