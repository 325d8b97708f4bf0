"""Prints the results that bench/real_questions.sh collected as Markdown tables."""
import json
import pathlib
import sys

work = pathlib.Path(sys.argv[1])


def load(name):
    return json.loads((work / name).read_text(encoding="utf-8"))


def mean(run, metric):
    return run["scores"].get(metric, {}).get("mean", float("nan"))


for data in ("nta_tax_qa", "covid_qa"):
    runs = load(f"{data}.json")
    seconds = (work / f"{data}.seconds").read_text()
    questions = runs[0]["scores"]["correctness"]["n"]
    print(f"\n### {data}: {len(runs)} configurations x {questions} questions in {seconds} s\n")
    print("| search | size/overlap/k | evidence coverage | fully covered | hit | mrr | ndcg | context recall | correctness | trust | low scores |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for r in runs:
        p = r["params"]
        cells = [f"{mean(r, m):.3f}" for m in ("span_coverage", "fully_covered", "hit", "mrr", "ndcg", "context_recall")]
        cells += [f"{mean(r, m):.2f}" for m in ("correctness", "trust")]
        where = f"{p['chunk.size']}/{p['chunk.overlap']}/k{p['retrieve.k']}"
        print(f"| {p['retrieve.mode']} | {where} | " + " | ".join(cells) + f" | {r['low_score_count']}/{questions} |")

print("\n### nta_tax_qa joined into one text file, BM25\n")
print("| size/overlap/k | evidence coverage | fully covered |\n|---|---|---|")
for name, label in (("joined-1000.json", "1000/0/k3"), ("joined-800.json", "800/200/k4")):
    r = load(name)
    print(f"| {label} | {mean(r, 'span_coverage'):.3f} | {mean(r, 'fully_covered'):.3f} |")

for data in ("nta_tax_qa", "covid_qa"):
    for r in load(f"{data}-writers.json"):
        e = load(f"run-{r['run_id']}.json")
        counts = [[0] * 6 for _ in range(6)]
        for result in e["results"]:
            v = {s["metric"]: s["value"] for s in result["scores"] if s["state"] == "scored"}
            if "correctness" in v and "trust" in v:
                counts[int(v["trust"])][int(v["correctness"])] += 1
        n = len(e["results"])
        print(f"\n### {data}, {r['params']['generate.model']}, 800/200/k4 BM25: trust (rows) by correctness (columns); "
              f"{r['low_score_count']} of {n} low ({100 * r['low_score_count'] / n:.0f} %)\n")
        print("| trust | 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|---|")
        for t in range(5, 0, -1):
            print(f"| {t} | " + " | ".join(str(counts[t][c]) for c in range(1, 6)) + " |")
