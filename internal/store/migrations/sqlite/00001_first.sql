-- +goose Up
-- The postgres folder holds the same tables; only types of times and bytes, the insertion counter, collations and WITHOUT
-- ROWID differ. Nested values are JSON in TEXT columns.

CREATE TABLE install (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
);

CREATE TABLE corpora (
    name       TEXT NOT NULL,
    version    BIGINT NOT NULL,
    digest     TEXT NOT NULL,
    items      BIGINT NOT NULL,
    chars      BIGINT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    PRIMARY KEY (name, version)
);

CREATE TABLE documents (
    corpus   TEXT NOT NULL,
    version  BIGINT NOT NULL,
    position BIGINT NOT NULL,
    doc_id   TEXT NOT NULL,
    title    TEXT NOT NULL,
    text     TEXT NOT NULL,
    lang     TEXT NOT NULL,
    source   TEXT NOT NULL,
    metadata TEXT NOT NULL,
    PRIMARY KEY (corpus, version, position),
    UNIQUE (corpus, version, doc_id),
    FOREIGN KEY (corpus, version) REFERENCES corpora (name, version)
);

CREATE TABLE datasets (
    name       TEXT NOT NULL,
    version    BIGINT NOT NULL,
    digest     TEXT NOT NULL,
    items      BIGINT NOT NULL,
    chars      BIGINT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    PRIMARY KEY (name, version)
);

CREATE TABLE questions (
    dataset     TEXT NOT NULL,
    version     BIGINT NOT NULL,
    position    BIGINT NOT NULL,
    question_id TEXT NOT NULL,
    body        TEXT NOT NULL,
    PRIMARY KEY (dataset, version, position),
    UNIQUE (dataset, version, question_id),
    FOREIGN KEY (dataset, version) REFERENCES datasets (name, version)
);

CREATE TABLE experiments (
    name     TEXT NOT NULL PRIMARY KEY,
    revision BIGINT NOT NULL,
    archived BOOLEAN NOT NULL
);

CREATE TABLE revisions (
    experiment TEXT NOT NULL REFERENCES experiments (name),
    revision   BIGINT NOT NULL,
    definition TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    PRIMARY KEY (experiment, revision)
);

-- guard_spent and guard_reserved only serve the budget check; they are rebuilt from calls and never shown.
CREATE TABLE runs (
    seq            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT NOT NULL UNIQUE,
    kind           TEXT NOT NULL,
    parent_id      TEXT NOT NULL,
    sweep_id       TEXT NOT NULL,
    ordinal        BIGINT NOT NULL,
    params         TEXT NOT NULL,
    setup          TEXT NOT NULL,
    setup_digest   TEXT NOT NULL,
    experiment     TEXT NOT NULL,
    dataset        TEXT NOT NULL,
    state          TEXT NOT NULL,
    cause          TEXT NOT NULL,
    owner          TEXT NOT NULL,
    epoch          BIGINT NOT NULL,
    heartbeat_at   TIMESTAMP,
    wanted_state   TEXT NOT NULL,
    budget_micros  BIGINT NOT NULL,
    guard_spent    BIGINT NOT NULL,
    guard_reserved BIGINT NOT NULL,
    created_at     TIMESTAMP NOT NULL,
    started_at     TIMESTAMP,
    finished_at    TIMESTAMP,
    totals         TEXT NOT NULL,
    chain          TEXT NOT NULL
);
CREATE INDEX runs_by_setup ON runs (setup_digest, kind);
CREATE INDEX runs_by_sweep ON runs (sweep_id);
CREATE INDEX runs_by_parent ON runs (parent_id);

CREATE TABLE baselines (
    dataset TEXT NOT NULL PRIMARY KEY,
    run_id  TEXT NOT NULL REFERENCES runs (id),
    set_at  TIMESTAMP NOT NULL
);

CREATE TABLE answers (
    run_id          TEXT NOT NULL REFERENCES runs (id),
    question_id     TEXT NOT NULL,
    replicate       BIGINT NOT NULL,
    state           TEXT NOT NULL,
    retrieval_key   TEXT NOT NULL,
    generation_key  TEXT NOT NULL,
    failure_cause   TEXT NOT NULL,
    failure_message TEXT NOT NULL,
    latency_ms      BIGINT NOT NULL,
    created_at      TIMESTAMP NOT NULL,
    PRIMARY KEY (run_id, question_id, replicate)
) WITHOUT ROWID;

CREATE TABLE cells (
    run_id          TEXT NOT NULL REFERENCES runs (id),
    question_id     TEXT NOT NULL,
    position        BIGINT NOT NULL,
    metric          TEXT NOT NULL,
    metric_position BIGINT NOT NULL,
    metric_version  TEXT NOT NULL,
    replicate       BIGINT NOT NULL,
    state           TEXT NOT NULL,
    value           DOUBLE PRECISION,
    reason          TEXT NOT NULL,
    stages          TEXT NOT NULL,
    attempt_gen     BIGINT NOT NULL,
    writes          BIGINT NOT NULL,
    updated_at      TIMESTAMP NOT NULL,
    PRIMARY KEY (run_id, question_id, metric, replicate)
) WITHOUT ROWID;

CREATE TABLE stages (
    key        TEXT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    body       BLOB NOT NULL,
    created_at TIMESTAMP NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'))
);

-- calls has no reference to runs: a deleted run leaves its bill.
CREATE TABLE calls (
    id                TEXT NOT NULL PRIMARY KEY,
    run_id            TEXT NOT NULL,
    question_id       TEXT NOT NULL,
    stage             TEXT NOT NULL,
    purpose           TEXT NOT NULL,
    provider          TEXT NOT NULL,
    origin            TEXT NOT NULL,
    model             TEXT NOT NULL,
    cache_key         TEXT NOT NULL,
    replicate         BIGINT NOT NULL,
    attempt           BIGINT NOT NULL,
    state             TEXT NOT NULL,
    owner             TEXT NOT NULL,
    sent_at           TIMESTAMP NOT NULL,
    done_at           TIMESTAMP,
    http_status       BIGINT NOT NULL,
    estimate_micros   BIGINT NOT NULL,
    cost_micros       BIGINT NOT NULL,
    cost_kind         TEXT NOT NULL,
    prompt_tokens     BIGINT NOT NULL,
    completion_tokens BIGINT NOT NULL,
    model_seen        TEXT NOT NULL,
    request           BLOB,
    reply             BLOB,
    reply_sha256      TEXT NOT NULL,
    cause             TEXT NOT NULL
);
CREATE INDEX calls_by_run ON calls (run_id);
CREATE INDEX calls_by_key ON calls (cache_key);
CREATE INDEX calls_sent ON calls (owner) WHERE state = 'sent';

CREATE TABLE cache (
    key        TEXT NOT NULL PRIMARY KEY,
    call_id    TEXT NOT NULL REFERENCES calls (id),
    created_at TIMESTAMP NOT NULL,
    pinned     BOOLEAN NOT NULL
);

CREATE TABLE vectors (
    space  TEXT NOT NULL,
    digest TEXT NOT NULL,
    dim    BIGINT NOT NULL,
    body   BLOB NOT NULL,
    PRIMARY KEY (space, digest)
);

CREATE TABLE events (
    run_id TEXT NOT NULL REFERENCES runs (id),
    seq    BIGINT NOT NULL,
    kind   TEXT NOT NULL,
    body   TEXT NOT NULL,
    at     TIMESTAMP NOT NULL,
    PRIMARY KEY (run_id, seq)
);
