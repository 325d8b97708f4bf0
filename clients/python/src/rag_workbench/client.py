"""The client: log the answers of any pipeline, evaluate them, compare, and hold them against a baseline."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence, TypedDict, Union, cast

from ._api import (AnswersImported, Baseline, BaselineSet, ChangeRow, ComparisonView, DatasetQuestion, ExperimentDetail, GateView,
                   Imported, Job, Me, Plan, QuestionRow, RunDetail, RunRow, Verification)
from ._http import Files, Transport
from .errors import Incomplete, Late, Refused, Regression, Stopped

DEFAULT_URL = "http://127.0.0.1:7700"


class Answer(TypedDict, total=False):
    """What a pipeline answered: the question by id or by its text, the answer, the contexts it read. The test compares the names
    with the server's."""

    question_id: str
    question: str
    answer: str
    contexts: Sequence[str]
    context_ids: Sequence[str]
    latency_ms: float
    latency_s: float
    prompt_tokens: int
    completion_tokens: int


Rows = Union[str, "os.PathLike[str]", Iterable[Mapping[str, Any]]]
Pipeline = Callable[[str], Union[str, "tuple[str, Sequence[str]]", Mapping[str, Any]]]
Progress = Callable[[int, int], None]


def answers_of(questions: Iterable[DatasetQuestion], pipeline: Pipeline) -> Iterator[Answer]:
    """Asks a pipeline each question. It returns the answer, or answer and contexts, or a mapping with the fields of Answer; how long
    it took is noted unless it says so itself."""
    for question in questions:
        began = time.perf_counter()
        said = pipeline(question["question"])
        row: Answer = {"question_id": question["question_id"], "latency_ms": round((time.perf_counter() - began) * 1000, 3)}
        if isinstance(said, str):
            row["answer"] = said
        elif isinstance(said, Mapping):
            row.update(cast(Answer, dict(said)))
        else:
            row["answer"], row["contexts"] = said[0], list(said[1])
        yield row


def price_of(plan: Plan) -> float | None:
    """What a plan costs at most, in its currency; None where a price is unknown, so that a budget has to be given in calls."""
    return plan["price_micros"] / 1e6 if plan["price_known"] else None


