-- +goose Up
-- Indexes that teams already have, by the corpus that stands for them: what a row means, and where the index is reached from here. A
-- run keeps what rows mean; where the index is reached belongs to this installation.

CREATE TABLE corpus_indexes (
    corpus     TEXT NOT NULL PRIMARY KEY,
    body       TEXT NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL
);
