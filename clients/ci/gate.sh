#!/usr/bin/env bash
# The gate in continuous integration: ends with the exit code of `workbench gate`, 3 where answers really got worse. action.yml
# (GitHub) and gitlab.yml (GitLab) call it. It reads these variables; what is empty is left to the program:
#
#   WORKBENCH_VERSION   release to download, such as v1.2.3; it is checked against its SHA256SUMS
#   WORKBENCH_BINARY    a program that is there already, instead
#   WORKBENCH_RELEASES  where the releases are; default those of the project
#   WORKBENCH_DATA      data directory; default workbench-data
#   GATE_STUDY          study to read first: the baseline with all it rests on, as `workbench export study.zip RUN` writes it
#   GATE_RUN            experiment to evaluate, a file or a name
#   GATE_BUDGET         what that may cost: 2.50, or 500calls; needed with GATE_RUN and GATE_VERIFY
#   GATE_BASELINE       run or file of scores that is held against; default the pinned baseline
#   GATE_CANDIDATE      run, name of an experiment, or file of scores
#   GATE_MIN            thresholds, one a line: faithfulness >= 0.85
#   GATE_MARGIN         how much of a metric's scale the mean may fall
#   GATE_ALLOWANCE      largest share of answers allowed to be worse
#   GATE_VERIFY         true has what is in doubt asked and judged again first
#   GATE_STRICT         true fails where the gate is inconclusive
#
# It writes gate.xml (JUnit) and gate.md (for people; also into the summary of a GitHub job).
set -euo pipefail

fail() {
  echo "gate.sh: $*" >&2
  exit 2
}

# release FOLDER: downloads the program of a release into a folder and checks it.
release() {
  local platform name from
  [[ $WORKBENCH_VERSION =~ ^v[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.-]*$ ]] || fail "WORKBENCH_VERSION is $WORKBENCH_VERSION, not such as v1.2.3"
  case "$(uname -sm)" in
  'Linux x86_64') platform=linux_amd64 ;;
  'Linux aarch64') platform=linux_arm64 ;;
  'Darwin x86_64') platform=darwin_amd64 ;;
  'Darwin arm64') platform=darwin_arm64 ;;
  *) fail "there is no release for $(uname -sm): give a program with WORKBENCH_BINARY" ;;
  esac
  name=workbench_${WORKBENCH_VERSION#v}_$platform
  from=${WORKBENCH_RELEASES:-https://github.com/rag-workbench/workbench/releases/download}/$WORKBENCH_VERSION
  (
    cd "$1"
    curl --proto '=https,file' --fail --silent --show-error --location --retry 3 --remote-name-all "$from/$name.tar.gz" "$from/SHA256SUMS"
    grep -E "^[0-9a-f]{64}  $name\.tar\.gz\$" SHA256SUMS >sum || fail "SHA256SUMS does not name $name.tar.gz"
    if command -v sha256sum >/dev/null; then sha256sum --check --status sum; else shasum -a 256 --check --status sum; fi ||
      fail "$name.tar.gz is not what SHA256SUMS says"
    tar -xzf "$name.tar.gz"
  )
  program=$1/$name/workbench
}

rm -f gate.xml gate.md # those of an earlier step: where this one does not get as far, nobody is told of another's verdict
program=${WORKBENCH_BINARY:-}
if [ -z "$program" ]; then
  [ -n "${WORKBENCH_VERSION:-}" ] || fail 'say which release to use with WORKBENCH_VERSION, or which program with WORKBENCH_BINARY'
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  release "$folder"
fi
export WORKBENCH_DATA=${WORKBENCH_DATA:-workbench-data}
[ -n "${GATE_CANDIDATE:-}" ] || fail 'say what to hold against the baseline with GATE_CANDIDATE'
if [ -n "${GATE_RUN:-}" ] || [ "${GATE_VERIFY:-}" = true ]; then
  [ -n "${GATE_BUDGET:-}" ] || fail 'say what may be spent with GATE_BUDGET: 2.50, or 500calls'
fi

[ -z "${GATE_STUDY:-}" ] || "$program" import "$GATE_STUDY"
[ -z "${GATE_RUN:-}" ] || "$program" run "$GATE_RUN" --budget "$GATE_BUDGET"

arguments=(--junit gate.xml --markdown gate.md)
[ -z "${GATE_MARGIN:-}" ] || arguments+=(--margin "$GATE_MARGIN")
[ -z "${GATE_ALLOWANCE:-}" ] || arguments+=(--allowance "$GATE_ALLOWANCE")
[ "${GATE_VERIFY:-}" != true ] || arguments+=(--verify --budget "$GATE_BUDGET")
[ "${GATE_STRICT:-}" != true ] || arguments+=(--strict)
while IFS= read -r threshold; do
  [ -z "$threshold" ] || arguments+=(--min "$threshold")
done <<<"${GATE_MIN:-}"
[ -z "${GATE_BASELINE:-}" ] || arguments+=("$GATE_BASELINE")
code=0
"$program" gate "${arguments[@]}" "$GATE_CANDIDATE" || code=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f gate.md ]; then cat gate.md >>"$GITHUB_STEP_SUMMARY"; fi
exit "$code"