class Client:
    """A workbench server. Errors are WorkbenchError with the server's code, message and next step.

    url is WORKBENCH_URL unless given, then http://127.0.0.1:7700; token is WORKBENCH_TOKEN unless given, and is sent to that server
    only. timeout is in seconds and for one request. Reading, and requests whose second sending changes nothing, are tried again up
    to retries times when the server is away for a moment.
    """

    def __init__(self, url: str | None = None, token: str | None = None, *, timeout: float = 60, retries: int = 3,
                 sleep: Callable[[float], None] = time.sleep) -> None:
        self.url = (url or os.environ.get("WORKBENCH_URL") or DEFAULT_URL).rstrip("/")
        self._sleep = sleep
        secret = os.environ.get("WORKBENCH_TOKEN", "") if token is None else token
        self._http = Transport(self.url, secret, timeout, retries, sleep)

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def me(self) -> Me:
        """Who is asking, with which permissions, and the server's version."""
        return cast(Me, self._http.call("get-me"))

    # What is evaluated

    def add_questions(self, name: str, rows: Rows, *, corpus: str = "", columns: Mapping[str, str] | None = None) -> Imported:
        """Stores questions with their right answers as the next version of a dataset; the same ones again change nothing.

        rows is a file (.xlsx .csv .tsv .json .jsonl), or mappings with id, question, reference and perhaps more. columns says which
        column is which field where the server does not see it.
        """
        form = {"name": name, "corpus": corpus, "columns": json.dumps(dict(columns)) if columns else ""}
        preview = self._http.call("post-datasets-preview", form=form, files=upload(rows, name))
        if "problem" in preview:
            raise Refused(preview["problem"]["status"], preview["problem"])
        body = {"token": preview["token"], "name": name, "corpus": corpus, "columns": dict(columns or {})}
        return cast(Imported, self._http.call("post-datasets", body={key: value for key, value in body.items() if value}))

    def add_documents(self, name: str, files: Iterable[str | os.PathLike[str]]) -> Imported:
        """Stores documents as the next version of a corpus; the same ones again change nothing."""
        sent: dict[str, tuple[str, bytes]] = {}
        for number, file in enumerate(sorted(Path(file) for file in files)):
            sent[f"files#{number}"] = (file.name, file.read_bytes())
        return cast(Imported, self._http.call("post-corpora", form={"name": name}, files=sent))

    def questions(self, dataset: str, **asked: Any) -> Iterator[DatasetQuestion]:
        """The questions of a dataset, name or name@version. Further parameters are those of the API, such as tag=["refunds"]."""
        return cast("Iterator[DatasetQuestion]", self._all("get-datasets-ref-questions", {"ref": dataset}, asked))

    def log_answers(self, name: str, dataset: str, rows: Rows, *, corpus: str = "", model: str = "",
                    columns: Mapping[str, str] | None = None, dry_run: bool = False) -> AnswersImported:
        """Stores what a pipeline answered, with the experiment called name that replays it; nothing is asked again, only judged.

        rows is a file, or Answers. model is the judge, as provider/model (default the built-in one). With a corpus the contexts are
        looked up in it, so that evidence can be compared. missing in the reply names the questions without an answer.
        """
        form = {"name": name, "dataset": dataset, "corpus": corpus, "model": model, "dry_run": "true" if dry_run else "",
                "columns": json.dumps(dict(columns)) if columns else ""}
        return cast(AnswersImported, self._http.call("post-answers", form=form, files=upload(rows, name)))

    def register(self, name: str, definition: Mapping[str, Any] | str) -> ExperimentDetail:
        """Registers an experiment, or its next revision; the same one again changes nothing. A text is read as its YAML."""
        body = {"yaml": definition} if isinstance(definition, str) else {"definition": dict(definition)}
        return cast(ExperimentDetail, self._http.call("put-experiments-name", {"name": name}, body=body))

    def experiment(self, name: str) -> ExperimentDetail:
        """A registered experiment; its definition, changed, can be registered under another name."""
        return cast(ExperimentDetail, self._http.call("get-experiments-name", {"name": name}))

    # Runs

    def plan(self, experiment: str, **order: Any) -> Plan:
        """What a run would buy: calls, tokens and price by stage. Nothing is bought. The order is that of start."""
        return cast(Plan, self._http.call("post-runs-plan", body={"experiment": experiment, **order}))

    def start(self, experiment: str, **order: Any) -> RunRow:
        """Starts a run and returns at once. order: budget ("2.50", or "500calls"), limit, questions (ids), filter (tags)."""
        return cast(RunRow, self._http.call("post-runs", body={"experiment": experiment, **order}))

    def run(self, experiment: str, *, progress: Progress | None = None, timeout: float | None = None, **order: Any) -> RunDetail:
        """Starts a run and waits for its end."""
        return self.wait(self.start(experiment, **order)["run_id"], progress=progress, timeout=timeout)

    def wait(self, run: str, *, progress: Progress | None = None, timeout: float | None = None, every: float = 0.5) -> RunDetail:
        """Waits for the end of a run. progress is told how many questions are done, of how many. Stopped says that it was not finished,
        Late that timeout seconds went by; the run goes on in the server then."""
        waited, told = 0.0, (-1, -1)
        while True:
            detail = self.get_run(run)
            row = detail["row"]
            now = (row["progress"]["done"], row["progress"]["total"]) if "progress" in row else told
            if row["state"] == "finished":
                now = max(told[1], 0), max(told[1], 0)
            if progress and now != told:
                progress(*now)
            told = now
            if row["state"] == "finished":
                return detail
            if row["state"] not in ("queued", "running"):
                raise Stopped(detail)
            waited = self._pause(f"run {row['run_id']}", waited, timeout, every)

    def get_run(self, run: str) -> RunDetail:
        """A run by its id, the beginning of one, or an experiment's name for its newest finished run."""
        return cast(RunDetail, self._http.call("get-runs-id", {"id": run}))

    def runs(self, **asked: Any) -> Iterator[RunRow]:
        """Runs, newest first, such as runs(experiment="faq", state="finished")."""
        return cast("Iterator[RunRow]", self._all("get-runs", {}, asked))

    def results(self, run: str, **asked: Any) -> Iterator[QuestionRow]:
        """The questions of a run with their answers and scores."""
        return cast("Iterator[QuestionRow]", self._all("get-runs-id-questions", {"id": run}, asked))

    def cancel(self, run: str) -> RunRow:
        """Asks a run to end."""
        return cast(RunRow, self._http.call("post-runs-id-cancel", {"id": run}))

    def resume(self, run: str, budget: str = "") -> RunRow:
        """Goes on with what is missing of a run, perhaps with another budget."""
        return cast(RunRow, self._http.call("post-runs-id-resume", {"id": run}, body={"budget": budget} if budget else {}))

    # Two runs

    def set_baseline(self, dataset: str, run: str) -> BaselineSet:
        """Pins the run that later ones are held against."""
        return cast(BaselineSet, self._http.call("put-baselines-dataset", {"dataset": dataset}, body={"run": run}))

    def baselines(self) -> list[Baseline]:
        """The pinned runs, one for a dataset at most."""
        return cast("list[Baseline]", self._http.call("get-baselines")["items"])

    def compare(self, baseline: str, candidate: str) -> ComparisonView:
        """Two runs compared; findings holds what came of it, in sentences of both languages."""
        return cast(ComparisonView, self._http.call("get-comparisons", query={"baseline": baseline, "candidate": candidate}))

    def changes(self, baseline: str, candidate: str, **asked: Any) -> Iterator[ChangeRow]:
        """The questions of a comparison, worst first, such as changes(a, b, label=["worse"])."""
        asked = {"baseline": baseline, "candidate": candidate, **asked}
        return cast("Iterator[ChangeRow]", self._all("get-comparisons-questions", {}, asked))

    def verify(self, candidate: str, baseline: str = "", *, plan: bool = False, budget: str = "", timeout: float | None = None,
               every: float = 0.5) -> Verification:
        """Has the answers in doubt asked and judged again, and waits for it; with plan it only says what that would buy."""
        body = {"baseline": baseline, "candidate": candidate, "plan": plan, "budget": budget}
        made = cast(Verification, self._http.call("post-comparisons-verify", body={key: v for key, v in body.items() if v}))
        if "job" in made:
            made["job"] = self.wait_for_job(made["job"]["id"], timeout=timeout, every=every)
        return made

    def wait_for_job(self, job: str, *, timeout: float | None = None, every: float = 0.5) -> Job:
        """Waits for something under way that is not one run."""
        waited = 0.0
        while True:
            now = cast(Job, self._http.call("get-jobs-id", {"id": job}))
            if now["state"] == "failed" and "problem" in now:
                raise Refused(now["problem"]["status"], cast("dict[str, Any]", now["problem"]))
            if now["state"] != "running":
                return now
            waited = self._pause(f"job {job}", waited, timeout, every)

    def gate(self, candidate: str, baseline: str = "", *, minimum: Sequence[str] = (), margin: str | float = "",
             allowance: float | None = None, strict: bool = False, check: bool = True, worst: int = 5, lang: str = "en") -> GateView:
        """Says whether the candidate may replace the baseline (default: the pinned one), by the server's guarded verdict.

        Unless check is false, Regression is raised where it may not, with the worst answers, and Incomplete where too many scores are
        missing; strict also raises Regression where the gate is inconclusive. minimum holds thresholds such as
        "faithfulness >= 0.85", margin the share of a metric's scale that the mean may fall, allowance the share of answers that may
        be worse; what is not given is what the server recommends.
        """
        asked = {"candidate": candidate, "baseline": baseline, "min": list(minimum), "margin": margin, "allowance": allowance}
        said = cast(GateView, self._http.call("get-comparisons-gate", query=asked))
        outcome = said["outcome"]
        if not check or outcome == "pass" or (outcome == "inconclusive" and not strict):
            return said
        if outcome == "incomplete":
            raise Incomplete(said)
        raise Regression(said, self.worst(said, worst), lang)

    def worst(self, gate: GateView, n: int = 5) -> list[ChangeRow]:
        """The worst answers of what a gate compared, before and after, severest first."""
        if "baseline" not in gate or n < 1:
            return []
        rows = self.changes(gate["baseline"], gate["candidate"], label=["worse"], limit=min(n, 500))
        return [row for row, _ in zip(rows, range(n))]

    # Parts

    def _all(self, name: str, path: Mapping[str, str], asked: Mapping[str, Any]) -> Iterator[Any]:
        """The items of a list, part by part."""
        query = {"limit": 200, **asked}
        while True:
            part = self._http.call(name, path, query)
            yield from part["items"]
            if not part["next_cursor"]:
                return
            query["cursor"] = part["next_cursor"]

    def _pause(self, what: str, waited: float, timeout: float | None, every: float) -> float:
        if timeout is not None and waited >= timeout:
            raise Late("timeout", f"{what} did not end within {timeout:g} seconds", "it goes on in the server: wait for it again")
        self._sleep(every)
        return waited + every


def upload(rows: Rows, name: str) -> Files:
    """A file, or rows as JSON Lines."""
    if isinstance(rows, (str, os.PathLike)):
        path = Path(rows)
        return {"file": (path.name, path.read_bytes())}
    lines = [json.dumps(dict(row), ensure_ascii=False) for row in rows]
    return {"file": (name + ".jsonl", "\n".join(lines).encode())}
