"""The client against the program itself, and what its first page promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tests import world

from rag_workbench import Client, Incomplete, Late, LocalServer, Refused, Regression, Unreachable, answers_of, price_of


@world.needs_program
class AgainstTheProgram(unittest.TestCase):
    server: LocalServer
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = LocalServer(program=world.PROGRAM)
        cls.client = cls.server.start()
        with tempfile.TemporaryDirectory() as folder:
            cls.client.add_questions("prices", world.sheet(Path(folder)))
        cls.log("main", 0)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    @classmethod
    def log(cls, name: str, wrong: int) -> str:
        """Logs and evaluates answers, and returns the run."""
        cls.client.log_answers(name, "prices", world.answers(wrong))
        return cls.client.run(name)["row"]["run_id"]

    def test_equal_answers_pass_and_progress_is_told(self) -> None:
        said: list[tuple[int, int]] = []
        rows = answers_of(self.client.questions("prices"), world.right_pipeline)
        logged = self.client.log_answers("same", "prices", rows)
        self.assertEqual((logged["answers"], logged["missing"], logged["created"]), (40, [], True))
        self.assertEqual(price_of(self.client.plan("same")), 0.0)
        detail = self.client.run("same", progress=lambda done, total: said.append((done, total)))
        self.assertEqual((detail["row"]["state"], said[-1][0]), ("finished", said[-1][1]))
        gate = self.client.gate("same", "main", strict=True)
        self.assertEqual((gate["outcome"], gate["counts"]["no_change"], gate["offline"]), ("pass", 40, True))

    def test_worse_answers_raise_with_the_worst(self) -> None:
        self.log("worse", 8)
        with self.assertRaises(Regression) as raised:
            self.client.gate("worse", "main", worst=3)
        error, gate = raised.exception, self.client.gate("worse", "main", check=False)
        self.assertEqual((error.gate["decision"], len(error.worst), gate["counts"]["worse"]), ("FAIL", 3, 8))
        self.assertEqual([row["question_id"] for row in error.worst], [row["id"] for row in gate["worse"][:3]])
        row = error.worst[0]
        for part in (row["question_id"], "correctness 5 → 1", row["answer_before"], row["answer_after"], "(3 of 8)",
                     *gate["said"], gate["caution"]["en"]):
            self.assertIn(part, str(error))
        with self.assertRaises(Regression) as raised:
            self.client.gate("worse", "main", worst=1, lang="ja")
        failed = next(check for check in gate["checks"] if check["decision"] == "FAIL")
        for part in ("不合格", "8件中1件", failed["message_ja"], gate["said_ja"][0], gate["caution"]["ja"]):
            self.assertIn(part, str(raised.exception))
        self.assertEqual(self.client.gate("worse", "main", margin=0.9, allowance=0.5)["outcome"], "pass", "by other rules")
        findings = self.client.compare("main", "worse")["findings"]
        self.assertEqual(findings["verdicts"]["worse"], 8)

    def test_what_is_missing_is_no_regression(self) -> None:
        self.client.log_answers("half", "prices", world.answers()[:20])
        self.client.run("half")
        with self.assertRaises(Incomplete) as raised:
            self.client.gate("half", "main")
        self.assertEqual(raised.exception.gate["outcome"], "incomplete")

    def test_a_threshold_without_a_baseline(self) -> None:
        with self.assertRaises(Refused) as raised:
            self.client.gate("main")
        self.assertEqual((raised.exception.code, bool(raised.exception.hint)), ("baseline_unknown", True))
        self.assertEqual(self.client.gate("main", minimum=["correctness >= 4.5"])["outcome"], "pass")
        with self.assertRaises(Regression):
            self.client.gate("main", minimum=["correctness >= 4.5", "noise_sensitivity >= 1"])

    def test_the_pinned_baseline_holds(self) -> None:
        self.client.add_questions("other", [{"question_id": "q1", "question": "How much?", "reference": "A lot."}])
        self.client.log_answers("pinned", "other", [{"question_id": "q1", "answer": "A lot."}])
        run = self.client.run("pinned")["row"]["run_id"]
        self.client.set_baseline("other", run)
        self.assertEqual([row["run_id"] for row in self.client.baselines()], [run])
        self.assertEqual(self.client.verify("pinned", plan=True)["plan"]["price"]["calls"], 0)

    def test_registering_again_changes_nothing(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "manual.md"
            file.write_text("Ticket class 1 costs 100 yen.", encoding="utf-8")
            for created in (True, False):
                self.assertEqual(self.client.add_documents("manual", [file])["created"], created)
        definition = {"name": "search", "corpus": "manual", "dataset": "prices", "base": {"retrieve": {"mode": "bm25", "k": 1}}}
        for _ in range(2):
            self.assertEqual(self.client.register("search", definition)["revision"], 1)
        run = self.client.start("search", limit=2)
        self.assertEqual(len(list(self.client.results(self.client.wait(run["run_id"])["row"]["run_id"]))), 2)

    def test_waiting_ends(self) -> None:
        detail = self.client.get_run("main")
        detail["row"]["state"] = "running"
        waits: list[float] = []
        still = Client(self.client.url, token="", sleep=waits.append)
        still.get_run = lambda run: detail  # type: ignore[method-assign]
        with self.assertRaises(Late):
            still.wait("main", timeout=1, every=0.5)
        self.assertEqual(waits, [0.5, 0.5])

    def test_a_wrong_sheet_is_told(self) -> None:
        with self.assertRaises(Refused) as raised:
            self.client.add_questions("wrong", [{"question_id": "q1", "question": "", "reference": "x"}])
        self.assertTrue(raised.exception.detail)


class Program(unittest.TestCase):
    def test_a_program_that_does_not_start_says_why(self) -> None:
        with self.assertRaises(Unreachable) as raised:
            LocalServer(program="/bin/false").start()
        self.assertEqual(raised.exception.code, "no_start")

    @world.needs_program
    def test_the_first_use_of_the_readme(self) -> None:
        for name in ("README.md", "README.ja.md"):
            text = (world.PROJECT / name).read_text(encoding="utf-8")
            blocks = dict(re.findall(r"```(csv|python)\n(.*?)```", text, re.DOTALL)[:2])
            self.assertLessEqual(len(blocks["python"].strip().splitlines()), 14, name)
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "questions.csv").write_text(blocks["csv"], encoding="utf-8")
                environment = {**os.environ, "PYTHONPATH": str(world.PROJECT / "src"), "WORKBENCH_BINARY": str(world.PROGRAM)}
                done = subprocess.run([sys.executable, "-c", blocks["python"]], cwd=folder, env=environment, capture_output=True,
                                      text=True, check=False)
            said = done.stdout + done.stderr
            self.assertIn("rag_workbench.errors.Regression: FAIL", said, name)
            self.assertIn("after: Anything goes.", said, name)


if __name__ == "__main__":
    unittest.main()
