-- +goose Up
-- Systems that run elsewhere, and logs of what they answered. The sqlite folder holds the same tables.

CREATE TABLE endpoints (
    name       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    body       TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE logs (
    name       TEXT COLLATE "C" NOT NULL,
    version    BIGINT NOT NULL,
    digest     TEXT COLLATE "C" NOT NULL,
    items      BIGINT NOT NULL,
    chars      BIGINT NOT NULL,
    dataset    TEXT COLLATE "C" NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (name, version)
);

CREATE TABLE logged_answers (
    log         TEXT COLLATE "C" NOT NULL,
    version     BIGINT NOT NULL,
    position    BIGINT NOT NULL,
    question_id TEXT COLLATE "C" NOT NULL,
    body        TEXT NOT NULL,
    PRIMARY KEY (log, version, position),
    UNIQUE (log, version, question_id),
    FOREIGN KEY (log, version) REFERENCES logs (name, version)
);
