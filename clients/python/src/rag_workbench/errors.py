"""What can go wrong, each with the server's own code, message and next step."""

from __future__ import annotations

from typing import Any

from ._api import ChangeRow, GateChange, GateView, RunDetail


class WorkbenchError(Exception):
    """Something went wrong. code is stable, detail says what and where, hint what to do next (it may be empty)."""

    def __init__(self, code: str, detail: str, hint: str = "") -> None:
        super().__init__(code, detail, hint)
        self.code, self.detail, self.hint = code, detail, hint

    def __str__(self) -> str:
        return f"{self.detail} [{self.code}]" + (f"\n  next: {self.hint}" if self.hint else "")


class Unreachable(WorkbenchError):
    """The server did not answer, or what answered is no workbench."""


class Refused(WorkbenchError):
    """The server refused. status is that of HTTP, field the parameter to blame, params the variable parts of detail."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("code", "unknown"), problem.get("detail", ""), problem.get("hint", ""))
        self.status = status
        self.field: str = problem.get("field", "")
        self.params: dict[str, Any] = problem.get("params", {})


class Stopped(WorkbenchError):
    """A run ended without being finished: paused, cancelled or failed. code is its cause; run is what is there of it."""

    def __init__(self, run: RunDetail) -> None:
        row = run["row"]
        why = run["why"]["en"] if "why" in run else run.get("stopped", "")
        super().__init__(row.get("cause") or row["state"], f"run {row['run_id']} is {row['state']}: {why}".rstrip(": "),
                         run.get("hint", ""))
        self.run = run


class Late(WorkbenchError):
    """A wait took longer than it was given. What was waited for goes on in the server."""


class Incomplete(WorkbenchError):
    """So many scores are missing that the gate says nothing else."""

    def __init__(self, gate: GateView) -> None:
        super().__init__("coverage", f"{gate['scored']} of {gate['questions']} scores are there in baseline and candidate",
                         "score what is missing and run the gate again")
        self.gate = gate


class Regression(AssertionError):
    """The gate failed, by the server's guarded verdict: gate is what it said, worst the worst answers, before and after.

    It is an AssertionError, so that test runners report a failure and not an error. undecided tells a gate that was not failed
    but inconclusive, which is raised only where that was asked for (strict).
    """

    def __init__(self, gate: GateView, worst: list[ChangeRow], lang: str = "en") -> None:
        super().__init__(describe(gate, worst, lang))
        self.gate, self.worst = gate, worst
        self.undecided = gate["outcome"] == "inconclusive"


WORDS = {
    "en": {"checks": "What was checked", "worst": "Worst answers", "of": "{} of {}", "critical": "critical", "before": "before",
           "after": "after", "PASS": "PASS", "FAIL": "FAIL", "INCONCLUSIVE": "INCONCLUSIVE"},
    "ja": {"checks": "確認した項目", "worst": "特に悪化した回答", "of": "{1}件中{0}件", "critical": "重要", "before": "変更前",
           "after": "変更後", "PASS": "合格", "FAIL": "不合格", "INCONCLUSIVE": "判定不能"},
}


def describe(gate: GateView, worst: list[ChangeRow], lang: str = "en") -> str:
    """What a gate said, and the worst answers, as lines to read. lang is en or ja."""
    words = WORDS[lang]
    lines = [words[gate["decision"]], *(gate["said_ja"] if lang == "ja" else gate["said"])]
    failed = [check for check in gate["checks"] if check["decision"] != "PASS"]
    if failed:
        lines += ["", words["checks"] + ":"]
        lines += [f"  {words[check['decision']]:<12} {check['message_ja'] if lang == 'ja' else check['message']}" for check in failed]
    if worst:
        lines += ["", f"{words['worst']} ({words['of'].format(len(worst), gate['counts']['worse'])}):"]
    decided = {change["id"]: change for change in gate["worse"]}
    for row in worst:
        lines += ["", *answer_lines(row, decided.get(row["question_id"]), words)]
    if "caution" in gate:
        lines += ["", gate["caution"]["ja" if lang == "ja" else "en"]]
    return "\n".join(lines)


def answer_lines(row: ChangeRow, decided: GateChange | None, words: dict[str, str]) -> list[str]:
    """One worse answer, before and after, with the score that decided."""
    scores = f": {decided['metric']} {decided['baseline']:g} → {decided['candidate']:g}" if decided else ""
    critical = f" ({words['critical']})" if row.get("critical") else ""
    lines = [f"  {row['question_id']}{critical}{scores}", f"    {one_line(row['question'])}"]
    for side, text in (("before", row.get("answer_before", "")), ("after", row.get("answer_after", ""))):
        lines.append(f"    {words[side]}: {one_line(text)}")
    return lines


def one_line(text: str, most: int = 300) -> str:
    """A text of a model or document for a terminal: one line, no control characters, cut to a length."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    clean = " ".join(clean.split())
    return clean if len(clean) <= most else clean[: most - 1] + "…"
