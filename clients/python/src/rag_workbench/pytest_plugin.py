"""pytest: the marker rag, the fixtures rag and workbench, and the options --workbench-…

    @pytest.mark.rag(questions="questions.csv", baseline="answers.jsonl")
    def test_answers_did_not_get_worse(rag):
        rag.check(my_pipeline)

fails where the server's gate fails: a difference that chance explains does not.
"""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any, Iterator, Union, cast

import pytest

from ._api import DatasetQuestion, GateView
from .client import Answer, Client, Pipeline, Rows, answers_of, price_of
from .errors import Incomplete, Regression, WorkbenchError, describe
from .local import LocalServer

MARKER = """rag(questions=None, documents=None, dataset=None, baseline=None, model="", name="", minimum=(), margin="", \
allowance=None, verify=False): evaluate answers, and fail on a real regression. questions: file of a question sheet, stored as the \
dataset; documents: folder stored as the corpus; dataset: one that the server has. baseline: file of logged answers, or a run of \
the server; default the pinned baseline. model: the judge, as provider/model. Files lie beside the test."""

# What the marker may hold; the rest is refused by name.
FIELDS = {"questions", "documents", "dataset", "baseline", "model", "name", "minimum", "margin", "allowance", "verify"}

CHECKS = pytest.StashKey[list[tuple[str, str, GateView]]]()


