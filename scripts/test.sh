#!/usr/bin/env bash
# Runs the tests and says at the end what was skipped. There are three parts:
#
#   go      vet, and all tests of all packages; run beside race, without those that race runs, and on one commit without those that
#           have their turn on another (scripts/turns.txt)
#   race    what scripts/race.txt lists, under the race detector, with -short (needs a C compiler)
#   pages   the frontend's formatter, linter, types and tests, and the program in a browser (needs Node and Chromium)
#
# "scripts/test.sh" runs all of them, go and race beside pages; "scripts/test.sh PART" runs one. What each took goes to standard
# error. "scripts/test.sh early" tests nothing: it makes the pages and compiles what needs none, for who waits for something else meanwhile.
#
# WORKBENCH_SLOW_TESTS=1, which "make test-full" sets, adds tests that take long and the search for dead code, puts every package under the race detector, and
# shows every view in every language and colour scheme. WORKBENCH_REQUIRE_RACE=1 makes a missing C compiler a failure,
# WORKBENCH_REQUIRE_BROWSER=1 a missing Node or Chromium. E2E_ARTIFACTS is where pictures of the pages go; without it none
# are taken.
set -uo pipefail
cd "$(dirname "$0")/.."

only=${1:-}
full=${WORKBENCH_SLOW_TESTS:-}
pieces=$(mktemp -d "$(scripts/scratch.sh)/workbench-test.XXXXXX")
trap 'rm -rf "$pieces"' EXIT
export TMPDIR=$pieces/tmp
mkdir "$TMPDIR"
# No test looks at debug information or symbols, and to write them is more than half of the work of linking eighty programs. Without
# paths, what was compiled in one clone serves another. Nobody asks for MessagePack, and its code is 6 MB of the program.
export GOFLAGS="${GOFLAGS:-} -trimpath -tags=nomsgpack -ldflags=-s"
# Everything is compiled anew on each run. Without inlining that takes a third less, and the tests take as long as before; without debug
# information, which is not linked anyway, a twentieth to an eighth less again. Two exceptions from the first more than pay for
# themselves: every look of the database engine at memory is a function of one line, which allocates when it is not inlined, and the
# standard library is at work everywhere.
GOFLAGS+=" '-gcflags=all=-l -dwarf=false' -gcflags=std=-dwarf=false -gcflags=modernc.org/...=-dwarf=false"
# A test's heap is small and its life short: to collect garbage at every doubling is a tenth of all its work.
export GOGC=400
GOFLAGS+=" '-toolexec=$PWD/scripts/thrift.sh'"
# Most of what is compiled needs no pages. What does not compile is told by the tests.
early() { CGO_ENABLED=0 go build ./internal/app >/dev/null 2>&1 || true; }
if [ "$only" = early ]; then
  scripts/frontend.sh bundle >/dev/null 2>&1 &
  early
  wait
  exit
fi
# What is evaluated once and looked at by several tests is kept here.
export WORKBENCH_TEST_WORLDS=$pieces/worlds
mkdir "$WORKBENCH_TEST_WORLDS"

has_compiler() {
  local cc
  cc=$(CGO_ENABLED=1 go env CC) && echo 'int main(void) { return 0; }' >"$pieces/probe.c" &&
    $cc -o "$pieces/probe" "$pieces/probe.c" >/dev/null 2>&1
}

# left says what this run leaves to make test-full, besides the tests that the summary names as skipped.
left() {
  [ "$full" != 1 ] || return 0
  echo 'left to make test-full, besides what is named as skipped at the end:'
  echo '  functions that no program reaches (scripts/deadcode.sh); what go vet learns of the code of others (scripts/vetown)'
  echo '  browser tests of other commits (frontend/e2e/turns.ts, named when they start); every view in the three other pairs of language'
  echo '  and colours, and three quarters of the views in each; hostile texts in the other places,'
  echo '  most pages as editor and viewer see them, the editor and what is empty in the other language, charts by axe at the other'
  echo '  width (E2E_TURN); large hostile files that are read on other commits (WORKBENCH_TURN)'
  echo '  the whole browser, where there is one without windows; the Japanese demo in it; 10,000 questions instead of 400,'
  echo '  60 cells instead of 20'
  echo '  what runs under the race detector, without it; two workers instead of three at one run'
  echo '  the race detector on the tests that scripts/race.txt does not name, and in:'
  sed -nE 's|^- ([^ ]+) .*|    \1|p' scripts/race.txt
  in_turn not | sed -E 's|^\./([^ ]+) .*|    \1 (it has its turn on other commits)|'
  echo '  tests that take long and have their turn on other commits:'
  in_turn not scripts/turns.txt | sed -nE 's|^\./([^ ]+) (Test[^ ]+) .*|    \1 \2|p'
  echo '  folders that have their turn on other commits, neither vetted nor tested:'
  waiting_folders | sed "s|^$(go list -m)/|    |"
}

