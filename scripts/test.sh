#!/usr/bin/env bash
# Vets the code and runs all tests, then once more with the race detector, and says at the end what was skipped.
# "scripts/test.sh race" runs the race detector only. WORKBENCH_REQUIRE_RACE=1 makes a missing C compiler a failure.
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
  if [ "$only" != race ]; then
    CGO_ENABLED=0 go vet ./... 2>&1 || echo '!! go vet'
    echo '== tests'
    CGO_ENABLED=0 go test -json ./...
  fi
  if has_compiler; then
    echo '== race'
    CGO_ENABLED=1 go test -race -json ./...
  else
    echo 'race skipped: no C compiler'
    if [ "$only" = race ] || [ "${WORKBENCH_REQUIRE_RACE:-}" = 1 ]; then
      echo '!! the race run is required'
    fi
  fi
  return 0
}

CGO_ENABLED=0 go build -o "$pieces/testsummary" ./scripts/testsummary || exit 1
run_all | "$pieces/testsummary"