class Undecided(UserWarning):
    """The gate could neither pass nor fail: too few questions, or answers that need a check."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("workbench", "RAG Workbench")
    group.addoption("--workbench-url", help="server to ask; default WORKBENCH_URL, else one that is started here")
    group.addoption("--workbench-binary", help="program to start; default WORKBENCH_BINARY, else workbench of the PATH")
    group.addoption("--workbench-data", help="data directory of the server started here; default a new one, deleted afterwards")
    group.addoption("--workbench-config", help="workbench.yaml of the server started here, with providers and prices")
    group.addoption("--workbench-budget", default="", help="what one evaluation may cost: 2.50, or 500calls; without it nothing is bought")
    group.addoption("--workbench-strict", action="store_true", help="fail where the gate is inconclusive, instead of warning")
    group.addoption("--workbench-worst", type=int, default=5, metavar="N", help="worst answers to print; default 5")
    group.addoption("--workbench-lang", choices=("en", "ja"), default="en", help="language of what the gate says")
    group.addoption("--workbench-update-baseline", action="store_true", help="write today's answers into the files of the baselines")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker."""
    config.addinivalue_line("markers", MARKER)
    config.stash[CHECKS] = []


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says what each gate decided."""
    checks = config.stash[CHECKS]
    if checks:
        terminalreporter.section("RAG Workbench")
    for test, name, gate in checks:
        terminalreporter.line(f"{test}: {gate['decision']} ({name})")
        if gate["outcome"] != "fail":  # a failure has said it already
            for line in describe(gate, [], config.getoption("--workbench-lang")).splitlines()[1:]:
                terminalreporter.line(f"  {line}".rstrip())


@pytest.fixture(scope="session")
def workbench(pytestconfig: pytest.Config) -> Iterator[Client]:
    """A client of the server: that of --workbench-url or WORKBENCH_URL, else one that is started for this session."""
    url = pytestconfig.getoption("--workbench-url") or os.environ.get("WORKBENCH_URL")
    if url:
        yield Client(url)
        return
    server = LocalServer(pytestconfig.getoption("--workbench-data"), program=pytestconfig.getoption("--workbench-binary"),
                         config=pytestconfig.getoption("--workbench-config"))
    with server as client:
        yield client


@pytest.fixture
def rag(request: pytest.FixtureRequest, workbench: Client) -> Evaluation:
    """Evaluates the answers of this test, as its marker rag says."""
    marker = request.node.get_closest_marker("rag")
    asked = dict(marker.kwargs) if marker else {}
    if marker and marker.args or set(asked) - FIELDS:
        raise pytest.UsageError(f"the marker rag takes {', '.join(sorted(FIELDS))}, by name")
    return Evaluation(workbench, request, asked)


class Evaluation:
    """The fixture rag: one test's questions, answers and gate."""

    def __init__(self, client: Client, request: pytest.FixtureRequest, asked: dict[str, Any]) -> None:
        self.client, self.config, self.test = client, request.config, request.node.nodeid
        self.folder = request.path.parent
        self.asked = asked
        self.name: str = asked.get("name") or request.node.name.removeprefix("test_").replace("[", "-").replace("]", "")
        self._stored: tuple[str, str] | None = None

    @property
    def dataset(self) -> str:
        """The dataset; where the marker names a question sheet, name@version of what was stored of it."""
        return self._sources()[0]

    def _sources(self) -> tuple[str, str]:
        """Dataset and corpus; what the marker names as files is stored the first time."""
        if self._stored is None:
            dataset, corpus = self.asked.get("dataset", ""), ""
            if "documents" in self.asked:
                folder = self.folder / self.asked["documents"]
                corpus = self.client.add_documents(folder.name, (f for f in folder.iterdir() if f.is_file()))["name"]
            if "questions" in self.asked:
                sheet = self.folder / self.asked["questions"]
                stored = self.client.add_questions(dataset or sheet.stem, sheet, corpus=corpus)
                dataset = f"{stored['name']}@{stored['version']}"
            if not dataset:
                raise pytest.UsageError("the marker rag names neither questions nor a dataset")
            self._stored = dataset, corpus
        return self._stored

    @property
    def questions(self) -> list[DatasetQuestion]:
        """The questions to answer."""
        return list(self.client.questions(self.dataset))

    def check(self, answers: Union[Pipeline, Rows], **gate: Any) -> GateView | None:
        """Evaluates answers, given as a pipeline to ask, as rows or as a file, and fails where they got worse.

        Returns what the gate said; nothing where --workbench-update-baseline wrote the baseline instead. Further parameters are
        those of Client.gate.
        """
        rows: Any = list(answers_of(self.questions, answers)) if callable(answers) else answers
        baseline = self.asked.get("baseline") or ""
        file = self.folder / baseline if Path(baseline).suffix == ".jsonl" else None
        if file is not None and self.config.getoption("--workbench-update-baseline"):
            write(file, rows)
            return None
        if file is not None and not file.exists():
            pytest.fail(f"there is no baseline yet: write {baseline} with pytest --workbench-update-baseline", pytrace=False)
        try:
            if file is not None:
                baseline = self.evaluate(self.name + "-baseline", file)
            candidate = self.evaluate(self.name, rows)
            return self.gate(candidate, baseline, gate)
        except (Regression, WorkbenchError) as error:
            if isinstance(error, (Regression, Incomplete)):
                self.config.stash[CHECKS].append((self.test, self.name, error.gate))
            failure = str(error)
        pytest.fail(failure, pytrace=False)

    def evaluate(self, name: str, rows: Rows) -> str:
        """Logs answers and runs their experiment; returns the run. Without a budget nothing is bought."""
        dataset, corpus = self._sources()
        self.client.log_answers(name, dataset, rows, corpus=corpus, model=self.asked.get("model", ""))
        budget = self.config.getoption("--workbench-budget")
        if not budget:
            plan = self.client.plan(name)
            self._must_buy_nothing(name, plan["buy"], price_of(plan), plan["currency"])
        run = self.client.run(name, **({"budget": budget} if budget else {}))
        return run["row"]["run_id"]

    def gate(self, candidate: str, baseline: str, asked: dict[str, Any]) -> GateView:
        """Holds a run against the baseline."""
        option = self.config.getoption
        if self.asked.get("verify"):
            budget = option("--workbench-budget")
            if not budget:
                price = self.client.verify(candidate, baseline, plan=True)["plan"]["price"]
                known = price["micros"] / 1e6 if price["price_known"] else None
                self._must_buy_nothing("the check of answers in doubt", price["calls"], known, price["currency"])
            self.client.verify(candidate, baseline, budget=budget)
        rules: dict[str, Any] = {key: self.asked[key] for key in ("minimum", "margin", "allowance") if key in self.asked}
        rules |= {"strict": option("--workbench-strict"), "worst": option("--workbench-worst"), "lang": option("--workbench-lang")}
        said = self.client.gate(candidate, baseline, **(rules | asked))
        self.config.stash[CHECKS].append((self.test, self.name, said))
        if said["outcome"] == "inconclusive":
            warnings.warn(Undecided("; ".join(said["reasons"])), stacklevel=3)
        return said

    @staticmethod
    def _must_buy_nothing(what: str, calls: int, price: float | None, currency: str) -> None:
        if calls:
            cost = "an unknown price" if price is None else f"at most {price:.2f} {currency}"
            pytest.fail(f"{what} would buy up to {calls} calls for {cost}: allow it with --workbench-budget", pytrace=False)


def write(file: Path, rows: Any) -> None:
    """Writes answers as a baseline; how long they took is left out, so that only answers change the file."""
    if isinstance(rows, (str, os.PathLike)):
        file.write_bytes(Path(rows).read_bytes())
        return
    timings = {"latency_ms", "latency_s"}
    kept = [{key: value for key, value in cast(Answer, row).items() if key not in timings} for row in rows]
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept), encoding="utf-8")
