-- +goose Up
-- Who may do what: accounts, the sessions of browsers, the tokens of programs, links that are used once, and the audit log. Of secrets
-- there are hashes only. Tokens and entries of the audit log hold no reference to accounts, because they outlive what they name.

CREATE TABLE accounts (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL,
    name_key      TEXT NOT NULL UNIQUE,
    role          TEXT NOT NULL,
    disabled      BOOLEAN NOT NULL,
    password_hash TEXT NOT NULL,
    subject       TEXT UNIQUE,
    created_at    TIMESTAMP NOT NULL,
    signed_in_at  TIMESTAMP
);

CREATE TABLE sessions (
    id         TEXT PRIMARY KEY,
    account    TEXT NOT NULL,
    token      TEXT NOT NULL,
    data       BLOB NOT NULL,
    created_at TIMESTAMP NOT NULL,
    seen_at    TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    address    TEXT NOT NULL,
    agent      TEXT NOT NULL
);
CREATE INDEX sessions_account ON sessions (account);
CREATE INDEX sessions_token ON sessions (token);

CREATE TABLE api_tokens (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL UNIQUE,
    role       TEXT NOT NULL,
    account    TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP,
    used_at    TIMESTAMP,
    revoked_at TIMESTAMP
);
CREATE INDEX api_tokens_account ON api_tokens (account);

CREATE TABLE sign_in_links (
    hash       TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    account    TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE TABLE audit_log (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      TIMESTAMP NOT NULL,
    kind    TEXT NOT NULL,
    actor   TEXT NOT NULL,
    name    TEXT NOT NULL,
    action  TEXT NOT NULL,
    target  TEXT NOT NULL,
    outcome TEXT NOT NULL,
    address TEXT NOT NULL,
    detail  TEXT NOT NULL
);
CREATE INDEX audit_log_actor ON audit_log (actor, action, id);
