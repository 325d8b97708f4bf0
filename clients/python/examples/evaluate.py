"""What the examples share: evaluate a pipeline, and say what came of it."""

from __future__ import annotations

import os
from pathlib import Path

from rag_workbench import Client, LocalServer, Pipeline, answers_of

HERE = Path(__file__).parent
TEXTS = {file.stem: file.read_text(encoding="utf-8") for file in sorted((HERE / "documents").glob("*.txt"))}


def evaluate(name: str, pipeline: Pipeline) -> None:
    """Asks the pipeline every question, has the answers judged, and prints two scores. With WORKBENCH_URL it goes to that server."""
    server = None if os.environ.get("WORKBENCH_URL") else LocalServer()
    workbench = server.start() if server else Client()
    try:
        workbench.add_documents("manual", (HERE / "documents").glob("*.txt"))
        workbench.add_questions("faq", HERE / "questions.csv", corpus="manual")
        workbench.log_answers(name, "faq", answers_of(workbench.questions("faq"), pipeline), corpus="manual")
        scores = workbench.run(name)["row"]["totals"]["scores"]
        for metric in ("correctness", "trust"):
            print(f"{name}: {metric} {scores[metric]['mean']:.2f} (n = {scores[metric]['n']})")
    finally:
        if server:
            server.stop()
