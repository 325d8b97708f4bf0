"""What the tests share: a question sheet, two sets of answers, and the program to start."""

from __future__ import annotations

import os
import shutil
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
sys.path.insert(0, str(PROJECT / "src"))

PROGRAM = os.environ.get("WORKBENCH_BINARY") or shutil.which("workbench")
needs_program = unittest.skipUnless(PROGRAM, "no workbench program: set WORKBENCH_BINARY")

PRICES = {f"q{n}": (f"What does ticket class {n} cost?", f"Ticket class {n} costs {n}00 yen for each segment.") for n in range(1, 41)}


def sheet(folder: Path) -> Path:
    """A question sheet of 40 questions."""
    file = folder / "prices.csv"
    lines = ["question_id,question,reference", *(f"{key},{question},{answer}" for key, (question, answer) in PRICES.items())]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def answers(wrong: int = 0) -> list[dict[str, object]]:
    """Right answers with the passage they rest on; the first so many contradict it."""
    rows: list[dict[str, object]] = []
    for number, (key, (_, right)) in enumerate(PRICES.items()):
        said = right.replace("00 yen", "99 yen") if number < wrong else right
        rows.append({"question_id": key, "answer": said, "contexts": [right]})
    return rows


def right_pipeline(question: str) -> tuple[str, list[str]]:
    """A pipeline that knows."""
    passage = {asked: right for asked, right in PRICES.values()}[question]
    return passage, [passage]
