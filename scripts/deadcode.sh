#!/usr/bin/env bash
# Lists functions that no program reaches, and fails when there are some. Half a minute of processor, so only make test-full runs it.
# What only tests reach counts too, except in packages that are made for tests and in the checks of the project's shape.
set -euo pipefail
cd "$(dirname "$0")/.."

found=$(CGO_ENABLED=0 GOFLAGS= go run golang.org/x/tools/cmd/deadcode@v0.51.0 ./...)
if grep -Ev '^(internal/([a-z]+/)*(apptest|weekly|resealtest|evaltest|mappingstest|pgtest)|scripts/architecture)/' <<<"$found"; then
  exit 1
fi
