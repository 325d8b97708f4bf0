-- +goose Up
-- Links that show one page to whoever has them. Of the secret there is a hash only; the page is kept in both languages as it was when the
-- link was made, compressed, and taken away with the link.

CREATE TABLE share_links (
    id         TEXT PRIMARY KEY,
    hash       TEXT NOT NULL UNIQUE,
    kind       TEXT NOT NULL,
    title      TEXT NOT NULL,
    runs       TEXT NOT NULL,
    notebook   TEXT NOT NULL,
    texts      BOOLEAN NOT NULL,
    made_by    TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL,
    revoked_at TIMESTAMP,
    opened     INTEGER NOT NULL,
    opened_at  TIMESTAMP,
    page_en    BLOB NOT NULL,
    page_ja    BLOB NOT NULL
);
