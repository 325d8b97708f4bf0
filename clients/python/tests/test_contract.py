"""The client holds what the contract says."""

from __future__ import annotations

import ast
import subprocess
import sys
import unittest
from typing import get_type_hints

from tests import world

from rag_workbench import _api, client


class Contract(unittest.TestCase):
    def test_types_are_those_of_the_contract(self) -> None:
        done = subprocess.run([sys.executable, str(world.PROJECT / "generate.py"), "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_operation_is_used_and_takes_what_is_sent(self) -> None:
        used: set[str] = set()
        for call in ast.walk(ast.parse((world.PROJECT / "src/rag_workbench/client.py").read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in ("call", "_all"):
                continue
            if not call.args or not isinstance(call.args[0], ast.Constant):
                continue
            name = str(call.args[0].value)
            used.add(name)
            operation = _api.OPERATIONS[name]
            for keyword in call.keywords:
                if keyword.arg == "form":
                    self.assertTrue(operation.form, f"{name} takes no form")
                if keyword.arg == "query" and isinstance(keyword.value, ast.Dict):
                    sent = {str(key.value) for key in keyword.value.keys if isinstance(key, ast.Constant)}
                    self.assertLessEqual(sent, set(operation.query.split()), name)
        self.assertEqual(used, set(_api.OPERATIONS) - {"get-experiments"})

    @world.needs_program
    def test_answers_have_the_fields_that_the_server_reads(self) -> None:
        from rag_workbench import LocalServer

        with LocalServer(program=world.PROGRAM) as server:
            server.add_questions("faq", [{"question_id": "q1", "question": "How much?", "reference": "A lot."}])
            told = server.log_answers("log", "faq", [{"question_id": "q1", "answer": "A lot."}], dry_run=True)
        self.assertEqual((set(told["fields"]), told["applied"]), (set(get_type_hints(client.Answer)), False))


if __name__ == "__main__":
    unittest.main()