# took NAME COMMAND…: runs the command and says how long it took, and what processors worked for it meanwhile.
took() {
  local TIMEFORMAT="-- $1: %0R s; a processor worked %0U + %0S s"
  time "${@:2}"
}

# A failing test is told by its events; the exit code of go test adds nothing to them.
run_all() {
  left
  case "$only" in
  go) build_frontend && took go run_go ;;
  race) took race run_race whole some ;;
  pages) took pages run_pages ;;
  *)
    early &
    build_frontend
    wait
    (took pages run_pages; race_left) >"$pieces/aside" 2>&1 &
    # A browser waits often and has to be answered soon; the rest takes what processors it leaves.
    renice -n 5 -p $BASHPID >/dev/null 2>&1
    # In a shell of its own: what worked aside is not counted here when it ends meanwhile.
    (took go run_go; race_left)
    wait
    cat "$pieces/aside"
    ;;
  esac
  return 0
}

# race_left runs the halves of the race run that nobody has begun: the side that ends first takes the first, so that both
# end together. The second looks at worlds that the tests of Go have evaluated.
race_left() {
  local half
  for half in whole some; do
    ! mkdir "$pieces/race-$half" 2>/dev/null || took "race, $half" run_race "$half"
  done
}

run_go() {
  local own=(-vettool="$pieces/vetown")
  [ "$full" != 1 ] || own=()
  # The slow figures, which nothing here runs, compile too.
  local all
  mapfile -t all < <(go list ./... | grep -vxFf <(waiting_folders))
  VET=$(go tool -n vet) CGO_ENABLED=0 go vet "${own[@]}" -tags=nomsgpack,slow "${all[@]}" 2>&1 || echo '!! go vet'
  [ "$full" != 1 ] || scripts/deadcode.sh 2>&1 || echo '!! dead code'
  echo '== tests'
  if [ -z "$only" ] && [ "$full" != 1 ] && has_compiler; then # what the race run runs, runs once
    local some others
    mapfile -t some < <(raced_some)
    mapfile -t others < <(printf '%s\n' "${all[@]}" | grep -vxFf <((raced_whole; raced_some) | xargs -r go list))
    # Beside each other: the longest of both take minutes, in which one processor would wait. Lines of two must not be mixed.
    : >"$pieces/some"
    [ ${#some[@]} = 0 ] || plain -skip "$(either "$(raced_words)" "$(waiting_words)")" "${some[@]}" >"$pieces/some" 2>&1 &
    local besides=$!
    plain -skip "$(waiting_words)" "${others[@]}"
    wait $besides
    cat "$pieces/some"
  else
    plain ./...
  fi
}

# plain TEST…: without the race detector.
plain() {
  CGO_ENABLED=0 go test -timeout 30m -vet=off -json "$@"
}

# raced_whole lists the packages of which every test runs under the race detector, raced_some those of which some do, and raced_words
# what these tests are called: a word of another package may find a test more.
raced_whole() { in_turn | awk '$2 !~ /^-run=/ { print $1 }'; }
raced_some() { in_turn | awk '$2 ~ /^-run=/ { print $1 }'; }
raced_words() { echo "^Test.*($(in_turn | awk 'sub(/^-run=/, "", $2) { print $2 }' | paste -sd '|'))"; }

# in_turn prints the lines of a list, usually scripts/race.txt, that this commit has: those of one of its "# turn" parts, and what
# stands before them. "scripts/test.sh PART" has all. With "not" it prints the others.
in_turn() { # [not] [LIST]
  local list=${2:-scripts/race.txt} mine=all
  [ -n "$only" ] || mine=$(part "$list")
  awk -v turn="$mine" -v rest="${1:-}" '
    /^# turn / { of = $3 + 0; marked = 1 }
    /^# Left / { marked = 0 }
    /^\.\// { there = !marked || turn == "all" || of == turn; if (there == (rest != "not")) print }' "$list"
}

# part LIST: which part of the list this commit has. A commit of an even number has one of the race detector's, and one of an odd number
# one of the others', which frontend/e2e/turns.ts has too: to compile for the detector is as much as all that is long.
part() {
  local number
  number=$(turn)
  if [ $((number % 2)) = "$([ "$1" = scripts/race.txt ] && echo 0 || echo 1)" ]; then
    echo $((number / 2 % $(grep -c '^# turn ' "$1")))
  else
    echo none
  fi
}

# waiting_words is what the tests of scripts/turns.txt are called that have their turn on other commits, and waiting_folders lists the
# packages of the folders that it has whole.
waiting_words() { echo "^($(in_turn not scripts/turns.txt | awk '$2 != "all" { print $2 }' | paste -sd '|'))\$"; }
waiting_folders() {
  [ "$full" != 1 ] || return 0
  folders_of not | xargs -r go list | grep -vxFf <(folders_of "" | xargs -r go list)
  return 0
}
folders_of() { in_turn "$1" scripts/turns.txt | awk '$2 == "all" { print $1 }'; } # [not]
either() { echo "($1)|($2)"; }

# run_race whole|some…: packages of which every test runs under the race detector, and those of which some do. The database engine is C
# made into Go: instrumented, it takes most of the time, and its memory is its own.
run_race() {
  local flags=(-short -timeout 30m) whole some
  if ! has_compiler; then
    echo 'race skipped: no C compiler'
    if [ "$only" = race ] || [ "${WORKBENCH_REQUIRE_RACE:-}" = 1 ]; then
      echo '!! the race run is required'
    fi
    return 0
  fi
  if [ "$full" = 1 ]; then
    [[ " $* " == *" some "* ]] || return 0
    echo '== race'
    raced -timeout 60m ./...
    return
  fi
  mapfile -t whole < <(raced_whole)
  mapfile -t some < <(raced_some)
  [[ " $* " == *" whole "* ]] || whole=()
  [[ " $* " == *" some "* ]] || some=()
  [ $((${#whole[@]} + ${#some[@]})) -gt 0 ] || return 0 # of a part a turn may have none
  echo '== race'
  [ ${#whole[@]} = 0 ] || raced "${flags[@]}" "${whole[@]}"
  [ ${#some[@]} = 0 ] || raced "${flags[@]}" -run "$(raced_words)" "${some[@]}"
}

# raced TEST…: with the race detector.
raced() {
  CGO_ENABLED=1 go test -race '-gcflags=modernc.org/...=-race=false -dwarf=false' -vet=off -json "$@"
}

# Types are looked at by the check in run_pages.
build_frontend() {
  scripts/frontend.sh bundle 2>&1 || echo '!! the frontend does not build'
}

# missing WHAT: says that tests are skipped for want of something.
missing() {
  echo "$1"
  if [ "${WORKBENCH_REQUIRE_BROWSER:-}" = 1 ]; then
    echo '!! the browser tests are required'
  fi
}

run_pages() {
  local browser
  if ! scripts/frontend.sh node; then
    missing 'frontend and browser tests skipped: no Node 20.19 or newer'
    return 0
  fi
  build_frontend
  (cd frontend && npm run --silent check 2>&1) || echo '!! formatter, linter or types of the frontend'
  echo '== frontend'
  (cd frontend && npx --no-install vitest run --reporter=json 2>"$pieces/vitest" | node e2e/unit_events.mjs) || cat "$pieces/vitest"
  if ! browser=$(scripts/frontend.sh browser); then
    missing 'browser tests skipped: no chromium'
    return 0
  fi
  CGO_ENABLED=0 go build -o "$pieces/workbench" ./cmd/workbench 2>&1 || return 0 # the tests of Go have told
  echo '== browser'
  (cd frontend && E2E_EVENTS=1 E2E_FULL=$full E2E_TURN=$(turn) E2E_LARGE=${E2E_LARGE:-$([ "$full" = 1 ] && echo 10000 || echo 400)} \
    E2E_CHROMIUM=$browser E2E_WORKBENCH=$pieces/workbench "$pieces/reap" npm run --silent e2e 2>&1) # nobody else waits for all of a browser
  return 0
}

# turn is a number that follows from the commit: it says which view is shown in which language and colours.
turn() {
  local commit
  commit=$(git rev-parse --short=4 HEAD 2>/dev/null)
  echo $((0x${commit:-0}))
}

# Some inputs of seconds are read on every fifth commit.
[ "$full" = 1 ] || WORKBENCH_TURN=$(turn)
export WORKBENCH_TURN
CGO_ENABLED=0 go build -o "$pieces/" ./scripts/testsummary ./scripts/reap ./scripts/vetown || exit 1
run_all | "$pieces/testsummary"
