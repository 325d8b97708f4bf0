#!/usr/bin/env bash
# Builds the user interface where there is Node, and finds a browser to test it with:
#
#   scripts/frontend.sh build      frontend/dist, unless it is newer than everything it is made from
#   scripts/frontend.sh bundle     the same without looking at types, for who does that besides
#   scripts/frontend.sh node       succeeds when Node is new enough
#   scripts/frontend.sh browser    prints the path of a Chromium, E2E_CHROMIUM or the system's; fails without one. With
#                                  WORKBENCH_SLOW_TESTS=1 the whole browser goes before the one without windows of its own
#
# Without Node, build says so and succeeds: the program is then built without pages. Nothing is installed on the system, and
# packages run no scripts of theirs.
set -euo pipefail
cd "$(dirname "$0")/../frontend"
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1

# has_node: Node and npm are there, of a version that package.json allows.
has_node() {
  command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
}

# install brings node_modules to the state of the lockfile, unless it is in it already.
install() {
  [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
}

# current: nothing that dist is made from is newer than dist.
current() {
  [ -f dist/index.html ] && [ -z "$(find src public index.html package-lock.json vite.config.ts tsconfig.json -newer dist/index.html -type f -print -quit)" ]
}

# build COMMAND…: has the command make dist.
build() {
  if ! has_node; then
    echo 'frontend: no Node 20.19 or newer, so the program is built without its pages (the API and the command line are complete)' >&2
    return 0
  fi
  install
  if ! current; then
    "$@" >/dev/null
  fi
}

browser() {
  local name names=(chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome)
  [ "${WORKBENCH_SLOW_TESTS:-}" != 1 ] || names=("${names[@]:1}" "${names[0]}")
  for name in "${E2E_CHROMIUM:-}" "${names[@]}"; do
    if [ -n "$name" ] && command -v "$name"; then
      return 0
    fi
  done
  return 1
}

case "${1:-}" in
build) build npm run --silent build ;;
bundle) build npx --no-install vite build ;;
node) has_node ;;
browser) browser ;;
*)
  echo "usage: $0 build|bundle|node|browser" >&2
  exit 2
  ;;
esac
