"""Writes mlflow.own_metric.json: the table that MLflow 3.17.2 itself keeps of an evaluation by a metric of one's own, which has no version.

    pip install mlflow==3.17.2 && python mlflow_own_metric_make.py
"""
import json
import shutil

import mlflow
import pandas as pd
from mlflow.metrics import MetricValue, make_metric


def equal(predictions, targets, metrics):
    scores = [float(a == b) for a, b in zip(predictions, targets)]
    return MetricValue(scores=scores, aggregate_results={"mean": sum(scores) / len(scores)})


mlflow.set_tracking_uri("sqlite:///own_metric.db")
rows = pd.DataFrame({
    "inputs": ["What is the fee?", "When does it close?"],
    "ground_truth": ["10 dollars", "At five"],
    "predictions": ["10 dollars", "At six"],
})
with mlflow.start_run() as run:
    mlflow.models.evaluate(data=rows, targets="ground_truth", predictions="predictions", evaluators="default",
                           extra_metrics=[make_metric(eval_fn=equal, greater_is_better=True, name="exact")])
table = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="eval_results_table.json")
shutil.copy(table, "mlflow.own_metric.json")
print(json.load(open("mlflow.own_metric.json"))["columns"])
