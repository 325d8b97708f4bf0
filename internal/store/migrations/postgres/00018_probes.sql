-- +goose Up
-- What is known of a model at a provider for one purpose: the form of its replies, dimensions, latency. The newest probe counts.

CREATE TABLE probes (
    provider TEXT NOT NULL,
    origin   TEXT NOT NULL,
    model    TEXT NOT NULL,
    purpose  TEXT NOT NULL,
    at       TIMESTAMPTZ NOT NULL,
    body     TEXT NOT NULL,
    PRIMARY KEY (provider, origin, model, purpose)
);
