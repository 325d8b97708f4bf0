#!/usr/bin/env bash
# The sweep of the founding paper's kind on real questions, offline: prints the tables of docs/claims.md as Markdown.
#   bench/real_questions.sh [WORKDIR]      needs bin/workbench (make build), python3, and the shared data
set -euo pipefail
cd "$(dirname "$0")/.."
shared=${WORKBENCH_SHARED:-../shared}
work=${1:-$(mktemp -d)}
mkdir -p "$work"
wb() { bin/workbench --data "$work/data" --quiet "$@" 2>>"$work/log"; }
[ -d "$shared/data/nta_tax_qa" ] || { echo "no shared data at $shared" >&2; exit 1; }

for set in nta_tax_qa covid_qa; do
  wb corpus import "$shared/data/$set/corpus.jsonl" --name "$set" >/dev/null
  wb dataset import "$shared/data/$set/questions.jsonl" --name "$set" --corpus "$set" >/dev/null
  cat >"$work/$set.yaml" <<YAML
name: $set
corpus: $set
dataset: $set
base: {embedding: {provider: offline, model: ngram}, retrieve: {mode: bm25, k: 3}}
sweep:
  retrieve.mode: [bm25, dense]
  chunk.size: [200, 400, 800, 1000]
  chunk.overlap: [0, 200]
  retrieve.k: [3, 4]
YAML
  cat >"$work/$set-writers.yaml" <<YAML
name: $set-writers
corpus: $set
dataset: $set
base: {chunk: {size: 800, overlap: 200}, retrieve: {mode: bm25, k: 4}}
sweep: {generate.model: [extractive, closed-book]}
YAML
done
# The founding paper put everything into one text file.
wb corpus import "$shared/data/nta_tax_qa/corpus.jsonl" --name nta_joined --join >/dev/null
for c in "1000 0 3" "800 200 4"; do
  read -r size overlap k <<<"$c"
  cat >"$work/joined-$size.yaml" <<YAML
name: joined-$size
corpus: nta_joined
dataset: nta_tax_qa
suite: retrieval
base: {chunk: {size: $size, overlap: $overlap}, retrieve: {mode: bm25, k: $k}}
YAML
  wb run "$work/joined-$size.yaml" --json >"$work/joined-$size.json"
done

for set in nta_tax_qa covid_qa; do
  start=$(date +%s.%N)
  wb sweep "$work/$set.yaml" --json >"$work/$set.json"
  echo "$(date +%s.%N) $start" | awk '{printf "%.1f", $1-$2}' >"$work/$set.seconds"
  wb sweep "$work/$set-writers.yaml" --json >"$work/$set-writers.json"
  for run in $(python3 -c 'import json,sys; print(*[r["run_id"] for r in json.load(open(sys.argv[1]))])' "$work/$set-writers.json"); do
    wb runs show "$run" --json >"$work/run-$run.json"
  done
done
python3 bench/real_questions.py "$work"
