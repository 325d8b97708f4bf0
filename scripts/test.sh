#!/usr/bin/env bash
# Vets the code and runs all tests, then once more with the race detector, then those of the user interface, in a browser too, and
# says at the end what was skipped. "scripts/test.sh race" runs the race detector only, "scripts/test.sh frontend" the user
# interface only. WORKBENCH_REQUIRE_RACE=1 makes a missing C compiler a failure, WORKBENCH_REQUIRE_BROWSER=1 a missing Node or
# Chromium. E2E_ARTIFACTS is where pictures of every page go; default a temporary folder.
set -uo pipefail
cd "$(dirname "$0")/.."

only=${1:-}
pieces=$(mktemp -d)
trap 'rm -rf "$pieces"' EXIT

has_compiler() {
  local cc
  cc=$(CGO_ENABLED=1 go env CC) && echo 'int main(void) { return 0; }' >"$pieces/probe.c" &&
    $cc -o "$pieces/probe" "$pieces/probe.c" >/dev/null 2>&1
}

# A failing test is told by its events; the exit code of go test adds nothing to them.
run_all() {
  if [ "$only" = frontend ]; then
    run_frontend
    return 0
  fi
  if [ "$only" != race ]; then
    build_frontend # first, so that what embeds it is compiled once
    CGO_ENABLED=0 go vet ./... 2>&1 || echo '!! go vet'
    echo '== tests'
    CGO_ENABLED=0 go test -json ./...
  fi
  if has_compiler; then
    echo '== race'
    CGO_ENABLED=1 go test -race -timeout 30m -json ./...
  else
    echo 'race skipped: no C compiler'
    if [ "$only" = race ] || [ "${WORKBENCH_REQUIRE_RACE:-}" = 1 ]; then
      echo '!! the race run is required'
    fi
  fi
  if [ "$only" != race ]; then
    run_frontend
  fi
  return 0
}

build_frontend() {
  scripts/frontend.sh build 2>&1 || echo '!! the frontend does not build'
}

# missing WHAT: says that tests are skipped for want of something.
missing() {
  echo "$1"
  if [ "${WORKBENCH_REQUIRE_BROWSER:-}" = 1 ]; then
    echo '!! the browser tests are required'
  fi
}

run_frontend() {
  local browser
  if ! scripts/frontend.sh node; then
    missing 'frontend and browser tests skipped: no Node 20.19 or newer'
    return 0
  fi
  build_frontend
  (cd frontend && npm run --silent check 2>&1) || echo '!! type check of the frontend'
  echo '== frontend'
  (cd frontend && npx --no-install vitest run --reporter=json 2>"$pieces/vitest" | node e2e/unit_events.mjs) || cat "$pieces/vitest"
  if ! browser=$(scripts/frontend.sh browser); then
    missing 'browser tests skipped: no chromium'
    return 0
  fi
  CGO_ENABLED=0 go build -o "$pieces/workbench" ./cmd/workbench 2>&1 || return 0 # the tests of Go have told
  echo '== browser'
  (cd frontend && E2E_EVENTS=1 E2E_CHROMIUM=$browser E2E_WORKBENCH=$pieces/workbench npm run --silent e2e 2>&1)
  return 0
}

CGO_ENABLED=0 go build -o "$pieces/testsummary" ./scripts/testsummary || exit 1
run_all | "$pieces/testsummary"
