"""Writes the files of MLflow and Langfuse by hand, in the forms that their sources write:
MLflow: EvaluationResult.result_df and the table that mlflow.evaluate logs (3.x and 2.x); Langfuse: its batch exports of scores and of
traces, a page of GET /api/public/experiment-items, and the result of the SDK's experiment runner."""
import csv, json
from world import ROWS

V3 = [("yes", "yes"), ("no", "yes"), ("yes", "yes"), (None, "no")]  # correctness, relevance_to_query
V2 = [(5, 0.01, 5), (1, 0.02, 2), (5, 0.0, 4), (None, 0.9, 1)]  # answer_correctness, toxicity, faithfulness
LF = [(0.9, 0.0), (0.1, 1.0), (1.0, 0.0), (None, 0.5)]  # correctness, hallucination

rows = []
for r, (c, q) in zip(ROWS, V3):
    rows.append({
        "request_id": "", "inputs": {"question": r["q"]}, "outputs": {"response": r["ans"]}, "expectations": {"expected_response": r["ref"]}, "tags": {},
        "correctness/value": c, "correctness/rationale": "because", "correctness/error_message": None if c else "the judge gave no verdict",
        "correctness/error_code": None if c else "X", "relevance_to_query/value": q, "relevance_to_query/rationale": "because",
        "tone/value": "friendly",
    })
json.dump(rows, open("mlflow.records.json", "w"), ensure_ascii=False, indent=1)
with open("mlflow.csv", "w", newline="") as f:
    w = csv.DictWriter(f, rows[0].keys())
    w.writeheader()
    w.writerows(rows)  # as pandas does: objects as Python writes them
names = ["inputs", "ground_truth", "outputs", "token_count", "toxicity/v1/score", "answer_correctness/v1/score", "answer_correctness/v1/justification",
         "faithfulness/v1/score"]
table = [[r["q"], r["ref"], r["ans"], 12, t, c, "because", f] for r, (c, t, f) in zip(ROWS, V2)]
json.dump({"columns": names, "data": table}, open("mlflow.eval_results_table.json", "w"), ensure_ascii=False)

def scores(i):
    c, h = LF[i]
    out = [{"name": "hallucination", "value": h, "dataType": "NUMERIC", "comment": "because"}, {"name": "tone", "value": 0, "stringValue": "friendly", "dataType": "CATEGORICAL"}]
    return out + ([{"name": "correctness", "value": c, "dataType": "NUMERIC", "comment": None}] if c is not None else [])

items = [{"id": f"obs{i}", "traceId": f"t{i}", "experimentId": "e", "experimentName": "april", "experimentItemId": f"item-{i}", "level": "DEFAULT",
          "input": {"question": r["q"]}, "output": r["ans"], "expectedOutput": {"answer": r["ref"]}, "scores": scores(i)} for i, r in enumerate(ROWS)]
json.dump({"data": items, "meta": {"cursor": None}}, open("langfuse.items.json", "w"), ensure_ascii=False)
json.dump({"name": "april", "run_name": "april 1", "item_results": [
    {"item": {"id": f"item-{i}", "input": r["q"], "expected_output": r["ref"]}, "output": r["ans"], "trace_id": f"t{i}",
     "evaluations": [{"name": s["name"], "value": s["value"], "comment": s.get("comment")} for s in scores(i) if s["name"] != "tone"]}
    for i, r in enumerate(ROWS)], "run_evaluations": []}, open("langfuse.runner.json", "w"), ensure_ascii=False)
traces = [{"id": f"t{i}", "timestamp": "2026-04-01T08:00:00.000Z", "name": "answer", "userId": None, "release": None, "sessionId": None, "tags": ["faq"],
           "input": {"messages": [{"role": "system", "content": "Answer."}, {"role": "user", "content": r["q"]}]},
           "output": {"role": "assistant", "content": r["ans"]}, "metadata": {}, "latency": 1.5, "totalCost": 0.001, "observationCount": 3,
           "comments": [], "hallucination": [LF[i][1]], "correctness": None if LF[i][0] is None else [LF[i][0]]} for i, r in enumerate(ROWS)]
json.dump(traces, open("langfuse.traces.json", "w"), ensure_ascii=False)
with open("langfuse.traces.csv", "w", newline="") as f:
    w = csv.DictWriter(f, traces[0].keys())
    w.writeheader()
    for t in traces:
        w.writerow({k: "" if v is None else json.dumps(v, ensure_ascii=False) if isinstance(v, (dict, list)) else v for k, v in t.items()})
table = [{"id": f"s{i}{s['name']}", "traceId": f"t{i}", "sessionId": None, "datasetRunId": None, "timestamp": "2026-04-01T08:00:00.000Z", "source": "EVAL", "name": s["name"],
          "dataType": s["dataType"], "value": s["value"], "stringValue": s.get("stringValue"), "comment": s.get("comment"), "metadata": {"dataset_item_id": f"item-{i}"},
          "observationId": None, "traceName": "answer"} for i in range(len(ROWS)) for s in scores(i)]
table.append({"id": "sx", "traceId": None, "sessionId": None, "datasetRunId": "run", "timestamp": "2026-04-01T08:00:00.000Z", "source": "API", "name": "mean", "dataType": "NUMERIC",
              "value": 0.6, "stringValue": None, "comment": None, "metadata": {}, "observationId": None, "traceName": None})
json.dump(table, open("langfuse.scores.json", "w"), ensure_ascii=False)
with open("langfuse.scores.csv", "w", newline="") as f:
    w = csv.DictWriter(f, table[0].keys())
    w.writeheader()
    for t in table:
        w.writerow({k: "" if v is None else json.dumps(v, ensure_ascii=False) if isinstance(v, (dict, list)) else v for k, v in t.items()})
