"""The plugin in a pytest of its own, against the program itself."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests import world

from rag_workbench import LocalServer

TESTS = '''
import json, pathlib, pytest
ROWS = [json.loads(line) for line in (pathlib.Path(__file__).parent / "today.jsonl").read_text(encoding="utf-8").splitlines()]

@pytest.mark.rag(questions="prices.csv", baseline="answers.jsonl")
def test_prices(rag):
    said = rag.check(ROWS)
    assert said is None or said["counts"]["worse"] == 1

@pytest.mark.rag(questions="prices.csv", baseline="answers.jsonl", name="asked")
def test_asked(rag):
    right = {q["question"]: q["reference"] for q in rag.questions}
    rag.check(lambda question: (right[question], [right[question]]))

@pytest.mark.rag(questions="few.csv", baseline="few.jsonl")
def test_few(rag):
    rag.check(ROWS[:1])
'''


@unittest.skipUnless(importlib.util.find_spec("pytest"), "no pytest in this Python")
@world.needs_program
class Plugin(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        world.sheet(self.folder)
        self.folder.joinpath("few.csv").write_text("\n".join((self.folder / "prices.csv").read_text().splitlines()[:2]))
        self.folder.joinpath("test_rag.py").write_text(TESTS, encoding="utf-8")

    def pytest(self, wrong: int, *options: str) -> tuple[int, str]:
        """Runs the tests over answers of which so many are wrong."""
        lines = [json.dumps(row) + "\n" for row in world.answers(wrong)]
        self.folder.joinpath("today.jsonl").write_text("".join(lines), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(world.PROJECT / "src"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        command = [sys.executable, "-m", "pytest", "-p", "rag_workbench.pytest_plugin", "--strict-markers", "-p", "no:cacheprovider",
                   "-o", "addopts=", *options, "."]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def server(self) -> str:
        """The address of a server for this test."""
        server = LocalServer(program=world.PROGRAM)
        self.addCleanup(server.stop)
        return server.start().url

    def test_its_own_server(self) -> None:
        code, said = self.pytest(0, "-k", "prices", "--workbench-binary", str(world.PROGRAM))
        self.assertEqual(code, 1, said)
        self.assertIn("write answers.jsonl with pytest --workbench-update-baseline", said)

    def test_a_real_regression_fails_and_a_difference_does_not(self) -> None:
        server = ("--workbench-url", self.server())
        code, said = self.pytest(0, "--workbench-update-baseline", *server)
        self.assertEqual(code, 0, said)
        self.assertNotIn("latency", (self.folder / "answers.jsonl").read_text(encoding="utf-8"))

        # One wrong answer of forty: more than the two percent that the gate allows.
        code, said = self.pytest(1, "--workbench-worst", "1", "-k", "prices", *server)
        self.assertEqual(code, 1, said)
        for part in ("1 of 40 answers (2.5%) is confirmed as worse", "Worst answers (1 of 1)", "before: Ticket class 1 costs 100 yen",
                     "after: Ticket class 1 costs 199 yen", "FAIL (prices)"):
            self.assertIn(part, said)
        self.assertNotIn("Traceback", said)

        # Allowed by the rules of the marker, it is a difference and no regression.
        tests = (self.folder / "test_rag.py").read_text(encoding="utf-8")
        self.folder.joinpath("test_rag.py").write_text(tests.replace('answers.jsonl")', 'answers.jsonl", allowance=0.05, margin=0.3)'))
        code, said = self.pytest(1, "-k", "prices or asked", *server)
        self.assertEqual(code, 0, said)
        self.assertIn("PASS (prices)", said)

    def test_what_is_undecided_warns_or_fails(self) -> None:
        server = ("-k", "few", "--workbench-url", self.server())
        self.folder.joinpath("few.jsonl").write_text(json.dumps(world.answers()[0]), encoding="utf-8")
        code, said = self.pytest(0, "--workbench-lang", "ja", *server)
        self.assertEqual(code, 0, said)
        self.assertIn("Undecided", said)
        code, said = self.pytest(0, "--workbench-strict", *server)
        self.assertEqual(code, 1, said)
        self.assertIn("INCONCLUSIVE", said)


if __name__ == "__main__":
    unittest.main()
