"""Scores answers.jsonl with MLflow's Correctness and prints how many got a score: mlflow_score.py METRIC BASE_URL IN_FLIGHT"""

import json

import mlflow
from mlflow.genai.scorers import Correctness

with open("answers.jsonl", encoding="utf-8") as lines:
    rows = [json.loads(line) for line in lines]
data = [
    {"inputs": {"question": r["question"]}, "outputs": r["answer"], "expectations": {"expected_response": r["reference"]}} for r in rows
]
mlflow.set_experiment("peers")
result = mlflow.genai.evaluate(data=data, scorers=[Correctness(model="openai:/judge")])
print(int(result.result_df["correctness/value"].notna().sum()))
